"""Look-ups in an open index, and what it takes to build one, as the corpus grows: ours, SQLite FTS5 and Tantivy side by side.

Every engine runs in a process of its own, is fed the same texts and phrasings, and answers with the number of hits, ten names
and the text of the first.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.peers import peer
from benchmarks.report import Table, within
from benchmarks.rows import write_rows
from benchmarks.synthetic import write_library
from benchmarks.timing import exponent, percentile, ratio, spread
from ruleslawyer.corpus import load
from ruleslawyer.places import corpus_root

ROOT = Path(__file__).parents[1]
PATIENCE = 3600
"""Seconds after which a build is given up."""

QUESTIONS = {
    ("one word", "en"): ("tie", "achievement", "pawn"),
    ("one word", "es"): ("empate", "logro", "peón"),
    ("one word", "zh"): ("平手", "成就", "飞船"),
    ("three words", "en"): ("tie for control", "move the pawn", "end of game"),
    ("three words", "es"): ("fase de producción", "empate por control", "fin de partida"),
    ("three words", "zh"): ("控制权 平手 派系", "两人 成就 结束", "研究 前置 科技"),
    ("phrase", "en"): ('"victory points"', '"action pawn"', '"military power"'),
    ("phrase", "es"): ('"puntos de victoria"', '"peón de acción"', '"espacio profundo"'),
    ("phrase", "zh"): ('"飞船等级"', '"胜利点"', '"科技牌"'),
    ("typo", "en"): ("achivement", "colonizze", "transportr"),
    ("typo", "es"): ("colonizzar", "desempatte", "investigasión"),
    ("typo", "zh"): ("平受", "成久", "飞传"),
}
"""Questions that the bundled corpus answers, which is part of every size."""

SPEED_NOTE = """Milliseconds in an open index: median with quartiles, p95 of ours; the engines answer each question in turn.
The ratios are of processor time, which a busy machine sways less. Ours corrects typing errors and joins languages and
synonyms; FTS5 finds nothing for a typing error, Tantivy repeats it fuzzily."""
BUILD_NOTE = """Each in a process of its own. *Seconds* is building alone; ours reads Markdown and TOML first (*reading*),
the peers a file of rows. *Processor s* is both, of all processes: ours shares work among as many as there are processors,
the peers have one thread. *Peak* is the most memory of the first process, for ours with the whole corpus in it; *asking*,
of the process that answers. *Not built*: not within an hour and half of the machine's memory."""
GROWTH_NOTE = """Exponents: 1 grows as the corpus does, 0 not at all, 2 with its square. Times are of processor;
that of building includes reading."""


class Size(NamedTuple):
    """A corpus to measure, and its texts as rows."""

    texts: int
    entries: int
    corpus: Path
    rows: Path


class Built(NamedTuple):
    """What building took; ``folder`` is where the index is."""

    seconds: float
    reading: float
    cpu: float
    peak: float
    megabytes: float
    folder: Path


class Open:
    """An engine's process with an open index, ready for questions."""

    def __init__(self, command: Sequence[str], stack: ExitStack) -> None:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self._process = stack.enter_context(process)
        self.milliseconds = float(self._read()["open"])
        self.peak = 0.0

    def ask(self, question: str) -> dict[str, Any]:
        """One answer: ``ms`` by the clock, ``cpu`` of processor, ``hits``, ``names``."""
        assert self._process.stdin
        self._process.stdin.write(f"{json.dumps(question)}\n")
        self._process.stdin.flush()
        answer = self._read()
        self.peak = answer["peak"]
        return answer

    def close(self) -> None:
        """No more questions."""
        assert self._process.stdin
        self._process.stdin.close()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


def engines() -> dict[str, list[str]]:
    """How each engine is called; ours first."""
    return {
        "ours": [sys.executable, "-m", "benchmarks.engines.ours"],
        "FTS5": [sys.executable, "-m", "benchmarks.engines.fts5"],
        "Tantivy": [peer("python"), "-m", "benchmarks.engines.tantivy_engine"],
    }


def tables(work: Path, rounds: int, sizes: Sequence[int]) -> list[Table]:
    """Measure at the bundled corpus and at libraries of these sizes, in texts."""
    measured = []
    for size in _sizes(work, sizes):
        print(f"building {size.texts} texts", file=sys.stderr)
        built = {name: _build(command, name, size) for name, command in engines().items()}
        asked = _ask(built, rounds)
        measured.append((size, built, asked))
    speeds = [_speed_table(size, asked) for size, _, asked in measured]
    return [*speeds, _build_table(measured), _growth_table(measured)]


def _sizes(work: Path, sizes: Sequence[int]) -> Iterator[Size]:
    for wanted in (0, *sizes):
        folder = work / f"library-{wanted}"
        write_library(corpus_root(), folder, wanted)
        corpus = load(folder).corpus
        rows = work / f"rows-{wanted}.jsonl"
        write_rows(corpus, rows)
        yield Size(sum(len(e.texts) for e in corpus.entries.values()), len(corpus.entries), folder, rows)


# --- building ---------------------------------------------------------------------------------------------------------


def _build(command: Sequence[str], name: str, size: Size) -> Built | None:
    """Build an index; ``None`` where the engine does not manage within ``PATIENCE`` and half of the machine's memory."""
    folder = size.corpus.parent / f"{name}-{size.texts}"
    folder.mkdir(mode=0o700)
    source = size.corpus if name == "ours" else size.rows
    try:
        done = subprocess.run(
            [*command, "build", str(source), str(folder)], check=True, capture_output=True, cwd=ROOT, timeout=PATIENCE
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        said = (error.stderr or b"").decode(errors="replace")[-300:]
        print(f"{name} does not build {size.texts} texts: {error}\n{said}", file=sys.stderr)
        return None
    facts = json.loads(done.stdout)
    megabytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    return Built(facts["seconds"], facts["reading"], facts["cpu"], facts["peak"], megabytes, folder)


# --- asking -----------------------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """Answers of an engine: when it was open, its memory; by kind and language, milliseconds (clock, processor) and hits."""

    open: float
    peak: float
    times: Mapping[tuple[str, str], Sequence[float]]
    cpu: Mapping[tuple[str, str], Sequence[float]]
    hits: Mapping[tuple[str, str], int]


def _ask(built: Mapping[str, Built | None], rounds: int) -> dict[str, Asked]:
    commands = engines()
    with ExitStack() as stack:
        ready = {n: Open([*commands[n], "ask", str(b.folder)], stack) for n, b in built.items() if b}
        times: dict[str, dict[tuple[str, str], list[float]]] = {name: {} for name in ready}
        cpu: dict[str, dict[tuple[str, str], list[float]]] = {name: {} for name in ready}
        hits: dict[str, dict[tuple[str, str], int]] = {name: {} for name in ready}
        for number in range(rounds + 1):
            for kind, questions in QUESTIONS.items():
                for question in questions:
                    for name, engine in ready.items():
                        answer = engine.ask(question)
                        hits[name][kind] = max(hits[name].get(kind, 0), len(answer["names"]))
                        if number:  # the first round fills caches
                            times[name].setdefault(kind, []).append(answer["ms"])
                            cpu[name].setdefault(kind, []).append(answer["cpu"])
        for engine in ready.values():
            engine.close()
        return {n: Asked(engine.milliseconds, engine.peak, times[n], cpu[n], hits[n]) for n, engine in ready.items()}


# --- tables -----------------------------------------------------------------------------------------------------------

Measured = tuple[Size, Mapping[str, Built | None], Mapping[str, Asked]]


def _speed_table(size: Size, asked: Mapping[str, Asked]) -> Table:
    peers = [name for name in asked if name != "ours"]
    columns = ["question", *asked, *(["ours p95"] if "ours" in asked else []), *(f"ours / {name}" for name in peers)]
    rows = [_speed_row(kind, asked, peers) for kind in QUESTIONS]
    return Table(f"Warm look-up, {size.texts} texts", SPEED_NOTE, columns, rows)


def _speed_row(kind: tuple[str, str], asked: Mapping[str, Asked], peers: Sequence[str]) -> list[str]:
    times = {name: engine.times[kind] for name, engine in asked.items()}
    cells = [within(spread(times[n]), digits=2) + ("" if asked[n].hits[kind] else " nothing") for n in asked]
    if "ours" not in asked:
        return [", ".join(kind), *cells, *("" for _ in peers)]
    ours = times["ours"]
    compared = [f"{ratio(asked['ours'].cpu[kind], asked[name].cpu[kind]).median:.1f}" for name in peers]
    return [", ".join(kind), *cells, f"{percentile(ours, 0.95):.1f}", *compared]


def _build_table(measured: Sequence[Measured]) -> Table:
    columns = [
        "engine",
        "texts",
        "entries",
        "seconds",
        "processor s",
        "reading s",
        "index MB",
        "peak MB",
        "asking MB",
        "open ms",
    ]
    rows = [
        [name, str(size.texts), str(size.entries), *_built_cells(built[name], asked.get(name))]
        for name in engines()
        for size, built, asked in measured
    ]
    return Table("Building, by size", BUILD_NOTE, columns, rows)


def _built_cells(built: Built | None, asked: Asked | None) -> list[str]:
    if not built or not asked:
        return ["not built", *[""] * 6]
    values = (built.seconds, built.cpu, built.reading, built.megabytes, built.peak, asked.peak, asked.open)
    return [f"{value:.1f}" for value in values]


def _growth_table(measured: Sequence[Measured]) -> Table:
    """Exponents between one size and the next, for building and for the median of each kind of question."""
    columns = [
        "engine",
        "from",
        "to",
        "build time",
        "index",
        "peak memory",
        *dict.fromkeys(kind for kind, _ in QUESTIONS),
    ]
    rows = [
        [name, str(before[0].texts), str(after[0].texts), *_growth(name, before, after)]
        for name in engines()
        for before, after in pairwise(measured)
        if before[1][name] and after[1][name]
    ]
    return Table("Growth", GROWTH_NOTE, columns, rows)


def _growth(name: str, before: Measured, after: Measured) -> list[str]:
    sizes = (before[0].texts, after[0].texts)
    one, two = before[1][name], after[1][name]
    assert one and two
    pairs = [(one.cpu, two.cpu), (one.megabytes, two.megabytes), (one.peak, two.peak)]
    pairs += [
        (_median(before[2][name], kind), _median(after[2][name], kind))
        for kind in dict.fromkeys(k for k, _ in QUESTIONS)
    ]
    return [f"{exponent(sizes, pair):.2f}" for pair in pairs]


def _median(asked: Asked, kind: str) -> float:
    return spread([ms for (its, _), times in asked.cpu.items() if its == kind for ms in times]).median
