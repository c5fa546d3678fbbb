"""String -> Query: a table per rule of the query language, and what holds for every string."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruleslawyer.query import FILTERS, MAX_CHARS, MAX_PHRASES, Query, parse


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tie breaker", "tie breaker"),
        ("  tie \t breaker\n", "tie breaker"),
        ("¿Quién gana?", "¿Quién gana?"),
        ("两人局 几个成就结束", "两人局 几个成就结束"),
        ("a AND NOT b OR *", "a AND NOT b OR *"),
        ("((", "(("),
        ("3-4 re-roll two-player", "3-4 re-roll two-player"),
        ("colour: red", "colour: red"),
        ("title:move ratio 2:1", "title:move ratio 2:1"),
        ("\0tie\x1b[31m\ud800", "tie [31m"),
        ("tie\u2028breaker", "tie breaker"),
        ("", ""),
        ("\0", ""),
    ],
)
def test_what_is_no_sign_of_the_query_language_is_words(text: str, words: str) -> None:
    query = parse(text)
    assert query.words == words
    assert (query.phrases, query.excluded, query.filters, query.cut) == ((), (), {}, False)


@pytest.mark.parametrize(
    ("text", "phrases", "words"),
    [
        ('"may not move"', ("may not move",), "may not move"),
        ('fox "may not" moves "at all"', ("may not", "at all"), "fox may not moves at all"),
        ('rules "ties for control" qwertyx', ("ties for control",), "rules ties for control qwertyx"),
        ("“may not”", ("may not",), "may not"),
        ("„may not“", ("may not",), "may not"),
        ("«no puede»", ("no puede",), "no puede"),
        ("「不能」", ("不能",), "不能"),
        ("『不能』", ("不能",), "不能"),
        ("平手“不能移动”怎么办", ("不能移动",), "平手 不能移动 怎么办"),
        ('"a"b', ("a",), "a b"),
        ('"unclosed fox', (), '"unclosed fox'),
        ("“unclosed fox", (), "“unclosed fox"),
        ('fox"', (), 'fox"'),
        ('""', (), '""'),
        ('"?" fox', (), '"?" fox'),
        ('12" ruler', (), '12" ruler'),
    ],
)
def test_quoted_words_are_a_phrase_and_words(text: str, phrases: tuple[str, ...], words: str) -> None:
    query = parse(text)
    assert (query.phrases, query.words) == (phrases, words)
    assert query.excluded == ()


@pytest.mark.parametrize(
    ("text", "excluded", "words"),
    [
        ("fox -hen", ("hen",), "fox"),
        ("-hen fox", ("hen",), "fox"),
        ("fox -hen -egg", ("hen", "egg"), "fox"),
        ("fox -muñeca", ("muñeca",), "fox"),
        ("狐狸 -母鸡", ("母鸡",), "狐狸"),
        ('fox -"red hen"', ("red hen",), "fox"),
        ("fox -“red hen”", ("red hen",), "fox"),
        ("fox -re-roll", ("re-roll",), "fox"),
        ("fox - hen", (), "fox - hen"),
        ("fox -", (), "fox -"),
        ("fox -- hen", (), "fox -- hen"),
        ("fox --hen", (), "fox --hen"),
        ("re-roll", (), "re-roll"),
        ("3-4", (), "3-4"),
        ("lose -1 point", (), "lose -1 point"),
        ("-3", (), "-3"),
        ('-""', (), '-""'),
        ('fox -"hen', (), 'fox -"hen'),
    ],
)
def test_a_minus_before_a_word_or_phrase_leaves_it_out(text: str, excluded: tuple[str, ...], words: str) -> None:
    query = parse(text)
    assert (query.excluded, query.words, query.phrases) == (excluded, words, ())


@pytest.mark.parametrize(
    ("text", "filters", "words"),
    [
        ("tie game:harbour", {"game": "harbour"}, "tie"),
        ("game:harbour tie kind:faq", {"game": "harbour", "kind": "faq"}, "tie"),
        ("lang:es tie", {"lang": "es"}, "tie"),
        ("id:harbour/docks", {"id": "harbour/docks"}, ""),
        ("GAME:Harbour Kind:FAQ", {"game": "harbour", "kind": "faq"}, ""),
        ("ｇａｍｅ：harbour 平手", {"game": "harbour"}, "平手"),
        ("game：harbour", {"game": "harbour"}, ""),
        ("game:a game:b", {"game": "b"}, ""),
        ("game: harbour", {}, "game: harbour"),
        ("game:", {}, "game:"),
        (":harbour", {}, ":harbour"),
        ("players:2", {}, "players:2"),
        ("https://x", {}, "https://x"),
        ('"game:harbour"', {}, "game:harbour"),
        ('game:"beyond the sun" tie', {"game": "beyond the sun"}, "tie"),
        ('tie game:"Beyond the Sun"', {"game": "beyond the sun"}, "tie"),
        ("game：“超新星”", {"game": "超新星"}, ""),
        ('game:"harbour', {}, 'game:"harbour'),
        ('game:""', {}, 'game:""'),
        ('lang:"es" kind:“faq” tie', {"lang": "es", "kind": "faq"}, "tie"),
        ("kınd:faq", {}, "kınd:faq"),
        ("ıd:x", {}, "ıd:x"),
    ],
)
def test_filters(text: str, filters: dict[str, str], words: str) -> None:
    query = parse(text)
    assert (query.filters, query.words) == (filters, words)


@pytest.mark.parametrize(
    "text",
    [
        ("game:'safe harbour'"),
        'game:"safe harbour"',
        "game:“safe harbour”",
        "game:«safe harbour»",
        "game:「safe harbour」",
        ("game:『safe harbour』"),
        ("game:„safe harbour“"),
    ],
)
def test_a_filters_value_may_be_quoted(text: str) -> None:
    query = parse(text)
    assert (query.filters, query.words, query.phrases) == ({"game": "safe harbour"}, "", ())


def test_a_long_question_is_cut_and_says_so() -> None:
    query = parse("tie " * 5_000)
    assert query.cut
    assert len(query.words) <= MAX_CHARS
    assert query.words.startswith("tie tie")
    assert not parse("x" * MAX_CHARS).cut
    assert parse("x" * MAX_CHARS + "y").cut


def test_what_was_asked_is_kept_as_it_was_asked() -> None:
    assert parse(' fox -hen "red egg"\tkind:faq ').text == 'fox -hen "red egg" kind:faq'


@pytest.mark.parametrize("text", ["-«»", "fox -「」", "-“?”", "-„“ fox"])
def test_a_minus_before_empty_quotes_is_no_error(text: str) -> None:
    assert parse(text).excluded == ()


_SIGNS = st.lists(st.sampled_from([*'"“”«»「」-: ', "game:", "kind:", "fox", "殿", "\0"]), max_size=30).map("".join)


@given(st.text(st.characters(exclude_categories=()), max_size=60) | _SIGNS)
@example('-"-""-')
@example("game:-«»")
def test_every_string_is_a_question_and_loses_no_letter(text: str) -> None:
    query = parse(text)
    assert isinstance(query, Query)
    assert query == parse(text)
    assert set(query.filters) <= set(FILTERS)
    assert not any(c in "\0\n\r\t" for c in query.text)
    assert all(any(c.isalnum() for c in phrase) for phrase in query.phrases)
    assert all(phrase in query.words for phrase in query.phrases)
    if not query.filters:
        kept = "".join((query.words, *query.excluded))
        assert sorted(c for c in kept if c.isalnum()) == sorted(c for c in query.text if c.isalnum())


def test_the_same_phrase_again_is_one_and_there_is_a_limit() -> None:
    assert parse('"a a" ' * 300).phrases == ("a a",)
    assert len(parse(" ".join(f'-"x {n}"' for n in range(100))).excluded) == MAX_PHRASES
