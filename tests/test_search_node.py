"""The browser's search answers as the command does, whatever is asked and whatever is loaded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import nodesearch
import searchcases
from contractfile import FILE, read_as
from ruleslawyer.analysis import analyse
from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import load
from ruleslawyer.index import Index, no_progress
from ruleslawyer.places import corpus_root
from ruleslawyer.plan import MAX_UNITS
from ruleslawyer.search import CONFIDENT, CONFIDENT_PRIVATE, search
from ruleslawyer.stems import simplified_characters
from ruleslawyer.website import with_private_marked
from searchcases import Request
from test_library import Shelf
from tiny import Line, corpus_of

MANY = 2000
KINDS = {
    "found": 0.4, "near": 0.1, "nothing": 0.05, "note corrected": 0.03, "note unknown": 0.05, "note cut": 0.02,
    "note narrowed": 0.02, "by concept": 0.3, "by form": 0.03, "by inflection": 0.002, "by level": 0.02, "by number": 0.05,
    "by opening": 0.01, "by single": 0.1, "phrases": 0.03, "excluded": 0.03, "filter game": 0.05, "filter id": 0.01,
    "filter kind": 0.05, "filter lang": 0.05, "lang en": 0.2, "lang es": 0.1, "lang zh": 0.1, "long": 0.02,
    "hardly any": 0.03, "number": 0.05, "two scripts": 0.05, "traditional": 0.01, "full width": 0.01,
}  # fmt: skip
"""Least shares of the made-up queries that are of a kind: see ``searchcases.kinds``."""

KIB = 1024


@pytest.fixture(scope="module")
def folder(bundled: Index, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled corpus's search."""
    return nodesearch.write_search(load(corpus_root()).corpus, bundled, tmp_path_factory.mktemp("search"))


def _disagreements(index: Index, folder: Path, requests: list[Request]) -> dict[str, list[str]]:
    answers = nodesearch.started(folder, requests)
    return _differing(requests, [searchcases.answer(index, request) for request in requests], answers())


def _differing(
    requests: list[Request], expected: list[dict[str, Any]], answers: list[dict[str, Any]]
) -> dict[str, list[str]]:
    assert len(answers) == len(requests)
    pairs = zip(requests, expected, answers, strict=True)
    found = {repr(request): nodesearch.differences(said, got) for request, said, got in pairs}
    return {request: differing for request, differing in found.items() if differing}


def test_texts_are_cut_alike(bundled: Index, folder: Path) -> None:
    requests = searchcases.term_requests(bundled)
    for request, got in zip(requests, nodesearch.run(folder, requests), strict=True):
        table = simplified_characters() if request["han"] else {}
        known = {a: b for a, b in table.items() if a in bundled.dictionary.simplified}
        text = request["terms"]
        at = [len(text[:n].encode("utf-16-le")) // 2 for n in range(len(text) + 1)]
        expected = [[t.term, at[t.start], at[t.end], t.pos, t.kind] for t in analyse(text, request["lang"], known)]
        assert got.get("terms") == expected, (request, got)


def test_judged_queries_are_answered_alike(bundled: Index, folder: Path) -> None:
    assert _disagreements(bundled, folder, searchcases.judged()) == {}


def test_made_up_queries_of_every_kind_are_answered_alike(bundled: Index, folder: Path) -> None:
    requests = searchcases.questions(bundled, MANY, seed=20)
    answers = nodesearch.started(folder, requests)
    expected = [searchcases.answer(bundled, request) for request in requests]
    kinds = searchcases.kinds(requests, expected)
    assert {kind: kinds[kind] for kind, least in KINDS.items() if kinds[kind] < least * MANY} == {}
    assert _differing(requests, expected, answers()) == {}


def test_a_question_is_cut_alike_where_the_cut_falls_into_a_run_of_han_or_a_split_word(
    bundled: Index, folder: Path
) -> None:
    words = "do you take the " * MAX_UNITS
    ends = ("没有合法的走法", "re roll", "tie break", "level 2", "二级科技")
    asked = [" ".join([*words.split()[:n], end]) for end in ends for n in range(MAX_UNITS - 4, MAX_UNITS + 1)]
    assert _disagreements(bundled, folder, [{"ask": ask, "options": {"limit": 9}} for ask in asked]) == {}


def test_the_answer_is_the_same_whatever_was_loaded_before(bundled: Index, folder: Path) -> None:
    requests = [
        *searchcases.judged()[::6],
        *searchcases.questions(bundled, 40, seed=21),
        *searchcases.generated(bundled, 40, 22),
    ]
    assert _disagreements(bundled, folder, [{**r, "fresh": True} for r in requests]) == {}


def test_other_corpora_are_answered_alike(tmp_path: Path) -> None:
    corpus = corpus_of(
        Line("A lantern may not move.", title="Lantern </script>"),
        Line("El año del niño.", "es", title="Ano"),
        Line("棄牌階段 第3章", "zh", title="弃牌"),
        Line("Le bateau coulé", "fr", title="Bateau 3.1"),
        Line("用UFO换牌", "en", title="constructor"),
        Line("Rule 3.1.2 and 3.10", title="__proto__", asks={"en": ["toString?"], "es": ["¿y el barco?"]}),
        Line(texts={"en": ("Boat", "A boat moves."), "es": ("Barco", "El barco se mueve.")}, game="quay"),
    )
    index = build_in_memory(corpus, no_progress)
    folder = nodesearch.write_search(corpus, index, tmp_path)
    asked = ["lantern", "ano", "año", "棄牌", "弃牌", "bateau", "3.1", "ufo", "换牌", "constructor", "__proto__", "toString",
             "barco", "boat -lantern", '"may not move"', "lantren", "quay boat", "game:quay moves", "第３章", "x"]  # fmt: skip
    options: list[dict[str, Any]] = [{"fallback": lang} for lang in ("en", "es", "zh", "fr", "xx")]
    requests = [
        {"ask": a, "options": {"limit": 9, **o}, "fresh": f} for a in asked for o in options for f in (True, False)
    ]
    assert _disagreements(index, folder, requests) == {}


def test_a_private_pack_is_answered_alike_with_its_lower_line(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    corpus = load(shelf.corpus, shelf.packs).corpus
    index = build_in_memory(corpus, no_progress)
    folder = nodesearch.write_search(with_private_marked(corpus), index, tmp_path / "search")
    asked = ["foghorn", "blow the foghorn tomorrow", "blow foghorn tomorrow evening please", "docks", "routes tomorrow",
             "niebla", "fog islands foghorn", "private", "雾"]  # fmt: skip
    requests = [
        {"ask": a, "options": {"limit": 9, "fallback": lang}, "fresh": True} for a in asked for lang in ("en", "es")
    ]
    assert _disagreements(index, folder, requests) == {}
    half = {"ask": "blow foghorn tomorrow", "options": {"fallback": "en"}}
    assert CONFIDENT_PRIVATE <= search(index, "blow foghorn tomorrow").hits[0].coverage < CONFIDENT
    assert nodesearch.run(folder, [half])[0]["confident"]


def _size(folder: Path, names: list[str]) -> int:
    return sum(len(gzip.compress((folder / "search" / f"{name}.js").read_bytes(), 9)) for name in names)


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_a_first_search_loads_little(folder: Path, lang: str) -> None:
    """Measured on judged queries of the language, each on a fresh page; a word of another language may take more."""
    requests = [{**r, "options": {"fallback": lang}, "fresh": True} for r in searchcases.judged(lang)[:40]]
    sizes = sorted(_size(folder, [*a["loaded"], f"words-{lang}"]) for a in nodesearch.run(folder, requests))
    print(f"first search in {lang}: median {sizes[len(sizes) // 2]}, most {sizes[-1]} bytes of gzip")
    assert sizes[len(sizes) // 2] <= 100 * KIB


def test_an_english_reader_loads_no_other_texts(folder: Path) -> None:
    (answer,) = nodesearch.run(folder, [{"ask": "tie breaker", "options": {"fallback": "en"}, "fresh": True}])
    assert not [name for name in answer["loaded"] if name.startswith(("texts-es", "texts-zh", "dictionary"))]


def test_the_contract_file_is_kept(folder: Path) -> None:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    terms = nodesearch.run(folder, data["terms"])
    assert [[t[0] for t in got["terms"]] for got in terms] == [case["is"] for case in data["terms"]]
    requests = [{"ask": q["ask"], "options": q["options"]} for q in data["queries"]]
    for case, got in zip(data["queries"], nodesearch.run(folder, requests), strict=True):
        same = {**case, "units": [read_as(unit) for unit in got["units"]]}
        same |= {key: got[key] for key in ("ids", "confident", "total", "notes")}
        assert same == case
