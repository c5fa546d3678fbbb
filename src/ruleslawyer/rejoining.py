"""Joining the lines of a printed paragraph: spaces, none between Han characters, and words broken by a hyphen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*(?:-[^\W_]+(?:['’][^\W_]+)*)*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60“”‘’—…]")
_WIDE_SIGN = re.compile(r"[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]")
_BROKEN = re.compile(r"(?P<head>[^\W_]+(?:-[^\W_]+)*)[-‐\u00ad]$")
_NEXT = re.compile(r"[^\W\d_]+")


class Rejoiner:
    """Knows the words of a document, so that it can tell a broken word from one that is written with a hyphen."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        for line in lines:
            found = [word.casefold() for word in _WORD.findall(line)]
            self._words.update(found[:-1] if re.search(r"[-‐\u00ad]$", line) else found)

    def join(self, lines: Sequence[str]) -> str:
        """The lines as one text.

        >>> words = Rejoiner(["a two-player game", "the move-", "ment of a two-", "player game"])
        >>> words.join(["a two-", "player game has no move-", "ment"])
        'a two-player game has no movement'
        >>> words.join(["再掷一次", "骰子"]), words.join(["use 3-", "4 dice"])
        ('再掷一次骰子', 'use 3-4 dice')
        """
        parts: list[str] = []
        for line in map(str.strip, filter(None, lines)):
            if parts:
                parts[-1], joint = self._joint(parts[-1], line)
                parts.append(joint)
            parts.append(line)
        return re.sub(r" {2,}", " ", "".join(parts).replace("\u00ad", ""))

    def _joint(self, before: str, after: str) -> tuple[str, str]:
        """A line as it is kept before another, without its hyphen perhaps, and what stands between the two."""
        if broken := _BROKEN.search(before[-80:]):
            return (before[:-1] if self._is_broken(before, after, broken["head"]) else before), ""
        if re.search(r"\S[—–/]$", before[-2:]) and not re.match(r"[—–]", after):
            return before, ""
        return before, "" if _is_wide_joint(before[-1:], after[:1]) else " "

    def _is_broken(self, before: str, after: str, head: str) -> bool:
        """Whether a hyphen only divides a word at a line's end: so unless the document or its letters say otherwise."""
        if before.endswith("\u00ad"):
            return True
        rest = _NEXT.match(after)
        if not rest or not rest[0][0].islower():
            return False
        last, tail = head.rpartition("-")[2].casefold(), rest[0].casefold()
        if f"{last}{tail}" in self._words:
            return True
        hyphened = any(f"{start.casefold()}-{tail}" in self._words for start in (head, last))
        halves = min(len(last), len(tail)) >= 4 and {last, tail} <= self._words
        return not hyphened and not halves


def _is_wide_joint(before: str, after: str) -> bool:
    """Whether no space belongs between two lines: beside Chinese punctuation, between Han characters and digits."""
    if _WIDE_SIGN.match(before) or _WIDE_SIGN.match(after):
        return True
    han, digit = ("\u3400" <= before <= "\u9fff", "\u3400" <= after <= "\u9fff"), (before.isdigit(), after.isdigit())
    return bool(_WIDE.match(before) and _WIDE.match(after)) or (han[0] and digit[1]) or (digit[0] and han[1])
