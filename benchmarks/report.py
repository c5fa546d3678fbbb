"""Figures as tables, and the file they are kept in."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.timing import Spread


@dataclass(frozen=True)
class Table:
    """Rows of figures under their columns; ``note`` says what was measured and how."""

    title: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def markdown(table: Table) -> str:
    """A table as Markdown.

    >>> print(markdown(Table("Cold", "Whole processes.", ["", "ms"], [["ours", "94"]])), end="")
    ## Cold
    <BLANKLINE>
    Whole processes.
    <BLANKLINE>
    |  | ms |
    | --- | ---: |
    | ours | 94 |
    """
    for row in table.rows:
        if len(row) != len(table.columns):
            raise ValueError(f"{table.title}: {row} has not {len(table.columns)} cells")
    lines = [table.columns, ["---", *["---:"] * (len(table.columns) - 1)], *table.rows]
    body = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"## {table.title}\n\n{table.note}\n\n{body}\n"


def write_report(tables: Iterable[Table], quick: bool, path: Path) -> None:
    """Write all tables into one file, with the day and the shape of the machine."""
    kind = "A quick run: few rounds, small sizes." if quick else "A full run."
    head = f"# Benchmark results\n\n{kind} {date.today().isoformat()}, {machine()}.\n"
    path.write_text("\n".join([head, *(markdown(table) for table in tables)]), encoding="utf-8")


def machine() -> str:
    """Cores, memory and Python, nothing that names the machine; and how busy it is, since others slow the figures."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{os.cpu_count()} cores, {memory:.0f} GB, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} at the end"
    )


def within(values: Spread, unit: str = "", digits: int = 1) -> str:
    """A median with its quartiles.

    >>> within(Spread(1.0, 2.0, 4.0), "ms")
    '2.0 ms (1.0–4.0)'
    """
    low, median, high = (f"{value:.{digits}f}" for value in values)
    return f"{median}{f' {unit}' if unit else ''} ({low}–{high})"
