"""TOML with line numbers: keys and array elements know their lines, and reading a value reports what is wrong with it.

``tomllib`` gives values without places, so a small scanner walks the same text once more when a line is first asked for:
where nothing is wrong, never. It runs only on text that ``tomllib`` has accepted and so need not look for errors.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from ruleslawyer.errors import Report, nearest
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.textfile import KEBAB, KEBAB_HINT

Path = tuple[str | int, ...]
"""Keys and array indexes from the top: ``("disputes", 0, "title", "en")``."""

Value = TypeVar("Value")

_KINDS: Mapping[type, str] = {str: "text", bool: "yes or no", int: "number", list: "list", dict: "table"}
MAX_DEPTH = 16
"""Deeper than any table of ours. A key of many thousand parts would take ``tomllib`` all memory there is."""

_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*\.[ \t]*{_PART}){{{MAX_DEPTH}}}")
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def read_toml(text: str, report: Report) -> Table | None:
    """The top table of a TOML text; ``None`` and a problem with its line if the text is broken."""
    if line := _line_of_long_key(text):
        report.add(line, "broken TOML: a key of too many parts", "write it plainly")
        return None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))  # the line is an attribute only from Python 3.14 on
        line = int(place[1]) if place and place[1] else text.rstrip().count("\n") + 1
        report.add(line, f"broken TOML: {_PLACE.sub('', str(error))}")
        return None
    except (ValueError, RecursionError):
        report.add(0, "broken TOML: a number too long or values nested too deep", "write it plainly")
        return None
    if _too_deep(data):
        report.add(0, "broken TOML: values nested too deep", "write it plainly")
        return None
    return Table(data, report, Lines(text))


def _line_of_long_key(text: str) -> int:
    """The 1-based line of the first key of too many parts; 0 if there is none. Few lines have so many dots at all."""
    lines = enumerate(text.split("\n"), 1)
    return next((n for n, line in lines if line.count(".") >= MAX_DEPTH and _DOTTED.search(line)), 0)


def _too_deep(data: Mapping[str, Any]) -> bool:
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        inner = chain.from_iterable(value.values() if isinstance(value, dict) else value for value in level)
        level = [value for value in inner if isinstance(value, dict | list)]
    return bool(level)


class Lines:
    """The lines of a valid TOML text, found when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    def nearest(self, path: Path) -> int:
        """Where a key or element stands, or the nearest table or array around it; 0 for the whole file.

        >>> Lines("a = 1\\n[b]\\n").nearest(("b", "c"))
        2
        """
        while path and path not in self._known:
            path = path[:-1]
        return self._known.get(path, 0)

    @cached_property
    def _known(self) -> Mapping[Path, int]:
        return key_lines(self._text)


@dataclass(frozen=True)
class Table:
    """One table of a TOML file. Its methods read a value; for a wrong one they report it and return an empty one."""

    data: Mapping[str, Any]
    report: Report
    lines: Lines
    path: Path = ()

    def line(self, *keys: str | int) -> int:
        """Where a key of this table stands, or the nearest table around it; 0 for the whole file."""
        return self.lines.nearest((*self.path, *keys))

    def only(self, *known: str) -> None:
        """Report every key but the known ones."""
        for key in self.data:
            if key not in known:
                self.report.add(self.line(key), f"unknown key '{self._name(key)}'", nearest(key, known))

    def text(self, key: str, optional: bool = False) -> str:
        """A text that is not blank."""
        value = self._get(key, "", optional)
        if key in self.data and isinstance(self.data[key], str) and not value.strip():
            self.report.add(self.line(key), f"'{self._name(key)}' is empty")
        return value

    def flag(self, key: str, empty: bool) -> bool:
        """Yes or no; ``empty`` where the key is missing."""
        return self._get(key, empty, optional=True)

    def choice(self, key: str, allowed: Collection[str]) -> str:
        """One of the allowed texts."""
        value = self.text(key)
        if value and value not in allowed:
            self.report.add(self.line(key), f"unknown {key} '{value}'", nearest(value, allowed))
        return value

    def id(self, seen: Collection[str]) -> str:
        """The ``id``: kebab-case and not among those seen before."""
        value = self.text("id")
        if value and not KEBAB.fullmatch(value):
            self.report.add(self.line("id"), f"malformed id '{value}'", KEBAB_HINT)
        if value in seen:
            self.report.add(self.line("id"), f"id '{value}' is already used in this file")
        return value

    def date(self, key: str) -> str:
        """A TOML date, as ``2026-11-29``."""
        value = self.data.get(key)
        if type(value) is datetime.date:
            return value.isoformat()
        if key in self.data:
            hint = "write it as 2026-11-29, without quotes"
            self.report.add(self.line(key), f"'{self._name(key)}' must be a date", hint)
        else:
            self._missing(key)
        return ""

    def texts(self, key: str, optional: bool = False) -> tuple[str, ...]:
        """A list of texts, none blank, and not empty unless it may be left out."""
        values: list[Any] = self._get(key, [], optional)
        if key in self.data and not values and not optional and isinstance(self.data[key], list):
            self.report.add(self.line(key), f"'{self._name(key)}' is empty")
        for n, value in enumerate(values):
            if not isinstance(value, str) or not value.strip():
                wrong = "must be a text" if not isinstance(value, str) else "is empty"
                self.report.add(self.line(key, n), f"number {n + 1} of '{self._name(key)}' {wrong}")
        return tuple(v for v in values if isinstance(v, str))

    def known(self, key: str, known: Collection[str], what: str, optional: bool = False) -> tuple[str, ...]:
        """The known ones of a list of texts, all of which must be: ``what`` says as what (``entry``, ``source``)."""
        values = self.texts(key, optional)
        for n, value in enumerate(values):
            if value not in known:
                self.report.add(self.line(key, n), f"unknown {what} '{value}'", nearest(value, known))
        return tuple(value for value in values if value in known)

    def localised(self, key: str, needed: Collection[str]) -> dict[str, str]:
        """A text per language, in at least the languages needed."""
        table = self._languages(key, needed)
        return {lang: table.text(lang) for lang in table.data if lang in LANGUAGES}

    def localised_texts(self, key: str, needed: Collection[str]) -> dict[str, tuple[str, ...]]:
        """A list of texts per language, in at least the languages needed."""
        table = self._languages(key, needed)
        return {lang: table.texts(lang) for lang in table.data if lang in LANGUAGES}

    def tables(self, key: str, optional: bool = False) -> Iterator[Table]:
        """The tables of an array: ``[[disputes]]``."""
        elements: list[Any] = self._get(key, [], optional)
        for n, value in enumerate(elements):
            if isinstance(value, dict):
                yield Table(value, self.report, self.lines, (*self.path, key, n))
            else:
                self.report.add(self.line(key, n), f"number {n + 1} of '{self._name(key)}' must be a table")

    def _languages(self, key: str, needed: Collection[str]) -> Table:
        table = Table(self._get(key, {}), self.report, self.lines, (*self.path, key))
        table.only(*LANGUAGES)
        if key in self.data and isinstance(self.data[key], dict):
            for lang in needed:
                if lang not in table.data:
                    self.report.add(self.line(key), f"'{self._name(key)}' is missing in {lang}")
        return table

    def _get(self, key: str, empty: Value, optional: bool = False) -> Value:
        """A value of the same type as ``empty``, which stands in for a missing or wrong one."""
        if key not in self.data:
            if not optional:
                self._missing(key)
            return empty
        value = self.data[key]
        if isinstance(value, type(empty)):
            return value
        wanted, found = _KINDS[type(empty)], _KINDS.get(type(value), "date")
        self.report.add(self.line(key), f"'{self._name(key)}' must be a {wanted}, not a {found}")
        return empty

    def _missing(self, key: str) -> None:
        self.report.add(self.line(), f"missing key '{self._name(key)}'")

    def _name(self, key: str) -> str:
        """A key with the tables around it since the last array element: ``title.fr``."""
        names: list[str] = []
        for part in reversed((*self.path, key)):
            if isinstance(part, int):
                break
            names.insert(0, part)
        return ".".join(names)


_TOKEN = re.compile(
    r'''(?P<string>"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')'''
    r"""|\#[^\n]*|(?P<newline>\n)|(?P<mark>[\[\]{}=,.])|(?P<word>[^\s\[\]{}=,."'#]+)""",
    re.DOTALL,
)


def key_lines(text: str) -> dict[Path, int]:
    """The 1-based line of every key, table and array element of a valid TOML text.

    >>> key_lines('a = 1\\n[[b]]\\nc.d = [\\n  "x",\\n]\\n')
    {('a',): 1, ('b',): 2, ('b', 0): 2, ('b', 0, 'c'): 3, ('b', 0, 'c', 'd'): 3, ('b', 0, 'c', 'd', 0): 4}
    """
    scanner = _Scanner(text)
    scanner.scan()
    return scanner.lines


class _Scanner:
    """Walks the tokens of a valid TOML text; ``""`` is the token after the last."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._tokens = list(_tokens(text))
        self._at = 0
        self._elements: dict[Path, int] = {}

    def scan(self) -> None:
        table: Path = ()
        while token := self._peek():
            if token == "\n":
                self._next()
            elif token == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Path:
        line = self._line()
        self._next()
        array = self._peek() == "["
        if array:
            self._next()
        keys = self._key("]")
        if array:
            self._next()
        path: Path = ()
        for n, key in enumerate(keys):
            path = (*path, key)
            self.lines.setdefault(path, line)
            if array and n == len(keys) - 1:
                self._elements[path] = self._elements.get(path, -1) + 1
            if path in self._elements:
                path = (*path, self._elements[path])
                self.lines.setdefault(path, line)
        return path

    def _pair(self, table: Path) -> None:
        line = self._line()
        path = table
        for key in self._key("="):
            path = (*path, key)
            self.lines.setdefault(path, line)
        self._value(path)

    def _key(self, end: str) -> list[str]:
        keys: list[str] = []
        while (token := self._next()) != end:
            if token != ".":
                keys.append(token[1:-1] if token[0] in "\"'" else token)
        return keys

    def _value(self, path: Path) -> None:
        if self._peek() == "[":
            self._array(path)
        elif self._peek() == "{":
            self._inline_table(path)
        else:
            while self._peek() not in ("", "\n", ",", "]", "}"):
                self._next()

    def _array(self, path: Path) -> None:
        self._next()
        n = 0
        while self._peek() != "]":
            if self._peek() in ("\n", ","):
                self._next()
            else:
                self.lines[*path, n] = self._line()
                self._value((*path, n))
                n += 1
        self._next()

    def _inline_table(self, path: Path) -> None:
        self._next()
        while self._peek() != "}":
            if self._peek() in ("\n", ","):
                self._next()
            else:
                self._pair(path)
        self._next()

    def _peek(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _line(self) -> int:
        return self._tokens[self._at][1]

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Strings, line ends, marks and words with their lines; comments and spaces are left out."""
    line, last = 1, 0
    for found in _TOKEN.finditer(text):
        line += text.count("\n", last, found.start())
        last = found.start()
        if found.lastgroup:
            yield found[0], line
