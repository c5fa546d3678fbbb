"""Fragments of text on pages -> rows of chunks on one baseline, without running headers, footers and page numbers.

Geometry on plain data, in points; ``y`` grows downwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ruleslawyer.listmarks import BULLETS, split_mark
from ruleslawyer.pdffragments import Fragment


class PageText(NamedTuple):
    """A page as it was drawn: its fragments by writing direction (degrees), and the depths of its top and bottom."""

    number: int
    groups: Mapping[int, Sequence[Fragment]]
    top: float = 0.0
    bottom: float = 0.0


class Chunk(NamedTuple):
    """Fragments of one row that belong together: no gap as wide as a gutter is between them.

    ``size`` and ``bold`` are those of most of its characters; of letters in small capitals the size of the large ones.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool


class Row(NamedTuple):
    """Chunks on one baseline, from left to right."""

    y: float
    chunks: tuple[Chunk, ...]


def rows_of(pages: Sequence[PageText]) -> list[list[Row]]:
    """The rows of each page's main text, without running headers, footers and page numbers."""
    return without_running([(page, _rows(_main(page))) for page in pages])


def turned_rows(pages: Sequence[PageText]) -> dict[int, list[list[Row]]]:
    """By page number the rows written in other directions than its main text, but for what several pages repeat."""
    found = {p.number: [_rows(g) for _, g in sorted(p.groups.items()) if g is not _main(p)] for p in pages}
    seen = Counter(_plain_rows(rows) for groups in found.values() for rows in groups)
    return {number: [rows for rows in groups if seen[_plain_rows(rows)] < 3] for number, groups in found.items()}


def _plain_rows(rows: Sequence[Row]) -> str:
    return _plain("".join(chunk.text for row in rows for chunk in row.chunks))


def _main(page: PageText) -> Sequence[Fragment]:
    return max(page.groups.values(), key=_letters, default=())


def _letters(fragments: Iterable[Fragment]) -> int:
    return sum(len(fragment.text) for fragment in fragments)


# --- rows -------------------------------------------------------------------------------------------------------------


def _rows(fragments: Sequence[Fragment]) -> list[Row]:
    """Fragments by baseline; raised and lowered ones, drop capitals and stray bullets go to the line they stand at."""
    groups: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda f: (f.y, f.x0)):
        last = groups[-1] if groups else None
        if last and fragment.y - last[0].y <= 0.25 * min(fragment.size, last[0].size):
            last.append(fragment)
        else:
            groups.append([fragment])
    _settle(groups)
    return [Row(_baseline(group), tuple(_chunks(group))) for group in groups if group]


def _baseline(group: Sequence[Fragment]) -> float:
    return max(group, key=lambda fragment: len(fragment.text)).y


def _settle(groups: list[list[Fragment]]) -> None:
    """Move what is not on its line's baseline to that line."""
    for at, group in enumerate(groups):
        for fragment in [f for f in group if len(f.text) <= 4] if len(group) < 200 else []:
            near = [g for g in groups[max(0, at - 6) : at + 3] if g is not group]
            if first := _after_drop_capital(fragment, near, group):
                group.remove(fragment)
                line = next(g for g in near if first in g)
                line.append(first._replace(text=fragment.text, x0=first.x0 - 0.1, x1=first.x0))
            elif beside := _line_beside(fragment, near, group):
                group.remove(fragment)
                at_line = beside[0]
                raised = fragment.size < 0.85 * at_line.size and fragment.y < at_line.y and fragment.text.isdigit()
                beside.append(fragment._replace(text=f"[{fragment.text}]" if raised else fragment.text, y=at_line.y))


def _after_drop_capital(capital: Fragment, near: Sequence[list[Fragment]], own: Sequence[Fragment]) -> Fragment | None:
    """What a large initial begins: the topmost of the lines that stand right of it and beside it."""
    if len(capital.text) > 1 or not capital.text.isalpha():
        return None

    def beside(f: Fragment) -> bool:
        close = -0.5 < f.x0 - capital.x1 < 1.5 * f.size and 1.8 * f.size < capital.size
        return close and capital.y - 0.8 * capital.size < f.y < capital.y + 1

    lines = [f for group in near for f in group if beside(f)]
    enough = len(lines) + any(beside(f) for f in own) >= 2
    return min(lines, key=lambda f: f.y) if lines and enough else None


def _line_beside(mark: Fragment, near: Sequence[list[Fragment]], own: Sequence[Fragment]) -> list[Fragment] | None:
    """The line that a raised or lowered mark, or a bullet drawn a little off, belongs to."""
    bullet = mark.text in BULLETS
    if any(f is not mark and abs(f.x0 - mark.x1) < 2 * mark.size and f.size <= 1.2 * mark.size for f in own):
        return None

    def beside(f: Fragment) -> bool:
        if bullet:
            return 0 <= f.x0 - mark.x1 < 4 * f.size and abs(f.y - mark.y) < 0.5 * f.size
        small = mark.size < 0.85 * f.size
        touching = -0.1 * f.size < mark.x0 - f.x1 < 0.3 * f.size or -0.1 * f.size < f.x0 - mark.x1 < 0.3 * f.size
        return small and touching and -0.6 * f.size < mark.y - f.y < 0.35 * f.size

    return next((group for group in near if any(beside(f) for f in group)), None)


def _chunks(group: Sequence[Fragment]) -> Iterator[Chunk]:
    parts: list[Fragment] = []
    for fragment in sorted(group, key=lambda f: f.x0):
        if parts and not _joins(parts, fragment):
            yield _chunk(parts)
            parts = []
        parts.append(fragment)
    if parts:
        yield _chunk(parts)


def _joins(parts: Sequence[Fragment], after: Fragment) -> bool:
    """Whether a fragment goes on where another ends; a bullet or an item's number is never parted from its text."""
    gap, size = after.x0 - parts[-1].x1, min(after.size, parts[-1].size)
    if gap <= 0.8 * size:
        return True
    text = "".join(part.text for part in parts)
    mark = split_mark(text + " x")
    return mark is not None and mark.rest == "x" and gap <= 5 * size


def _chunk(parts: Sequence[Fragment]) -> Chunk:
    text = parts[0].text
    for before, after in pairwise(parts):
        size = min(before.size, after.size)
        wide = before.text[-1] >= "\u2e80" or after.text[0] >= "\u2e80"
        gap = after.x0 - before.x1
        wide = wide and not (before is parts[0] and len(text) == 1)
        space = (after.spaced and gap > 0.05 * size) or gap > (0.6 if wide else 0.18) * size
        text += " " * space + after.text
    letters = Counter[float]()
    for part in parts:
        letters[part.size] += len(part.text)
    bold = 2 * sum(len(p.text) for p in parts if p.bold) > len(text)
    every = all(p.bold for p in parts if any(c.isalnum() for c in p.text))
    return Chunk(text, parts[0].x0, max(p.x1 for p in parts), parts[0].y, _size(letters, text), bold and every)


def _size(letters: Counter[float], text: str) -> float:
    size, largest = letters.most_common(1)[0][0], max(letters)
    return largest if size < largest <= size * 1.5 and text.isupper() else size


def body_size(pages: Sequence[Sequence[Row]]) -> float:
    """The size of most of a document's letters."""
    letters = Counter[float]()
    for rows in pages:
        for row in rows:
            for chunk in row.chunks:
                letters[round(chunk.size, 1)] += len(chunk.text)
    return letters.most_common(1)[0][0] if letters else 10.0


# --- running headers and footers --------------------------------------------------------------------------------------

MARGIN = 0.11
"""The part of a page's height, above and below, where headers and footers stand."""

_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"(?:[-–—|•·]\s*)?(?:p(?:age|[áa]gina|[áa]g)?\.?\s*|第\s*)?(?:\d{1,4}|[ivxl]{1,7})"
    r"(?:\s*(?:/|of|de|页|頁|共)\s*\d{0,4}\s*[页頁]?)*(?:\s*[-–—|•·])?",
    re.IGNORECASE,
)


_Slot = tuple[str, int]
"""A margin, ``top`` or ``bottom``, and a distance from that edge of the page in steps of 3 points."""


def without_running(pages: Sequence[tuple[PageText, list[Row]]]) -> list[list[Row]]:
    """The rows of each page without page numbers and what repeats, numbers aside, at one height in the margins."""
    found: dict[_Slot, Counter[str]] = {}
    for page, rows in pages:
        for slot, row in _margin_rows(page, rows):
            for chunk in row.chunks:
                for near in (-1, 0, 1):
                    found.setdefault((slot[0], slot[1] + near), Counter())[_plain(chunk.text)] += 1
    body = body_size([rows for _, rows in pages])
    return [_kept(page, rows, found, len(pages), body) for page, rows in pages]


def _kept(page: PageText, rows: list[Row], found: Mapping[_Slot, Counter[str]], total: int, body: float) -> list[Row]:
    """The rows between the first and the last that are not running; a running row has none but such outside of it."""
    slots = {id(row): slot for slot, row in _margin_rows(page, rows)}
    kept = list(rows)
    for at, inner in ((0, 1), (-1, -2)):
        while kept and (slot := slots.get(id(kept[at]))):
            row = kept[at]
            apart = len(kept) == 1 or abs(kept[inner].y - row.y) > 1.6 * body
            if not _is_page_number(row) and not _is_running(row, found[slot], total, body, apart):
                break
            kept.pop(at)
    return kept


def _margin_rows(page: PageText, rows: Sequence[Row]) -> Iterator[tuple[_Slot, Row]]:
    """The rows in the margins, each with its margin and its distance from the page's edge."""
    height = page.bottom - page.top
    for row in rows:
        if row.y - page.top < MARGIN * height:
            yield ("top", round((row.y - page.top) / 3)), row
        elif page.bottom - row.y < MARGIN * height:
            yield ("bottom", round((page.bottom - row.y) / 3)), row


def _plain(text: str) -> str:
    return re.sub(r"\W", "", _NUMBERS.sub("#", text)).casefold() or "#"


def _is_running(row: Row, texts: Counter[str], total: int, body: float, apart: bool) -> bool:
    """Whether the texts of a row are on several pages at this height, or are of those that change by chapter.

    Rows close to the text, or in type larger than its, could belong to it: they must be on most pages.
    """
    if total < 3:
        return False
    repeated = [n for n in texts.values() if n >= 2]
    mostly = sum(repeated) >= max(3, 0.75 * texts.total()) and texts.total() >= 0.6 * total
    large = max(chunk.size for chunk in row.chunks) > 1.1 * body
    enough = max(4, 0.6 * total) if large or not apart else 2 if total < 5 else 3
    others = [chunk for chunk in row.chunks if texts[_plain(chunk.text)] < enough]
    numbered = len(others) < len(row.chunks) and all(_PAGE_NUMBER.fullmatch(chunk.text) for chunk in others)
    return numbered or (mostly and apart and not large and sum(len(chunk.text) for chunk in row.chunks) <= 60)


def _is_page_number(row: Row) -> bool:
    return len(row.chunks) == 1 and _PAGE_NUMBER.fullmatch(row.chunks[0].text.strip()) is not None
