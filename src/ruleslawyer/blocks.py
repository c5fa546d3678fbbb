"""The text of an entry as plain blocks: what is stored, shown and searched. Light, since every look-up reads it."""

from typing import NamedTuple


class Span(NamedTuple):
    """Part of a block's text that is emphasised or linked.

    ``start`` and ``end`` count characters of ``Block.text``; ``kind`` is ``strong``, ``em``, ``code`` or ``link``;
    ``target`` is the full name of an entry (``game/id``), ``source:ID`` or, for other kinds, empty.
    """

    start: int
    end: int
    kind: str
    target: str = ""


class Block(NamedTuple):
    """One paragraph, list item or table row of an entry, as plain text.

    ``kind``: ``p``, ``item``, ``row`` or ``code``; ``depth``: 0 outside lists; ``marker``: ``-`` or ``1.`` for the first
    block of a list item, else empty.

    >>> Block("item", "Take 2 ore.", depth=1, marker="1.").text
    'Take 2 ore.'
    """

    kind: str
    text: str
    depth: int = 0
    marker: str = ""
    spans: tuple[Span, ...] = ()


def plain(blocks: tuple[Block, ...]) -> str:
    """Blocks as plain text, a line each, list items with their markers.

    >>> plain((Block("p", "Take:"), Block("item", "2 ore.", 1, "-")))
    'Take:\\n- 2 ore.'
    """
    return "\n".join(f"{b.marker} {b.text}" if b.marker else b.text for b in blocks)
