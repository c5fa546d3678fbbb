"""What all commands share: options, telling on stderr, printing, and the names a person gives for games and entries."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import click

from ruleslawyer import places
from ruleslawyer.errors import RulesError, UsageProblem
from ruleslawyer.index import Index, open_index
from ruleslawyer.languages import reader_language
from ruleslawyer.present import Page
from ruleslawyer.records import Record
from ruleslawyer.terminal import unsafe, without_escapes
from ruleslawyer.words import Note, Words, interface_languages, words_in

KINDS = ("rule", "faq", "info")
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

Command = Callable[..., Any]


def game_option(command: Command) -> Command:
    """``--game``: an id, or a name or part of one that means a single game."""
    return click.option("--game", metavar="GAME", default="", help="Only this game: its id, name or a part of it.")(
        command
    )


def lang_option(command: Command) -> Command:
    """``--lang``: the reader's language."""
    return click.option("--lang", metavar="LANG", default="", help="Read in this language: en, es or zh.")(command)


def json_option(command: Command) -> Command:
    """``--json``: data for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, schema 1.")(command)


# --- output -----------------------------------------------------------------------------------------------------------


def nowhere() -> TextIO:
    """A stream that swallows what is written to it."""
    return Path(os.devnull).open("w", encoding="utf-8")


def tell(line: str) -> None:
    """A line on stderr, its control characters shown and not obeyed."""
    with suppress(OSError):
        click.echo(without_escapes(line), err=True)


def rules_index(lang: str) -> Index:
    """The index of the bundled rules and the private packs; what takes time or goes wrong is told on stderr."""
    words = words_in(lang or locale_language())

    def notice(note: Note) -> None:
        tell(words(f"notice.{note.key}", **note.values))

    index = open_index(places.corpus_root(), notice=notice, progress=progress_bar(), packs=places.packs_folder())
    for pack, count in index.skipped.items():
        tell_skipped(pack, count, words)
    return index


def locale_language() -> str:
    """The reader's language by the locale, among those that have interface words."""
    return reader_language(interface_languages())


def reader_words() -> Words:
    """The interface words in the reader's language."""
    return words_in(locale_language())


def tell_skipped(pack: str, problems: int, words: Words | None = None) -> None:
    """Tell that a private pack was left out, in the reader's language."""
    words = words or reader_words()
    tell(words("notice.pack_skipped", pack=pack, count=problems))


def progress_bar() -> Callable[[int, int], None]:
    """A bar on stderr, from the moment that building has taken a second."""
    started, context = time.monotonic(), click.get_current_context()
    bar: list[Any] = []
    finished: list[bool] = []

    def finish() -> None:
        if not finished:
            finished.append(True)
            bar[0].render_finish()

    def progress(done: int, total: int) -> None:
        if not sys.stderr.isatty() or (not bar and time.monotonic() - started < 1):
            return
        if not bar:
            bar.append(click.progressbar(length=total, file=sys.stderr))
            context.call_on_close(finish)  # also after Ctrl-C: a bar hides the cursor
        bar[0].update(done - bar[0].pos)
        if done == total:
            finish()

    return progress


def language_code(lang: str) -> str:
    """The code at the head of a language tag.

    >>> language_code("ES_mx"), language_code("zh-Hans"), language_code("")
    ('es', 'zh', '')
    """
    return lang.lower().split("-")[0].split("_")[0]


def reader_of(lang: str, index: Index) -> str:
    """The language to read in: the one that a person named, else that of the locale."""
    return language_of(lang, index) if lang else locale_language()


def language_of(lang: str, index: Index) -> str:
    """The code of a language that a person named: ``es`` for ``es_MX``."""
    known, code = sorted(index.dictionary.vocabularies), language_code(lang)
    if code in known:
        return code
    raise UsageProblem(f"there is no language {lang!r}", f"known: {', '.join(known)}")


def game_of(game: str, index: Index) -> str:
    """The one game that an id, name, alias or part of one means."""
    wanted = game.casefold()
    names = {
        g: {g, *(t.casefold() for t in (*data["title"].values(), *data["aliases"]))} for g, data in index.games.items()
    }
    found = [g for g, known in names.items() if wanted in known] or [
        g for g, known in names.items() if any(wanted in n for n in known)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageProblem(f"{game!r} could be several games", "choose one: " + ", ".join(found))
    raise UsageProblem(f"there is no game {game!r}", did_you_mean(game, names) or "known: " + ", ".join(names))


def entry_of(ident: str, index: Index, game: str) -> Record:
    """The entry with this full name, or with this id if only one game has it."""
    names = (
        [f"{game}/{ident}"]
        if game and "/" not in ident
        else [ident]
        if "/" in ident
        else [f"{g}/{ident}" for g in index.games]
    )
    found = [record for name in names if (record := index.find(name))]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageProblem(f"several games have an entry {ident!r}", "choose one: " + ", ".join(r.name for r in found))
    known = [name for name in index.records if not game or name.startswith(f"{game}/")]
    raise UsageProblem(
        f"there is no entry {ident!r}", did_you_mean(ident, known) or "see them with: rules list entries"
    )


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The nearest known names, also where only the part after the slash was typed."""
    import difflib  # only when something is wrong

    whole = list(known)
    tails = {name.split("/")[-1]: name for name in whole}
    near = [tails.get(n, n) for n in difflib.get_close_matches(word, [*whole, *tails], n=4, cutoff=0.5)]
    return f"did you mean: {', '.join(dict.fromkeys(near[:3]))}?" if near else ""


def complete_id(incomplete: str) -> list[str]:
    """Full names and ids that begin so; none where there is no index, as a completion has no place to say why."""
    try:
        names = list(open_index(places.corpus_root(), packs=places.packs_folder()).records)
    except (RulesError, OSError):
        return []
    return [n for n in (*names, *(n.split("/")[1] for n in names)) if n.startswith(incomplete)]


def page_for(words: Words) -> Page:
    """How this terminal takes output. Lines are broken for a terminal, or where COLUMNS asks for it."""
    terminal = sys.stdout.isatty()
    columns = os.environ.get("COLUMNS", "")
    cells = _terminal_size().columns if terminal or columns.isdigit() else 0
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Page(words, cells, terminal and not plain)


def _terminal_size() -> os.terminal_size:
    import shutil  # brings compression with it, which a look-up into a pipe need not pay for

    return shutil.get_terminal_size()


def print_lines(lines: Sequence[str]) -> None:
    """Print lines, through a pager where they are more than the terminal has."""
    text = "\n".join(lines) + "\n"
    if sys.stdout.isatty() and sys.stdin is not None and sys.stdin.isatty() and len(lines) >= _terminal_size().lines:
        os.environ.setdefault("LESS", "-FRX")
        try:
            click.echo_via_pager(text, color=True)
        except ValueError:  # PAGER is no command line: an open quote
            print_text(text)
    else:
        print_text(text)


def print_json(data: Mapping[str, Any] | Sequence[Any]) -> None:
    """Print data for programs; what an encoding or terminal cannot take is escaped."""
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") not in ("utf8", "utf16", "utf32")
    text = json.dumps(data, ensure_ascii=ascii_only, indent=2)
    print_text(unsafe().sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def print_text(text: str) -> None:
    """Write to stdout. A reader that has gone (``| head -1``) has what it wanted: no error, and the status stays true."""
    try:
        click.echo(text, sys.stdout, nl=False, color=True)  # named: click would take an ASCII terminal for UTF-8
    except BrokenPipeError:
        sys.stdout = nowhere()
