"""Questions on invented entries: what is found, in which order, and what is said where nothing is."""

from __future__ import annotations

import time
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpora import Edit, write_corpus
from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import load
from ruleslawyer.index import Index, no_progress
from ruleslawyer.model import Term
from ruleslawyer.plan import title_key
from ruleslawyer.search import Found, search
from ruleslawyer.store import Store
from tiny import NAMES, Line, ask, found, index_of, names

# --- Chinese words are found in a sentence, one character at least ----------------------------------------------------

TEMPLE = "占领中央神殿的玩家可以再掷一次骰子。"
SHIP = "每回合移动一艘船，然后支付三枚硬币。"
WAR = "战斗时双方比较军力，平手不分胜负。"


@pytest.fixture(scope="module")
def chinese() -> Index:
    return index_of(TEMPLE, SHIP, WAR, lang="zh")


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("神殿", TEMPLE),
        ("中央神殿", TEMPLE),
        ("玩家", TEMPLE),
        ("硬币", SHIP),
        ("移动", SHIP),
        ("平手", WAR),
        ("比较军力", WAR),
    ],
)
def test_a_chinese_word_is_found_inside_a_sentence(chinese: Index, query: str, first: str) -> None:
    assert found(chinese, query)[0] == first


@pytest.mark.parametrize(("query", "first"), [("殿", TEMPLE), ("骰", TEMPLE), ("船", SHIP), ("军", WAR), ("胜", WAR)])
def test_a_single_chinese_character_is_found(chinese: Index, query: str, first: str) -> None:
    assert found(chinese, query) == [first]


@pytest.mark.parametrize(("query", "first"), [("掷骰子", TEMPLE), ("付硬币", SHIP), ("比军力", WAR)])
def test_chinese_characters_that_stand_apart_are_found_as_a_looser_match(
    chinese: Index, query: str, first: str
) -> None:
    assert found(chinese, query)[0] == first


@pytest.mark.parametrize(("query", "first"), [("移船", SHIP), ("比力", WAR), ("神骰", TEMPLE)])
def test_two_characters_that_stand_apart_are_a_near_miss_at_least(chinese: Index, query: str, first: str) -> None:
    answer = ask(chinese, query)
    assert (answer.hits or answer.nearest)[0].record.body("zh").plain == first


def test_chinese_characters_together_come_before_the_same_ones_apart() -> None:
    apart, together = "掷出一次骰，然后用子。", "你可以掷骰子，然后用它。"
    assert found(index_of(apart, together, lang="zh"), "掷骰子") == [together, apart]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("每轮掷5次骰子。", "5次"),
        ("两人局没有中立国。", "2人局"),
        ("2人局没有中立国。", "两人局"),
        ("用UFO换牌。", "ufo"),
    ],
)
def test_digits_and_latin_words_between_chinese_are_found(text: str, query: str) -> None:
    assert found(index_of(text, "别的玩家等待。", lang="zh"), query)[0] == text


# --- no word is dropped ---------------------------------------------------------------------------------------------

LANTERN = "A lantern may not move."
CARD = "Player A draws 1 card."
NO = "El jugador no puede mover."
YES = "Sí, se puede."


@pytest.fixture(scope="module")
def small_words() -> Index:
    return index_of(LANTERN, CARD, Line(NO, "es"), Line(YES, "es"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("may not", [LANTERN]),
        ("not", [LANTERN]),
        ("may", [LANTERN]),
        ("A", [LANTERN, CARD]),
        ("1", [CARD]),
        ("no", [NO]),
        ("el", [NO]),
        ("sí", [YES]),
        ("si", [YES]),
        ("se", [YES]),
        ("puede", [NO, YES]),
    ],
)
def test_small_words_are_found(small_words: Index, query: str, expected: Sequence[str]) -> None:
    assert sorted(found(small_words, query)) == sorted(expected)


@pytest.mark.parametrize("word", ["the", "if", "or", "and", "to", "of", "I", "0", "x", "must", "only", "then"])
def test_small_english_words_are_found(word: str) -> None:
    text = f"Draw {word} discard."
    assert found(index_of(text, "Nothing moves."), word) == [text]


@pytest.mark.parametrize("word", ["y", "o", "si", "de", "la", "un", "más", "tu", "a", "ni", "2"])
def test_small_spanish_words_are_found(word: str) -> None:
    text = f"Roba {word} descarta."
    assert found(index_of(text, "Nadie mueve.", lang="es"), word) == [text]


@pytest.mark.parametrize("word", ["不", "的", "了", "可", "能", "一", "个", "吗"])
def test_small_chinese_words_are_found(word: str) -> None:
    text = f"抽牌{word}弃牌。"
    assert found(index_of(text, "没有人动。", lang="zh"), word) == [text]


# --- phrases --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "query", "expected", "others"),
    [
        ("en", '"may not move"', "A lantern may not move.", ["A boat may move.", "May it not be that they move?"]),
        ("en", "“may not move”", "A lantern may not move.", ["A boat may move."]),
        ("en", '"to the left"', "Pass it to the left.", ["To the player on the left.", "Left to the."]),
        ("en", '"a 1"', "Put a 1 here.", ["Put 1 a here."]),
        ("en", '"re-roll once"', "You may re-roll once.", ["You may re-roll. Roll once."]),
        ("en", '"MAY move"', "A boat may move.", ["A lantern may not move."]),
        ("es", '"no puede"', "El jugador no puede mover.", ["Puede que no."]),
        ("es", "«sí se puede»", "Sí, se puede.", ["Se puede, sí."]),
        ("es", '"del nino"', "El año del niño.", ["El niño del año."]),
        ("zh", '"不能移动"', "灯笼不能移动。", ["船能移动，不停。"]),
        ("zh", "“能移动”", "船能移动，不停。", ["能不移动吗。"]),
        ("zh", "「一次骰子」", "再掷一次骰子。", ["骰子一次。"]),
    ],
)
def test_a_phrase_finds_its_words_in_a_row_small_ones_too(
    lang: str, query: str, expected: str, others: Sequence[str]
) -> None:
    assert found(index_of(*others, expected, lang=lang), query) == [expected]


def test_a_phrase_beside_words_keeps_only_the_entries_that_have_it() -> None:
    both, phrase = "A lantern may not move north.", "A fox may not move south."
    index = index_of("A boat may move north.", phrase, both)
    assert found(index, '"may not move" north')[0] == both
    assert "A boat may move north." not in found(index, '"may not move" north')
    assert found(index, 'fox "may not move" "move south"') == [phrase]


@pytest.mark.parametrize("query", ['"may not move" qwerty', 'north "may not move"', '"may not move" -boat qwerty'])
def test_a_phrase_that_is_there_is_never_nothing(query: str) -> None:
    assert found(index_of("A boat may move north.", "A fox may not move south."), query) == [
        "A fox may not move south."
    ]


def test_a_phrase_that_is_there_answers_beside_words_that_are_not() -> None:
    index = index_of("The ties for control break.", "Rules, and ties, and for control.", "Rules of hens.")
    answer = ask(index, 'rules "ties for control" qwertyx')
    assert [hit.record.body("en").plain for hit in answer.hits] == ["The ties for control break."]
    assert [n.values["word"] for n in answer.notes if n.key == "unknown"] == ["qwertyx"]


def test_a_phrase_of_the_bundled_corpus_answers_beside_words_that_are_not(bundled: Index) -> None:
    answer = search(bundled, 'rules "ties for control" qwertyx', limit=100)
    assert answer.hits
    assert set(names(answer)) == set(names(search(bundled, '"ties for control"', limit=100)))


@pytest.mark.parametrize("query", ['"light the lanterns"', '"the lanterns" now', 'now "the lanterns now"'])
def test_a_game_s_name_in_a_phrase_is_words(query: str) -> None:
    index = index_of("Light the lanterns now.", Line("A hen.", game="lanterns"))
    assert found(index, query) == ["Light the lanterns now."]


def test_a_phrase_at_the_end_of_a_long_question_is_found() -> None:
    index = index_of("A boat may move north.", "A fox may not sit.")
    assert found(index, "boat " * 50 + '"may not"') == ["A fox may not sit."]


PHRASE_IN_SPANISH = Line(texts={"en": ("Aa", "The fox moves."), "es": ("Bb", "Zorro total no mueve.")})


def test_a_phrase_is_found_in_the_other_language_of_an_entry() -> None:
    index = index_of(PHRASE_IN_SPANISH, "A total of no hens sits there.")
    assert ask(index, 'hens sits "total no"').hits


def test_a_phrase_does_not_reach_from_one_text_into_the_next() -> None:
    index = index_of(Line("move here", title="may not", asks={"en": ["first ask may", "not second ask"]}))
    assert found(index, '"not move"') == []
    assert found(index, '"may not first"') == []
    assert found(index, '"ask may not"') == []


@pytest.mark.parametrize(("query", "expected"), [('"not move"', False), ('"may not"', True), ('"move here"', True)])
def test_a_phrase_does_not_reach_from_one_paragraph_into_the_next(query: str, expected: bool) -> None:
    assert ask(index_of("It may not\nmove here.", "A hen."), query).confident == expected


def test_a_phrase_is_found_in_titles_and_asks() -> None:
    index = index_of(Line("x", title="It may not move", asks={"en": ["can it be moved twice"]}), "y")
    assert found(index, '"may not"') == ["x"]
    assert found(index, '"be moved"') == ["x"]


def test_a_phrase_that_is_nowhere_finds_nothing() -> None:
    answer = ask(index_of("A boat may move."), '"boat move"')
    assert not answer.confident
    assert answer.nearest == ()


def test_a_row_of_quoted_words_that_is_a_title_ranks_that_entry_first() -> None:
    index = index_of(
        Line("Long. A safe retreat, then a safe retreat.", title="Moving"), Line("x", title="Safe retreat")
    )
    assert found(index, '"safe retreat"')[0] == "x"


# --- leaving words out ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "query", "expected"),
    [
        ("en", "move -boat", ["The fox may move."]),
        ("en", "move -BOAT", ["The fox may move."]),
        ("en", "-boat move", ["The fox may move."]),
        ("en", 'move -"boat may"', ["The fox may move."]),
        ("en", "move -boat -fox", []),
        ("en", "move -qwerty", ["The boat may move.", "The fox may move."]),
        ("es", "acción -sí", ["No, esa acción acaba."]),
        ("es", "acción -si", ["No, esa acción acaba."]),
        ("zh", "移动 -狐狸", ["船可以移动。"]),
        ("zh", "移动 -“狐狸可以”", ["船可以移动。"]),
    ],
)
def test_a_word_or_phrase_with_a_minus_leaves_entries_out(lang: str, query: str, expected: Sequence[str]) -> None:
    texts = {
        "en": ["The boat may move.", "The fox may move."],
        "es": ["Sí, esa acción sigue.", "No, esa acción acaba."],
        "zh": ["船可以移动。", "狐狸可以移动。"],
    }
    assert found(index_of(*texts[lang], lang=lang), query) == expected


def test_words_to_leave_out_need_a_word_to_look_for() -> None:
    answer = ask(index_of("The boat may move.", "The fox may move."), "-boat")
    assert answer.hits == ()


@pytest.mark.parametrize("query", ["re-roll", "3-4", "two-player", "well - known", "-", "--", "- boat", "−1"])
def test_a_hyphen_that_begins_no_word_leaves_nothing_out(query: str) -> None:
    assert not ask(index_of("A boat."), query).query.excluded


# --- accents --------------------------------------------------------------------------------------------------------

ELIMINATION, YEAR, ANUS = "Reglas de eliminación.", "El año del niño.", "El ano."


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("eliminacion", ELIMINATION),
        ("eliminación", ELIMINATION),
        ("ELIMINACIÓN", ELIMINATION),
        ("eliminacio\u0301n", ELIMINATION),
        ("nino", YEAR),
        ("niño", YEAR),
        ("nin\u0303o", YEAR),
    ],
)
def test_accents_may_be_missing(query: str, expected: str) -> None:
    assert found(index_of(ELIMINATION, ANUS, YEAR, "Nadie juega.", lang="es"), query) == [expected]


@pytest.mark.parametrize(
    ("query", "first", "second"),
    [
        ("año", "Cuenta el año aquí.", "Cuenta el ano aquí."),
        ("ano", "Cuenta el ano aquí.", "Cuenta el año aquí."),
        ("pública", "Una carta pública vale.", "Él publica una carta."),
        ("público", "Un mazo público vale.", "Un mazo publicó vale."),
        ("publico", "Yo publico un mazo.", "Un mazo público vale."),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_the_accents_typed_come_first(query: str, first: str, second: str, order: int) -> None:
    assert found(index_of(*[first, second][::order], lang="es"), query) == [first, second]


@pytest.mark.parametrize("lines", [(ELIMINATION, YEAR, ANUS), (ANUS, YEAR), (f"Cuenta cada día del {YEAR}", ANUS)])
def test_the_accents_typed_come_first_however_long_the_texts(lines: Sequence[str]) -> None:
    hits = found(index_of(*lines, lang="es"), "año")
    assert len(hits) == 2
    assert hits[1] == ANUS


@pytest.mark.parametrize("word", ["fundación", "pingüino", "año", "naïve", "Ångström"])
def test_composed_and_decomposed_find_each_other(word: str) -> None:
    forms = [unicodedata.normalize(form, word) for form in ("NFC", "NFD")]
    index = index_of(*(f"Carta {form} aquí." for form in forms), "Otra cosa.", lang="es")
    for form in forms:
        assert len(found(index, form)) == 2
        assert len(found(index, f'"carta {form}"')) == 2


# --- markup and numbers are text ------------------------------------------------------------------------------------

SPAN = '<span class="emph">Move</span> 3 warriors, see 3.1 or 3x1'


@pytest.mark.parametrize(
    "query", ["span", "class emph", "<span>", "</span>", "3x1", "3.1", "3 warriors", 'class="emph"']
)
def test_markup_in_a_text_is_searched_as_text(query: str) -> None:
    answer = ask(index_of(SPAN, "Nothing here."), query)
    assert [hit.record.body("en").plain for hit in answer.hits] == [SPAN]


@pytest.mark.parametrize("query", ["(", ".", ")", "<", "/>", "\\", "^$", "[", "{{", "&amp", "%s"])
def test_signs_alone_are_no_words_and_no_error(query: str) -> None:
    answer = ask(index_of(SPAN, "Nothing here."), query)
    assert answer.hits == ()


def test_a_number_with_a_dot_is_not_a_number_with_another_sign() -> None:
    assert found(index_of("See 3x1.", "See 3-1.", "See 301."), "3.1") == []
    assert found(index_of("See 3.1.", "See 3-1."), "3x1") == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("3.1", ["Rule 3.1 of the book.", "Rule 3.1.2 of the book."]),
        ("3.10", ["Rule 3.10 of the book."]),
        ("3.1.2", ["Rule 3.1.2 of the book."]),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_a_dotted_number_finds_itself_then_what_is_under_it(query: str, expected: Sequence[str], order: int) -> None:
    texts = [f"Rule {n} of the book." for n in ("3.10", "3.1.2", "3.1", "3.11.1", "13.1")][::order]
    assert found(index_of(*texts), query) == expected


def test_a_number_finds_what_is_under_it_but_not_inside_another() -> None:
    index = index_of("Rule 3.10 of it.", "Rule 13.1 of it.", "Rule 3 of it.")
    assert found(index, "3")[0] == "Rule 3 of it."
    assert "Rule 13.1 of it." not in found(index, "3")


# --- hyphens --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["You may re-roll the die.", "You may reroll the die.", "You may re roll the die."])
@pytest.mark.parametrize("query", ["reroll", "re roll", "re-roll", "Re‐Roll"])
def test_reroll_is_found_however_it_is_written(written: str, query: str) -> None:
    assert found(index_of("A fox sleeps.", written, "A hen sits."), query) == [written]


@pytest.mark.parametrize("query", ["two player", "two-player", "2-player", "2 player", "two–player"])
def test_parts_of_a_hyphenated_word_are_found(query: str) -> None:
    variant = "A two-player variant."
    assert found(index_of("Hens sit.", variant), query) == [variant]


@pytest.mark.parametrize("query", ["3-4", "3–4", "3-4 players", "3", "4"])
def test_a_span_of_numbers_is_found_as_such_and_by_its_parts(query: str) -> None:
    span = "For 3-4 players."
    assert found(index_of("For 5-6 players.", "For hens.", span), query)[0] == span


def test_a_span_of_numbers_comes_before_its_parts() -> None:
    span, parts = "For 3-4 hens here.", "For 4 or 3 hens."
    assert found(index_of(parts, span), "3-4")[0] == span


# --- no input is an error -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["what?", "what", "WHAT?!", "¿what?", '"what', "((what", "what*", "what~"])
def test_signs_around_a_word_change_nothing(query: str) -> None:
    assert found(index_of("So what now.", "A hen."), query) == ["So what now."]


@pytest.mark.parametrize("query", ["quien", "quién", "¿Quién?", "QUIÉN", "¡Quién!", "quien*", "quie\u0301n"])
def test_both_spellings_of_quien_find_the_same(query: str) -> None:
    texts = {"Aquí gana quien más tiene.", "Así decide quién gana."}
    assert set(found(index_of(*sorted(texts), "Nada.", lang="es"), query)) == texts


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("AND", ["Red and blue.", "Red or blue."]),
        ("NOT", ["Do not move.", "Do move."]),
        ("OR", ["Red or blue.", "Red and blue."]),
        ("TO", ["Go to town.", "Go now."]),
        ("red AND", ["Red and blue.", "Green hens."]),
        ("¡Empate!", ["Hay empate.", "No hay."]),
        ("平手？", ["平手不分。", "胜利。"]),
        ("（平手）", ["平手不分。", "胜利。"]),
        ("title:move", ["Title and move.", "Hens."]),
        ("game:", ["A game.", "A hen."]),
    ],
)
def test_operators_of_other_searches_are_words(query: str, texts: Sequence[str]) -> None:
    lang = "zh" if "平" in query else "es" if "¡" in query else "en"
    assert found(index_of(*texts, lang=lang), query)[0] == texts[0]


ODD = [
    '"unclosed', "((", "a AND", "NOT", "*", "?", "-", '""', '"', "-\"", ":", "game:", "id:-", "\\", "[a-",
    "a^2", "~", "+", "“", "「」", "-«", "kind:faq", "\0", "\ud800", "\u202e", "﻿", "💥", "/", "%00", "$(x)", "'",
    "''", "a'", "-'a",
]  # fmt: skip


@pytest.mark.parametrize("query", ODD)
def test_odd_input_is_searched_as_it_stands(bundled: Index, query: str) -> None:
    for index in (index_of("A hen may move."), bundled):
        for text in (query, f"{query} move", f"move {query}", f"{query}move{query}", query * 3):
            assert ask(index, text).query.text == text.translate({0: " ", 0xD800: " "}).strip()


@given(st.text(st.characters(exclude_categories=()), max_size=80))
@settings(max_examples=80)
@example("\0\ud800\U0010ffff")
@example("game:beyond-the-sun -")
def test_every_text_is_a_question(bundled: Index, query: str) -> None:
    answer = search(bundled, query, limit=5)
    assert len(answer.hits) <= 5
    assert not (answer.hits and answer.nearest)
    assert answer.confident == bool(answer.hits)
    for hit in answer.hits or answer.nearest:
        assert hit.score >= 0
        assert 0 <= hit.coverage <= 1.000001


LONG = {
    "words": "qwertyzx move " * 1_000,
    "misspelt words": " ".join(f"achivem{chr(97 + n % 26)}n{chr(97 + n // 26)}t" for n in range(600)) * 2,
    "one word": "x" * 10_000,
    "chinese": "神殿行动棋" * 2_000,
    "numbers": "一" * 10_000,
    "phrases": '"the" ' * 2_000,
    "one phrase": '"' + "the " * 490 + '"' + " move" * 2_000,
    "left out": "-the " * 2_500,
    "quotes": "“" * 5_000 + '"' * 5_000,
    "hyphens": "re-" * 4_000,
    "dots": "1." * 5_000,
    "marks": "a\u0301" * 5_000,
    "marks on one letter": "a" + "\u0301" * 10_000,
    "long ligatures": "ﷺ" * 10_000,
    "NUL": "\0" * 10_000,
    "apostrophes": "a'" * 5_000,
    "levels": "I II " * 2_500,
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_question_is_bounded_work(bundled: Index, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = 0
    postings = Store.postings

    def counted(store: Store, lang: str, term: str) -> object:
        nonlocal reads
        reads += 1
        return postings(store, lang, term)

    monkeypatch.setattr(Store, "postings", counted)
    assert len(LONG[name]) >= 9_000
    began = time.perf_counter()
    search(bundled, LONG[name], limit=5)
    assert reads < 5_000
    assert time.perf_counter() - began < 5


def test_that_a_question_was_cut_is_said(bundled: Index) -> None:
    assert "cut" in [note.key for note in search(bundled, "tie " * 5_000).notes]
    assert "cut" not in [note.key for note in search(bundled, "tie").notes]


HOSTILE = [
    "", "!!!", "\0 \x1b[31m x", "@harbour/unused", "level:2", "x" * 70_000, "\u2028 \u0085\r\n\t", "ﷺ" * 2_000,
    "a" + "\u0301" * 2_000, "\U0010ffff \ufffe", "𠀀𠀁", "{{ x }} ${y} %s \\n \\", "<script>alert(1)</script>",
    "' OR 1=1 --", '"""', "a 1\nb 2",
]  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_hostile_texts_are_indexed_and_their_neighbours_found(lang: str) -> None:
    hostile = [Line(text, lang, title=title) for text in HOSTILE for title in ("t", text[:500])]
    index = index_of(*hostile, Line("Zebras graze.", lang, aliases=tuple(HOSTILE), asks={lang: HOSTILE}))
    assert found(index, "zebras") == ["Zebras graze."]
    for text in HOSTILE:
        ask(index, text)
    assert found(index, "script")[0] == "<script>alert(1)</script>"


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
@pytest.mark.parametrize("query", ["超新星", "超", "新星"])
def test_a_chinese_word_is_found_in_a_text_of_any_language(lang: str, query: str) -> None:
    text = "Supernova (超新星)."
    assert found(index_of("Hens.", text, Line("别的。", "zh"), lang=lang), query) == [text]


def test_no_text_can_name_a_concept() -> None:
    terms = {"harbour": [Term("route", "", {"en": ("route",)}, {})]}
    index = index_of("A route is here.", "@harbour/route", "harbour route", "Hens.", terms=terms)
    assert names(ask(index, "@harbour/unused")) == names(ask(index, "harbour unused"))


# --- ranking --------------------------------------------------------------------------------------------------------

RETREAT_ARTICLE = "When you retreat, retreat with all. " + "A retreat is a retreat and no retreat is a retreat. " * 2


@pytest.mark.parametrize(
    ("lang", "title", "article", "query"),
    [
        ("en", "Retreat", RETREAT_ARTICLE, "retreat"),
        ("en", "Retreats", RETREAT_ARTICLE, "retreat"),
        ("es", "Retirada", "La retirada, una retirada, otra retirada. " * 3, "retirada"),
        ("es", "Acción", "La acción, una acción, otra acción. " * 3, "accion"),
        ("zh", "撤退", "撤退就是撤退，没有撤退。" * 3, "撤退"),
    ],
)
def test_the_entry_of_that_title_comes_before_the_article_about_it(
    lang: str, title: str, article: str, query: str
) -> None:
    short, long = Line("x", lang, title=title), Line(article, lang, title="Z")
    assert found(index_of(long, short, lang=lang), query)[0] == "x"
    assert found(index_of(short, long, lang=lang), query)[0] == "x"


@pytest.mark.parametrize("query", ["safe-harbour", "safe harbour", "harbour/safe-harbour", "SAFE HARBOUR"])
def test_an_id_comes_first(query: str) -> None:
    about = Line("A safe harbour is safe. Safe harbour, safe harbour.", title="A safe harbour")
    assert found(index_of(about, Line("x", title="Calm", id="safe-harbour")), query)[0] == "x"


def test_every_title_of_the_bundled_corpus_ranks_its_entry_first(bundled: Index) -> None:
    same: dict[str, set[str]] = defaultdict(set)
    for name, record in bundled.records.items():
        for title in record.titles.values():
            same[title_key(title)].add(name)
    wrong = []
    for name, record in bundled.records.items():
        for lang, title in record.titles.items():
            first = [hit.record.name for hit in search(bundled, title, limit=10).hits]
            if name not in first[: len(same[title_key(title)])]:
                wrong.append((name, lang, title, first[:3]))
    assert wrong == []


def test_every_id_of_the_bundled_corpus_ranks_its_entry_first(bundled: Index) -> None:
    ids = [name.split("/")[1] for name in bundled.records]
    wrong = [
        name
        for name in bundled.records
        if search(bundled, name, limit=1).hits[0].record.name != name
        or (ids.count(name.split("/")[1]) == 1 and search(bundled, f"id:{name}", limit=1).hits[0].record.name != name)
    ]
    assert wrong == []


def test_an_exact_title_ranks_first_among_longer_titles() -> None:
    lines = [Line("x", title=title) for title in ("Control of systems", "Ties for control", "Control", "Control lost")]
    assert ask(index_of(*lines), "control").hits[0].record.title("en") == "Control"


def test_more_of_the_words_is_better() -> None:
    both, one = "The red fox sleeps here.", "The red hen sleeps here."
    assert found(index_of(one, both), "red fox")[0] == both


def test_words_near_each_other_come_before_words_far_apart() -> None:
    near = "The red fox sleeps while every hen sits over there tonight."
    far = "The red hen sleeps while every fox sits over there tonight."
    assert found(index_of(far, near), "red fox") == [near, far]


def test_how_players_ask_is_searched() -> None:
    index = index_of(Line("Draw again.", asks={"en": ["my deck ran out, what now"]}), "A fox sleeps.")
    assert found(index, "deck ran out")[0] == "Draw again."


def test_asks_in_a_language_without_text_are_searched() -> None:
    asks = {"en": ["deck ran out"], "es": ["se acabó el mazo"], "zh": ["牌堆空了"]}
    index = index_of("A fox sleeps.", Line("Draw again.", asks=asks))
    for query in ("se acabo el mazo", "牌堆空了", "牌堆空"):
        assert found(index, query)[0] == "Draw again."


def test_an_alias_is_searched() -> None:
    assert found(index_of("A fox.", Line("Draw again.", aliases=("second wind",))), "second wind")[0] == "Draw again."


def test_equals_come_in_corpus_order() -> None:
    lines = [Line("The fox sleeps.", title="Same", id=name) for name in ("delta", "alpha", "omega", "bravo")]
    assert names(ask(index_of(*lines), "fox")) == [f"harbour/{line.id}" for line in lines]


def test_the_answer_before_what_is_around_it() -> None:
    """An entry with children gives way to a child that says the same."""
    parent = Line("The fox sleeps at night.", id="night", title="Night")
    child = Line("The fox sleeps at night.", id="dream", title="Dream", parent="night")
    assert names(ask(index_of(parent, child), "fox sleeps"))[0] == "harbour/dream"


@pytest.mark.parametrize(
    ("lang", "text", "query"),
    [
        ("en", "The fox may sleep.", "may the fox sleep?"),
        ("es", "El zorro puede dormir.", "¿puede dormir el zorro?"),
        ("zh", "狐狸可以睡觉。", "狐狸可以睡觉吗？"),
    ],
)
def test_a_question_favours_questions(lang: str, text: str, query: str) -> None:
    rule, faq = Line(text, lang, id="quark"), Line(text, lang, id="quasar", kind="faq")
    fillers = [Line(f"{n}, {n}: 你好吗？ el the", lang) for n in range(8)]
    assert names(ask(index_of(rule, *fillers, faq), query))[0] == "harbour/quasar"


# --- one hit per entry, whatever languages match ----------------------------------------------------------------------

FOX = Line(
    id="fox",
    texts={
        "en": ("Fox total", "The fox moves."),
        "es": ("Zorro total", "El zorro mueve."),
        "zh": ("狐狸", "狐狸移动。"),
    },
    asks={"en": ["fox"], "es": ["zorro"], "zh": ["狐狸"]},
)
HEN = Line(id="hen", texts={"en": ("Hen total", "The hen sits."), "es": ("Gallina total", "La gallina está.")})


@pytest.mark.parametrize("query", ["fox", "zorro", "狐狸", "total", "fox zorro 狐狸", "total 狐狸"])
def test_one_hit_per_entry_however_many_languages_match(query: str) -> None:
    hits = names(ask(index_of(FOX, HEN), query))
    assert "harbour/fox" in hits
    assert len(hits) == len(set(hits))


@pytest.mark.parametrize(("query", "lang"), [("the fox moves", "en"), ("el zorro mueve", "es"), ("狐狸移动", "zh")])
def test_the_answer_is_read_in_the_language_of_the_question(query: str, lang: str) -> None:
    assert ask(index_of(FOX, HEN), query).plan.lang == lang


def test_ask_in_one_language_and_read_in_another() -> None:
    english = Line("The fox moves.", asks={"es": ["el zorro mueve"], "zh": ["狐狸移动"]})
    index = index_of("The hen sits.", english)
    for query, lang in (("zorro", "es"), ("狐狸", "zh")):
        answer = ask(index, query)
        assert answer.plan.lang == lang
        assert answer.hits[0].record.body(lang).lang == "en"


HEN_OF_BOTH = Line(id="both", texts={"en": ("Sits", "It sits."), "es": ("Está", "Está total.")})


def test_a_word_is_searched_in_its_own_language_and_where_an_entry_has_no_text_in_it() -> None:
    english = Line("The total of the hens.", id="english")
    spanish = Line("La gallina total.", "es", id="spanish")
    index = index_of(english, HEN_OF_BOTH, spanish)
    assert set(names(ask(index, "the total of the hens"))) >= {"harbour/english", "harbour/spanish"}
    assert "harbour/both" not in names(ask(index, "total of hens"))


def test_a_word_that_its_language_does_not_know_is_searched_in_the_others() -> None:
    both = Line(id="both", texts={"en": ("Sits", "The fox sits."), "es": ("Está", "El zorro está.")})
    assert names(ask(index_of("The hen.", both), "the zorro"))[0] == "harbour/both"


# --- filters --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_games() -> Index:
    return index_of(
        Line("The fox moves.", id="fox"),
        Line("May the fox move? Yes, the fox moves.", id="may-fox", kind="faq"),
        Line("The fox moves too.", id="fox", game="lanterns"),
        Line("About the fox on the box.", id="box", game="lanterns", kind="info"),
        games={"harbour": {"en": "Harbour"}, "lanterns": {"en": "Lanterns"}},
    )


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [
        ("fox", {"game": "lanterns"}, {"lanterns/fox", "lanterns/box"}),
        ("fox game:lanterns", {}, {"lanterns/fox", "lanterns/box"}),
        ("GAME:Lanterns fox", {}, {"lanterns/fox", "lanterns/box"}),
        ("fox", {"kind": "faq"}, {"harbour/may-fox"}),
        ("fox kind:faq", {}, {"harbour/may-fox"}),
        ("fox kind:info", {}, {"lanterns/box"}),
        ("fox kind:rule game:harbour", {}, {"harbour/fox"}),
        ("fox kind:faq", {"game": "lanterns"}, set()),
        ("fox game:harbour", {"game": "lanterns"}, {"lanterns/fox", "lanterns/box"}),
        ("id:lanterns/fox", {}, {"lanterns/fox"}),
        ('"the fox" game:lanterns kind:rule', {}, {"lanterns/fox"}),
        ("lanterns fox", {}, {"lanterns/fox", "lanterns/box"}),
    ],
)
def test_filters(two_games: Index, query: str, options: dict[str, str], expected: set[str]) -> None:
    assert set(names(ask(two_games, query, **options))) == expected


def test_a_game_of_several_words_is_given_in_quotes(bundled: Index) -> None:
    for query in ('game:"beyond the sun" tie', "tie game:“Beyond the Sun”"):
        answer = search(bundled, query, limit=100)
        assert names(answer) == names(search(bundled, "tie", game="beyond-the-sun", limit=100))
        assert {name.split("/")[0] for name in names(answer)} == {"beyond-the-sun"}
        assert answer.notes == ()


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_the_language_of_the_reader_leaves_no_entry_out(lang: str) -> None:
    index = index_of(FOX, HEN, Line("The fox sits.", id="en"), Line("别的。", "zh", id="zh"))
    assert names(ask(index, f"fox lang:{lang}")) == names(ask(index, "fox"))
    assert names(ask(index, "fox", lang=lang)) == names(ask(index, "fox"))


def test_the_language_of_the_reader_is_that_of_a_question_that_tells_none() -> None:
    assert ask(index_of(FOX, HEN), "12345 lang:es").plan.lang == "es"
    assert ask(index_of(FOX, HEN), "the fox lang:es").plan.lang == "en"


@pytest.mark.parametrize("query", ["kınd:faq", "fox ıd:x"])
def test_a_name_that_is_almost_a_filter_s_is_no_error(two_games: Index, query: str) -> None:
    ask(two_games, query)


def test_the_same_word_in_two_games_is_answered_for_both(two_games: Index) -> None:
    assert {name.split("/")[0] for name in names(ask(two_games, "fox"))} == {"harbour", "lanterns"}


def test_a_limit_cuts_the_hits_and_not_the_count(two_games: Index) -> None:
    answer = ask(two_games, "fox", limit=2)
    assert len(answer.hits) == 2
    assert answer.total == 4
    assert answer.hits[0].record.name == ask(two_games, "fox").hits[0].record.name


# --- nothing found --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "lang"),
    [
        ("parking garage", "en"),
        ("how do I cook spaghetti carbonara", "en"),
        ("wi-fi password", "en"),
        ("dónde aparco el coche", "es"),
        ("今天天气", "zh"),
    ],
)
def test_what_no_entry_answers_is_said_not_to_be_found(query: str, lang: str) -> None:
    texts = {
        "en": ["The fox moves.", "A hen may not sit on how many eggs."],
        "es": ["El zorro mueve.", "La gallina no se mueve."],
        "zh": ["狐狸移动。", "母鸡不动。"],
    }
    answer = ask(index_of(*texts[lang], lang=lang), query)
    assert not answer.confident
    assert answer.hits == ()
    assert answer.total == 0


def test_near_misses_are_offered_as_such_with_the_words_that_matched_nothing() -> None:
    answer = ask(index_of("The fox moves.", "A hen sits."), "fox parking garage permit zone")
    assert answer.hits == ()
    assert [hit.record.body("en").plain for hit in answer.nearest] == ["The fox moves."]
    assert answer.nearest[0].matched == ("fox",)
    assert {"parking", "garage", "permit", "zone"} <= {n.values["word"] for n in answer.notes if n.key == "unknown"}


@pytest.mark.parametrize("query", ["", " ", "\n\t", "???", "()", "\0", '""'])
def test_a_question_without_a_word_finds_nothing(two_games: Index, query: str) -> None:
    answer = ask(two_games, query)
    assert (answer.hits, answer.nearest, answer.total) == ((), (), 0)


def test_a_corpus_of_one_entry_answers() -> None:
    assert found(index_of("The fox moves."), "fox") == ["The fox moves."]
    assert not ask(index_of("The fox moves."), "spaghetti").confident


@pytest.mark.parametrize(
    ("lang", "query"),
    [("es", "qwerty"), ("zh", "qwerty"), ("en", "狐qwerty"), ("en", "qwerty lang:fr"), ("es", "qwerty lang:xx")],
)
def test_a_question_in_a_language_no_entry_has_is_no_error(lang: str, query: str) -> None:
    texts = {"en": "The fox moves.", "es": "El zorro mueve.", "zh": "狐狸移动。"}
    assert not search(index_of(texts[lang], lang=lang), query, fallback="en").confident


def test_a_corpus_without_a_glossary_answers(tmp_path: Path) -> None:
    root = write_corpus(tmp_path)
    (root / "harbour/glossary.toml").unlink()
    loaded = load(root)
    assert loaded.problems == ()
    index = build_in_memory(loaded.corpus, no_progress)
    assert names(ask(index, "wind"))[0] == "lanterns/wind"


# --- a text broken over lines, Traditional characters, full width ---------------------------------------------------


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ("占领中央神\n殿的玩家再掷一次。", "神殿"),
        ("占领中央神\n殿的玩家再掷一次。", "“中央神殿的玩家”"),
        ("移动1艘船，再装**箱\n子**。", "再装箱子"),
        ("每回合移动1\n艘船。", "1艘"),
        ("支付三枚硬币，\n然后移动。", "然后移动"),
    ],
)
def test_a_chinese_sentence_broken_over_two_lines_is_found_across_the_break(
    tmp_path: Path, body: str, query: str
) -> None:
    chinese = Edit("harbour/rules.zh.md", "移动1艘船，然后在[码头](#docks)装2个箱子。", body)
    corpus = load(write_corpus(tmp_path, chinese)).corpus
    plain = corpus.entries["harbour/turn"].texts["zh"].plain
    assert " " not in plain
    assert "\n" not in plain
    assert names(ask(build_in_memory(corpus, no_progress), query))[0] == "harbour/turn"


def test_an_english_phrase_is_found_across_a_line_break(tmp_path: Path) -> None:
    index = build_in_memory(load(write_corpus(tmp_path)).corpus, no_progress)
    assert names(ask(index, '"1.5 crates or 1 lantern"')) == ["harbour/docks"]


@pytest.fixture(scope="module")
def chapters() -> Index:
    return index_of("弃牌阶段的规则。", "第3章讲战斗。", "第5章讲和平。", "没有别的。", lang="zh")


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("棄牌階段", "弃牌阶段的规则。"),
        ("棄牌阶段", "弃牌阶段的规则。"),
        ("階段", "弃牌阶段的规则。"),
        ("棄", "弃牌阶段的规则。"),
        ("規則", "弃牌阶段的规则。"),
        ("３", "第3章讲战斗。"),
        ("3", "第3章讲战斗。"),
        ("戰鬥", "第3章讲战斗。"),
        ("５章", "第5章讲和平。"),
    ],
)
def test_traditional_and_full_width_find_simplified_and_plain(chapters: Index, query: str, first: str) -> None:
    assert found(chapters, query)[0] == first


@pytest.mark.parametrize("query", ["第3章", "第３章", "第三章", "第5章", "第五章"])
def test_a_numbered_chapter_is_found_as_it_is_written(chapters: Index, query: str) -> None:
    assert found(chapters, query)[0] == ("第5章讲和平。" if "5" in query or "五" in query else "第3章讲战斗。")


@pytest.mark.parametrize(
    ("lang", "text", "query"),
    [
        ("zh", "棄牌階段的規則。", "弃牌阶段"),
        ("zh", "棄牌階段的規則。", "棄牌階段"),
        ("en", "ＭＯＶＥ ３ ships.", "move 3"),
        ("en", "Move 3 ships.", "ｍｏｖｅ ３"),
        ("en", "A ﬁnal ﬂip.", "final flip"),
    ],
)
def test_a_text_in_traditional_or_full_width_is_found_either_way(lang: str, text: str, query: str) -> None:
    assert found(index_of("别的。" if lang == "zh" else "Other.", text, lang=lang), query)[0] == text


# --- levels and numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "numerals", [("I", "1", "Ⅰ", "one"), ("II", "2", "Ⅱ", "two"), ("IIII", "IV", "4", "Ⅳ", "four")]
)
def test_level_numerals_find_each_other(numerals: Sequence[str]) -> None:
    others = ["A Level III hen.", "I want 1 or 2 or 4 hens."]
    for written in numerals:
        text = f"A Level {written} hen."
        index = index_of(*others, text)
        for typed in numerals:
            assert found(index, f"level {typed}")[0] == text, (written, typed)


@pytest.mark.parametrize(
    ("text", "lang", "query"),
    [
        ("Una carta de nivel II.", "es", "nivel 2"),
        ("Una carta de nivel 2.", "es", "nivel II"),
        ("Una carta de nivel dos.", "es", "nivel 2"),
        ("一张二级牌。", "zh", "II级"),
        ("一张II级牌。", "zh", "二级"),
        ("一张二级牌。", "zh", "2级"),
        ("一张2级牌。", "zh", "Ⅱ级"),
    ],
)
def test_levels_meet_in_spanish_and_chinese(text: str, lang: str, query: str) -> None:
    other = {"es": "Una carta de nivel III.", "zh": "一张III级牌。"}[lang]
    assert found(index_of(other, text, lang=lang), query)[0] == text


@pytest.mark.parametrize(
    ("text", "lang", "query"),
    [
        ("Draw 2 hens.", "en", "two hens"),
        ("Draw two hens.", "en", "2 hens"),
        ("Roba dos cartas.", "es", "2 cartas"),
        ("抽两张牌。", "zh", "2张牌"),
        ("抽2张牌。", "zh", "两张牌"),
        ("抽12张牌。", "zh", "十二张牌"),
        ("抽十二张牌。", "zh", "12张牌"),
        ("抽十二张牌。", "zh", "12"),
        ("抽二十一张牌。", "zh", "21张"),
        ("第12章讲牌。", "zh", "第十二章"),
        ("第十二章讲牌。", "zh", "第12章"),
    ],
)
def test_number_words_and_digits_meet(text: str, lang: str, query: str) -> None:
    other = {"en": "Draw 3 hens.", "es": "Roba 3 cartas.", "zh": "抽3张牌。"}[lang]
    assert found(index_of(other, text, lang=lang), query)[0] == text


@pytest.mark.parametrize(
    ("text", "query"),
    [("抽12张牌。", "十二"), ("得分是2。", "两"), ("得分是12。", "十二")],
)
def test_a_chinese_number_alone_finds_its_digits(text: str, query: str) -> None:
    assert found(index_of("抽3张牌。", text, lang="zh"), query)[0] == text


# --- adding a matching word -----------------------------------------------------------------------------------------

WORDS = ("fox", "hen", "red", "sleeps", "moves", "level", "ii", "2", "the", "not", "re-roll", "may")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=5)


@given(TEXTS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(0, 4), st.integers(0, 3))
@settings(max_examples=150)
@example(["red fox", "hen", "fox"], ["fox"], 0, 0)
def test_adding_a_matching_word_to_an_entry_never_makes_it_drop_out(
    texts: list[str], query: list[str], entry: int, word: int
) -> None:
    entry, added = entry % len(texts), query[word % len(query)]
    more = [f"{text} {added}" if n == entry else text for n, text in enumerate(texts)]
    question, name = " ".join(query), f"harbour/{NAMES[entry]}"
    before, after = ask(index_of(*texts), question), ask(index_of(*more), question)
    if name in ranked(before):
        assert name in ranked(after)
    if names(before)[:1] == [name]:
        assert names(after)[:1] == [name]


def ranked(answer: Found) -> list[str]:
    """The hits, or the near misses where there are none."""
    return names(answer) or [hit.record.name for hit in answer.nearest]


@given(TEXTS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
@settings(max_examples=80)
def test_all_hits_have_a_word_of_the_question_and_none_that_has_one_is_left_out(
    texts: list[str], query: list[str]
) -> None:
    answer = ask(index_of(*texts), " ".join(query))
    having = {f"harbour/{NAMES[n]}" for n, text in enumerate(texts) if set(text.split()) & set(query)}
    assert having <= set(ranked(answer))
    assert all(hit.matched for hit in answer.hits)
