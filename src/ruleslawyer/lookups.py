"""The commands that look something up: ``search``, ``faq``, ``show``, ``list``.

They open the index, ask, and hand the answer on to ``present``. A look-up imports click and the Whoosh core, nothing else.
"""

from __future__ import annotations

import sys
from itertools import chain
from typing import Any

import click

from ruleslawyer import present
from ruleslawyer.errors import UsageProblem
from ruleslawyer.plan import explain as explain_plan
from ruleslawyer.search import Found, search
from ruleslawyer.shell import (
    CONTEXT,
    KINDS,
    Command,
    complete_id,
    did_you_mean,
    entry_of,
    game_of,
    game_option,
    json_option,
    lang_option,
    language_of,
    locale_language,
    page_for,
    print_json,
    print_lines,
    reader_of,
    rules_index,
    tell,
)
from ruleslawyer.terminal import without_escapes
from ruleslawyer.words import words_in

FOUND, NOTHING_FOUND = 0, 1
QUERY_CONTEXT = {**CONTEXT, "help_option_names": ["--help"], "ignore_unknown_options": True}
"""``-word`` leaves a word out, so what looks like a short option belongs to the question."""


def query_options(command: Command) -> Command:
    """The options of every search."""
    for option in (
        click.argument("query", nargs=-1, type=click.UNPROCESSED),
        click.option("--explain", is_flag=True, help="Also show how the question was read, and why these hits."),
        click.option("--exact", is_flag=True, help="Correct no spelling."),
        click.option("--limit", type=click.IntRange(1, 1000), default=8, show_default=True, help="Hits at most."),
    ):
        command = option(command)
    return json_option(lang_option(game_option(command)))


@click.command("search", context_settings=QUERY_CONTEXT)
@query_options
@click.option("--kind", type=click.Choice(KINDS), default=None, help="Only entries of this kind.")
def search_command(query: tuple[str, ...], kind: str | None, **options: Any) -> None:
    """Find the ruling for a doubt. `rules QUERY` is short for `rules search QUERY`."""
    _search(query, kind=kind or "", **options)


@click.command("faq", context_settings=QUERY_CONTEXT)
@query_options
def faq_command(query: tuple[str, ...], **options: Any) -> None:
    """Search the questions and answers only."""
    _search(query, kind="faq", **options)


def _search(
    query: tuple[str, ...], *, kind: str, game: str, lang: str, limit: int, exact: bool, as_json: bool, explain: bool
) -> None:
    text = _question(query)
    index = rules_index(lang)
    wanted = language_of(lang, index) if lang else ""
    only = game_of(game, index) if game else ""
    locale = locale_language()
    found = search(index, text, game=only, kind=kind, lang=wanted, limit=limit, exact=exact, fallback=locale)
    reader = found.plan.filters.get("lang") or found.plan.lang
    words = words_in(reader)
    if as_json:
        print_json(present.found_json(found, index, words, reader, explain))
    else:
        page = page_for(words)
        for line in chain.from_iterable(page.line(note) for note in present.notes(found, words, index)):
            tell(line)
        lines = list(present.found_lines(found, index, page, reader))
        print_lines(lines + (_explanation(found) if explain else []))
    sys.exit(FOUND if found.confident else NOTHING_FOUND)


def _question(query: tuple[str, ...]) -> str:
    for word in query:
        if word.startswith("--") and len(word) > 2:
            known = ["--game", "--lang", "--kind", "--limit", "--json", "--exact", "--explain", "--help"]
            raise UsageProblem(f"there is no option {word.split('=')[0]}", did_you_mean(word.split("=")[0], known))
    text = _as_typed(" ".join(query))
    if not any(char.isalnum() for char in text):
        raise UsageProblem("there is no word to search for", "type the doubt, e.g.: rules tie breaker")
    return text


def _as_typed(text: str) -> str:
    """UTF-8 that was typed where the locale is plain ASCII, which Python hands on byte by byte."""
    if not any("\udc80" <= char <= "\udcff" for char in text):
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def _explanation(found: Found) -> list[str]:
    rows = explain_plan(found.plan)
    lines = ["", f"lang={found.plan.lang} question={found.plan.question} filters={dict(found.plan.filters)}"]
    for row in rows:
        lines.append(f"{row['text']} (weight {row['weight']}{'' if row['known'] else ', not in the rules as typed'})")
        for a in row["alternatives"]:
            lines.append(f"    {a['lang']} {a['how']} x{a['weight']}: {', '.join(a['terms'])}")
    for hit in found.hits or found.nearest:
        lines.append(f"{hit.score:8.3f} {hit.coverage:4.0%} {hit.record.name}: {', '.join(hit.matched)}")
    return [without_escapes(line) for line in lines]


@click.command("show", context_settings=CONTEXT)
@click.argument("ids", nargs=-1, required=True, metavar="ID", shell_complete=lambda c, p, i: complete_id(i))
@click.option("--asks", is_flag=True, help="Also how players put the doubt.")
@json_option
@lang_option
@game_option
def show_command(ids: tuple[str, ...], asks: bool, as_json: bool, lang: str, game: str) -> None:
    """Show an entry whole: text, sources, disputes, relatives, other languages. ID is game/id, or id alone."""
    index = rules_index(lang)
    reader = reader_of(lang, index)
    records = [entry_of(ident, index, game_of(game, index) if game else "") for ident in ids]
    if as_json:
        data = [{"schema": present.SCHEMA, **present.show_json(record, index, reader)} for record in records]
        print_json(data[0] if len(data) == 1 else data)
        return
    page = page_for(words_in(reader))
    lines: list[str] = []
    for record in records:
        lines += [*([""] if lines else []), *present.show_lines(record, index, page, reader, asks)]
    print_lines(lines)


@click.command("list", context_settings=CONTEXT)
@click.argument("what", type=click.Choice(["games", "entries", "terms", "disputes", "sources"]))
@click.option("--kind", type=click.Choice(KINDS), default=None, help="Only entries of this kind.")
@json_option
@lang_option
@game_option
def list_command(what: str, kind: str | None, as_json: bool, lang: str, game: str) -> None:
    """List games, entries, glossary terms, disputes or sources."""
    if kind and what != "entries":
        raise UsageProblem(f"--kind tells entries apart, not {what}", f"try: rules list entries --kind {kind}")
    from ruleslawyer import listings  # a look-up need not pay for it

    index = rules_index(lang)
    reader = reader_of(lang, index)
    rows = listings.rows_of(what, index, reader, game_of(game, index) if game else "", kind or "")
    if as_json:
        print_json({"schema": present.SCHEMA, what: rows})
    else:
        print_lines(list(listings.row_lines(what, rows, page_for(words_in(reader)))))
