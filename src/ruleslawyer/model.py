"""Plain data: what a corpus is made of. Frozen; compared by value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ruleslawyer.blocks import Block, plain

Localised = Mapping[str, str]
"""One text per language: ``{"en": "Ties for control", "es": "Empates por el control"}``."""


@dataclass(frozen=True)
class Text:
    """An entry in one language: its title, body and where it stands (file relative to the corpus, 1-based line)."""

    lang: str
    title: str
    blocks: tuple[Block, ...]
    file: str
    line: int
    markdown: str = ""
    aliases: tuple[str, ...] = ()
    pages: str = ""
    """Where the text stands in its source: ``4`` or ``4-5``; empty where that has no pages."""

    @property
    def plain(self) -> str:
        """The body as plain text, a line per block."""
        return plain(self.blocks)


@dataclass(frozen=True)
class Source:
    """Where rulings come from: one of the texts the corpus restates, or a public page."""

    id: str
    kind: str
    language: str
    title: str
    address: str = ""
    date: str = ""
    about: Localised = field(default_factory=dict)


@dataclass(frozen=True)
class Position:
    """What one or several sources say in a dispute, in our words."""

    sources: tuple[str, ...]
    says: Localised


@dataclass(frozen=True)
class Dispute:
    """Sources that disagree or are silent: who says what, what we rule and why, ``settled`` or ``open``."""

    id: str
    entries: tuple[str, ...]
    status: str
    basis: str
    title: Localised
    ruling: Localised
    reason: Localised
    positions: tuple[Position, ...]
    basis_sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term:
    """A glossary term: its forms per language (the first is the one our texts use) and the entry that explains it.

    ``marked``: whether texts explain it where it stands; not if its word has an everyday meaning too.
    """

    id: str
    entry: str
    forms: Mapping[str, tuple[str, ...]]
    definition: Localised
    marked: bool = True


@dataclass(frozen=True)
class Entry:
    """A rule, FAQ or piece of information: the unit of search and citation.

    ``id`` is unique in its game and the same in every language; ``name`` is ``game/id``. ``parent``, ``rests_on`` and
    ``links`` hold ids and names of other entries; ``order`` is the place in the corpus, from 0.
    """

    id: str
    game: str
    kind: str
    parent: str
    order: int
    texts: Mapping[str, Text]
    sources: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    players: str = ""
    edition: str = ""
    variant: str = ""
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The full name, e.g. ``beyond-the-sun/control-ties``."""
        return f"{self.game}/{self.id}"

    @property
    def links(self) -> frozenset[str]:
        """Full names of the entries that any language of this entry links to."""
        spans = (s for t in self.texts.values() for b in t.blocks for s in b.spans)
        return frozenset(s.target for s in spans if s.kind == "link" and not s.target.startswith("source:"))


@dataclass(frozen=True)
class Game:
    """A game with all that is known about it. ``languages`` are those in which every entry must exist."""

    id: str
    title: Localised
    languages: tuple[str, ...]
    updated: str
    aliases: tuple[str, ...]
    facts: Mapping[str, str]
    sources: Mapping[str, Source]
    disputes: tuple[Dispute, ...]
    terms: tuple[Term, ...]
    documents: Mapping[tuple[str, str], str]
    """Titles of the documents by kind and language: ``("rule", "en") -> "Rules"``."""
    private: bool = False
    """Whether it comes from a person's own packs, not from the corpus."""


@dataclass(frozen=True)
class Outline:
    """What the rest of a corpus, and its next index, need to know of a game.

    Args:
        ids: of all entries, sound or not.
        entries: ids of those that are in the corpus, in order; none of a pack that was left out.
        texts: which sets of languages its entries are written in.
        languages: all languages of texts and asks.
        links: full names of entries -> those of other games that they link to.
        reach: the games that its links name, rightly or not.
        problems: how many it has.
    """

    ids: frozenset[str]
    entries: tuple[str, ...]
    texts: frozenset[tuple[str, ...]]
    languages: frozenset[str]
    links: Mapping[str, tuple[str, ...]]
    reach: frozenset[str]
    problems: int


@dataclass(frozen=True)
class Corpus:
    """All games and entries, linked: every id named anywhere in it exists."""

    games: Mapping[str, Game]
    entries: Mapping[str, Entry]
    """By full name, in corpus order."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Private packs that were left out, each with how many problems it has."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Every language in which there is a text or an ask, sorted."""
        found = {lang for e in self.entries.values() for lang in (*e.texts, *e.asks)}
        return tuple(sorted(found))
