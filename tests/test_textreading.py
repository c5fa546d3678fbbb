"""Plain text becomes headings, paragraphs and lists, whatever habits its writer had."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleslawyer.manuscript import Piece
from ruleslawyer.questions import plain
from ruleslawyer.textreading import read_text_file


def outline(text: str) -> list[str]:
    """The pieces of a text, a line each: headings with ``#``, items with their indent and marker."""
    return [_shown(piece) for piece in read_text_file(text).pieces]


def _shown(piece: Piece) -> str:
    text = plain(piece.text)
    if piece.kind == "heading":
        return f"{'#' * piece.level} {text}"
    if piece.kind == "item":
        return f"{'  ' * (piece.level - 1)}{piece.marker or ' '} {text}"
    return text


# --- headings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Moving boats\n\nEach turn, move 1 boat.\n", ["# Moving boats", "Each turn, move 1 boat."]),
        (
            "END OF GAME\nThe fog lifts. Count your lanterns.\n",
            ["# END OF GAME", "The fog lifts. Count your lanterns."],
        ),
        ("Boats\n=====\nMove 1 boat.\n\nFog\n---\nIt hides.\n", ["# Boats", "Move 1 boat.", "## Fog", "It hides."]),
        ("3 Turn\n\nGo on.\n\n3.1 Moving\n\nMove 1 boat.\n", ["# 3 Turn", "Go on.", "## 3.1 Moving", "Move 1 boat."]),
        ("Setup:\n- 1 board\n- 4 boats\n", ["# Setup:", "- 1 board", "- 4 boats"]),
        (
            "Fin de la partida\n\nGana quien tenga más faroles.\n",
            ["# Fin de la partida", "Gana quien tenga más faroles."],
        ),
        ("游戏结束\n\n灯笼最多的玩家获胜。\n", ["# 游戏结束", "灯笼最多的玩家获胜。"]),
        ("【准备】\n1.把版图放在桌子中间。\n", ["# 准备", "1. 把版图放在桌子中间。"]),
        ("一、准备\n\n把版图放在桌子中间。\n", ["# 1. 准备", "把版图放在桌子中间。"]),
    ],
)
def test_a_heading_is_known_by_its_look(text: str, expected: list[str]) -> None:
    assert outline(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Move 1 boat.\n\nThen draw 2 cards.\n",  # ends as a sentence
        "Read on\n",  # nothing below it
        "The boats are:\n\nred\n\nblue\n\ngreen and yellow, which only 4 players use.\n",  # begins small
        "May I pass?\n\nNo, you must move.\n",  # a question is for the FAQ
        "Pay 1 coin. Take a boat\n\nIt is yours now, until the fog takes it.\n",  # two sentences
    ],
)
def test_a_sentence_or_a_last_line_is_no_heading(text: str) -> None:
    assert not any(line.startswith("#") for line in outline(text))


def test_the_list_of_contents_gives_the_levels() -> None:
    text = """\
Fog Harbour

Contents

- Setup
- The islands
  - Gull Rock
  - Seal Bank
- End

Setup

Put out the board.

The islands

Gull Rock

Take 1 feather.

Seal Bank

Take 1 fish.

End

Count your points.
"""
    assert [line for line in outline(text) if line.startswith("#")] == [
        *("# Fog Harbour", "# Contents", "# Setup", "# The islands", "## Gull Rock", "## Seal Bank", "# End"),
    ]


def test_a_numbered_title_is_a_heading_and_a_numbered_step_is_not() -> None:
    text = "The turn\n\n1. Move\n2. Trade\n\n1. Move\n\nMove your boat.\n\n2. Trade\n\nPay 1 coin.\n"
    assert outline(text) == [
        *("# The turn", "1. Move", "2. Trade"),
        *("## 1. Move", "Move your boat.", "## 2. Trade", "Pay 1 coin."),
    ]


# --- lists ------------------------------------------------------------------------------------------------------------


def test_lists_nest_by_indent_and_keep_their_numbers() -> None:
    text = "You may:\n\n1. Move:\n   - 1 boat\n   - 2 rafts\n2. Trade\n10) Rest\n"
    assert outline(text) == ["You may:", "1. Move:", "  - 1 boat", "  - 2 rafts", "2. Trade", "10. Rest"]


def test_letters_below_numbers_nest_without_an_indent_and_stay_readable() -> None:
    text = "Draw a card:\n1. From the deck, or\n2. From the pile:\na. the top card\nb. the last card\n3. Keep it.\n"
    assert outline(text)[1:] == [
        *("1. From the deck, or", "2. From the pile:", "  - a. the top card", "  - b. the last card", "3. Keep it."),
    ]


@pytest.mark.parametrize("bullet", ["•", "–", "-", "*", "▪", "◦", "·"])
def test_bullets_of_all_kinds_are_known(bullet: str) -> None:
    assert outline(f"Take:\n{bullet} 1 boat\n{bullet} 2 coins\n")[1:] == ["- 1 boat", "- 2 coins"]


@pytest.mark.parametrize("marks", [("1、", "2、"), ("（1）", "（2）"), ("①", "②"), ("一、", "二、"), ("1.", "2.")])
def test_chinese_numbers_are_known(marks: tuple[str, str]) -> None:
    text = f"每回合：\n{marks[0]}移动1艘船，然后抽牌。\n{marks[1]}支付2枚硬币。\n"
    assert outline(text)[1:] == ["1. 移动1艘船，然后抽牌。", "2. 支付2枚硬币。"]


def test_a_paragraph_below_an_item_belongs_to_it() -> None:
    text = "1. Deal 3 cards.\n\n   Note: 2 with 4 players.\n\n2. Choose who begins.\n"
    assert outline(text) == ["1. Deal 3 cards.", "  Note: 2 with 4 players.", "2. Choose who begins."]


def test_numbers_that_are_no_list_stay_text() -> None:
    assert outline("20 boats\n3 boards\n1.5 points each\n") == ["20 boats", "3 boards", "1.5 points each"]


# --- wrapped lines ----------------------------------------------------------------------------------------------------

WRAPPED = """\
Each turn you move one of your boats along a line to the next buoy, and
then you may trade with the harbour there. A boat that carries a lantern
may go on for one more buoy if no other boat stands in its way.
A boat in the fog does not move. It waits until a boat with a lan-
tern has come to the same buoy, and then goes on with it for as long
as both are on the same line.
"""


def test_wrapped_lines_are_joined_and_paragraphs_kept_apart() -> None:
    first, second = outline(WRAPPED)
    assert first.startswith("Each turn") and first.endswith("stands in its way.")
    assert second.startswith("A boat in the fog") and "with a lantern has come" in second


def test_lines_that_end_early_are_not_joined() -> None:
    assert outline("Red boats: 4\nBlue boats: 4\nLanterns: 12\nCoins: 40\n") == [
        *("Red boats: 4", "Blue boats: 4", "Lanterns: 12", "Coins: 40"),
    ]


def test_wrapped_chinese_is_joined_without_a_space() -> None:
    first = "每位玩家在自己的回合移动一艘船到下一个浮标然后可以在那里交易"
    second = "带着灯笼的船如果没有被别的船挡住就可以再走一个浮标并且在那里"
    lines = [first, second]
    text = "\n".join([*lines, *lines, "停下。"])
    assert outline(text) == ["".join([*lines, *lines, "停下。"])]


def test_a_hyphen_that_the_word_has_elsewhere_stays() -> None:
    text = WRAPPED.replace("a lan-\ntern has", "a re-\nroll has").replace("two", "") + "A re-roll costs 1 coin.\n"
    assert "with a re-roll has come" in " ".join(outline(text))


# --- pages ------------------------------------------------------------------------------------------------------------


def test_running_headers_are_said_once_and_sentences_go_on_over_the_page() -> None:
    lines = WRAPPED.splitlines()
    pages = [lines[0:2], lines[2:4], lines[4:6]]
    text = "\n---\n".join("\n".join(["Fog Harbour rules, 2024", *page]) for page in pages)
    shown = " ".join(outline(text))
    assert shown.count("Fog Harbour rules, 2024") == 1
    assert "A boat that carries a lantern may go on" in shown
    assert "a boat with a lantern has come" in shown


def test_form_feeds_count_pages_and_page_numbers_go() -> None:
    found = read_text_file("Boats\n\nMove 1 boat.\n\n- 1 -\n\fFog\n\nIt hides.\n\nPage 2 of 2\n")
    assert [(plain(piece.text), piece.page) for piece in found.pieces] == [
        *(("Boats", 1), ("Move 1 boat.", 1), ("Fog", 2), ("It hides.", 2)),
    ]


def test_the_first_line_is_the_title() -> None:
    assert read_text_file("Fog Harbour – The Rules!\n\nMove boats.\n").title == "Fog Harbour – The Rules!"
    assert read_text_file("Move 1 boat.\n\nThen draw.\n").title == ""


# --- any text ---------------------------------------------------------------------------------------------------------

LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "Setup",
                "Take 2 ore.",
                "• boat",
                "- b",
                "1. First",
                "  a. sub",
                "====",
                "---",
                "END",
                "| a |",
                "\f",
                "x" * 90,
            ]
        ),
        st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20),
    ),
    max_size=20,
)


@settings(max_examples=60, deadline=None)
@given(LINES, st.sampled_from(["\n", "\n\n"]))
def test_no_word_of_any_text_is_lost(lines: list[str], between: str) -> None:
    text = between.join(lines)
    read = " ".join(f"{piece.marker} {plain(piece.text)}" for piece in read_text_file(text).pieces)
    lost = [word for word in re.findall(r"[a-z]{2,}", text, re.I) if word not in read]
    assert lost == []


def test_large_texts_take_time_in_proportion() -> None:
    for text in (WRAPPED * 3000, "." * 200_000, "- boat\n" * 20_000, " " * 200_000 + "x", "a\n\n" * 20_000):
        read_text_file(text)  # a quadratic step would take minutes
