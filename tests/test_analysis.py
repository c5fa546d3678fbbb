"""Text -> terms: a table per rule, and what holds for every text."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruleslawyer import analysis
from ruleslawyer.analysis import Token, analyse, fold, is_han, is_word_char, normalise, terms_of

TRADITIONAL = {"棄": "弃", "階": "阶", "陽": "阳"}


def terms(text: str, lang: str = "en") -> str:
    """The terms of a text, with spaces between."""
    return " ".join(terms_of(text, lang, TRADITIONAL))


def cut(text: str, lang: str = "en") -> str:
    """Every term with its position and the piece of the text as written that it stands for."""
    return " ".join(f"{t.term}@{t.pos}={text[t.start : t.end]}" for t in analyse(text, lang, TRADITIONAL))


def of_kind(kind: str, text: str, lang: str) -> str:
    """The terms of one kind."""
    return " ".join(t.term for t in analyse(text, lang, TRADITIONAL) if t.kind == kind)


# --- 1: normalisation -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Move SHIPS", "move ships"),
        ("ＭＯＶＥ", "move"),
        ("ﬁnal", "final"),
        ("Straße", "strasse"),
        ("ÉXITO", "éxito"),
        ("１０", "10"),
        ("x²", "x2"),
        ("re\u00adroll", "reroll"),
        ("神\u200b殿", "神 神殿 殿"),
        ("\ufefffox a\u200db \u202ehen", "fox ab hen"),
        ("\u200b \u00ad", ""),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
    ],
)
def test_case_and_compatible_forms_are_one(text: str, expected: str) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize("word", ["fundación", "año", "pingüino", "Ångström", "Ѝ", "が", "ệ"])
def test_composed_and_decomposed_are_one_each_with_its_own_offsets(word: str) -> None:
    composed, decomposed = unicodedata.normalize("NFC", word), unicodedata.normalize("NFD", word)
    assert len(decomposed) > len(composed)
    (one,) = analyse(f"¡{composed}!", "es")
    (other,) = analyse(f"¡{decomposed}!", "es")
    assert one.term == other.term == composed.casefold()
    assert (one.start, one.end) == (1, 1 + len(composed))
    assert (other.start, other.end) == (1, 1 + len(decomposed))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("El año del niño", "el@0=El año@1=año del@2=del niño@3=niño"),
        ("El an\u0303o del nin\u0303o", "el@0=El año@1=an\u0303o del@2=del niño@3=nin\u0303o"),
        ("der große Zug", "der@0=der grosse@1=große zug@2=Zug"),
        ("ﬁne ﬂow", "fine@0=ﬁne flow@1=ﬂow"),
        ("İki taş", "i̇ki@0=İki taş@1=taş"),
        ("𝐀 bold 𝟑", "a@0=𝐀 bold@1=bold 3@2=𝟑"),
        ("第３章", "第@0=第 第3@0=第３ 3@1=３ 3章@1=３章 章@2=章"),
        ("f\u00adox a\u200b", "fox@0=f\u00adox a@1=a"),
    ],
)
def test_offsets_are_those_of_the_text_as_written(text: str, expected: str) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize("text", ["⑩", "Level Ⅳ", "ﬃ", "㎏", "½ ore", "⑴", "㍿"])
def test_a_term_of_a_character_that_is_written_out_is_marked(text: str) -> None:
    for token in analyse(text, "en"):
        assert token.start < token.end


@pytest.mark.parametrize(
    ("word", "folded"), [("año", "ano"), ("ACCIÓN".lower(), "accion"), ("don't", "dont"), ("ű", "u")]
)
def test_fold_takes_accents_and_apostrophes_away(word: str, folded: str) -> None:
    assert fold(word) == folded


def test_accents_stay_in_the_terms() -> None:
    assert terms("El año, el ano", "es") == "el año el ano"


# --- 2: words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("A lantern may not move.", "en", "a lantern may not move"),
        ("Player A draws 0 cards if I do", "en", "player a draws 0 cards if i do"),
        ("Sí, se puede; no, no y no.", "es", "sí se puede no no y no"),
        ("¿Quién gana? ¡Empate!", "es", "quién gana empate"),
        ("3x1 isn't 3×1", "en", "3x1 isn't 3 1"),
        ("snake_case", "en", "snake case"),
        ("Кость и кубик", "ru", "кость и кубик"),
        ("サイコロを振る", "ja", "サイコロを 振 る"),
        ('<span class="emph">Move</span>', "en", "span class emph move span"),
        ("(((*^%$#@!", "en", ""),
        ("\0\x1b[31m\ud800", "en", "31m"),
        ("", "en", ""),
    ],
)
def test_no_word_is_dropped_and_nothing_else_is_a_word(text: str, lang: str, expected: str) -> None:
    assert terms(text, lang) == expected


@pytest.mark.parametrize("lang", ["en", "es", "zh", "fr", "tlh", ""])
def test_a_language_that_is_not_known_is_cut_like_any_other(lang: str) -> None:
    assert terms("le chat du château 神殿", lang) == "le chat du château 神 神殿 殿"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the player's ship", "the player's ship"),
        ("the player’s ship", "the player's ship"),
        ("the player‘s ship", "the player's ship"),
        ("the player＇s ship", "the player's ship"),
        ("players' ships", "players ships"),
        ("'quoted' ''again''", "quoted again"),
        ("rock 'n' roll", "rock n roll"),
        ("can''t", "can t"),
    ],
)
def test_an_apostrophe_stays_between_letters_only(text: str, expected: str) -> None:
    assert terms(text) == expected


# --- 3: hyphens -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Re-roll", "re@0=Re reroll@0=Re-roll roll@1=roll"),
        ("re‐roll", "re@0=re reroll@0=re‐roll roll@1=roll"),
        ("re–roll", "re@0=re reroll@0=re–roll roll@1=roll"),
        ("face-down-card", "face@0=face facedowncard@0=face-down-card down@1=down card@2=card"),
        ("3-4 players", "3@0=3 3-4@0=3-4 4@1=4 players@2=players"),
        ("3–4 players", "3@0=3 3-4@0=3–4 4@1=4 players@2=players"),
        ("2-player game", "2@0=2 2player@0=2-player player@1=player game@2=game"),
        ("1.5-2", "1.5@0=1.5 1.5-2@0=1.5-2 1.@0=1.5 2@1=2"),
        ("roll - again", "roll@0=roll again@1=again"),
        ("-roll roll- a--b", "roll@0=roll roll@1=roll a@2=a b@3=b"),
    ],
)
def test_a_hyphenated_word_gives_its_parts_and_the_whole(text: str, expected: str) -> None:
    assert cut(text) == expected


# --- 4: dotted numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.1", "3.1 3."),
        ("3.1.2", "3.1.2 3. 3.1."),
        ("3.10", "3.10 3."),
        ("See 3.1.", "see 3.1 3."),
        ("３．１", "3.1 3."),
        ("v1.2b", "v1.2b v1."),
        ("end.Start", "end start"),
        ("x.5 5.x", "x 5 5 x"),
        ("3..1", "3 1"),
    ],
)
def test_a_dotted_number_gives_itself_and_its_openings(text: str, expected: str) -> None:
    assert terms(text) == expected


def test_a_number_of_ever_more_dots_has_no_more_openings_than_rules_have_levels() -> None:
    """All of them would be as long together as the square of the text."""
    openings = [token.term for token in analyse("1." * 500 + "1", "en") if token.kind == "opening"]
    assert openings == ["1." * n for n in range(1, 9)]


def test_an_opening_with_its_dot_is_in_the_longer_numbers_only() -> None:
    """What a search for ``3.1`` looks for beside ``3.1`` itself."""
    assert [
        text for text in ("3.1.2", "3.1.10", "3.1", "3.10", "3.11.1", "13.1.1") if "3.1." in terms_of(text, "en")
    ] == [
        "3.1.2",
        "3.1.10",
    ]


# --- 5: Han ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("殿", "殿@0=殿"),
        ("神殿", "神@0=神 神殿@0=神殿 殿@1=殿"),
        ("掷骰子", "掷@0=掷 掷骰@0=掷骰 骰@1=骰 骰子@1=骰子 子@2=子"),
        ("骰，子", "骰@0=骰 子@1=子"),
        ("用ship换", "用@0=用 ship@1=ship 换@2=换"),
        ("掷5次", "掷@0=掷 掷5@0=掷5 5@1=5 5次@1=5次 次@2=次"),
        ("掷12", "掷@0=掷 掷12@0=掷12 12@1=12"),
        ("𠀀殿〇々", "𠀀@0=𠀀 𠀀殿@0=𠀀殿 殿@1=殿 殿〇@1=殿〇 〇@2=〇 〇々@2=〇々 々@3=々"),
    ],
)
def test_han_gives_every_character_and_every_pair(text: str, expected: str) -> None:
    assert cut(text, "zh") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("两人局", "两 两人 2 2人 人 人局 局"),
        ("五人", "五 五人 5 5人 人"),
        ("一人", "一 一人 1人 人"),
        ("个十", "个 个十 十 10"),
        ("十二", "十 十二 12 二"),
        ("十二章", "十 十二 12 12章 二 二章 章"),
        ("二十", "二 二十 20 十"),
        ("二十一人", "二 二十 21 21人 十 十一 一 一人 人"),
        ("第三", "第 第三 第3 三 3"),
        ("第十二", "第 第十 第12 十 十二 12 二"),
    ],
)
def test_han_numbers_meet_digits(text: str, expected: str) -> None:
    assert terms(text, "zh") == expected


TENS = ["", "十", *(f"{n}十" for n in "二三四五六七八九")]


@pytest.mark.parametrize("value", range(2, 100))
def test_chinese_numbers_up_to_99_are_read(value: int) -> None:
    number = TENS[value // 10] + " 一二三四五六七八九"[value % 10].strip()
    for text, term in ((number, f"{value}"), (f"{number}章", f"{value}章"), (f"第{number}", f"第{value}")):
        assert term in terms_of(text, "zh")
        (token,) = [t for t in analyse(text, "zh") if t.term == term]
        assert text[token.start : token.end] == text


@pytest.mark.parametrize(
    ("written", "typed"), [("第3章", "第三章"), ("第１２章", "第十二章"), ("12人", "十二人"), ("21张", "二十一张")]
)
def test_a_number_and_its_neighbours_have_the_same_pairs_in_digits_and_han(written: str, typed: str) -> None:
    digits, han = (set(of_kind("pair", text, "zh").split()) for text in (written, typed))
    assert digits <= han
    assert digits


@pytest.mark.parametrize("lang", ["en", "es", "zh", ""])
def test_traditional_characters_become_simplified_by_the_table(lang: str) -> None:
    assert terms("棄牌階段", lang) == terms("弃牌阶段", lang) == "弃 弃牌 牌 牌阶 阶 阶段 段"
    assert [(t.start, t.end) for t in analyse("棄牌", lang, TRADITIONAL)] == [(0, 1), (0, 2), (1, 2)]
    assert terms_of("棄牌", lang) == ["棄", "棄牌", "牌"]


# --- 6: numbers and levels ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("two dice", "en", "two 2 dice"),
        ("the first, 2nd and third time", "en", "the first 1 2nd 2 and third 3 time"),
        ("TEN", "en", "ten 10"),
        ("dos dados, tres fichas", "es", "dos 2 dados tres 3 fichas"),
        ("el séptimo o el septimo", "es", "el séptimo 7 o el septimo 7"),
        ("dos", "en", "dos"),
        ("two", "es", "two"),
        ("two", "tlh", "two"),
        ("two-player", "en", "two 2 twoplayer player"),
        ("someone, often", "en", "someone often"),
    ],
)
def test_number_words_give_their_digits_in_their_own_language(text: str, lang: str, expected: str) -> None:
    assert terms(text, lang) == expected


@pytest.mark.parametrize(
    ("text", "lang", "levels"),
    [
        ("Level I", "en", "1"),
        ("level II", "en", "2"),
        ("LEVEL III", "en", "3"),
        ("Level IIII", "en", "4"),
        ("Level IV", "en", "4"),
        ("level 3", "en", "3"),
        ("lvl 2", "en", "2"),
        ("level-2", "en", "2"),
        ("level two", "en", "2"),
        ("Ｌｅｖｅｌ ＩＩ", "en", "2"),
        ("Level Ⅲ", "en", "3"),
        ("nivel I", "es", "1"),
        ("nivel 4", "es", "4"),
        ("nivel dos", "es", "2"),
        ("I级", "zh", "1"),
        ("Ⅱ级", "zh", "2"),
        ("ＩＩ级", "zh", "2"),
        ("3级科技", "zh", "3"),
        ("四级科技", "zh", "4"),
        ("II technologies", "en", "2"),
        ("IIII", "es", "4"),
        ("levels I, II and III", "en", "1 2 3"),
        ("Level I or II", "en", "1 2"),
        ("Level I/II/III", "en", "1 2 3"),
        ("I, II, III", "en", "1 2 3"),
        ("levels 1 and 2", "en", "1 2"),
        ("levels two", "en", "2"),
        ("second level", "en", "2"),
        ("third tier", "en", "3"),
        ("segundo nivel", "es", "2"),
        ("niveles I y II", "es", "1 2"),
        ("niveles 1, 2 o 3", "es", "1 2 3"),
        ("一级和二级", "zh", "1 2"),
        ("I、II、III级", "zh", "1 2 3"),
        ("一、二级科技", "zh", "1 2"),
    ],
)  # fmt: skip
def test_level_numerals_meet(text: str, lang: str, levels: str) -> None:
    assert of_kind("level", text, lang) == " ".join(f"level:{n}" for n in levels.split())


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("I want 2 ships", "en"),
        ("may I move", "en"),
        ("I and you", "en"),
        ("if I have level II, am I done", "en"),
        ("pay 3 ore", "en"),
        ("two dice", "en"),
        ("two levels", "en"),
        ("three tiers", "en"),
        ("2 levels", "en"),
        ("dos niveles", "es"),
        ("Level V", "en"),
        ("Level 5", "en"),
        ("level up", "en"),
        ("dos naves", "es"),
        ("两人局", "zh"),
        ("第一个", "zh"),
        ("升级", "zh"),
    ],
)
def test_what_is_no_level(text: str, lang: str) -> None:
    assert "level:1" not in terms_of(text, lang)
    assert of_kind("level", text, lang) in ("", "level:2")
    assert ("level:2" in terms_of(text, lang)) == ("II" in text)


def test_a_level_stands_where_its_numeral_stands() -> None:
    text = "From levels I and Ⅱ"
    assert [(t.term, text[t.start : t.end], t.pos) for t in analyse(text, "en") if t.kind == "level"] == [
        ("level:1", "I", 2),
        ("level:2", "Ⅱ", 4),
    ]


# --- any text -------------------------------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    ["re-roll", "3.1.2", "Level II", "两人局", "棄", "año", "an\u0303o", "'", "-", ".", "Ⅱ", "½", "\0"]
)
ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=60) | st.lists(_PIECES | st.text(max_size=3)).map(
    "".join
)
ANY_LANGUAGE = st.sampled_from(["en", "es", "zh", "fr", ""])


@given(ANY_TEXT, ANY_LANGUAGE)
@example("\u0301\u0302", "es")
@example("ﷺ½㍿", "zh")
@example("\ud800\U0010ffff", "en")
def test_every_text_gives_terms_that_stand_in_it(text: str, lang: str) -> None:
    tokens = analyse(text, lang, TRADITIONAL)
    for token in tokens:
        assert token.term
        assert 0 <= token.start < token.end <= len(text)
        assert not any(c.isspace() for c in token.term)
    positions = [t.pos for t in tokens]
    assert positions == sorted(positions)
    assert set(positions) == set(range(positions[-1] + 1 if positions else 0))


@given(ANY_TEXT, ANY_LANGUAGE)
def test_what_stands_later_has_a_later_position(text: str, lang: str) -> None:
    at: dict[int, Token] = {}
    for token in analyse(text, lang, TRADITIONAL):
        at.setdefault(token.pos, token)
    for before, after in pairwise(at[pos] for pos in sorted(at)):
        assert before.start <= after.start
        assert before.end <= after.end or before.kind == "pair"


@given(ANY_TEXT)
@example("a\u0301\u0302½\u00adﬁ")
def test_normalising_keeps_for_every_character_where_it_comes_from(text: str) -> None:
    norm, starts, ends = normalise(text, TRADITIONAL)
    assert len(norm) == len(starts) == len(ends)
    assert list(starts) == sorted(starts)
    assert list(ends) == sorted(ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))
    assert not any(unicodedata.category(char) == "Cf" for char in norm)


@given(ANY_TEXT, ANY_LANGUAGE)
@example("a\u0301b", "en")
def test_a_term_ends_where_its_last_character_ends_with_all_its_marks(text: str, lang: str) -> None:
    for token in analyse(text, lang, TRADITIONAL):
        assert not unicodedata.combining(text[token.end : token.end + 1] or " ")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), ANY_LANGUAGE)
@example("ά\u0345", "en")
def test_composed_and_decomposed_texts_give_the_same_terms(text: str, lang: str) -> None:
    if any("\u1100" <= c <= "\u11ff" or "\ua960" <= c <= "\ud7ff" for c in unicodedata.normalize("NFD", text)):
        return
    assert terms(unicodedata.normalize("NFC", text), lang) == terms(unicodedata.normalize("NFD", text), lang)


@given(st.text(max_size=40))
def test_every_letter_and_digit_is_in_some_term(text: str) -> None:
    covered = {n for t in analyse(text, "en") for n in range(t.start, t.end)}
    for n, char in enumerate(text):
        assert n in covered or not char.isalnum() or unicodedata.category(char) == "No"


@given(st.characters())
def test_a_character_is_han_or_of_a_word_or_neither(char: str) -> None:
    assert not (is_han(char) and is_word_char(char))


# --- short cuts -----------------------------------------------------------------------------------------------------


@given(ANY_TEXT | st.text(alphabet="ab1ñ殿'-. ,\n", max_size=12))
@example("players' 3.5 re-roll. 3.፩")
def test_a_word_taken_as_plain_is_what_looking_at_every_character_finds(text: str) -> None:
    norm = normalise(text, {})[0]
    cut = analysis._Cut(norm, range(len(norm)), range(1, len(norm) + 1))
    for start in range(len(norm)):
        plain = analysis._PLAIN.match(norm, start)
        if plain:
            end = analysis._end_of_compound(norm, start)
            assert list(cut._compound(start, end, 0)) == [(plain[1], start, plain.end(1), 0, "word")]
            assert not any(map(is_word_char, norm[end : plain.end()]))


@given(ANY_TEXT)
@example("Ｓí 棄")
@example("e\u0301")
def test_a_text_normalised_at_once_is_as_each_of_its_characters_is(text: str) -> None:
    clusters = (analysis._normal_cluster(text[start:end]) for start, end in analysis._clusters(text))
    assert normalise(text, TRADITIONAL)[0] == "".join(TRADITIONAL.get(char, char) for char in "".join(clusters))


def test_a_run_of_han_is_of_han_characters() -> None:
    run = analysis._han_run()
    assert [code for code in range(0x110000) if bool(run.match(chr(code))) != is_han.__wrapped__(chr(code))] == []


@given(
    st.lists(_PIECES | st.sampled_from(["level", "levels", "级", "二", "i", "iv", "two", "uno", "and"])).map(" ".join)
)
def test_a_text_without_the_word_that_makes_a_level_has_none(text: str) -> None:
    tokens = analyse(text, "en")
    words = {t.pos: t.term for t in tokens if t.kind in analysis.WRITTEN}
    assert not analysis.levels_among(words) or not analysis.LEVEL_SIGNS.isdisjoint(t.term for t in tokens)
