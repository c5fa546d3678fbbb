"""What pages need to know of the whole corpus, found once for all games and languages, since every entry is looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ruleslawyer.glossing import Glossary, glossaries
from ruleslawyer.model import Corpus, Entry


class Survey(NamedTuple):
    """A corpus as its pages look at it.

    Args:
        entries: the entries of each game, in corpus order.
        faq: by full name, the FAQ that rest on an entry.
        referred: by full name, the other entries that link to it.
        glossaries: by game, its glossary in each language.
    """

    entries: Mapping[str, Sequence[Entry]]
    faq: Mapping[str, Sequence[str]]
    referred: Mapping[str, Sequence[str]]
    glossaries: Mapping[str, Mapping[str, Glossary]]


def survey(corpus: Corpus) -> Survey:
    """Look at all entries of a corpus, in its order."""
    languages = corpus.languages
    entries = corpus.entries.values()
    return Survey(
        _by_game(corpus),
        *_reverse_links(entries),
        {game.id: glossaries(game.terms, languages) for game in corpus.games.values()},
    )


def _by_game(corpus: Corpus) -> Mapping[str, Sequence[Entry]]:
    """The entries of each game, in corpus order."""
    found: dict[str, list[Entry]] = {game: [] for game in corpus.games}
    for entry in corpus.entries.values():
        found[entry.game].append(entry)
    return found


def _reverse_links(entries: Iterable[Entry]) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    """Full name -> the FAQ that rest on it; full name -> the other entries that link to it."""
    faq: dict[str, list[str]] = defaultdict(list)
    referred: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        for rule in entry.rests_on:
            faq[f"{entry.game}/{rule}"].append(entry.name)
        for target in sorted(entry.links - {entry.name}):
            if entry.name not in faq[target]:
                referred[target].append(entry.name)
    return faq, referred
