"""A cold look-up: a whole process from nothing to its last line, beside the least that such a process can take."""

from __future__ import annotations

import compileall
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.engines.fts5 import Fts5
from benchmarks.peers import peer, version
from benchmarks.report import Table, within
from benchmarks.rows import write_rows
from benchmarks.timing import Process, in_turn, ratio, run_process, spread
from ruleslawyer.corpus import load
from ruleslawyer.places import corpus_root

ROOT = Path(__file__).parents[1]
PROGRAMS = Path(__file__).with_name("programs")
QUESTION = ("tie", "breaker")
OURS = "rules tie breaker"

NOTE = """Whole processes run in turn, output into a pipe, bytecode compiled; medians with quartiles; the ratio is ours by the
peer's in the same round, once by the clock, once by processor time (user and
system), which a busy machine sways less. Both programs print the first entry whole and seven in a line."""


def tables(work: Path, rounds: int) -> list[Table]:
    """Measure in a work folder."""
    compile_bytecode()
    results = in_turn({name: partial(run_process, *run) for name, run in _runs(work).items()}, rounds)
    columns = ["process", "ms", "processor ms", "ours / it", "by processor"]
    return [Table("Cold look-up", NOTE, columns, [_row(name, found, results[OURS]) for name, found in results.items()])]


def _row(name: str, found: Sequence[Process], ours: Sequence[Process]) -> list[str]:
    wall = within(spread([1000 * process.wall for process in found]))
    cpu = within(spread([1000 * process.cpu for process in found]))
    if name == OURS:
        return [name, wall, cpu, "", ""]
    by_clock = within(ratio([p.wall for p in ours], [p.wall for p in found]), digits=2)
    by_processor = within(ratio([p.cpu for p in ours], [p.cpu for p in found]), digits=2)
    return [name, wall, cpu, by_clock, by_processor]


def _runs(work: Path) -> dict[str, tuple[Sequence[str], Mapping[str, str]]]:
    """Each command with what it needs of the environment; ours keeps its index in the work folder."""
    rows, fts5, tantivy = work / "rows.jsonl", work / "fts5", work / "tantivy"
    write_rows(load(corpus_root()).corpus, rows)
    for folder in (fts5, tantivy):
        folder.mkdir()
    Fts5().build(rows, fts5)
    module = ["-m", "benchmarks.engines.tantivy_engine", "build", str(rows), str(tantivy)]
    subprocess.run([peer("python"), *module], check=True, capture_output=True, cwd=ROOT)
    program = shutil.which("rules", path=str(Path(sys.executable).parent))
    command = [program] if program else [sys.executable, "-m", "ruleslawyer"]
    python = sys.executable
    return {
        OURS: ([*command, *QUESTION], {"XDG_CACHE_HOME": str(work / "cache")}),
        "python -c pass": ([python, "-c", "pass"], {}),
        "import click": ([python, "-c", "import click"], {}),
        "import click, whoosh.index": ([python, "-c", "import click, whoosh.index"], {}),
        "click and SQLite FTS5": (_program(python, "lookup_fts5"), {"DATABASE": str(fts5 / "fts5.db")}),
        f"click and tantivy {version('tantivy')}": (
            _program(peer("python"), "lookup_tantivy"),
            {"DATABASE": str(tantivy)},
        ),
        "grep over the corpus": (["grep", "-rihE", "tie.?break(er)?", str(corpus_root())], {}),
    }


def _program(python: str, name: str) -> list[str]:
    return [python, str(PROGRAMS / f"{name}.py"), *QUESTION]


def compile_bytecode() -> None:
    """Compile what is imported, as an installation does, in both environments."""
    for package in ("ruleslawyer", "click", "whoosh", "platformdirs"):
        spec = importlib.util.find_spec(package)
        if spec and spec.origin:
            compileall.compile_dir(Path(spec.origin).parent, quiet=2)
    for library in Path(peer("python")).parents[1].glob("lib/python*/site-packages"):
        compileall.compile_dir(library / "click", quiet=2)
        compileall.compile_dir(library / "tantivy", quiet=2)
