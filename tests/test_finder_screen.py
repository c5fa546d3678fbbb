"""The finder in a real terminal: a pty that a terminal emulator (pyte) draws, keys as a terminal sends them.

Nothing waits for a time: every step waits until the screen shows what it should, and fails after ``LIMIT`` seconds.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pyte = pytest.importorskip("pyte")

from commands import environment, no_traceback  # noqa: E402
from corpora import write_corpus  # noqa: E402

LIMIT = 30.0

START = """
import fcntl, sys, termios
from pathlib import Path
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from ruleslawyer.finderscreen import run_finder
from ruleslawyer.index import open_index
{before}
run_finder(open_index(Path(sys.argv[1])), sys.argv[2], sys.argv[3])
print("left in order")
"""
"""Runs the finder as the leader of its terminal, so that signals and sizes reach it. ``before``: what a test changes."""

UP, DOWN, RIGHT, LEFT, END, HOME = (f"\x1b[{letter}" for letter in "ABCDFH")
F1, F2, F3, PAGE_DOWN, BACK_TAB = "\x1bOP", "\x1bOQ", "\x1bOR", "\x1b[6~", "\x1b[Z"
ENTER, ESCAPE, TAB, BACKSPACE = "\r", "\x1b", "\t", "\x7f"
CTRL_C, CTRL_D, CTRL_G, CTRL_L, CTRL_N, CTRL_U, CTRL_Z = "\x03", "\x04", "\x07", "\x0c", "\x0e", "\x15", "\x1a"
PASTE, PASTED = "\x1b[200~", "\x1b[201~"


class Terminal:
    """A terminal with the finder in it."""

    def __init__(
        self, corpus: Path, cells: int, rows: int, lang: str, game: str, before: str, env: dict[str, str]
    ) -> None:
        self.mine, self.its = pty.openpty()
        self.screen = pyte.Screen(cells, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.resize(cells, rows)
        self.settings = termios.tcgetattr(self.its)
        self.process = subprocess.Popen(
            [sys.executable, "-c", START.format(before=before), str(corpus), lang, game],
            stdin=self.its,
            stdout=self.its,
            stderr=self.its,
            env=environment(**{"TERM": "xterm-256color", **env}),
            start_new_session=True,
        )

    def resize(self, cells: int, rows: int) -> None:
        fcntl.ioctl(self.its, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cells, 0, 0))
        self.screen.resize(rows, cells)

    def send(self, *keys: str) -> Terminal:
        for key in keys:
            os.write(self.mine, key.encode())
        return self

    def read(self) -> bool:
        """Draw what has been written; whether there was anything."""
        if not select.select([self.mine], [], [], 0.05)[0]:
            return False
        chunk = os.read(self.mine, 65536)
        self.raw += chunk
        self._stream.feed(chunk)
        return True

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    def until(self, reached: Callable[[], bool], what: str) -> Terminal:
        deadline = time.monotonic() + LIMIT
        while not reached():
            assert time.monotonic() < deadline, f"waited for {what}:\n" + "\n".join(self.lines)
            self.read()
        return self

    def sees(self, *texts: str) -> Terminal:
        """Wait until all of these are on the screen."""
        return self.until(lambda: all(text in "\n".join(self.lines) for text in texts), " and ".join(texts))

    def sees_first(self, line: str) -> Terminal:
        """Wait until the first line is this one."""
        return self.until(lambda: self.lines[0] == line, line)

    def sees_chosen(self, title: str) -> Terminal:
        """Wait until the row of this title is the one in reverse."""
        return self.until(lambda: title in self._reversed(), f"chosen {title}")

    def _reversed(self) -> str:
        rows = range(self.screen.lines - 1)
        return "\n".join(
            "".join(c.data for _, c in sorted(self.screen.buffer[y].items()))
            for y in rows
            if self.screen.buffer[y][0].reverse
        )

    def ends(self) -> int:
        """Wait for the end and read what is left; the exit status."""
        self.until(lambda: self.process.poll() is not None, "the end")
        while self.read():
            pass
        no_traceback(self.raw.decode(errors="replace"))
        return self.process.returncode

    def is_restored(self) -> bool:
        """Whether the terminal is as it was: its settings, the screen under it, the cursor, plain pasting."""
        kept = self.raw.decode(errors="replace")
        switches = ("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?25l", "\x1b[?25h"), ("\x1b[?2004h", "\x1b[?2004l")
        back = [kept.rfind(off) > kept.rfind(on) for on, off in switches]
        return all(back) and termios.tcgetattr(self.its) == self.settings


Opener = Callable[..., Terminal]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Harbour in three languages and Lanterns in English."""
    return write_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def open_finder(corpus: Path) -> Iterator[Opener]:
    """Opens the finder in a terminal, and clears everything away afterwards."""
    opened: list[Terminal] = []

    def opener(
        cells: int = 80, rows: int = 24, lang: str = "en", game: str = "", before: str = "", **env: str
    ) -> Terminal:
        opened.append(Terminal(corpus, cells, rows, lang, game, before, env))
        return opened[-1].sees("F1")

    yield opener
    for terminal in opened:
        terminal.process.kill()
        terminal.process.wait()
        for end in (terminal.mine, terminal.its):
            with suppress(OSError):  # closed by the test
                os.close(end)


def test_typing_changes_what_is_listed_and_arrows_and_enter_read_it(open_finder: Opener) -> None:
    terminal = open_finder().sees("Type the doubt ...", "Harbour", "Lanterns")
    terminal.send("route").sees_chosen("Trade routes").sees("A route joins 2 harbours")
    terminal.send(DOWN).sees_chosen("May routes cross?").sees("may cross 1 other")
    terminal.send(ENTER).sees_first("May routes cross?").sees("Rests on", "Esc back")
    terminal.send(ESCAPE).sees_first("> route").sees_chosen("May routes cross?")
    terminal.send(UP).sees_chosen("Trade routes")
    terminal.send(ESCAPE).sees_first("> Type the doubt ...").send(ESCAPE)
    assert terminal.ends() == 0
    assert terminal.is_restored()
    assert b"left in order" in terminal.raw


@pytest.mark.parametrize("key", [CTRL_D, CTRL_C])
@pytest.mark.parametrize("before", [(), ("docks", ENTER)])
def test_it_is_left_at_once_from_anywhere(open_finder: Opener, key: str, before: tuple[str, ...]) -> None:
    terminal = open_finder()
    terminal.send(*before)
    if before:
        terminal.sees_first("Docks")
    assert terminal.send(key).ends() == 0
    assert terminal.is_restored()


def test_links_are_followed_and_there_is_a_way_back(open_finder: Opener) -> None:
    terminal = open_finder().send("trade").sees_chosen("Trade routes").send(ENTER).sees_first("Trade routes")
    terminal.send(TAB, TAB, ENTER).sees_first("May routes cross?")
    terminal.send("3").sees_first("Docks").send(BACKSPACE).sees_first("May routes cross?")
    terminal.send(ESCAPE).sees_first("Trade routes").send(BACK_TAB, ENTER).sees_first("Turn")


def test_the_game_is_switched(open_finder: Opener) -> None:
    terminal = open_finder().send("harbour lantern").sees("F2 all games").sees_chosen("Docks")
    terminal.send(F2).sees("F2 Harbour")
    terminal.send(CTRL_G).sees("F2 Lanterns").sees_chosen("Light")
    terminal.send(F2).sees("F2 all games")


def test_it_opens_with_one_game(open_finder: Opener) -> None:
    open_finder(game="lanterns").sees("F2 Lanterns").sees_chosen("Light")


def test_the_language_is_switched(open_finder: Opener) -> None:
    terminal = open_finder().send("docks").sees_chosen("Docks")
    terminal.send(F3).sees_chosen("Muelles").sees("F3 español", "Intro leer")
    terminal.send(CTRL_L).sees_chosen("码头").sees("F3 简体中文", "Enter 阅读")
    terminal.send(ENTER).sees_first("码头").send(F3).sees_first("Docks")


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_chinese_is_typed_and_taken_back(open_finder: Opener, lang: str) -> None:
    terminal = open_finder(lang=lang).send("航线可以交叉吗").sees_chosen("航线可以交叉吗？")
    terminal.until(lambda: terminal.screen.cursor.x == 2 + 2 * 7, "the cursor after the last character")
    terminal.send(LEFT, LEFT, LEFT).until(
        lambda: terminal.screen.cursor.x == 2 + 2 * 4, "the cursor before the last three"
    )
    terminal.send(BACKSPACE).sees_first("> 航线可交叉吗")
    terminal.send(CTRL_U, "航線").sees_first("> 航線交叉吗").sees_chosen("航线")


def test_characters_that_arrive_in_parts_are_put_together(open_finder: Opener) -> None:
    terminal = open_finder()
    for byte in "码头".encode():
        os.write(terminal.mine, bytes([byte]))
        terminal.read()
    terminal.sees_first("> 码头").sees_chosen("码头")


def test_pasted_text_stands_in_the_line_and_presses_nothing(open_finder: Opener) -> None:
    terminal = open_finder().send(f"{PASTE}may routes\ncross?\x04\x1b[A\n{PASTED}").sees_chosen("May routes cross?")
    terminal.send(CTRL_U, f"{PASTE}码头\r\n{PASTED}").sees_first("> 码头").sees_chosen("码头")


def test_ten_thousand_pasted_characters_are_no_trouble(open_finder: Opener) -> None:
    terminal = open_finder().send(PASTE, "docks and lanterns " * 540, PASTED).sees("The question is long")
    terminal.send(CTRL_U, "wind").sees_first("> wind").sees_chosen("Wind")


def test_keys_that_come_faster_than_the_screen_is_drawn_mean_the_same(open_finder: Opener) -> None:
    open_finder().send("route" + DOWN + ENTER).sees_first("May routes cross?")
    open_finder().send("trade" + ENTER + TAB + TAB + ENTER).sees_first("May routes cross?")


def test_the_screen_follows_the_size_of_the_terminal(open_finder: Opener) -> None:
    terminal = open_finder().send("docks").sees_chosen("Docks")
    terminal.resize(120, 40)
    terminal.until(lambda: bool(re.match("> Docks +Harbour +[|] Docks$", terminal.lines[1])), "two columns")
    terminal.resize(40, 15)
    terminal.until(lambda: terminal.lines[14].startswith(" F1 keys") and "|" not in terminal.lines[1], "one column")
    terminal.sees_chosen("Docks").send(ENTER).sees_first("Docks")
    terminal.resize(60, 10)
    terminal.until(lambda: terminal.lines[9].startswith(" Esc back"), "the keys in the last line")


def test_a_tiny_terminal_is_no_error(open_finder: Opener) -> None:
    terminal = open_finder()
    terminal.resize(3, 2)
    terminal.send("docks", ENTER, DOWN, ESCAPE, F1, F1)
    terminal.resize(80, 24)
    terminal.sees_first("> docks").sees_chosen("Docks")


def test_a_narrow_terminal_shows_whole_lines(open_finder: Opener) -> None:
    terminal = open_finder(cells=40, rows=15, lang="zh").send("码头").sees_chosen("码头").sees("每个码头放1.5个箱子")
    assert terminal.send(CTRL_D).ends() == 0


def test_escape_needs_no_second_key(open_finder: Opener) -> None:
    terminal = open_finder().send("docks").sees_chosen("Docks").send(ENTER).sees_first("Docks")
    terminal.send(ESCAPE).sees_first("> docks")


def test_the_keys_are_shown(open_finder: Opener) -> None:
    open_finder().send(F1).sees_first("Keys").sees("Ctrl-D or Ctrl-C: leave").send("?").sees("Type the doubt")


def test_no_colour_is_used_so_that_every_background_will_do(open_finder: Opener) -> None:
    terminal = open_finder().send("docks").sees_chosen("Docks").send(ENTER).sees_first("Docks").send(CTRL_D)
    terminal.ends()
    codes = {code for found in re.findall(rb"\x1b\[([\d;]*)m", terminal.raw) for code in found.split(b";")}
    assert codes <= {b"", b"0", b"1", b"2", b"4", b"7"}


# --- leaving otherwise ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_with_the_terminal_as_it_was(open_finder: Opener, number: signal.Signals) -> None:
    terminal = open_finder().send("docks").sees_chosen("Docks")
    terminal.process.send_signal(number)
    assert terminal.ends() == 128 + number
    assert terminal.is_restored()


def test_an_interrupt_from_outside_is_leaving(open_finder: Opener) -> None:
    terminal = open_finder()
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.ends() == 0
    assert terminal.is_restored()


def test_it_is_stopped_and_goes_on(open_finder: Opener) -> None:
    terminal = open_finder().send("docks").sees_chosen("Docks").send(CTRL_Z)
    terminal.until(lambda: terminal.raw.rfind(b"\x1b[?1049l") > 0, "the screen under it")
    terminal.process.send_signal(signal.SIGCONT)
    terminal.until(lambda: terminal.raw.rfind(b"\x1b[?1049h") > terminal.raw.rfind(b"\x1b[?1049l"), "the finder again")
    terminal.send(CTRL_U, "wind").sees_first("> wind").sees_chosen("Wind")


def test_it_ends_with_its_terminal(open_finder: Opener) -> None:
    terminal = open_finder()
    os.close(terminal.its)
    os.close(terminal.mine)
    assert terminal.process.wait(LIMIT) is not None


FAULT = """
from ruleslawyer import {module}
from ruleslawyer.errors import IndexDamaged
def broken(*args, **options):
    raise {error}
"""


@pytest.mark.parametrize(
    ("module", "name", "keys"),
    [
        ("finder", "search", "docks"),
        ("finderview", "entry_lines", "docks"),
        ("finderview", "show_lines", "docks\r"),
        ("finderscreen", "press", "\r"),
    ],
    ids=["while searching", "while drawing", "while reading", "while a key is pressed"],
)
@pytest.mark.parametrize(
    "error", ["IndexDamaged('the index changed', 'run it again')", "ZeroDivisionError('a mistake')"]
)
def test_an_error_leaves_the_terminal_as_it_was_and_goes_on_to_the_command(
    open_finder: Opener, module: str, name: str, keys: str, error: str
) -> None:
    told = """
def told(index, lang, game, run=run_finder):
    try:
        run(index, lang, game)
    except (IndexDamaged, ZeroDivisionError) as error:
        print("told:", error)
run_finder = told
"""
    before = FAULT.format(module=module, error=error) + f"{module}.{name} = broken\n" + told
    terminal = open_finder(before=before).send(keys)
    assert terminal.ends() == 0
    assert terminal.is_restored()
    assert b"told: " in terminal.raw


def test_an_error_before_the_first_screen_leaves_the_terminal_as_it_was(corpus: Path) -> None:
    before = FAULT.format(module="finderview", error="ZeroDivisionError('a mistake')") + "finderview._bar = broken\n"
    terminal = Terminal(corpus, 80, 24, "en", "", before, {})
    with pytest.raises(AssertionError, match="Traceback"):
        terminal.ends()
    assert terminal.process.returncode == 1
    assert terminal.is_restored()
    os.close(terminal.mine)
    os.close(terminal.its)


SLOW = """
import signal
from threading import Event
from ruleslawyer import finder
search, gates = finder.search, {"docks": Event(), "docks wind": Event()}
def slow(index, text, **options):
    if text in gates:
        gates[text].wait()
    return search(index, text, **options)
finder.search = slow
signal.signal(signal.SIGUSR1, lambda *_: gates["docks"].set())
signal.signal(signal.SIGUSR2, lambda *_: gates["docks wind"].set())
"""


def test_a_slow_search_does_not_hold_up_typing(open_finder: Opener) -> None:
    """Each question comes in one piece, so that none that is not held up comes between."""
    terminal = open_finder(before=SLOW).send("light").sees_chosen("Light")
    terminal.send(f"{CTRL_U}{PASTE}docks{PASTED}").sees_first("> docks")
    terminal.send(f"{PASTE} wind{PASTED}").sees_first("> docks wind").sees_chosen("Light")
    terminal.process.send_signal(signal.SIGUSR1)
    terminal.sees_chosen("Docks").sees("Each dock holds 1.5 crates")
    terminal.send(f"{PASTE} card{PASTED}").sees_first("> docks wind card").sees_chosen("Docks")
    terminal.process.send_signal(signal.SIGUSR2)
    terminal.send(CTRL_U, "wind").sees_chosen("Wind").send(CTRL_D)
    assert terminal.ends() == 0


def test_a_malformed_report_of_the_mouse_is_passed_over(open_finder: Opener) -> None:
    terminal = open_finder()
    os.write(terminal.mine, b"\x1b[M\xff\xff\xff")
    assert terminal.send("docks").sees("Docks").send(CTRL_D).ends() == 0


BY_COMMAND = """
from ruleslawyer import cli, places
places.corpus_root = lambda: Path(sys.argv[1])
run_finder = lambda *_: cli.main([])
"""


def test_the_command_alone_opens_it(open_finder: Opener) -> None:
    terminal = open_finder(before=BY_COMMAND).send("docks").sees("Docks").send(CTRL_D)
    assert terminal.ends() == 0
    assert terminal.is_restored()


def test_the_command_alone_prints_its_help_where_nothing_can_be_drawn(corpus: Path) -> None:
    terminal = Terminal(corpus, 80, 24, "", "", BY_COMMAND, {"TERM": "dumb"})
    assert terminal.ends() == 0
    assert b"Usage: rules" in terminal.raw
