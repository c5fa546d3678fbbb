"""Lines of keys in every way TOML lets them be written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleslawyer.errors import Report
from ruleslawyer.tomlfile import _DOTTED, MAX_DEPTH, Path, _line_of_long_key, key_lines, read_toml

EVERYTHING = '''\
# a comment with [brackets] and = signs
bare = 1.5                            # line 2
"quoted key" = "a # no comment ] \\" }"
'literal.key' = 'C:\\'
dotted . "and quoted" = 2026-11-29 07:32:00
text = """
fake = 1
[fake] """
raw = \'\'\'
x = "\'\'\'
list = [ "a", [1, 2],
  # comment, with comma
  { x = 1, "y z" = [ { w = 2 } ] },
]
inline = { a.b = 1, c = "}" }

[table.sub]
key = true
[[array]]
a = 1
[[array.inner]]
b = 1
[[array.inner]]
b = 2
[array.plain]
c = 1
[[array]]
a = 2
[[array.inner]]
b = 3
'''


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every key and element of a parsed TOML value."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def test_every_key_and_element_has_a_line_and_nothing_else_has() -> None:
    assert set(key_lines(EVERYTHING)) == set(paths(tomllib.loads(EVERYTHING)))


def test_lines() -> None:
    lines = key_lines(EVERYTHING)
    expected: dict[Path, int] = {
        ("bare",): 2,
        ("quoted key",): 3,
        ("literal.key",): 4,
        ("dotted", "and quoted"): 5,
        ("text",): 6,
        ("raw",): 9,
        ("list", 1, 1): 11,
        ("list", 2, "y z", 0, "w"): 13,
        ("inline", "a", "b"): 15,
        ("table", "sub", "key"): 18,
        ("array",): 19,
        ("array", 0, "inner", 1): 23,
        ("array", 0, "inner", 1, "b"): 24,
        ("array", 0, "plain", "c"): 26,
        ("array", 1): 27,
        ("array", 1, "inner", 0, "b"): 30,
    }
    assert {path: lines[path] for path in expected} == expected


@pytest.mark.parametrize(
    "text",
    ["x = " + "[" * 10_000, "x = " + "{a=" * 10_000, "x = " + "[" * 5_000 + "]" * 5_000, "x = " + "1" * 5_000],
    ids=["open lists", "open tables", "closed lists", "a long number"],
)
def test_a_toml_bomb_is_a_problem_and_no_error(text: str) -> None:
    report = Report("game.toml")
    assert read_toml(text, report) is None
    assert [problem.message.partition(":")[0] for problem in report.problems] == ["broken TOML"]


LONG_KEY = ".".join("a" * (MAX_DEPTH + 1))


@given(
    st.lists(st.sampled_from(["a.", "a", ".", '"', "'", " ", "\n", LONG_KEY, LONG_KEY[2:]]), max_size=40).map("".join)
)
def test_a_key_of_too_many_parts_is_found_in_its_line(text: str) -> None:
    found = _DOTTED.search(text)
    assert _line_of_long_key(text) == (text.count("\n", 0, found.start()) + 1 if found else 0)
