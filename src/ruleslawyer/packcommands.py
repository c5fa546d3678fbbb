"""The commands for a person's own rulebooks: ``packs``, ``new``, ``edit``."""

from __future__ import annotations

import datetime
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click

from ruleslawyer import places, present
from ruleslawyer.errors import UsageProblem
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.library import Pack, new_pack, pack_named, packs_in, remove_pack, tidy_title
from ruleslawyer.shell import (
    CONTEXT,
    complete_id,
    entry_of,
    json_option,
    lang_option,
    language_code,
    locale_language,
    page_for,
    print_json,
    print_lines,
    reader_of,
    reader_words,
    rules_index,
    tell,
)
from ruleslawyer.terminal import without_escapes
from ruleslawyer.words import Words, interface_languages, words_in

EDITORS = ("sensible-editor", "nano", "vim", "vi", "notepad")
"""What is tried where neither VISUAL nor EDITOR says which editor."""

AT_COLON = frozenset({"code", "codium", "subl", "zed", "hx"})
"""Editors that take a line as ``FILE:LINE``; the others take ``+LINE FILE``."""


@click.group("packs", context_settings=CONTEXT, invoke_without_command=True)
@json_option
@click.pass_context
def packs_command(ctx: click.Context, as_json: bool) -> None:
    """List your own packs: imported rulebooks and those begun with `rules new`."""
    if ctx.invoked_subcommand:
        return
    folder = places.packs_folder()
    packs = packs_in(folder, places.corpus_root())
    words = reader_words()
    if as_json:
        print_json({"schema": present.SCHEMA, "packs": [_row(pack, words) for pack in packs]})
        return
    page = page_for(words)
    lines = [line for pack in packs for line in page.line(_described(pack, words), 0, 4)]
    print_lines([*(lines or page.line(words("packs.none"))), *page.dim(str(folder))])


def _row(pack: Pack, words: Words) -> dict[str, object]:
    return {
        "id": pack.id,
        "title": present.localised(pack.title, words.lang) or pack.id,
        "path": str(pack.folder),
        "entries": pack.entries,
        "problems": [str(problem) for problem in pack.problems],
    }


def _described(pack: Pack, words: Words) -> str:
    state = words("packs.faulty", count=len(pack.problems)) if pack.problems else ""
    state = state or words("packs.entries", count=pack.entries)
    return f"{present.localised(pack.title, words.lang) or pack.id}  [{pack.id}]  {state}"


@packs_command.command("remove", context_settings=CONTEXT)
@click.argument("game", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove_command(game: str, yes: bool) -> None:
    """Remove a pack with everything in it, after a question."""
    words = reader_words()
    folder = pack_named(places.packs_folder(), game)
    if not yes and not _agreed(without_escapes(words("packs.remove", path=folder))):
        tell(words("packs.kept"))
        sys.exit(1)
    remove_pack(places.packs_folder(), game)
    click.echo(without_escapes(words("packs.removed", pack=game)))


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageProblem("this asks before it removes, and there is nobody to ask", "add --yes")
    return click.confirm(question, default=False)


@click.command("new", context_settings=CONTEXT)
@click.argument("game", metavar="ID")
@click.option("--title", default="", help="The game's title; made from the id otherwise.")
@lang_option
def new_command(game: str, title: str, lang: str) -> None:
    """Start an empty pack for a game of yours, with an example in comments."""
    code = language_code(lang) or locale_language()
    if code not in interface_languages():
        raise UsageProblem(f"there is no language {lang!r}", f"known: {', '.join(LANGUAGES)}")
    words = words_in(code)
    named = tidy_title(title) or game.replace("-", " ").capitalize()
    today = datetime.date.today().isoformat()
    path = new_pack(places.packs_folder(), places.corpus_root(), game, named, words, today)
    click.echo(without_escapes(reader_words()("pack.begun", path=path)))


@click.command("edit", context_settings=CONTEXT)
@click.argument("ident", metavar="ID", shell_complete=lambda c, p, i: complete_id(i))
@click.option("--print", "only_print", is_flag=True, help="Only print FILE:LINE.")
@lang_option
def edit_command(ident: str, only_print: bool, lang: str) -> None:
    """Open the place where an entry is written, in $VISUAL or $EDITOR."""
    index = rules_index(lang)
    record = entry_of(ident, index, "")
    body = record.body(reader_of(lang, index))
    private = present.is_private(index, record.game)
    path = (places.packs_folder() if private else places.corpus_root()) / body.file
    line = index.lines[record.name][body.lang]
    if only_print:
        click.echo(without_escapes(f"{path}:{line}"))
        return
    if not private:
        tell(reader_words()("edit.bundled"))
    done = subprocess.run(_editor(path, line), check=False)
    sys.exit(done.returncode)


def _editor(path: Path, line: int) -> list[str]:
    """The command that opens a file at a line.

    Raises:
        UsageProblem: there is no editor.
    """
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR") or next(filter(shutil.which, EDITORS), "")
    try:
        words = shlex.split(chosen)
    except ValueError as error:
        raise UsageProblem(
            f"EDITOR cannot be understood: {error}", "set it to a program's name, e.g. EDITOR=nano"
        ) from error
    if not words or not shutil.which(words[0]):
        where = f"the place is {path}:{line}"
        raise UsageProblem(f"there is no editor {words[0] if words else ''}".rstrip(), f"set EDITOR=nano, say; {where}")
    if Path(words[0]).stem in AT_COLON:
        goto = ["--goto"] if Path(words[0]).stem in ("code", "codium") else []
        return [*words, *goto, f"{path}:{line}"]
    return [*words, f"+{line}", str(path)]
