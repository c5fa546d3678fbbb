"""What a state of the finder looks like: lines for a terminal of any size, and the cursor. Pure, no toolkit.

Lines carry only the ANSI codes of ``STYLES``: weights and reversal, no colour, so they can be read on any background.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from threading import Lock
from typing import NamedTuple

from ruleslawyer.finder import Finder, Listing, Question, Seen, Shelf, answer
from ruleslawyer.index import Index
from ruleslawyer.present import (
    RELATIVES,
    Page,
    entry_lines,
    game_title,
    is_private,
    marked_title,
    notes,
    own_name,
    show_lines,
)
from ruleslawyer.records import Record
from ruleslawyer.terminal import char_width, clip, width, without_escapes
from ruleslawyer.words import Words, words_in

STYLES: Mapping[str, str] = {
    "0": "",
    "1": "bold",
    "1;33": "bold underline",
    "2": "dim",
    "4": "underline",
    "7": "reverse",
}
"""ANSI codes -> what they look like: what was asked for is underlined, as yellow cannot be read on white."""

WIDE = 100
"""From so many cells on, the list and the chosen entry stand side by side."""

CUT = 12
"""Cells that must be left of a detail that is cut."""

HELP = ("type", "narrow", "choose", "read", "links", "back", "game", "lang", "line", "leave")


class Room(NamedTuple):
    """The size of the terminal, in cells and rows."""

    cells: int
    rows: int


class Screen(NamedTuple):
    """What is shown: ``rows`` lines at most; ``cursor`` as row and character in it; what keys have to know of it."""

    lines: Sequence[str]
    cursor: tuple[int, int] | None
    seen: Seen


class Text(NamedTuple):
    """An entry made into lines, and where the entries it is related to stand: full name and line of each."""

    lines: Sequence[str]
    links: Sequence[tuple[str, int]] = ()


class Desk:
    """The index as the finder uses it: one thread at a time, and what was made into lines is kept."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._guard = Lock()
        self._kept: dict[object, Text] = {}

    def answer(self, question: Question) -> Listing:
        """What is to be listed for a question."""
        with self._guard:
            return answer(self.index, question)

    def text(self, key: object, make: Callable[[], Text]) -> Text:
        """A text that was made for this key before, or is made now."""
        if key not in self._kept:
            with self._guard:
                if len(self._kept) > 100:
                    self._kept.clear()
                self._kept[key] = make()
        return self._kept[key]


def screen(finder: Finder, desk: Desk, room: Room) -> Screen:
    """The screen for a state: the list with the chosen entry, an entry to read, or the keys."""
    made = _reading(finder, desk, room) if finder.trail else _list(finder, desk, room)
    return made._replace(lines=made.lines[: room.rows])


# --- the list -------------------------------------------------------------------------------------------------------


def _list(finder: Finder, desk: Desk, room: Room) -> Screen:
    listing, words = finder.listing, words_in(finder.listing.lang)
    prompt, at = _prompt(finder, words, room.cells)
    said = _messages(listing, desk.index, Page(words, room.cells, True), room.rows // 4)
    body = room.rows - 2 - len(said)
    if room.cells >= WIDE:
        lines, page = _beside(finder, desk, room.cells, body)
    else:
        lines, page = _below(finder, desk, room.cells, body)
    lines = [prompt, *said, *lines]
    lines += [""] * (room.rows - 1 - len(lines))
    count = f"{finder.row + 1}/{listing.size}" if listing.size else ""
    return Screen([*lines, _bar(_list_keys(finder, desk, words), count, room.cells)], (0, at), Seen(page=max(1, page)))


def _prompt(finder: Finder, words: Words, cells: int) -> tuple[str, int]:
    """The line that is typed, as much of it as fits around the cursor, and the character that the cursor is on."""
    text, at = finder.line
    start, room = 0, max(1, cells - 3)
    while width(text[start:at]) > room:
        start += max(1, (at - start) // 8) if width(text[start:at]) > 2 * room else 1
    while start and start < at and not char_width(text[start]):
        start += 1
    end = at
    while end < len(text) and width(text[start : end + 1]) <= room:
        end += 1
    shown = text[start:end] if text else _dim(clip(words("finder.placeholder"), room))
    return f"{_bold('>')} {shown} ", 2 + at - start  # a space at the end for the cursor to stand on


def _messages(listing: Listing, index: Index, page: Page, most: int) -> list[str]:
    """How the question was read, and that nothing was found, as the command says it: ``most`` lines at most."""
    found, words = listing.found, page.words
    if not found:
        return []
    nothing: list[str] = []
    if not found.confident:
        nothing += page.line(words("nothing", query=clip(found.query.text, 60)))
        nothing += page.line(words("nearest" if found.nearest else "nothing.hint"))
    noted = [line for note in notes(found, words, index) for line in page.dim(note)]
    return [*noted[: max(0, most - len(nothing))], *nothing[:most]]


def _below(finder: Finder, desk: Desk, cells: int, rows: int) -> tuple[list[str], int]:
    """The list, a rule, and the chosen entry below; only the list where there are few rows."""
    size = finder.listing.size
    page = rows if rows < 6 else min(size, max(4, rows * 2 // 5))
    lines = list(_rows(finder, desk.index, cells, page))
    if page < rows and size:
        lines += [f"\x1b[4m{' ' * cells}\x1b[0m", *_preview(finder, desk, cells, rows - page - 1)]
    return lines, page


def _beside(finder: Finder, desk: Desk, cells: int, rows: int) -> tuple[list[str], int]:
    """The list, and the chosen entry beside it."""
    left = max(44, min(60, cells * 2 // 5))
    rest = cells - left - 3
    shown = _preview(finder, desk, rest, rows)
    row_lines = list(_rows(finder, desk.index, left, rows))
    lines = []
    for n in range(max(len(row_lines), len(shown))):
        row = row_lines[n] if n < len(row_lines) else " " * left
        lines.append(f"{row} {_dim('|')} {shown[n] if n < len(shown) else ''}")
    return lines, rows


def _rows(finder: Finder, index: Index, cells: int, rows: int) -> Iterator[str]:
    """The rows of the list around the chosen one, each as wide as the list."""
    size = finder.listing.size
    first = max(0, min(finder.row - rows // 2, size - rows))
    for n in range(first, min(size, first + rows)):
        title, details = _row_text(finder, index, n)
        yield _row(title, details, cells, n == finder.row)


def _row_text(finder: Finder, index: Index, n: int) -> tuple[str, Sequence[str]]:
    """What a row says: a game or an entry, and what tells it apart, the most important first."""
    listing = finder.listing
    lang, words = listing.lang, words_in(listing.lang)
    if listing.games:
        game = listing.games[n]
        return marked_title(index, game, words, lang), []
    record = listing.records[n]
    depth = _depth(record) if isinstance(listing.records, Shelf) else 0
    details = [words(f"kind.{record.head['kind']}")] if record.head["kind"] != "rule" else []
    details += [words("private")] if is_private(index, record.game) else []
    details += [] if listing.question.game else [game_title(index, record.game, lang)]
    return "  " * depth + record.title(lang), details


def _depth(record: Record) -> int:
    """How far an entry is indented among all of its game; questions stand after the rules, not under them."""
    return 0 if record.head["kind"] == "faq" else min(4, len(record.head["path"]))


def _row(title: str, details: Sequence[str], cells: int, chosen: bool) -> str:
    """A row: the title, and at the right those details there is room for."""
    room = max(1, cells - 3)
    title = clip(without_escapes(title), room)
    right = _fitting(details, room - width(title) - 2)
    gap = " " * (room - width(title) - width(right))
    if chosen:
        return f"\x1b[7m> {title}{gap}{right} \x1b[0m"
    return f"  {title}{gap}{_dim(right)} "


def _fitting(details: Sequence[str], room: int) -> str:
    """The details that fit, the first ones first; the last is cut where enough of it is left to tell what it is."""
    text = ""
    for detail in map(without_escapes, details):
        left = room - width(text) - (2 if text else 0)
        if width(detail) > left < CUT:
            break
        text += ("  " if text else "") + clip(detail, left)
    return text


def _preview(finder: Finder, desk: Desk, cells: int, rows: int) -> Sequence[str]:
    """As much of the chosen entry as there is room for; of a game, what its rules begin with."""
    listing, index = finder.listing, desk.index
    if not listing.size or rows < 1:
        return []
    page = Page(words_in(listing.lang), cells, True)
    if listing.games:
        game = listing.games[finder.row]
        name, made = game, _game_lines(game, index, page, listing.lang)
    else:
        record, plan = listing.records[finder.row], listing.found.plan if listing.found else None
        name, made = record.name, entry_lines(record, index, page, listing.lang, plan)
    key = (name, listing.lang, cells, rows, listing.question)
    lines = desk.text(key, lambda: Text(list(islice(made, rows + 1)))).lines
    return lines if len(lines) <= rows else [*lines[: rows - 1], _dim("...")]


def _game_lines(game: str, index: Index, page: Page, lang: str) -> Iterator[str]:
    """A game, the number of its entries, and their titles."""
    shelf = Shelf(index, game)
    yield from page.bold(marked_title(index, game, page.words, lang))
    yield from page.dim(page.words("finder.entries", count=len(shelf)))
    yield ""
    for record in shelf:
        yield from page.line(record.title(lang), 2 * _depth(record))


def _list_keys(finder: Finder, desk: Desk, words: Words) -> list[str]:
    game = game_title(desk.index, finder.game, words.lang) if finder.game else words("finder.all_games")
    back = finder.line.text or finder.game != finder.home
    return [
        words("finder.keys"),
        words("finder.game", game=clip(without_escapes(game), 24)),
        words("finder.lang", language=own_name(finder.listing.lang)),
        *([words("finder.open" if finder.listing.games else "finder.read")] if finder.listing.size else []),
        *([words("finder.clear" if finder.line.text else "finder.back")] if back else []),
        words("finder.leave"),
    ]


# --- reading --------------------------------------------------------------------------------------------------------


def _reading(finder: Finder, desk: Desk, room: Room) -> Screen:
    """The entry on top, scrolled to where it is read, or the keys."""
    place, lang = finder.trail[-1], finder.listing.lang
    words, rows = words_in(lang), max(1, room.rows - 1)
    page = Page(words, room.cells, True)
    text = desk.text((place.name, lang, room.cells), lambda: _whole_text(place.name, desk.index, page, lang))
    last = max(0, len(text.lines) - rows)
    top = min(place.top, last)
    lines = list(text.lines[top : top + rows])
    if 0 <= place.link < len(text.links) and 0 <= text.links[place.link][1] - top < rows:
        at = text.links[place.link][1] - top
        lines[at] = f"\x1b[7m{lines[at]}\x1b[0m"
    lines += [""] * (rows - len(lines))
    share = f"{min(100, (top + rows) * 100 // max(1, len(text.lines)))}%" if last else ""
    bar = _bar(_reading_keys(place.link >= 0, bool(text.links), words, lang), share, room.cells)
    return Screen([*lines, bar], None, Seen(rows, last, text.links))


def _reading_keys(chosen: bool, linked: bool, words: Words, lang: str) -> list[str]:
    return [
        words("finder.back"),
        *([words("finder.links")] if linked else []),
        *([words("finder.follow")] if chosen else []),
        words("finder.lang", language=own_name(lang)),
        words("finder.keys"),
        words("finder.leave"),
    ]


def _whole_text(name: str, index: Index, page: Page, lang: str) -> Text:
    """Everything known of an entry, the entries it is related to numbered; for an empty name, the keys."""
    if not name:
        lines = [*page.bold(page.words("finder.help")), ""]
        for key in HELP:
            lines += page.line(page.words(f"finder.help.{key}"), 0, 2)
        return Text(lines)
    record = index.find(name)
    if record is None:
        return Text(list(page.line(name)))
    lines = list(show_lines(record, index, page, lang, relatives=False))  # they follow, numbered
    links: list[tuple[str, int]] = []
    for key, names in _relatives(record, lang):
        fresh = [n for n in dict.fromkeys(names) if n not in {name, *dict(links)} and index.find(n)]
        lines += ["", *page.bold(page.words(key))] if fresh else []
        for other in fresh:
            links.append((other, len(lines)))
            lines += _link(len(links), other, record.game, index, page, lang)
    return Text(lines, links)


def _relatives(record: Record, lang: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The entries that an entry is related to: the words for how, and their full names."""
    for key in ("path", *RELATIVES):
        yield key, record.head[key]
    spans = (span for block in record.body(lang).blocks for span in block.spans)
    targets = (span.target for span in spans if span.kind == "link")
    yield "finder.mentions", [t for t in targets if t and not t.startswith("source:")]


def _link(number: int, name: str, game: str, index: Index, page: Page, lang: str) -> Iterator[str]:
    record = index.find(name)
    title = record.title(lang) if record else name
    if record and record.game != game:
        title = page.words.bracketed(title, marked_title(index, record.game, page.words, lang))
    yield from page.line(f"{number if number < 10 else '-'} {title}", 2, 4)


# --- pieces ---------------------------------------------------------------------------------------------------------


def _bar(keys: Sequence[str], right: str, cells: int) -> str:
    """The last line: as many keys as fit, the first ones first, and at the right where one is."""
    room = cells - 2 - (width(right) + 2 if right else 0)
    text = ""
    for key in keys:
        longer = f"{text}  {key}" if text else key
        if width(longer) <= room:
            text = longer
    gap = " " * max(0, cells - 2 - width(text) - width(right))
    return f"\x1b[7m {text}{gap}{right} \x1b[0m"


def _dim(text: str) -> str:
    return f"\x1b[2m{text}\x1b[0m" if text else ""


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"
