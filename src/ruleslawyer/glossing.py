"""Glossary terms found in a text, so that the website can explain them where they stand."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ruleslawyer.analysis import fold, is_han
from ruleslawyer.model import Term
from ruleslawyer.richtext import Gloss, Mark

PREFIX = "_term-"
"""What the id of an explanation on a page begins with: no entry has such an id."""

_SHORTEST_PLURAL = 4

_WORD = re.compile(r"(?![\W_])[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


class _Word(NamedTuple):
    text: str
    start: int
    end: int


Spelling = tuple[frozenset[str], ...]
"""For each word of a term how it may be written in a text."""


class Glossary:
    """The terms of a game in one language. Only the first form of a term counts: the others are words for searching.

    Only singular and plural are the same word here: *action pawn* explains ``action pawns``. Stems would join what has nothing
    to do with each other, as Spanish *sol* and ``solo``, and a wrong explanation is worse than none. The longest term wins. A
    single Han character is no term, since it stands in too many words, nor is one that the glossary leaves unmarked.
    """

    def __init__(self, terms: Iterable[Term], lang: str) -> None:
        self._terms: dict[str, list[tuple[Spelling, Term]]] = defaultdict(list)
        for term in terms:
            words = [word.text for word in _words(term.forms[lang][0])] if term.marked and term.forms.get(lang) else []
            if words and not (len(words) == 1 and is_han(words[0])):
                spelling = tuple(spellings(word, lang) for word in words)
                for first in spelling[0]:
                    self._terms[first].append((spelling, term))
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
        words = _words(text)
        n = 0
        while n < len(words):
            length, term = self._at(words, n, text)
            if term:
                yield Mark(words[n].start, words[n + length - 1].end, PREFIX + term.id), term
            n += length

    def _at(self, words: Sequence[_Word], n: int, text: str) -> tuple[int, Term | None]:
        for spelling, term in self._terms.get(words[n].text, ()):
            found = words[n : n + len(spelling)]
            gaps = (text[a.end : b.start] for a, b in pairwise(found))
            alike = len(found) == len(spelling) and all(
                w.text in known for w, known in zip(found, spelling, strict=True)
            )
            if alike and all(gap in ("", " ", "-") for gap in gaps):
                return len(spelling), term
        return 1, None


def _words(text: str) -> list[_Word]:
    """Words in small letters; each Han character is a word."""
    return [_Word(found[0].lower(), *found.span()) for found in _WORD.finditer(text)]


def spellings(word: str, lang: str) -> frozenset[str]:
    """A word of a term as it may stand in a text: as it is, in the plural, or in the singular if it has an ``s`` at its end.

    >>> sorted(spellings("majority", "en")), sorted(spellings("acción", "es"))
    (['majorities', 'majority', 'majoritys'], ['acciones', 'acción', 'accións'])
    >>> sorted(spellings("行", "zh"))
    ['行']
    """
    if is_han(word[0]):
        return frozenset({word})
    found = {word, f"{word}s"}
    if word.endswith("s") and len(word) > _SHORTEST_PLURAL:
        found.add(word[:-1])
    if lang == "en":
        found.add(re.sub("(?<=[^aeiou])y$", "ie", word) + "s")
        found |= {f"{word}es"} if word.endswith(("s", "x", "z", "ch", "sh")) else set()
    elif lang == "es" and word[-1] not in "aeiou":
        found.add(re.sub("z$", "c", word[:-2] + fold(word[-2:])) + "es")
    return frozenset(found)


def glossaries(terms: Sequence[Term], languages: Iterable[str]) -> Mapping[str, Glossary]:
    """The glossary of a game in each of the languages."""
    return {lang: Glossary(terms, lang) for lang in languages}
