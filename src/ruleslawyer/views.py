"""What templates may use: one frozen context per kind of page, made in ``pages``. Addresses are relative to the page.

A ``Phrase`` knows when its language is not that of the page; templates then mark it with ``lang``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ruleslawyer.richtext import Html


@dataclass(frozen=True)
class Phrase:
    """A text; ``lang`` is its language tag where it is not the page's, else empty."""

    text: str
    lang: str = ""


@dataclass(frozen=True)
class Link:
    """A link. ``name`` is the full name of an entry, where it leads to one; ``note`` follows it in small type."""

    href: str
    label: Phrase
    name: str = ""
    note: str = ""


@dataclass(frozen=True)
class Choice:
    """A language or a page of a game to go to; ``current`` is where the reader is; ``short``
    is a label for narrow places."""

    href: str
    label: str
    tag: str
    current: bool = False
    short: str = ""


@dataclass(frozen=True)
class Public:
    """Public addresses, where the site's own is known. ``alternates``: language tag and address."""

    canonical: str
    alternates: tuple[tuple[str, str], ...]
    default: str
    image: str


@dataclass(frozen=True)
class Frame:
    """What surrounds every page. ``root`` and ``assets`` are prefixes of addresses and end with ``/``."""

    lang: str
    tag: str
    title: str
    description: str
    path: str
    root: str
    assets: str
    home: str
    search: str
    entries: str
    manifest: str
    languages: tuple[Choice, ...]
    crumbs: tuple[Link, ...] = ()
    tabs: tuple[Choice, ...] = ()
    game: str = ""
    private: bool = False
    public: Public | None = None


@dataclass(frozen=True)
class Fact:
    """A label and its value: *Players*, ``2-4``."""

    label: str
    value: str


@dataclass(frozen=True)
class Branch:
    """A node of a contents tree."""

    link: Link
    kind: str
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True)
class SourceView:
    """A source. ``address`` is a web address or empty; ``href`` leads to its place on the game's page."""

    id: str
    href: str
    title: Phrase
    kind: str
    language: str
    address: str
    date: str
    about: Phrase


@dataclass(frozen=True)
class PositionView:
    """What one or several sources say in a dispute."""

    sources: tuple[Link, ...]
    says: Phrase


@dataclass(frozen=True)
class DisputeView:
    """A dispute with each position, our ruling and what it rests on. ``status``: ``open`` or ``settled``."""

    id: str
    href: str
    status: str
    basis: str
    title: Phrase
    ruling: Phrase
    reason: Phrase
    positions: tuple[PositionView, ...]
    basis_sources: tuple[Link, ...]
    entries: tuple[Link, ...]


@dataclass(frozen=True)
class TermView:
    """A glossary term: its name, its definition and the entry that explains it; other forms on the glossary page."""

    id: str
    form: Phrase
    definition: Phrase
    entry: Link
    forms: tuple[tuple[str, str, str], ...] = ()
    """Language tag, language name, forms in one line."""


@dataclass(frozen=True)
class EntryView:
    """An entry with everything known of it. ``level`` is that of its heading, ``tag`` the language of its text."""

    id: str
    name: str
    kind: str
    level: int
    title: Phrase
    tag: str
    notice: str
    facts: tuple[Fact, ...]
    body: Html
    part_of: Link | None
    rests_on: tuple[Link, ...]
    faq: tuple[Link, ...]
    referred_by: tuple[Link, ...]
    sources: tuple[SourceView, ...]
    disputes: tuple[DisputeView, ...]
    others: tuple[Choice, ...]


@dataclass(frozen=True)
class GameCard:
    """A game on the home page."""

    id: str
    href: str
    title: Phrase
    facts: tuple[Fact, ...]
    languages: tuple[str, ...]
    """Their names for the reader."""
    updated: str
    links: tuple[Choice, ...]
    counts: str


@dataclass(frozen=True)
class HomePage:
    """All games, the search box, and a few questions to begin with."""

    frame: Frame
    games: tuple[GameCard, ...]
    asked: tuple[Link, ...]


@dataclass(frozen=True)
class GamePage:
    """A game: contents, facts, sources."""

    frame: Frame
    title: Phrase
    notice: str
    facts: tuple[Fact, ...]
    rules: tuple[Branch, ...]
    questions: tuple[Branch, ...]
    sources: tuple[SourceView, ...]
    updated: str


@dataclass(frozen=True)
class DocumentPage:
    """The rules of a game, or its FAQ: all entries one below the other, and the terms that they use."""

    frame: Frame
    title: Phrase
    game: Phrase
    notice: str
    contents: tuple[Branch, ...]
    entries: tuple[EntryView, ...]
    terms: tuple[TermView, ...]


@dataclass(frozen=True)
class GlossaryPage:
    """The terms of a game."""

    frame: Frame
    title: str
    game: Phrase
    notice: str
    terms: tuple[TermView, ...]


@dataclass(frozen=True)
class DisputesPage:
    """Where the sources of a game differ: open disputes first."""

    frame: Frame
    title: str
    game: Phrase
    notice: str
    disputes: tuple[DisputeView, ...]


@dataclass(frozen=True)
class SearchPage:
    """The search form with its filters; a script fills in the results.

    ``listed``: the address of the list of this very build; ``data``: what any search will load.
    """

    frame: Frame
    games: tuple[tuple[str, str], ...]
    languages: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]
    listed: str
    data: tuple[str, ...]


@dataclass(frozen=True)
class EntriesPage:
    """The A-Z: letter, id of its group, entries."""

    frame: Frame
    groups: tuple[tuple[str, str, tuple[Link, ...]], ...]


@dataclass(frozen=True)
class MissingPage:
    """The answer to an address that does not exist."""

    frame: Frame
    links: tuple[Choice, ...]


@dataclass(frozen=True)
class RootPage:
    """The way to the reader's language."""

    frame: Frame
    links: tuple[Choice, ...]


View = (
    HomePage | GamePage | DocumentPage | GlossaryPage | DisputesPage | SearchPage | EntriesPage | MissingPage | RootPage
)
