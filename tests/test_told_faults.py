"""What a person is told where something cannot be done, and with it what to do next; and that nothing else has changed."""

from __future__ import annotations

import errno
import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import platformdirs
import pytest
from platformdirs.macos import MacOS

import commands
from commands import Result, environment, no_traceback, on_terminal, rules
from corpora import write_corpus
from processes import in_a_child
from rulebooks import DAY, LATER, RULES, files_in
from ruleslawyer import hosting, importing, places, serving, store
from ruleslawyer.answering import Site, prepared
from ruleslawyer.corpus import load
from ruleslawyer.errors import DataProblem, RulesError, UsageProblem
from ruleslawyer.importing import Order, import_file
from ruleslawyer.index import open_index
from ruleslawyer.lan import LOOPBACK, LOOPBACK_HOSTS
from ruleslawyer.library import new_pack, refuse_id, remove_pack
from ruleslawyer.packlock import locked
from ruleslawyer.search import search
from ruleslawyer.serving import Server, listening
from ruleslawyer.words import words_in
from test_library import Shelf

NOT_MINE = "198.51.100.77"
"""An address that no machine has: it is kept for examples."""


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A small corpus with the private pack fog-islands."""
    return Shelf(tmp_path)


def bring(shelf: Shelf, text: str | bytes = RULES, name: str = "fog-harbour.txt", **said: Any) -> importing.Imported:
    """Import a text under a file name."""
    path = shelf.corpus.parent / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_file(path, shelf.packs, shelf.corpus, Order(**said), today=DAY)


def told(error: type[RulesError], act: Callable[[], object]) -> str:
    """What is told of a fault: its message and its hint, in a line."""
    with pytest.raises(error) as caught:
        act()
    assert caught.value.hint
    return f"{caught.value.message}: {caught.value.hint}"


# --- imports ----------------------------------------------------------------------------------------------------------


def test_a_file_that_cannot_be_opened_is_told_with_the_reason(shelf: Shelf) -> None:
    path = shelf.corpus.parent / f"{'x' * 300}.txt"
    said = told(DataProblem, lambda: import_file(path, shelf.packs, shelf.corpus, Order()))
    assert "File name too long" in said


def test_a_reader_that_is_not_installed_is_told_with_how_to_install_it(
    shelf: Shelf,
) -> None:
    (shelf.corpus.parent / "rules.pdf").write_bytes(b"%PDF-1.4\n")
    without = f"import sys\nsys.modules['pypdfium2'] = None\n{commands.ON_CORPUS}"
    done = subprocess.run(
        [sys.executable, "-c", without, str(shelf.corpus), "import", str(shelf.corpus.parent / "rules.pdf")],
        capture_output=True, text=True, env=environment(XDG_DATA_HOME=str(shelf.data)),
    )  # fmt: skip
    no_traceback(done.stderr)
    assert done.returncode == 3
    assert "pypdfium2 is needed" in done.stderr and "install it: pip install pypdfium2" in done.stderr


def test_an_import_into_a_link_is_refused_and_what_it_leads_to_stays(shelf: Shelf, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (shelf.packs / "fog").symlink_to(elsewhere)
    assert "choose another --game" in told(UsageProblem, lambda: bring(shelf, game="fog"))
    assert list(elsewhere.iterdir()) == []


def test_a_game_file_in_another_encoding_is_told_and_left_alone(shelf: Shelf) -> None:
    game = shelf.fog / "game.toml"
    game.write_bytes('title.en = "Niebla española"\n'.encode("latin-1"))
    before = game.read_bytes()
    assert "save it as UTF-8" in told(DataProblem, lambda: bring(shelf, game="fog-islands"))
    assert game.read_bytes() == before


def test_a_rulebook_too_large_for_a_pack_is_refused_before_anything_is_written(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MOST_BYTES", 200)
    before = files_in(shelf.packs)
    assert "divide it" in told(DataProblem, lambda: bring(shelf))
    assert files_in(shelf.packs) == before


def test_every_file_at_fault_is_told_and_the_others_are_imported(shelf: Shelf) -> None:
    (shelf.corpus.parent / "empty.txt").write_bytes(b"")
    (shelf.corpus.parent / "fog-harbour.txt").write_text(RULES, "utf-8")
    names = ("none.txt", "empty.txt", "fog-harbour.txt", "scan.png")
    (shelf.corpus.parent / "scan.png").write_bytes(b"\x89PNG\r\n")
    done = shelf.run("import", *(str(shelf.corpus.parent / name) for name in names))
    lines = done.err.splitlines()
    assert "none.txt (check the name" in lines[0] and "empty.txt is empty (save" in lines[1]
    assert "scan.png is a picture" in lines[2]
    assert done.out.startswith("fog-harbour.txt: a new pack")


def test_an_import_into_a_faulty_pack_tells_the_faults(shelf: Shelf) -> None:
    sheet = shelf.fog / "rules-book.en.md"
    sheet.write_text(
        sheet.read_text("utf-8").replace("#docks", "#dokcs").replace("(harbour", "(harbuor"),
        "utf-8",
    )
    (shelf.corpus.parent / "fog-harbour.txt").write_text(RULES, "utf-8")
    done = shelf.run("import", str(shelf.corpus.parent / "fog-harbour.txt"), "--game", "fog-islands")
    assert [line for line in done.out.splitlines() if line.startswith("  ! fog-islands/rules-book.en.md:")]


def test_of_many_changes_the_first_are_named_and_the_others_counted(
    shelf: Shelf,
) -> None:
    words = ("one", "two", "six", "ten", "red", "tan", "dry", "wet", "old", "new")
    more = "".join(f"\nRule {word}\n\nThe {word} boat moves twice.\n" for word in words)
    path = shelf.corpus.parent / "fog-harbour.txt"
    path.write_text(RULES, "utf-8")
    shelf.run("import", str(path))
    path.write_text(RULES + more, "utf-8")
    lines = shelf.run("import", "--force", str(path)).out.splitlines()
    added = [line for line in lines if line.startswith("  + ")]
    assert added[0] == "  + Rule one" and len(added) == 9
    assert added[-1] == "  + … (+2)"


def test_ctrl_c_ends_an_import_with_a_word_and_the_pack_stays(shelf: Shelf) -> None:
    path = shelf.corpus.parent / "fog-harbour.txt"
    path.write_text(RULES, "utf-8")
    shelf.run("import", str(path))
    before = files_in(shelf.packs)
    path.write_text(LATER, "utf-8")
    interrupted = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
def hook(event, args):
    if event == "open" and str(args[0]).endswith(".new"):
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
"""
    done = subprocess.run(
        [sys.executable, "-c", f"{interrupted}{commands.ON_CORPUS}", str(shelf.corpus), "import", "--force", str(path)],
        capture_output=True, text=True, env=environment(XDG_DATA_HOME=str(shelf.data)),
    )  # fmt: skip
    no_traceback(done.stderr)
    assert (done.returncode, done.stderr) == (
        130,
        f"{words_in('en')('import.interrupted')}\n",
    )
    after = {name: text for name, text in files_in(shelf.packs).items() if not Path(name).name.startswith(".")}
    assert {name: after.get(name) for name in before} == before


# --- private packs ----------------------------------------------------------------------------------------------------


def test_an_id_that_no_folder_could_have_is_refused(shelf: Shelf) -> None:
    assert "choose a shorter one" in told(UsageProblem, lambda: refuse_id("x" * 300, shelf.corpus))


def test_a_new_pack_that_cannot_be_written_is_told(shelf: Shelf) -> None:
    (shelf.packs / ".new-reef").write_text("in the way", "utf-8")
    said = told(
        DataProblem,
        lambda: new_pack(shelf.packs, shelf.corpus, "reef", "Reef", words_in("en"), "2026-11-30"),
    )
    assert f"cannot write to {shelf.packs}" in said
    assert not (shelf.packs / "reef").exists()


def test_of_a_link_among_the_packs_only_the_link_is_removed(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "notes.txt").write_text("mine", "utf-8")
    (shelf.packs / "reef").symlink_to(tmp_path / "precious")
    remove_pack(shelf.packs, "reef")
    assert not (shelf.packs / "reef").is_symlink()
    assert (tmp_path / "precious" / "notes.txt").read_text("utf-8") == "mine"


def test_a_folder_that_can_be_no_pack_is_told_by_its_name(shelf: Shelf) -> None:
    shelf.fog.rename(shelf.packs / "Fog Islands")
    loaded = load(shelf.corpus, shelf.packs)
    ((problem,),) = loaded.skipped.values()
    assert "malformed id 'Fog Islands'" in str(problem)
    assert {entry.game for entry in loaded.corpus.entries.values()} == {
        "harbour",
        "lanterns",
    }


@pytest.mark.parametrize(("answer", "kept"), [("n\n", True), ("\n", True), ("y\n", False)])
def test_removing_a_pack_on_a_terminal_asks_and_does_as_answered(shelf: Shelf, answer: str, kept: bool) -> None:
    mine, its = pty.openpty()
    os.write(mine, answer.encode())
    done = subprocess.run(
        [*commands.command(shelf.corpus), "packs", "remove", "fog-islands"],
        stdin=its, capture_output=True, text=True, env=environment(XDG_DATA_HOME=str(shelf.data)), timeout=60,
    )  # fmt: skip
    os.close(its)
    os.close(mine)
    no_traceback(done.stderr)
    assert str(shelf.fog) in done.stdout + done.stderr
    assert (shelf.fog.exists(), done.returncode) == (kept, int(kept))


@pytest.mark.parametrize("what", ["nothing", "pipe", "folder"])
def test_who_waits_for_the_lock_is_told_also_where_nobody_says_who_holds_it(tmp_path: Path, what: str) -> None:
    def wait() -> None:
        with locked(tmp_path, "another import", patience=0.05):
            pass

    def work() -> None:
        signal.alarm(60)  # who opens a pipe waits for ever
        with locked(tmp_path, "importing slow.pdf"):
            assert "at work on your packs: importing slow.pdf" in told(DataProblem, wait)
            holder = tmp_path / ".lock-holder"
            holder.unlink()
            if what == "pipe":
                os.mkfifo(holder)
            elif what == "folder":
                holder.mkdir()
            assert told(DataProblem, wait) == "another command is at work on your packs: try again when it is done"

    assert in_a_child(work) == 0


# --- the terminal -----------------------------------------------------------------------------------------------------


def with_a_slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a second passes between two looks at the clock of the commands that are started."""
    slow = "import itertools, time\ntime.monotonic = map(float, itertools.count()).__next__\n"
    monkeypatch.setattr(commands, "ON_CORPUS", slow + commands.ON_CORPUS)


def test_building_that_takes_its_time_shows_a_bar_on_a_terminal_and_none_in_a_pipe(
    shelf: Shelf, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_a_slow_clock(monkeypatch)
    piped = rules("docks", corpus=shelf.corpus)
    assert (piped.status, len(piped.err.splitlines())) == (0, 1), "that it is built, and no more"
    assert "100%" not in on_terminal("docks", corpus=shelf.corpus).out, "it is built"
    shutil.rmtree(cache)
    shown = on_terminal("docks", corpus=shelf.corpus).out
    assert -1 < shown.find("\x1b[?25l") < shown.find("100%") < shown.find("\x1b[?25h") < shown.find("Docks")
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h"), "the cursor is there again"


def test_a_pager_that_is_no_command_line_is_left_out(shelf: Shelf) -> None:
    shown = on_terminal("show", "docks", corpus=shelf.corpus, lines=3, env={"PAGER": "less '"})
    assert shown.status == 0
    assert "Each dock holds" in shown.out


def test_help_alone_is_the_help(shelf: Shelf) -> None:
    assert rules("help") == rules("--help") == Result(0, rules("-h").out)


# --- where things lie -------------------------------------------------------------------------------------------------


def test_on_another_system_folders_are_where_that_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    monkeypatch.setenv("HOME", "/another/home")
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name)
    assert places.cache_folder() == Path("/another/home/Library/Caches/ruleslawyer/index")
    assert places.packs_folder() == Path("/another/home/Library/Application Support/ruleslawyer/packs")


def test_an_installation_without_its_data_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "_PACKAGE", tmp_path / "lib" / "python" / "ruleslawyer")
    assert told(DataProblem, places.corpus_root).endswith("install ruleslawyer again")


# --- serving ----------------------------------------------------------------------------------------------------------


def listened(addresses: list[str], port: int | None) -> None:
    with listening(addresses, port):
        pass


def test_a_port_for_which_one_has_no_right_is_told() -> None:
    anybody = 42

    def work() -> None:
        if os.geteuid() == 0:
            os.seteuid(65534)
        try:
            listened([LOOPBACK], 81)
        except UsageProblem as problem:
            assert (
                f"{problem.message}: {problem.hint}"
                == "port 81 needs special rights: choose one above 1023 with --port"
            )
        else:
            os._exit(anybody)

    if (status := in_a_child(work)) == anybody:
        pytest.skip("here everybody may listen on any port")
    assert status == 0


def test_an_address_of_another_machine_is_told() -> None:
    with pytest.raises(DataProblem, match=rf"cannot listen on {NOT_MINE}, port \d+: .+"):
        listened([NOT_MINE], None)


def test_where_every_port_is_taken_one_can_be_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with listening([LOOPBACK], None) as taken:
        monkeypatch.setattr(serving, "FIRST_PORT", taken[0].getsockname()[1])
        monkeypatch.setattr(serving, "PORTS_TRIED", 1)
        assert "is free: choose one with --port" in told(DataProblem, lambda: listened([LOOPBACK], None))


def test_a_server_that_has_ended_by_itself_is_told() -> None:
    with listening([LOOPBACK], None) as listeners:
        with Server(listeners, Site(prepared({"index.html": b"x"})), LOOPBACK_HOSTS) as server:
            server.wait(0)
        assert "start it again" in told(DataProblem, lambda: server.wait(60))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            DataProblem("the folder 'site' is missing", "install again"),
            "rules: the folder 'site' is missing",
        ),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "rules.en.md"),
            "rules.en.md",
        ),
    ],
)
def test_rules_that_cannot_be_read_for_a_moment_leave_the_site_that_is_served(
    fault: Exception, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    server = SimpleNamespace(site="as it was")

    def make() -> Any:
        raise fault

    hosting.make_again(server, make, words_in("en"))  # type: ignore[arg-type]
    first, second = capsys.readouterr().err.splitlines()
    assert said in first and second == words_in("en")("serve.kept")
    assert server.site == "as it was"


# --- the index --------------------------------------------------------------------------------------------------------


def test_answers_are_the_same_however_little_of_the_postings_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write_corpus(tmp_path / "corpus")
    asked = ["docks", "routes cross", "move 1 ship", "docks", "lantern", "routes"]
    many = open_index(corpus, tmp_path / "cache")
    expected = [[(hit.record.name, hit.score) for hit in search(many, question).hits] for question in asked]
    monkeypatch.setattr(store, "KEPT_POSTINGS", 1)
    few = open_index(corpus, tmp_path / "cache")
    assert all(expected)
    assert [[(hit.record.name, hit.score) for hit in search(few, question).hits] for question in asked] == expected


def test_the_reader_of_a_pipe_may_leave_before_anything_was_said(shelf: Shelf) -> None:
    rules("show", "docks", corpus=shelf.corpus)
    mine, its = os.pipe()
    os.close(mine)
    done = subprocess.run(
        [*commands.command(shelf.corpus), "show", "docks"],
        stdout=its,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    os.close(its)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_an_answer_that_finds_no_room_is_told_where_there_is_some(shelf: Shelf, stream: str) -> None:
    """What could not be written still waits in the stream when the command ends."""
    rules("show", "docks", corpus=shelf.corpus)
    entry = {"stdout": "docks", "stderr": "none"}[stream]
    with Path("/dev/full").open("wb") as full:
        streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
        done = subprocess.run([*commands.command(shelf.corpus), "show", entry], env=environment(), **streams)
    if stream == "stdout":
        assert (done.returncode, done.stderr) == (3, b"rules: No space left on device: output\n")
    else:
        assert (done.returncode, done.stdout) == (2, b"")
