"""Texts made small for the browser: what occurs often is written as one character, emphasis and links as a few digits.

A page undoes it all in ``site/static/search/unpacking.js``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from ruleslawyer.analysis import is_han
from ruleslawyer.blocks import Block

HAN_CODES = 0x370
"""From here on stand the characters of two bytes that Han characters are written as."""

_PIECE = re.compile(r"[\u3400-\u9fff]| ?[^\W_\u3400-\u9fff]+")
_UNSAFE = frozenset('"\\<')
_LETTERS = {"strong": "b", "em": "i", "code": "c", "link": "l"}


class Coder(NamedTuple):
    """Characters that a text does not have, each standing for a piece of it.

    ``codes[n]`` is a character of ASCII and stands for ``pieces[n]``; the one ``HAN_CODES + n`` stands for ``han[n]``.
    """

    codes: str
    pieces: tuple[str, ...]
    han: str

    def packed(self, texts: Iterable[str]) -> list[str]:
        """Texts with their pieces as codes.

        >>> Coder("~", (" dock",), "").packed(["a dock, docks"])
        ['a~, docks']
        """
        known = dict(zip(self.pieces, self.codes, strict=True))
        known |= {char: chr(HAN_CODES + n) for n, char in enumerate(self.han)}
        return [_PIECE.sub(lambda found: known.get(found[0], found[0]), text) for text in texts]


def coder_for(texts: Iterable[str]) -> Coder:
    """The coder that makes texts smallest: words and Han characters by what they save, one byte first, then two.

    Of words only the first few are worth it, since gzip does the same for all; a Han character is three bytes and gzip
    makes little of it.

    >>> coder_for(["the ship and the ship and the ship of the ship"]).pieces
    (' ship', ' the')
    """
    whole = "\n".join(texts)
    counts, used = Counter(_PIECE.findall(whole)), _UNSAFE.union(whole)
    codes = "".join(char for n in range(0x21, 0x7F) if (char := chr(n)) not in used)
    pieces = _best(counts, len(codes), code_bytes=1)
    free = len([*takewhile(lambda n: chr(n) not in used, range(HAN_CODES, 0x800))])
    rest = {char: n for char, n in counts.items() if is_han(char[0]) and char not in pieces}
    return Coder(codes[: len(pieces)], tuple(pieces), "".join(_best(rest, free, code_bytes=2)))


def _best(counts: Mapping[str, int], most: int, code_bytes: int) -> list[str]:
    saved = {piece: n * (len(piece.encode()) - code_bytes) - len(piece.encode()) for piece, n in counts.items()}
    worth = [piece for piece, bytes_ in saved.items() if bytes_ > 3]
    return sorted(worth, key=lambda piece: (-saved[piece], piece))[:most]


def runs(numbers: Iterable[int]) -> list[int]:
    """Rising numbers as their runs: where one begins, how many there are.

    >>> runs([4, 5, 6, 9])
    [4, 3, 9, 1]
    """
    out: list[int] = []
    for n in numbers:
        if out and out[-2] + out[-1] == n:
            out[-1] += 1
        else:
            out += [n, 1]
    return out


def marks(blocks: Sequence[Block], number_of: Callable[[str], str]) -> str:
    """The emphasis and the links of a text: blocks with ``/`` between them, spans with spaces.

    A span: letters from the start of the one before, ``.``, its length, a letter for its kind (``b``, ``i``, ``c``, ``l``)
    and for a link the number of its target. Letters are counted as JavaScript counts them.

    Args:
        blocks: the text.
        number_of: what stands for a link's target; an empty string leaves the link out.

    >>> from ruleslawyer.blocks import Span
    >>> spans = (Span(0, 4, "strong"), Span(8, 11, "link", "game/ufo"))
    >>> marks([Block("p", "Note: a UFO", spans=spans), Block("p", "")], lambda name: "12")
    '0.4b 8.3l12'
    """
    return "/".join(" ".join(_spans(block, number_of)) for block in blocks).rstrip("/")


def _spans(block: Block, number_of: Callable[[str], str]) -> Iterator[str]:
    before = 0
    for span in sorted(block.spans, key=lambda span: (span.start, -span.end)):
        target = number_of(span.target) if span.kind == "link" else ""
        if span.kind == "link" and not target:
            continue
        start, length = (_units(block.text[a:b]) for a, b in ((before, span.start), (span.start, span.end)))
        before = span.start
        yield f"{start}.{length}{_LETTERS[span.kind]}{target}"


def _units(text: str) -> int:
    """A text's length as JavaScript counts it."""
    return len(text.encode("utf-16-le")) // 2
