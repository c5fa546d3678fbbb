"""What has changed since an index was made, as an index that goes on from it: only changed games are read, and only changed
entries are analysed and written, beside the base of the earlier index.

The new index is equal to one made at once, document by document and word by word; only where its documents lie differs. Where
that could not be had, or too little would stay, there is no change to be told, and the whole is made anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ruleslawyer.contents import Contents, outlines_as_json, outlines_from_json
from ruleslawyer.corpus import Loaded, load
from ruleslawyer.dictionary import Dictionary
from ruleslawyer.indexer import (
    Concepts,
    Naming,
    catalogue_of,
    document_again,
    families,
    game_of,
    lines_of,
    stored_of,
)
from ruleslawyer.lexicon import concepts_changed, concepts_of, dictionary_of, fallbacks_of
from ruleslawyer.model import Outline
from ruleslawyer.places import PACKS
from ruleslawyer.postings import IndexDocument, inverted, length_of
from ruleslawyer.state import CATALOGUE, GAMES, LINES, OUTLINES, OVERLAY, Index
from ruleslawyer.stems import simplified_characters

MOST_LATER = 1 / 3
"""The share of documents that may lie beside the base: with more, the whole is made anew."""

MOST_READ = 0.9
"""The share of documents whose games may be read to find out what has changed in them: with more, all are."""


def change(earlier: Index, root: Path, packs: Path | None, states: Mapping[str, str]) -> Contents | None:
    """The index of a corpus as a change of an earlier one; ``None`` where the whole must be made.

    Args:
        earlier: an index of the same corpus on disk, made by this version.
        root: the corpus folder.
        packs: the folder of private packs; it may be missing.
        states: the state of each game's files (``state.game_states``).
    """
    before = outlines_from_json(earlier.outlines)
    known = {key: kept["state"] for key, kept in earlier.outlines["games"].items() if kept["state"]}
    if _bundled(states) != _bundled(known):
        return None
    changed = {key for key in {*states, *known} if states.get(key) != known.get(key)}
    loaded = _read(before, changed, root, packs)
    if loaded is None:
        return None
    rest = {key: outline for key, outline in before.items() if key not in changed}
    outlines = {**rest, **loaded.outlines}
    return _Change(earlier, before, loaded, {key: outlines[key] for key in sorted(outlines, key=_place)}).made(states)


def _bundled(keys: Iterable[str]) -> set[str]:
    return {key for key in keys if not key.startswith(PACKS)}


def _place(key: str) -> tuple[bool, str]:
    """By what games are sorted: those that are bundled first."""
    return key.startswith(PACKS), key


def _read(before: Mapping[str, Outline], changed: set[str], root: Path, packs: Path | None) -> Loaded | None:
    """The changed games, and into ``changed`` those that must be read with them: whose links may lead elsewhere now, or to
    which others link than before. ``None`` where that is too much.
    """
    documents = sum(len(outline.entries) for outline in before.values())
    while sum(len(before[key].entries) for key in changed if key in before) <= documents * MOST_READ:
        loaded = load(root, packs, {key: outline for key, outline in before.items() if key not in changed})
        more = _touched(before, loaded.outlines, changed) - changed
        if not more:
            return loaded
        changed |= more
    return None


def _touched(before: Mapping[str, Outline], now: Mapping[str, Outline], changed: Collection[str]) -> set[str]:
    """The games that a change of others touches."""
    renamed: set[str] = set()
    linked: set[str] = set()
    for key in changed:
        old, new = before.get(key), now.get(key)
        if (old and (old.ids, old.entries)) != (new and (new.ids, new.entries)):
            renamed.add(key.removeprefix(PACKS))
        if _links(old) != _links(new):
            linked |= {target.partition("/")[0] for _, targets in (*_links(old), *_links(new)) for target in targets}
    return {key for key, outline in before.items() if outline.reach & renamed or key.removeprefix(PACKS) in linked}


def _links(outline: Outline | None) -> list[tuple[str, tuple[str, ...]]]:
    return list(outline.links.items()) if outline else []


class _Later(NamedTuple):
    """A document that does not lie in the base: what is stored of it, and whether the earlier index did not have it."""

    stored: Mapping[str, str]
    is_new: bool


class _Change:
    """A new index beside the base of an earlier one."""

    def __init__(
        self, earlier: Index, before: Mapping[str, Outline], loaded: Loaded, outlines: Mapping[str, Outline]
    ) -> None:
        self.earlier = earlier
        self.before = before
        self.loaded = loaded
        self.outlines = outlines
        self.simplified = simplified_characters()
        self.games = {key.removeprefix(PACKS): key for key in outlines if self._is_in_corpus(key)}
        languages = {lang for outline in outlines.values() for lang in outline.languages}
        read = {game: loaded.corpus.games[game].terms for game, key in self.games.items() if self._is_new(key)}
        gone = earlier.games.keys() - self.games.keys()
        self.concepts = concepts_changed(
            earlier.dictionary.concepts,
            concepts_of(read, sorted(languages), self.simplified),
            {*read, *gone},
            self.games,
        )

    def made(self, states: Mapping[str, str]) -> Contents | None:
        """The index; ``None`` where another way of naming concepts reaches unchanged games, or too little stays."""
        renamed = _renamed_games(self.earlier.dictionary.concepts, self.concepts)
        if renamed is None:
            return None
        places, later, gone = self._documents(renamed)
        if not places or len(later) > len(places) * MOST_LATER:
            return None
        documents = list(self._analysed([document.stored for document in later], self.concepts))
        new = [document for document, given in zip(documents, later, strict=True) if given.is_new]
        old = self._analysed(map(self.earlier.store.stored, gone), self.earlier.dictionary.concepts)
        counts, totals = self._counts(new, old)
        parts = {
            **self._dictionary(counts).to_parts(),
            **self._lists(),
            OUTLINES: outlines_as_json(self.outlines, states),
            OVERLAY: {"places": places, "totals": totals},
        }
        return Contents([inverted(documents)], lambda: parts, self._problems(), self.earlier.folder)

    # --- games ---

    def _is_new(self, key: str) -> bool:
        return key in self.loaded.outlines

    def _is_in_corpus(self, key: str) -> bool:
        game, private = key.removeprefix(PACKS), key.startswith(PACKS)
        if self._is_new(key):
            found = self.loaded.corpus.games.get(game)
            return found is not None and found.private == private
        return game in self.earlier.games and self.earlier.games[game].get("private", False) == private

    def _lists(self) -> dict[str, Any]:
        """The parts that have something of every game or entry."""
        corpus, earlier = self.loaded.corpus, self.earlier
        return {
            GAMES: {"games": self._games(), "skipped": self._skipped()},
            CATALOGUE: {
                game: catalogue_of(corpus.games[game]) if self._is_new(key) else earlier.catalogue[game]
                for game, key in self.games.items()
            },
            LINES: {
                name: lines_of(corpus.entries[name]) if self._is_new(key) else earlier.lines[name]
                for key, name in _entries(self.outlines)
            },
        }

    def _games(self) -> dict[str, Any]:
        return {
            game: game_of(self.loaded.corpus.games[game]) if self._is_new(key) else self.earlier.games[game]
            for game, key in self.games.items()
        }

    def _skipped(self) -> dict[str, int]:
        packs = {key: outline for key, outline in self.outlines.items() if key.startswith(PACKS)}
        return {key.removeprefix(PACKS): outline.problems for key, outline in packs.items() if outline.problems}

    def _problems(self) -> int:
        rest = _bundled(key for key in self.outlines if not self._is_new(key))
        return len(self.loaded.problems) + sum(self.outlines[key].problems for key in rest)

    # --- documents ---

    def _documents(self, renamed: Collection[str]) -> tuple[list[int], list[_Later], list[int]]:
        """Where each document lies, those that do not lie in the base, and the numbers of those that are no more."""
        store, numbers = self.earlier.store, {name: n for n, (_, name) in enumerate(_entries(self.before))}
        family = families(self.loaded.corpus, self._referring())
        kept: set[int] = set()
        places: list[int] = []
        later: list[_Later] = []
        for key, name in _entries(self.outlines):
            number = numbers.get(name)
            if self._is_new(key):
                entry = self.loaded.corpus.entries[name]
                stored = stored_of(entry, self.loaded.corpus.games[entry.game], family[name])
                if number is None or entry.game in renamed or store.stored(number) != stored:
                    places.append(-1 - len(later))
                    later.append(_Later(stored, True))
                    continue
            number = numbers[name]
            kept.add(number)
            place = store.overlay.places[number]
            if place < 0:
                place = -1 - len(later)
                later.append(_Later(store.stored(number), False))
            places.append(place)
        return places, later, [number for number in range(store.documents) if number not in kept]

    def _referring(self) -> Iterator[tuple[str, Iterable[str]]]:
        """All entries that link to others, in corpus order; of unchanged games those that link to other games."""
        for key, outline in self.outlines.items():
            if self._is_new(key):
                yield from ((name, self.loaded.corpus.entries[name].links) for _, name in _entries({key: outline}))
            else:
                yield from outline.links.items()

    def _analysed(self, stored: Iterable[Mapping[str, str]], concepts: Concepts) -> Iterator[IndexDocument]:
        naming = Naming(concepts)
        return (document_again(texts, naming, self.simplified) for texts in stored)

    # --- words ---

    def _counts(
        self, new: Iterable[IndexDocument], old: Iterable[IndexDocument]
    ) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
        """In how many documents each term is, and how many terms there are, with the new documents and without the old."""
        vocabularies = self.earlier.dictionary.vocabularies
        counts = {lang: Counter(vocabularies[lang].counts()) for lang in vocabularies}
        totals = Counter({lang: self.earlier.store.total_length(lang) for lang in vocabularies})
        for documents, sign in ((new, 1), (old, -1)):
            for lang, stream in (pair for document in documents for pair in document.streams.items()):
                totals[lang] += sign * length_of(stream)
                into = counts.setdefault(lang, Counter())
                for term in stream:
                    into[term] += sign
        left = {lang: {term: n for term, n in terms.items() if n} for lang, terms in counts.items()}
        return {lang: terms for lang, terms in left.items() if terms}, {lang: n for lang, n in totals.items() if n}

    def _dictionary(self, counts: Mapping[str, Mapping[str, int]]) -> Dictionary:
        texts = {langs for outline in self.outlines.values() for langs in outline.texts}
        fallbacks = fallbacks_of(texts, self.concepts)
        return dictionary_of(counts, self.concepts, self._games(), fallbacks, self.simplified)


def _entries(outlines: Mapping[str, Outline]) -> Iterator[tuple[str, str]]:
    """All entries in corpus order: the key of the game and the full name."""
    for key, outline in outlines.items():
        yield from ((key, f"{key.removeprefix(PACKS)}/{entry}") for entry in outline.entries)


def _renamed_games(old: Concepts, new: Concepts) -> set[str] | None:
    """The games whose concepts have other forms than before.

    ``None`` where that could change which concepts the texts of another game name: when a form comes or goes that has a
    word in common with a form of that game, since the longer of two forms is taken; or when a language comes or goes.
    """
    if list(old) != list(new):
        return None
    games: set[str] = set()
    words: dict[str, set[str]] = {lang: set() for lang in new}
    for lang in new:
        before, now = old[lang].meanings, new[lang].meanings
        for form in {*before, *now}:
            a, b = ({tuple(meaning) for meaning in meanings.get(form, ())} for meanings in (before, now))
            games |= {concept.partition("/")[0] for concept, _ in a ^ b}
            if not a or not b:
                words[lang].update(form.split(" "))
    for lang in new:
        for form, meanings in new[lang].meanings.items() if words[lang] else ():
            elsewhere = any(concept.partition("/")[0] not in games for concept, _ in meanings)
            if elsewhere and not words[lang].isdisjoint(form.split(" ")):
                return None
    return games
