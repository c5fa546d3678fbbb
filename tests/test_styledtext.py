"""Styled text as inline Markdown: our own parser reads back the same text, and the same emphasis where it can be written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleslawyer.commonmark import body_tokens
from ruleslawyer.markdown import parse
from ruleslawyer.styledtext import BREAK, Run, address_beside, inline, lines, paragraph, plain, read_back, tidy

TEXTS = st.text(
    st.sampled_from("ab1 .,:*_`|<>&;#+-=~[](){}!\\\"'“”，。「」注意每轮Ññ¿\n\t\u3000\ue001\xad▣"), max_size=12
)
RUNS = st.lists(st.builds(Run, TEXTS, st.booleans(), st.booleans(), st.booleans()), max_size=5)


@given(RUNS)
@settings(max_examples=400, deadline=None)
def test_no_word_is_changed_and_nothing_becomes_markup(runs: list[Run]) -> None:
    written = inline(runs)
    assert "\n" not in written
    assert plain(read_back(written) or []) == plain(tidy(runs))


@given(RUNS)
@settings(max_examples=200, deadline=None)
def test_a_piece_stays_itself_in_a_document_of_ours(runs: list[Run]) -> None:
    written = inline(runs) or "x"
    front = '+++\ntitle = "T"\nkind = "rule"\nupdated = 2026-11-29\n+++\n\n'
    sheet = f'{front}## {written} {{#id sources="s"}}\n\n{written}\n\n- {written}\n'
    document, problems = parse(sheet, "rules.en.md")
    assert problems == ()
    (section,) = document.sections
    assert section.title == section.blocks[0].text == section.blocks[1].text
    assert [block.kind for block in section.blocks] == ["p", "item"]


@pytest.mark.parametrize(
    ("runs", "written"),
    [
        ([Run("You may "), Run("not ", strong=True), Run("draw")], "You may **not** draw"),
        ([Run("注意：", strong=True), Run("每轮")], "**注意：**每轮"),
        ([Run("¡"), Run("Ojo", em=True), Run("!")], "¡*Ojo*!"),
        ([Run("all", strong=True), Run(" ", em=True), Run("bold", strong=True)], "**all bold**"),
        ([Run("both", strong=True, em=True)], "***both***"),
        ([Run("a", strong=True), Run("b", strong=True, em=True)], "**a*b***"),
        ([Run("x_y", code=True)], "`x_y`"),
        ([Run("a|b", code=True)], r"a\|b"),
        ([Run("  spaced \n out\u3000")], "spaced out"),
        ([Run("soft\xadhyphen"), Run("\u200b")], "softhyphen"),
        ([Run("2 \uf0a7 ore")], "2 ▣ ore"),
        ([Run("# 1. <b> {#id}")], r"\# 1. \<b> {#id}"),
        ([], ""),
    ],
)
def test_runs_are_written_as(runs: list[Run], written: str) -> None:
    assert inline(runs) == written


def test_what_is_written_is_emphasised_where_it_was() -> None:
    runs = [Run("a "), Run("b", em=True), Run(" c "), Run("d", strong=True), Run(", "), Run("e f", code=True), Run(".")]
    assert read_back(inline(runs)) == runs


def test_a_row_of_cells_stays_one_row() -> None:
    row = " | ".join(inline([Run(text)]) for text in ("a|b", "`c|d`", "\\|"))
    tokens = body_tokens(f"| {row} |\n|---|---|---|\n")
    cells = [token.content for token in tokens if token.type == "inline"]
    assert len(cells) == 3
    assert [token.children[0].content for token in tokens if token.type == "inline" and token.children] == [
        "a|b",
        "`c|d`",
        "\\|",
    ]


@pytest.mark.parametrize("sentence", ["Draw 1 card.", "（见下）。", "Really?", "Setup:"])
def test_a_line_break_after_a_sentence_ends_the_paragraph(sentence: str) -> None:
    assert len(lines([Run(sentence), BREAK, Run("then")])) == 2


def test_a_line_break_within_a_sentence_is_a_space() -> None:
    (line,) = lines([Run("Draw one"), BREAK, Run("card.")])
    assert inline(line) == "Draw one card."


def test_two_line_breaks_end_the_paragraph_and_a_bold_line_is_one_of_its_own() -> None:
    assert len(lines([Run("a"), BREAK, Run(" "), BREAK, Run("b")])) == 2
    assert len(lines([Run("Title", strong=True), BREAK, Run("text")])) == 2


@pytest.mark.parametrize(
    ("text", "marker", "rest"),
    [
        ("• ore", "-", "ore"),
        ("3) Move.", "3.", "Move."),
        ("２．移动", "", ""),
        ("- ore", "-", "ore"),
        ("-1 point", "", ""),
    ],
)
def test_a_typed_mark_makes_an_item(text: str, marker: str, rest: str) -> None:
    piece = paragraph([Run(text)])
    assert piece
    if marker:
        assert (piece.kind, piece.level, piece.marker, piece.text) == ("item", 1, marker, rest)
    elif text.startswith("-"):
        assert (piece.kind, piece.text) == ("p", text)


@pytest.mark.parametrize(
    ("address", "text", "shown"),
    [
        ("https://example.org/faq", "the FAQ", "https://example.org/faq"),
        ("https://www.example.org/faq", "example.org", ""),
        ("https://own.org/faq", "the FAQ", ""),
        ("javascript:alert(1)", "x", ""),
        ("#turn", "turn", ""),
        ("https://example.org/" + "x" * 300, "long", "example.org"),
        ("http://[bad", "x", ""),
    ],
)
def test_the_address_of_a_link_is_told_if_it_tells_something(address: str, text: str, shown: str) -> None:
    assert address_beside(address, text, "own.org") == shown
