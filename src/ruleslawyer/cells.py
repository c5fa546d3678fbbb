"""Text -> for each of its words the terms that stand there, for building an index: the same terms as ``analyse``, sooner.

A corpus has millions of words and few different ones, and all but levels can be told from a word and what touches it. So a
text is split into such pieces, and each different piece is cut by ``analysis`` once. Whoever needs to know where in the text
a term stands asks ``analyse``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from operator import add
from typing import NamedTuple

from ruleslawyer.analysis import HAN, LATIN, LEVEL_SIGNS, WRITTEN, levels_among, normalise, tokens_apart
from ruleslawyer.stems import stemmer


class Cell(NamedTuple):
    """What stands at one position of a text.

    Args:
        key: the stem of the word that is written there, or the Han character.
        terms: the word itself, and whatever else is found there.
    """

    key: str
    terms: tuple[str, ...]


def cells_of(text: str, lang: str, simplified: Mapping[str, str]) -> list[Cell]:
    """The cells of a text, one per position.

    Args:
        text: any string.
        lang: its language.
        simplified: Traditional to Simplified characters.

    >>> [cell.terms for cell in cells_of("Re-roll two dice", "en", {})]
    [('re', 'reroll'), ('roll',), ('two', '2'), ('dice',)]
    >>> [cell.key for cell in cells_of("两人局", "zh", {})]
    ['两', '人', '局']
    """
    norm = normalise(text, simplified)[0]
    if norm.isascii() or not _OTHER_OR_HAN(norm):
        cells = list(chain.from_iterable(map(_pieces(lang)[0].__getitem__, _WORDS(norm))))
    elif not _OTHER(norm):
        cells = list(chain.from_iterable(_with_han(norm, *_pieces(lang))))
    else:
        cells = list(_cut(norm, lang))
    words = [terms[0] for _, terms in cells]
    if not LEVEL_SIGNS.isdisjoint(words):
        for place, level in levels_among(dict(enumerate(words))).items():
            cells[place] = Cell(cells[place].key, (*cells[place].terms, level))
    return cells


_WORD = rf"[{LATIN}]++(?:['-][{LATIN}]++|(?<=[0-9])\.(?=[0-9])[{LATIN}]++)*+"
_NUMBER = "一二三四五六七八九十两"


_SIGNS = r"\0-\x7f¿¡·、。《》「」『』【】—"

_OTHER = re.compile(rf"[^{_SIGNS}{LATIN}{HAN}]").search
"""A character that is neither of those of which the pieces are made nor a sign that parts them."""

_OTHER_OR_HAN = re.compile(rf"[^{_SIGNS}{LATIN}]").search

_WORDS = re.compile(_WORD).findall
"""Words with all that hyphens, dots and apostrophes join to them."""

_PARTS = re.compile(f"(?P<run>(?:(?!第?[{_NUMBER}])[{HAN}])+)|第?[{_NUMBER}]+|第|{_WORD}").finditer
"""Runs of Han characters before any number, Chinese numbers, and words."""

_BEHIND = re.compile(f"[{HAN}]|[0-9]+|").match
"""What touches a piece from behind and has a pair with it."""


class _Pieces(dict[str, tuple[Cell, ...]]):
    """Pieces of text and their cells, found when first asked for; without the last ones, which belong to what comes behind."""

    def __init__(self, lang: str, but: int) -> None:
        self._lang, self._but = lang, but

    def __missing__(self, piece: str) -> tuple[Cell, ...]:
        cells = tuple(_cut(piece, self._lang))
        kept = self[piece] = cells[: len(cells) - self._but]
        return kept


@cache
def _pieces(lang: str) -> tuple[_Pieces, _Pieces]:
    """Pieces with nothing behind them that matters, and pieces with it."""
    return _Pieces(lang, 0), _Pieces(lang, 1)


class _Pairs(dict[str, Cell]):
    """Two Han characters, neither a number nor before one, and what stands where the first does. Most texts have new ones."""

    def __missing__(self, pair: str) -> Cell:
        cell = self[pair] = Cell(pair[0], (pair[0], pair))
        return cell


_PAIRS = _Pairs()


def _with_han(norm: str, alone: _Pieces, followed: _Pieces) -> Iterator[Iterable[Cell]]:
    """The cells of a text that has Han characters, piece by piece. A pair stands where its first character does."""
    for part in _PARTS(norm):
        piece = part[0]
        if part["run"]:
            yield map(_PAIRS.__getitem__, map(add, piece, piece[1:]))
            piece = piece[-1]
        behind = _BEHIND(norm, part.end())
        touching = behind[0] if behind else ""
        if touching and not (piece.isascii() and piece[-1].isalpha()):
            yield followed[piece + touching]
        else:
            yield alone[piece]


def _cut(norm: str, lang: str) -> Iterator[Cell]:
    """The cells of normalised text, without levels."""
    stem = stemmer(lang)
    terms: list[str] = []
    key, at = "", 0
    for term, _, _, pos, kind in tokens_apart(norm, lang):
        if pos != at:
            yield Cell(key, tuple(terms))
            terms, at = [], pos
        if kind in WRITTEN:
            key = term if kind == "han" else stem(term)
        terms.append(term)
    if terms:
        yield Cell(key, tuple(terms))
