"""Fitting text to a terminal: widths that count Chinese right, line breaking, marks. Pure functions on strings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate

MAX_WIDTH = 100
"""Lines longer than this are hard to read, however wide the terminal."""

_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_NOT_FIRST = frozenset("，。、；：？！）」』》〉】”’…—·,.;:?!)]}%°")
_NOT_LAST = frozenset("（「『《〈【“‘([{$#")


@cache
def unsafe() -> re.Pattern[str]:
    """What a terminal might obey instead of show, and what has no place in a line; a line feed is none of it."""
    return re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@lru_cache(maxsize=4096)
def char_width(char: str) -> int:
    """Cells a character takes: 2 for wide ones, 0 for marks and controls, else 1.

    The mark that turns ``❤`` into a wide emoji counts 1, so that the two take 2.

    >>> [char_width(c) for c in ("a", "殿", "\\u0301")]
    [1, 2, 0]
    """
    if char == _EMOJI_STYLE:
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width(text: str) -> int:
    """Cells a line of text takes.

    >>> width("平手 tie")
    8
    """
    return sum(map(char_width, text))


def clip(text: str, cells: int) -> str:
    """The text, or as much of it as fits with an ellipsis after it.

    >>> clip("two tied players", 11)
    'two tied...'
    """
    return text if width(text) <= cells else text[: _fitting(text, cells - 3)].rstrip() + "..."


def _joined(text: str, at: int) -> bool:
    """Whether the characters before and after a place in a text are one sign: a letter with its accents, an emoji."""
    before, after = text[at - 1], text[at]
    return before == _JOINER or after in (_JOINER, _EMOJI_STYLE) or "🏻" <= after <= "🏿" or not char_width(after)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Pieces that no line break may divide: words with their punctuation, single Han characters with theirs."""
    start = 0
    for i in range(1, len(text)):
        before, after = text[i - 1], text[i]
        wide = char_width(before) == 2 or char_width(after) == 2
        breakable = before == " " or (wide and after != " ")
        if breakable and after not in _NOT_FIRST and before not in _NOT_LAST and not _joined(text, i):
            yield start, i
            start = i
    if text:
        yield start, len(text)


def break_lines(text: str, cells: int | None) -> list[tuple[int, int]]:
    """Where to break a text so that no line is wider than ``cells``: ``(start, end)`` of each line in the text.

    Breaks stand after spaces and between Han characters, never before closing or after opening punctuation; a word wider
    than a line is divided. The text's own line feeds break too, and are the only ones that do without ``cells``.

    >>> [ "再掷一次骰子。"[a:b] for a, b in break_lines("再掷一次骰子。", 12)]
    ['再掷一次骰', '子。']
    """
    lines: list[tuple[int, int]] = []
    start = 0
    for part in text.split("\n"):
        places = [(0, len(part))] if cells is None else _break_part(part, cells)
        lines += [(start + a, start + b) for a, b in places]
        start += len(part) + 1
    return lines


def _break_part(text: str, cells: int) -> list[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    start = end = 0
    for a, b in _pieces(text):
        if text[a:b].isspace() and end > start:  # goes with the line before it, however many there are
            end = b
            continue
        if end > start and _is_wider(text[start:b].rstrip(), cells):
            lines.append((start, end))
            start = a
        while _is_wider(text[start:b].rstrip(), cells):
            cut = start + max(1, _fitting(text[start:b], cells))
            lines.append((start, cut))
            start = cut
        end = b
    if end > start or not lines:
        lines.append((start, end))
    return [(a, a + len(text[a:b].rstrip())) for a, b in lines]


def _is_wider(text: str, cells: int) -> bool:
    """Whether a text is wider than that; looks no further than it must."""
    return len(text) * 2 > cells and any(used > cells for used in accumulate(map(char_width, text)))


def _fitting(text: str, cells: int) -> int:
    """How many characters fit, without dividing a sign unless it is wider than the line itself."""
    used = 0
    for n, char in enumerate(text):
        used += char_width(char)
        if used > cells:
            return next((at for at in range(n, 0, -1) if not _joined(text, at)), n)
    return len(text)


Marks = Iterable[tuple[int, int, str]]


def styled(text: str, start: int, end: int, marks: Marks) -> str:
    """A slice of a text with ANSI codes for the marks that fall in it: ``bold``, ``hit``, ``dim``.

    >>> styled("a tie", 0, 5, [(2, 5, "hit")])
    'a \\x1b[1;33mtie\\x1b[0m'
    """
    codes = {"bold": "1", "hit": "1;33", "dim": "2"}
    at = [""] * (end - start)
    for a, b, kind in [mark for mark in marks if mark[0] < end and start < mark[1]]:
        for i in range(max(a, start), min(b, end)):
            at[i - start] = codes[kind] if kind != "bold" or not at[i - start] else at[i - start]
    out, current = "", ""
    for char, code in zip(text[start:end], at, strict=True):
        if code != current:
            out += ("\x1b[0m" if current else "") + (f"\x1b[{code}m" if code else "")
            current = code
        out += char
    return out + ("\x1b[0m" if current else "")


def without_escapes(text: str) -> str:
    """Text of the corpus or a person as it may go to a terminal: control characters are shown as a mark, not obeyed.

    No character is added or lost: places in the text stay.

    >>> without_escapes("a\\x1b[31mb")
    'a�[31mb'
    """
    if text.isprintable():
        return text
    return unsafe().sub(lambda found: " " if found[0] == "\t" else "\ufffd", text)
