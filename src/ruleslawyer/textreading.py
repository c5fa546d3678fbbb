"""Plain text -> manuscript: there are no marks, so what is a heading is told from its look and its neighbours.

A heading is a short line of its own that no sentence ends, with text after it: between blank lines, in capitals, underlined,
numbered, ending in a colon, or one that the list of contents names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ruleslawyer.escaping import escape_markdown
from ruleslawyer.manuscript import Manuscript, Piece
from ruleslawyer.terminal import width
from ruleslawyer.textlines import Unit, ends_sentence, units

LONGEST_TITLE = 80
"""Terminal cells that a heading fills at most."""

MOST_WORDS, MOST_WORDS_CAPITALISED = 8, 12
"""Words of a heading at most: as any sentence is written, and with most words capitalised."""


def read_text_file(text: str) -> Manuscript:
    """The manuscript of a plain text with ``\\n`` line ends; a form feed ends a page.

    >>> manuscript = read_text_file("Trade\\n\\nPay 2 coins.\\n\\nDocks\\n\\n1. Land.\\n2. Load.\\n")
    >>> [(piece.kind, piece.text, piece.marker) for piece in manuscript.pieces[:3]]
    [('heading', 'Trade', ''), ('p', 'Pay 2 coins.', ''), ('heading', 'Docks', '')]
    """
    found = units(text)
    depths = _contents(found)
    heads: list[bool] = []
    for n in range(len(found)):
        heads.append(_is_heading(found, n, depths, below_heading=n == 0 or heads[-1]))
    marked = [_as_title(unit) if head else unit for unit, head in zip(found, heads, strict=True)]
    levelled = _with_levels(_without_repeats(marked), depths)
    title = levelled[0].text if levelled and levelled[0].kind == "title" else ""
    return Manuscript(title, tuple(_piece(unit) for unit in levelled))


def _piece(unit: Unit) -> Piece:
    text = escape_markdown(unit.text)
    match unit.kind:
        case "title":
            return Piece("heading", text, level=unit.depth, page=unit.page)
        case "item":
            return Piece("item", text, level=unit.depth, marker=unit.marker, page=unit.page)
    return Piece("p", text, page=unit.page)


def _as_title(unit: Unit) -> Unit:
    if unit.kind == "title":
        return unit
    number = f"{unit.marker} " if unit.marker not in ("", "-") else ""
    bracketed = _BRACKETED.fullmatch(unit.text)
    text = bracketed["title"] if bracketed else unit.text
    return replace(unit, kind="title", text=number + text, depth=0, marker="")


_BRACKETED = re.compile(r"[【〖〔](?P<title>[^【】〖〗〔〕]{1,30})[】〗〕]")
"""A heading as Chinese texts mark it: ``【游戏准备】``."""


def _without_repeats(found: Sequence[Unit]) -> list[Unit]:
    """No title twice in a row."""
    first = found[:1]
    return [*first, *(b for a, b in pairwise(found) if not (a.kind == b.kind == "title" and a.text == b.text))]


# --- what is a heading ------------------------------------------------------------------------------------------------


def _is_heading(found: Sequence[Unit], n: int, depths: dict[str, int], below_heading: bool) -> bool:
    unit = found[n]
    after = found[n + 1] if n + 1 < len(found) else None
    if unit.kind == "title":
        return True
    if after is None or unit.lines > 1:
        return False
    if unit.kind == "item":
        return _is_numbered_title(found, n, after)
    if _BRACKETED.fullmatch(unit.text):
        return True
    if n == 0 and after.apart:
        return _could_be_the_title(unit.text)
    if not looks_like_title(unit.text):
        return False
    if _bare(unit.text) in depths and unit.apart:
        return True
    if unit.apart and (after.apart or _is_two_headings(found, n)):
        return True
    fresh = below_heading or unit.apart or ends_sentence(found[n - 1].text) or found[n - 1].lines > 1
    if _is_label(unit.text) and (fresh or _is_body(after, unit)):
        return True
    return fresh and (_is_body(after, unit) or _is_capitals(unit.text))


def _could_be_the_title(text: str) -> bool:
    """Whether the first line names the document: it may be longer and livelier than other headings."""
    if width(text) > 1.5 * LONGEST_TITLE or not any(char.isalpha() for char in text):
        return False
    return not (text.endswith((".", "。", "?", "？", ":", "：", ",")) or re.search(r"\.\s|[。；]", text))


def _is_two_headings(found: Sequence[Unit], n: int) -> bool:
    """A short line, right below it another, and below that text."""
    if n + 2 >= len(found) or found[n + 1].kind != "p" or not looks_like_title(found[n + 1].text):
        return False
    return _is_body(found[n + 2], found[n + 1])


def _is_numbered_title(found: Sequence[Unit], n: int, after: Unit) -> bool:
    """``1. Setup`` with text below it, and not the last of a list."""
    unit = found[n]
    if unit.depth != 1 or unit.marker in ("", "-") or after.kind != "p" or not looks_like_title(unit.text):
        return False
    earlier = n - 1
    while earlier >= 0 and found[earlier].kind == "item" and found[earlier].depth > 1:
        earlier -= 1
    number = int(unit.marker[:-1])
    return earlier < 0 or found[earlier].marker != f"{number - 1}."


_LEADS_IN = re.compile(r"(?i)\b(?:these|follow\w*|siguientes?|est[oa]s)\b|[以如]下|下列")
_SENTENCE_WITHIN = re.compile(r"[.!?]\s+[A-ZÁÉÍÓÚÑ¿¡]|[。！？；]")


def looks_like_title(text: str) -> bool:
    """Whether a line could be a heading: short, begun like a sentence and not ended like one.

    >>> looks_like_title("End of the game"), looks_like_title("Draw 2 cards."), looks_like_title("then draw 2 cards")
    (True, False, False)
    """
    if width(text) > LONGEST_TITLE or not any(char.isalpha() for char in text):
        return False
    colon = text.endswith((":", "："))
    if text.endswith("!") and len(text.split()) <= 4:
        text = text[:-1]
    if (
        (ends_sentence(text) and not colon)
        or text[-1] in ",，、;；"
        or re.search(r"[.!?]\s+[A-ZÁÉÍÓÚÑ¿¡]|[。！？；]", text[:-1])
    ):
        return False
    if text[0].islower() or (text[0] in "(（[【«“\"'—–-" and not _is_capitals(text)):
        return False
    if colon and _LEADS_IN.search(text):
        return False
    most = MOST_WORDS_CAPITALISED if _is_capitalised(text) else 4 if colon else MOST_WORDS
    return len(text.split()) <= most and (text.isascii() or width(text) <= LONGEST_TITLE / 2 or " " in text)


def _is_capitals(text: str) -> bool:
    """``END OF THE GAME``, but not ``BGG``."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= 4 and all(char.isupper() for char in letters)


def _is_capitalised(text: str) -> bool:
    """Whether all longer words begin with a capital: ``End of the Game``."""
    words = [word for word in re.findall(r"[^\W\d_][\w'’-]*", text) if len(word) > 3]
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.8 * len(words)


def _is_label(text: str) -> bool:
    """``Components:``"""
    return text.endswith((":", "：")) and len(text.split()) <= 3 and width(text) <= 30


def _is_body(unit: Unit, title: Unit) -> bool:
    """Whether a unit is text that can stand below a heading, and no short line like it."""
    if unit.kind == "item":
        return not unit.apart
    return unit.lines > 1 or (
        width(unit.text) >= 40 and width(unit.text) > 1.5 * width(title.text) and ends_sentence(unit.text)
    )


# --- levels -----------------------------------------------------------------------------------------------------------

_NUMBERED = re.compile(r"(?P<number>\d+(?:\.\d+)*)[.)]?\s")


def _bare(text: str) -> str:
    """A title as the list of contents may write it: without page number, case and end marks."""
    text = text[: 2 * LONGEST_TITLE]
    return re.sub(r"[\s.…·_]*[\s.…·_]\d+$", "", text).strip(" :：.").casefold()


def _contents(found: Sequence[Unit]) -> dict[str, int]:
    """Titles with their depths from a list of contents: a list most of whose items stand alone again further down."""
    lone = {_bare(f"{u.marker} {u.text}" if u.marker not in ("", "-") else u.text) for u in found if u.lines == 1}
    for start, end in _lists(found):
        items = {_bare(unit.text): unit.depth for unit in found[start:end]}
        below = {_bare(_as_title(u).text) for u in found[end:] if u.lines == 1}
        if len(items) >= 4 and sum(item in below for item in items) >= 0.6 * len(items):
            return {item: depth for item, depth in items.items() if item in lone}
    return {}


def _lists(found: Sequence[Unit]) -> list[tuple[int, int]]:
    """Where the lists of a text start and end."""
    starts = [n for n, u in enumerate(found) if u.kind == "item" and (n == 0 or found[n - 1].kind != "item")]
    return [(n, next((m for m in range(n, len(found)) if found[m].kind != "item"), len(found))) for n in starts]


def _with_levels(found: Sequence[Unit], depths: dict[str, int]) -> list[Unit]:
    """Levels for the titles: from the contents or their numbers; capitals above others, those that end in a colon below."""
    titles = [unit.text for unit in found if unit.kind == "title"]
    plain = [text for text in titles if not _NUMBERED.match(text)]
    capitals = 0 < sum(map(_is_capitals, plain)) < len(plain)
    colons = sum(text.endswith((":", "：")) for text in plain)
    colon_below = 0 < colons < len(plain) / 2
    levelled, above = list[Unit](), 0
    for unit in found:
        if unit.kind != "title":
            levelled.append(unit)
            continue
        text, numbered = unit.text, _NUMBERED.match(unit.text)
        if unit.depth:
            level = unit.depth
        elif _bare(text) in depths:
            level = above = depths[_bare(text)]
        elif numbered:
            level = above + numbered["number"].count(".") + 1
        elif colon_below and text.endswith((":", "：")):
            level = above + 2
        else:
            level = above = 2 if capitals and not _is_capitals(text) else 1
        levelled.append(replace(unit, depth=level))
    return levelled
