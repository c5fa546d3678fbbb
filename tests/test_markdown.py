"""A document file -> sections with plain text, spans and links."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import link

from ruleslawyer import commonmark
from ruleslawyer.blocks import Block, Span
from ruleslawyer.markdown import Document, FrontMatter, Link, parse

FRONT = '+++\ntitle = "Rules"\nkind = "rule"\nupdated = 2026-11-29\n+++\n'


def read(body: str) -> Document:
    document, problems = parse(FRONT + body, "rules.en.md")
    assert problems == ()
    return document


def blocks_of(text: str) -> tuple[Block, ...]:
    return read("## A {#a}\n\n" + text).sections[0].blocks


def test_front_matter_and_sections() -> None:
    turn, draw, end = '## Turn {#turn sources="a b"}', '### Draw {#draw aliases="x; y"}', "## End {#end}"
    document = read(f"\n{turn}\n\nDraw.\n\n{draw}\n\nOne.\n\n{end}\nStop.")
    assert document.front == FrontMatter("Rules", "rule")
    assert [(s.id, s.level, s.title, s.parent, s.line, s.end) for s in document.sections] == [
        ("turn", 2, "Turn", "", 7, 10),
        ("draw", 3, "Draw", "turn", 11, 14),
        ("end", 2, "End", "", 15, 16),
    ]
    assert [s.attributes for s in document.sections] == [{"sources": "a b"}, {"aliases": "x; y"}, {}]
    assert [s.markdown for s in document.sections] == ["Draw.", "One.", "Stop."]


def test_marks_in_attributes_are_not_markdown() -> None:
    section = read('## The *big* one {#big aliases="a * b * c; `d`; {e}"} ##\n\nYes.\n').sections[0]
    assert (section.title, section.attributes["aliases"]) == ("The big one", "a * b * c; `d`; {e}")


@pytest.mark.parametrize(
    ("markdown", "text", "spans"),
    [
        ("**注意：**每轮只能行动一次。", "注意：每轮只能行动一次。", [("strong", "注意：")]),
        ("这是**「重点」**规则", "这是「重点」规则", [("strong", "「重点」")]),
        ("*¡Ojo!*turno", "¡Ojo!turno", [("em", "¡Ojo!")]),
        ("读**《规则》**和*（例）*再玩", "读《规则》和（例）再玩", [("strong", "《规则》"), ("em", "（例）")]),
        ("他说**“停”**然后走", "他说“停”然后走", [("strong", "“停”")]),
        ("一**二**三**四**五", "一二三四五", [("strong", "二"), ("strong", "四")]),
        ("***都是！***好", "都是！好", [("em", "都是！"), ("strong", "都是！")]),
        ("*one (*two*) three*", "one (two) three", [("em", "one (two) three"), ("em", "two")]),
        ("**Example:** yes", "Example: yes", [("strong", "Example:")]),
        ("_a_ snake_case", "a snake_case", [("em", "a")]),
        ("2 * 3 * 4", "2 * 3 * 4", []),
        ("5 * 2", "5 * 2", []),
        ("2*3*4", "2*3*4", []),
        (r"\*no\*", "*no*", []),
    ],
)
def test_emphasis(markdown: str, text: str, spans: list[tuple[str, str]]) -> None:
    (block,) = blocks_of(markdown)
    assert block.text == text
    assert sorted((s.kind, text[s.start : s.end]) for s in block.spans) == sorted(spans)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("Draw a card\nand play it.", "Draw a card and play it."),
        ("占领神殿的玩家\n可以再掷一次。", "占领神殿的玩家可以再掷一次。"),
        ("先研究，\nBGG 排名", "先研究，BGG 排名"),
        ("他说\n“停”。", "他说“停”。"),
        ("支付 BGG\n金币", "支付 BGG 金币"),
        ("one  \ntwo", "one two"),
        ("占领\n**神殿**", "占领神殿"),
        ("one\n**two**", "one two"),
        ("¡Ojo!\n“sí”", "¡Ojo! “sí”"),
        ("移动1\n艘船", "移动1艘船"),
        ("移动\n12艘船", "移动12艘船"),
        ("pay 1\n2 or 3", "pay 1 2 or 3"),
        ("the “end”\n3 cards", "the “end” 3 cards"),
        ("the players’\n2 ships", "the players’ 2 ships"),
        ("take 3\n“green” cards", "take 3 “green” cards"),
    ],
)
def test_a_line_break_is_a_space_in_latin_script_and_nothing_between_han(markdown: str, text: str) -> None:
    assert [block.text for block in blocks_of(markdown)] == [text]


def test_blocks() -> None:
    markdown = """\
Take *2* ore.

- First
  line

  more
  1. Inner `x`
  2. Last
- Second

| Level | Cost |
|-------|------|
| II | **3** |
| | 4 |

> Quoted.

```
a <b>
```
"""
    assert blocks_of(markdown) == (
        Block("p", "Take 2 ore.", spans=(Span(5, 6, "em"),)),
        Block("item", "First line", 1, "-"),
        Block("item", "more", 1),
        Block("item", "Inner x", 2, "1.", (Span(6, 7, "code"),)),
        Block("item", "Last", 2, "2."),
        Block("item", "Second", 1, "-"),
        Block("row", "Level | Cost"),
        Block("row", "II | 3", spans=(Span(5, 6, "strong"),)),
        Block("row", " | 4"),
        Block("p", "Quoted."),
        Block("code", "a <b>"),
    )


def test_links_are_raw_and_know_their_lines() -> None:
    text = "See [**the** docks](#docks),\n`a\nb` and [UFO](beam#ufo)\n\n- [page](source:page)\n"
    section = read("## A {#a}\n\n" + text).sections[0]
    assert section.links == (Link("#docks", 8), Link("beam#ufo", 10), Link("source:page", 12))
    assert section.blocks[0].spans == (
        Span(4, 13, "link", "#docks"),
        Span(4, 7, "strong"),
        Span(15, 18, "code"),
        Span(23, 26, "link", "beam#ufo"),
    )


@pytest.mark.parametrize("text", ["`<b>`", "    <b>", "```\n<!-- x -->\n```", r"\<b>", "&lt;b&gt;", "1 < 2", "a <3"])
def test_what_only_looks_like_html_is_text(text: str) -> None:
    assert "<" in blocks_of(text)[0].text


def test_a_heading_without_id_gives_no_section_but_its_faults_count() -> None:
    document, problems = parse(FRONT + "## A {#a}\n\nOne.\n\n### B\n\n<b>\n\n#### C {#c}\n\nThree.\n", "f.md")
    assert [(s.id, s.parent) for s in document.sections] == [("a", ""), ("c", "a")]
    assert not document.complete
    assert [(p.file, p.line) for p in problems] == [("f.md", 10), ("f.md", 12)]


@given(st.text(alphabet='#{}[]()<>*_`|-+=\\"!~&;: \n\tab1一，。「」“¡https:', max_size=80))
@example("## {#a}")
@example("![[*](a)](b)")
@example("|a|\n|-|\n|`|`")
def test_any_text_is_read_without_an_exception(text: str) -> None:
    for source in (text, FRONT + text, FRONT + "## A {#a}\n\n" + text):
        document, problems = parse(source, "f.md")
        for section in document.sections:
            for block in section.blocks:
                assert all(0 <= s.start < s.end <= len(block.text) for s in block.spans)
        assert all(0 <= p.line <= source.count("\n") + 1 for p in problems)


def test_no_text_is_lost_however_deep_it_is_nested() -> None:
    deep = "> " * 25 + "Hidden."
    assert "Hidden." in [block.text for block in blocks_of(f"Shown.\n\n{deep}")]


def without_short_cuts() -> commonmark._Parser:
    """A parser that walks through plain text and plain links as through all else."""
    parser = commonmark._Parser()
    parser.inline.terminator_re = ParserInline().terminator_re
    parser.inline.ruler.at("link", link)
    parser.inline.parse = parser.inline.parse_marked  # type: ignore[attr-defined, method-assign]
    return parser


LONG_WAY = without_short_cuts()
MARKS = [
    "[a](#b)",
    "[a *b*](#c)",
    "[a](#b",
    "[",
    "](#c)",
    "![",
    "*",
    "_",
    "`",
    "\\",
    "&amp;",
    "<b>",
    "\n",
    "a",
    "，",
    " ",
    "$",
    "~~",
]


@given(st.lists(st.sampled_from(MARKS) | st.text(max_size=2), max_size=20).map("".join))
@example("Draw 1 card.")
@example("see [ the turn ](#turn), then")
@example("[a [b](#c) d](#e)")
@example("![[a](#b)](#c)")
def test_plain_text_and_plain_links_are_read_as_all_else_is(text: str) -> None:
    assert commonmark.tokens_of(text)[0] == LONG_WAY.parse(text, {})
