"""The contract between the two readers of the index: what the Python one makes of the cases of ``searchcases``.

``terms``: texts with their terms. ``queries``: questions with how they are read (each unit: its text and, for every
alternative, language, origin, weight and terms), the entries in order, whether that is an answer, and what is said of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import searchcases
from ruleslawyer.analysis import terms_of
from ruleslawyer.index import Index

FILE = Path(__file__).parent / "contract" / "contract.json"
QUERIES = 600


def contract(index: Index) -> dict[str, list[Any]]:
    """All cases with what the Python implementation makes of them."""
    return {"terms": [_terms(index, r) for r in searchcases.term_requests(index)], "queries": queries(index)}


def queries(index: Index) -> list[Any]:
    """The judged queries, then listed and made ones."""
    judged = searchcases.judged()
    return [_query(index, r) for r in judged + searchcases.questions(index, QUERIES - len(judged), seed=7)]


def _terms(index: Index, request: searchcases.Request) -> dict[str, Any]:
    table = index.dictionary.simplified if request["han"] else {}
    return {**request, "is": terms_of(request["terms"], request["lang"], table)}


def _query(index: Index, request: searchcases.Request) -> dict[str, Any]:
    answer = searchcases.answer(index, request)
    return {
        **request,
        "units": [read_as(unit) for unit in answer["units"]],
        "ids": answer["ids"],
        "confident": answer["confident"],
        "total": answer["total"],
        "notes": answer["notes"],
    }


def read_as(unit: dict[str, Any]) -> list[str]:
    """``["ships", "en exact 1: ships ship"]``; a language in brackets counts only where there is no translation."""
    return [
        unit["text"],
        *(
            f"{f'({lang})' if untranslated else lang} {how} {weight:.4g}: {' '.join(term for term, _ in terms)}"
            for lang, how, weight, untranslated, terms in unit["alternatives"]
        ),
    ]


def text_of(data: dict[str, list[Any]]) -> str:
    """The contract as JSON, a line per case."""
    parts = []
    for name, cases in data.items():
        lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"
