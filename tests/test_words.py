"""The interface words: the same in every language, and every one that is asked for exists."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from string import Formatter

import pytest

import ruleslawyer
from ruleslawyer.index import Index
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.places import locales_folder
from ruleslawyer.words import interface_languages, words_in

SOURCES = Path(ruleslawyer.__file__).parent
LOCALES = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(locales_folder().glob("*.json"))}
ENGLISH: dict[str, str] = LOCALES["en"]


def placeholders(text: str) -> set[str]:
    """The names to fill in."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_language_of_the_search_has_interface_words() -> None:
    assert interface_languages() == tuple(sorted(LANGUAGES)) == tuple(LOCALES)


@pytest.mark.parametrize("lang", LOCALES)
def test_the_same_keys_in_the_same_order_with_the_same_places_to_fill(lang: str) -> None:
    assert list(LOCALES[lang]) == list(ENGLISH)
    for key, text in LOCALES[lang].items():
        assert text.strip() == text != "", key
        assert placeholders(text) == placeholders(ENGLISH[key]), key


@pytest.mark.parametrize("lang", LOCALES)
def test_no_key_stands_twice(lang: str) -> None:
    def unique(pairs: list[tuple[str, str]]) -> dict[str, str]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    json.loads((locales_folder() / f"{lang}.json").read_text("utf-8"), object_pairs_hook=unique)


@pytest.mark.parametrize("lang", [lang for lang in LOCALES if lang != "en"])
def test_translated(lang: str) -> None:
    said = {key: re.sub(r"\{\w+\}", "", text) for key, text in LOCALES[lang].items()}
    same = [key for key in said if LOCALES[lang][key] == ENGLISH[key] and re.search("[a-z]{4}", said[key])]
    assert len(same) <= 2, same


def asked_for() -> set[tuple[str, str]]:
    """Every key that the source asks for, with the file: ``words("key")`` and ``Note("key")``; ``prefix.*`` for f-strings."""
    found: set[tuple[str, str]] = set()
    for path in SOURCES.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in ("words", "Note") and not (isinstance(node.func, ast.Call)):
                continue
            found.update((path.name, key) for key in _keys(node.args[0], "note-or-notice." if name == "Note" else ""))
    return found


def _keys(argument: ast.expr, prefix: str) -> list[str]:
    match argument:
        case ast.Constant(value=str(text)):
            return [prefix + text]
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return [f"{text}*"]
        case ast.BinOp(left=ast.Constant(value=str(text))):
            return [f"{text}*"]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_keys(body, prefix), *_keys(orelse, prefix)]
    return []


def exists(key: str) -> bool:
    """Whether there are words for a key that the source asks for."""
    if key.startswith("note-or-notice."):
        return any(key.replace("note-or-notice", kind) in ENGLISH for kind in ("note", "notice"))
    return any(known.startswith(key[:-1]) for known in ENGLISH) if key.endswith("*") else key in ENGLISH


def test_every_key_that_the_source_asks_for_exists() -> None:
    asked = asked_for()
    assert len(asked) > 20
    assert [(file, key) for file, key in sorted(asked) if not exists(key)] == []


def test_every_value_that_the_data_can_have_has_words(bundled: Index) -> None:
    kinds = {f"kind.{record.head['kind']}" for record in bundled.records.values()}
    facts = {key for record in bundled.records.values() for key in record.head["facts"]}
    disputes = [d for data in bundled.catalogue.values() for d in data["disputes"]]
    keys = kinds | facts | {f"dispute.{d['status']}" for d in disputes} | {f"basis.{d['basis']}" for d in disputes}
    assert sorted(keys - ENGLISH.keys()) == []


def test_filled_in() -> None:
    assert words_in("en")("nothing", query="{tie}") == "Nothing found for: {tie}"
    assert words_in("es")("language") == "español"


@pytest.mark.parametrize("lang", ["tlh", "", "../en", "en-GB", "EN\0", "平"])
def test_english_where_there_are_none(lang: str) -> None:
    assert words_in(lang).lang == "en"
