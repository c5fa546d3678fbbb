"""What each weight of the search does on the judged queries, and how far tuning them carries over.

    python tests/relevance/tune.py ablate     success and reciprocal rank with each weight taken away
    python tests/relevance/tune.py cross      five folds: weights chosen on four, success on the fifth

Only the order is judged here; the line between an answer and "nothing found" is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from unittest.mock import patch

from measure import Judged, judged_queries, outcome

from ruleslawyer import plan, ranking, search
from ruleslawyer.index import Index, open_index
from ruleslawyer.places import corpus_root
from ruleslawyer.positions import ALIAS, ASKS, FIELD_NAMES, TITLE

FOLDS = 5


@dataclass(frozen=True)
class Weight:
    """A weight of the search: where it is set, what it is without its effect, and what else it might be."""

    module: ModuleType
    name: str
    neutral: float
    choices: tuple[float, ...] = ()
    key: int | None = None

    @property
    def label(self) -> str:
        """For the table."""
        field = "" if self.key is None else f"[{FIELD_NAMES[self.key]}]"
        return f"{self.module.__name__.rpartition('.')[2]}.{self.name}{field}"

    @contextmanager
    def set_to(self, value: float) -> Iterator[None]:
        """Search with another value for a while."""
        if self.key is None:
            with patch.object(self.module, self.name, value):
                yield
        else:
            with patch.dict(getattr(self.module, self.name), {self.key: value}):
                yield


WEIGHTS = (
    Weight(ranking, "K1", 1000.0, (0.8, 1.2, 1.8)),
    Weight(ranking, "B", 0.0, (0.25, 0.5, 0.75)),
    Weight(ranking, "FIELD_BOOST", 1.0, (1.0, 2.0, 3.0), TITLE),
    Weight(ranking, "FIELD_BOOST", 0.0, (0.5, 1.0, 1.5), ALIAS),
    Weight(ranking, "FIELD_BOOST", 0.0, (0.25, 0.5, 1.0), ASKS),
    Weight(ranking, "SHORT_MATCH", 0.0, (0.5, 1.0, 2.0)),
    Weight(ranking, "UNMATCHED", 0.0, (0.2, 0.4, 1.0)),
    Weight(ranking, "UNKNOWN_PAIR", 1.0),
    Weight(ranking, "NEAR", 0.0, (0.2, 0.4, 0.8)),
    Weight(ranking, "COVERAGE", 0.0, (0.4, 0.7, 0.9)),
    Weight(ranking, "QUESTION_FAQ", 1.0),
    Weight(ranking, "OVERVIEW", 1.0, (0.85, 0.9, 1.0)),
    Weight(ranking, "INFORMATION", 1.0),
    Weight(plan, "SAME_STEM", 0.0, (0.7, 0.8, 0.9)),
    Weight(plan, "OTHER_LANGUAGE", 0.0, (0.6, 0.85)),
    Weight(plan, "SINGLE_HAN", 0.001, (0.2, 0.4)),
    Weight(plan, "CONCEPT", 0.0, (0.5, 0.7, 0.9)),
    Weight(plan, "FUNCTION_WORD", 1.0, (0.4, 0.55, 0.7)),
)


def figures(index: Index, judged: Sequence[Judged]) -> tuple[float, float]:
    """Success at the asked rank, and mean reciprocal rank."""
    with patch.object(search, "CONFIDENT", 0.0):
        ranks = [(j, outcome(index, j).rank) for j in judged]
    success = sum(0 < rank <= j.must_rank for j, rank in ranks)
    return success / len(ranks), sum(1 / rank for _, rank in ranks if rank) / len(ranks)


def ablate(index: Index, judged: Sequence[Judged]) -> None:
    """Print what each weight is worth."""
    whole = figures(index, judged)
    print(f"{'all weights as they are':34} {whole[0]:6.1%} {whole[1]:.3f}")
    for weight in WEIGHTS:
        with weight.set_to(weight.neutral):
            success, reciprocal = figures(index, judged)
        print(
            f"{weight.label + f' = {weight.neutral:g}':34} {success:6.1%} {reciprocal:.3f}   {success - whole[0]:+.1%}"
        )


def cross(index: Index, judged: Sequence[Judged]) -> None:
    """Choose the weights on four fifths, one after the other from neutral values, and judge them on the fifth."""
    held: list[tuple[int, float, float]] = []
    for fold in range(FOLDS):
        others = [j for n, j in enumerate(judged) if n % FOLDS != fold]
        ours = [j for n, j in enumerate(judged) if n % FOLDS == fold]
        chosen: list[tuple[Weight, float]] = []
        _choose(index, others, list(WEIGHTS), chosen)
        success, reciprocal = _with(chosen, index, ours)
        held.append((len(ours), success, reciprocal))
        print(f"fold {fold + 1}: {success:6.1%} {reciprocal:.3f}", flush=True)
    total = sum(n for n, _, _ in held)
    print(
        f"cross-validated: {sum(n * s for n, s, _ in held) / total:6.1%} {sum(n * r for n, _, r in held) / total:.3f}"
    )


def _choose(
    index: Index, judged: Sequence[Judged], weights: Sequence[Weight], chosen: list[tuple[Weight, float]]
) -> None:
    best = sum(_with(chosen, index, judged))
    for weight in weights:
        for value in weight.choices:
            found = sum(_with([*chosen, (weight, value)], index, judged))
            if found > best + 1e-9:
                best = found
                chosen[:] = [(w, v) for w, v in chosen if w is not weight] + [(weight, value)]


def _with(chosen: Sequence[tuple[Weight, float]], index: Index, judged: Sequence[Judged]) -> tuple[float, float]:
    if not chosen:
        return figures(index, judged)
    weight, value = chosen[-1]
    with weight.set_to(value):
        return _with(chosen[:-1], index, judged)


def main() -> None:
    """Run what the command line names."""
    index = open_index(corpus_root())
    judged = [j for j in judged_queries() if not j.negative]
    {"ablate": ablate, "cross": cross}[sys.argv[1] if len(sys.argv) > 1 else "ablate"](index, judged)


if __name__ == "__main__":
    main()
