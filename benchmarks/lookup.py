"""How long a look-up takes, beside the least that a command of its kind can take: ``python benchmarks/lookup.py [RUNS]``.

Whole processes are run in turn (ours, peer, ours, peer ...) and compared pair by pair, so that a drift of the machine's speed
falls on both. Bytecode is compiled first, as an installation does.
"""

from __future__ import annotations

import compileall
import importlib.util
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import load
from ruleslawyer.index import no_progress, open_index
from ruleslawyer.places import corpus_root
from ruleslawyer.search import search

OURS = [sys.executable, "-m", "ruleslawyer", "tie", "breaker"]
FTS5 = """
import click, sqlite3, sys
@click.command()
@click.argument("words", nargs=-1)
def main(words):
    db = sqlite3.connect({path!r})
    match = " OR ".join('"%s"' % w for w in words)
    for title, text in db.execute("select title, text from t where t match ? order by bm25(t) limit 8", (match,)):
        click.echo(title)
    click.echo(text)
main(["tie", "breaker"])
"""
WARM = {
    "one word": ["tie", "empate", "平手"],
    "three words": ["tie for control", "fase de producción", "控制权平手"],
    "typo": ["achivement", "colonizzar", "transportr"],
    "phrase": ['"victory points"', '"espacio profundo"', "「飞船等级」"],
}


def seconds(command: list[str]) -> float:
    """Wall time of a process."""
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


def paired(name: str, peer: list[str], runs: int) -> None:
    """Run ours and a peer in turn and print medians and the median of the ratios."""
    pairs = [(seconds(OURS), seconds(peer)) for _ in range(runs + 1)][1:]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"rules tie breaker / {name:34} {ours * 1000:6.1f} ms / {theirs * 1000:6.1f} ms = {ratio:.2f}")


def fts5_program(folder: Path) -> list[str]:
    """A click program on SQLite FTS5 over the same text."""
    import sqlite3

    path = folder / "fts5.db"
    db = sqlite3.connect(path)
    db.execute("create virtual table t using fts5(title, text)")
    for entry in load(corpus_root()).corpus.entries.values():
        db.executemany("insert into t values (?, ?)", [(t.title, t.plain) for t in entry.texts.values()])
    db.commit()
    program = folder / "fts5.py"
    program.write_text(FTS5.format(path=str(path)), encoding="utf-8")
    return [sys.executable, str(program)]


def warm(repeat: int = 20) -> None:
    """Look-ups in an open index, by kind of question."""
    index = open_index(corpus_root())
    for name, queries in WARM.items():
        times = []
        for query in queries * repeat:
            started = time.perf_counter()
            search(index, query)
            times.append((time.perf_counter() - started) * 1000)
        times.sort()
        print(f"warm, {name:12} p50 {statistics.median(times):5.1f} ms   p99 {times[int(len(times) * 0.99)]:5.1f} ms")


def main() -> None:
    """Print all figures."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    for package in ("ruleslawyer", "click", "whoosh", "platformdirs"):
        spec = importlib.util.find_spec(package)
        if spec and spec.origin:
            compileall.compile_dir(Path(spec.origin).parent, quiet=2)
    open_index(corpus_root())
    paired("import click", [sys.executable, "-c", "import click"], runs)
    paired("import click, whoosh.index", [sys.executable, "-c", "import click, whoosh.index"], runs)
    with tempfile.TemporaryDirectory() as folder:
        paired("click and SQLite FTS5", fts5_program(Path(folder)), runs)
    started = time.perf_counter()
    corpus = load(corpus_root()).corpus
    loaded = time.perf_counter()
    build_in_memory(corpus, no_progress)
    print(f"corpus read in {loaded - started:.2f} s, index built in {time.perf_counter() - loaded:.2f} s")
    warm()


if __name__ == "__main__":
    main()
