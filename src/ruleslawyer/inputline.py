"""A line that is typed, and what the editing keys do to it. Pure."""

from __future__ import annotations

from typing import NamedTuple

from ruleslawyer.query import MAX_CHARS
from ruleslawyer.terminal import char_width, unsafe


class Line(NamedTuple):
    """A line that is typed, and the place of the cursor in it.

    >>> Line("tie", 3).put(" break")
    Line(text='tie break', at=9)
    >>> Line("tie break", 9).word_back()
    Line(text='tie ', at=4)
    """

    text: str = ""
    at: int = 0

    def put(self, typed: str) -> Line:
        """With something typed or pasted at the cursor: in one line, and no longer than a question is read."""
        clean = unsafe().sub(" ", " ".join(typed.splitlines()) if len(typed) > 1 else typed)
        clean = clean[: max(0, MAX_CHARS + 1 - len(self.text))]  # one more: a cut question is told as one
        return Line(self.text[: self.at] + clean + self.text[self.at :], self.at + len(clean))

    def _back(self) -> int:
        """Where the sign before the cursor begins: a letter goes with its accents."""
        at = max(0, self.at - 1)
        while at and not char_width(self.text[at]):
            at -= 1
        return at

    def _on(self) -> int:
        at = min(len(self.text), self.at + 1)
        while at < len(self.text) and not char_width(self.text[at]):
            at += 1
        return at

    def left(self) -> Line:
        """The cursor one sign to the left."""
        return Line(self.text, self._back())

    def right(self) -> Line:
        """The cursor one sign to the right."""
        return Line(self.text, self._on())

    def start(self) -> Line:
        """The cursor before everything."""
        return Line(self.text, 0)

    def end(self) -> Line:
        """The cursor after everything."""
        return Line(self.text, len(self.text))

    def backspace(self) -> Line:
        """Without the sign before the cursor."""
        return Line(self.text[: self._back()] + self.text[self.at :], self._back())

    def delete(self) -> Line:
        """Without the sign after the cursor."""
        return Line(self.text[: self.at] + self.text[self._on() :], self.at)

    def word_back(self) -> Line:
        """Without the word before the cursor."""
        before = self.text[: self.at].rstrip()
        at = before.rfind(" ") + 1
        return Line(self.text[:at] + self.text[self.at :], at)

    def cut_before(self) -> Line:
        """Without what stands before the cursor."""
        return Line(self.text[self.at :], 0)

    def cut_after(self) -> Line:
        """Without what stands after the cursor."""
        return Line(self.text[: self.at], self.at)


EMPTY = Line()
"""Nothing typed."""
