"""Making the website: pages per second beside MkDocs with Material and Hugo, on the same text.

The peers get a Markdown page for every rules and FAQ page of ours, in each interface language, with the same entries in the
same order. Ours also makes glossaries, disputes, A-Z lists and home pages, its search index, and checks every link.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.peers import peer, version
from benchmarks.report import Table, within
from benchmarks.synthetic import write_library
from benchmarks.timing import Process, in_turn, ratio, run_process, spread
from ruleslawyer.corpus import load
from ruleslawyer.model import Corpus, Entry, Text
from ruleslawyer.places import corpus_root
from ruleslawyer.words import interface_languages

PROGRAMS = Path(__file__).with_name("programs")
OURS = "Rules Lawyer"

NOTE = """Whole processes in turn, from the sources to a finished folder, nothing kept between runs; medians with quartiles.
*Texts* counts an entry each time a page shows it, the same for all; the ratios are of texts per second, and per second of
processor, ours by the peer's.
Ours also makes glossaries, disputes, A-Z and home pages and the search data, and checks every link; MkDocs makes its search
index; Hugo makes no search."""

MKDOCS = """site_name: Rules
theme: {{name: material, font: false}}
plugins: [search]
markdown_extensions: [attr_list, tables]
docs_dir: {source}
site_dir: {target}
"""
HUGO = """baseURL = "https://example.org/"
title = "Rules"
disableKinds = ["taxonomy", "term", "RSS", "sitemap"]
"""
LAYOUT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head>
<body><nav>{{ range .Site.RegularPages }}<a href="{{ .RelPermalink }}">{{ .Title }}</a> {{ end }}</nav>
<main>{{ .TableOfContents }}{{ .Content }}</main></body></html>
"""


class Sheet(NamedTuple):
    """A page of a peer: where it lies, its title and its Markdown; ``texts`` is how many entries it shows."""

    path: str
    title: str
    markdown: str
    texts: int


class Outcome(NamedTuple):
    """A build: what it took, and the pages it made."""

    process: Process
    pages: int


def tables(work: Path, rounds: int, sizes: Sequence[int]) -> list[Table]:
    """Measure on the bundled corpus and on libraries of these sizes, in texts."""
    return [_measure(work / str(size), rounds if size == 0 else 1, size) for size in (0, *sizes)]


def _measure(folder: Path, rounds: int, size: int) -> Table:
    folder.mkdir()
    write_library(corpus_root(), folder / "corpus", size)
    corpus = load(folder / "corpus").corpus
    sheets = list(sheets_of(corpus))
    texts = sum(sheet.texts for sheet in sheets)
    runs = builds(folder, sheets)
    results = in_turn({name: partial(_built, folder, name, command) for name, command in runs.items()}, rounds)
    rows = [_row(name, found, results[OURS], texts) for name, found in results.items()]
    count = sum(len(entry.texts) for entry in corpus.entries.values())
    columns = ["", "seconds", "processor s", "pages", "pages / s", "texts / s", "ours / it", "by processor"]
    return Table(f"Website of {count} texts in three languages", NOTE, columns, rows)


def _row(name: str, found: Sequence[Outcome], ours: Sequence[Outcome], texts: int) -> list[str]:
    walls = [outcome.process.wall for outcome in found]
    median, pages = spread(walls).median, found[0].pages
    compared = within(ratio(walls, [outcome.process.wall for outcome in ours]), digits=3) if name != OURS else ""
    cpus = [outcome.process.cpu for outcome in found]
    spent = within(ratio(cpus, [outcome.process.cpu for outcome in ours]), digits=3) if name != OURS else ""
    figures = [f"{spread(cpus).median:.1f}", str(pages), f"{pages / median:.0f}", f"{texts / median:.0f}"]
    return [name, within(spread(walls), digits=2), *figures, compared, spent]


# --- the same pages for all -------------------------------------------------------------------------------------------


def sheets_of(corpus: Corpus) -> Iterator[Sheet]:
    """A page for every rules and FAQ page of the website."""
    for lang in interface_languages():
        for game in corpus.games.values():
            for name, is_faq in (("rules", False), ("faq", True)):
                entries = [e for e in corpus.entries.values() if e.game == game.id and (e.kind == "faq") == is_faq]
                if entries:
                    body = "\n\n".join(_section(corpus, entry, lang) for entry in entries)
                    yield Sheet(f"{lang}/{game.id}/{name}", f"{game.title['en']} {name}", body, len(entries))


def _section(corpus: Corpus, entry: Entry, lang: str) -> str:
    text: Text = entry.texts.get(lang) or entry.texts.get("en") or next(iter(entry.texts.values()))
    depth = 2
    above = entry
    while above.parent and entry.kind != "faq":
        above = corpus.entries[f"{entry.game}/{above.parent}"]
        depth += 1
    return f"{'#' * min(depth, 6)} {text.title} {{#{entry.id}}}\n\n{_plain_links(text.markdown)}"


def _plain_links(markdown: str) -> str:
    """Links that a peer cannot resolve, to sources and other pages, lead to the top of the page."""
    return re.sub(r"\]\((?:source:|[a-z0-9-]*#)[^)]*\)", "](#top)", markdown)


# --- the programs -----------------------------------------------------------------------------------------------------


def builds(folder: Path, sheets: Sequence[Sheet]) -> Mapping[str, Callable[[Path], list[str]]]:
    """How each makes its site into a folder: its command, once its sources are written."""
    _write(folder / "mkdocs" / "docs", sheets, "# {title}\n\n{markdown}\n")
    _write(folder / "hugo" / "content", sheets, '+++\ntitle = "{title}"\n+++\n\n{markdown}\n')
    (folder / "mkdocs" / "docs" / "index.md").write_text("# Rules\n", encoding="utf-8")
    (folder / "hugo" / "hugo.toml").write_text(HUGO, encoding="utf-8")
    layouts = folder / "hugo" / "layouts" / "_default"
    layouts.mkdir(parents=True)
    for name in ("single", "list"):
        (layouts / f"{name}.html").write_text(LAYOUT, encoding="utf-8")
    return {
        OURS: lambda target: [sys.executable, str(PROGRAMS / "build_site.py"), str(folder / "corpus"), str(target)],
        f"MkDocs with Material {version('mkdocs-material')}": partial(_mkdocs, folder / "mkdocs"),
        f"Hugo {version('hugo')}": lambda target: [
            *(peer("hugo"), "--source", str(folder / "hugo"), "--destination", str(target), "--quiet")
        ],
    }


def _mkdocs(folder: Path, target: Path) -> list[str]:
    settings = folder / "mkdocs.yml"
    settings.write_text(MKDOCS.format(source=folder / "docs", target=target), encoding="utf-8")
    return [peer("mkdocs"), "build", "--quiet", "--config-file", str(settings)]


def _write(folder: Path, sheets: Sequence[Sheet], form: str) -> None:
    for sheet in sheets:
        path = folder / f"{sheet.path}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(form.format(title=sheet.title, markdown=sheet.markdown), encoding="utf-8")


def _built(folder: Path, name: str, command: Callable[[Path], list[str]]) -> Outcome:
    target = folder / f"site of {name}"
    shutil.rmtree(target, ignore_errors=True)
    process = run_process(command(target))
    return Outcome(process, sum(1 for _ in target.rglob("*.html")))
