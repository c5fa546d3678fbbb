"""All measurements by one command: ``python -m benchmarks [--only cold,warm,...] [--quick] [--sizes N,N] [-o FILE]``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from benchmarks import browsersearch, cold, relevance, sitebuild, warm
from benchmarks.report import Table, markdown, write_report

Section = Callable[[Path, bool, tuple[int, ...]], list[Table]]
"""Measures in an empty work folder; quickly or not; at these sizes."""


def _cold(work: Path, quick: bool, sizes: tuple[int, ...]) -> list[Table]:
    return cold.tables(work, 5 if quick else 41)


def _warm(work: Path, quick: bool, sizes: tuple[int, ...]) -> list[Table]:
    return warm.tables(work, 3 if quick else 20, sizes)


def _site(work: Path, quick: bool, sizes: tuple[int, ...]) -> list[Table]:
    return sitebuild.tables(work, 1 if quick else 7, () if quick else sizes[:1])


def _browser(work: Path, quick: bool, sizes: tuple[int, ...]) -> list[Table]:
    return browsersearch.tables(work, 1 if quick else 9, () if quick else sizes[:1])


def _relevance(work: Path, quick: bool, sizes: tuple[int, ...]) -> list[Table]:
    return relevance.tables()


SECTIONS: Mapping[str, Section] = {
    "cold": _cold,
    "warm": _warm,
    "site": _site,
    "browser": _browser,
    "relevance": _relevance,
}

SMALLEST = 1_000
"""Texts of a synthetic library at least: it must be larger than the bundled corpus, which it begins with."""


def _chosen(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    names = value.split(",") if value else list(SECTIONS)
    for name in names:
        if name not in SECTIONS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(SECTIONS)}")
    return names


def _texts(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    sizes = value.split(",") if value else []
    for size in sizes:
        if not size.isdecimal() or int(size) < SMALLEST:
            raise click.BadParameter(
                f"{size!r} is no number of texts from {SMALLEST}; the bundled corpus is always measured"
            )
    return tuple(map(int, sizes))


@click.command()
@click.option("--only", callback=_chosen, default="", help=f"Some of {', '.join(SECTIONS)}, with commas between.")
@click.option("--quick", is_flag=True, help="Few rounds and small sizes: to see that all runs.")
@click.option("--sizes", callback=_texts, default="", help="Texts of the synthetic libraries, with commas between.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="A file for the tables, e.g. benchmarks/RESULTS.md."
)
def main(only: list[str], quick: bool, sizes: tuple[int, ...], output: Path | None) -> None:
    """Measure, print the tables, and write them into a file if one is named."""
    texts = sizes or ((1_000,) if quick else (10_000, 100_000))
    tables: list[Table] = []
    for name in only:
        print(f"measuring {name}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as work:
            found = SECTIONS[name](Path(work), quick, texts)
        print("\n".join(map(markdown, found)))
        tables += found
        if output:  # after every section: what is measured is not lost with what comes after it
            write_report(tables, quick, output)


if __name__ == "__main__":
    main()
