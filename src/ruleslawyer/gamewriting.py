"""The ``game.toml`` of a private pack, with a source added to it: the one place for tomlkit.

What a person has written in it stays as it is, comments and order too.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, NamedTuple

import tomlkit
from tomlkit.exceptions import TOMLKitError

from ruleslawyer.errors import DataProblem, Report
from ruleslawyer.gamedata import read_game
from ruleslawyer.tomlfile import read_toml

_MEND = "mend it first: `rules packs` names all faults"


class NewSource(NamedTuple):
    """A source to add: its id, kind, language, title, and what it is by language."""

    id: str
    kind: str
    language: str
    title: str
    about: Mapping[str, str]


def game_file(before: str, title: str, source: NewSource, today: datetime.date) -> str:
    """The text of ``game.toml`` with a source and its language in it.

    Args:
        before: the file as it is, or empty.
        title: the game's title in the source's language, unless the file has one.
        source: added unless the file has one of this id.
        today: the date of the change, written if there is one.

    Raises:
        DataProblem: the file as it is cannot be read.
    """
    game = _read(before or _empty(title, source.language, today))
    changed = _add_language(game, title, source.language)
    changed = _add_source(game, source) or changed
    if changed:
        game["updated"] = today
    text = tomlkit.dumps(game) if changed else before
    _check(text)
    return text


def _empty(title: str, lang: str, today: datetime.date) -> str:
    """A ``game.toml`` without sources."""
    return (
        f'title.{lang} = {tomlkit.item(title).as_string()}\nlanguages = ["{lang}"]\nupdated = {today.isoformat()}\n\n'
    )


def sources_of(text: str) -> frozenset[str]:
    """The ids of the sources that a ``game.toml`` names.

    Raises:
        DataProblem: it cannot be read.
    """
    return frozenset(str(source.get("id", "")) for source in _read(text).get("sources", ()))


def title_of(text: str, lang: str) -> str:
    """The game's title in a language, by a sound ``game.toml``.

    >>> title_of('title.en = "Fog"', "en")
    'Fog'
    """
    return str(tomlkit.parse(text)["title"][lang])


def _read(text: str) -> Any:
    try:
        game = tomlkit.parse(text)
    except TOMLKitError as error:
        raise DataProblem(f"game.toml of the pack cannot be read: {error}", _MEND) from error
    if "sources" in game:
        _check(text)
    elif text:
        _check(f"sources = []\n{text}")  # as good as none
    return game


def _check(text: str) -> None:
    report = Report("game.toml")
    table = read_toml(text, report)
    if table is not None:
        read_game(table)
    for problem in report.problems:
        raise DataProblem(f"the pack has a fault: {problem._replace(line=0)}", _MEND)


def _add_language(game: Any, title: str, lang: str) -> bool:
    titles, languages = game.setdefault("title", tomlkit.inline_table()), game.setdefault("languages", tomlkit.array())
    changed = False
    if lang not in titles:
        titles[lang] = title
        changed = True
    if lang not in languages:
        languages.append(lang)
        changed = True
    for source in game.get("sources", ()):
        if lang not in source["about"]:
            source["about"][lang] = next(iter(source["about"].values()), source["id"])
            changed = True
    return changed


def _add_source(game: Any, source: NewSource) -> bool:
    if any(known.get("id") == source.id for known in game.get("sources", ())):
        return False
    about = tomlkit.inline_table()
    about.update({lang: source.about.get(lang, source.title) for lang in game["languages"]})
    values = {"id": source.id, "kind": source.kind, "language": source.language, "title": source.title, "about": about}
    inline = isinstance(game.get("sources"), tomlkit.items.Array)
    table: Any = tomlkit.inline_table() if inline else tomlkit.table()
    table.update(values)
    if "sources" not in game:
        game["updated"] = game.get("updated", datetime.date.min)  # before the first table: it would belong to that
        game.append("sources", tomlkit.aot())
    game["sources"].append(table)
    return True
