"""Plan -> hits: walks the postings of the index, the very loop that the browser's script runs.

An entry's score is the sum over the units of the query of its best alternative's BM25F over title, aliases, asks and body,
raised by how well one of its short texts (title, alias, ask) matches the query as a whole, by words that stand near each
other, by how much of the query it covers, and by what kind of entry it is. Exact ids and titles come first.
``docs/search.md`` says what each part was measured to do.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ruleslawyer.index import Index
from ruleslawyer.plan import Alternative, Phrase, Plan, Unit, make_plan, title_key
from ruleslawyer.positions import ALIAS, ASKS, BODY, TITLE, field_of, short_length, short_text
from ruleslawyer.query import Query, parse
from ruleslawyer.records import Record
from ruleslawyer.store import Store
from ruleslawyer.words import Note

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
CONFIDENT = 0.62  # share of the query that the first hit must cover to be an answer, not a near miss


class Hit(NamedTuple):
    """An entry that was found: its record, its score and share of the query's weight, and what matched it."""

    record: Record
    score: float
    coverage: float
    matched: tuple[str, ...] = ()


class Found(NamedTuple):
    """The answer to a question.

    ``hits`` is empty when the answer is "nothing found"; ``nearest`` then holds the near misses. ``total`` counts all hits,
    also those beyond the limit. ``notes`` say how the question was read.
    """

    query: Query
    plan: Plan
    hits: tuple[Hit, ...]
    nearest: tuple[Hit, ...]
    total: int
    notes: tuple[Note, ...]

    @property
    def confident(self) -> bool:
        """Whether there is an answer."""
        return bool(self.hits)


def search(
    index: Index,
    text: str,
    *,
    game: str = "",
    kind: str = "",
    lang: str = "",
    limit: int = 10,
    exact: bool = False,
    fallback: str = "en",
) -> Found:
    """Answer a question.

    Args:
        index: the open index.
        text: the question, any string.
        game, kind: search only this game's entries, only this kind (``rule``, ``faq``, ``info``).
        lang: the reader's language, if known.
        limit: how many hits are wanted at most.
        exact: correct no spelling.
        fallback: the language of a query that does not tell its own: the reader's by the locale.
    """
    query = parse(text)
    given = {name: value for name, value in (("game", game), ("kind", kind), ("lang", lang)) if value}
    query = query._replace(filters={**query.filters, **given})
    plan = make_plan(query, index.dictionary, exact, fallback)
    return run(index, query, plan, limit)


def run(index: Index, query: Query, plan: Plan, limit: int) -> Found:
    """Execute a plan: score, filter, order, and decide whether there is an answer."""
    if plan.empty:
        return Found(query, plan, (), (), 0, plan.notes)
    allowed = _allowed(index, plan)
    scoring = _Scoring(index.store, plan, allowed)
    ranked = _ranked(index, plan, scoring)
    confident = bool(ranked) and (ranked[0].coverage >= CONFIDENT or ranked[0].exact or bool(plan.phrases))
    hits = tuple(Hit(index.record(r.document), r.score, r.coverage, r.matched) for r in ranked[:limit])
    return Found(
        query,
        plan,
        hits if confident else (),
        () if confident else hits[:5],
        len(ranked) if confident else 0,
        plan.notes,
    )


def _allowed(index: Index, plan: Plan) -> frozenset[int] | None:
    """The documents that the filters, phrases and exclusions leave, or ``None`` for all."""
    store = index.store
    sets = [store.with_keyword(name, plan.filters[name]) for name in ("game", "kind") if name in plan.filters]
    if "id" in plan.filters:
        ident = plan.filters["id"]
        sets.append(store.with_keyword("id", ident) | store.with_keyword("exact", title_key(ident)))
    sets += [_with_phrase(store, readings) for readings in plan.phrases]
    excluded = frozenset().union(*(_with_phrase(store, readings) for readings in plan.excluded))
    if not sets and not excluded:
        return None
    base = frozenset.intersection(*sets) if sets else frozenset(range(store.documents))
    return base - excluded


def _with_phrase(store: Store, readings: Iterable[Phrase]) -> frozenset[int]:
    found: set[int] = set()
    for reading in readings:
        first, *rest = (_positions(store, reading.lang, forms) for forms in reading.places)
        for document, starts in first.items():
            if any(all(start + n in p.get(document, ()) for n, p in enumerate(rest, 1)) for start in starts):
                found.add(document)
    return frozenset(found)


def _positions(store: Store, lang: str, terms: Iterable[str]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for term in terms:
        for document, positions in store.postings(lang, term):
            found[document].update(positions)
    return found


class _Ranked(NamedTuple):
    """A document on its way to the order: everything that decides it."""

    document: int
    score: float
    coverage: float
    exact: bool
    matched: tuple[str, ...]


class _Evidence:
    """What is known of a document: best score and best match by unit, short texts matched, positions of the units."""

    def __init__(self) -> None:
        self.units: dict[int, tuple[float, float]] = {}
        self.shorts: dict[tuple[str, int], list[float]] = {}
        self.places: dict[str, dict[int, list[int]]] = {}


class _Scoring:
    """Scores the documents of a plan."""

    def __init__(self, store: Store, plan: Plan, allowed: frozenset[int] | None) -> None:
        self.store = store
        self.plan = plan
        self.translated = store.with_keyword("lang", plan.lang)
        self.evidence: dict[int, _Evidence] = defaultdict(_Evidence)
        self.weights: list[float] = []
        for number, unit in enumerate(plan.units):
            self.weights.append(self._score_unit(number, unit, allowed))
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
        if plan.phrases or not plan.units:
            for document in allowed or ():
                self.evidence.setdefault(document, _Evidence())

    def _score_unit(self, number: int, unit: Unit, allowed: frozenset[int] | None) -> float:
        """Score one unit in every document; returns its weight: the rarity of what it matched best."""
        rarity = 0.0
        for alternative in unit.alternatives:
            found = self._frequencies(alternative)
            if not found:
                continue
            idf = _idf(self.store.documents, len(found))
            rarity = max(rarity, idf * (alternative.weight if alternative.how == "concept" else 1.0))
            for document, (frequency, positions) in found.items():
                if allowed is None or document in allowed:
                    score = unit.weight * alternative.weight * idf * frequency * (K1 + 1) / (frequency + K1)
                    self._note(document, number, score, idf, alternative, positions)
        if not rarity and unit.importance == 1.0:  # a function word that nothing in the corpus has says nothing
            rarity = _idf(self.store.documents, 0) * (UNKNOWN_PAIR if _is_pair(unit) else 1.0)
        return unit.weight * rarity

    def _frequencies(self, alternative: Alternative) -> dict[int, tuple[float, list[int]]]:
        """Per document the boosted, length-normalised frequency of an alternative, and where it stands."""
        average = self.store.average_length(alternative.lang)
        frequency: dict[int, float] = defaultdict(float)
        places: dict[int, list[int]] = defaultdict(list)
        for term, weight in alternative.terms:
            for document, positions in self.store.postings(alternative.lang, term):
                if alternative.untranslated and document in self.translated:
                    continue
                norm = 1 - B + B * self.store.length(alternative.lang, document) / average
                frequency[document] += weight * sum(FIELD_BOOST[field_of(p)] for p in positions) / norm
                places[document].extend(positions)
        return {d: (f, places[d]) for d, f in frequency.items()}

    def _note(
        self, document: int, number: int, score: float, idf: float, alternative: Alternative, positions: Sequence[int]
    ) -> None:
        evidence = self.evidence[document]
        unit = self.plan.units[number]
        quality = alternative.weight
        best, share = evidence.units.get(number, (0.0, 0.0))
        evidence.units[number] = (max(score, best), max(quality, share))
        for position in positions:
            if field_of(position) != BODY:
                short = evidence.shorts.setdefault(
                    (alternative.lang, short_text(position)), [float(short_length(position))]
                )
                while len(short) <= number + 1:
                    short.append(0.0)
                short[number + 1] = max(short[number + 1], idf * unit.weight * quality)
        evidence.places.setdefault(alternative.lang, {}).setdefault(unit.pos, []).extend(positions)

    def short_match(self, evidence: _Evidence) -> float:
        """How well the best short text matches the query as a whole, 0 to 1: shared weight by all weight."""
        best = 0.0
        for (_, text), (length, *units) in evidence.shorts.items():
            shared = sum(units)
            words = len({self.plan.units[n].pos for n, weight in enumerate(units) if weight})
            against = self.total + UNMATCHED * max(0.0, length - words)
            best = max(best, SHORT_KIND[text >> 12] * shared / against if against else 0.0)
        return best

    def nearness(self, evidence: _Evidence) -> float:
        """How much of the query's neighbourhoods an entry keeps, 0 to 1: neighbours that stand near each other in it."""
        have = sum(
            weight
            for pos, weight in self.neighbours.items()
            if any(_near(p[pos], p[pos + 1]) for p in evidence.places.values() if pos in p and pos + 1 in p)
        )
        return have / self.all_neighbours if self.all_neighbours else 0.0

    def coverage(self, evidence: _Evidence) -> float:
        """The share of the query's weight that a document has, 0 to 1, corrected and distant words counting less.

        Counted by place in the query: a Han character is covered by a pair it belongs to, or by half on its own.
        """
        covered: dict[int, float] = {}
        for number, (_, quality) in evidence.units.items():
            unit = self.plan.units[number]
            share = quality * (LONE_HAN if unit.kind == "han" and unit.weight < unit.importance else 1.0)
            for pos in (unit.pos, unit.pos + 1) if _is_pair(unit) else (unit.pos,):
                covered[pos] = max(share, covered.get(pos, 0.0))
        have = sum(weight * min(1.0, covered.get(pos, 0.0)) for pos, weight in self.places.items())
        return have / self.all_places if self.all_places else 1.0


def _is_pair(unit: Unit) -> bool:
    """Whether a unit is two Han characters, or a digit and one."""
    return unit.kind == "pair"


def _near(a: Sequence[int], b: Sequence[int]) -> bool:
    return any(0 < abs(y - x) <= NEAR_WORDS for x in a for y in b)


def _idf(documents: int, having: int) -> float:
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))


def _ranked(index: Index, plan: Plan, scoring: _Scoring) -> list[_Ranked]:
    """All documents that matched, in order; document numbers are corpus order."""
    store = index.store
    exact = store.with_keyword("exact", plan.title) if plan.title else frozenset()
    faq = store.with_keyword("kind", "faq") if plan.question else frozenset()
    overviews = store.with_keyword("shape", "overview")
    information = store.with_keyword("kind", "info")
    ranked = []
    for document, evidence in scoring.evidence.items():
        coverage = scoring.coverage(evidence)
        score = sum(s for s, _ in evidence.units.values())
        score += scoring.total * (SHORT_MATCH * scoring.short_match(evidence) + NEAR * scoring.nearness(evidence))
        score *= 1 - COVERAGE + COVERAGE * coverage
        score *= QUESTION_FAQ if document in faq else INFORMATION if document in information else 1.0
        score *= OVERVIEW if document in overviews else 1.0
        score *= 1.0 if document in scoring.translated else UNTRANSLATED
        matched = tuple(sorted({plan.units[n].text for n in evidence.units}))
        ranked.append(_Ranked(document, score, coverage, document in exact, matched))
    ranked.sort(key=lambda r: (not r.exact, -round(r.score, 9), r.document))
    return ranked
