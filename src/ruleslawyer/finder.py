"""The interactive finder's state, and what a key does to it. Pure: no toolkit, no terminal.

A ``Finder`` is all there is to know: the line that is typed, what is listed for it, the chosen row, the entries that are
being read one over the other. ``typed`` and ``press`` return the next one. Where a question has changed, what is listed
still belongs to the one before (``pending``) until ``answered`` brings the new ``Listing``: so typing never waits for a
search. ``finderview`` says what a state looks like, ``finderscreen`` shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ruleslawyer.index import Index
from ruleslawyer.inputline import EMPTY, Line
from ruleslawyer.records import Record
from ruleslawyer.search import Found, search
from ruleslawyer.terminal import unsafe

LIMIT = 50
"""Hits listed at most."""


class Question(NamedTuple):
    """What is asked: the text, the game (or empty: all), the reader's language, and whether it was chosen by hand."""

    text: str
    game: str
    lang: str
    chosen: bool


class Listing(NamedTuple):
    """What is listed for a question, and the language it is read in.

    ``games`` where nothing is typed and no game is chosen; otherwise ``records``: the hits, the nearest entries where there
    is no answer, or the whole game where nothing is typed.
    """

    question: Question
    lang: str
    games: Sequence[str] = ()
    records: Sequence[Record] = ()
    found: Found | None = None

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.games) or len(self.records)


class Place(NamedTuple):
    """An entry that is being read (an empty name: the keys), the line at the top, and the chosen link (or -1)."""

    name: str
    top: int = 0
    link: int = -1


class Seen(NamedTuple):
    """What a key has to know of the screen.

    ``page``: rows that a page has; ``last_top``: the top line when scrolled to the end; ``links``: full names of the linked
    entries with the line where each stands.
    """

    page: int = 10
    last_top: int = 0
    links: Sequence[tuple[str, int]] = ()


@dataclass(frozen=True)
class Finder:
    """One state of the finder.

    ``langs`` and ``games`` are what the switches go round; ``home`` is the game it was opened with; ``trail`` the entries
    that are read one over the other, the last one on the screen; ``done`` that the person has left.
    """

    listing: Listing
    langs: Sequence[str]
    games: Sequence[str]
    home: str = ""
    line: Line = EMPTY
    game: str = ""
    lang: str = "en"
    chosen: bool = False
    row: int = 0
    trail: tuple[Place, ...] = ()
    done: bool = False

    @property
    def question(self) -> Question:
        """What is asked now."""
        return Question(self.line.text.strip(), self.game, self.lang, self.chosen)

    @property
    def pending(self) -> bool:
        """Whether what is listed belongs to an earlier question."""
        return self.listing.question != self.question


def opened(index: Index, lang: str, game: str = "") -> Finder:
    """The finder as it opens for a reader of ``lang``, with all games or one."""
    games = tuple(index.games)
    only = game or (games[0] if len(games) == 1 else "")
    question = Question("", only, lang, False)
    langs = tuple(index.dictionary.vocabularies)
    return Finder(answer(index, question), langs, games, home=only, game=only, lang=lang)


def answer(index: Index, question: Question) -> Listing:
    """What is to be listed for a question."""
    text, game, lang, chosen = question
    if text:
        found = search(index, text, game=game, lang=lang if chosen else "", limit=LIMIT, fallback=lang)
        records = tuple(hit.record for hit in found.hits or found.nearest)
        return Listing(question, _reading(question, found), records=records, found=found)
    if game:
        return Listing(question, lang, records=Shelf(index, game))
    return Listing(question, lang, games=tuple(index.games))


def _reading(question: Question, found: Found) -> str:
    """The language to read in: the chosen one; else the question's own, once it has words enough to tell."""
    chosen, own = found.plan.filters.get("lang"), found.plan.lang
    telling = len(question.text.split()) > 1 or not question.text.isascii()
    return chosen or (own if telling else question.lang)


class Shelf(Sequence[Record]):
    """All entries of a game in the order of its rules, each read when it is looked at."""

    def __init__(self, index: Index, game: str) -> None:
        self._index = index
        self._documents = sorted(index.store.with_keyword("game", game))
        self._read: dict[int, Record] = {}

    def __len__(self) -> int:
        return len(self._documents)

    def __getitem__(self, at: int) -> Record:  # type: ignore[override]  # no slice is taken of a shelf
        document = self._documents[at]
        if document not in self._read:
            self._read[document] = self._index.record(document)
        return self._read[document]


# --- what is typed and pressed --------------------------------------------------------------------------------------


def typed(finder: Finder, text: str) -> Finder:
    """The state after something was typed or pasted: it goes into the line; over an entry it begins a new question."""
    if finder.trail:
        return replace(finder, trail=(), line=EMPTY.put(text.lstrip()))
    return replace(finder, line=finder.line.put(text))


def answered(finder: Finder, listing: Listing) -> Finder:
    """The state with what is listed for its question; an answer to a question that has changed since counts too.

    The first row is chosen, unless only the language has changed.
    """
    before, now = finder.listing.question, listing.question
    same = (before.text, before.game) == (now.text, now.game)
    return replace(finder, listing=listing, row=max(0, min(finder.row, listing.size - 1)) if same else 0)


def press(finder: Finder, key: str, seen: Seen) -> Finder:
    """The state after a key: ``up``, ``pagedown``, ``enter``, ``escape``, ``tab``, ``f1``, ``c-d`` ... or one character.

    Moving and reading go by what is listed, so an answer must not be ``pending`` then. A key that means nothing changes
    nothing.
    """
    here = _READING if finder.trail else _LISTED
    done = here.get(key) or _EVERYWHERE.get(key)
    if done:
        return done(finder, seen)
    if finder.trail and key.isascii() and key.isdigit():
        return _follow(finder, seen, int(key) - 1)
    if key == "?" and not finder.line.text:
        return _keys(finder, seen)
    return typed(finder, key) if len(key) == 1 and not unsafe().match(key) else finder


Step = Callable[[Finder, Seen], Finder]


def _leave(finder: Finder, _: Seen) -> Finder:
    return replace(finder, done=True)


def _keys(finder: Finder, _: Seen) -> Finder:
    """Show the keys, or put them away."""
    shown = bool(finder.trail) and not finder.trail[-1].name
    return replace(finder, trail=finder.trail[:-1] if shown else (*finder.trail, Place("")))


def _next_game(finder: Finder, _: Seen) -> Finder:
    """The next game, after the last one all of them; an entry that is read stays."""
    if finder.trail:
        return finder
    choices = ("", *finder.games)
    return replace(finder, game=choices[(choices.index(finder.game) + 1) % len(choices)])


def _next_language(finder: Finder, _: Seen) -> Finder:
    """The next language after the one that is read in; it stays chosen."""
    langs, now = tuple(finder.langs), finder.listing.lang
    following = langs[(langs.index(now) + 1) % len(langs)] if now in langs else langs[0]
    return replace(finder, lang=following, chosen=True)


def _enter(finder: Finder, _: Seen) -> Finder:
    """Read the chosen entry, or look into the chosen game."""
    listing = finder.listing
    if listing.games:
        return replace(finder, game=listing.games[finder.row])
    if not listing.size:
        return finder
    return replace(finder, trail=(Place(listing.records[finder.row].name),))


def _clear(finder: Finder, _: Seen) -> Finder:
    """One step back from the list: the line is emptied, then the game let go, at last the finder left."""
    if finder.line.text:
        return replace(finder, line=EMPTY)
    if finder.game != finder.home:
        return replace(finder, game=finder.home)
    return replace(finder, done=True)


def _row(move: Callable[[int, Seen], int]) -> Step:
    """A key that chooses another row; ``move`` may leave the list at either end."""

    def step(finder: Finder, seen: Seen) -> Finder:
        return replace(finder, row=max(0, min(move(finder.row, seen), finder.listing.size - 1)))

    return step


def _edit(change: Callable[[Line], Line]) -> Step:
    """A key that changes the line, or moves in it."""

    def step(finder: Finder, _: Seen) -> Finder:
        return replace(finder, line=change(finder.line))

    return step


def _scroll(move: Callable[[int, Seen], int]) -> Step:
    """A key that scrolls the entry."""

    def step(finder: Finder, seen: Seen) -> Finder:
        *under, place = finder.trail
        top = max(0, min(move(min(place.top, seen.last_top), seen), seen.last_top))
        return replace(finder, trail=(*under, place._replace(top=top)))

    return step


def _back(finder: Finder, _: Seen) -> Finder:
    """Back to the entry that led here, or to the list."""
    return replace(finder, trail=finder.trail[:-1])


def _follow(finder: Finder, seen: Seen, link: int) -> Finder:
    if not 0 <= link < len(seen.links):
        return finder
    *under, place = finder.trail
    return replace(finder, trail=(*under, place._replace(link=link), Place(seen.links[link][0])))


def _follow_chosen(finder: Finder, seen: Seen) -> Finder:
    return _follow(finder, seen, finder.trail[-1].link)


def _link(by: int) -> Step:
    """A key that chooses another link, and brings it on the screen."""

    def step(finder: Finder, seen: Seen) -> Finder:
        *under, place = finder.trail
        if not seen.links:
            return finder
        link = (place.link + by) % len(seen.links) if place.link >= 0 else (0 if by > 0 else len(seen.links) - 1)
        line = seen.links[link][1]
        top = min(place.top, seen.last_top)
        if not top <= line < top + seen.page:
            top = max(0, min(line - seen.page // 2, seen.last_top))
        return replace(finder, trail=(*under, Place(place.name, top, link)))

    return step


BY_LISTING = frozenset(
    {"enter", "up", "down", "c-p", "c-n", "tab", "backtab", "pageup", "pagedown", "home", "end", "f3", "c-l"}
)
"""Keys that go by what is listed, and so must find the answer to the question as it stands."""

_EVERYWHERE: Mapping[str, Step] = {
    "c-c": _leave,
    "c-d": _leave,
    "f1": _keys,
    "f2": _next_game,
    "c-g": _next_game,
    "f3": _next_language,
    "c-l": _next_language,
}

_UP, _DOWN = _row(lambda row, _: row - 1), _row(lambda row, _: row + 1)
_LISTED: Mapping[str, Step] = {
    "enter": _enter,
    "escape": _clear,
    "up": _UP,
    "c-p": _UP,
    "down": _DOWN,
    "tab": _DOWN,
    "backtab": _UP,
    "c-n": _DOWN,
    "pageup": _row(lambda row, seen: row - seen.page),
    "pagedown": _row(lambda row, seen: row + seen.page),
    "home": _row(lambda _row, _seen: 0),
    "end": _row(lambda _row, _seen: 1 << 30),
    "left": _edit(Line.left),
    "right": _edit(Line.right),
    "c-a": _edit(Line.start),
    "c-e": _edit(Line.end),
    "backspace": _edit(Line.backspace),
    "delete": _edit(Line.delete),
    "c-w": _edit(Line.word_back),
    "c-u": _edit(Line.cut_before),
    "c-k": _edit(Line.cut_after),
}

_LINE_UP, _LINE_DOWN = _scroll(lambda top, _: top - 1), _scroll(lambda top, _: top + 1)
_PAGE_DOWN = _scroll(lambda top, seen: top + seen.page - 1)
_READING: Mapping[str, Step] = {
    "enter": _follow_chosen,
    "escape": _back,
    "backspace": _back,
    "left": _back,
    "up": _LINE_UP,
    "c-p": _LINE_UP,
    "down": _LINE_DOWN,
    "c-n": _LINE_DOWN,
    "pageup": _scroll(lambda top, seen: top - seen.page + 1),
    "pagedown": _PAGE_DOWN,
    " ": _PAGE_DOWN,
    "home": _scroll(lambda _top, _seen: 0),
    "end": _scroll(lambda _top, seen: seen.last_top),
    "tab": _link(1),
    "backtab": _link(-1),
    "?": _keys,
}
