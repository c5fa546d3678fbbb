"""Where a term stands in an entry, packed into the one number that a posting keeps per occurrence.

An entry's texts of one language are one stream of postings. The body counts words from 0, with a gap between blocks. A
title, alias or ask is a *short text*: the number tells its field, which of the field's texts it is, how many words it has and
the place in it, so that a query can be held against each short text as a whole. The next word is always one more.
"""

from __future__ import annotations

BODY, TITLE, ALIAS, ASKS = range(4)
FIELD_NAMES = ("body", "title", "alias", "asks")
BLOCK_GAP = 4
"""Positions left free between two blocks of a body, so that no phrase reaches over."""
MAX_PLACE = 63
"""A short text's words beyond this share a place."""


MAX_TEXT = 4095
"""Short texts of a field beyond this share a number."""


def body_start(start: int, _length: int) -> int:
    """Where a block of the body begins, whatever its length."""
    return start


def short_start(field: int, number: int, length: int) -> int:
    """Where a short text begins: its field, its number in the field and its length in words, packed.

    >>> p = short_start(ASKS, 2, 5) + 1
    >>> field_of(p), short_text(p), short_length(p)
    (3, 12290, 5)
    """
    return field << 24 | min(number, MAX_TEXT) << 12 | min(length, MAX_PLACE) << 6


def field_of(position: int) -> int:
    """The field a position lies in: ``BODY``, ``TITLE``, ``ALIAS`` or ``ASKS``."""
    return position >> 24


def short_text(position: int) -> int:
    """A number for the short text a position lies in, different for each of an entry and language."""
    return position >> 12


def short_length(position: int) -> int:
    """How many words the short text has."""
    return position >> 6 & MAX_PLACE
