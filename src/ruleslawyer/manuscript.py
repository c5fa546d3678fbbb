"""Plain data: what a reader of PDF, DOCX, HTML, Markdown or text makes of a file, before it becomes entries."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    """One heading, paragraph, list item or table row of a document, in reading order.

    ``kind``: ``heading``, ``p``, ``item`` or ``row``. ``text``: inline Markdown on one line, its own special characters
    escaped; the cells of a row stand between ``|``. ``level``: of a heading from 1; of an item its depth from 1; else 0.
    ``marker``: of an item ``-`` or its number as written with a full stop, ``3.``. ``page``: 1-based, 0 in a file without
    pages.

    >>> Piece("item", "Take 2 ore.", level=1, marker="3.", page=4).marker
    '3.'
    """

    kind: str
    text: str
    level: int = 0
    marker: str = ""
    page: int = 0


class Unread(NamedTuple):
    """Something a reader could not read: the page (0: the whole file) and a key of the interface words with its values.

    >>> Unread(3, "image_page", {}).page
    3
    """

    page: int
    key: str
    values: dict[str, str]


class Manuscript(NamedTuple):
    """A file as read: the title it gives itself (or empty), its pieces, and what could not be read."""

    title: str
    pieces: tuple[Piece, ...]
    unread: tuple[Unread, ...] = ()
