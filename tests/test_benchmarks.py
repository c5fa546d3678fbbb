"""The benchmarks run on tiny inputs, and their tables are well-formed. No time is compared with anything."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks import relevance, sitebuild, warm
from benchmarks.engines.serving import Row
from benchmarks.report import Table, markdown, write_report
from benchmarks.rows import rows_of, write_rows
from benchmarks.synthetic import write_library
from benchmarks.timing import in_turn, run_process
from benchmarks.webserver import served
from ruleslawyer.analysis import terms_of
from ruleslawyer.corpus import load
from ruleslawyer.model import Corpus
from ruleslawyer.places import corpus_root

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled games and a synthetic one of each."""
    folder = tmp_path_factory.mktemp("library") / "corpus"
    assert write_library(corpus_root(), folder, 660) == 680
    return folder


@pytest.fixture(scope="module")
def corpus(library: Path) -> Corpus:
    return load(library).corpus


def texts_of(corpus: Corpus, lang: str) -> list[str]:
    return [entry.texts[lang].plain for entry in corpus.entries.values() if lang in entry.texts]


# --- synthetic libraries ----------------------------------------------------------------------------------------------


def test_a_synthetic_library_has_no_problem(library: Path) -> None:
    assert load(library).problems == ()


def test_a_synthetic_game_has_the_entries_asks_and_terms_of_a_bundled_one(corpus: Corpus) -> None:
    for name in ("beam-me-up", "tiny-epic-galaxies-beyond-the-black", "beyond-the-sun"):
        synthetic = next(game for game in corpus.games if game.startswith(f"{name}-0"))
        bundled, ours = ([e for e in corpus.entries.values() if e.game == game] for game in (name, synthetic))
        assert [sorted(e.texts) for e in ours] == [sorted(e.texts) for e in bundled]
        assert [sorted(e.asks) for e in ours] == [sorted(e.asks) for e in bundled]
        assert [len(e.rests_on) for e in ours] == [len(e.rests_on) for e in bundled]
        assert len(corpus.games[synthetic].terms) == len(corpus.games[name].terms)


def test_the_vocabulary_grows_with_the_library_but_less_than_the_text(corpus: Corpus) -> None:
    bundled = load(corpus_root()).corpus
    for lang in ("en", "es", "zh"):
        before, after = (
            [term for text in texts_of(which, lang) for term in terms_of(text, lang)] for which in (bundled, corpus)
        )
        assert 1 < len(set(after)) / len(set(before)) < len(after) / len(before)


def test_no_two_games_have_a_text_in_common(corpus: Corpus) -> None:
    long = [text for text in texts_of(corpus, "en") if len(text) > 300]
    assert len(set(long)) == len(long)


def test_the_same_size_gives_the_same_library(library: Path, tmp_path: Path) -> None:
    write_library(corpus_root(), tmp_path / "again", 660)
    one, other = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (library, tmp_path / "again")
    )
    assert one == other


# --- engines ----------------------------------------------------------------------------------------------------------


def run_engine(name: str, *args: object, questions: Sequence[str] = ()) -> list[dict[str, Any]]:
    """What an engine tells, line by line."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.engines.{name}", *map(str, args)],
        input="".join(f"{json.dumps(question)}\n" for question in questions),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", ["ours", "fts5"])
def test_an_engine_builds_and_answers_in_three_languages(name: str, tmp_path: Path) -> None:
    rows, index = tmp_path / "rows.jsonl", tmp_path / "index"
    write_rows(load(corpus_root()).corpus, rows)
    index.mkdir(mode=0o700)
    [built] = run_engine(name, "build", corpus_root() if name == "ours" else rows, index)
    assert built.keys() == {"seconds", "reading", "cpu", "peak"}
    opened, *answers = run_engine(name, "ask", index, questions=["tie for control", "empate por control", "控制权平手"])
    assert opened.keys() == {"open"}
    assert all("beyond-the-sun/control-ties" in answer["names"][:5] for answer in answers)


def test_peers_get_every_text_and_every_ask(corpus: Corpus) -> None:
    rows = {(row.name, row.lang): row for row in rows_of(corpus)}
    for entry in corpus.entries.values():
        for lang, text in entry.texts.items():
            assert rows[entry.name, lang].text == text.plain
            assert rows[entry.name, lang].title == text.title
        for lang, asks in entry.asks.items():
            assert set(asks) <= set(rows[entry.name, lang].asks.splitlines())
    assert all(isinstance(row, Row) for row in rows.values())


def test_questions_are_of_every_kind_in_every_language() -> None:
    kinds = {kind for kind, _ in warm.QUESTIONS}
    assert warm.QUESTIONS.keys() == {(kind, lang) for kind in kinds for lang in ("en", "es", "zh")}


# --- the other sections -----------------------------------------------------------------------------------------------


def test_a_peer_shows_as_many_entries_as_our_pages_do(corpus: Corpus) -> None:
    sheets = list(sitebuild.sheets_of(corpus))
    assert sum(sheet.texts for sheet in sheets) == 3 * len(corpus.entries)
    assert all(sheet.markdown.count("{#") == sheet.texts for sheet in sheets)


def test_the_site_of_any_corpus_is_built(tmp_path: Path) -> None:
    program = ROOT / "benchmarks" / "programs" / "build_site.py"
    run_process([sys.executable, str(program), str(corpus_root()), str(tmp_path / "site")])
    assert (tmp_path / "site" / "zh" / "beyond-the-sun" / "rules" / "index.html").is_file()


def test_relevance_has_a_row_for_every_search() -> None:
    [table] = relevance.tables()
    assert len(table.rows) == 5
    assert table.rows[0][0] == "Rules Lawyer"
    assert markdown(table)


def test_the_host_compresses_text_and_counts_what_it_sends(tmp_path: Path) -> None:
    from urllib.request import urlopen

    (tmp_path / "index.html").write_text("tie " * 1000, encoding="utf-8")
    with served(tmp_path) as host:
        with urlopen(f"{host.address}/") as answer:
            body = answer.read()
            assert answer.headers["Content-Encoding"] == "gzip"
        assert len(body) < host.sent < len(body) + 500


# --- figures and tables -----------------------------------------------------------------------------------------------


def test_all_take_their_turn_in_every_round_and_the_first_round_does_not_count() -> None:
    order: list[str] = []

    def run(name: str) -> int:
        order.append(name)
        return len(order)

    results = in_turn({name: partial(run, name) for name in "ab"}, 2)
    assert order == ["a", "b"] * 3
    assert results == {"a": [3, 5], "b": [4, 6]}


def test_a_process_that_fails_is_no_figure() -> None:
    with pytest.raises(RuntimeError, match="no such rule"):
        run_process([sys.executable, "-c", "raise SystemExit('no such rule')"])


def test_a_row_without_its_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="has not 2 cells"):
        markdown(Table("Cold", "", ["process", "ms"], [["ours"]]))


def test_a_report_says_when_and_on_what_but_not_where(tmp_path: Path) -> None:
    write_report([Table("Cold", "Whole processes.", ["process", "ms"], [["ours", "94"]])], True, tmp_path / "r.md")
    report = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert report.startswith("# Benchmark results\n\nA quick run")
    assert f"{os.cpu_count()} cores" in report
    assert os.uname().nodename not in report
    assert "| ours | 94 |" in report


@pytest.mark.parametrize("name", ["engines.serving", "report", "synthetic", "timing"])
def test_examples_in_the_documentation_are_true(name: str) -> None:
    assert doctest.testmod(import_module(f"benchmarks.{name}")).failed == 0


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--only", "lukewarm", "'lukewarm' is none of cold, warm, site, browser, relevance"),
        *(("--sizes", sizes, "is no number of texts from 1000") for sizes in ("340", "many", "10000,", "-5")),
    ],
)
def test_the_command_says_what_it_takes_when_asked_for_something_else(option: str, value: str, said: str) -> None:
    done = subprocess.run([sys.executable, "-m", "benchmarks", option, value], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
