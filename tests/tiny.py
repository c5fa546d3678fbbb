"""Tiny corpora for search tests: a few lines of text become entries, indexed in memory in a few milliseconds.

>>> index = index_of("A lantern may not move.", "A boat may move.")
>>> found(index, "lantern")
['A lantern may not move.']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ruleslawyer.blocks import Block
from ruleslawyer.building import build_in_memory
from ruleslawyer.index import Index, no_progress
from ruleslawyer.model import Corpus, Entry, Game, Term, Text
from ruleslawyer.search import Found, search

NAMES = ("umbra", "vortex", "xylo", "quill", "kelp", "jasper", "ziggurat", "yonder", "ocelot", "fjord")
"""Ids of entries that are given none: words that no test searches for."""


_UNUSED = Term("unused", "", {"en": ("qqq",), "es": ("qqq",), "zh": ("qqq",)}, {})
"""A term no text names, so that every language has a glossary."""


class Line(NamedTuple):
    """An entry, a paragraph a line of its text; ``texts`` (language -> title and body) where it has several languages."""

    text: str = ""
    lang: str = "en"
    title: str = ""
    id: str = ""
    game: str = "harbour"
    kind: str = "rule"
    parent: str = ""
    aliases: tuple[str, ...] = ()
    asks: Mapping[str, Sequence[str]] = {}
    texts: Mapping[str, tuple[str, str]] = {}


def index_of(
    *lines: str | Line,
    lang: str = "en",
    terms: Mapping[str, Sequence[Term]] = {},
    games: Mapping[str, Mapping[str, str]] = {},
) -> Index:
    """An index of these entries, in this order: see ``corpus_of``."""
    return build_in_memory(corpus_of(*lines, lang=lang, terms=terms, games=games), no_progress)


def corpus_of(
    *lines: str | Line,
    lang: str = "en",
    terms: Mapping[str, Sequence[Term]] = {},
    games: Mapping[str, Mapping[str, str]] = {},
) -> Corpus:
    """A corpus of these entries, in this order.

    Args:
        lines: the entries; a string is the text of one in ``lang``.
        terms: glossary by game.
        games: titles by game and language; a game is called by its id where it is not among them.
    """
    entries: dict[str, Entry] = {}
    for n, given in enumerate(lines):
        line = given if isinstance(given, Line) else Line(given, lang)
        entry = _entry(line, line.id or f"{NAMES[n % len(NAMES)]}{n if n >= len(NAMES) else ''}", n)
        entries[entry.name] = entry
    ids = dict.fromkeys(entry.game for entry in entries.values())
    return Corpus({i: _game(i, games.get(i, {"en": i}), (*terms.get(i, ()), _UNUSED)) for i in ids}, entries)


def _entry(line: Line, ident: str, order: int) -> Entry:
    given = line.texts or {line.lang: (line.title or ident, line.text)}
    texts = {
        lang: Text(
            lang,
            title,
            tuple(Block("p", part) for part in body.splitlines()),
            f"{line.game}/rules.{lang}.md",
            order + 1,
            body,
            line.aliases,
        )
        for lang, (title, body) in given.items()
    }
    asks = {lang: tuple(asked) for lang, asked in line.asks.items()}
    return Entry(ident, line.game, line.kind, line.parent, order, texts, asks=asks)


def _game(ident: str, title: Mapping[str, str], terms: tuple[Term, ...]) -> Game:
    return Game(ident, title, tuple(title), "2026-11-29", (), {}, {}, (), terms, {})


def ask(index: Index, query: str, **options: Any) -> Found:
    """The whole answer, with up to 100 hits, for a reader of a language that the entries are written in."""
    fallback = "en" if "en" in index.dictionary.vocabularies else next(iter(index.dictionary.vocabularies))
    return search(index, query, **{"limit": 100, "fallback": fallback, **options})


def found(index: Index, query: str, **options: Any) -> list[str]:
    """The texts of the hits, in order; of the languages of an entry, the one its reader is shown."""
    answer = ask(index, query, **options)
    return [hit.record.body(answer.plan.lang).plain for hit in answer.hits]


def names(answer: Found) -> list[str]:
    """The full names of the hits, in order."""
    return [hit.record.name for hit in answer.hits]
