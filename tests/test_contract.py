"""The contract file is what the Python search does today; the browser's search is held to it in ``test_search_node``."""

from __future__ import annotations

import json

import pytest

from contractfile import FILE, QUERIES, contract, text_of
from ruleslawyer.index import Index

REFRESH = "the search has changed; if that is meant: python tests/contract/produce.py"


def test_the_contract_is_up_to_date(bundled: Index) -> None:
    made = text_of(contract(bundled))
    if FILE.read_text(encoding="utf-8") != made:
        written, now = json.loads(FILE.read_text(encoding="utf-8")), json.loads(made)
        changed = [new for name in now for old, new in zip(written[name], now[name], strict=False) if old != new]
        pytest.fail(
            f"{REFRESH}\n{len(changed)} cases differ, first: {json.dumps(changed[:1], ensure_ascii=False)[:600]}"
        )


def test_the_contract_covers_enough() -> None:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    assert len(data["queries"]) == QUERIES
    assert len(data["terms"]) >= 300
    assert {note[0] for q in data["queries"] for note in q["notes"]} >= {
        "corrected",
        "unknown",
        "narrowed",
        "unknown_filter",
    }
    assert any(q["confident"] for q in data["queries"]) and any(not q["confident"] for q in data["queries"])
