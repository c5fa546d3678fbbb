"""Glossary terms found in a text, so that the website can explain them where they stand."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ruleslawyer.analysis import is_han
from ruleslawyer.model import Term
from ruleslawyer.richtext import Gloss, Mark
from ruleslawyer.stems import stemmer

PREFIX = "_term-"
"""What the id of an explanation on a page begins with: no entry has such an id."""

_WORD = re.compile(r"(?![\W_])[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


class _Word(NamedTuple):
    stem: str
    start: int
    end: int


class Glossary:
    """The terms of a game in one language. Only the first form of a term counts: the others are words for searching.

    Words are compared by their stems, so ``action pawns`` is explained by *action pawn*; the longest term wins. A single Han
    character is no term: it stands in too many words.
    """

    def __init__(self, terms: Iterable[Term], lang: str) -> None:
        self._lang = lang
        self._terms: dict[str, list[tuple[tuple[str, ...], Term]]] = defaultdict(list)
        for term in terms:
            stems = tuple(word.stem for word in self._words(term.forms[lang][0])) if term.forms.get(lang) else ()
            if stems and not (len(stems) == 1 and is_han(stems[0][0])):
                self._terms[stems[0]].append((stems, term))
        for known in self._terms.values():
            known.sort(key=lambda item: -len(item[0]))

    def for_entry(self, entry: str) -> Gloss:
        """Marks the first occurrence of each term in the texts it is given, save the terms that the entry explains."""
        seen: set[str] = set()

        def gloss(text: str) -> Iterator[Mark]:
            for mark, term in self._find(text):
                if term.entry != entry and term.id not in seen:
                    seen.add(term.id)
                    yield mark

        return gloss

    def _find(self, text: str) -> Iterator[tuple[Mark, Term]]:
        words = self._words(text)
        n = 0
        while n < len(words):
            stems, term = self._at(words, n, text)
            if term:
                yield Mark(words[n].start, words[n + len(stems) - 1].end, PREFIX + term.id), term
            n += max(1, len(stems))

    def _at(self, words: Sequence[_Word], n: int, text: str) -> tuple[tuple[str, ...], Term | None]:
        for stems, term in self._terms.get(words[n].stem, ()):
            found = words[n : n + len(stems)]
            gaps = (text[a.end : b.start] for a, b in pairwise(found))
            if tuple(word.stem for word in found) == stems and all(gap in ("", " ", "-") for gap in gaps):
                return stems, term
        return (), None

    def _words(self, text: str) -> list[_Word]:
        """Words with their stems; each Han character is a word."""
        stem = stemmer(self._lang)
        return [
            _Word(found[0] if is_han(found[0][0]) else stem(found[0].lower()), *found.span())
            for found in _WORD.finditer(text)
        ]


def glossaries(terms: Sequence[Term], languages: Iterable[str]) -> Mapping[str, Glossary]:
    """The glossary of a game in each of the languages."""
    return {lang: Glossary(terms, lang) for lang in languages}
