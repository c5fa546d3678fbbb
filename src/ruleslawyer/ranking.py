"""The order of what a plan finds: walks the postings of the index, the very loop that the browser's script runs.

An entry's score is the sum over the units of the query of its best alternative's BM25F over title, aliases, asks and body,
raised by how well one of its short texts (title, alias, ask) matches the query as a whole, by words that stand near each
other, by how much of the query it covers, and by what kind of entry it is. Exact ids and titles come first.
``docs/search.md`` says what each part was measured to do.
"""

import math
from bisect import insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nlargest
from operator import neg
from typing import NamedTuple

from ruleslawyer.plan import Alternative, Plan, Unit
from ruleslawyer.positions import ALIAS, ASKS, BODY, TITLE, field_of, short_length, short_text
from ruleslawyer.store import Store

K1 = 1.2
B = 0.5
FIELD_BOOST = {BODY: 1.0, TITLE: 2.0, ALIAS: 1.0, ASKS: 0.5}
UNKNOWN_PAIR = 0.25  # two Han characters that never stand together are mostly no word
SHORT_MATCH = 1.0  # a short text that is the query, in units of the query's whole weight
SHORT_KIND = {TITLE: 1.0, ALIAS: 0.8, ASKS: 0.9}
UNMATCHED = 0.4  # what a word of a short text that the query does not have counts against the match
NEAR = 0.4  # two neighbours of the query that stand within NEAR_WORDS of each other
NEAR_WORDS = 3
LONE_HAN = 0.5  # how far a Han character alone covers its place, beside a pair
COVERAGE = 0.7  # share of the score that depends on how much of the query is covered
QUESTION_FAQ = 1.02
OVERVIEW = 0.9  # an entry with children, which answer better
UNTRANSLATED = 0.95  # an entry that the reader would read in another language
INFORMATION = 0.95  # an entry about the game as a product
TIE = 1e-8  # scores nearer than this may be the same


class Ranked(NamedTuple):
    """A document on its way to the order: everything that decides it."""

    document: int
    score: float
    coverage: float
    exact: bool
    matched: tuple[str, ...]


class _Match:
    """What one unit of the query found: per document the best score, the surest match, and the best in a short text."""

    def __init__(self) -> None:
        self.scores: dict[int, float] = {}
        self.qualities: dict[int, float] = {}
        self.shorts: dict[int, float] = {}
        self.used: list[tuple[Alternative, float]] = []
        """The alternatives that found something, each with its rarity."""


class _Outline(NamedTuple):
    """What follows from which units a document has: its coverage, and the most it can have of neighbours."""

    coverage: float
    nearness: float


class Scoring:
    """Scores the documents of a plan.

    First every document that matched gets what is cheap to know: ``base``, its coverage, and a bound that its score cannot
    pass. What needs the places of the words is worked out only for those whose bound is high enough.
    """

    def __init__(self, store: Store, plan: Plan, allowed: frozenset[int] | None) -> None:
        self.store = store
        self.plan = plan
        self.allowed = allowed
        self.translated = self.store.with_keyword("lang", plan.lang)
        self.norms: dict[str, dict[int, float]] = defaultdict(dict)
        self.weights: list[float] = []
        self.matches: list[_Match] = []
        for unit in plan.units:
            match, weight = self._match(unit)
            self.matches.append(match)
            self.weights.append(weight)
        self.total = sum(self.weights)
        self.places: dict[int, float] = {}
        for unit, weight in zip(plan.units, self.weights, strict=True):
            if not _is_pair(unit):
                self.places[unit.pos] = weight / unit.weight * unit.importance
        self.all_places = sum(self.places.values())
        self.neighbours = {
            pos: min(weight, self.places[pos + 1]) for pos, weight in self.places.items() if pos + 1 in self.places
        }
        self.all_neighbours = sum(self.neighbours.values())
        self.outlines: dict[tuple[float, ...], _Outline] = {}
        self.factors = self._factors()

    @property
    def documents(self) -> set[int]:
        """Every document that matched."""
        found = {document for match in self.matches for document in match.scores}
        return found.union(self.allowed or ()) if self.plan.phrases or not self.plan.units else found

    def _match(self, unit: Unit) -> tuple[_Match, float]:
        """What a unit found, and its weight: the rarity of what it matched best."""
        match = _Match()
        rarity = 0.0
        for alternative in unit.alternatives:
            frequencies, in_shorts = self._frequencies(alternative)
            if not frequencies:
                continue
            idf = _idf(self.store.documents, len(frequencies))
            rarity = max(rarity, idf * (alternative.weight if alternative.how == "concept" else 1.0))
            match.used.append((alternative, idf))
            self._add(match, unit, alternative, idf, frequencies, in_shorts)
        if not rarity and unit.importance == 1.0:  # a function word that nothing in the corpus has says nothing
            rarity = _idf(self.store.documents, 0) * (UNKNOWN_PAIR if _is_pair(unit) else 1.0)
        return match, unit.weight * rarity

    def _add(
        self,
        match: _Match,
        unit: Unit,
        alternative: Alternative,
        idf: float,
        frequencies: Mapping[int, float],
        in_shorts: Collection[int],
    ) -> None:
        allowed, quality = self.allowed, alternative.weight
        scores, qualities = match.scores, match.qualities
        factor = unit.weight * quality * idf
        for document, frequency in frequencies.items():
            if allowed is None or document in allowed:
                score = factor * frequency * (K1 + 1) / (frequency + K1)
                if score > scores.get(document, -1.0):
                    scores[document] = score
                if quality > qualities.get(document, -1.0):
                    qualities[document] = quality
        short = idf * unit.weight * quality
        for document in in_shorts:
            if short > match.shorts.get(document, 0.0):
                match.shorts[document] = short

    def _frequencies(self, alternative: Alternative) -> tuple[dict[int, float], set[int]]:
        """Per document the boosted, length-normalised frequency of an alternative; and those that have it in a short text.

        A term's positions begin with those in short texts.
        """
        lang, norms = alternative.lang, self.norms[alternative.lang]
        average = self.store.average_length(lang)
        frequencies: dict[int, float] = {}
        in_shorts: set[int] = set()
        for term, weight in alternative.terms:
            for document, positions in self.store.postings(lang, term):
                if alternative.untranslated and document in self.translated:
                    continue
                norm = norms.get(document)
                if norm is None:
                    norm = norms[document] = 1 - B + B * self.store.length(lang, document) / average
                if positions[0] >> 24:
                    in_shorts.add(document)
                    boost = sum([FIELD_BOOST[p >> 24] for p in positions])
                else:
                    boost = len(positions) * FIELD_BOOST[BODY]
                frequencies[document] = frequencies.get(document, 0.0) + weight * boost / norm
        return frequencies, in_shorts

    # --- what is cheap to know of a document ---

    def coverage(self, document: int) -> float:
        """The share of the query's weight that a document has, 0 to 1, corrected and distant words counting less."""
        return self._outline(document).coverage

    def _outline(self, document: int) -> _Outline:
        qualities = tuple([match.qualities.get(document, 0.0) for match in self.matches])
        known = self.outlines.get(qualities)
        if known is None:
            near = self._nearest_possible(qualities)
            known = self.outlines[qualities] = _Outline(self._coverage(qualities), near)
        return known

    def _nearest_possible(self, qualities: Sequence[float]) -> float:
        """How much of the query's neighbourhoods a document with these units can keep at most."""
        having = {unit.pos for unit, quality in zip(self.plan.units, qualities, strict=True) if quality}
        have = sum(weight for pos, weight in self.neighbours.items() if pos in having and pos + 1 in having)
        return have / self.all_neighbours if self.all_neighbours else 0.0

    def _coverage(self, qualities: Sequence[float]) -> float:
        """Counted by place in the query: a Han character is covered by a pair it belongs to, or by half on its own."""
        covered: dict[int, float] = {}
        for unit, quality in zip(self.plan.units, qualities, strict=True):
            share = quality * (LONE_HAN if unit.kind == "han" and unit.weight < unit.importance else 1.0)
            for pos in (unit.pos, unit.pos + 1) if _is_pair(unit) else (unit.pos,):
                covered[pos] = max(share, covered.get(pos, 0.0))
        have = sum(weight * min(1.0, covered.get(pos, 0.0)) for pos, weight in self.places.items())
        return have / self.all_places if self.all_places else 1.0

    def base(self, document: int) -> float:
        """The sum of the units' best scores."""
        return sum([match.scores.get(document, 0.0) for match in self.matches])

    def bound(self, document: int) -> float:
        """What the document's score cannot pass: as if all it has in short texts were in one, and all it has of neighbours
        were near.
        """
        short = sum([match.shorts.get(document, 0.0) for match in self.matches])
        near = self._outline(document).nearness * self.total
        most = min(short, self.total) * max(SHORT_KIND.values()) if short else 0.0
        return self.final(document, self.base(document) + SHORT_MATCH * most + NEAR * near)

    def final(self, document: int, score: float) -> float:
        """A score with what depends on coverage and on the kind of entry."""
        score *= 1 - COVERAGE + COVERAGE * self.coverage(document)
        for documents, inside, outside in self.factors:
            score *= inside if document in documents else outside
        return score

    def _factors(self) -> tuple[tuple[frozenset[int], float, float], ...]:
        faq = self.store.with_keyword("kind", "faq") if self.plan.question else frozenset()
        return (
            (faq, QUESTION_FAQ, 1.0),
            (self.store.with_keyword("kind", "info"), INFORMATION, 1.0),
            (self.store.with_keyword("shape", "overview"), OVERVIEW, 1.0),
            (self.translated, 1.0, UNTRANSLATED),
        )

    # --- what needs the places of the words ---

    def score(self, document: int) -> float:
        """The document's score."""
        shorts: dict[tuple[str, int], list[float]] = {}
        places: dict[str, dict[int, list[int]]] = {}
        for number, (unit, match) in enumerate(zip(self.plan.units, self.matches, strict=True)):
            for alternative, idf in match.used if document in match.scores else ():
                positions = self._positions(alternative, document)
                if positions:
                    places.setdefault(alternative.lang, {}).setdefault(unit.pos, []).extend(positions)
                    self._note_shorts(shorts, alternative, number, idf * unit.weight * alternative.weight, positions)
        raised = SHORT_MATCH * self._short_match(shorts) + NEAR * self._nearness(places.values())
        return self.final(document, self.base(document) + self.total * raised)

    def _positions(self, alternative: Alternative, document: int) -> list[int]:
        if alternative.untranslated and document in self.translated:
            return []
        return [
            position
            for term, _ in alternative.terms
            for position in self.store.positions(alternative.lang, term, document)
        ]

    def _note_shorts(
        self,
        shorts: dict[tuple[str, int], list[float]],
        alternative: Alternative,
        number: int,
        weight: float,
        positions: Iterable[int],
    ) -> None:
        """Note which short texts have a unit. Each is ``[words, best of unit 0, best of unit 1, ...]``."""
        for position in positions:
            if field_of(position) != BODY:
                short = shorts.setdefault((alternative.lang, short_text(position)), [float(short_length(position))])
                short += [0.0] * (number + 2 - len(short))
                short[number + 1] = max(short[number + 1], weight)

    def _short_match(self, shorts: Mapping[tuple[str, int], Sequence[float]]) -> float:
        """How well the best short text matches the query as a whole, 0 to 1: shared weight by all weight."""
        best = 0.0
        for (_, text), (length, *units) in shorts.items():
            shared = sum(units)
            words = len({self.plan.units[n].pos for n, weight in enumerate(units) if weight})
            against = self.total + UNMATCHED * max(0.0, length - words)
            best = max(best, SHORT_KIND[text >> 12] * shared / against if against else 0.0)
        return best

    def _nearness(self, places: Collection[Mapping[int, Sequence[int]]]) -> float:
        """How much of the query's neighbourhoods an entry keeps, 0 to 1: neighbours that stand near each other in it."""
        have = sum(
            weight
            for pos, weight in self.neighbours.items()
            if any(pos in p and pos + 1 in p and _near(p[pos], p[pos + 1]) for p in places)
        )
        return have / self.all_neighbours if self.all_neighbours else 0.0

    def matched(self, document: int) -> tuple[str, ...]:
        """The words of the query that a document has."""
        return tuple(
            sorted({u.text for u, match in zip(self.plan.units, self.matches, strict=True) if document in match.scores})
        )


def _is_pair(unit: Unit) -> bool:
    """Whether a unit is two Han characters, or a digit and one."""
    return unit.kind == "pair"


def _near(a: Sequence[int], b: Sequence[int]) -> bool:
    return any(0 < abs(y - x) <= NEAR_WORDS for x in a for y in b)


def _idf(documents: int, having: int) -> float:
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))


def best_of(scoring: Scoring, limit: int) -> tuple[list[Ranked], int]:
    """The first documents in order, and how many matched; document numbers are corpus order.

    Documents are scored from the highest bound down, until none that is left could be among the first.
    """
    plan, store = scoring.plan, scoring.store
    exact = store.with_keyword("exact", plan.title) if plan.title else frozenset()
    documents = scoring.documents
    bounds = sorted(((scoring.bound(d), -d) for d in documents), reverse=True)
    scored = [(scoring.score(d), d) for d in documents & exact]
    best = nlargest(limit, (score for score, _ in scored))
    for bound, negative in bounds:
        if len(best) == limit and bound < best[-1] - TIE:
            break
        if -negative not in exact:
            scored.append((scoring.score(-negative), -negative))
            insort(best, scored[-1][0], key=neg)
            del best[limit:]
    scored.sort(key=lambda s: (s[1] not in exact, -round(s[0], 9), s[1]))
    return [Ranked(d, score, scoring.coverage(d), d in exact, scoring.matched(d)) for score, d in scored[:limit]], len(
        documents
    )
