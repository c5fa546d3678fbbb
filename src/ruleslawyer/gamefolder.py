"""A game's folder -> everything in it as read, not yet linked. Every file is opened and parsed once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ruleslawyer.errors import Problem, Report, nearest
from ruleslawyer.gamedata import GameFile, read_game
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.markdown import Document, parse
from ruleslawyer.textfile import KEBAB, KEBAB_HINT, read_text
from ruleslawyer.tomlfile import Table, read_toml

DOCUMENTS: Mapping[str, str] = {"rules": "rule", "faq": "faq"}
"""The kind of each document by the first part of its file name, in corpus order."""

SHEET = re.compile(r"(?P<name>rules|faq)(?:-[a-z0-9]+)*\.(?P<lang>\w+)\.md")
"""File names of documents. A private pack may have several of a kind: ``rules-box.en.md``."""

EXPECTED = frozenset(
    {"game.toml", "glossary.toml", "disputes.toml"}
    | {f"{name}.{lang}.md" for name in DOCUMENTS for lang in LANGUAGES}
    | {f"asks.{lang}.toml" for lang in LANGUAGES}
)
ROOT_FILES = frozenset({"README.md", "LICENSE", "LICENSE.md", "NOTICE", "NOTICE.md"})
"""Files that may lie beside the game folders; they are not read."""


@dataclass(frozen=True)
class Sheet:
    """A document file of a game: ``name`` is ``rules`` or ``faq``, ``file`` its path in the corpus."""

    name: str
    lang: str
    file: str
    document: Document


@dataclass(frozen=True)
class GameFolder:
    """A game as read.

    Args:
        id: the folder's name.
        names: the files there are, also those that could not be read.
        game: ``None`` if ``game.toml`` is missing or broken.
        sheets: rules before FAQ, each in the order of the game's languages.
        tables: the other TOML files by name.
        private: whether it is a pack of a person's own, from which less is asked: see ``docs/corpus.md``.
    """

    id: str
    names: frozenset[str]
    game: GameFile | None
    sheets: tuple[Sheet, ...]
    tables: Mapping[str, Table]
    private: bool = False

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of all entries, sound or not."""
        return frozenset(section.id for sheet in self.sheets for section in sheet.document.sections)


def game_folders(root: Path, problems: list[Problem]) -> Iterator[Path]:
    """The folders of a corpus in which games can be, sorted by name; hidden ones are passed over."""
    for path in sorted(p for p in root.iterdir() if not p.name.startswith(".")):
        report = Report(path.name, problems)
        if path.is_symlink():
            report.add(0, "symbolic link", "the corpus holds plain files only: copy the folder here")
        elif not path.is_dir():
            if path.name not in ROOT_FILES:
                report.add(0, "unexpected file", "every game has a folder of its own")
        elif not KEBAB.fullmatch(path.name):
            report.add(0, f"malformed id '{path.name}'", KEBAB_HINT)
        else:
            yield path


def read_folder(folder: Path, problems: list[Problem], private: bool = False) -> GameFolder:
    """Read all files of a game."""
    names = frozenset(_names(folder, problems, private))
    tables = {name: table for name in sorted(names) if (table := _table(folder / name, problems))}
    if "game.toml" not in names:
        problems.append(Problem(f"{folder.name}/game.toml", 0, "file is missing", "every game needs one"))
    table = tables.pop("game.toml", None)
    game = read_game(table) if table else None
    languages = game.languages if game else ()
    sheets = [sheet for name in sorted(names) if (sheet := _sheet(folder / name, problems, private))]
    sheets.sort(key=lambda s: (list(DOCUMENTS).index(s.name), _rank(s.lang, languages)))
    return GameFolder(folder.name, names, game, tuple(sheets), tables, private)


def _rank(lang: str, languages: tuple[str, ...]) -> int:
    """The place of a language among those of the game, then among all."""
    order = dict.fromkeys((*languages, *LANGUAGES))
    return list(order).index(lang)


def _names(folder: Path, problems: list[Problem], private: bool) -> Iterator[str]:
    for path in sorted(p for p in folder.iterdir() if not p.name.startswith(".")):
        report = Report(f"{folder.name}/{path.name}", problems)
        if path.name not in EXPECTED and not (private and _is_sheet(path.name)):
            report.add(0, *_unexpected(path.name))
        elif path.exists() and not path.is_file():
            report.add(0, "not a file")
        else:
            yield path.name


def _is_sheet(name: str) -> bool:
    found = SHEET.fullmatch(name)
    return found is not None and found["lang"] in LANGUAGES


def _unexpected(name: str) -> tuple[str, str]:
    """Message and hint for a file that no game has."""
    found = re.fullmatch(r"(?:rules|faq)\.(\w+)\.md|asks\.(\w+)\.toml", name)
    if found:
        lang = found[1] or found[2]
        return f"unknown language '{lang}'", nearest(lang, LANGUAGES)
    return f"unexpected file '{name}'", nearest(name, EXPECTED)


def _table(path: Path, problems: list[Problem]) -> Table | None:
    if path.suffix != ".toml":
        return None
    report = Report(f"{path.parent.name}/{path.name}", problems)
    text = read_text(path, report)
    return None if text is None else read_toml(text, report)


def _sheet(path: Path, problems: list[Problem], private: bool) -> Sheet | None:
    named = SHEET.fullmatch(path.name)
    if not named:
        return None
    name, lang = named["name"], named["lang"]
    report = Report(f"{path.parent.name}/{path.name}", problems)
    text = read_text(path, report)
    if text is None:
        return None
    document, found = parse(text, report.file)
    problems += found
    if not document.sections and document.complete and not private:
        report.add(0, "document without entries", 'write a heading: ## Title {#id sources="..."}')
    if document.front and document.front.kind != DOCUMENTS[name]:
        hint = f"{path.name} has kind '{DOCUMENTS[name]}'"
        report.add(1, f"kind '{document.front.kind}' does not fit the file's name", hint)
    return Sheet(name, lang, report.file, document)
