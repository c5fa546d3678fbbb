"""Fitting text to a terminal."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleslawyer.terminal import break_lines, char_width, clip, styled, width, without_escapes

FAMILY = "👩‍👩‍👧"  # three emoji and the joiners between them


def lines(text: str, cells: int | None) -> list[str]:
    """A text, broken."""
    return [text[a:b] for a, b in break_lines(text, cells)]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("tie", 3),
        ("平手", 4),
        ("Ｌｖ２", 6),
        ("，。", 4),
        ("cafe\u0301", 4),
        ("café", 4),
        ("한글", 4),
        ("🚀", 2),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("a\u200bb", 2),
        ("\t", 0),
        ("“–…", 3),
    ],
)
def test_width(text: str, cells: int) -> None:
    assert width(text) == cells


@pytest.mark.parametrize(
    ("text", "cells", "broken"),
    [
        ("", 10, [""]),
        ("a tie", 10, ["a tie"]),
        ("a tie is broken", 8, ["a tie is", "broken"]),
        ("a tie is broken", 7, ["a tie", "is", "broken"]),
        ("one  two", 4, ["one", "two"]),
        ("trailing   ", 8, ["trailing"]),
        ("well-known", 20, ["well-known"]),
        # Han: anywhere, but no closing mark first and no opening mark last
        ("再掷一次骰子。", 14, ["再掷一次骰子。"]),
        ("再掷一次骰子。", 12, ["再掷一次骰", "子。"]),
        ("再掷一次骰子。", 13, ["再掷一次骰", "子。"]),
        ("他说（可以）。", 6, ["他说", "（可", "以）。"]),
        ("取「矿石」，", 4, ["取", "「矿", "石」", "，"]),
        ("放2个 ore 矿石", 8, ["放2个", "ore 矿石"]),
        ("放2个ore矿石", 8, ["放2个ore", "矿石"]),
        ("支付3枚硬币", 4, ["支付", "3枚", "硬币"]),
        # a word wider than the line
        ("antidisestablishment", 8, ["antidise", "stablish", "ment"]),
        ("an antidisestablishment", 8, ["an", "antidise", "stablish", "ment"]),
        ("beyond-the-sun/tie", 10, ["beyond-the", "-sun/tie"]),
        # what is one sign stays together
        ("cafe\u0301cafe\u0301", 4, ["cafe\u0301", "cafe\u0301"]),
        ("再👍🏽再", 4, ["再👍🏽"[:1], "👍🏽", "再"]),
        ("🚀🚀🚀", 4, ["🚀🚀", "🚀"]),
        (f"{FAMILY}{FAMILY}", 6, [FAMILY, FAMILY]),
        ("❤\ufe0f❤\ufe0f", 3, ["❤\ufe0f", "❤\ufe0f"]),
        # the text's own lines
        ("one\ntwo three", 5, ["one", "two", "three"]),
        ("one\n\ntwo", 5, ["one", "", "two"]),
    ],
)
def test_lines(text: str, cells: int, broken: list[str]) -> None:
    assert lines(text, cells) == broken


def test_without_a_width_only_the_texts_own_lines_break() -> None:
    assert lines("as long as it is\nnext", None) == ["as long as it is", "next"]


def test_a_sign_wider_than_the_line_is_divided_rather_than_lost() -> None:
    assert "".join(lines(FAMILY, 2)) == FAMILY
    assert all(width(line) <= 2 for line in lines(FAMILY, 2))


PIECES = st.sampled_from(
    ["tie", "a", "-", "。", "，", "（", "）", "「", "」", "平", "手", "🚀", FAMILY, "e\u0301", " ", "  ", "x" * 30]
)
TEXTS = st.lists(PIECES | st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=4), max_size=40).map("".join)


@given(TEXTS, st.integers(2, 60))
def test_no_line_is_too_wide_and_nothing_but_spaces_is_lost(text: str, cells: int) -> None:
    places = break_lines(text, cells)
    assert all(width(text[a:b]) <= cells for a, b in places)
    between = [text[end:start] for (_, end), (start, _) in pairwise(places)]
    assert "".join(between).strip() == ""
    assert text[: places[0][0]] == ""
    assert text[places[-1][1] :].strip() == ""


@given(TEXTS, st.integers(20, 60))
def test_no_line_begins_with_closing_or_ends_with_opening_punctuation_or_a_space(text: str, cells: int) -> None:
    """Unless there is so much of it in a row that it fills a line."""
    broken = lines(text, cells)
    full = [width(line) > cells - 8 for line in broken]
    for before, after, divided in zip(broken, broken[1:], full, strict=False):
        assert divided or after[:1] not in ("。", "，", "）", "」"), (before, after)
        assert divided or before[-1:] not in ("（", "「"), (before, after)
        assert not after.startswith(" ")


@pytest.mark.parametrize(
    ("text", "cells", "clipped"),
    [
        ("tie", 3, "tie"),
        ("ties", 3, "..."),
        ("a tie is broken", 10, "a tie i..."),
        ("a tie is broken", 9, "a tie..."),
        ("平手怎么办", 10, "平手怎么办"),
        ("平手怎么办", 9, "平手怎..."),
        ("平手怎么办", 8, "平手..."),
        ("", 0, ""),
    ],
)
def test_clip(text: str, cells: int, clipped: str) -> None:
    assert clip(text, cells) == clipped


def test_clip_takes_no_longer_for_a_long_text() -> None:
    assert clip("a" * 1_000_000, 10) == "aaaaaaa..."


@pytest.mark.parametrize(
    ("marks", "seen"),
    [
        ([], "a tie"),
        ([(2, 5, "hit")], "a \x1b[1;33mtie\x1b[0m"),
        ([(0, 5, "dim")], "\x1b[2ma tie\x1b[0m"),
        ([(0, 1, "bold"), (2, 5, "hit")], "\x1b[1ma\x1b[0m \x1b[1;33mtie\x1b[0m"),
        ([(2, 5, "hit"), (0, 5, "bold")], "\x1b[1ma \x1b[0m\x1b[1;33mtie\x1b[0m"),
        ([(0, 5, "bold"), (2, 5, "hit")], "\x1b[1ma \x1b[0m\x1b[1;33mtie\x1b[0m"),
        ([(4, 99, "hit")], "a ti\x1b[1;33me\x1b[0m"),
        ([(7, 9, "hit")], "a tie"),
    ],
)
def test_styles(marks: list[tuple[int, int, str]], seen: str) -> None:
    assert styled("a tie", 0, 5, marks) == seen


def test_a_mark_goes_on_in_the_next_line() -> None:
    assert [styled("a tie", a, b, [(0, 5, "hit")]) for a, b in ((0, 1), (2, 5))] == [
        "\x1b[1;33ma\x1b[0m",
        "\x1b[1;33mtie\x1b[0m",
    ]


@pytest.mark.parametrize(
    "char", ["\x00", "\x07", "\x08", "\r", "\x1b", "\x7f", "\x9b", "\u202e", "\u2066", "\u2028", "\ud800"]
)
def test_what_a_terminal_would_obey_is_shown_as_a_mark(char: str) -> None:
    assert without_escapes(f"a{char}b") == "a\ufffdb"


def test_what_a_terminal_shows_stays() -> None:
    text = "año 平手 “tie”\nFAQ – 3 ½ ❤\ufe0f " + FAMILY
    assert without_escapes(text) == text
    assert without_escapes("a\tb") == "a b"


@given(st.text(st.characters(exclude_categories=())))
def test_escaping_keeps_places(text: str) -> None:
    assert len(without_escapes(text)) == len(text)
    assert "\x1b" not in without_escapes(text)


def test_a_character_is_as_wide_as_it_is() -> None:
    assert [char_width(c) for c in "a平\u0301\u200d\x1b"] == [1, 2, 0, 0, 0]
