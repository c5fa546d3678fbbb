"""Query + Dictionary -> Plan: what each word of a question may mean, and what is said about it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleslawyer.index import Index
from ruleslawyer.model import Term
from ruleslawyer.plan import (
    MAX_UNITS,
    Plan,
    Unit,
    concept_term,
    explain,
    is_concept,
    make_plan,
    query_language,
    title_key,
)
from ruleslawyer.query import parse
from tiny import Line, ask, found, index_of

ROUTE = Term("route", "", {"en": ("trade route", "route", "line"), "es": ("ruta", "línea"), "zh": ("航线",)}, {})
DEEP = Term("deep-space", "", {"en": ("deep space",), "es": ("espacio profundo",), "zh": ("深空",)}, {})
SPACE = Term("space", "", {"en": ("space",), "es": ("casilla",), "zh": ("格子",)}, {})
LINES = (
    Line(
        id="routes",
        texts={
            "en": ("Routes", "A trade route crosses deep space. You may re-roll an achievement of Level II."),
            "es": ("Rutas", "Una ruta cruza el espacio profundo. El año del público acaba."),
            "zh": ("航线", "一条航线穿过深空。"),
        },
    ),
    Line("A ship moves to a space. What is ours is ours, and whose die is it?", id="ships"),
    Line("The tie is broken by the older player.", id="tie", game="lanterns"),
)
INDEX = index_of(
    *LINES,
    terms={"harbour": [ROUTE, DEEP, SPACE]},
    games={
        "harbour": {"en": "Safe Harbour", "es": "Puerto", "zh": "海港"},
        "lanterns": {"en": "Lanterns", "zh": "灯笼"},
    },
)


def plan(text: str, exact: bool = False) -> Plan:
    return make_plan(parse(text), INDEX.dictionary, exact)


def unit(text: str, word: str | None = None) -> Unit:
    """The unit of a word of a question, by default the only one."""
    units = [u for u in plan(text).units if word is None or u.text == word]
    assert len(units) == 1, [u.text for u in units]
    return units[0]


def terms(found: Unit, lang: str = "") -> set[str]:
    """All terms by which a unit is met."""
    return {term for a in found.alternatives if not lang or a.lang == lang for term, _ in a.terms}


def hows(found: Unit) -> set[str]:
    return {a.how for a in found.alternatives}


def notes(text: str, exact: bool = False) -> list[tuple[str, dict[str, str]]]:
    return [(note.key, dict(note.values)) for note in plan(text, exact).notes]


# --- units ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("the ship moves", ["the", "ship", "moves"]),
        ("航线", ["航", "航线", "线"]),
        ("re-roll", ["re", "roll"]),
        ("¿Quién?", ["quién"]),
        ("((", []),
        ("", []),
    ],
)
def test_no_word_of_a_question_is_dropped(text: str, units: list[str]) -> None:
    assert [u.text for u in plan(text).units] == units


@pytest.mark.parametrize("text", ["the ship moves", "  El  año, ¡público!", "一条航线 ship", "an\u0303o"])
def test_a_unit_says_where_it_stands_in_the_question(text: str) -> None:
    for u in plan(text).units:
        assert 0 <= u.start < u.end <= len(parse(text).words)
        assert title_key(parse(text).words[u.start : u.end]).replace(" ", "") == title_key(u.text).replace(" ", "")


def test_a_word_is_met_by_all_its_forms_the_exact_one_most() -> None:
    weights = dict(next(a for a in unit("moves").alternatives if a.how == "exact").terms)
    assert weights["moves"] == max(weights.values())
    assert terms(unit("ships", "ships")) >= {"ship"}


def test_a_word_without_accents_is_met_by_the_one_with() -> None:
    assert "año" in terms(unit("ano"))
    assert "público" in terms(unit("publico"))


@pytest.mark.parametrize("word", ["the", "a", "may", "is"])
def test_a_function_word_counts_less_and_is_still_searched(word: str) -> None:
    small, great = unit(f"{word} achievement", word), unit(f"{word} achievement", "achievement")
    assert 0 < small.importance < great.importance
    assert small.alternatives


def test_a_level_is_met_by_every_way_to_write_it() -> None:
    for text in ("level 2", "level II", "level two", "nivel 2"):
        assert any("level:2" in terms(u) for u in plan(text).units), text


BOTH = Line(id="both", texts={"en": ("Hens", "A total of hens."), "es": ("Gallinas", "Un total de gallinas.")})
ENGLISH, SPANISH = Line("No total.", id="english"), Line("El total cruza.", "es", id="spanish")


def alternatives(index: Index, text: str, word: str) -> set[tuple[str, bool]]:
    """The languages in which a word of an English question is searched, and whether only in entries without English."""
    (found,) = [u for u in make_plan(parse(text), index.dictionary).units if u.text == word]
    return {(a.lang, a.untranslated) for a in found.alternatives}


@pytest.mark.parametrize(
    ("lines", "word", "expected"),
    [
        ((BOTH, ENGLISH), "total", {("en", False)}),
        ((BOTH, SPANISH), "total", {("en", False), ("es", True)}),
        ((BOTH, ENGLISH), "gallinas", {("es", False)}),
        ((BOTH, SPANISH), "cruza", {("es", False)}),
        ((BOTH, SPANISH), "hens", {("en", False)}),
    ],
)
def test_a_word_is_searched_in_its_language_and_in_those_of_entries_without_it(
    lines: Sequence[Line], word: str, expected: set[tuple[str, bool]]
) -> None:
    assert alternatives(index_of(*lines), f"a of {word}", word) == expected


# --- corrections ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"),
    [("achivement", "achievement"), ("acheivment", "achievement"), ("plubico", "publico"), ("espaico", "espacio")],
)
def test_a_misspelt_word_is_corrected_and_that_is_said(typed: str, read: str) -> None:
    (key, values), *more = notes(typed)
    assert (key, title_key(values["read"]), values["typed"], more) == ("corrected", read, typed, [])
    assert hows(unit(typed)) == {"corrected"}
    assert not unit(typed).known


@pytest.mark.parametrize("typed", ["achivement", "plubico"])
def test_exact_corrects_nothing(typed: str) -> None:
    assert notes(typed, exact=True) == [("unknown", {"word": typed})]
    assert [u.alternatives for u in plan(typed, exact=True).units] == [()]


@pytest.mark.parametrize("typed", ["ixs", "sip", "dei", "spc"])
def test_a_word_of_fewer_than_four_letters_is_not_corrected(typed: str) -> None:
    assert notes(f"{typed} ship") == [("unknown", {"word": typed})]


def test_a_known_word_is_never_corrected() -> None:
    for text in ("ship", "SHIP", "tie", "die", "ano", "moves"):
        assert notes(text) == []
        assert "corrected" not in hows(unit(text))


@pytest.mark.parametrize("word", ["spaghetti", "xqzt", "12345", "кость"])
def test_a_word_that_nothing_is_near_is_said_to_be_unknown(word: str) -> None:
    assert notes(f"{word} ship") == [("unknown", {"word": word})]


def test_the_beginning_of_a_word_is_met() -> None:
    assert "achievement" in terms(unit("achieve"))
    assert "profundo" in terms(unit("profun"))


def test_exact_finds_nothing_for_a_misspelt_word() -> None:
    corrected, exact = ask(INDEX, "achivement"), ask(INDEX, "achivement", exact=True)
    assert [hit.record.name for hit in corrected.hits or corrected.nearest] == ["harbour/routes"]
    assert (exact.hits, exact.nearest) == ((), ())


# --- hyphens --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["reroll", "re roll", "re-roll", "RE‐ROLL"])
def test_reroll_is_met_however_it_is_typed(query: str) -> None:
    assert any("reroll" in terms(u) for u in plan(query).units)
    assert notes(query) == []


def test_a_word_in_one_is_met_by_its_halves() -> None:
    index = index_of("The tie break decides.", "A hen.")
    assert found(index, "tiebreak") == ["The tie break decides."]


# --- concepts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word", "concept"),
    [
        ("route", "route", "route"),
        ("routes", "routes", "route"),
        ("ruta", "ruta", "route"),
        ("航线", "航线", "route"),
        ("deep space", "space", "deep-space"),
        ("deep space", "deep", "deep-space"),
        ("espacio profundo", "profundo", "deep-space"),
        ("深空", "深空", "deep-space"),
        ("a ship in deep space moves", "deep", "deep-space"),
        ("space", "space", "space"),
    ],
)
def test_a_glossary_form_names_its_concept(text: str, word: str, concept: str) -> None:
    assert concept_term(f"harbour/{concept}") in terms(unit(text, word))


@pytest.mark.parametrize(
    ("text", "word", "concept"),
    [("deep ship", "deep", "deep-space"), ("deep space", "space", "space"), ("ship", "ship", "route")],
)
def test_what_is_no_form_names_no_concept(text: str, word: str, concept: str) -> None:
    assert concept_term(f"harbour/{concept}") not in terms(unit(text, word))


def test_a_synonym_weighs_less_than_the_word_itself() -> None:
    alternatives = unit("route").alternatives
    exact = max(a.weight for a in alternatives if a.how == "exact")
    assert all(a.weight < exact for a in alternatives if a.how == "concept")


def test_the_exact_word_comes_before_its_synonym() -> None:
    synonym, exact = "The ferry waits there.", "The barge waits there."
    barge = Term("barge", "", {"en": ("barge", "ferry")}, {})
    index = index_of(synonym, exact, "A hen.", terms={"harbour": [barge]})
    assert found(index, "barge") == [exact, synonym]
    assert found(index, "ferry") == [synonym, exact]


@pytest.mark.parametrize("query", ["logro", "logros", "成就", "achievement"])
def test_a_word_of_one_language_finds_an_entry_written_in_another(query: str) -> None:
    term = Term("achievement", "", {"en": ("achievement",), "es": ("logro",), "zh": ("成就",)}, {})
    terms = {"harbour": [term]}
    spoken = [Line("El zorro logra un logro, dos logros.", "es"), Line("狐狸的成就。", "zh")]
    index = index_of("Claim an achievement at once.", *spoken, "A hen.", terms=terms)
    assert "Claim an achievement at once." in found(index, query)


def test_terms_of_concepts_are_none_a_text_can_have() -> None:
    assert is_concept(concept_term("harbour/route"))
    assert not is_concept("harbour")


# --- games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("safe harbour ship", "harbour", ["ship"]),
        ("ship in Safe Harbour", "harbour", ["ship", "in"]),
        ("灯笼 平手", "lanterns", ["平", "平手", "手"]),
        ("海港航线", "harbour", ["航", "航线", "线"]),
        ("LANTERNS tie", "lanterns", ["tie"]),
        ("puerto: nave", "harbour", ["nave"]),
    ],
)
def test_a_game_named_in_the_question_narrows_to_it_and_that_is_said(text: str, game: str, words: list[str]) -> None:
    read = plan(text)
    assert read.filters == {"game": game}
    assert [u.text for u in read.units] == words
    assert ("narrowed", {"game": game}) in notes(text)


@pytest.mark.parametrize("text", ["lanterns", "Safe Harbour?", "灯笼", "safe ship", "ship"])
def test_a_game_s_name_alone_or_in_part_is_words(text: str) -> None:
    assert plan(text).filters == {}
    assert plan(text).units


def test_a_name_that_two_games_share_narrows_to_neither() -> None:
    index = index_of(
        Line("A fox.", game="red-twin"),
        Line("A fox too.", game="blue-twin"),
        games={"red-twin": {"en": "Twin"}, "blue-twin": {"en": "Twin"}},
    )
    assert make_plan(parse("twin fox"), index.dictionary).filters == {}
    assert make_plan(parse("red twin fox"), index.dictionary).filters == {"game": "red-twin"}


def test_a_game_that_is_given_is_not_narrowed_further() -> None:
    read = plan("lanterns tie game:harbour")
    assert read.filters == {"game": "harbour"}
    assert [u.text for u in read.units] == ["lanterns", "tie"]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [("tie game:chess", "game", "chess"), ("tie kind:song", "kind", "song"), ("tie lang:tlh", "lang", "tlh")],
)
def test_a_filter_that_names_nothing_is_searched_as_text_and_that_is_said(text: str, name: str, value: str) -> None:
    read = plan(f"the {text}")
    assert read.filters == {}
    assert ("unknown_filter", {"name": name, "value": value}) in notes(f"the {text}")
    assert value in [u.text for u in read.units]


# --- phrases and exclusions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lang", "places"),
    [
        ('"deep space"', "en", [("deep",), ("space",)]),
        ('"el ano"', "es", [("el",), ("año",)]),
        ("“深空”", "zh", [("深",), ("空",)]),
        ('"re-roll"', "en", [("re",), ("roll",)]),
    ],
)
def test_a_phrase_is_a_row_of_places_in_each_language_that_has_its_words(
    text: str, lang: str, places: list[tuple[str, ...]]
) -> None:
    (readings,) = plan(text).phrases
    assert [(r.lang, list(r.places)) for r in readings] == [(lang, places)]
    assert not plan(text).empty


def test_the_words_of_a_phrase_are_searched_as_words_too() -> None:
    assert [u.text for u in plan('ship "deep space"').units] == ["ship", "deep", "space"]
    assert plan('"deep space" ship').units == plan("deep space ship").units


def test_a_phrase_with_an_unknown_word_has_no_reading() -> None:
    assert plan('"deep spaghetti"').phrases == ((),)


def test_what_is_left_out_is_read_like_a_phrase() -> None:
    (readings,) = plan('ship -"deep space"').excluded
    assert [r.lang for r in readings] == ["en"]
    assert [u.text for u in plan('ship -"deep space"').units] == ["ship"]


@pytest.mark.parametrize(
    ("text", "empty"), [("", True), ("((", True), ("-ship", True), ("ship", False), ('"ship"', False)]
)
def test_an_empty_question(text: str, empty: bool) -> None:
    assert plan(text).empty == empty


# --- shape and language ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("can I move", True),
        ("What moves", True),
        ("ship moves?", True),
        ("ship moves？", True),
        ("¿se mueve el año", True),
        ("quién cruza el espacio", True),
        ("quien cruza el espacio", True),
        ("航线可以穿过吗", True),
        ("什么航线", True),
        ("ship moves", False),
        ("a ship can move", False),
        ("ruta del año", False),
        ("航线", False),
        ("", False),
    ],
)
def test_the_shape_of_a_question(text: str, question: bool) -> None:
    assert plan(text).question == question


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("the ship moves", "en"),
        ("ship", "en"),
        ("una ruta cruza", "es"),
        ("el ano", "es"),
        ("¿público?", "es"),
        ("航线", "zh"),
        ("ship 航线", "zh"),
        ("棄牌", "zh"),
        ("the ship cruza", "en"),
        ("spaghetti", None),
        ("12345", None),
        ("", None),
        ("((", None),
    ],
)
def test_the_language_of_a_question(text: str, lang: str | None) -> None:
    assert query_language(text, INDEX.dictionary) == lang


def test_the_language_of_a_phrase_alone() -> None:
    assert plan('"una ruta"').lang == "es"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("¿Quién gana?", "quien gana"),
        ("Re-roll the DIE!", "re roll the die"),
        ("平手：怎么办", "平 手 怎 么 办"),
        ("player's", "players"),
        ("", ""),
    ],
)
def test_a_text_as_titles_are_compared(text: str, key: str) -> None:
    assert title_key(text) == key


# --- bounds ---------------------------------------------------------------------------------------------------------


def test_a_long_question_keeps_its_beginning_and_says_so() -> None:
    read = plan(" ".join(f"ship{n}" for n in range(300)))
    assert len(read.units) == MAX_UNITS
    assert "cut" in [note.key for note in read.notes]
    assert read.units[0].text == "ship0"


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_every_text_has_a_plan_that_can_be_explained(text: str) -> None:
    read = make_plan(parse(text.replace("-", " ")), INDEX.dictionary)
    assert len(read.units) <= 2 * MAX_UNITS
    assert all(0 < a.weight <= 1 and 0 < w <= 1 for u in read.units for a in u.alternatives for _, w in a.terms)
    assert len(explain(read)) == len(read.units)


def test_what_was_asked_is_explained_unit_by_unit(bundled: Index) -> None:
    rows = explain(make_plan(parse("achivement twice"), bundled.dictionary))
    assert [row["text"] for row in rows] == ["achivement", "twice"]
    assert rows[0]["known"] is False
    assert rows[0]["alternatives"][0]["how"] == "corrected"
    assert "achievement" in rows[0]["alternatives"][0]["terms"]
