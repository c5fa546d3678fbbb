"""The command ``rules``. Each command is a few lines: it opens the index, asks, and hands the answer to ``present``.

A look-up imports click and the Whoosh core, nothing else; what reads Markdown or builds an index is imported where used.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

import click

from ruleslawyer import __version__, present
from ruleslawyer.errors import CorpusInvalid, DataProblem, RulesError, UsageProblem
from ruleslawyer.index import Index, cache_folder, home_of, open_index
from ruleslawyer.languages import reader_language
from ruleslawyer.places import corpus_root
from ruleslawyer.plan import explain as explain_plan
from ruleslawyer.present import Page
from ruleslawyer.records import Record
from ruleslawyer.search import Found, search
from ruleslawyer.terminal import UNSAFE, without_escapes
from ruleslawyer.words import Note, Words, interface_languages, words_in

FOUND, NOTHING_FOUND = 0, 1
KINDS = ("rule", "faq", "info")
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
QUERY_CONTEXT = {**CONTEXT, "help_option_names": ["--help"], "ignore_unknown_options": True}
"""``-word`` leaves a word out, so what looks like a short option belongs to the question."""


class SearchByDefault(click.Group):
    """A group whose first argument, where it names no command, is a question: ``rules tie breaker``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``search`` before a question."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help", "--version"):
            args = ["search", *args]
        return super().parse_args(ctx, args)


@click.group(cls=SearchByDefault, context_settings=CONTEXT, invoke_without_command=True)
@click.version_option(__version__, prog_name="rules")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """The rules reference for the middle of a game: type the doubt, read the ruling, see who says so.

    \b
    rules tie breaker
    rules "me falta un prerequisito"
    rules 两人局几个成就结束

    What is not a command is a question. "Quoted words" must stand in a row; -word leaves a word out; game:, lang:, kind:
    and id: narrow the search.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status; what a person can act on is told in a line, never as a traceback."""
    _settle_streams()
    try:
        cli.main(args, prog_name="rules")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    except RulesError as error:
        return _told(error)
    except OSError as error:
        return _told(DataProblem(f"{error.strerror or error}: {error.filename or 'output'}", ""))
    return 0


def _settle_streams() -> None:
    """Output that a terminal's encoding lacks is replaced; output to a closed stream goes nowhere."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _told(error: RulesError) -> int:
    if isinstance(error, CorpusInvalid):
        for problem in error.problems[:20]:
            _tell(str(problem))
    for line in filter(None, (error.message, error.hint)):
        _tell(f"rules: {line}")
    return error.exit_status


def _tell(line: str) -> None:
    """A line on stderr, its control characters shown and not obeyed."""
    with suppress(OSError):
        click.echo(without_escapes(line), err=True)


# --- shared options -------------------------------------------------------------------------------------------------

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


# --- searching ------------------------------------------------------------------------------------------------------


@cli.command("search", context_settings=QUERY_CONTEXT)
@query_options
@click.option("--kind", type=click.Choice(KINDS), default=None, help="Only entries of this kind.")
def search_command(query: tuple[str, ...], kind: str | None, **options: Any) -> None:
    """Find the ruling for a doubt. `rules QUERY` is short for `rules search QUERY`."""
    _search(query, kind=kind or "", **options)


@cli.command("faq", context_settings=QUERY_CONTEXT)
@query_options
def faq_command(query: tuple[str, ...], **options: Any) -> None:
    """Search the questions and answers only."""
    _search(query, kind="faq", **options)


def _search(
    query: tuple[str, ...], *, kind: str, game: str, lang: str, limit: int, exact: bool, as_json: bool, explain: bool
) -> None:
    text = _question(query)
    index = _index(lang)
    wanted = _language(lang, index) if lang else ""
    only = _game(game, index) if game else ""
    locale = reader_language(interface_languages())
    found = search(index, text, game=only, kind=kind, lang=wanted, limit=limit, exact=exact, fallback=locale)
    reader = found.plan.filters.get("lang") or found.plan.lang
    words = words_in(reader)
    if as_json:
        _print_json(present.found_json(found, index, words, reader, explain))
    else:
        page = _page(words)
        for line in chain.from_iterable(page.line(note) for note in present.notes(found, words, index)):
            _tell(line)
        lines = list(present.found_lines(found, index, page, reader))
        _print_lines(lines + (_explanation(found) if explain else []))
    sys.exit(FOUND if found.confident else NOTHING_FOUND)


def _question(query: tuple[str, ...]) -> str:
    for word in query:
        if word.startswith("--") and len(word) > 2:
            known = ["--game", "--lang", "--kind", "--limit", "--json", "--exact", "--explain", "--help"]
            raise UsageProblem(f"there is no option {word.split('=')[0]}", _did_you_mean(word.split("=")[0], known))
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


# --- showing --------------------------------------------------------------------------------------------------------


@cli.command("show", context_settings=CONTEXT)
@click.argument("ids", nargs=-1, required=True, metavar="ID", shell_complete=lambda c, p, i: _complete_id(i))
@click.option("--asks", is_flag=True, help="Also how players put the doubt.")
@json_option
@lang_option
@game_option
def show_command(ids: tuple[str, ...], asks: bool, as_json: bool, lang: str, game: str) -> None:
    """Show an entry whole: text, sources, disputes, relatives, other languages. ID is game/id, or id alone."""
    index = _index(lang)
    reader = _language(lang, index) if lang else reader_language(interface_languages())
    records = [_entry(ident, index, _game(game, index) if game else "") for ident in ids]
    if as_json:
        data = [{"schema": present.SCHEMA, **present.show_json(record, index, reader)} for record in records]
        _print_json(data[0] if len(data) == 1 else data)
        return
    page = _page(words_in(reader))
    lines: list[str] = []
    for record in records:
        lines += [*([""] if lines else []), *present.show_lines(record, index, page, reader, asks)]
    _print_lines(lines)


@cli.command("list", context_settings=CONTEXT)
@click.argument("what", type=click.Choice(["games", "entries", "terms", "disputes", "sources"]))
@click.option("--kind", type=click.Choice(KINDS), default=None, help="Only entries of this kind.")
@json_option
@lang_option
@game_option
def list_command(what: str, kind: str | None, as_json: bool, lang: str, game: str) -> None:
    """List games, entries, glossary terms, disputes or sources."""
    if kind and what != "entries":
        raise UsageProblem(f"--kind tells entries apart, not {what}", f"try: rules list entries --kind {kind}")
    index = _index(lang)
    reader = _language(lang, index) if lang else reader_language(interface_languages())
    rows = present.rows_of(what, index, reader, _game(game, index) if game else "", kind or "")
    if as_json:
        _print_json({"schema": present.SCHEMA, what: rows})
    else:
        _print_lines(list(present.row_lines(what, rows, _page(words_in(reader)))))


# --- looking after the data -----------------------------------------------------------------------------------------


@cli.command("check", context_settings=CONTEXT)
@click.argument("path", required=False, type=click.Path(path_type=Path))
@json_option
def check_command(path: Path | None, as_json: bool) -> None:
    """Check a corpus folder (the bundled one by default) and list every problem."""
    from ruleslawyer.check import check

    root = path or corpus_root()
    if not root.is_dir():
        raise UsageProblem(f"there is no folder {root}", "give the folder that holds one folder per game")
    problems = check(root)
    if as_json:
        rows = [{"file": p.file, "line": p.line, "message": p.message, "hint": p.hint} for p in problems]
        _print_json({"schema": present.SCHEMA, "problems": rows})
    else:
        _print("".join(f"{without_escapes(str(problem))}\n" for problem in problems))
        _tell(f"{root}: {len(problems)} problem(s)") if problems else _print(f"{root}: no problem\n")
    sys.exit(3 if problems else 0)


@cli.command("index", context_settings=CONTEXT)
@click.option("--force", is_flag=True, help="Build it even if it is fresh.")
def index_command(force: bool) -> None:
    """Build the index now. It is otherwise built when first needed, and again when the rules have changed."""
    if force:
        from ruleslawyer.building import forget

        forget(corpus_root(), cache_folder())
    started = time.monotonic()
    index = _index("")
    place = index.folder or "memory"
    click.echo(f"{index.store.documents} entries, {time.monotonic() - started:.2f} s, {place}")


@cli.command("info", context_settings=CONTEXT)
@json_option
def info_command(as_json: bool) -> None:
    """Versions, dates, counts and paths: what to quote in a report."""
    index = _index("")
    data = present.info(index, corpus_root(), home_of(corpus_root(), cache_folder()))
    if as_json:
        _print_json({"schema": present.SCHEMA, **data})
    else:
        _print_lines([f"{key}: {value}" for key, value in present.flat(data)])


@cli.command("site", context_settings=CONTEXT)
@click.option(
    "-o",
    "target",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default="rules-site",
    show_default=True,
    help="The folder to make; a site that is there is replaced.",
)
@click.option("--base-url", metavar="URL", default="", help="The site's public address, for sitemap and previews.")
def site_command(target: Path, base_url: str) -> None:
    """Make the website: a folder that opens by double-click and that any web host can serve."""
    from ruleslawyer.browserindex import browser_files
    from ruleslawyer.building import build_in_memory
    from ruleslawyer.corpus import load
    from ruleslawyer.website import build_site

    loaded = load(corpus_root())
    if loaded.problems:
        raise CorpusInvalid(loaded.problems)
    shards = browser_files(loaded.corpus, build_in_memory(loaded.corpus, lambda done, total: None))
    click.echo(build_site(loaded.corpus, target, base_url=base_url, additions=shards, progress=_progress()))


@cli.command("completion", context_settings=CONTEXT)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script of a shell, e.g. for bash: eval "$(rules completion bash)"."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise UsageProblem(f"there is no completion for {shell}")
    click.echo(kind(cli, {}, "rules", "_RULES_COMPLETE").source())


# --- what the commands share ----------------------------------------------------------------------------------------


def _index(lang: str) -> Index:
    """The bundled corpus's index; what takes time or goes wrong is told on stderr in the reader's language."""
    words = words_in(lang or reader_language(interface_languages()))

    def notice(note: Note) -> None:
        _tell(words(f"notice.{note.key}", **note.values))

    return open_index(corpus_root(), notice=notice, progress=_progress())


def _progress() -> Callable[[int, int], None]:
    """A bar on stderr, from the moment that building has taken a second."""
    started = time.monotonic()
    bar: list[Any] = []

    def progress(done: int, total: int) -> None:
        if not sys.stderr.isatty() or (not bar and time.monotonic() - started < 1):
            return
        if not bar:
            bar.append(click.progressbar(length=total, file=sys.stderr))
        bar[0].update(done - bar[0].pos)
        if done == total:
            bar[0].render_finish()

    return progress


def _language(lang: str, index: Index) -> str:
    known = sorted(index.dictionary.vocabularies)
    code = lang.lower().split("-")[0].split("_")[0]
    if code in known:
        return code
    raise UsageProblem(f"there is no language {lang!r}", f"known: {', '.join(known)}")


def _game(game: str, index: Index) -> str:
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
    raise UsageProblem(f"there is no game {game!r}", _did_you_mean(game, names) or "known: " + ", ".join(names))


def _entry(ident: str, index: Index, game: str) -> Record:
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
        f"there is no entry {ident!r}", _did_you_mean(ident, known) or "see them with: rules list entries"
    )


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    """The nearest known names, also where only the part after the slash was typed."""
    import difflib  # only when something is wrong

    whole = list(known)
    tails = {name.split("/")[-1]: name for name in whole}
    near = [tails.get(n, n) for n in difflib.get_close_matches(word, [*whole, *tails], n=4, cutoff=0.5)]
    return f"did you mean: {', '.join(dict.fromkeys(near[:3]))}?" if near else ""


def _complete_id(incomplete: str) -> list[str]:
    """Full names and ids that begin so; none where there is no index, as a completion has no place to say why."""
    try:
        names = list(open_index(corpus_root()).records)
    except (RulesError, OSError):
        return []
    return [n for n in (*names, *(n.split("/")[1] for n in names)) if n.startswith(incomplete)]


def _page(words: Words) -> Page:
    """How this terminal takes output. Lines are broken for a terminal, or where COLUMNS asks for it."""
    terminal = sys.stdout.isatty()
    columns = os.environ.get("COLUMNS", "")
    cells = shutil.get_terminal_size().columns if terminal or columns.isdigit() else 0
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Page(words, cells, terminal and not plain)


def _print_lines(lines: Sequence[str]) -> None:
    text = "\n".join(lines) + "\n"
    if (
        sys.stdout.isatty()
        and sys.stdin is not None
        and sys.stdin.isatty()
        and len(lines) >= shutil.get_terminal_size().lines
    ):
        os.environ.setdefault("LESS", "-FRX")
        click.echo_via_pager(text, color=True)
    else:
        _print(text)


def _print_json(data: Mapping[str, Any] | Sequence[Any]) -> None:
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") not in ("utf8", "utf16", "utf32")
    text = json.dumps(data, ensure_ascii=ascii_only, indent=2)
    _print(UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def _print(text: str) -> None:
    """Write to stdout. A reader that has gone (``| head -1``) has what it wanted: no error, and the status stays true."""
    try:
        click.echo(text, sys.stdout, nl=False, color=True)  # named: click would take an ASCII terminal for UTF-8
    except BrokenPipeError:
        sys.stdout = _nowhere()
