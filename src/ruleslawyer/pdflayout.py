"""Rows of text -> lines in reading order. Geometry on plain data, in points; ``y`` grows downwards.

A page is a stack of rows. A gutter is a strip that no text crosses over many rows, with lines that begin at its right
edge: a page is divided at its best gutter into what is above, left, right and below, and each part again. So a right
column drawn first, columns of unequal width, headings across columns and boxes come out in the order they are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ruleslawyer.listmarks import split_mark
from ruleslawyer.pdfrows import PageText, Row, body_size, rows_of, turned_rows


class Line(NamedTuple):
    """A line of a column, or a row of a table (then ``cells``).

    ``part``: the number of the column in the document; lines of one part stand below each other.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    page: int
    part: int
    cells: tuple[str, ...] = ()


def lay_out(pages: Sequence[PageText]) -> tuple[Line, ...]:
    """The lines of a document in reading order, without running headers, footers and page numbers."""
    kept = rows_of(pages)
    body = body_size(kept)
    first = [divide(rows, body, ()) for rows in kept]
    known = _known_gutters(first)
    turned = turned_rows(pages)
    lines: list[Line] = []
    part = 0
    for page, rows, before in zip(pages, kept, first, strict=True):
        found = divide(rows, body, known) if known else before
        for area in [*found, *(Area(tuple(rows)) for rows in turned[page.number])]:
            part += 1
            lines += _lines(area, page.number, part)
    return tuple(lines)


# --- columns ----------------------------------------------------------------------------------------------------------


class Area(NamedTuple):
    """Rows that are read from top to bottom; of a table the left edges of its columns from the second on."""

    rows: tuple[Row, ...]
    edges: tuple[float, ...] = ()
    gutters: tuple[float, ...] = ()


class _Gutter(NamedTuple):
    """A strip left of ``x`` beside the rows from ``start`` to before ``end``."""

    score: int
    x: float
    start: int
    end: int


def divide(rows: Sequence[Row], body: float, known: Sequence[float], depth: int = 0) -> list[Area]:
    """Divide rows at their gutters into areas in reading order.

    ``known``: right edges of gutters of other pages, at which two lines are enough to make a column.
    """
    gutter = _best_gutter(rows, body, known) if depth < 30 else None
    if not gutter:
        return [Area(tuple(rows))] if rows else []
    above, band, below = rows[: gutter.start], rows[gutter.start : gutter.end], rows[gutter.end :]
    inner, tail = _table(band, gutter.x, body)
    if not inner:
        left = [Row(r.y, c) for r in band if (c := tuple(c for c in r.chunks if c.x1 <= gutter.x))]
        right = [Row(r.y, c) for r in band if (c := tuple(c for c in r.chunks if c.x1 > gutter.x))]
        inner = [*divide(left, body, known, depth + 1), *divide(right, body, known, depth + 1)]
        inner[0] = inner[0]._replace(gutters=(*inner[0].gutters, gutter.x))
    return [*divide(above, body, known, depth + 1), *inner, *divide([*tail, *below], body, known, depth + 1)]


def _known_gutters(pages: Iterable[Sequence[Area]]) -> tuple[float, ...]:
    found = Counter(round(x) for areas in pages for area in areas for x in area.gutters)
    return tuple(float(x) for x, _ in found.most_common(8))


def _best_gutter(rows: Sequence[Row], body: float, known: Sequence[float]) -> _Gutter | None:
    starts = Counter(round(chunk.x0) for row in rows for chunk in row.chunks)
    edges = [x for x, n in starts.items() if n + starts[x + 1] >= 2 or any(abs(x - k) <= 2 for k in known)]
    edges = sorted(edges, key=lambda x: (-starts[x], x))[:60]
    least = min((chunk.x0 for row in rows for chunk in row.chunks), default=0.0)
    found = [g for x in edges if x > least + body for g in _gutters(rows, x - 1.0, body, known)]
    return max(found, key=lambda g: (g.score, -g.x), default=None)


def _gutters(rows: Sequence[Row], x: float, body: float, known: Sequence[float]) -> Iterator[_Gutter]:
    """The gutters whose right edge is ``x``: runs of rows that leave the strip free, with text on both sides."""
    expected = any(abs(x + 1 - k) <= 2 for k in known)
    start = 0
    for end in range(len(rows) + 1):
        if end < len(rows) and not any(c.x1 > x - 0.75 * body and c.x0 < x for c in rows[end].chunks):
            continue
        for first, last in _spans(rows, start, end, x, body):
            if gutter := _weighed(rows, first, last, x, body, expected):
                yield gutter
        start = end + 1


def _spans(rows: Sequence[Row], start: int, end: int, x: float, body: float) -> Iterator[tuple[int, int]]:
    """A run of rows, cut at headings that stand over both columns, from the first to the last that it concerns."""
    cuts = [n for n in range(start + 1, end - 1) if _stands_alone(rows, n, x, body)]
    for first, last in pairwise([start, *cuts, end]):
        right = [n for n in range(first, last) if any(c.x1 > x for c in rows[n].chunks)]
        if not right:
            continue
        if first == start:
            first = next(n for n in range(first, last) if rows[right[0]].y - rows[n].y < 1.5 * body)
        if last == end < len(rows):
            last = _without_tail(rows, first, last, right[-1] + 1)
        yield first, last


NEAR = 40
"""How many rows above and below a heading are looked at."""


def _stands_alone(rows: Sequence[Row], n: int, x: float, body: float) -> bool:
    """Whether a heading left of ``x`` has nothing beside it and both columns begin anew below it: it goes across."""
    row, size = rows[n], max(chunk.size for chunk in rows[n].chunks)
    if any(c.x1 > x for c in row.chunks) or size < 1.15 * body:
        return False
    if min(rows[n + 1].y - row.y, row.y - rows[n - 1].y) < 1.25 * body:
        return False
    above, below = _nearest(rows[max(0, n - NEAR) : n][::-1], x), _nearest(rows[n + 1 : n + 1 + NEAR], x)
    if not above.right or max(above.size, below.size) > size:
        return False
    if not below.right:
        together = above.left and abs(above.left - above.right) < 2.5 * body
        return bool(together) and row.y - max(above.left, above.right) > 2.5 * body
    return below.right - above.right > max(3 * body, 2 * size) and abs(below.right - below.left) < 1.2 * body


class _Beside(NamedTuple):
    """Where the text left and right of a gutter is nearest, 0 where there is none; the larger of its sizes."""

    left: float
    right: float
    size: float


def _nearest(rows: Sequence[Row], x: float) -> _Beside:
    left = next((c for row in rows for c in row.chunks if c.x1 <= x), None)
    right = next((c for row in rows for c in row.chunks if c.x1 > x), None)
    size = max(chunk.size if chunk else 0.0 for chunk in (left, right))
    return _Beside(left.y if left else 0.0, right.y if right else 0.0, size)


def _without_tail(rows: Sequence[Row], first: int, last: int, tail: int) -> int:
    """Leave the short lines that begin the text below the columns, from ``tail`` on, to that text."""
    left = [row.y for row in rows[first:last] if row.chunks[0].x0 < rows[tail - 1].chunks[-1].x0]
    steps = sorted(b - a for a, b in pairwise(left))
    usual = steps[len(steps) // 2] if steps else 0.0
    return next((n for n in range(tail, last) if rows[n].y - _above(left, rows[n].y) > 1.4 * usual), last)


def _above(places: Sequence[float], y: float) -> float:
    return max((place for place in places if place < y), default=y)


def _weighed(rows: Sequence[Row], start: int, end: int, x: float, body: float, expected: bool) -> _Gutter | None:
    left = right = begins = 0
    nearest = 0.0
    for row in rows[start:end]:
        ends = [c.x1 for c in row.chunks if c.x1 <= x]
        others = [c.x0 for c in row.chunks if c.x0 >= x]
        nearest = max(nearest, *ends) if ends else nearest
        left, right = left + bool(ends), right + bool(others)
        begins += bool(others) and min(others) < x + 3
    few = min(left, right) < 6
    wide = x + 1 - nearest >= (1.5 if few else 0.75) * body
    needed = 1 if expected else 2 if wide and left >= 3 else 3
    enough = right >= needed and left >= min(needed, 2) and begins >= min(needed, 3) and 4 * begins >= right
    return _Gutter(left + right, x, start, end) if enough and (wide or expected) else None


# --- tables -----------------------------------------------------------------------------------------------------------


def _table(band: Sequence[Row], x: float, body: float) -> tuple[list[Area], Sequence[Row]]:
    """The rows on both sides of a gutter as a table, and what stands below it; nothing if they are columns of text."""
    both = [n for n, row in enumerate(band) if row.chunks[0].x1 <= x < row.chunks[-1].x1]
    if len(both) < 2:
        return [], ()
    last = max(n for n, row in enumerate(band) if row.chunks[-1].x1 > x)
    above, rows, tail = band[: both[0]], band[both[0] : last + 1], band[last + 1 :]
    edges = sorted(_edges(rows, body) | {x})
    cells = [_cells(row, edges) for row in rows]
    if not _are_cells(cells) or _are_lists(rows, x):
        return [], ()
    return [*([Area(tuple(above))] if above else []), Area(tuple(rows), tuple(edges))], tail


def _are_cells(cells: Sequence[Sequence[str]]) -> bool:
    """Whether rows are those of a table: most are filled from the first column on, and not with running text."""
    columns = [[c[n] for c in cells if c[n]] for n in range(len(cells[0]))]
    firsts = [c for c in cells if c[0]]
    beside = sum(sum(map(bool, c)) >= 2 for c in firsts)
    sparse = any(3 * len(column) < len(cells) for column in columns)
    if sparse or len(firsts) < 2 or beside < 0.8 * len(firsts) or not _are_rows(cells):
        return False
    return not all(map(_is_running, columns)) and min(map(_middle, columns)) <= 15


def _middle(column: Sequence[str]) -> int:
    return sorted(map(_length, column))[len(column) // 2]


def _is_running(column: Sequence[str]) -> bool:
    """Whether the lines of a column fill it or begin within sentences, as running text does and cells do not."""
    lengths = [_length(text) for text in column]
    full = sum(length > 0.75 * max(lengths) for length in lengths)
    within = sum(text[0].islower() for text in column)
    return max(lengths) >= 12 and max(full / 0.55, within / 0.4) >= len(column)


def _edges(rows: Sequence[Row], body: float) -> set[float]:
    """Left edges of further cells in rows: where chunks begin that have another before them."""
    starts = Counter(round(c.x0) for row in rows for c in row.chunks[1:])
    found: set[float] = set()
    for x, _ in sorted(starts.items(), key=lambda item: -item[1]):
        crossed = any(c.x0 < x - 2 and c.x1 > x for row in rows for c in row.chunks)
        if not crossed and all(abs(x - other) > 1.5 * body for other in found):
            found.add(x - 1.0)
    return found


def _cells(row: Row, edges: Sequence[float]) -> list[str]:
    cells = [""] * (len(edges) + 1)
    for chunk in row.chunks:
        n = sum(chunk.x0 >= edge for edge in edges)
        cells[n] = f"{cells[n]} {chunk.text}".strip()
    return cells


def _length(text: str) -> int:
    return sum(2 if char >= "\u2e80" else 1 for char in text)


def _are_lists(band: Sequence[Row], x: float) -> bool:
    chunks = [c for row in band for c in row.chunks if c.x0 >= x]
    return 3 * sum(split_mark(c.text) is not None for c in chunks) >= len(chunks) > 0


def _are_rows(cells: Sequence[Sequence[str]]) -> bool:
    """Whether most rows have a first cell, or those that have none carry on a long cell of the row above."""
    firsts = sum(bool(c[0]) for c in cells)
    return bool(cells[0][0]) and (2 * firsts >= len(cells) or all(sum(map(bool, c)) == 1 for c in cells if not c[0]))


# --- lines ------------------------------------------------------------------------------------------------------------


def _lines(area: Area, page: int, part: int) -> list[Line]:
    if area.edges:
        return _table_lines(area, page, part)
    return [_line(row, page, part) for row in area.rows]


def _line(row: Row, page: int, part: int) -> Line:
    widest = max(row.chunks, key=lambda chunk: len(chunk.text))
    text = " ".join(chunk.text for chunk in row.chunks)
    bold = all(c.bold for c in row.chunks if any(char.isalnum() for char in c.text))
    return Line(text, row.chunks[0].x0, row.chunks[-1].x1, widest.y, widest.size, bold and widest.bold, page, part)


def _table_lines(area: Area, page: int, part: int) -> list[Line]:
    found: list[Line] = []
    for row in area.rows:
        cells = _cells(row, area.edges)
        line = _line(row, page, part)
        if cells[0] or not found:
            found.append(line._replace(cells=tuple(cells)))
        else:
            merged = tuple(f"{a}\n{b}".strip() for a, b in zip(found[-1].cells, cells, strict=True))
            found[-1] = found[-1]._replace(cells=merged)
    return found
