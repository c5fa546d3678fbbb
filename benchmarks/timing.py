"""Time and processor time of processes; medians and spread; rounds in which all take their turn."""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")


class Spread(NamedTuple):
    """The quartiles of some values."""

    low: float
    median: float
    high: float


class Process(NamedTuple):
    """What a process took: seconds by the clock, seconds of processor."""

    wall: float
    cpu: float


def spread(values: Sequence[float]) -> Spread:
    """The quartiles of one value or more.

    >>> spread([5.0]), spread([1.0, 2.0, 3.0, 4.0, 5.0])
    (Spread(low=5.0, median=5.0, high=5.0), Spread(low=1.5, median=3.0, high=4.5))
    """
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    return Spread(*statistics.quantiles(values, n=4))


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """The quartiles of the ratios, round by round: what slowed the machine in a round slowed both.

    >>> ratio([2.0, 4.0, 6.0], [1.0, 2.0, 3.0]).median
    2.0
    """
    return spread([a / b for a, b in zip(ours, theirs, strict=True)])


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """How a value grows between the first and last size: 1 in proportion, 2 with the square.

    >>> exponent([10, 100], [3, 30])
    1.0
    """
    return math.log(values[-1] / values[0]) / math.log(sizes[-1] / sizes[0])


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of them lies.

    >>> percentile([1, 2, 3, 4], 0.95)
    4
    """
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def in_turn(runs: Mapping[str, Callable[[], Result]], rounds: int) -> dict[str, list[Result]]:
    """Run each in every round, one after the other; a first round that does not count warms what is cached."""
    results: dict[str, list[Result]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            result = run()
            if number:
                results[name].append(result)
    return results


def run_process(
    command: Sequence[str], environment: Mapping[str, str] | None = None, folder: str | None = None
) -> Process:
    """Run a program to its end, its output into a pipe.

    Raises:
        RuntimeError: it failed; with what it wrote.
    """
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})}, cwd=folder
    ) as process:
        assert process.stdout
        output = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{output.decode(errors='replace')}")
    return Process(wall, used.ru_utime + used.ru_stime)
