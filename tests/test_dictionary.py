"""Unknown words and their nearest known ones; rows of words that mean something."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleslawyer.dictionary import Dictionary, Forms, Vocabulary, damerau
from ruleslawyer.index import Index
from ruleslawyer.stems import stemmer


def vocabulary(words: str, lang: str = "en", **often: int) -> Vocabulary:
    """Of these words, each in one entry, but for those that occur more ``often``."""
    groups: dict[str, dict[str, int]] = {}
    for word in words.split():
        groups.setdefault(stemmer(lang)(word), {})[word] = often.get(word, 1)
    return Vocabulary.of(lang, groups)


SHIPS = vocabulary(
    "ship ships move moves moved moving score scores scored scoring planet achievement to re-roll 3.1 2人 level:2"
)
SPANISH = vocabulary(
    "año ano años acción acciones naves nave mover movido moviendo jugar jugado jugando público publica", "es"
)


# --- known words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "forms"), [("ships", {"ship", "ships"}), ("planet", {"planet"}), ("3.1", {"3.1"})])
def test_all_forms_of_a_known_word(word: str, forms: set[str]) -> None:
    stem = SHIPS.stem_of(word)
    assert stem is not None
    assert SHIPS.forms_of(stem).keys() == forms


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("año", {"año", "ano"}),
        ("ano", {"año", "ano"}),
        ("accion", {"acción"}),
        ("acciones", {"acciones"}),
        ("zzz", set()),
    ],
)
def test_forms_that_differ_in_accents_only(word: str, forms: set[str]) -> None:
    assert SPANISH.same_fold(word).keys() == forms


@pytest.mark.parametrize("word", ["accion", "acción", "ACCIÓN".lower(), "publico", "ano"])
def test_a_word_is_known_accents_apart(word: str) -> None:
    assert SPANISH.knows(word)


@pytest.mark.parametrize("word", ["shipp", "sh", "", "moveable", "zzz", "神"])
def test_an_unknown_word(word: str) -> None:
    assert not SHIPS.knows(word)
    assert SHIPS.stem_of(word) is None
    assert SHIPS.same_fold(word) == {}


# --- inflections ----------------------------------------------------------------------------------------------------

ENGLISH = vocabulary(
    "move moves moved moving score scores scored scoring trade research retreat planet colony colonies"
)


@pytest.mark.parametrize(
    ("word", "known"),
    [("trades", "trade"), ("traded", "trade"), ("trading", "trade"), ("planets", "planet"), ("planet", "planet")],
)
def test_an_unseen_form_of_a_known_stem_is_met_by_endings_that_occur(word: str, known: str) -> None:
    words = vocabulary("move moves moved moving score scores scored scoring trade planet ships ship cards card")
    assert words.inflection_of(word) == words.stem_of(known)


@pytest.mark.parametrize("word", ["tradesman", "planetarium", "mov", "mo", "", "x", "scorekeeper"])
def test_an_ending_that_does_not_occur_makes_no_form(word: str) -> None:
    assert ENGLISH.inflection_of(word) is None


def test_spanish_endings() -> None:
    words = vocabulary("robar robado robando pagar pagado pagando ganar", "es")
    assert words.inflection_of("ganado") == words.stem_of("ganar")
    assert words.inflection_of("ganando") == words.stem_of("ganar")
    assert words.inflection_of("ganapán") is None


@given(st.text(max_size=20))
def test_an_inflection_is_a_stem_that_occurs(word: str) -> None:
    stem = ENGLISH.inflection_of(word)
    assert stem is None or ENGLISH.forms_of(stem)


# --- openings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        ("achiev", ["achievement"]),
        ("plan", ["planet", "plank"]),
        ("plane", ["planet"]),
        ("pla", []),
        ("", []),
        ("zzzz", []),
    ],
)
def test_the_opening_of_a_word(opening: str, words: list[str]) -> None:
    found = vocabulary("achievement plank planet place", planet=3)
    assert found.opening_of(opening) == [found.stem_of(word) for word in words]


# --- nearest --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("achivement", (1, "achievement")),
        ("acheivement", (1, "achievement")),
        ("achievment", (1, "achievement")),
        ("acheivment", (2, "achievement")),
        ("achivmnt", None),
        ("planett", (1, "planet")),
        ("plaent", (1, "planet")),
        ("shpi", (1, "ship")),
        ("shxx", None),
        ("xhip", None),
        ("ahip", None),
        ("blanet", None),
        ("shipyard", None),
        ("", None),
        ("x", None),
        ("3.2", None),
        ("pl4net", None),
    ],
)
def test_the_nearest_word_keeps_the_first_letter_and_the_bound(word: str, expected: tuple[int, str] | None) -> None:
    assert SHIPS.nearest(word) == expected


def test_a_word_without_accents_is_near_one_with() -> None:
    assert SPANISH.nearest("acccion") == (1, "accion")


def test_among_equally_near_words_the_commoner_wins() -> None:
    assert vocabulary("carts cards", carts=2, cards=5).nearest("carxs") == (1, "cards")
    assert vocabulary("carts cards", carts=5, cards=2).nearest("carxs") == (1, "carts")


def test_among_equally_near_and_common_words_the_alphabet_decides() -> None:
    assert vocabulary("carts cards").nearest("carxs") == (1, "cards")


def test_the_nearer_word_wins_over_the_commoner() -> None:
    assert vocabulary("retreat repeats", repeats=99).nearest("retreax") == (1, "retreat")


def test_no_number_and_no_han_is_anyone_s_nearest_word() -> None:
    assert vocabulary("3rdx 2人 level:2 re-roll 神殿").nearest("level") is None


@given(st.text("abc", min_size=0, max_size=9), st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=8))
def test_nearest_is_what_trying_every_word_finds(word: str, known: list[str]) -> None:
    words = Vocabulary.of("zh", {k: {k: 1} for k in known})
    bound = 1 if len(word) <= 5 else 2
    all_near = [(reference(word, k), k) for k in known if k[:1] == word[:1] and reference(word, k) <= bound]
    found = words.nearest(word)
    assert found is None or found == min(all_near)
    assert found is not None or not all_near or len(word) < 4


# --- edit distance --------------------------------------------------------------------------------------------------


def reference(a: str, b: str) -> int:
    """Optimal string alignment by its definition, trying every first step."""

    @cache
    def distance(i: int, j: int) -> int:
        if i == len(a) or j == len(b):
            return len(a) - i + len(b) - j
        steps = [distance(i + 1, j) + 1, distance(i, j + 1) + 1, distance(i + 1, j + 1) + (a[i] != b[j])]
        if a[i : i + 2] == b[j : j + 2][::-1] and len(a[i : i + 2]) == 2:
            steps.append(distance(i + 2, j + 2) + 1)
        return min(steps)

    return distance(0, 0)


@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8), st.integers(0, 4))
def test_damerau_against_its_definition(a: str, b: str, bound: int) -> None:
    expected = reference(a, b)
    assert damerau(a, b, bound) == (expected if expected <= bound else None)


@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8))
def test_damerau_is_the_same_both_ways(a: str, b: str) -> None:
    assert damerau(a, b, 8) == damerau(b, a, 8)


@pytest.mark.parametrize(
    ("a", "b", "bound", "expected"),
    [
        ("", "", 0, 0),
        ("a", "", 1, 1),
        ("", "ab", 1, None),
        ("teh", "the", 1, 1),
        ("abcd", "badc", 2, 2),
        ("ca", "abc", 3, 3),
        ("same", "same", 0, 0),
        ("same", "some", 0, None),
    ],
)
def test_damerau_examples(a: str, b: str, bound: int, expected: int | None) -> None:
    assert damerau(a, b, bound) == expected


# --- rows of words --------------------------------------------------------------------------------------------------

FORMS = Forms({"deep space": 1, "space": 2, "deep space nine": 3, "平 手": 4, "a b": 5, "b a": 6})


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("the deep space", ["1-3 deep space"]),
        ("deep space nine deep space", ["0-3 deep space nine", "3-5 deep space"]),
        ("space deep", ["0-1 space"]),
        ("space space", ["0-1 space", "1-2 space"]),
        ("deep - space", ["2-3 space"]),
        ("a b a", ["0-2 a b"]),
        ("b a b", ["0-2 b a"]),
        ("a a b", ["1-3 a b"]),
        ("平 手 平", ["0-2 平 手"]),
        ("deep", []),
        ("- - -", []),
        ("", []),
    ],
)
def test_the_longest_form_wins_and_none_overlap(keys: str, expected: Iterable[str]) -> None:
    row = [None if key == "-" else key for key in keys.split()]
    assert [f"{start}-{end} {form}" for start, end, form in FORMS.found_in(row)] == expected


@given(st.lists(st.sampled_from(["deep", "space", "nine", "a", "b", None]), max_size=12))
def test_a_form_is_found_where_it_stands(keys: list[str | None]) -> None:
    after = 0
    for start, end, form in FORMS.found_in(keys):
        assert after <= start < end
        assert keys[start:end] == form.split(" ")
        after = end


# --- as data --------------------------------------------------------------------------------------------------------


def test_a_dictionary_written_and_read_back_is_the_same(bundled: Index) -> None:
    data = bundled.dictionary.to_parts()
    again = Dictionary.from_parts(json.loads(json.dumps(data)).__getitem__)
    assert again.to_parts() == data
    for lang, words in bundled.dictionary.vocabularies.items():
        for word in ("achivement", "empatr", "平手", "tie", "ties", "colonizado"):
            other = again.vocabularies[lang]
            assert (other.stem_of(word), other.nearest(word)) == (words.stem_of(word), words.nearest(word))


def test_every_form_of_the_bundled_corpus_has_its_stem(bundled: Index) -> None:
    for lang, words in bundled.dictionary.vocabularies.items():
        stem = stemmer(lang)
        for form in words.single:
            assert words.stem_of(form) == form == stem(form)
        for group, forms in words.groups.items():
            for form in forms:
                assert words.stem_of(form) == group == stem(form), (lang, form)
