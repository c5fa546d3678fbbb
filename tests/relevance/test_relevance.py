"""The judged queries, as a reader would ask them: how many are answered, and what is said where there is no answer."""

from __future__ import annotations

import measure
import pytest

from ruleslawyer.index import Index


@pytest.fixture(scope="module")
def outcomes(bundled: Index) -> list[measure.Outcome]:
    return [measure.outcome(bundled, judged) for judged in measure.judged_queries()]


@pytest.fixture(scope="module")
def answerable(outcomes: list[measure.Outcome]) -> list[measure.Outcome]:
    return [outcome for outcome in outcomes if not outcome.judged.negative]


def misses(outcomes: list[measure.Outcome]) -> str:
    """What failed, for the message of a failing test."""
    return "\n".join(f"{o.judged.id} {o.judged.query!r} at {o.rank or '-'}" for o in outcomes if not o.success)


def test_what_was_judged(outcomes: list[measure.Outcome], answerable: list[measure.Outcome]) -> None:
    assert len({o.judged.id for o in outcomes}) == len(outcomes) == 212
    assert len(answerable) == 202


def test_every_expected_entry_is_in_the_corpus(outcomes: list[measure.Outcome], bundled: Index) -> None:
    named = {name for o in outcomes for name in (*o.judged.expect, *o.judged.ok)}
    assert sorted(named - bundled.records.keys()) == []


def test_answers_are_found_at_the_rank_asked_for(answerable: list[measure.Outcome]) -> None:
    assert measure.summary(answerable)["success"] >= 0.96, misses(answerable)


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_answers_are_found_in_each_language(answerable: list[measure.Outcome], lang: str) -> None:
    good, total = measure.table(answerable, lambda judged: judged.lang)[lang]
    assert good / total >= 0.94, misses([o for o in answerable if o.judged.lang == lang])


def test_the_mean_reciprocal_rank(outcomes: list[measure.Outcome]) -> None:
    assert measure.summary(outcomes)["mrr"] >= 0.92


def test_what_the_corpus_cannot_answer_is_said_not_to_be_found(outcomes: list[measure.Outcome]) -> None:
    assert measure.summary(outcomes)["negatives"] >= 9, misses([o for o in outcomes if o.judged.negative])


def test_few_answers_are_lost_to_nothing_found(outcomes: list[measure.Outcome]) -> None:
    assert measure.summary(outcomes)["lost"] <= 0.04
