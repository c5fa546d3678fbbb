"""Lists as they are open while a document is read: how deep, and what the next item is marked with."""

from __future__ import annotations

from collections.abc import Mapping

MAX_DEPTH = 9
"""Deeper items are kept at this depth."""

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN_SMALL = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_HAN = "〇一二三四五六七八九"


def letters(number: int) -> str:
    """The number in letters.

    >>> letters(1), letters(27)
    ('a', 'aa')
    """
    text = ""
    while number > 0:
        number, letter = divmod(number - 1, 26)
        text = chr(ord("a") + letter) + text
    return text or "0"


def roman(number: int) -> str:
    """The number in Roman numerals, in digits where there are none for it.

    >>> roman(14), roman(0)
    ('xiv', '0')
    """
    if not 0 < number < 4000:
        return str(number)
    text = ""
    for value, sign in (*_ROMAN, *_ROMAN_SMALL):
        count, number = divmod(number, value)
        text += sign * count
    return text


def han(number: int) -> str:
    """The number in Han characters, in digits from a hundred on.

    >>> han(2), han(10), han(21)
    ('二', '十', '二十一')
    """
    if not 0 < number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    text = ("" if tens == 1 else _HAN[tens]) + "十" if tens else ""
    return text + (_HAN[ones] if ones else "")


class ListLevel:
    """An open list. ``level`` counts from 1; items in letters or Roman numerals keep these in their text."""

    def __init__(self, ordered: bool, level: int, start: int = 1, kind: str = "1", step: int = 1) -> None:
        self.level = level
        self.started = False
        self.in_item = False
        self._ordered, self._kind, self._step = ordered, kind, step
        self._next = start
        self._due = False

    @staticmethod
    def of_html(name: str, attributes: Mapping[str, str], outer: ListLevel | None) -> ListLevel:
        """The list that a ``ul`` or ``ol`` opens within another; a list that holds only lists adds no depth."""
        level = 1 if outer is None else min(MAX_DEPTH, outer.level + outer.started)
        counted = name == "ol" and ("reversed" not in attributes or "start" in attributes)
        step = -1 if "reversed" in attributes else 1
        return ListLevel(counted, level, _number(attributes.get("start", ""), 1), attributes.get("type", "1"), step)

    def begin_item(self, value: str = "") -> None:
        """A new item; ``value`` is its own number, if it has one."""
        self.started = self.in_item = self._due = True
        self._next = _number(value, self._next)

    def end_item(self) -> None:
        """The item ends."""
        self.in_item = self._due = False

    def take(self) -> tuple[str, str]:
        """The marker of the item's next paragraph, empty after the first, and what the paragraph's text begins with.

        >>> level = ListLevel(True, 1, 3, "a")
        >>> level.begin_item(); level.take(), level.take()
        (('-', 'c. '), ('', ''))
        """
        if not self._due:
            return "", ""
        self._due = False
        if not self._ordered:
            return "-", ""
        number, self._next = self._next, self._next + self._step
        return (f"{number}.", "") if self._kind == "1" and number >= 0 else ("-", f"{_written(number, self._kind)}. ")

    def heading(self) -> str:
        """The number before an item that is a heading; what follows in the item is no item."""
        marker, prefix = self.take()
        self.in_item = False
        return prefix if marker == "-" or not marker else f"{marker} "


def _written(number: int, kind: str) -> str:
    if kind in ("i", "I"):
        return roman(number) if kind == "i" else roman(number).upper()
    if kind in ("a", "A"):
        return letters(number) if kind == "a" else letters(number).upper()
    return str(number)


def _number(text: str, otherwise: int) -> int:
    """A number as an attribute gives it; ``otherwise`` where it gives none or an absurd one."""
    try:
        number = int(text)
    except ValueError:
        return otherwise
    return number if abs(number) < 1_000_000 else otherwise
