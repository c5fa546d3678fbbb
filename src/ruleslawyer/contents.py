"""What the files of an index hold: the postings, and the parts that are read as JSON."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruleslawyer.corpus import Loaded
from ruleslawyer.forking import shared
from ruleslawyer.indexer import Concepts, Naming, catalogue_of, document_of, families, game_of, lines_of
from ruleslawyer.lexicon import concepts_of, dictionary_of, fallbacks_of
from ruleslawyer.model import Corpus, Outline
from ruleslawyer.postings import Inverted, inverted
from ruleslawyer.state import CATALOGUE, GAMES, LINES, OUTLINES, Progress, made
from ruleslawyer.stems import simplified_characters

RUNS = 32
"""In how many runs the entries of a corpus are turned round, after each of which progress is told."""

SMALLEST_RUN = 20

MANY = 1000
"""Entries for which it pays to start processes."""


@dataclass(frozen=True)
class Contents:
    """What an index folder is to hold.

    Args:
        postings: documents turned round: all, or the later ones beside a base.
        parts: gives what is read as JSON, by name; made when it is asked for, which another process may do.
        problems: how many problems the corpus has.
        base: the folder of the index whose base is used again.
    """

    postings: Sequence[Inverted]
    parts: Callable[[], Mapping[str, Any]]
    problems: int
    base: Path | None = None


def whole(loaded: Loaded, states: Mapping[str, str], progress: Progress) -> Contents:
    """The index of a whole corpus.

    Args:
        loaded: the corpus.
        states: the state of each game's files (``state.game_states``), for the next build.
        progress: is told how far it is.
    """
    corpus = loaded.corpus
    simplified = simplified_characters()
    concepts = concepts_of({g.id: g.terms for g in corpus.games.values()}, corpus.languages, simplified)
    postings = list(_postings(corpus, concepts, simplified, progress))

    def parts() -> dict[str, Any]:
        games = {game.id: game_of(game) for game in corpus.games.values()}
        texts = {tuple(entry.texts) for entry in corpus.entries.values()}
        fallbacks = fallbacks_of(texts, corpus.languages)
        return {
            **dictionary_of(_counts(postings), concepts, games, fallbacks, simplified).to_parts(),
            GAMES: {"games": games, "skipped": dict(corpus.skipped)},
            CATALOGUE: {game.id: catalogue_of(game) for game in corpus.games.values()},
            LINES: {entry.name: lines_of(entry) for entry in corpus.entries.values()},
            OUTLINES: outlines_as_json(loaded.outlines, states),
        }

    return Contents(postings, parts, len(loaded.problems))


def _postings(
    corpus: Corpus, concepts: Concepts, simplified: Mapping[str, str], progress: Progress
) -> Iterator[Inverted]:
    """All documents turned round, in runs of entries; several processes share them where there are many."""
    naming = Naming(concepts)
    family = families(corpus, ((entry.name, entry.links) for entry in corpus.entries.values()))
    entries = list(corpus.entries.values())
    size = max(SMALLEST_RUN, -(-len(entries) // RUNS))

    def turned_round(first: int) -> Inverted:
        run = entries[first : first + size]
        return inverted((document_of(e, corpus.games[e.game], family[e.name], naming, simplified) for e in run), first)

    done = 0
    for part in shared(turned_round, range(0, len(entries), size), worthwhile=len(entries) > MANY):
        done += len(part.stored)
        progress(done, len(entries))
        yield part


def _counts(postings: Iterable[Inverted]) -> dict[str, Counter[str]]:
    """In how many documents each term of a language occurs."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for part in postings:
        for lang, terms in part.frequencies().items():
            counts[lang].update(terms)
    return counts


def outlines_as_json(outlines: Mapping[str, Outline], states: Mapping[str, str]) -> dict[str, Any]:
    """The outlines of all games with the states of their files, as an index keeps them."""
    games = {
        key: {
            "state": states.get(key, ""),
            "ids": sorted(outline.ids),
            "entries": list(outline.entries),
            "texts": sorted(map(list, outline.texts)),
            "languages": sorted(outline.languages),
            "links": {name: list(targets) for name, targets in outline.links.items()},
            "reach": sorted(outline.reach),
            "problems": outline.problems,
        }
        for key, outline in outlines.items()
    }
    return {"made": made(), "games": games}


def outlines_from_json(data: Mapping[str, Any]) -> dict[str, Outline]:
    """What ``outlines_as_json`` was given."""
    return {
        key: Outline(
            ids=frozenset(kept["ids"]),
            entries=tuple(kept["entries"]),
            texts=frozenset(map(tuple, kept["texts"])),
            languages=frozenset(kept["languages"]),
            links={name: tuple(targets) for name, targets in kept["links"].items()},
            reach=frozenset(kept["reach"]),
            problems=kept["problems"],
        )
        for key, kept in data["games"].items()
    }
