"""What stands before a list item in a printed text: bullets, numbers, letters. Pure functions on strings."""

from __future__ import annotations

import re
from typing import NamedTuple

BULLETS = frozenset("•‣⁃●○◦▪▫■□◆◇►▶▸➢➤❖◻◼◾◽·∙⚫⚪")
"""Signs that are a bullet wherever they begin a line."""

ICON = "▣"
"""Stands for a glyph that has no character; where it begins an item it may be the bullet, or a picture that is told of."""

DASHES = "▣–—*✓✔★☆→-"
"""Signs that are a bullet where a new line is due, and else part of the text."""
_HAN_DIGITS = "一二三四五六七八九十"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"

_BULLET = re.compile(rf"(?P<mark>[{''.join(sorted(BULLETS))}]\s*|[{DASHES}]\s+|[–-](?=[\u3400-\u9fff]))(?=\S)")
_NUMBER = re.compile(
    rf"""(?P<label>(?P<number>\d{{1,3}})(?:[.)]\s+|[.)](?=[^\W\d_])|[．）、]\s*)
    | [(（](?P<inside>\d{{1,3}})[)）]\s*
    | (?P<circled>[{_CIRCLED}])\s*)(?=\S)""",
    re.VERBOSE,
)
_LETTER = re.compile(
    rf"""(?P<label>\(?(?P<letter>[A-Za-z])[.)]\s+
    | \(?(?P<roman>x?(?:ix|iv|v?i{{1,3}}|v|x))[.)]\s+
    | (?P<han>[{_HAN_DIGITS}]{{1,3}})[、．.]\s*
    | [(（](?P<within>[{_HAN_DIGITS}]{{1,3}})[)）]\s*)(?=\S)""",
    re.VERBOSE,
)
_ROMANS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}


class Mark(NamedTuple):
    """The mark of an item: its kind, what number it counts (0: a bullet), how it is written, and the text after it.

    ``kind``: ``bullet``, ``number`` (digits), ``letter``, ``roman`` or ``han``; marks of one list are of one kind.
    """

    kind: str
    number: int
    label: str
    rest: str


def split_mark(line: str) -> Mark | None:
    """The list mark that a line begins with, if it does and text follows.

    >>> split_mark("• Draw a card.")
    Mark(kind='bullet', number=0, label='•', rest='Draw a card.')
    >>> split_mark("3) Move.")
    Mark(kind='number', number=3, label='3)', rest='Move.')
    >>> split_mark("二、行动")
    Mark(kind='han', number=2, label='二、', rest='行动')
    >>> split_mark("3.1 Movement"), split_mark("-1 point"), split_mark("I. e. this")
    (None, None, Mark(kind='letter', number=9, label='I.', rest='e. this'))
    """
    if found := _BULLET.match(line):
        kept = line if found[0][0] == ICON else line[found.end() :]
        return Mark("bullet", 0, found["mark"].strip(), kept)
    if found := _NUMBER.match(line):
        number = _CIRCLED.index(found["circled"]) + 1 if found["circled"] else int(found["number"] or found["inside"])
        return Mark("number", number, found["label"].strip(), line[found.end() :])
    if not (found := _LETTER.match(line)):
        return None
    label, rest = found["label"].strip(), line[found.end() :]
    if found["letter"]:
        return Mark("letter", ord(found["letter"].casefold()) - ord("a") + 1, label, rest)
    if found["roman"]:
        return Mark("roman", _ROMANS.get(found["roman"], 11), label, rest)
    return Mark("han", _han_number(found["han"] or found["within"]), label, rest)


def _han_number(text: str) -> int:
    """The value of 一 to 九十九."""
    tens, ten, ones = text.rpartition("十")
    value = _HAN_DIGITS.find(ones[-1:]) + 1 if ones else 0
    return value + (10 * (_HAN_DIGITS.find(tens[-1:]) + 1 if tens else 1) if ten else 0)
