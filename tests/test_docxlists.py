"""Word's rarer ways to number a list and to write a text: shared and overridden levels, formulas, parts of other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleslawyer.docxreading import read_docx
from ruleslawyer.docxstyles import numeral_of
from ruleslawyer.manuscript import Unread
from test_docxreading import item, levels, numbering, p, raw, shown

MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
CHOICES = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def abstract(name: int, inside: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{name}">{inside}</w:abstractNum>'


def num(name: int, of: int, overrides: str = "") -> str:
    return f'<w:num w:numId="{name}"><w:abstractNumId w:val="{of}"/>{overrides}</w:num>'


def override(level: int, inside: str) -> str:
    return f'<w:lvlOverride w:ilvl="{level}">{inside}</w:lvlOverride>'


def level(depth: int, kind: str, text: str, more: str = "", start: int = 1) -> str:
    inside = f'<w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{depth}">{inside}</w:lvl>'


def read(folder: Path, body: str, lists: str = "", **parts: str) -> list[str]:
    return shown(read_docx(raw(folder, body, numbering=lists, **parts)))


# --- lists ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("linking_first", [False, True])
def test_a_list_that_takes_its_levels_from_a_list_style_has_that_ones_numbers(
    tmp_path: Path, linking_first: bool
) -> None:
    owner = abstract(1, f'<w:styleLink w:val="Ours"/>{levels(("decimal", "%1."), ("lowerLetter", "%2)"))}')
    taker = abstract(2, '<w:numStyleLink w:val="Ours"/>')
    lists = (taker + owner if linking_first else owner + taker) + num(1, 2)
    body = item("Load.") + item("crates", level=1) + item("fish", level=1) + item("Sail.")
    assert read(tmp_path, body, lists) == ["1. Load.", "  - a) crates", "  - b) fish", "2. Sail."]


def test_a_list_style_that_is_not_there_leaves_items_without_numbers(tmp_path: Path) -> None:
    lists = abstract(1, '<w:numStyleLink w:val="Lost"/>') + num(1, 1)
    assert read(tmp_path, item("Load.") + item("Sail."), lists) == ["- Load.", "- Sail."]


def test_a_list_may_write_a_level_in_its_own_way_and_takes_the_others_from_what_it_is_based_on(tmp_path: Path) -> None:
    own = override(0, level(0, "upperLetter", "%1."))
    lists = abstract(1, levels(("decimal", "%1."), ("decimal", "%1.%2"))) + num(1, 1) + num(2, 1, own)
    body = item("Load.") + item("fish", level=1) + p("Or:") + item("Sail.", 2) + item("west", 2, 1) + item("Rest.", 2)
    assert read(tmp_path, body, lists) == [
        "1. Load.",
        "  - 1.1 fish",
        "Or:",
        "- A. Sail.",
        "  - A.1 west",
        "- B. Rest.",
    ]


def test_of_two_levels_written_in_their_own_way_both_are(tmp_path: Path) -> None:
    own = override(0, level(0, "upperRoman", "%1.")) + override(1, level(1, "lowerRoman", "%2."))
    lists = abstract(1, levels(("decimal", "%1."), ("decimal", "%2."))) + num(1, 1, own)
    body = item("Load.") + item("crates", level=1) + item("fish", level=1)
    assert read(tmp_path, body, lists) == ["- I. Load.", "  - i. crates", "  - ii. fish"]


def test_an_item_bears_the_level_that_belongs_to_its_style(tmp_path: Path) -> None:
    lists = abstract(1, level(0, "decimal", "%1.") + level(1, "lowerLetter", "%2)", '<w:pStyle w:val="Sub"/>'))
    style = '<w:style w:styleId="Sub"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    body = item("Load.") + p("crates", '<w:pStyle w:val="Sub"/>') + p("fish", '<w:pStyle w:val="Sub"/>')
    assert read(tmp_path, body, lists + num(1, 1), styles=style) == ["1. Load.", "  - a) crates", "  - b) fish"]


def test_a_label_without_a_number_belongs_to_the_text(tmp_path: Path) -> None:
    lists = numbering(level(0, "none", "Example:"), level(0, "none", ""))
    assert read(tmp_path, item("a boat.") + item("Plain.", 2), lists) == ["Example: a boat.", "Plain."]


def test_numbers_of_levels_that_have_not_begun_are_their_first(tmp_path: Path) -> None:
    lists = numbering(levels(("decimal", "%1."), ("decimal", "%1.%2"), start=4))
    assert read(tmp_path, item("fish", level=1), lists)[0].strip() == "- 4.4 fish"


def test_a_label_is_never_longer_than_a_line(tmp_path: Path) -> None:
    (only,) = read(tmp_path, item("fish"), numbering(level(0, "decimal", "%1" + "x" * 5000)))
    assert len(only) < 100


# --- text -------------------------------------------------------------------------------------------------------------


def formula(inside: str) -> str:
    return f'<w:p xmlns:m="{MATH}"><w:r><w:t xml:space="preserve">Pay </w:t></w:r>{inside}</w:p>'


def said(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize("around", ["{}", "<m:oMathPara>{}</m:oMathPara>"])
def test_a_formula_is_read_in_its_place(tmp_path: Path, around: str) -> None:
    inside = around.format(f"<m:oMath>{said('2')}{said('×')}{said('n')}</m:oMath>")
    assert read(tmp_path, formula(inside) + p("coins.")) == ["Pay 2×n", "coins."]


def test_what_another_file_would_bring_in_is_told_to_be_missing(tmp_path: Path) -> None:
    manuscript = read_docx(raw(tmp_path, f'{p("Before.")}<w:altChunk r:id="x"/>{p("After.")}'))
    assert shown(manuscript) == ["Before.", "After."]
    assert manuscript.unread == (Unread(0, "parts", {"count": "1"}),)


def test_a_note_that_is_not_there_leaves_no_mark(tmp_path: Path) -> None:
    body = p("Draw.")[:-6] + '<w:r><w:footnoteReference w:id="9"/></w:r></w:p>'
    assert read(tmp_path, body) == ["Draw."]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<mc:Choice Requires='x'>{new}</mc:Choice><mc:Fallback>{old}</mc:Fallback>", ["New."]),
        ("<mc:Fallback>{old}</mc:Fallback>", ["Old."]),
    ],
)
def test_of_alternatives_the_first_is_read_once(tmp_path: Path, inside: str, expected: list[str]) -> None:
    filled = inside.format(new=p("New."), old=p("Old."))
    assert read(tmp_path, f'<mc:AlternateContent xmlns:mc="{CHOICES}">{filled}</mc:AlternateContent>') == expected


def test_a_list_in_a_cell_keeps_its_numbers_in_the_row(tmp_path: Path) -> None:
    cell = "<w:tc>{}</w:tc>"
    row = f"<w:tr>{cell.format(p('Turn'))}{cell.format(item('Load.') + item('Sail.'))}</w:tr>"
    assert read(tmp_path, f"<w:tbl>{row}</w:tbl>", numbering(levels(("decimal", "%1.")))) == [
        r"[Turn | 1\. Load. 2. Sail.]"
    ]


# --- numbers that would be read wrongly -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (f"<m:f><m:num>{said('1')}</m:num><m:den>{said('2')}</m:den></m:f>", "Pay 1/2"),
        (f"<m:f><m:num>{said('n+1')}</m:num><m:den>{said('2')}</m:den></m:f>", "Pay (n+1)/2"),
        (f"<m:sSup><m:e>{said('10')}</m:e><m:sup>{said('2')}</m:sup></m:sSup>", "Pay 10^2"),
        (f"<m:d><m:e>{said('n+1')}</m:e></m:d>{said('×2')}", "Pay (n+1)×2"),
        (f"<m:d><m:dPr><m:begChr m:val='|'/><m:endChr m:val='|'/></m:dPr><m:e>{said('n')}</m:e></m:d>", "Pay |n|"),
        (f"{said('3×')}<m:sSub><m:e>{said('c')}</m:e><m:sub>{said('1')}</m:sub></m:sSub>", "Pay 3×c_1"),
    ],
)
def test_parts_of_a_formula_that_stand_one_above_the_other_are_kept_apart(
    tmp_path: Path, inside: str, expected: str
) -> None:
    assert [line.replace("\\", "") for line in read(tmp_path, formula(f"<m:oMath>{inside}</m:oMath>"))] == [expected]


def test_a_list_that_begins_a_deeper_level_with_its_own_number_does_so_each_time(tmp_path: Path) -> None:
    own = override(1, '<w:startOverride w:val="3"/>')
    lists = abstract(1, levels(("decimal", "%1."), ("decimal", "%1.%2"))) + num(1, 1, own)
    body = item("Load.") + item("fish", level=1) + item("Sail.") + item("west", level=1)
    assert read(tmp_path, body, lists) == ["1. Load.", "  - 1.3 fish", "2. Sail.", "  - 2.3 west"]


def test_a_level_that_never_counts_anew_goes_on(tmp_path: Path) -> None:
    below = level(1, "decimal", "%2.", '<w:lvlRestart w:val="0"/>')
    body = item("Setup") + item("Load.", level=1) + item("Turn") + item("Sail.", level=1)
    lists = numbering(level(0, "upperRoman", "%1.") + below)
    assert read(tmp_path, body, lists) == ["- I. Setup", "  1. Load.", "- II. Turn", "  2. Sail."]


def test_a_level_may_want_digits_and_two_of_them(tmp_path: Path) -> None:
    """As Word's own list of articles and sections."""
    section = level(1, "decimalZero", "Section %1.%2", "<w:isLgl/>")
    lists = numbering(level(0, "upperRoman", "Article %1.") + level(1, "decimalZero", "Section %2"))
    body = item("Ships") + item("Load.", level=1)
    assert read(tmp_path, body, lists) == ["- Article I. Ships", "  - Section 01 Load."]
    lists = numbering(level(0, "upperRoman", "Article %1.") + section)
    assert read(tmp_path, body, lists) == ["- Article I. Ships", "  - Section 1.01 Load."]


@pytest.mark.parametrize(
    ("kind", "count", "written"),
    [
        ("ideographTraditional", 3, "丙"),
        ("ideographTraditional", 11, "十一"),
        ("ideographZodiac", 12, "亥"),
        ("lowerLetter", 26, "z"),
        ("lowerLetter", 28, "bb"),
        ("upperLetter", 53, "AAA"),
        ("upperLetter", 781, "781"),
        ("decimalZero", 9, "09"),
        ("decimalZero", 10, "10"),
    ],
)
def test_rarer_numerals(kind: str, count: int, written: str) -> None:
    assert numeral_of(kind, count) == written
