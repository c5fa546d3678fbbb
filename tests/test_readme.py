"""The README is true: its transcripts are run, and every command, option and file it names exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from commands import environment, no_traceback, script
from ruleslawyer.cli import COMMANDS, cli
from ruleslawyer.index import Index

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
LEFT_OUT = "..."


class Step(NamedTuple):
    """A command of a transcript and the output that stands under it, if any."""

    command: str
    output: list[str]


def blocks(language: str) -> list[str]:
    """The fenced code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def steps() -> list[Step]:
    """Every ``$ rules ...`` line of the transcripts, with what follows it up to the next."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *output = part.rstrip("\n").split("\n")
            found.append(Step(command, output))
    return found


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines of a transcript are those that were printed; ``...`` alone stands for any lines.

    >>> agrees(["a", "...", "d"], ["a", "b", "c", "d"]), agrees(["a", "d"], ["a", "b", "d"])
    (True, False)
    """
    lines = (r"(?:.*\n)*?" if line.strip() == LEFT_OUT else re.escape(line.rstrip()) + "\n" for line in shown)
    return bool(re.fullmatch("".join(lines), "".join(f"{line.rstrip()}\n" for line in printed)))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, bundled: Index) -> dict[str, str]:
    """An environment with ``rules`` on the path, its index built, in which output looks as in the README."""
    folder = tmp_path_factory.mktemp("bin")
    script(folder, "rules", [f'exec {sys.executable} -m ruleslawyer "$@"'])
    return environment(PATH=f"{folder}:{environment()['PATH']}", COLUMNS="88")


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.command)
def test_the_transcript(installed: dict[str, str], step: Step, tmp_path: Path) -> None:
    assert step.command.startswith("rules ")
    done = subprocess.run(
        ["bash", "-c", step.command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=installed,
        cwd=tmp_path,
        timeout=60,
    )
    no_traceback(done.stdout)
    assert done.returncode == 0
    if any(line.strip() for line in step.output):
        assert agrees(step.output, done.stdout.rstrip("\n").split("\n")), done.stdout


def test_there_is_a_transcript_in_three_languages() -> None:
    questions = [step.command.removeprefix("rules ") for step in steps()]
    assert any(re.search("[一-鿿]", question) for question in questions)
    assert any("tie breaker" in question for question in questions)
    assert any("prerequisito" in question for question in questions)


def named_commands() -> set[str]:
    """The first word after ``rules`` in inline code, where it is no question: ``rules show ID`` -> ``show``."""
    prose = re.sub(r"^```.*?^```$", "", README, flags=re.DOTALL | re.MULTILINE)
    return {word for word in re.findall(r"`rules ([^\s`]+)", prose) if re.fullmatch("[a-z-]+", word)}


def _command(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command
    return command


def test_every_command_that_is_named_exists_and_the_other_way_round() -> None:
    known = set(COMMANDS)
    assert named_commands() - known == set()
    assert known - named_commands() - {"search"} == set(), "say what they are for"


def test_every_option_that_is_named_exists() -> None:
    prose = re.sub(r"^```sh$.*?^```$", "", README, flags=re.DOTALL | re.MULTILINE)
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", prose))
    commands = [cli, *map(_command, COMMANDS)]
    known = {option for command in commands for param in command.params for option in param.opts} | {"--help"}
    assert named - known == set()
    search = {option for param in _command("search").params for option in param.opts if option.startswith("--")}
    assert search - named == set(), "say what they are for"


def test_the_exit_statuses_are_those_of_the_command() -> None:
    assert "Exit status: 0 found or fine, 1 nothing found, 2 wrong use, 3 a problem in data or environment." in README


def test_every_file_that_is_linked_exists() -> None:
    links = re.findall(r"\]\(([^)#\s]+)", README)
    assert len(links) >= 3
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


@pytest.mark.parametrize("mark", ["look-up", "tests"])
def test_the_two_commands_that_do_everything(mark: str) -> None:
    """Each is one line in a shell block right under its mark, where the gate finds it."""
    found = re.findall(rf"^<!-- {mark} -->\n```sh\n(.*)\n```$", README, re.MULTILINE)
    assert len(found) == 1


def test_short_enough_to_be_read() -> None:
    assert README.count("\n") <= 130
    assert max(map(len, README.splitlines())) <= 160
