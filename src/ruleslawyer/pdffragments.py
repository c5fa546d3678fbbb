"""Characters of a PDF -> fragments: pieces of one line in one style, with their spaces. Pure functions on data."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ruleslawyer.listmarks import DASHES, ICON


class Style(NamedTuple):
    """What all characters of a run share: size in points, weight, whether its letters are pictures, its direction."""

    size: float
    bold: bool
    icons: bool
    cos: float = 1.0
    sin: float = 0.0


class Glyph(NamedTuple):
    """A character: start and end along its direction, its baseline (growing downwards); ``spaced``: after a space."""

    char: str
    x0: float
    x1: float
    y: float
    spaced: bool


class Fragment(NamedTuple):
    """A piece of one line in one style; ``spaced``: a space stands before it."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    spaced: bool = False


_PRINTED_FORM = re.compile(r"[\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2e80-\u2fdf\uf900-\ufaff]")
"""Ligatures, full-width letters and digits, radicals and doubles of Han characters; punctuation is left as it is."""
_WORD_BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF06E: "■", 0xF0D8: "➢", 0xF076: "❖", 0xF0FC: "✓", 0xF02D: "–", 0xF0A8: "◻"}
"""Where word processors put the bullets of their symbol fonts."""


def shown(code: int, icon_font: bool) -> str:
    """What is read for a character code of a PDF.

    Private characters and letters of icon fonts are the mark of an icon; ``\\x02`` is PDFium's hyphen at a line end.

    >>> [shown(code, False) for code in (0x41, 0xE001, 0xF0B7, 2, 0, 0x200B)]
    ['A', '▣', '•', '-', '▣', '']
    >>> shown(0x41, True), shown(0x2713, True), shown(0xFB03, False), shown(0xFF11, False), shown(0xFF0C, False)
    ('▣', '✓', 'ffi', '1', '，')
    """
    if code in _WORD_BULLETS:
        return _WORD_BULLETS[code]
    if code == 2:
        return "-"
    private = 0xE000 <= code <= 0xF8FF or code >= 0xF0000
    if code < 32 or private or 0xD800 <= code <= 0xDFFF or code in (0xFFFD, 0xFFFE, 0xFFFF):
        return ICON
    char = chr(code)
    if code in (0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF) or 0x7F <= code < 0xA0 or 0x202A <= code <= 0x202E:
        return ""
    if icon_font and (char.isalnum() or char.isascii()):
        return ICON
    return unicodedata.normalize("NFKC", char) if _PRINTED_FORM.match(char) else char


def follows(before: Glyph, after: Glyph, size: float) -> bool:
    """Whether a character stands after another on its line, or is a further letter of the same ligature."""
    beside = abs(before.y - after.y) < 0.1 * size and -0.3 * size < after.x0 - before.x1 < 2 * size
    return beside or (before.x0 == after.x0 and before.y == after.y)


def fragments(style: Style, glyphs: Sequence[Glyph]) -> Iterator[Fragment]:
    """Cut a run at wide gaps and put its spaces in; the letters of a spaced-out word stay together."""
    spread = _spread(glyphs, style.size)
    space, cut = max(0.18 * style.size, 1.6 * spread), 0.8 * style.size + 1.5 * spread
    start, text = 0, glyphs[0].char
    for n in range(1, len(glyphs)):
        before, after = glyphs[n - 1], glyphs[n]
        gap = after.x0 - before.x1
        if gap > cut:
            yield Fragment(text, glyphs[start].x0, before.x1, before.y, style.size, style.bold, glyphs[start].spaced)
            start, text = n, after.char
            continue
        wide = (before.char >= "\u2e80" or after.char >= "\u2e80") and not (n == start + 1 and before.char in DASHES)
        if (after.spaced and not spread) or gap > (0.6 * style.size if wide else space):
            text += " "
        text += after.char
    last = glyphs[-1]
    yield Fragment(text, glyphs[start].x0, last.x1, last.y, style.size, style.bold, glyphs[start].spaced)


def _spread(glyphs: Sequence[Glyph], size: float) -> float:
    """The gap between the letters of a run that is spaced out; 0 of any other."""
    if len(glyphs) < 4:
        return 0.0
    gaps = sorted(b.x0 - a.x1 for a, b in pairwise(glyphs))
    middle = gaps[len(gaps) // 2]
    latin = not any(glyph.char >= "\u2e80" for glyph in glyphs)
    by_spaces = sum(glyph.spaced for glyph in glyphs[1:]) > len(glyphs) // 2
    return middle if latin and not by_spaces and gaps[len(gaps) // 8] > 0.1 * size else 0.0
