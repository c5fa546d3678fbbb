"""The index's own dictionary: every form that occurs, with its stem, and the glossary's forms.

A query word is looked up here and never stemmed, so the browser needs no stemmer and both readers expand a query alike.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from ruleslawyer.analysis import fold, is_han
from ruleslawyer.languages import LANGUAGES

MIN_STEM = 4
"""Letters an unseen form must share with a known one to count as its inflection or opening."""


class Vocabulary:
    """All forms of one language.

    Args:
        lang: the language's code.
        single: words that are their own only form and stem, without accents -> number of entries in which they occur.
        groups: stem -> form -> number of entries, for all others.
        folds: form without accents -> stem, for all others.
    """

    def __init__(
        self, lang: str, single: Mapping[str, int], groups: Mapping[str, Mapping[str, int]], folds: Mapping[str, str]
    ) -> None:
        self.lang = lang
        self.single = single
        self.groups = groups
        self.folds = folds

    @classmethod
    def of(cls, lang: str, groups: Mapping[str, Mapping[str, int]]) -> Vocabulary:
        """Of all forms grouped by stem."""
        single = {stem: forms[stem] for stem, forms in groups.items() if list(forms) == [stem] and fold(stem) == stem}
        others = {stem: forms for stem, forms in groups.items() if stem not in single}
        return cls(lang, single, others, {fold(form): stem for stem, forms in others.items() for form in forms})

    def counts(self) -> dict[str, int]:
        """All forms -> number of entries."""
        return {**self.single, **{form: n for forms in self.groups.values() for form, n in forms.items()}}

    def knows(self, word: str) -> bool:
        """Whether the word occurs, accents apart."""
        return self.stem_of(word) is not None

    def stem_of(self, word: str) -> str | None:
        """The stem of a form that occurs, accents apart; ``None`` if it does not occur."""
        folded = fold(word)
        return folded if folded in self.single else self.folds.get(folded)

    def forms_of(self, stem: str) -> Mapping[str, int]:
        """All forms of a stem that occurs -> number of entries."""
        return self.groups[stem] if stem in self.groups else {stem: self.single[stem]}

    def same_fold(self, word: str) -> dict[str, int]:
        """The forms that are the word, accents apart -> number of entries."""
        stem, folded = self.stem_of(word), fold(word)
        return {f: n for f, n in self.forms_of(stem).items() if fold(f) == folded} if stem is not None else {}

    @cached_property
    def sorted_folds(self) -> list[str]:
        """All forms without accents, words only, sorted."""
        return sorted(f for f in (*self.single, *self.folds) if f[:1].isalpha() and f.isalnum() and not is_han(f[0]))

    @cached_property
    def endings(self) -> frozenset[str]:
        """Endings that tell forms of one stem apart, seen with two stems or more (``-s``, ``-ing``, ``-ado``)."""
        seen: Counter[str] = Counter()
        for forms in self.groups.values():
            folded = {fold(f) for f in forms}
            if len(folded) > 1:
                common = _common_start(folded)
                seen.update(f[len(common) :] for f in folded)
        return frozenset(e for e, n in seen.items() if n > 1)

    def frequency(self, stem: str) -> int:
        """In how many entries the commonest form of a stem occurs."""
        return max(self.forms_of(stem).values())

    def inflection_of(self, word: str) -> str | None:
        """The stem of which ``word`` is an unseen form: same opening, and both endings are endings of this language."""
        word = fold(word)
        for cut in range(len(word), MIN_STEM - 1, -1):
            if word[cut:] in self.endings:
                found = [f for f in self._starting(word[:cut]) if f[cut:] in self.endings]
                if found:
                    return self.stem_of(max(found, key=self._frequency_of))
        return None

    def opening_of(self, word: str) -> list[str]:
        """Stems of the words that begin with ``word``, the commonest first."""
        word = fold(word)
        if len(word) < MIN_STEM:
            return []
        found = {stem for f in self._starting(word) if (stem := self.stem_of(f))}
        return sorted(found, key=lambda s: (-self.frequency(s), s))

    def nearest(self, word: str) -> tuple[int, str] | None:
        """The known form at the smallest edit distance, and that distance; the first letter is kept.

        At most 1 edit for up to 5 letters, else 2. The commoner form wins, then the alphabet decides.
        """
        word = fold(word)
        if len(word) < 4 or not word.isalpha():
            return None
        bound = 1 if len(word) <= 5 else 2
        best: tuple[int, int, str] | None = None
        for known in self._starting(word[0]):
            if abs(len(known) - len(word)) > bound:
                continue
            distance = damerau(word, known, bound)
            if distance is not None:
                candidate = (distance, -self._frequency_of(known), known)
                best = candidate if best is None else min(best, candidate)
        return (best[0], best[2]) if best else None

    def _frequency_of(self, folded: str) -> int:
        return self.frequency(self.stem_of(folded) or folded)

    def _starting(self, opening: str) -> Sequence[str]:
        low = bisect_left(self.sorted_folds, opening)
        high = bisect_left(self.sorted_folds, opening + "\U0010ffff")
        return self.sorted_folds[low:high]


class Dictionary:
    """Everything the query needs to know about the indexed text.

    Args:
        vocabularies: by language.
        concepts: by language, the glossary's forms as stems or Han characters: each means ``(concept, weight)`` pairs; a
            concept is ``game/term``.
        simplified: Traditional to Simplified, only what the indexed text can need.
        games: names by which a query can mean a game, as words without accents: each means a list of game ids.
        fallbacks: by language, the languages of the entries that have no text in it.
    """

    def __init__(
        self,
        vocabularies: Mapping[str, Vocabulary],
        concepts: Mapping[str, Forms],
        simplified: Mapping[str, str],
        games: Forms,
        fallbacks: Mapping[str, Sequence[str]],
    ) -> None:
        self.vocabularies = vocabularies
        self.concepts = concepts
        self.simplified = simplified
        self.games = games
        self.fallbacks = fallbacks

    def spaced(self, but: str) -> list[str]:
        """The languages that put spaces between words, ``but`` left out: where a word that one does not know is sought."""
        return [lang for lang in self.vocabularies if lang != but and lang in LANGUAGES and LANGUAGES[lang].stemmer]

    def to_parts(self) -> dict[str, Any]:
        """As JSON data by name: ``dictionary``, and for each language ``words.LANG`` and ``concepts.LANG``."""
        return {
            "dictionary": {
                "words": list(self.vocabularies),
                "concepts": list(self.concepts),
                "simplified": self.simplified,
                "games": self.games.meanings,
                "fallbacks": self.fallbacks,
            },
            **{f"words.{lang}": [v.single, v.groups, v.folds] for lang, v in self.vocabularies.items()},
            **{f"concepts.{lang}": forms.meanings for lang, forms in self.concepts.items()},
        }

    @classmethod
    def from_parts(cls, part: Callable[[str], Any]) -> Dictionary:
        """Read what ``to_parts`` gave; the parts of a language when they are needed."""
        core = part("dictionary")
        return cls(
            ByLanguage(core["words"], lambda lang: Vocabulary(lang, *part(f"words.{lang}"))),
            ByLanguage(core["concepts"], lambda lang: Forms(part(f"concepts.{lang}"))),
            core["simplified"],
            Forms(core["games"]),
            core["fallbacks"],
        )


Part = TypeVar("Part")


class ByLanguage(Mapping[str, Part]):
    """Parts of a dictionary by language, each read when first asked for: a look-up needs one or two."""

    def __init__(self, languages: Iterable[str], read: Callable[[str], Part]) -> None:
        self._read = read
        self._parts: dict[str, Part | None] = dict.fromkeys(languages)

    def __getitem__(self, lang: str) -> Part:
        part = self._parts[lang]
        if part is None:
            part = self._parts[lang] = self._read(lang)
        return part

    def __contains__(self, lang: object) -> bool:
        return lang in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


def compact_json(data: Any) -> str:
    """JSON as an index and a shard hold it: no blanks, characters as they are.

    >>> compact_json({"平手": [1, 2]})
    '{"平手":[1,2]}'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Forms:
    """Known rows of keys (stems or Han characters), each written with spaces between, and what they stand for.

    >>> list(Forms({"deep space": 1, "space": 2}).found_in(["the", "deep", "space"]))
    [(1, 3, 'deep space')]
    """

    def __init__(self, meanings: Mapping[str, Any]) -> None:
        self.meanings = meanings
        self._openings: set[str] = set()
        for form in meanings:
            opening = form.rpartition(" ")[0]
            while opening and opening not in self._openings:
                self._openings.add(opening)
                opening = opening.rpartition(" ")[0]

    def found_in(self, keys: Sequence[str | None]) -> Iterable[tuple[int, int, str]]:
        """The longest forms in a row of keys, left to right, not overlapping: ``(start, end, form)``.

        A ``None`` key belongs to no form.
        """
        openings, meanings, free = self._openings, self.meanings, 0
        for start, row in enumerate(keys):
            if not row or start < free or not (row in openings or row in meanings):
                continue
            at, longest = start + 1, ""
            if row in meanings:
                free, longest = at, row
            while row in openings and at < len(keys) and (key := keys[at]):
                row, at = f"{row} {key}", at + 1
                if row in meanings:
                    free, longest = at, row
            if longest:
                yield start, free, longest


def damerau(a: str, b: str, bound: int) -> int | None:
    """Edit distance with swaps of neighbours, or ``None`` if it is over ``bound``.

    >>> damerau("achivement", "achievement", 2), damerau("teh", "the", 1), damerau("cat", "dog", 2)
    (1, 1, None)
    """
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i] + [0] * len(b)
        for j, y in enumerate(b, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], older[j - 2] + 1)
        if min(row) > bound:
            return None
    return row[-1] if row[-1] <= bound else None


def _common_start(words: Iterable[str]) -> str:
    words = sorted(words)
    first, last = words[0], words[-1]
    n = 0
    while n < min(len(first), len(last)) and first[n] == last[n]:
        n += 1
    return first[:n]
