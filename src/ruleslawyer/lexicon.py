"""Games and counted words -> the index's dictionary: vocabularies by stem, the glossary's forms, the names of games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ruleslawyer.analysis import analyse, fold, is_han
from ruleslawyer.cells import cells_of
from ruleslawyer.dictionary import Dictionary, Forms, Vocabulary
from ruleslawyer.indexer import VAGUE_FORM, Concepts
from ruleslawyer.model import Term
from ruleslawyer.plan import is_concept
from ruleslawyer.stems import stemmer

FIRST_FORM, OTHER_FORM = 1.0, 0.8
"""How surely a glossary form names its concept: the form our texts use, and another."""

Counts = Mapping[str, Mapping[str, int]]
"""By language, in how many entries a term occurs."""


def dictionary_of(
    counts: Counts,
    concepts: Concepts,
    games: Mapping[str, Any],
    fallbacks: Mapping[str, Sequence[str]],
    simplified: Mapping[str, str],
) -> Dictionary:
    """The dictionary.

    Args:
        counts: in how many entries each term occurs.
        concepts: the glossary's forms.
        games: per game its ``title`` and ``aliases``.
        fallbacks: by language, the languages of the entries that have no text in it.
        simplified: Traditional to Simplified characters, all that are known.
    """
    known = {c for terms in counts.values() for term in terms for c in term if is_han(c)}
    return Dictionary(
        {lang: Vocabulary.of(lang, _groups(terms, lang)) for lang, terms in sorted(counts.items())},
        concepts,
        {a: b for a, b in simplified.items() if b in known},
        _game_names(games, simplified),
        fallbacks,
    )


def fallbacks_of(texts: Iterable[Iterable[str]], languages: Iterable[str]) -> dict[str, list[str]]:
    """By language, the languages in which entries without a text in it are written.

    >>> fallbacks_of([["en", "es"], ["en"]], ["en", "es"])
    {'en': [], 'es': ['en']}
    """
    kinds = {frozenset(langs) for langs in texts}
    return {lang: sorted({other for langs in kinds if lang not in langs for other in langs}) for lang in languages}


def _groups(counts: Mapping[str, int], lang: str) -> dict[str, dict[str, int]]:
    stem = stemmer(lang)
    groups: dict[str, dict[str, int]] = defaultdict(dict)
    for term in sorted(counts):
        if not is_concept(term):
            groups[stem(term)][term] = counts[term]
    return dict(groups)


def concepts_of(
    terms: Mapping[str, Sequence[Term]], languages: Iterable[str], simplified: Mapping[str, str]
) -> Concepts:
    """The forms of the terms of all games, as search data."""
    concepts: dict[str, Forms] = {}
    for lang in languages:
        forms: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for game, own in terms.items():
            keyed = [(term, _form_keys(term, lang, simplified)) for term in own]
            vague = _vague_forms(keyed)
            for term, keys in keyed:
                for n, key in enumerate(keys):
                    weight = FIRST_FORM if n == 0 else VAGUE_FORM if key in vague else OTHER_FORM
                    forms[key].append((f"{game}/{term.id}", weight))
        concepts[lang] = Forms(dict(sorted(forms.items())))
    return concepts


def concepts_changed(old: Concepts, new: Concepts, changed: Collection[str], games: Iterable[str]) -> Concepts:
    """The concepts of all games, from those of before and those of the games that have changed.

    Args:
        old: the concepts of all games as they were.
        new: the concepts of the games that have changed.
        changed: these games, those that have gone among them.
        games: all games that there are now, in corpus order.
    """
    rank = {game: n for n, game in enumerate(games)}
    concepts: dict[str, Forms] = {}
    for lang in new:
        forms: dict[str, list[tuple[str, float]]] = {}
        for form, meanings in old[lang].meanings.items() if lang in old else ():
            stay = [(concept, weight) for concept, weight in meanings if concept.partition("/")[0] not in changed]
            if stay:
                forms[form] = stay
        for form, meanings in new[lang].meanings.items():
            both = [*forms.get(form, ()), *meanings]
            forms[form] = sorted(both, key=lambda meaning: rank[meaning[0].partition("/")[0]])
        concepts[lang] = Forms(dict(sorted(forms.items())))
    return concepts


def _form_keys(term: Term, lang: str, simplified: Mapping[str, str]) -> list[str]:
    cells = (cells_of(form, lang, simplified) for form in term.forms.get(lang, ()))
    return list(dict.fromkeys(" ".join([cell.key for cell in form]) for form in cells if form))


def _vague_forms(keyed: Sequence[tuple[Term, Sequence[str]]]) -> set[str]:
    """Forms that two terms share, or that are one word of another term's first form (``space`` in ``deep space``)."""
    counts = Counter(key for _, keys in keyed for key in keys)
    parts = {word for _, keys in keyed if keys and " " in keys[0] for word in keys[0].split(" ")}
    return {key for key, n in counts.items() if n > 1} | parts


def _game_names(games: Mapping[str, Any], simplified: Mapping[str, str]) -> Forms:
    """Names that mean a game: words without accents (Han characters singly) joined by spaces -> game ids."""
    names: dict[str, set[str]] = defaultdict(set)
    for game, about in games.items():
        for name in (*about["title"].values(), *about["aliases"], game.replace("-", " ")):
            tokens = [t for t in analyse(name, "", simplified) if t.kind in ("word", "part", "han")]
            names[" ".join(fold(t.term) for t in tokens)].add(game)
    return Forms({name: sorted(games) for name, games in sorted(names.items())})
