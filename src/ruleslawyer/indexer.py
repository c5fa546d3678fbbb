"""Entry -> what the index holds of it: its terms and what is stored. Pure: reads and writes no file.

An entry has one stream of terms per language: the forms of its words, and the glossary's concepts that they name. What is
title, alias, ask or body is told by the position (``positions``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from ruleslawyer.blocks import Block
from ruleslawyer.cells import Cell, cells_of
from ruleslawyer.dictionary import Forms, compact_json
from ruleslawyer.model import Corpus, Entry, Game, Text
from ruleslawyer.plan import concept_term, title_key
from ruleslawyer.positions import ALIAS, ASKS, BLOCK_GAP, MAX_PLACE, TITLE, body_start, short_start
from ruleslawyer.postings import IndexDocument
from ruleslawyer.records import Record

VAGUE_FORM = 0.4
"""How surely a glossary form that means several things names its concept; others do so more surely."""

Streams = dict[str, dict[str, list[int]]]
"""The positions of each term, per language."""

Spoken = Mapping[str, Sequence[str]]
"""By language, what else an entry is called."""

Concepts = Mapping[str, Forms]
"""The glossary as search data: language -> forms that mean ``(game/term, weight)``."""


class Naming:
    """Finds the concepts that texts name.

    The forms of all games are sought, so that a longer one of another game stands in the way of a shorter one of the text's
    own; only the own game's concepts count.
    """

    def __init__(self, concepts: Concepts) -> None:
        self._forms = concepts
        self._own: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
        for lang, forms in concepts.items():
            for form, meanings in forms.meanings.items():
                for concept, weight in meanings:
                    if weight > VAGUE_FORM:
                        own = self._own[lang, concept.partition("/")[0]]
                        own.setdefault(form, []).append(concept_term(concept))

    def named(self, cells: Sequence[Cell], lang: str, game: str) -> list[tuple[str, int]]:
        """The terms of the concepts of a game that a text names, each with its position; vague forms do not count."""
        own = self._own.get((lang, game))
        if not own:
            return []
        found = self._forms[lang].found_in([key for key, _ in cells])
        return [(term, start) for start, _, form in found for term in own.get(form, ())]


def document_of(
    entry: Entry, game: Game, family: Family, naming: Naming, simplified: Mapping[str, str]
) -> IndexDocument:
    """What is indexed of an entry."""
    return IndexDocument(
        keywords=_keywords(entry, bool(family.children)),
        streams=_streams(entry, _forms(entry, game), naming, simplified),
        stored=stored_of(entry, game, family),
    )


def document_again(stored: Mapping[str, str], naming: Naming, simplified: Mapping[str, str]) -> IndexDocument:
    """What is indexed of an entry, from what an index has stored of it."""
    record = Record(stored)
    entry = _entry_of(record)
    return IndexDocument(
        keywords=_keywords(entry, bool(record.head["children"])),
        streams=_streams(entry, record.forms(), naming, simplified),
        stored=stored,
    )


def _entry_of(record: Record) -> Entry:
    """An entry as far as it is searched, from what an index has stored of it."""
    bodies = {lang: record.body(lang) for lang in record.titles}
    return Entry(
        id=record.name.partition("/")[2],
        game=record.game,
        kind=record.head["kind"],
        parent=record.head["parent"],
        order=0,
        texts={lang: Text(lang, b.title, b.blocks, b.file, 0, "", (), b.pages) for lang, b in bodies.items()},
        sources=(),
        asks={lang: tuple(asks) for lang, asks in record.asks().items()},
    )


def catalogue_of(game: Game) -> dict[str, Any]:
    """What only lists and whole entries show of a game, as JSON data."""
    return {
        "facts": dict(game.facts),
        "sources": [asdict(s) for s in game.sources.values()],
        "terms": [asdict(t) for t in game.terms],
        "disputes": [asdict(d) for d in game.disputes],
    }


def game_of(game: Game) -> dict[str, Any]:
    """The little of a game that a look-up shows, as JSON data: titles, and the titles of its sources."""
    return {
        "title": dict(game.title),
        "aliases": list(game.aliases),
        "languages": list(game.languages),
        "updated": game.updated,
        "sources": {s.id: [s.title, s.language] for s in game.sources.values()},
        **({"private": True} if game.private else {}),
    }


def lines_of(entry: Entry) -> dict[str, int]:
    """The line of its file at which each text of an entry begins. Apart from the rest: every line put in moves many."""
    return {lang: text.line for lang, text in entry.texts.items()}


def _keywords(entry: Entry, has_children: bool) -> dict[str, Sequence[str]]:
    """What an entry can be found by whole. ``exact``: its id and titles, as ``title_key`` writes a query."""
    exact = {title_key(text.title) for text in entry.texts.values()}
    exact |= {entry.id.replace("-", " "), title_key(f"{entry.game} {entry.id}")}
    return {
        "id": [entry.name],
        "game": [entry.game],
        "kind": [entry.kind],
        "lang": sorted(entry.texts),
        "shape": ["overview"] if has_children else [],
        "exact": sorted(exact),
    }


def _streams(entry: Entry, forms: Spoken, naming: Naming, simplified: Mapping[str, str]) -> Streams:
    streams: Streams = {}

    def add(text: str, lang: str, start_of: Callable[[int], int], most: int) -> int:
        """Add a text's terms and concepts from the position that its length in words gives. Returns the length."""
        cells = cells_of(text, lang, simplified)
        length = len(cells)
        start = start_of(length)
        rows = streams[lang]
        places = range(start, start + length) if length <= most else [start + min(n, most) for n in range(length)]
        for place, (_, terms) in zip(places, cells, strict=True):
            for term in terms:
                rows[term].append(place)
        for term, n in naming.named(cells, lang, entry.game):
            rows[term].append(places[n])
        return length

    for lang in sorted({*entry.texts, *entry.asks}):
        streams[lang] = defaultdict(list)
        for field, texts in _short_texts(entry, forms, lang):
            for number, short in enumerate(texts):
                add(short, lang, partial(short_start, field, number), MAX_PLACE)
        start = 0
        for block in entry.texts[lang].blocks if lang in entry.texts else ():
            start += add(block.text, lang, partial(body_start, start), len(block.text)) + BLOCK_GAP
    return streams


def _short_texts(entry: Entry, forms: Spoken, lang: str) -> Iterator[tuple[int, Sequence[str]]]:
    text = entry.texts.get(lang)
    yield TITLE, [text.title] if text else []
    own = [entry.id.replace("-", " ")] if lang == "en" else []
    yield ALIAS, [*forms.get(lang, ()), *own]
    yield ASKS, entry.asks.get(lang, ())


def _forms(entry: Entry, game: Game) -> dict[str, list[str]]:
    """By language, what else an entry is called: its aliases, and the forms of the glossary's terms that it explains."""
    own = [term for term in game.terms if term.entry == entry.id]
    called = {
        lang: [
            *(entry.texts[lang].aliases if lang in entry.texts else ()),
            *(form for term in own for form in term.forms.get(lang, ())),
        ]
        for lang in sorted({*entry.texts, *entry.asks})
    }
    return {lang: forms for lang, forms in called.items() if forms}


@dataclass(frozen=True)
class Family:
    """Full names of an entry's relatives, each in corpus order."""

    path: tuple[str, ...]
    children: tuple[str, ...]
    faq: tuple[str, ...]
    referred_by: tuple[str, ...]


def families(corpus: Corpus, referring: Iterable[tuple[str, Iterable[str]]]) -> dict[str, Family]:
    """The relatives of all entries.

    Args:
        corpus: the corpus, or some games of one.
        referring: full names of entries in corpus order, each with those it links to; of entries elsewhere too.
    """
    children: dict[str, list[str]] = defaultdict(list)
    faq: dict[str, list[str]] = defaultdict(list)
    referred: dict[str, list[str]] = defaultdict(list)
    for entry in corpus.entries.values():
        if entry.parent and entry.kind != "faq":
            children[f"{entry.game}/{entry.parent}"].append(entry.name)
        for rule in entry.rests_on:
            faq[f"{entry.game}/{rule}"].append(entry.name)
    for name, targets in referring:
        for target in targets:
            referred[target].append(name)
    return {
        name: Family(
            _path(corpus, entry),
            tuple(children[name]),
            tuple(faq[name]),
            tuple(
                n for n in referred[name] if n not in (*children[name], *faq[name]) and n not in _path(corpus, entry)
            ),
        )
        for name, entry in corpus.entries.items()
    }


def _path(corpus: Corpus, entry: Entry) -> tuple[str, ...]:
    path: list[str] = []
    while entry.parent:
        entry = corpus.entries[f"{entry.game}/{entry.parent}"]
        path.insert(0, entry.name)
    return tuple(path)


def stored_of(entry: Entry, game: Game, family: Family) -> dict[str, str]:
    """What is stored of an entry: everything that it is shown and indexed from (``Record``)."""
    head = {
        "name": entry.name,
        "game": entry.game,
        "kind": entry.kind,
        "parent": f"{entry.game}/{entry.parent}" if entry.parent else "",
        "titles": {lang: text.title for lang, text in entry.texts.items()},
        "sources": list(entry.sources),
        "rests_on": [f"{entry.game}/{rule}" for rule in entry.rests_on],
        "disputes": [d.id for d in game.disputes if entry.id in d.entries],
        "facts": {k: v for k in ("players", "edition", "variant") if (v := getattr(entry, k))},
        **asdict(family),
    }
    stored = {"head": compact_json(head)}
    for lang, text in entry.texts.items():
        stored[f"body_{lang}"] = compact_json(
            {
                "file": text.file,
                **({"pages": text.pages} if text.pages else {}),
                "blocks": [_block(b) for b in text.blocks],
            }
        )
    disputes = [asdict(d) for d in game.disputes if entry.id in d.entries]
    if disputes:
        stored["disputes"] = compact_json(disputes)
    if entry.asks:
        stored["asks"] = compact_json({lang: list(asks) for lang, asks in entry.asks.items()})
    if forms := _forms(entry, game):
        stored["forms"] = compact_json(forms)
    return stored


def _block(block: Block) -> list[Any]:
    spans = [[s.start, s.end, s.kind, s.target] for s in block.spans]
    return [block.kind, block.text, block.depth, block.marker, spans]
