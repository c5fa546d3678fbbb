"""A Word document -> manuscript: headings, lists with the numbers that Word counts, tables, notes and text boxes in order.

Written out here because the converter at hand gives every list anew from 1, flattens lists that are nested by indent,
expands entities and opens files and addresses that a document names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from ruleslawyer.docxfile import Archive
from ruleslawyer.docxstyles import (
    Label,
    Numbering,
    Style,
    described,
    number,
    over,
    read_numbering,
    read_styles,
    switch,
    value,
)
from ruleslawyer.listlevels import MAX_DEPTH
from ruleslawyer.listmarks import ICON
from ruleslawyer.manuscript import Manuscript, Piece, Unread
from ruleslawyer.styledtext import BREAK, Run, address_beside, inline, lines, paragraph, plain, tidy

_THROUGH = frozenset(
    ("ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent", "fldSimple", "dir", "bdo", "ruby", "rubyBase")
)
"""Elements that only hold others; tracked insertions are accepted so."""

_NOTES = (("footnotes.xml", "footnote"), ("endnotes.xml", "endnote"))
_MOST_OPEN = 20
_TITLE_WORDS, _TITLE_CHARS = 12, 80
_SENTENCE_END = (".", ",", ";", ":", "?", "!", "。", "，", "；", "：", "？", "！")


def read_docx(path: Path) -> Manuscript:
    """The text of a Word document in reading order, tracked changes accepted, hidden and struck-out text left out.

    Raises:
        DataProblem: the file is no Word document, or is damaged, locked, or too large when unpacked.
    """
    with closing(Archive(path)) as archive:
        body = archive.part(archive.main)
        notes = {kind: _notes(archive.beside_main(name), kind) for name, kind in _NOTES}
        reader = _Reader(
            read_styles(archive.beside_main("styles.xml")),
            read_numbering(archive.beside_main("numbering.xml")),
            notes,
            archive.addresses(),
        )
    found = None if body is None else body.find("body")
    if found is not None:
        reader.blocks(found)
    return reader.manuscript()


def _notes(root: Element | None, kind: str) -> dict[str, Element]:
    return {} if root is None else {note.get("id", ""): note for note in root.iter(kind)}


class _Open(NamedTuple):
    """A list that the next item may belong to."""

    list_id: str
    level: int
    indent: int
    depth: int


def _is_over(one: _Open, list_id: str, level: int, indent: int) -> bool:
    """Whether an open list ends where an item begins, of the same list if that is named."""
    return (one.list_id != list_id or one.level > level) if list_id else one.indent >= indent


class _BoldLine(NamedTuple):
    """A short line all in bold: a heading, if the document has no others."""

    place: int
    size: int


class _Reader:
    """Walks a document and keeps the pieces made of it."""

    def __init__(
        self,
        styles: dict[str, Style],
        numbering: Numbering,
        notes: dict[str, dict[str, Element]],
        addresses: dict[str, str],
    ) -> None:
        self._styles, self._numbering, self._notes, self._addresses = styles, numbering, notes, addresses
        self._pieces: list[Piece] = []
        self._lost: Counter[str] = Counter()
        self._title = ""
        self._lists: list[_Open] = []
        self._bold_lines: list[_BoldLine] = []
        self._boxes: list[Element] = []
        self._due_notes: list[Element] = []
        self._note_numbers: dict[int, int] = {}
        self._joined: list[Run] = []

    def manuscript(self) -> Manuscript:
        """What was read, once all of the body was walked."""
        self._add_notes(len(self._due_notes))
        if not any(piece.kind == "heading" for piece in self._pieces):
            self._raise_bold_lines()
        unread = tuple(Unread(0, key, {"count": str(count)}) for key, count in (+self._lost).items())
        return Manuscript(self._title, tuple(self._pieces), unread)

    def blocks(self, parent: Element) -> None:
        """Take the paragraphs and tables in an element."""
        for element in _seen(parent):
            if element.tag == "p":
                self._paragraph(element)
            elif element.tag == "tbl":
                self._table(element)
            elif element.tag == "altChunk":
                self._lost["parts"] += 1

    # --- paragraphs ---------------------------------------------------------------------------------------------------

    def _style(self, element: Element) -> Style:
        """All that a paragraph is, by itself and by its style."""
        own = described(element)
        named = self._styles.get(value(element, "pPr/pStyle") or "", Style())
        return over(own._replace(strong=None, em=None, hidden=None, size=None), named)

    def _paragraph(self, element: Element) -> None:
        style = self._style(element)
        earlier = len(self._due_notes)
        runs = [*self._joined, *self._runs(element, style)]
        self._joined = []
        if element.find("pPr/rPr/del") is not None:  # its end was deleted: the next one goes on
            self._joined = runs
            return
        if style.contents:
            return
        if any(run.text.strip() for run in runs):
            self._add(element, style, runs, earlier)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.blocks(box)

    def _add(self, element: Element, style: Style, runs: list[Run], earlier: int) -> None:
        """Make a paragraph what it is. ``earlier``: how many notes were due before it."""
        label = self._label(element, style)
        if style.title and not self._title and not self._pieces:
            self._title = plain(tidy(runs))
        elif style.title or (style.outline and style.outline < 10):
            self._add_notes(earlier)
            number_of_it = label.prefix or label.marker if label else ""
            text = [Run(f"{number_of_it} "), *(run._replace(strong=False) for run in runs)]
            self._pieces.append(Piece("heading", inline(text), style.outline or 1))
            self._lists = []
        elif label and (label.marker or label.prefix):
            self._add_item(label, runs)
        elif depth := self._depth_of_rest(style):
            self._pieces.append(Piece("item", inline(runs), depth))
        else:
            self._add_notes(earlier)
            self._add_plain(element, style, runs)

    def _add_item(self, label: Label, runs: list[Run]) -> None:
        if not label.marker:
            self._pieces.append(Piece("p", inline([Run(f"{label.prefix} "), *runs])))
            return
        depth = self._lists[-1].depth if self._lists else 1
        for n, line in enumerate(lines(runs)):
            text = [Run(f"{label.prefix} "), *line] if n == 0 and label.prefix else line
            self._pieces.append(Piece("item", inline(text), depth, "" if n else label.marker))

    def _add_plain(self, element: Element, style: Style, runs: list[Run]) -> None:
        for line in lines(runs):
            if not (piece := paragraph(line)):
                continue
            if piece.kind == "p" and _looks_like_title(line):
                size = max((self._size(run) for run in element.iter("r")), default=0) or style.size or 0
                self._bold_lines.append(_BoldLine(len(self._pieces), size))
            self._pieces.append(piece)

    @staticmethod
    def _size(run: Element) -> int:
        return number(value(run, "rPr/sz")) or 0

    def _depth_of_rest(self, style: Style) -> int:
        """The depth of the item that a paragraph without a number goes on, standing as far in; 0 if it goes on none."""
        if not style.indent or not self._pieces or self._pieces[-1].kind != "item":
            return 0
        return max((one.depth for one in self._lists if 0 < one.indent <= style.indent), default=0)

    def _raise_bold_lines(self) -> None:
        """Bold lines become headings, the larger the type the higher."""
        sizes = sorted({line.size for line in self._bold_lines}, reverse=True)
        for line in self._bold_lines:
            text = _without_stars(self._pieces[line.place].text)
            self._pieces[line.place] = Piece("heading", text, min(6, sizes.index(line.size) + 1))

    # --- lists --------------------------------------------------------------------------------------------------------

    def _label(self, element: Element, style: Style) -> Label | None:
        if style.numbering is None or style.numbering[0] == "0":
            return None
        list_id, level = style.numbering
        if level is None:
            level = self._numbering.level_of_style(list_id, value(element, "pPr/pStyle") or "")
        found = self._numbering.level(list_id, level)
        if style.outline is None:
            indent = style.indent if style.indent is not None else found.indent if found else None
            self._enter(list_id, level, indent or 0)
        return self._numbering.label(list_id, level)

    def _enter(self, list_id: str, level: int, indent: int) -> None:
        """Close the lists that an item ends and open its own: one list nests by level, different ones by indent."""
        if not self._pieces or self._pieces[-1].kind != "item":
            self._lists = [one for one in self._lists if one.list_id == list_id]
        same = any(one.list_id == list_id for one in self._lists)
        while self._lists and _is_over(self._lists[-1], list_id if same else "", level, indent):
            self._lists.pop()
        depth = self._lists[-1].depth + 1 if self._lists else level + 1
        if same and self._lists and self._lists[-1].level == level:
            depth = self._lists.pop().depth
        del self._lists[:-_MOST_OPEN]
        self._lists.append(_Open(list_id, level, indent, min(depth, MAX_DEPTH)))

    # --- notes --------------------------------------------------------------------------------------------------------

    def _note(self, element: Element, kind: str) -> str:
        note = self._notes[kind].get(element.get("id", ""))
        if note is None:
            return ""
        if id(note) not in self._note_numbers:
            self._note_numbers[id(note)] = len(self._note_numbers) + 1
            self._due_notes.append(note)
        return f" [{self._note_numbers[id(note)]}]"

    def _add_notes(self, count: int) -> None:
        """Put the first notes due here, where they do not tear a list or table apart."""
        due, self._due_notes = self._due_notes[:count], self._due_notes[count:]
        for note in due:
            runs = [Run(f"[{self._note_numbers[id(note)]}] ")]
            for element in note.iter("p"):
                runs += [*self._runs(element, self._style(element)), Run(" ")]
            self._pieces.append(Piece("p", inline(runs)))

    # --- runs ---------------------------------------------------------------------------------------------------------

    def _runs(self, parent: Element, style: Style) -> Iterator[Run]:
        for element in _seen(parent):
            if element.tag == "r":
                yield from self._run(element, style)
            elif element.tag == "hyperlink":
                yield from self._link(element, style)
            elif element.tag in ("m:oMath", "m:oMathPara"):
                yield Run(_formula(element))

    def _link(self, element: Element, style: Style) -> Iterator[Run]:
        runs = list(self._runs(element, style))
        yield from runs
        if address := address_beside(self._addresses.get(element.get("r:id", ""), ""), plain(runs)):
            yield Run(f" ({address})")

    def _run(self, element: Element, style: Style) -> Iterator[Run]:
        named = self._styles.get(value(element, "rPr/rStyle") or "", Style())
        look = over(over(described(element), named), style)
        text = "".join(self._text(part) for part in _seen(element))
        struck = any(switch(element.find("rPr"), name) for name in ("strike", "dstrike"))
        if look.hidden or struck:
            self._lost["hidden" if look.hidden else "struck"] += bool(text.strip())
            return
        for n, line in enumerate(text.split(BREAK.text)):
            if n:
                yield BREAK
            yield Run(line, bool(look.strong), bool(look.em))

    def _text(self, part: Element) -> str:
        match part.tag:
            case "t":
                return part.text or ""
            case "br" | "cr":
                return BREAK.text
            case "tab" | "ptab":
                return " "
            case "noBreakHyphen":
                return "-"
            case "sym":
                return ICON
            case "footnoteReference" | "endnoteReference":
                return self._note(part, part.tag.removesuffix("Reference"))
            case "drawing" | "pict" | "object":
                return self._drawing(part)
        return ""

    def _drawing(self, part: Element) -> str:
        """The boxes of a drawing are read after the paragraph; a picture is a mark with its description."""
        boxes = [box for box in _all_seen(part) if box.tag == "txbxContent"]
        self._boxes += boxes
        if boxes:
            return ""
        named = next((e for e in part.iter("x:docPr")), None)
        says = "" if named is None else (named.get("descr") or "").strip()
        self._lost["images"] += not says
        return f"{ICON} {says}".rstrip()

    # --- tables -------------------------------------------------------------------------------------------------------

    def _table(self, table: Element) -> None:
        rows = [[cell for cell in _seen(row) if cell.tag == "tc"] for row in _seen(table) if _is_row(row)]
        wide = any(len(row) > 1 for row in rows)
        if not wide or any(self._arranges(cell) for row in rows for cell in row):
            for cell in (cell for row in rows for cell in row):
                self.blocks(cell)
            return
        above: dict[int, str] = {}
        for row in rows:
            self._row(row, above)

    def _arranges(self, cell: Element) -> bool:
        """Whether a cell holds what no cell of a table of data does: a heading or another table."""
        for element in _seen(cell):
            if element.tag == "tbl" or (element.tag == "p" and (self._style(element).outline or 10) < 10):
                return True
        return False

    def _row(self, row: list[Element], above: dict[int, str]) -> None:
        """A row; a cell that reaches down from the row above says the same here. ``above``: texts by column."""
        texts, column = [], 0
        for cell in row:
            merged = cell.find("tcPr/vMerge")
            goes_on = merged is not None and merged.get("val", "continue") == "continue"
            text = above.get(column, "") if goes_on else self._cell(cell)
            above[column] = text if merged is not None and len(text) <= 200 else ""
            texts.append(text)
            column += max(1, number(value(cell, "tcPr/gridSpan")) or 1)
        if any(texts):
            self._pieces.append(Piece("row", " | ".join(texts)) if len(texts) > 1 else Piece("p", texts[0]))

    def _cell(self, cell: Element) -> str:
        runs: list[Run] = []
        waiting = [cell]
        for element in (found for place in waiting for found in _seen(place)):
            if element.tag != "p":
                continue
            style = self._style(element)
            numbering = style.numbering
            label = (
                self._numbering.label(numbering[0], numbering[1] or 0) if numbering and numbering[0] != "0" else None
            )
            before = (label.prefix or label.marker.removeprefix("-")) if label else ""
            runs += [Run(f" {before} "), *self._runs(element, style)]
            waiting += self._boxes
            self._boxes = []
        return inline(runs)


_JOINED = {"m:f": ("/", "m:num", "m:den"), "m:sSup": ("^", "m:e", "m:sup"), "m:sSub": ("_", "m:e", "m:sub")}
"""Formulas whose two parts stand one above the other: without a sign between them 1/2 would be 12."""


def _formula(element: Element) -> str:
    """A formula in one line."""
    if element.tag == "m:t":
        return element.text or ""
    if element.tag not in _JOINED:
        inside = "".join(map(_formula, element))
        if element.tag != "m:d":
            return inside
        left, right = (value(element.find("m:dPr"), f"m:{name}", "m:val") for name in ("begChr", "endChr"))
        return f"{'(' if left is None else left}{inside}{')' if right is None else right}"
    sign, *names = _JOINED[element.tag]
    parts = [_formula(part) for name in names if (part := element.find(name)) is not None]
    return sign.join(part if part.isalnum() else f"({part})" for part in parts)


def _seen(parent: Element) -> Iterator[Element]:
    """The children of an element, those of elements that only hold others among them; of alternatives the first."""
    for element in parent:
        if element.tag in _THROUGH:
            yield from _seen(element)
        elif element.tag == "x:AlternateContent":
            chosen = element.find("x:Choice")
            yield from _seen(chosen if chosen is not None else element)
        elif element.tag == "x:Fallback":
            yield from _seen(element)
        else:
            yield element


def _all_seen(parent: Element) -> Iterator[Element]:
    """What is below an element, depth first; nothing below a text box."""
    for element in _seen(parent):
        yield element
        if element.tag != "txbxContent":
            yield from _all_seen(element)


def _is_row(element: Element) -> bool:
    return element.tag == "tr" and element.find("trPr/del") is None


def _without_stars(markdown: str) -> str:
    """A wholly bold piece without its stars."""
    return markdown.removeprefix("**").removesuffix("**")


def _looks_like_title(runs: Iterable[Run]) -> bool:
    tidied = tidy(runs)
    text = plain(tidied)
    short = len(text) <= _TITLE_CHARS and len(text.split()) <= _TITLE_WORDS
    return short and all(run.strong for run in tidied) and not text.endswith(_SENTENCE_END)
