"""Word documents -> manuscripts: headings, lists with Word's own numbers, tables, notes; and files that must be refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn

from ruleslawyer import docxfile
from ruleslawyer.docxreading import read_docx
from ruleslawyer.docxstyles import numeral_of
from ruleslawyer.errors import DataProblem
from ruleslawyer.manuscript import Manuscript, Piece

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
MAIN_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def read(document: Any, folder: Path) -> Manuscript:
    path = folder / "rules.docx"
    document.save(str(path))
    return read_docx(path)


def raw(folder: Path, body: str, **parts: str) -> Path:
    """A Word file written by hand: the body's XML, and further parts such as ``styles`` and ``numbering``."""
    path = folder / "raw.docx"
    head = f'xmlns="{W}" xmlns:w="{W}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<w:document {head}><w:body>{body}</w:body></w:document>")
        for name, xml in parts.items():
            archive.writestr(f"word/{name}.xml", f"<w:{name} {head}>{xml}</w:{name}>")
    return path


def shown(manuscript: Manuscript) -> list[str]:
    return [line(piece) for piece in manuscript.pieces]


def line(piece: Piece) -> str:
    if piece.kind == "heading":
        return f"{'#' * piece.level} {piece.text}"
    if piece.kind == "item":
        return "  " * (piece.level - 1) + f"{piece.marker or '·'} {piece.text}"
    return f"[{piece.text}]" if piece.kind == "row" else piece.text


def p(text: str, properties: str = "", run: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def item(text: str, list_id: int = 1, level: int = 0) -> str:
    return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')


def levels(*kinds: tuple[str, str], start: int = 1) -> str:
    return "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for n, (kind, text) in enumerate(kinds)
    )


def numbering(*lists: str) -> str:
    abstract = "".join(f'<w:abstractNum w:abstractNumId="{n}">{xml}</w:abstractNum>' for n, xml in enumerate(lists, 1))
    return abstract + "".join(
        f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/></w:num>' for n in range(1, len(lists) + 1)
    )


RULES = {
    "en": ("Harbour", "Setup", "Turn", "Move a ship.", "Load 2 crates.", "From the docks."),
    "es": ("Puerto", "Preparación", "Turno", "Mueve un barco.", "Carga 2 cajas.", "Desde el muelle."),
    "zh": ("海港", "准备", "回合", "移动一艘船。", "装载2个箱子。", "从码头。"),
}


@pytest.mark.parametrize("lang", RULES)
def test_headings_and_lists_in_every_language(lang: str, tmp_path: Path) -> None:
    title, setup, turn, move, load, docks = RULES[lang]
    document = docx.Document()
    document.add_heading(title, 0)
    document.add_heading(setup, 1)
    document.add_paragraph(move)
    document.add_heading(turn, 2)
    for text, style in (
        *((move, "List Number"), (load, "List Number"), (docks, "List Bullet 2"), (move, "List Number")),
        *((load, "List Bullet"), (docks, "List Bullet 2"), (move, "List Bullet 3"), (load, "List Bullet")),
    ):
        document.add_paragraph(text, style=style)
    manuscript = read(document, tmp_path)
    assert manuscript.title == title
    assert shown(manuscript) == [
        *(f"# {setup}", move, f"## {turn}", f"1. {move}", f"2. {load}", f"  - {docks}", f"3. {move}"),
        *(f"- {load}", f"  - {docks}", f"    - {move}", f"- {load}"),
    ]
    assert manuscript.unread == ()


def test_all_nine_levels_of_headings(tmp_path: Path) -> None:
    document = docx.Document()
    for level in range(1, 10):
        document.add_heading(f"H{level}", level)
    assert [piece.level for piece in read(document, tmp_path).pieces] == list(range(1, 10))


@pytest.mark.parametrize(
    ("style", "level"),
    [
        ('<w:style w:styleId="Ttulo1"><w:name w:val="Título 1"/></w:style>', 1),
        ('<w:style w:styleId="2"><w:name w:val="标题 2"/></w:style>', 2),
        ('<w:style w:styleId="x"><w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>', 3),
        (
            '<w:style w:styleId="mine"><w:name w:val="Mine"/><w:basedOn w:val="h"/></w:style>'
            '<w:style w:styleId="h"><w:name w:val="heading 1"/></w:style>',
            1,
        ),
    ],
)
def test_headings_are_known_by_name_in_any_language_by_outline_and_by_what_they_are_based_on(
    style: str, level: int, tmp_path: Path
) -> None:
    name = style.split('"')[1]
    path = raw(tmp_path, p("Turn", f'<w:pStyle w:val="{name}"/>') + p("text"), styles=style)
    assert shown(read_docx(path)) == [f"{'#' * level} Turn", "text"]


def test_an_outline_level_of_the_paragraph_itself(tmp_path: Path) -> None:
    assert shown(read_docx(raw(tmp_path, p("Turn", '<w:outlineLvl w:val="1"/>')))) == ["## Turn"]


def test_bold_lines_are_headings_where_there_are_no_others_the_larger_the_higher(tmp_path: Path) -> None:
    bold = "<w:b/>"
    body = [p("Turno", run=f'{bold}<w:sz w:val="32"/>'), p("Roba 1 carta."), p("Mover", run=bold), p("Mueve 1 barco.")]
    body += [p("¿Puedo pasar?", run=bold), p("Sí."), p("Nota: no se puede robar dos veces.", run=bold)]
    assert shown(read_docx(raw(tmp_path, "".join(body)))) == [
        *("# Turno", "Roba 1 carta.", "## Mover", "Mueve 1 barco."),
        *("**¿Puedo pasar?**", "Sí.", "**Nota: no se puede robar dos veces.**"),
    ]


def test_bold_lines_are_text_where_there_are_headings(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Turn", 1)
    document.add_paragraph().add_run("Move").bold = True
    assert shown(read(document, tmp_path)) == ["# Turn", "**Move**"]


# --- lists ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("defined", "body", "expected"),
    [
        (
            numbering(levels(("decimal", "%1."))),
            item("a") + p("between") + item("b") + p("Turn", '<w:outlineLvl w:val="0"/>') + item("c"),
            ["1. a", "between", "2. b", "# Turn", "3. c"],
        ),
        (
            numbering(levels(("decimal", "%1)"), ("bullet", "•"), ("decimal", "%3."))),
            item("a") + item("b", 1, 1) + item("c", 1, 2) + item("d", 1, 2) + item("e", 1, 1) + item("f"),
            ["1. a", "  - b", "    1. c", "    2. d", "  - e", "2. f"],
        ),
        (
            numbering(levels(("decimal", "%1."), ("decimal", "%1.%2"))),
            item("a") + item("b", 1, 1) + item("c", 1, 1) + item("d") + item("e", 1, 1),
            ["1. a", "  - 1.1 b", "  - 1.2 c", "2. d", "  - 2.1 e"],
        ),
        (numbering(levels(("lowerLetter", "%1)"))), item("a") + item("b"), [r"- a) a", r"- b) b"]),
        (numbering(levels(("upperRoman", "%1.")), levels(("decimal", "%1.")), ), item("a") + item("x", 2), ["- I. a", "1. x"]),
        (numbering(levels(("chineseCounting", "%1、"))), item("甲") + item("乙"), ["- 一、 甲", "- 二、 乙"]),
        (numbering(levels(("decimal", "%1."), start=5)), item("a") + item("b"), ["5. a", "6. b"]),
        (
            numbering(levels(("decimal", "%1.")))
            + '<w:num w:numId="2"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>'
            "</w:lvlOverride></w:num>",
            item("a") + item("b") + p("x") + item("c", 2) + item("d", 2),
            ["1. a", "2. b", "x", "1. c", "2. d"],
        ),
        (numbering(levels(("decimal", "%1."))), item("a") + item("b", 0), ["1. a", "b"]),
        (numbering(levels(("decimal", "%1."))), item("a", 77), ["- a"]),
        ("", p("• typed") + p("2) typed"), ["- typed", "2. typed"]),
    ],
)  # fmt: skip
def test_lists_bear_the_numbers_that_word_shows(defined: str, body: str, expected: list[str], tmp_path: Path) -> None:
    assert shown(read_docx(raw(tmp_path, body, numbering=defined))) == expected


def test_a_numbered_heading_keeps_its_number(tmp_path: Path) -> None:
    style = (
        '<w:style w:styleId="h1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="h2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>'
        "</w:pPr></w:style>"
    )
    body = "".join(p(text, f'<w:pStyle w:val="{name}"/>') for text, name in (("A", "h1"), ("B", "h2"), ("C", "h2")))
    lists = numbering(levels(("decimal", "%1"), ("decimal", "%1.%2")))
    assert shown(read_docx(raw(tmp_path, body, styles=style, numbering=lists))) == [r"# 1\. A", "## 1.1 B", "## 1.2 C"]


def test_a_paragraph_as_far_in_as_the_item_before_belongs_to_it(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Move.", style="List Number")
    document.add_paragraph("Even twice.", style="List Continue")
    document.add_paragraph("Load.", style="List Number")
    document.add_paragraph("Done.")
    assert shown(read(document, tmp_path)) == ["1. Move.", "· Even twice.", "2. Load.", "Done."]


@pytest.mark.parametrize(
    ("kind", "count", "written"),
    [("decimal", 3, "3"), ("lowerRoman", 9, "ix"), ("upperLetter", 28, "BB"), ("ideographDigital", 21, "二十一")],
)
def test_numerals(kind: str, count: int, written: str) -> None:
    assert numeral_of(kind, count) == written


# --- text -------------------------------------------------------------------------------------------------------------


def test_emphasis_breaks_and_signs(tmp_path: Path) -> None:
    body = (
        '<w:p><w:r><w:t xml:space="preserve">You may </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>not</w:t></w:r>'
        '<w:r><w:rPr><w:b w:val="0"/><w:i/></w:rPr><w:t xml:space="preserve"> draw</w:t></w:r><w:r><w:t>.</w:t><w:br/>'
        '<w:t>Re</w:t><w:noBreakHyphen/><w:t>roll</w:t><w:tab/><w:sym w:font="Wingdings" w:char="F04A"/></w:r></w:p>'
    )
    assert shown(read_docx(raw(tmp_path, body))) == ["You may **not** *draw*.", "Re-roll ▣"]


def test_tracked_changes_are_accepted(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>Draw </w:t></w:r><w:del><w:r><w:delText>1</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>2</w:t></w:r></w:ins>"
        "<w:moveFrom><w:r><w:t>never</w:t></w:r></w:moveFrom></w:p>"
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>Then </w:t></w:r></w:p>" + p("move.")
    ).replace("<w:t>", '<w:t xml:space="preserve">')
    assert shown(read_docx(raw(tmp_path, body))) == ["Draw 2", "Then move."]


def test_hidden_and_struck_out_text_is_left_out_and_told(tmp_path: Path) -> None:
    body = p("seen") + p("hidden", run="<w:vanish/>") + p("struck", run="<w:strike/>")
    manuscript = read_docx(raw(tmp_path, body))
    assert shown(manuscript) == ["seen"]
    assert {unread.key: unread.values["count"] for unread in manuscript.unread} == {"hidden": "1", "struck": "1"}


def test_notes_stand_after_the_paragraph_and_never_tear_a_list(tmp_path: Path) -> None:
    note = '<w:r><w:footnoteReference w:id="{}"/></w:r></w:p>'
    body = p("Draw.")[:-6] + note.format(2) + p("Go.") + item("a")[:-6] + note.format(3) + item("b") + p("End.")
    notes = f'<w:footnote w:id="2">{p("Not 2.")}</w:footnote><w:footnote w:id="3">{p("Or b.")}</w:footnote>'
    lists = numbering(levels(("decimal", "%1.")))
    assert shown(read_docx(raw(tmp_path, body, footnotes=notes, numbering=lists))) == [
        *(r"Draw. \[1]", r"\[1] Not 2.", "Go.", r"1. a \[2]", "2. b", r"\[2] Or b.", "End.")
    ]


def test_a_text_box_is_read_once_after_its_paragraph_and_pictures_are_marks(tmp_path: Path) -> None:
    space = (
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
    )
    drawn = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    box = f"<w:txbxContent>{p('In the box.')}</w:txbxContent>"
    body = (
        f"<w:p><w:r><mc:AlternateContent {space}><mc:Choice Requires='wps'><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        f"<w:r><w:t>Gain </w:t><w:drawing><wp:inline {drawn}><wp:docPr id='1' name='x' descr='ore'/></wp:inline></w:drawing>"
        "</w:r><w:r><w:drawing/></w:r></w:p>"
    )
    manuscript = read_docx(raw(tmp_path, body))
    assert shown(manuscript) == ["Gain ▣ ore▣", "In the box."]
    assert [unread.key for unread in manuscript.unread] == ["images"]


def test_tables(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(3, 2)
    for row, texts in zip(table.rows, (("Good", "Cost"), ("Ore", "1|2"), ("", "3")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    box = document.add_table(1, 1)
    box.cell(0, 0).text = "In a box."
    layout = document.add_table(1, 2)
    layout.cell(0, 0).paragraphs[0].style = "Heading 1"
    layout.cell(0, 0).paragraphs[0].text = "Turn"
    layout.cell(0, 1).text = "Move."
    assert shown(read(document, tmp_path)) == [
        "[Good | Cost]",
        r"[Ore | 1\|2]",
        "[Ore | 3]",
        "In a box.",
        "# Turn",
        "Move.",
    ]


def test_addresses_of_links_are_told_and_never_fetched(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("See ")
    target = document.part.relate_to("https://example.org/faq", RELATIONSHIP_TYPE.HYPERLINK, True)
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), target)
    link.append(parse_xml(f"<w:r {nsdecls('w')}><w:t>the FAQ</w:t></w:r>"))
    paragraph._p.append(link)
    assert shown(read(document, tmp_path)) == ["See the FAQ (https://example.org/faq)"]


def test_a_table_of_contents_headers_and_footers_are_not_text(tmp_path: Path) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "HEADER"
    document.sections[0].footer.paragraphs[0].text = "FOOTER"
    document.styles.add_style("toc 1", 1)
    document.add_paragraph("Turn ..... 3", style="toc 1")
    document.add_paragraph("Text.")
    assert shown(read(document, tmp_path)) == ["Text."]


# --- files that are refused -------------------------------------------------------------------------------------------


def whole() -> bytes:
    file = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("x " * 5000)
    document.save(file)
    return file.getvalue()


def archive_of(members: dict[str, bytes | str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def with_document(xml: str | bytes) -> bytes:
    return archive_of({"word/document.xml": xml})


def with_type(kind: str) -> bytes:
    types = f'<Types xmlns="{TYPES}"><Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
    return archive_of({"[Content_Types].xml": types, "word/document.xml": f'<w:document xmlns:w="{W}"/>'})


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENTITIES = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
DEEP = f'<w:document xmlns:w="{W}"><w:body>' + "<w:tbl><w:tr><w:tc>" * 5000
MACROS = "application/vnd.ms-word.document.macroEnabled.main+xml"


@pytest.mark.parametrize(
    ("data", "message", "hint"),
    [
        (b"", "no Word document", "save it as .docx"),
        (b"just text", "no Word document", "save it as .docx"),
        (whole()[:3000], "damaged or incomplete", "get the file again"),
        (OLE + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le"), "locked with a password", "save it without one"),
        (OLE + b"\0" * 600 + "WordDocument".encode("utf-16-le"), "older Word", "save it as .docx"),
        (archive_of({"mimetype": "application/vnd.oasis.opendocument.text"}), "OpenDocument", "save it as .docx"),
        (archive_of({"xl/workbook.xml": "<x/>"}), "no Word document", "another kind of file"),
        (with_type(MACROS), "with macros", "save it as .docx"),
        (
            with_type("application/vnd.openxmlformats-officedocument.presentationml.x"),
            "no Word document",
            "another kind",
        ),
        (with_document("<w:document"), "damaged", "get the file again"),
        (with_document(b"<w:document>\xff\xfe</w:document>"), "damaged", "get the file again"),
        (with_document(f"{ENTITIES}<d>&b;</d>"), "document type", "do not trust"),
        (with_document(f"{OUTSIDE}<d>&x;</d>"), "document type", "do not trust"),
        (with_document(f"{ENTITIES}<d>&b;</d>".encode("utf-16")), "document type", "do not trust"),
        (with_document(DEEP), "deeper", "do not trust"),
        (with_document(b" " * 70_000_000), "unpacks to more", "do not trust"),
        (with_document(b"<w:d>" + b" " * 20_000_000), "unpacks to more", "do not trust"),
        (archive_of({f"word/media/{n}.png": b"" for n in range(10_001)}), "10001 parts", ""),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_what_cannot_or_must_not_be_read_is_refused_with_what_to_do(
    data: bytes, message: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / "rules.docx"
    path.write_bytes(data)
    with pytest.raises(DataProblem, match=message) as caught:
        read_docx(path)
    assert caught.value.message.startswith("rules.docx")
    assert hint in caught.value.hint


def test_an_archive_that_says_it_is_huge_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docxfile, "MAX_TOTAL", 10_000)
    path = tmp_path / "rules.docx"
    path.write_bytes(archive_of({"word/media/a.bin": b"a" * 20_000}))
    with pytest.raises(DataProblem, match="would unpack to"):
        read_docx(path)


def test_a_part_is_never_unpacked_beyond_the_limit_whatever_it_says_of_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docxfile, "MAX_PART", 1_000)
    with pytest.raises(DataProblem, match="unpacks to more than any document"):
        read_docx(raw(tmp_path, p("x" * 1_000)))


def test_every_truncation_and_single_damage_is_an_error_or_a_result(tmp_path: Path) -> None:
    data, path = whole(), tmp_path / "rules.docx"
    for place in range(0, len(data), len(data) // 25):
        for damaged in (data[:place], data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]):
            path.write_bytes(damaged)
            try:
                read_docx(path)
            except DataProblem as problem:
                assert problem.hint


def test_a_file_that_is_not_there_is_a_problem_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match=r"cannot read none\.docx"):
        read_docx(tmp_path / "none.docx")
