"""The command ``import``: rulebooks of one's own into private packs, and what it tells of each."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ruleslawyer import places, present
from ruleslawyer.errors import RulesError
from ruleslawyer.importing import Imported, Order, import_file
from ruleslawyer.manuscript import Unread
from ruleslawyer.present import Page
from ruleslawyer.shell import (
    CONTEXT,
    json_option,
    language_code,
    page_for,
    print_json,
    print_lines,
    progress_bar,
    reader_words,
    tell,
)
from ruleslawyer.words import Words

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""

MOST_TITLES = 8
"""Titles of changed entries that are listed of each kind."""

MOST_PAGES = 12
"""Pages that are listed of each thing that could not be read."""


@click.command("import", context_settings=CONTEXT)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--game", metavar="ID", default="", help="The pack to import into; made from the title otherwise.")
@click.option(
    "--lang", metavar="LANG", default="", help="The language of the text: en, es or zh; recognised otherwise."
)
@click.option("--title", default="", help="The game's title; the file's own otherwise.")
@click.option("--encoding", default="", help="The encoding of a text file, e.g. gb18030; recognised otherwise.")
@click.option("--force", is_flag=True, help="Replace what was imported from the file before; the earlier text is kept.")
@json_option
def import_command(
    files: Sequence[Path], game: str, lang: str, title: str, encoding: str, force: bool, as_json: bool
) -> None:
    """Import rulebooks of yours: PDF, Word, HTML, Markdown or plain text.

    They become a private pack, which is searched beside the bundled rules and never leaves this machine by itself.
    """
    order = Order(game, language_code(lang), title, encoding, force)
    words = reader_words()
    done: list[Imported] = []
    failed: list[RulesError] = []
    for file in files:
        try:
            done.append(import_file(file, places.packs_folder(), places.corpus_root(), order, progress_bar()))
        except RulesError as error:
            failed.append(error)
        except KeyboardInterrupt:
            tell(words("import.interrupted"))
            sys.exit(INTERRUPTED)
        else:
            if not as_json:
                print_lines(list(imported_lines(done[-1], file.name, page_for(words))))
    if as_json:
        print_json({"schema": present.SCHEMA, "imported": [imported_json(one, words) for one in done]})
    for fault in failed[:-1]:
        tell(f"{fault.message} ({fault.hint})" if fault.hint else fault.message)
    if failed:
        raise failed[-1]


def imported_lines(done: Imported, file: str, page: Page) -> Iterator[str]:
    """What is told of an import: what it made, what changed, what could not be read, what is wrong."""
    words = page.words
    yield from page.line(
        words(f"import.{done.state}", file=file, title=done.title, game=done.game, rules=done.rules, faq=done.faq)
    )
    if done.state == "changed":
        yield from _change_lines(done, page)
    if done.earlier:
        yield from page.dim(words("import.earlier", path=done.earlier), 2)
    for line in unread_lines(done.unread, words):
        yield from page.line(line, 2, 4)
    for problem in done.problems:
        yield from page.line(f"! {problem}", 2, 4)


def _change_lines(done: Imported, page: Page) -> Iterator[str]:
    differ = done.changes
    renamed = [page.words("import.renamed", old=old, new=new) for old, new in differ.renamed]
    for sign, titles in (("+", differ.added), ("-", differ.removed), ("~", differ.changed), ("~", renamed)):
        for title in titles[:MOST_TITLES]:
            yield from page.line(f"{sign} {title}", 2, 4)
        if len(titles) > MOST_TITLES:
            yield from page.line(f"{sign} … (+{len(titles) - MOST_TITLES})", 2, 4)


def unread_lines(unread: Sequence[Unread], words: Words) -> Iterator[str]:
    """What could not be read, a line each, the same on several pages in one.

    >>> from ruleslawyer.words import words_in
    >>> list(unread_lines([Unread(2, "image_page", {}), Unread(5, "image_page", {})], words_in("en")))
    ['Page 2, 5: a picture without text; run text recognition (OCR) on the file to read it']
    """
    pages: dict[str, list[int]] = defaultdict(list)
    for one in unread:
        text = words(f"import.unread.{one.key.removeprefix('import.unread.')}", **one.values)
        pages[text].append(one.page)
    for text, found in pages.items():
        named = ", ".join(str(page) for page in found[:MOST_PAGES] if page) + (" …" if len(found) > MOST_PAGES else "")
        yield words("import.on_page", page=named, text=text) if named.strip(" …") else text


def imported_json(done: Imported, words: Words) -> dict[str, object]:
    """An import as data for programs."""
    return {
        "state": done.state,
        "game": done.game,
        "title": done.title,
        "lang": done.lang,
        "source": done.source,
        "path": str(done.sheet),
        "rules": done.rules,
        "faq": done.faq,
        "added": list(done.changes.added),
        "removed": list(done.changes.removed),
        "changed": list(done.changes.changed),
        "renamed": [list(pair) for pair in done.changes.renamed],
        "unread": list(unread_lines(done.unread, words)),
        "problems": [str(problem) for problem in done.problems],
    }
