"""Web pages -> manuscripts: what a person sees, in order; scripts, frames and hidden text never."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleslawyer.htmlreading import read_html
from ruleslawyer.htmlscan import Tag, scan
from ruleslawyer.manuscript import Piece
from ruleslawyer.styledtext import read_back


def shown(page: str) -> list[str]:
    """The pieces of a page, a line each: ``## heading``, ``text``, ``  3. item``, ``[cell | cell]``."""
    return [line(piece) for piece in read_html(page).pieces]


def line(piece: Piece) -> str:
    if piece.kind == "heading":
        return f"{'#' * piece.level} {piece.text}"
    if piece.kind == "item":
        return "  " * (piece.level - 1) + f"{piece.marker or '·'} {piece.text}"
    return f"[{piece.text}]" if piece.kind == "row" else piece.text


RULES = {
    "en": ("Harbour rules", "Setup", "Turn", "Move a ship.", "Load <b>2</b> crates.", "from the docks", "Scoring"),
    "es": (
        "Reglas de Puerto",
        "Preparación",
        "Turno",
        "Mueve un barco.",
        "Carga <b>2</b> cajas.",
        "del muelle",
        "Puntos",
    ),
    "zh": ("海港规则", "准备", "回合", "移动一艘船。", "装载<b>2</b>个箱子。", "从码头", "计分"),
}


@pytest.mark.parametrize("lang", RULES)
def test_headings_and_lists_in_every_language(lang: str) -> None:
    title, setup, turn, move, load, docks, scoring = RULES[lang]
    page = f"""<!DOCTYPE html><html lang={lang}><head><title> {title}\n</title></head><body><h1>{title}</h1>
        <h2>{setup}</h2><p>{move}</p><h3>{turn}</h3><ol><li>{move}</li><li><p>{load}</p><ul><li>{docks}</li></ul></li>
        <li>{move}</li></ol><h2>{scoring}</h2></body></html>"""
    assert read_html(page).title == title
    assert shown(page) == [
        *(f"# {title}", f"## {setup}", move, f"### {turn}", f"1. {move}"),
        *(f"2. {load.replace('<b>', '**').replace('</b>', '**')}", f"  - {docks}", f"3. {move}", f"## {scoring}"),
    ]


def test_all_six_levels() -> None:
    assert shown("".join(f"<h{n}>H{n}</h{n}>" for n in range(1, 7))) == [f"{'#' * n} H{n}" for n in range(1, 7)]


@pytest.mark.parametrize(
    ("page", "pieces"),
    [
        ("<ol start=3><li>a<li>b</ol>", ["3. a", "4. b"]),
        ("<ol><li>a<li value=7>b<li>c</ol>", ["1. a", "7. b", "8. c"]),
        ("<ol type=a><li>x<li>y</ol>", ["- a. x", "- b. y"]),
        ("<ol type=I start=4><li>x</ol>", ["- IV. x"]),
        ("<ol reversed start=2><li>x<li>y</ol>", ["2. x", "1. y"]),
        ("<ol reversed><li>x</ol>", ["- x"]),
        ("<ol start=x><li>a</ol>", ["1. a"]),
        ("<ul><li>a<ul><li>b<ol><li>c</ol><li>d</ul><li>e</ul>", ["- a", "  - b", "    1. c", "  - d", "- e"]),
        ("<ul><ul><li>indented by hand</ul></ul>", ["- indented by hand"]),
        ("<ol><li><p>a</p><p>more</p><li>b</ol>", ["1. a", "· more", "2. b"]),
        ("<ol><li><h3>Move</h3><p>One ship.</p><li>b</ol>", [r"### 1\. Move", "One ship.", "2. b"]),
        ("<li>no list</li>", ["- no list"]),
        ("<p>• typed<p>2) typed", ["- typed", "2. typed"]),
    ],
)
def test_lists(page: str, pieces: list[str]) -> None:
    assert shown(page) == pieces


@pytest.mark.parametrize(
    ("page", "pieces"),
    [
        ("<table><tr><th>Good<th>Cost<tr><td>Ore<td>2</table>", ["[Good | Cost]", "[Ore | 2]"]),
        (
            "<table><caption>Costs</caption><tbody><tr><td>a</td><td>b|c</td></tr></tbody></table>",
            ["Costs", r"[a | b\|c]"],
        ),
        ("<table><tr><td rowspan=2>Ore<td>1<tr><td>2</table>", ["[Ore | 1]", "[Ore | 2]"]),
        ("<table><tr><td>a<td><td>c</table>", ["[a |  | c]"]),
        ("<table><tr><td>a<td><p>x</p><ul><li>y</ul></table>", ["[a | x y]"]),
        ("<table><tr><td><p>In a box.</p><ul><li>y</ul></table>", ["In a box.", "- y"]),
        ("<table><tr><td><h2>T</h2><td><p>x</table>", ["## T", "x"]),
        ("<table><tr><td>n<td><table><tr><td>a<td>b</table></table>", ["n", "[a | b]"]),
        ("<table><tr><td>never<td>closed", ["[never | closed]"]),
    ],
)
def test_tables(page: str, pieces: list[str]) -> None:
    assert shown(page) == pieces


@pytest.mark.parametrize(
    ("page", "pieces"),
    [
        ("a <b>b</b> <i>c</i> <code>d_e</code>", ["a **b** *c* `d_e`"]),
        ('<span style="font-weight:700">b</span> <b style="font-weight:normal">n</b>', ["**b** n"]),
        ("<p>Setup:<br>Take<br>2 ore.", ["Setup:", "Take 2 ore."]),
        ('<a href="https://example.org/x">the FAQ</a> <a href="#t">here</a>', ["the FAQ (https://example.org/x) here"]),
        ('<link rel=canonical href="https://me.org/r"><a href="https://me.org/x">page</a>', ["page"]),
        ('gain <img src="ore.png" alt="ore"> <img src=line.png alt=""><img src=x.png>', ["gain ▣ ore ▣"]),
        ("<dl><dt>May I?<dd>Yes.<dt>Ore<dd>A good.</dl>", ["**May I?**", "Yes.", "**Ore**", "A good."]),
        ("<details><summary>May I?</summary>Yes.</details>", ["**May I?**", "Yes."]),
        ("<pre>one\n  two</pre>", ["one", "two"]),
        ("<h2>Turn <a href=#t>¶</a></h2>", ["## Turn"]),
        ("<h2>Turn<br>order</h2>", ["## Turn order"]),
        ("<h2>Turn<p>text", ["## Turn", "text"]),
        ("1 &lt; 2 &amp;amp; &#x5F03; &nosuch; <3 a<b", [r"1 < 2 \&amp; 弃 \&nosuch; <3 a"]),
        ("<ruby>骰<rt>tóu</rt>子<rt>zi</rt></ruby>", ["骰子"]),
        ("a<p>b</p>c", ["a", "b", "c"]),
    ],
)
def test_text(page: str, pieces: list[str]) -> None:
    assert shown(page) == pieces


@pytest.mark.parametrize(
    "secret",
    [
        "<script>SECRET</script>",
        "<SCRIPT type=x>'<p>SECRET</p>'</sCrIpT >",
        "<style>p:after{content:'SECRET'}</style>",
        "<template><p>SECRET</p></template>",
        "<noscript>SECRET</noscript>",
        "<iframe srcdoc='SECRET'>SECRET</iframe>",
        "<!-- SECRET <p> -- > SECRET -->",
        "<!-->x<!-- SECRET -->",
        "<?php SECRET ?>",
        "<svg><title>SECRET</title><text>SECRET</text></svg>",
        "<button>SECRET</button><select><option>SECRET</select>",
        "<textarea>SECRET</textarea>",
        "<div hidden><p>SECRET<div>SECRET</div>SECRET</div>",
        "<p hidden>SECRET<p>",
        "<ul><li hidden>SECRET<ul><li>SECRET</ul>SECRET<li>y</ul>",
        '<div style="color:red; display : NONE">SECRET</div>',
        "<del>SECRET</del>",
        '<p onclick="SECRET" data-x="SECRET" title="SECRET">y',
        '<input value="SECRET"><meta content="SECRET"><link title="SECRET">',
        "<head><title>t</title><script>SECRET</script></head>",
    ],
)
def test_what_is_not_seen_is_not_read(secret: str) -> None:
    manuscript = read_html(f"<p>before</p>{secret}<p>after</p>")
    texts = [piece.text for piece in manuscript.pieces]
    assert "SECRET" not in "".join(texts) + manuscript.title
    assert (texts[0], texts[-1]) == ("before", "after")


def test_what_frames_the_content_of_a_saved_page_is_dropped() -> None:
    page = """<header>Site</header><nav>Home</nav><div role=search>Find</div><main><header><h1>Rules</h1></header>
        <nav>Contents</nav><p>Text</p><aside>Tip</aside><aside role=complementary>Ad</aside><footer>p. 2</footer></main>
        <aside>More</aside><footer>(c)</footer>"""
    assert shown(page) == ["# Rules", "Text", "Tip", "p. 2"]


def test_a_page_that_does_not_mark_its_content_is_read_whole() -> None:
    assert shown("<header><h1>Rules</h1></header><p>Text<footer>end</footer>") == ["# Rules", "Text", "end"]


def test_what_was_left_out_is_told() -> None:
    page = "<p hidden>a<b>b</b></p><div hidden> </div><del>c</del><img src=x><p>y<script>"
    assert {u.key: u.values["count"] for u in read_html(page).unread} == {
        **{"hidden": "1", "struck": "1", "images": "1", "cut": "1"}
    }


def test_a_whole_page_leaves_nothing_to_tell() -> None:
    assert read_html("<title>T</title><p>x").unread == ()


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "<div>",
            "</div>",
            "<ul><li>",
            "<table><tr><td>",
            "<b>",
            "<p hidden>",
            "<div hidden>",
            "<li>x",
            "<a href=x>y",
        ),
        *(
            "<a ",
            "<!--",
            '<a x="',
            "</",
            "<",
            "<!x",
            "<script>",
            "<script></script ",
            "<svg/>",
            "&",
            "<a x='\"",
            "<title>",
        ),
        *("x<br>", "<h1>", "<td rowspan=999>x", "<i><b>x</i></b>", "x</p></div>", "<dl><dt>", "<blockquote>"),
    ],
)
def test_hostile_pages_are_read_in_time_that_grows_with_their_length(unit: str) -> None:
    """Both are processor time; the bound is far above what linear work takes, and far below quadratic."""
    page = unit * (20_000 // len(unit))

    def seconds(text: str) -> float:
        start = time.process_time()
        read_html(text)
        return time.process_time() - start

    seconds(page)
    assert seconds(page * 8) < 8 * 4 * max(seconds(page), 0.02)


def test_a_hundred_thousand_nested_elements() -> None:
    assert shown("<div>" * 100_000 + "deep" + "</div>" * 100_000) == ["deep"]
    deepest = read_html("<ul><li>x" * 2_000).pieces[-1]
    assert deepest.kind == "item"
    assert deepest.level < 20


PARTS = (
    *(
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<ul>",
        "</ul>",
        "<li>",
        "<ol start=2>",
        "</ol>",
        "<td>",
        "<tr>",
        "<table>",
        "</table>",
    ),
    *(
        "<h2>",
        "</h2>",
        "<br>",
        "<dl>",
        "<dt>",
        "<pre>",
        "</pre>",
        "<div hidden>",
        "</div>",
        "<main>",
        "<nav>",
        "<svg/>",
    ),
    *(
        "x",
        " y.",
        "\n",
        "*",
        "<",
        "&amp;",
        "|",
        "<!--",
        "-->",
        "<a href=https://e.org>",
        "</a>",
        "<script>",
        "</script>",
    ),
)


@given(st.lists(st.sampled_from(PARTS), max_size=25))
@settings(max_examples=300, deadline=None)
def test_any_page_gives_pieces_that_our_parser_reads_as_one_line_of_text(parts: list[str]) -> None:
    for piece in read_html("".join(parts)).pieces:
        cells = piece.text.split(" | ") if piece.kind == "row" else [piece.text]
        assert all(read_back(cell) is not None for cell in cells if cell.strip())
        assert piece.kind in ("heading", "p", "item", "row")
        assert piece.kind == "row" or piece.text.strip()


def test_tags_are_found_as_browsers_find_them() -> None:
    assert list(scan("""<A Href='x>y' B=c/d  e><br/>a<1""")) == [
        *(Tag("a", False, {"href": "x>y", "b": "c/d", "e": ""}), Tag("br"), "a", "<", "1")
    ]
