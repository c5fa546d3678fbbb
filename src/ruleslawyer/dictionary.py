"""The index's own dictionary: every form that occurs, with its stem, and the glossary's forms.

A query word is looked up here and never stemmed, so the browser needs no stemmer and both readers expand a query alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ruleslawyer.analysis import fold

MIN_STEM = 4
"""Letters an unseen form must share with a known one to count as its inflection or opening."""


@dataclass(frozen=True)
class Vocabulary:
    """All forms of one language.

    Args:
        lang: the language's code.
        groups: stem -> form -> number of entries in which it occurs.
    """

    lang: str
    groups: Mapping[str, Mapping[str, int]]

    @cached_property
    def folds(self) -> dict[str, str]:
        """Form without accents -> its stem."""
        return {fold(form): stem for stem, forms in self.groups.items() for form in forms}

    @cached_property
    def sorted_folds(self) -> list[str]:
        """All forms without accents, words only, sorted."""
        return sorted(f for f in self.folds if f[:1].isalpha() and f.isalnum() and not _has_han(f))

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
        return max(self.groups[stem].values(), default=0)

    def stem_of(self, word: str) -> str | None:
        """The stem of a form that occurs, accents apart; ``None`` if it does not occur."""
        return self.folds.get(fold(word))

    def inflection_of(self, word: str) -> str | None:
        """The stem of which ``word`` is an unseen form: same opening, and both endings are endings of this language."""
        word = fold(word)
        for cut in range(len(word), MIN_STEM - 1, -1):
            if word[cut:] in self.endings:
                found = [f for f in self._starting(word[:cut]) if f[cut:] in self.endings]
                if found:
                    return self.folds[max(found, key=self._frequency_of)]
        return None

    def opening_of(self, word: str) -> list[str]:
        """Stems of the words that begin with ``word``, the commonest first."""
        word = fold(word)
        if len(word) < MIN_STEM:
            return []
        found = {self.folds[f] for f in self._starting(word)}
        return sorted(found, key=lambda s: (-self.frequency(s), s))

    def nearest(self, word: str) -> tuple[int, str] | None:
        """The known form at the smallest edit distance, and that distance; the first letter is kept.

        At most 1 edit for up to 5 letters, else 2. The commoner form wins, then the alphabet decides.
        """
        word = fold(word)
        if len(word) < 3 or not word.isalpha():
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
        return self.frequency(self.folds[folded])

    def _starting(self, opening: str) -> Sequence[str]:
        low = bisect_left(self.sorted_folds, opening)
        high = bisect_left(self.sorted_folds, opening + "\U0010ffff")
        return self.sorted_folds[low:high]


@dataclass(frozen=True)
class Dictionary:
    """Everything the query needs to know about the indexed text.

    Args:
        vocabularies: by language.
        concepts: language -> form as stems or characters joined by spaces -> ``(concept, weight)``; a concept is
            ``game/term``.
        simplified: Traditional to Simplified, only what the indexed text can need.
        games: names by which a query can mean a game: words joined by spaces -> game id.
    """

    vocabularies: Mapping[str, Vocabulary]
    concepts: Mapping[str, Mapping[str, Sequence[tuple[str, float]]]] = field(default_factory=dict)
    simplified: Mapping[str, str] = field(default_factory=dict)
    games: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON data; ``from_json`` reads it back."""
        return {
            "vocabularies": {lang: v.groups for lang, v in self.vocabularies.items()},
            "concepts": self.concepts,
            "simplified": self.simplified,
            "games": self.games,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Dictionary:
        """Read what ``to_json`` wrote."""
        vocabularies = {lang: Vocabulary(lang, groups) for lang, groups in data["vocabularies"].items()}
        return cls(vocabularies, data["concepts"], data["simplified"], data["games"])


def phrases_in(
    keys: Sequence[str | None], forms: Mapping[str, Any], longest: int = 8
) -> Iterable[tuple[int, int, str]]:
    """The longest known forms in a row of keys (stems or Han characters), left to right, not overlapping.

    Yields ``(start, end, form)``. A ``None`` key belongs to no form.

    >>> list(phrases_in(["the", "deep", "space"], {"deep space": 1, "space": 1}))
    [(1, 3, 'deep space')]
    """
    i = 0
    while i < len(keys):
        for j in range(min(len(keys), i + longest), i, -1):
            words = keys[i:j]
            if None not in words and (form := " ".join(w for w in words if w)) in forms:
                yield i, j, form
                i = j - 1
                break
        i += 1


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


def _has_han(word: str) -> bool:
    return any("㐀" <= c <= "鿿" for c in word)
