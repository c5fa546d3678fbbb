"""Escaping: whatever a line holds, our parser reads the same text back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruleslawyer.escaping import escape_markdown, one_line
from ruleslawyer.markdown import Section, parse

FRONT = '+++\ntitle = "Rules"\nkind = "rule"\nupdated = 2026-11-29\n+++\n'

TRICKY = st.text(alphabet="*_`\\[]()<>&#{}|!~=+-.:;/@\"' \t\n19aZé殿，。。　\u00a0", max_size=24)
LINES = (TRICKY | st.text(max_size=30)).map(one_line).filter(lambda line: len(line) > 0)


def read(markdown: str) -> Section:
    document, problems = parse(FRONT + markdown, "rules.en.md")
    assert problems == ()
    assert len(document.sections) == 1
    return document.sections[0]


def nasty(test: Callable[[str], None]) -> Callable[[str], None]:
    """Run a property with the lines that are known to be hard, beside those that are made up."""
    for line in (
        *("1. one", "12) two", "- x", "+ x", "> x", "# x", "####### x", "---", "- - -", "===", "~~~", "***", "_ _ _"),
        *("a#", "a #", "C# ##", "#", "[x]: http://a", "[a](b)", "![a](b)", "<a@b.c>", "<1@b.c>", "<!--", "< b >"),
        *(
            "&amp;",
            "&#65;",
            "\\",
            "\\*",
            "a\\ b",
            "a|b",
            "\\|",
            "`a`",
            "**注意：**每轮",
            "a *b* c",
            "2*3",
            "snake_case",
        ),
        *("_a_", "__init__", "a {#id}", 'a {"b', "{}", "[[a]]", "a\\", "* * *", "2 * 3", "殿_堂", "*¡Ojo!*turno"),
    ):
        test = example(line)(test)
    return test


@nasty
@given(LINES)
def test_a_paragraph_reads_back_as_written(line: str) -> None:
    section = read(f'## T {{#t sources="s"}}\n\n{escape_markdown(line)}\n')
    assert [(block.kind, block.text, block.spans) for block in section.blocks] == [("p", line, ())]


@nasty
@given(LINES)
def test_a_heading_reads_back_as_written(line: str) -> None:
    section = read(f'## {escape_markdown(line)} {{#t sources="s"}}\n')
    assert (section.id, section.title) == ("t", line)


@nasty
@given(LINES)
def test_a_list_item_reads_back_as_written(line: str) -> None:
    section = read(f'## T {{#t sources="s"}}\n\n- {escape_markdown(line)}\n')
    assert [(block.kind, block.text, block.spans) for block in section.blocks] == [("item", line, ())]


@nasty
@given(LINES)
def test_a_table_cell_reads_back_as_written(line: str) -> None:
    cell = escape_markdown(line)
    section = read(f'## T {{#t sources="s"}}\n\n| {cell} | b |\n| --- | --- |\n| c | {cell} |\n')
    assert [(block.kind, block.text) for block in section.blocks] == [("row", f"{line} | b"), ("row", f"c | {line}")]


@pytest.mark.parametrize(
    "plain",
    [
        "3.1 Movement",
        "snake_case",
        "Dungeons & Dragons",
        "a < b > c",
        "-1 point",
        "2 * 3 = 6",
        "3*4",
        "+1",
        "#1",
        "a (b)",
    ],
)
def test_no_more_is_escaped_than_needed(plain: str) -> None:
    assert escape_markdown(plain) == plain


def test_control_characters_and_line_breaks_do_not_survive() -> None:
    assert escape_markdown("a\x00b\r\n\r\n  # c\u2028d\x1b[0m") == "a\ufffdb # c d\ufffd\\[0m"
    assert not re.search(r"[\n\r]", escape_markdown("a\n\n\nb"))
