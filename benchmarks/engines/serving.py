"""What all engines have in common: how they are called, what they tell, how a question is put to a plain full-text engine.

``python -m benchmarks.engines.NAME build INPUT FOLDER`` prints one line of JSON; ``... ask FOLDER`` prints one when it is open,
then one for each line of questions. Only Python's own library is imported here: peers run where Rules Lawyer is not installed.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

HAN = "一-龥"
_BETWEEN_HAN = re.compile(rf"(?<=[{HAN}])(?=[{HAN}\w])|(?<=\w)(?=[{HAN}])")


class Answer(NamedTuple):
    """How many hits there are, the first ten names, and the whole text of the first."""

    hits: int
    names: tuple[str, ...]
    text: str


Ask = Callable[[str], Answer]


class Engine(Protocol):
    """A search engine under measurement."""

    def build(self, source: Path, folder: Path) -> float:
        """Index a source (a corpus folder, or a file of rows) into a folder. Returns the seconds spent reading the source."""

    def open(self, folder: Path) -> Ask:
        """Open what was built."""


class Row(NamedTuple):
    """An entry in one language, as every peer indexes it: a line of a file of rows."""

    name: str
    game: str
    lang: str
    title: str
    asks: str
    text: str


def read_rows(source: Path) -> Iterator[Row]:
    """The rows of a file, one at a time."""
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            yield Row(*json.loads(line))


def spaced(text: str) -> str:
    """Text with a blank between Han characters, so that engines that cut at blanks index each.

    >>> spaced("平手 tie 3分"), spaced("tie")
    ('平 手 tie 3 分', 'tie')
    """
    return _BETWEEN_HAN.sub(" ", text)


def any_word(question: str) -> str:
    """A question as a query that FTS5 and Tantivy both understand: any word; Han by pairs of neighbours; phrases whole.

    >>> any_word("tie for control"), any_word('"victory points"'), any_word("控制权")
    ('"tie" OR "for" OR "control"', '"victory points"', '"控 制" OR "制 权"')
    """
    phrase = re.fullmatch(r'"(.*)"', question.strip())
    if phrase:
        return f'"{spaced(phrase[1].lower())}"'
    parts: list[str] = []
    for word in re.findall(rf"[{HAN}]+|[^\W{HAN}]+", question.lower()):
        pairs = [word[i : i + 2] for i in range(len(word) - 1)] if re.match(f"[{HAN}]", word) else []
        parts += [spaced(pair) for pair in pairs] or [word]
    return " OR ".join(f'"{part}"' for part in parts)


def serve(engine: Engine) -> None:
    """Do what the command line says."""
    if sys.argv[1] == "build":
        _build(engine, Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        _answer(engine, Path(sys.argv[2]))


def memory_limit() -> int:
    """Bytes of memory that a build may take: half of the machine's, so that a build that takes too much harms nobody."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _build(engine: Engine, source: Path, folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (memory_limit(), memory_limit()))
    started, cpu = time.perf_counter(), processor_time()
    reading = engine.build(source, folder)
    seconds = time.perf_counter() - started - reading
    _tell(seconds=seconds, reading=reading, cpu=processor_time() - cpu, peak=peak_memory())


def processor_time() -> float:
    """Seconds of processor of this process and of those that it has started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _answer(engine: Engine, folder: Path) -> None:
    started = time.perf_counter()
    ask = engine.open(folder)
    _tell(open=1000 * (time.perf_counter() - started))
    for line in sys.stdin:
        question = json.loads(line)
        started, cpu = time.perf_counter(), time.process_time()
        answer = ask(question)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - started
        _tell(ms=1000 * wall, cpu=1000 * cpu, hits=answer.hits, names=answer.names, peak=peak_memory())


def peak_memory() -> float:
    """The most memory that this program has had, in MB.

    Linux counts into ``ru_maxrss`` what the process was before it became this program, so there its own count is read.
    """
    own = Path("/proc/self/status")
    if own.is_file():
        return int(own.read_text().partition("VmHWM:")[2].split()[0]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _tell(**facts: object) -> None:
    print(json.dumps(facts), flush=True)
