"""The TOML files of one game -> its facts, sources, terms, disputes and asks.

A term, dispute or source with anything wrong in it is reported and left out; so none is half-built.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ruleslawyer.errors import Report, nearest
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.model import Dispute, Localised, Position, Source, Term
from ruleslawyer.tomlfile import Table

FACTS = ("players", "minutes", "age")
SOURCE_KINDS = ("guide", "summary", "game page", "rulebook", "house rules", "public page")
STATUSES = ("open", "settled")
BASES = ("public", "logic", "unknown")
ASK_LANGUAGES = ("en", "es", "zh")
"""Languages in which every entry of every game has asks, whatever languages its text is in."""

FEWEST_ASKS = 7

Made = TypeVar("Made")


@dataclass(frozen=True)
class GameFile:
    """What ``game.toml`` says. ``source_ids`` names all sources, also those left out of ``sources`` as unsound."""

    title: Localised
    languages: tuple[str, ...]
    updated: str
    aliases: tuple[str, ...]
    facts: Mapping[str, str]
    sources: Mapping[str, Source]
    source_ids: frozenset[str]


def read_game(table: Table) -> GameFile | None:
    """Read ``game.toml``; ``None`` if title, languages or date are missing or wrong."""
    before = len(table.report.problems)
    languages = table.known("languages", LANGUAGES, "language")
    title = table.localised("title", languages)
    updated = table.date("updated")
    sound = len(table.report.problems) == before
    table.only("title", "aliases", "languages", "updated", *FACTS, "sources")
    facts = {key: value for key in FACTS if (value := table.text(key, optional=True))}
    aliases = table.texts("aliases", optional=True)
    sources = {s.id: s for s in _read_each(table, "sources", lambda t, seen: _source(t, seen, languages))}
    names = frozenset(t.data["id"] for t in _quiet(table, "sources") if isinstance(t.data.get("id"), str))
    return GameFile(title, languages, updated, aliases, facts, sources, names) if sound else None


def read_terms(table: Table, languages: Collection[str], entries: Collection[str]) -> tuple[Term, ...]:
    """Read ``glossary.toml``: the terms that are sound.

    Args:
        table: the file's top table.
        languages: those in which every term must have forms and a definition.
        entries: ids of the game's entries.
    """
    table.only("terms")
    return tuple(_read_each(table, "terms", lambda t, seen: _term(t, seen, languages, entries)))


def read_disputes(
    table: Table, languages: Collection[str], entries: Collection[str], sources: Collection[str]
) -> tuple[Dispute, ...]:
    """Read ``disputes.toml``: the disputes that are sound. The arguments are as for ``read_terms``."""
    table.only("disputes")
    return tuple(_read_each(table, "disputes", lambda t, seen: _dispute(t, seen, languages, entries, sources)))


def read_asks(table: Table, entries: Collection[str], fewest: int = FEWEST_ASKS) -> dict[str, tuple[str, ...]]:
    """Read ``asks.LANG.toml``: the asks by entry id, those of unknown entries left out. Every entry has ``fewest`` or more."""
    for key in table.data:
        if key not in entries:
            table.report.add(table.line(key), f"asks for unknown entry '{key}'", nearest(key, entries))
    return {entry: _asks(table, entry, fewest) for entry in table.data if entry in entries}


def _asks(table: Table, entry: str, fewest: int) -> tuple[str, ...]:
    asks = table.texts(entry)
    if asks and len(asks) < fewest:
        table.report.add(table.line(entry), f"only {len(asks)} asks for '{entry}'", f"write at least {fewest}")
    seen: set[str] = set()
    for n, ask in enumerate(asks):
        if ask.strip().casefold() in seen:
            table.report.add(table.line(entry, n), f"ask '{ask}' is given twice for '{entry}'")
        seen.add(ask.strip().casefold())
    return tuple(dict.fromkeys(a.strip() for a in asks if a.strip()))


def _read_each(table: Table, key: str, read: Callable[[Table, set[str]], Made]) -> Iterator[Made]:
    """Each element of an array of tables in which nothing was wrong."""
    seen: set[str] = set()
    for element in table.tables(key):
        before = len(table.report.problems)
        made = read(element, seen)
        if len(table.report.problems) == before:
            yield made
        seen.add(str(element.data.get("id", "")))


def _quiet(table: Table, key: str) -> Iterator[Table]:
    """The elements of an array of tables without reporting what has been reported already."""
    return Table(table.data, Report(table.report.file), table.lines, table.path).tables(key, optional=True)


def _source(table: Table, seen: Collection[str], languages: Collection[str]) -> Source:
    table.only("id", "kind", "language", "title", "address", "date", "about")
    source = Source(
        id=table.id(seen),
        kind=table.choice("kind", SOURCE_KINDS),
        language=table.text("language"),
        title=table.text("title"),
        address=table.text("address", optional=True),
        date=table.text("date", optional=True),
        about=table.localised("about", languages),
    )
    if source.address and not re.match(r"https?://\S+$", source.address):
        table.report.add(table.line("address"), f"'{source.address}' is not a web address", "begin with https://")
    return source


def _term(table: Table, seen: Collection[str], languages: Collection[str], entries: Collection[str]) -> Term:
    table.only("id", "entry", "forms", "definition", "marked")
    term = Term(
        id=table.id(seen),
        entry=table.text("entry"),
        forms=table.localised_texts("forms", languages),
        definition=table.localised("definition", languages),
        marked=table.flag("marked", empty=True),
    )
    if term.entry and term.entry not in entries:
        table.report.add(table.line("entry"), f"unknown entry '{term.entry}'", nearest(term.entry, entries))
    return term


def _dispute(
    table: Table,
    seen: Collection[str],
    languages: Collection[str],
    entries: Collection[str],
    sources: Collection[str],
) -> Dispute:
    table.only("id", "entries", "status", "basis", "basis-sources", "title", "ruling", "reason", "positions")
    return Dispute(
        id=table.id(seen),
        entries=table.known("entries", entries, "entry"),
        status=table.choice("status", STATUSES),
        basis=table.choice("basis", BASES),
        title=table.localised("title", languages),
        ruling=table.localised("ruling", languages),
        reason=table.localised("reason", languages),
        positions=tuple(_position(t, languages, sources) for t in table.tables("positions")),
        basis_sources=table.known("basis-sources", sources, "source", optional=True),
    )


def _position(table: Table, languages: Collection[str], sources: Collection[str]) -> Position:
    table.only("sources", "says")
    return Position(table.known("sources", sources, "source"), table.localised("says", languages))
