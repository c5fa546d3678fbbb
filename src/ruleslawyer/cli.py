"""The command ``rules``: its commands, each imported when it is asked for, and what it says when something is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

import click

from ruleslawyer import __version__
from ruleslawyer.errors import CorpusInvalid, DataProblem, RulesError
from ruleslawyer.shell import CONTEXT, locale_language, nowhere, rules_index, tell

COMMANDS = {
    "search": "lookups",
    "faq": "lookups",
    "show": "lookups",
    "list": "lookups",
    "check": "upkeep",
    "index": "upkeep",
    "info": "upkeep",
    "site": "upkeep",
    "completion": "upkeep",
    "packs": "packcommands",
    "new": "packcommands",
    "edit": "packcommands",
    "import": "importcommand",
    "serve": "servecommand",
}
"""The commands, each with the module that has it as ``NAME_command``."""


class Commands(click.Group):
    """The group of all commands. A first argument that names none is a question: ``rules tie breaker``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name; only its module is imported."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"ruleslawyer.{COMMANDS[cmd_name]}"), f"{cmd_name}_command")
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``search`` before a question; ``help`` alone asks for the help."""
        if args == ["help"]:
            args = ["--help"]
        if args and args[0] not in COMMANDS and args[0] not in ("-h", "--help", "--version"):
            args = ["search", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Commands, context_settings=CONTEXT, invoke_without_command=True)
@click.version_option(__version__, prog_name="rules")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """The rules reference for the middle of a game: type the doubt, read the ruling, see who says so.

    \b
    rules tie breaker
    rules "me falta un prerequisito"
    rules 两人局几个成就结束

    What is not a command is a question. "Quoted words" must stand in a row; -word leaves a word out; game:, lang:, kind:
    and id: narrow the search. `rules` alone on a terminal opens the finder: type, and see the rulings as you do.
    """
    if ctx.invoked_subcommand is not None:
        return
    if not _on_a_terminal():
        click.echo(ctx.get_help())
        return
    from ruleslawyer.finderscreen import run_finder  # a look-up needs no screen

    lang = locale_language()
    run_finder(rules_index(lang), lang)


def _on_a_terminal() -> bool:
    """Whether somebody sits at a terminal that can be drawn on."""
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


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
    sys.stdout = sys.stdout or nowhere()
    sys.stderr = sys.stderr or nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _told(error: RulesError) -> int:
    if isinstance(error, CorpusInvalid):
        for problem in error.problems[:20]:
            tell(str(problem))
    for line in filter(None, (error.message, error.hint)):
        tell(f"rules: {line}")
    return error.exit_status
