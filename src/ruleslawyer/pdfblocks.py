"""Lines in reading order -> blocks, and which of them are headings of which level. Judged by type, on plain data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ruleslawyer.listmarks import split_mark
from ruleslawyer.pdflayout import Line

MAX_LEVEL = 4


class Body(NamedTuple):
    """The running text: its size, whether it is bold, the distance of its lines, how its paragraphs look."""

    size: float
    bold: bool
    leading: float
    indented: bool
    justified: bool


class Block(NamedTuple):
    """Lines of one style without a gap; ``gap``: the distance to the line above, 0 at the top of a column."""

    lines: tuple[Line, ...]
    gap: float

    @property
    def text(self) -> str:
        """Its lines, each parted by a space."""
        return " ".join(line.text for line in self.lines)

    @property
    def size(self) -> float:
        """The size of its type; of small capitals that of the large ones."""
        return max(line.size for line in self.lines)


def heading_levels(blocks: Sequence[Block], body: Body) -> dict[int, int]:
    """The places of the blocks that are headings, each with its level from 1."""
    styles = {n: style for n in range(len(blocks)) if (style := _heading_style(blocks, n, body))}
    levels = _levels(styles.values())
    return {n: levels[style] for n, style in styles.items()}


# --- blocks -----------------------------------------------------------------------------------------------------------


def body_of(lines: Sequence[Line]) -> Body:
    """What most of a document's text looks like."""
    sizes, bold = Counter[float](), Counter[bool]()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    size = sizes.most_common(1)[0][0]
    for line in lines:
        if abs(line.size - size) < 0.06 * size:
            bold[line.bold] += len(line.text)
    steps = [
        (a, b)
        for a, b in pairwise(lines)
        if a.part == b.part and in_body_type(a, size) and in_body_type(b, size) and b.y > a.y
    ]
    return Body(size, bold[True] > bold[False], _leading(steps, size), _indented(steps), _justified(lines))


def in_body_type(line: Line, size: float) -> bool:
    """Whether a line is running text of this size."""
    return abs(line.size - size) < 0.06 * size and not line.cells


def _indented(steps: Sequence[tuple[Line, Line]]) -> bool:
    """Whether paragraphs begin with an indent: lines that begin further right than the line above and the one below."""
    starts = sum(
        0.7 * b.size < b.x0 - a.x0 < 4 * b.size and 0.7 * b.size < c.x0 - d.x0 < 4 * b.size
        for (a, b), (c, d) in pairwise(steps)
        if b is c and not split_mark(a.text) and not split_mark(b.text)
    )
    return starts >= 3


def _justified(lines: Sequence[Line]) -> bool:
    """Whether most lines of the document's columns end at one edge."""
    edges: dict[int, list[float]] = {}
    for line in lines:
        edges.setdefault(line.part, []).append(line.x1)
    ends = [(max(part) - x) < 0.1 * lines[0].size for part in edges.values() if len(part) > 4 for x in part]
    return 2 * sum(ends) > len(ends)


def _leading(steps: Sequence[tuple[Line, Line]], size: float) -> float:
    """The distance of most lines of the body's type to the next, the smaller where two are as frequent."""
    found = Counter(round(2 * (b.y - a.y)) / 2 for a, b in steps)
    common = [step for step, n in found.items() if n >= 0.5 * max(found.values()) and step >= 0.9 * size]
    return min(common, default=1.2 * size)


def alike(a: Line, b: Line) -> bool:
    """Whether two lines are in one type; capitals may be a line of small capitals."""
    capitals = a.text.isupper() and b.text.isupper() and min(a.size, b.size) >= 0.7 * max(a.size, b.size)
    same = abs(a.size - b.size) <= 0.06 * max(a.size, b.size) or capitals
    return same and a.bold == b.bold and not a.cells and not b.cells


def blocks_of(lines: Sequence[Line], body: Body) -> Iterator[Block]:
    """Cut lines into blocks, at gaps and where the type changes."""
    gathered: list[Line] = []
    gap = 0.0
    for line in lines:
        if gathered and not _goes_on(gathered[-1], line, body):
            yield Block(tuple(gathered), gap)
            gap = line.y - gathered[-1].y if line.part == gathered[-1].part else 0.0
            gathered = []
        gathered.append(line)
    if gathered:
        yield Block(tuple(gathered), gap)


def _goes_on(before: Line, line: Line, body: Body) -> bool:
    if before.part != line.part:
        return False
    tight = line.y - before.y <= 1.17 * body.leading * max(line.size, before.size, body.size * 0.8) / body.size
    return tight and (alike(before, line) or _bold_lead(before, line, body))


def _bold_lead(before: Line, line: Line, body: Body) -> bool:
    """Whether bold words fill a line of a paragraph that goes on in the usual type, or the other way round."""
    if abs(before.size - line.size) > 0.06 * line.size or before.cells or line.cells or before.bold == line.bold:
        return False
    return before.x1 > line.x1 - 2 * body.size and not re.search(r"[.:!?。：！？]$", before.text)


# --- headings ---------------------------------------------------------------------------------------------------------


class _Style(NamedTuple):
    """The type of a heading, the most important first when sorted: size (negative), not bold, depth of its number."""

    size: float
    plain: bool
    depth: int


_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s+(?=[^\W\d_])")
_LEADERS = re.compile(r"(?:[.…·]\s?){4,}\s*\w*$")
"""Dots that lead to a page number: a line of the contents."""
_ENDS = re.compile(r"[.;,。；，、][\"'”’»」』)）]*$")


def _heading_style(blocks: Sequence[Block], n: int, body: Body) -> _Style | None:
    block = blocks[n]
    first = block.lines[0]
    if first.cells or len(block.lines) > 3 or _LEADERS.search(first.text) or not re.search(r"[^\W\d_]", block.text):
        return None
    mark, number = split_mark(block.text), _NUMBERED.match(block.text)
    if mark and mark.kind == "bullet":
        return None
    depth = number[1].count(".") + 1 if number else 0
    style = _Style(-block.size, not first.bold or body.bold, depth)
    if block.size >= 1.1 * body.size:
        return style if _is_short(block.text, 160) and not _is_sentence(block.text) else None
    if first.size < 0.94 * body.size or not _is_short(block.text, 90) or _ENDS.search(block.text):
        return None
    if first.bold and not body.bold:
        return style if len(block.lines) <= 2 and not _carries_on(blocks, n) else None
    alone = block.gap != 0 and len(block.lines) == 1 and n + 1 < len(blocks) and depth >= 2
    return style if alone else None


def _is_short(text: str, limit: int) -> bool:
    return sum(2.2 if char >= "\u2e80" else 1 for char in text) <= limit


def _is_sentence(text: str) -> bool:
    """Whether larger type is an opening paragraph or a remark, not a heading."""
    return bool(_ENDS.search(text)) and not _is_short(text, 40)


def _carries_on(blocks: Sequence[Block], n: int) -> bool:
    """Whether a bold block is the end of a paragraph above it, or its last line is carried on below in usual type."""
    block = blocks[n]
    above = blocks[n - 1] if n else None
    if above and 0 < block.gap <= 1.05 * (above.lines[0].size * 1.25) and re.search(r"[,;，；、]$|\w-$", above.text):
        return True
    below = blocks[n + 1] if n + 1 < len(blocks) else None
    return bool(below and below.gap > 0 and below.text[:1].islower() and _alike_size(block, below))


def _alike_size(a: Block, b: Block) -> bool:
    return abs(a.lines[0].size - b.lines[0].size) < 0.06 * a.lines[0].size


def _levels(styles: Iterable[_Style]) -> dict[_Style, int]:
    """The level of every heading type: larger before smaller, bold before plain, outer number before inner."""
    numbers: dict[_Style, int] = {}
    level, last = 0, None
    for style in sorted(set(styles)):
        if last is None or not _one_level(last, style):
            level += 1
            last = style
        numbers[style] = min(level, MAX_LEVEL)
    return numbers


def _one_level(a: _Style, b: _Style) -> bool:
    """Whether two types are one: nearly one size and weight, and not both numbered to another depth."""
    same = abs(a.size - b.size) <= 0.05 * -a.size and a.plain == b.plain
    return same and (a.depth == b.depth or not a.depth or not b.depth or max(a.depth, b.depth) == 1)
