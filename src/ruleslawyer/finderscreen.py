"""The finder on a terminal: keys in, lines out. The only module that knows the toolkit."""

from __future__ import annotations

import asyncio
import re
import signal
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window

from ruleslawyer.finder import BY_LISTING, Finder, Listing, answered, opened, press, typed
from ruleslawyer.finderview import STYLES, Desk, Room, Screen, screen
from ruleslawyer.index import Index

PATIENCE = 0.03
"""Seconds that a search may take before the line is drawn without its answer."""

ESCAPE = 0.05
"""Seconds after which an escape character is the key, and not the beginning of another."""

KEYS = {
    "enter": Keys.Enter,
    "escape": Keys.Escape,
    "tab": Keys.Tab,
    "backtab": Keys.BackTab,
    "backspace": Keys.Backspace,
    **{key: key for key in ("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "delete")},
    **{key: key for key in ("f1", "f2", "f3")},
    **{f"c-{letter}": f"c-{letter}" for letter in "acdegklnpuw"},
}
"""The finder's keys as the toolkit names them."""

_CODES = re.compile(r"\x1b\[([\d;]*)m")


def run_finder(index: Index, lang: str, game: str = "") -> None:
    """Open the finder, and come back when the person leaves it; the screen is then as it was.

    Args:
        index: the open index.
        lang: the reader's language.
        game: the only game to search at first; all by default.

    Raises:
        RulesError: the index cannot be read any more.
    """
    try:
        _Session(index, lang, game).run()
    except (EOFError, KeyboardInterrupt):  # the terminal is gone, or wanted back
        return


def fragments(line: str) -> StyleAndTextTuples:
    """A line with ANSI codes as the toolkit takes it.

    >>> fragments("a \\x1b[1mtie\\x1b[0m")
    [('', 'a '), ('bold', 'tie')]
    """
    style, found = "", list[tuple[str, str]]()
    for n, part in enumerate(_CODES.split(line)):
        if n % 2:
            style = STYLES.get(part, style)
        elif part:
            found.append((style, part))
    return [*found]


class _Session(UIControl):
    """One run: the state, the search that is under way, and the toolkit's application."""

    def __init__(self, index: Index, lang: str, game: str) -> None:
        self._desk = Desk(index)
        self._finder = opened(index, lang, game)
        self._room = Room(80, 24)
        self._drawn: tuple[Finder, Room, Screen] | None = None
        self._searcher = ThreadPoolExecutor(1)
        self._search: Future[Listing] | None = None
        self._app: Application[None] = Application(
            Layout(Window(self, always_hide_cursor=Condition(lambda: self._look().cursor is None))),
            key_bindings=self._bindings(),
            full_screen=True,
            erase_when_done=True,
        )
        self._app.ttimeoutlen = ESCAPE

    def run(self) -> None:
        """Show the finder until the person leaves. Whatever happens, the terminal is given back as it was."""
        try:
            self._app.run(pre_run=self._watch, set_exception_handler=False)
        finally:
            self._app.renderer.reset()
            self._searcher.shutdown(wait=False, cancel_futures=True)

    def _watch(self) -> None:
        """Errors and signals end the application in order instead of the process at once."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self._end(context.get("exception")))
        for name in ("SIGTERM", "SIGHUP"):
            with suppress(AttributeError, NotImplementedError):  # where there are no such signals
                number = getattr(signal, name)
                loop.add_signal_handler(number, self._end, SystemExit(128 + number))

    def _end(self, error: BaseException | None = None) -> None:
        future = self._app.future
        if future is not None and not future.done():
            future.set_exception(error) if error else future.set_result(None)

    # --- keys

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for name, key in KEYS.items():
            bindings.add(key)(lambda _, name=name: self._press(name))
        bindings.add(Keys.SIGINT)(lambda _: self._press("c-c"))
        bindings.add("c-z")(lambda event: event.app.suspend_to_background())
        bindings.add(Keys.BracketedPaste)(lambda event: self._take(typed(self._finder, event.data)))
        bindings.add(Keys.Vt100MouseEvent)(lambda _: None)  # the toolkit's own reading of it fails on hostile input
        bindings.add(Keys.Any)(self._type)
        return bindings

    def _type(self, event: KeyPressEvent) -> None:
        key = event.key_sequence[0].key
        if len(key) == 1:
            self._press(key)

    def _press(self, key: str) -> None:
        if key in BY_LISTING:
            self._settle()
        self._take(press(self._finder, key, self._look().seen))

    def _take(self, finder: Finder) -> None:
        self._finder = finder
        if finder.done:
            self._end()

    # --- searching

    def _catch_up(self) -> None:
        """Bring in the answer that has come, and begin the search for the question as it stands."""
        self._collect()
        if self._search is None and self._finder.pending:
            self._look()  # now: a search keeps the index to itself
            self._search = self._searcher.submit(self._desk.answer, self._finder.question)
            wait([self._search], PATIENCE)
            if not self._search.done():
                self._search.add_done_callback(lambda _: self._app.invalidate())
            self._collect()

    def _collect(self) -> None:
        if self._search is not None and self._search.done():
            self._finder = answered(self._finder, self._search.result())
            self._search = None

    def _settle(self) -> None:
        """Wait for the answer to the question as it stands."""
        while self._finder.pending:
            self._catch_up()
            if self._search is not None:
                wait([self._search])

    # --- the screen

    def create_content(self, width: int, height: int) -> UIContent:
        """The screen, as the toolkit asks for it."""
        if self._room != (width, height) and self._search is not None:
            wait([self._search])  # what is listed must be made anew, and a search keeps the index to itself
        self._room = Room(width, height)
        self._catch_up()
        shown = self._look()
        row, at = shown.cursor or (0, 0)
        return UIContent(
            lambda n: fragments(shown.lines[n]), len(shown.lines), cursor_position=Point(at, row), show_cursor=True
        )

    def _look(self) -> Screen:
        if self._drawn is None or self._drawn[0] is not self._finder or self._drawn[1] != self._room:
            self._drawn = (self._finder, self._room, screen(self._finder, self._desk, self._room))
        return self._drawn[2]

    def is_focusable(self) -> bool:
        """Keys and the cursor belong to it."""
        return True
