"""Success of the search on the judged queries, by language and kind: ``python tests/relevance/measure.py [--misses]``."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ruleslawyer.index import Index, open_index
from ruleslawyer.places import corpus_root
from ruleslawyer.search import Found, search

QUERIES = Path(__file__).parent / "queries.jsonl"


@dataclass(frozen=True)
class Judged:
    """A judged query; see README.md beside this file."""

    id: str
    lang: str
    game: str
    query: str
    kind: str
    must_rank: int
    needs_game: bool
    expect: tuple[str, ...]
    ok: tuple[str, ...]
    expect_lang: str

    @property
    def negative(self) -> bool:
        """Whether the corpus has no answer."""
        return self.kind == "negative"


@dataclass(frozen=True)
class Outcome:
    """What became of a query: the answer, the rank of the first expected entry (0: not among the hits), success."""

    judged: Judged
    found: Found
    rank: int
    success: bool


def judged_queries(path: Path = QUERIES) -> list[Judged]:
    """All judged queries."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Judged(
            r["id"], r["lang"], r["game"] or "", r["query"], r["kind"], r["must_rank"] or 0, r["needs_game"],
            tuple(r["expect"]), tuple(r["ok"]), r["expect_lang"],
        )
        for r in rows
    ]  # fmt: skip


def outcome(index: Index, judged: Judged) -> Outcome:
    """Ask one query as a reader would."""
    found = search(index, judged.query, game=judged.game if judged.needs_game else "", limit=20)
    names = [hit.record.name for hit in found.hits]
    if judged.negative:
        return Outcome(judged, found, 0, not names or names[0] in judged.ok)
    rank = next((n for n, name in enumerate(names, 1) if name in judged.expect), 0)
    return Outcome(judged, found, rank, 0 < rank <= judged.must_rank)


def table(outcomes: Iterable[Outcome], key: Callable[[Judged], str]) -> dict[str, tuple[int, int]]:
    """Successes and queries per value of ``key``."""
    rows: dict[str, list[bool]] = defaultdict(list)
    for o in outcomes:
        rows[key(o.judged)].append(o.success)
    return {name: (sum(found), len(found)) for name, found in sorted(rows.items())}


def summary(outcomes: list[Outcome]) -> Mapping[str, float]:
    """Success, mean reciprocal rank, negatives handled, answers declared not found."""
    answerable = [o for o in outcomes if not o.judged.negative]
    negatives = [o for o in outcomes if o.judged.negative]
    return {
        "success": sum(o.success for o in answerable) / len(answerable),
        "mrr": sum(1 / o.rank for o in answerable if o.rank) / len(answerable),
        "negatives": sum(o.success for o in negatives),
        "lost": sum(not o.found.confident for o in answerable) / len(answerable),
    }


def main() -> None:
    """Print the tables."""
    index = open_index(corpus_root())
    outcomes = [outcome(index, judged) for judged in judged_queries()]
    answerable = [o for o in outcomes if not o.judged.negative]
    for name, key in (("language", lambda j: j.lang), ("kind", lambda j: j.kind), ("game", lambda j: j.game)):
        print(f"success by {name}")
        for value, (good, total) in table(answerable, key).items():
            print(f"  {value:40} {good:3}/{total:<3} {good / total:6.1%}")
    for measure, figure in summary(outcomes).items():
        print(f"{measure:10} {figure:.4g}")
    if "--misses" in sys.argv:
        for o in outcomes:
            if not o.success:
                near = [h.record.name for h in (o.found.hits or o.found.nearest)[:4]]
                state = "answered" if o.found.confident else "NOT FOUND"
                print(
                    o.judged.id, repr(o.judged.query), o.judged.expect, o.judged.must_rank, "rank", o.rank, state, near
                )


if __name__ == "__main__":
    main()
