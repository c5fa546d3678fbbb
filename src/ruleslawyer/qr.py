"""QR codes as terminal text: black on white whatever the terminal's colours are, two rows of squares to a line."""

from __future__ import annotations

import re

import segno

QUIET = 4
"""Squares of white around a code, without which cameras do not find it."""

_BLACK_ON_WHITE, _BLACK, _RESET = "\x1b[38;5;16;48;5;231m", "\x1b[48;5;16m", "\x1b[0m"
"""The black and the white of the 256 colours: unlike the first sixteen, no theme changes them."""

_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
_FULL = re.compile("█+")


def qr_lines(text: str) -> list[str]:
    """A code for a text, line by line, without colours: what is not blank is black.

    >>> lines = qr_lines("http://192.168.1.20:8000/")
    >>> len(lines), {len(line) for line in lines}
    (17, {33})
    """
    rows = [list(row) for row in segno.make(text, error="l", micro=False).matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[bool(a), bool(b)] for a, b in zip(upper, lower, strict=True)) for upper, lower in pairs]


def painted(lines: list[str]) -> list[str]:
    """The lines of a code with their colours, which end with each line.

    Black all over is paper and not ink, since ink may leave gaps between lines.

    >>> painted(["█▀"])
    ['\\x1b[38;5;16;48;5;231m\\x1b[48;5;16m \\x1b[38;5;16;48;5;231m▀\\x1b[0m']
    """
    return [f"{_BLACK_ON_WHITE}{_FULL.sub(_as_paper, line)}{_RESET}" for line in lines]


def _as_paper(run: re.Match[str]) -> str:
    return f"{_BLACK}{' ' * len(run[0])}{_BLACK_ON_WHITE}"


def fits(lines: list[str], columns: int, rows: int, encoding: str) -> bool:
    """Whether a terminal of this size and encoding can show a code.

    >>> fits(["▀▄"], 80, 24, "utf-8"), fits(["▀▄"], 1, 24, "utf-8"), fits(["▀▄"], 80, 24, "ascii")
    (True, False, False)
    """
    try:
        "".join(lines).encode(encoding)
    except UnicodeEncodeError:
        return False
    return len(lines[0]) <= columns and len(lines) < rows
