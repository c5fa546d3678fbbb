"""Anyone's Markdown -> manuscripts that our own parser reads as the same text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleslawyer.manuscript import Piece
from ruleslawyer.markdownreading import read_markdown
from ruleslawyer.styledtext import read_back


def shown(text: str) -> list[str]:
    """The pieces of a text, a line each: ``## heading``, ``text``, ``  3. item``, ``[cell | cell]``."""
    return [line(piece) for piece in read_markdown(text).pieces]


def line(piece: Piece) -> str:
    if piece.kind == "heading":
        return f"{'#' * piece.level} {piece.text}"
    if piece.kind == "item":
        return "  " * (piece.level - 1) + f"{piece.marker or '·'} {piece.text}"
    return f"[{piece.text}]" if piece.kind == "row" else piece.text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Harbour\nlang: en\n---\n# Rules\n", "Harbour"),
        ("---\ntitle: \"Say \\\"go\\\"\"\n---\nx", 'Say "go"'),
        ("---\ntitle: 'It''s'\n...\nx", "It's"),
        ('+++\ntitle = "海港"\nkind = "rule"\n+++\n## A {#a}\n', "海港"),
        ("+++\ntitle = broken\n+++\nx", ""),
        ("# Puerto\n\ntexto\n", "Puerto"),
        ("# One\n\n# Two\n", ""),
        ("text\n\n# Late\n", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_title_is_that_of_the_front_matter_or_the_one_heading_above_all(text: str, title: str) -> None:
    assert read_markdown(text).title == title


@pytest.mark.parametrize("text", ["---\n\nNot: closed", "---\nJust a sentence. And more.\n\n---\n", "+++\nx"])
def test_what_is_no_front_matter_is_kept(text: str) -> None:
    words = [word.strip("-+.:") for word in text.split()]
    kept = " ".join(piece.text for piece in read_markdown(text).pieces)
    assert [word for word in words if word and word not in kept] == []


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Title\n=====\n\nPart\n----\n", ["# Title", "## Part"]),
        ('## Turn {#turn sources="a b" pages="4-5"}\n', ["## Turn"]),
        ("## Turn {#turn .class key=value}\n", ["## Turn"]),
        ("## Cost {2 ore}\n", ["## Cost {2 ore}"]),
        ("## **Bold** title ##\n", ["## **Bold** title"]),
        ("## **All bold**\n", ["## All bold"]),
        ("###### Six\n####### Seven\n", ["###### Six", "####### Seven"]),
        ("#hashtag\n", ["#hashtag"]),
        ("3. a\n4. b\n   1. c\n      - d\n\n   more\n5. e\n", ["3. a", "4. b", "  1. c", "    - d", "· more", "5. e"]),
        ("* a\n* b\n\ntext\n\n+ c\n", ["- a", "- b", "text", "- c"]),
        ("- [ ] task\n", [r"- \[ ] task"]),
        ("1. ## Move\n   text\n", [r"## 1\. Move", "· text"]),
        ("> quoted *text*\n", ["quoted *text*"]),
        ("| a | b |\n|---|---|\n| x \\| y | **2** |\n", ["[a | b]", r"[x \| y | **2**]"]),
        ("```\n# not a heading\n- nor a list\n```\n", [r"\# not a heading", r"- nor a list"]),
        ("占领\n神殿，\n获胜", ["占领神殿，获胜"]),
        ("one\ntwo", ["one two"]),
        ("Setup:  \nTake 2 ore.\\\nThen go.", ["Setup:", "Take 2 ore.", "Then go."]),
        ("**注意：**每轮 *¡ojo!* `x`", ["**注意：**每轮 *¡ojo!* `x`"]),
        ("1\\. no list, \\*no stars\\*, 2 * 3", [r"1\. no list, \*no stars\*, 2 * 3"]),
        ("[page](https://example.org/a) [entry](#turn) [ref][r]\n\n[r]: https://e.org\n",
         ["page (https://example.org/a) entry ref (https://e.org)"]),
        ("<https://example.org>", ["https://example.org"]),
        ("![ore](o.png) and ![](x.png)", ["▣ ore and ▣"]),
        ("&lt;b&gt; &amp;", [r"\<b> &"]),
    ],
)  # fmt: skip
def test_markdown(text: str, pieces: list[str]) -> None:
    found = shown(text)
    assert [f.replace("\\- ", "- ") for f in found] == pieces


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a <b>bold</b> and <i>it</i> and <u>line</u>", ["a **bold** and *it* and line"]),
        ("one<br>two <br/> three.<br>Four", ["one two three.", "Four"]),
        ("<details><summary>May I?</summary>Yes.</details>", ["May I?", "Yes."]),
        ("<div align=center>\n\n## Turn\n\n</div>", ["## Turn"]),
        ('<img src="x.png" alt="ore"> here', ["▣ ore here"]),
        ("if a <b and c > d or <game> says", [r"if a \<b and c > d or \<game> says"]),
        ("<!-- hidden -->\nseen\n\n<!-- hid\n\nden --> seen too", ["seen", "seen too"]),
        ("a <!-- hidden --> b", ["a b"]),
        ("<script>\nalert(1)\n\nx\n</script>\nseen", ["seen"]),
        ("```\n<!-- shown -->\n```", [r"\<!-- shown -->"]),
        ("`<b>` and \\<i>", [r"`<b>` and \<i>"]),
        ('<a href="javascript:x()">go</a>', ["go"]),
    ],
)
def test_raw_html_is_understood_dropped_or_shown_and_never_kept(text: str, pieces: list[str]) -> None:
    assert shown(text) == pieces


def test_pictures_without_a_description_are_told() -> None:
    assert [(u.key, u.values) for u in read_markdown("![](a) ![x](b) <img>").unread] == [("images", {"count": "2"})]
    assert read_markdown("![x](b)").unread == ()


LINES = (
    *(
        "# A",
        "## B {#b}",
        "- x",
        "  - y",
        "1. z",
        "text *em* **b**",
        "| a | b |",
        "|---|---|",
        "```",
        "<b>q",
        "</b>",
        "<!--",
    ),
    *("-->", "> q", "", "", "---", "    code", "a  ", "b\\", "&amp; <x", "[l](https://e.org)", "注意：**重**", "==="),
    *("\\# {#x}", "![i](x)"),
)


@given(st.lists(st.sampled_from(LINES), max_size=14))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_pieces_that_our_parser_reads_as_one_line_of_text(lines: list[str]) -> None:
    for piece in read_markdown("\n".join(lines)).pieces:
        cells = piece.text.split(" | ") if piece.kind == "row" else [piece.text]
        assert all(read_back(cell) is not None for cell in cells if cell.strip())
        assert piece.kind in ("heading", "p", "item", "row")


@given(st.lists(st.sampled_from(LINES), max_size=14))
@settings(max_examples=100, deadline=None)
def test_reading_what_was_read_changes_nothing(lines: list[str]) -> None:
    for piece in read_markdown("\n".join(lines)).pieces:
        if piece.kind == "p":
            assert [again.text for again in read_markdown(f"x\n\n{piece.text}").pieces[1:]] == [piece.text]
