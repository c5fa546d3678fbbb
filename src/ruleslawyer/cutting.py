"""Cutting a long section: what stays together, where it may be cut, and what a part is called.

Lists and tables stay whole with the line that introduces them; only a list of whole rules (each with a label of its own, or as
long as a paragraph) is cut into its items.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ruleslawyer.analysis import is_han
from ruleslawyer.manuscript import Piece
from ruleslawyer.questions import plain
from ruleslawyer.terminal import width

SCREEN = 180
"""Words that are read at a glance."""

WORDS_OF_HAN = 0.6
"""What a Han character counts as: a rule in Chinese has five for three words of the same rule in English."""

LEAST_PART = 40
"""Words that a part of a cut section has at least, where its neighbours allow it."""

PARAGRAPH = 40
"""Words from which on an item of a list is as good as a paragraph."""

MOST_LINES = 40
"""Short lines in a row that stay together."""

MOST_READ = 400
"""Characters of a piece in which its label or first sentence is looked for."""

MOST_LABEL = 9
"""Words of the label that an item begins with: ``Upgrade a ship: turn its cube``."""

LONGEST_TITLE = 80
"""Terminal cells of a title."""


def words(text: str) -> float:
    """How long a text is to read, in words.

    >>> words("Draw 2 cards"), words("占领神殿")
    (3.0, 2.4)
    """
    han = sum(map(is_han, text))
    return len(re.findall(r"[^\W\u3400-\u9fff]+(?:['’-][^\W\u3400-\u9fff]+)*", text)) + WORDS_OF_HAN * han


def shortened(text: str, cells: int = LONGEST_TITLE) -> str:
    """A text of at most so many terminal cells, cut where a word ends.

    >>> shortened("Take the leftmost disc from the track", 22)
    'Take the leftmost…'
    """
    text = text if len(text) <= 4 * cells else text[: 4 * cells]
    if width(text) <= cells:
        return text
    end = bisect_right(range(len(text)), cells - 1, key=lambda n: width(text[:n])) - 1
    if text[end].isalnum() and not is_han(text[end]):
        end = max((n for n in range(end + 1) if text[n] == " " or (n and is_han(text[n - 1]))), default=end) or end
    return text[:end].rstrip(" ,;:，、；：(（-–—") + "…"


def under(above: str, title: str) -> str:
    """A title after the one it stands under.

    >>> under("Setup", "Place the board"), under("准备", "放置版图")
    ('Setup: Place the board', '准备：放置版图')
    """
    return f"{above}：{title}" if above and is_han(above[-1]) else f"{above}: {title}"


class Chunk(NamedTuple):
    """Pieces that stay together.

    ``label`` is a title of their own; ``bound``: they belong to what stands before; ``numbered``: a rule with a number of
    its own, ``3.1``, to which all belongs up to the next label.
    """

    pieces: tuple[Piece, ...]
    label: str = ""
    bound: bool = False
    numbered: bool = False


def size(pieces: Iterable[Piece]) -> float:
    """How long pieces are to read, in words; a piece of signs alone counts as one."""
    return sum(words(piece.text) or 1 for piece in pieces)


def grouped(found: Iterable[Chunk], least: float) -> list[Chunk]:
    """Chunks joined until each has the least number of words; one with a label stays alone.

    What belongs to the chunk before it, and a short rest, goes with that.
    """
    parts: list[Chunk] = []
    for chunk in found:
        last = parts[-1] if parts else None
        if last and _goes_with(chunk, last, least):
            parts[-1] = last._replace(pieces=last.pieces + chunk.pieces)
        else:
            parts.append(chunk)
    if len(parts) > 1 and not parts[-1].label and size(parts[-1].pieces) < least / 2:
        rest = parts.pop()
        parts[-1] = parts[-1]._replace(pieces=parts[-1].pieces + rest.pieces)
    return parts


def _goes_with(chunk: Chunk, last: Chunk, least: float) -> bool:
    if chunk.bound or (last.numbered and not chunk.label):
        return size(last.pieces) < 2 * SCREEN
    return not chunk.label and not last.label and size(last.pieces) < least


def chunks(pieces: Sequence[Piece]) -> Iterator[Chunk]:
    """What is not cut: a paragraph, or a list or table with the line that introduces it; ``Example:`` is bound."""
    n = 0
    while n < len(pieces):
        end = n + 1
        if pieces[n].kind in ("item", "row"):
            end = _end_of_run(pieces, n)
            yield from _list_chunks((), pieces[n:end])
        elif _introduces(pieces[n]) and end < len(pieces) and pieces[end].kind in ("item", "row"):
            end = _end_of_run(pieces, end)
            yield from _list_chunks(pieces[n : n + 1], pieces[n + 1 : end])
        elif found := _NUMBERED.match(pieces[n].text):
            yield Chunk((pieces[n],), shortened(plain(found["label"])), numbered=True)
        else:
            if _introduces(pieces[n]) or _is_short_line(pieces[n]):
                most = min(len(pieces), end + MOST_LINES)
                end = next((m for m in range(end, most) if not _is_short_line(pieces[m])), most)
            yield Chunk(tuple(pieces[n:end]), bound=bool(_ASIDE.match(pieces[n].text)))
        n = end


_NUMBERED = re.compile(r"(?P<label>\d+(?:\.\d+)+\.?\s*[^\d\s.:：。][^.:：。!?！？]{0,60})(?:[.:：。]|$)")
"""A paragraph that is a rule with a number and a name: ``3.1 Moving. A boat may``."""

_ASIDE = re.compile(
    r"(?i)[\s*_]*(?:(?:(?:for )?example|note|exception|tip|(?:por )?ejemplo|nota|excepción|consejo)s?\b|例|注|提示|说明)"
)


def _end_of_run(pieces: Sequence[Piece], start: int) -> int:
    """Where a table or list ends: another list is one whose bullets become numbers, or whose numbers begin anew."""
    number = 0
    for n in range(start, len(pieces)):
        piece = pieces[n]
        if piece.kind != pieces[start].kind:
            return n
        if piece.kind == "item" and piece.level <= 1 and piece.marker:
            now = -1 if piece.marker == "-" else int(piece.marker[:-1])
            if (n > start and (now < 0) != (number < 0)) or (0 <= now <= number and n > start):
                return n
            number = now
    return len(pieces)


def _introduces(piece: Piece) -> bool:
    return piece.kind == "p" and piece.text.rstrip(" *_").endswith((":", "："))


def _is_short_line(piece: Piece) -> bool:
    return piece.kind == "p" and words(piece.text) <= 8 and not _NUMBERED.match(piece.text)


def _list_chunks(lead: Sequence[Piece], items: Sequence[Piece]) -> Iterator[Chunk]:
    """A list with its lead; an item at a time where they are whole rules, a screen at a time where it is very long."""
    groups = _top_items(items)
    labels = [_label(group[0]) for group in groups]
    length = size(items)
    rules = sum(map(bool, labels)) >= 0.6 * len(groups) or length / len(groups) >= PARAGRAPH
    if len(groups) > 1 and length > SCREEN / 2 and rules and items[0].kind == "item":
        if lead:
            yield Chunk(tuple(lead))
        for group, label in zip(groups, labels, strict=True):
            yield Chunk(tuple(group), label or opening(group))
    elif length > 2 * SCREEN and len(groups) > 1:
        yield from _by_screens(lead, groups)
    else:
        yield Chunk((*lead, *items))


def _by_screens(lead: Sequence[Piece], groups: Sequence[Sequence[Piece]]) -> Iterator[Chunk]:
    part, length = list(lead), size(lead)
    for group in groups:
        more = size(group)
        if length + more > SCREEN and part:
            yield Chunk(tuple(part))
            part, length = [], 0.0
        part += group
        length += more
    yield Chunk(tuple(part))


def _top_items(items: Sequence[Piece]) -> list[list[Piece]]:
    """The items of the first level, each with what stands below it; every row of a table."""
    groups: list[list[Piece]] = []
    for item in items:
        if not groups or item.kind == "row" or (item.level <= 1 and item.marker):
            groups.append([])
        groups[-1].append(item)
    return groups


# --- titles -----------------------------------------------------------------------------------------------------------

_BOLD_LABEL = re.compile(r"(?:\*\*|__)(?P<label>[^*_]{2,60}?)[.:：]?(?:\*\*|__)")
_LABEL = re.compile(r"(?P<label>[^.:：。！？!?；;]{2,60}?)\s*[:：](?!//)")


def _label(piece: Piece) -> str:
    """The label of an item: ``Upgrade a ship: turn its cube``; empty where it has none."""
    if bold := _BOLD_LABEL.match(piece.text):
        return plain(bold["label"]).strip()
    found = _LABEL.match(plain(piece.text[:MOST_READ]))
    label = found["label"] if found else ""
    balanced = all(label.count(a) == label.count(b) for a, b in ("()", "[]", "（）", "【】"))
    return label if balanced and words(label) <= (MOST_LABEL if piece.kind == "item" else MOST_LABEL / 2) else ""


def opening(pieces: Sequence[Piece]) -> str:
    """What a part begins with, as a title: its label, or the beginning of its first sentence."""
    if label := _label(pieces[0]) if pieces and pieces[0].kind != "row" else "":
        return label
    text = next((t for piece in pieces if (t := plain(piece.text[:MOST_READ]).strip("| "))), "")
    sentence = re.match(r".{12,}?(?:[.!?](?=\s)|[。！？；])", text)
    opening = sentence[0].rstrip(".。；") if sentence else text.rstrip(".。；:：")
    return shortened(opening, 64)
