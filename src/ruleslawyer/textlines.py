"""Plain text -> its units: paragraphs, list items and underlined titles, before anything else is taken for a heading.

Lines of a hard-wrapped text are rejoined; whether it is wrapped, and how wide, is read off the lengths of its lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ruleslawyer.analysis import is_han
from ruleslawyer.listmarks import DASHES, split_mark
from ruleslawyer.rejoining import Rejoiner
from ruleslawyer.terminal import width

NARROWEST, WIDEST = 40, 130
"""Widths, in terminal cells, between which a text may be hard-wrapped."""

FULL, RAGGED = 0.92, 0.8
"""How much of the width a line must fill to go on in the next: after the end of a sentence, and within one."""

SENTENCE_END = (".", "!", "?", "…", "。", "！", "？", "．", ":", "：", ";", "；")
_CLOSING = "\"'”’»)）】」』*_"


class Line(NamedTuple):
    """A line with something on it: its indent in cells, whether a blank line or a page's end stands before it, its page.

    ``page`` is 0 in a text without form feeds.
    """

    text: str
    indent: int
    after_blank: bool
    page: int
    first_of_page: bool = False


class Marker(NamedTuple):
    """What a list item begins with: ``-`` or ``3.``, its style, and the text after it."""

    marker: str
    style: str
    text: str


@dataclass
class Unit:
    """A paragraph (``p``), list item (``item``) or underlined title (``title``), not yet escaped.

    ``depth`` and ``marker`` as in ``manuscript.Piece``, for a title ``depth`` is its level; ``lines`` counts the lines it
    was rejoined from; ``apart``: whether it is the first after a blank line.
    """

    kind: str
    text: str
    apart: bool
    page: int
    depth: int = 0
    marker: str = ""
    lines: int = 1


def units(text: str) -> list[Unit]:
    """The units of a text in order.

    >>> [(u.kind, u.text) for u in units("Turn\\n====\\nDraw:\\n- 1 card\\n- 2 coins")]
    [('title', 'Turn'), ('p', 'Draw:'), ('item', '1 card'), ('item', '2 coins')]
    """
    lines = _without_running_lines(text)
    return _Gathering(lines).gather()


def ends_sentence(text: str) -> bool:
    """Whether a text ends as a sentence does, closing quotes and brackets apart.

    >>> ends_sentence('He said "go."'), ends_sentence("Game board")
    (True, False)
    """
    return text.rstrip(_CLOSING + " ").endswith(SENTENCE_END)


def _is_wide(char: str) -> bool:
    return bool(char) and (is_han(char) or "\u3000" <= char <= "\u303f" or "\uff01" <= char <= "\uff60")


# --- lines ------------------------------------------------------------------------------------------------------------

_RULE = re.compile(r"\s*(?:([-_=*~#·—])\s*)(?:\1\s*){2,}")
_PAGE_NUMBER = re.compile(
    r"(?i)(?:[-–—\[(]\s*)?(?:page|página|p\.|pág\.|第)?\s*\d{1,4}(?:\s*(?:/|of|de)\s*\d{1,4})?\s*页?(?:\s*[-–—\])])?"
)
_EDGE = 2
"""How many lines at either end of a page may be a running header or footer."""

_FEWEST_PAGES = 3


def _without_running_lines(text: str) -> list[Line]:
    """The lines of a text. What repeats at the edges of its pages stays where it stands first.

    Pages end at form feeds, or at ruled lines beside which the same line stands again and again.
    """
    text = text.replace("\u00a0", " ").expandtabs(4)
    by_feed = [page.split("\n") for page in text.split("\f")]
    if len(by_feed) > 1:
        return _joined_pages(by_feed, numbered=True)
    by_rule = _split_at_rules(text.split("\n"))
    if _running(by_rule):
        return _joined_pages(by_rule, numbered=False)
    return list(_lines([text.split("\n")], numbered=False))


def _split_at_rules(lines: Sequence[str]) -> list[list[str]]:
    pages: list[list[str]] = [[]]
    for line in lines:
        if _RULE.fullmatch(line):
            pages.append([])
        else:
            pages[-1].append(line)
    return pages


def _joined_pages(pages: Sequence[Sequence[str]], numbered: bool) -> list[Line]:
    running, kept = _running(pages), set[str]()
    cleaned: list[list[str]] = []
    for page in pages:
        edges, lines = _edges(page), list[str]()
        for n, line in enumerate(page):
            key = _key(line)
            dropped = n in edges and ((key in running and key in kept) or (numbered and _is_page_number(line)))
            if n in edges and key in running:
                kept.add(key)
            if not dropped:
                lines.append(line)
        cleaned.append(lines)
    return list(_lines(cleaned, numbered))


def _running(pages: Sequence[Sequence[str]]) -> set[str]:
    """The lines, digits apart, that stand at the edge of three pages or more, and of every other page."""
    counts = Counter(key for page in pages for key in {_key(page[n]) for n in _edges(page)})
    return {key for key, n in counts.items() if n >= max(_FEWEST_PAGES, len(pages) / 2 - 1)}


def _edges(page: Sequence[str]) -> set[int]:
    filled = [n for n, line in enumerate(page) if line.strip()]
    return {*filled[:_EDGE], *filled[-_EDGE:]}


def _key(line: str) -> str:
    return re.sub(r"\d+", "#", line.strip())


def _is_page_number(line: str) -> bool:
    return bool(_PAGE_NUMBER.fullmatch(line.strip()))


def _lines(pages: Sequence[Sequence[str]], numbered: bool) -> Iterator[Line]:
    for number, page in enumerate(pages, 1):
        blank, first = number == 1, True
        for n, line in enumerate(page):
            stripped = " ".join(line.split())
            if stripped:
                yield Line(stripped, len(line) - len(line.lstrip()), blank, number if numbered else 0, first)
                first = False
            blank = not stripped and (n > 0 or not numbered)


def wrap_width(lines: Sequence[Line]) -> int:
    """The width at which the lines are hard-wrapped, in terminal cells; 0 where they are not.

    Wrapped lines go on below as soon as the next word would not fit: where most lines with a line right below them are that
    full, the text is wrapped.
    """
    widths = sorted(width(line.text) for line in lines)
    wide = widths[int(len(widths) * 0.95)] if widths else 0
    if not NARROWEST <= wide <= WIDEST:
        return 0
    pairs = [(a, b) for a, b in pairwise(lines) if not b.after_blank and not marker_of(b.text)]
    full = sum(_needed(a, b) > FULL * wide for a, b in pairs)
    return wide if full >= 3 and full >= 0.4 * len(pairs) else 0


def _needed(line: Line, after: Line) -> int:
    """The width of a line with the first word of the next."""
    word = after.text[0] if _is_wide(after.text[0]) else after.text.split(" ", 1)[0]
    return line.indent + width(line.text) + (not _is_wide(word)) + width(word)


# --- lists ------------------------------------------------------------------------------------------------------------


def marker_of(text: str) -> Marker | None:
    """The list marker that a line begins with; a letter stays in the text, since Markdown has no such lists.

    >>> marker_of("• Ore"), marker_of("（2）矿石"), marker_of("b) Ore").text, marker_of("2 ore")
    (Marker(marker='-', style='bullet', text='Ore'), Marker(marker='2.', style='number', text='矿石'), 'b) Ore', None)
    """
    mark = split_mark(text)
    if mark is None or re.fullmatch(r"[A-Z]\.", mark.label):
        return None  # a capital and a full stop are somebody's initial, or the mark of an answer
    match mark.kind:
        case "bullet":
            return Marker("-", "dash" if mark.label in DASHES else "bullet", mark.rest)
        case "number" | "han":
            return Marker(f"{mark.number}.", mark.kind, mark.rest)
    return Marker("-", "letter", text)


# --- units ------------------------------------------------------------------------------------------------------------


class _Gathering:
    """Goes through the lines once and gathers the units; ``open_lists`` are the indents and styles of the lists one is in."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.wrapped = wrap_width(lines)
        self.units: list[Unit] = []
        self.open_lists: list[tuple[int, str]] = []
        self.last: Line | None = None
        self.rest: list[str] = []
        self.rejoiner = Rejoiner(line.text for line in lines)

    def gather(self) -> list[Unit]:
        """All units."""
        apart = False
        for line in self.lines:
            if _RULE.fullmatch(line.text):
                apart = not self._underlines(line)
                self.last = None
                continue
            apart = apart or line.after_blank
            self._take(line._replace(after_blank=apart), apart or line.first_of_page)
            self.last, apart = line, False
        self._close()
        return self.units

    def _add(self, unit: Unit) -> None:
        self._close()
        self.units.append(unit)

    def _close(self) -> None:
        """Give the last unit the lines that go on from it."""
        if self.rest:
            self.units[-1].text = self.rejoiner.join([self.units[-1].text, *self.rest])
            self.units[-1].lines += len(self.rest)
            self.rest = []

    def _underlines(self, line: Line) -> bool:
        """Make the line above a title if this one underlines it."""
        above = self.units[-1] if self.units and self.last and not line.after_blank else None
        if above is None or self.rest or above.kind == "title" or line.text[0] not in "=-~":
            return False
        if not 0.6 <= width(line.text) / max(1, width(above.text)) <= 1.6:
            return False
        above.kind, above.depth = "title", 1 if line.text[0] == "=" else 2
        if above.marker not in ("", "-"):
            above.text = f"{above.marker} {above.text}"
        above.marker, self.open_lists = "", []
        return True

    def _take(self, line: Line, apart: bool) -> None:
        marker = marker_of(line.text)
        if marker and not (self._goes_on(line) and marker.style in ("dash", "letter") and not self.open_lists):
            depth = self._depth(line.indent, marker)
            self._add(Unit("item", marker.text, apart, line.page, depth, marker.marker))
        elif self._goes_on(line):
            self.rest.append(line.text)
        elif self.open_lists and line.indent > self.open_lists[-1][0] and self.units[-1].kind == "item":
            depth = len(self.open_lists)
            self._add(Unit("item", line.text, apart, line.page, depth, ""))
        else:
            self.open_lists = []
            self._add(Unit("p", line.text, apart, line.page))

    def _depth(self, indent: int, marker: Marker) -> int:
        """The depth of an item: more indented, or of another style at the same indent, is deeper."""
        while self.open_lists and self.open_lists[-1][0] > indent:
            self.open_lists.pop()
        level = [style for _, style in self.open_lists]
        if (indent, marker.style) in self.open_lists:
            del self.open_lists[self.open_lists.index((indent, marker.style)) + 1 :]
        elif not level or marker.style != "number" or indent > self.open_lists[-1][0]:
            self.open_lists.append((indent, marker.style))
        else:
            self.open_lists = [(indent, marker.style)]
        return len(self.open_lists)

    def _goes_on(self, line: Line) -> bool:
        """Whether a line is the rest of the one before."""
        last = self.last
        if last is None or line.after_blank or not self.units or self.units[-1].kind == "title":
            return False
        if self.open_lists and line.indent > self.open_lists[-1][0] and last.indent != line.indent:
            return True
        goes_lower = line.text[0].islower() and not last.text.endswith((":", "："))
        if not self.wrapped:
            return goes_lower and not ends_sentence(last.text) and width(last.text) >= NARROWEST
        if not self.open_lists and line.indent >= last.indent + 2 and self.rest:
            return False
        filled = _needed(last, line) / self.wrapped
        return filled > (FULL if ends_sentence(last.text) else RAGGED) or (goes_lower and filled > 0.5)
