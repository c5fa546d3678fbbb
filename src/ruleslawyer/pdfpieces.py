"""Lines in reading order -> headings, paragraphs, list items and table rows. Judged by type and place, on plain data.

1. Lines of one style that follow each other without a gap are a block.
2. Blocks in larger or bolder type than the body's are headings, their levels the order of their types in the document.
3. Other blocks are cut into paragraphs and items, and what goes on in the next column or page is joined again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ruleslawyer.escaping import escape_markdown, one_line
from ruleslawyer.listmarks import DASHES, Mark, split_mark
from ruleslawyer.manuscript import Piece
from ruleslawyer.pdfblocks import Block, Body, alike, blocks_of, body_of, heading_levels, in_body_type
from ruleslawyer.pdflayout import Line
from ruleslawyer.rejoining import Rejoiner


def pieces_of(lines: Sequence[Line]) -> tuple[Piece, ...]:
    """The pieces that the lines of a document make up, in order."""
    if not lines:
        return ()
    body = body_of(lines)
    rejoiner = Rejoiner(line.text for line in lines)
    blocks = list(blocks_of(lines, body))
    levels = heading_levels(blocks, body)
    reader = _Reader(body, rejoiner, _edges(lines, body))
    for n, block in enumerate(blocks):
        if n in levels:
            reader.heading(block, levels[n])
        elif block.lines[0].cells:
            reader.row(block.lines[0])
        else:
            reader.text(block)
    return tuple(reader.pieces())


def title_of(pieces: Sequence[Piece], named: str) -> str:
    """The title of a document, plain: its only heading of the first level if it opens it, else its name for itself.

    >>> title_of([Piece("heading", "Harbour", 1, page=1), Piece("heading", "Setup", 2, page=1)], "rules_final.indd")
    'Harbour'
    """
    tops = [piece for piece in pieces if piece.kind == "heading" and piece.level == 1]
    others = any(piece.kind == "heading" and piece.level > 1 for piece in pieces)
    if len(tops) == 1 and others and tops[0] in pieces[:6]:
        return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", tops[0].text)
    poor = re.search(r"\.\w{2,5}$|^untitled|^microsoft|^(?:un)?named|_|^\W*$", named.strip(), re.IGNORECASE)
    return "" if poor else one_line(named)


def _edges(lines: Sequence[Line], body: Body) -> dict[int, tuple[float, float]]:
    """The left and right edge of the running text of each part of the document."""
    found: dict[int, tuple[float, float]] = {}
    for line in lines:
        left, right = found.get(line.part, (line.x0, line.x1))
        known = line.part in found and not in_body_type(line, body.size)
        found[line.part] = (left, right) if known else (min(left, line.x0), max(right, line.x1))
    return found


# --- paragraphs and items ---------------------------------------------------------------------------------------------

_ROMANS = {9: 1, 22: 5, 24: 10}
"""Places in the alphabet of i, v and x, and their values."""
_FULL_STOP = re.compile(r"[.!?:…。！？：][\"'”’»」』)）\]]*$")


class _Open(NamedTuple):
    """A list that is open: what marks its items, where they begin, and the number of the last."""

    kind: str
    label: str
    x: float
    part: int
    number: int


class _Part(NamedTuple):
    """A piece while it may still go on: its lines' texts, and its last line."""

    piece: Piece
    texts: list[str]
    last: Line
    edge: float


class _Reader:
    """Takes blocks and builds pieces; remembers the paragraph and the lists that may go on."""

    def __init__(self, body: Body, rejoiner: Rejoiner, edges: Mapping[int, tuple[float, float]]) -> None:
        self._body = body
        self._edges = edges
        self._rejoiner = rejoiner
        self._parts: list[_Part] = []
        self._lists: list[_Open] = []
        self._text_x = 0.0
        self._now = -1

    def pieces(self) -> Iterator[Piece]:
        """Everything read so far."""
        for part in self._parts:
            text = self._rejoiner.join(part.texts)
            if text:
                kept = text if part.piece.kind == "row" else escape_markdown(text)
                yield part.piece._replace(text=kept)

    def heading(self, block: Block, level: int) -> None:
        """Take a heading."""
        self._lists.clear()
        self._start("heading", block.lines[0], block.lines[0].text, 1e9, level=level)
        for line in block.lines[1:]:
            self._parts[-1].texts.append(line.text)

    def row(self, line: Line) -> None:
        """Take a row of a table."""
        self._lists.clear()
        cells = " | ".join(escape_markdown(self._rejoiner.join(cell.split("\n"))) for cell in line.cells)
        self._start("row", line, f"| {cells} |", 1e9)

    def text(self, block: Block) -> None:
        """Take lines of running text."""
        left = min(line.x0 for line in block.lines)
        edge = max(line.x1 for line in block.lines)
        if left < self._edges[block.lines[0].part][0] + 0.3 * self._body.size:
            edge = self._edges[block.lines[0].part][1]
        for n, line in enumerate(block.lines):
            before = block.lines[n - 1] if n else None
            mark = self._counted(split_mark(line.text))
            if mark and self._is_item(mark, line, before, edge):
                self._item(mark, line, edge)
            elif before is None:
                self._first(line, edge)
            elif self._breaks(before, line, left, edge):
                self._paragraph(line, edge)
            else:
                self._go_on(line, edge)

    # lists

    def _is_item(self, mark: Mark, line: Line, before: Line | None, edge: float) -> bool:
        if mark.kind == "bullet" and mark.label not in DASHES:
            return True
        if mark.kind == "bullet":
            due = before is None or bool(re.search(r"[.:;。：；]$", before.text)) or not _is_full(before, line, edge)
            return due or self._in_list(mark)
        follows = any(o.kind == mark.kind and mark.number == o.number + 1 for o in self._lists)
        if follows:
            return True
        fresh = before is None or not _is_full(before, line, edge) or bool(_FULL_STOP.search(before.text))
        return fresh and (mark.number == 1 or (mark.kind == "number" and before is None and mark.number < 30))

    def _counted(self, mark: Mark | None) -> Mark | None:
        """A mark as its list counts: ``i``, ``v`` and ``x`` are Roman unless a list of letters has come to them."""
        if not mark or mark.kind != "letter" or mark.number not in _ROMANS:
            return mark
        lettered = any(o.kind == "letter" and o.number == mark.number - 1 for o in self._lists)
        return mark if lettered else mark._replace(kind="roman", number=_ROMANS[mark.number])

    def _in_list(self, mark: Mark) -> bool:
        return any(o.label == mark.label for o in self._lists)

    def _item(self, mark: Mark, line: Line, edge: float) -> None:
        depth = self._depth(mark, line)
        del self._lists[depth:]
        self._lists.append(_Open(mark.kind, mark.label, line.x0, line.part, mark.number))
        digits = mark.kind == "number"
        text = mark.rest if digits or mark.kind == "bullet" else f"{mark.label} {mark.rest}"
        self._start("item", line, text, edge, level=depth + 1, marker=f"{mark.number}." if digits else "-")
        self._text_x = line.x0 + 0.3 * line.size

    def _depth(self, mark: Mark, line: Line) -> int:
        """How many open lists an item is inside of: by its place, in a new column by its mark."""
        near = 0.6 * line.size
        for depth, other in enumerate(self._lists):
            carried = mark.kind == other.kind and (
                mark.number == other.number + 1 if mark.number else mark.label == other.label
            )
            if other.part != line.part:
                if carried:
                    return depth
                continue
            beside = abs(other.x - line.x0) <= near and (mark.kind == other.kind or depth == len(self._lists) - 1)
            if beside or line.x0 < other.x - near:
                return depth
        return min(len(self._lists), 5)

    # paragraphs

    def _first(self, line: Line, edge: float) -> None:
        """Take the first line of a block: of a paragraph or item that goes on, or of a new paragraph."""
        open_part = self._open_part(line)
        if open_part and self._is_carried(open_part, line):
            self._now = self._parts.index(open_part)
            self._go_on(line, edge)
            return
        self._paragraph(line, edge)

    def _open_part(self, line: Line) -> _Part | None:
        """The piece that a line at the top of a column may carry on: the last in its type, smaller notes aside."""
        for part in reversed(self._parts[-4:]):
            if part.piece.kind not in ("p", "item"):
                return None
            if alike(part.last, line) or abs(part.last.size - line.size) < 0.06 * line.size:
                return part
            if part.last.size > line.size:
                return None
        return None

    def _is_carried(self, part: _Part, line: Line) -> bool:
        if part.last.part == line.part:
            return False
        if _FULL_STOP.search(part.last.text):
            full = _is_full(part.last, line, part.edge)
            return full and (self._body.indented or self._body.justified) and not self._is_indented(line)
        if part.piece.kind == "item":
            return True
        return line.text[:1].islower() or not self._is_indented(line)

    def _is_indented(self, line: Line) -> bool:
        return line.x0 > self._edges[line.part][0] + 0.7 * line.size

    def _breaks(self, before: Line, line: Line, left: float, edge: float) -> bool:
        """Whether a line begins a new paragraph in its block."""
        if self._lists and self._parts[self._now].piece.kind == "item":
            inside = line.x0 >= self._text_x
            if not inside and before.x0 > line.x0 + 0.5 * line.size:
                return True
            return not inside and self._ends(before, line, edge)
        indented = line.x0 > left + 0.7 * line.size and line.x0 > before.x0 + 0.7 * line.size
        return (indented and before.x0 < left + 0.5 * line.size) or self._ends(before, line, edge)

    def _ends(self, before: Line, line: Line, edge: float) -> bool:
        """Whether a line is so short that the next one's first word would have found room on it."""
        room = edge - before.x1
        if _is_full(before, line, edge):
            return False
        width = max(edge - before.x0, 1.0)
        stopped = bool(_FULL_STOP.search(before.text))
        return (stopped and room > 1.5 * line.size) or (room > 0.35 * width and not line.text[:1].islower())

    def _paragraph(self, line: Line, edge: float) -> None:
        self._start("p", line, line.text, edge)

    def _go_on(self, line: Line, edge: float) -> None:
        part = self._parts[self._now]
        part.texts.append(line.text)
        self._parts[self._now] = part._replace(last=line, edge=edge)

    def _start(self, kind: str, line: Line, text: str, edge: float, level: int = 0, marker: str = "") -> None:
        self._parts.append(_Part(Piece(kind, "", level, marker, line.page), [text], line, edge))
        self._now = len(self._parts) - 1


def _is_full(before: Line, line: Line, edge: float) -> bool:
    """Whether the first word of a line would not have fitted at the end of the line before."""
    word = re.match(r"[\u2e80-\uffff]|\S+", line.text)
    letters = len(word[0]) if word else 1
    each = (line.x1 - line.x0) / max(len(line.text), 1)
    return before.x1 + (letters + 1.5) * each > edge
