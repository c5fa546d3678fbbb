"""A question -> the answer: the plan's filters and phrases, the order of what is left, and whether it is an answer."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from ruleslawyer.index import Index
from ruleslawyer.plan import Phrase, Plan, make_plan, title_key
from ruleslawyer.query import Query, parse
from ruleslawyer.ranking import Scoring, best_of
from ruleslawyer.records import Record
from ruleslawyer.store import Store
from ruleslawyer.words import Note

CONFIDENT = 0.62  # share of the query that the first hit must cover to be an answer, not a near miss
CONFIDENT_PRIVATE = 0.45  # the same for private packs: nobody has written down how players put the doubt


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
    ranked, total = best_of(Scoring(index.store, plan, allowed), limit)
    hits = tuple(Hit(index.record(r.document), r.score, r.coverage, r.matched) for r in ranked)
    confident = bool(hits) and (hits[0].coverage >= _line(index, hits[0]) or ranked[0].exact or bool(plan.phrases))
    return Found(
        query,
        plan,
        hits if confident else (),
        () if confident else hits[:5],
        total if confident else 0,
        plan.notes,
    )


def _line(index: Index, hit: Hit) -> float:
    """The share of the query that a hit must cover to be an answer."""
    return CONFIDENT_PRIVATE if index.games[hit.record.game].get("private") else CONFIDENT


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
