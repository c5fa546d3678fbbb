"""Sections as read -> parts whose every reference has been looked up, compared between languages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleslawyer.errors import Problem, Report, nearest
from ruleslawyer.gamefolder import DOCUMENTS, GameFolder, Sheet
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.markdown import KINDS, Section

Known = Mapping[str, frozenset[str]]
"""The ids of all entries by game."""

LONGEST_PATH = 8
"""Ids of a circle of parents that a problem shows."""

STRUCTURE = ("kind", "parent", "sources", "rests-on", "players", "edition", "variant")
"""What must be equal in all languages of an entry."""


@dataclass(frozen=True)
class Part:
    """An entry in one language, as written, with what its headings and nesting say of its place.

    ``parent`` is an id or empty; unknown ids are still in here, but they have been reported.
    """

    lang: str
    file: str
    section: Section
    kind: str
    parent: str
    sources: tuple[str, ...]
    rests_on: tuple[str, ...]
    aliases: tuple[str, ...]

    @property
    def id(self) -> str:
        """The entry's id."""
        return self.section.id

    def structure(self, name: str) -> str:
        """One of ``STRUCTURE`` as a text that can be compared; the order of sources and rules does not count."""
        match name:
            case "kind":
                return self.kind
            case "parent":
                return self.parent
            case "sources":
                return " ".join(sorted(self.sources))
            case "rests-on":
                return " ".join(sorted(self.rests_on))
        return self.section.attributes.get(name, "")


def link(folder: GameFolder, known: Known, problems: list[Problem]) -> list[Part]:
    """All parts of a game, rules before FAQ, each id once per language; what they name wrongly is reported."""
    parts: list[Part] = []
    seen: dict[tuple[str, str], str] = {}
    for sheet in folder.sheets:
        report = Report(sheet.file, problems)
        for section in sheet.document.sections:
            place = seen.setdefault((sheet.lang, section.id), f"{sheet.file.split('/')[1]}:{section.line}")
            part = _part(sheet, section)
            _check_part(part, folder, known, report)
            if place.endswith(f"{sheet.file.split('/')[1]}:{section.line}"):
                parts.append(part)
            else:
                report.add(section.line, f"id '{section.id}' is already used at {place}")
    _check_cycles(parts, problems)
    return parts


def target_name(target: str, game: str) -> str:
    """The full name of what a link names: ``game/id`` or ``source:id``.

    >>> target_name("#turn", "fog"), target_name("harbour#docks", "fog"), target_name("source:box", "fog")
    ('fog/turn', 'harbour/docks', 'source:box')
    """
    if target.startswith("source:"):
        return target
    other, _, name = target.partition("#")
    return f"{other or game}/{name}"


def compare(folder: GameFolder, parts: Sequence[Part], problems: list[Problem]) -> None:
    """Report what is missing in, or differs between, the languages of a game.

    A language in which some heading is broken is not compared: mending it comes first. The texts of a private pack are
    what its owner has, in whatever languages.
    """
    if folder.private:
        return
    languages = folder.game.languages if folder.game else ()
    problems += _missing_documents(folder, languages)
    broken = {s.lang for s in folder.sheets if not s.document.complete}
    by_id: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        if part.lang not in broken:
            by_id[part.id].append(part)
    for same in by_id.values():
        problems += _missing_texts(folder, same, [lang for lang in languages if lang not in broken])
        for other in same[1:]:
            problems += _differences(same[0], other)


# --- one part ---------------------------------------------------------------------------------------------------------


def _part(sheet: Sheet, section: Section) -> Part:
    attributes = section.attributes
    return Part(
        lang=sheet.lang,
        file=sheet.file,
        section=section,
        kind=attributes.get("kind", DOCUMENTS[sheet.name]),
        parent=attributes.get("parent", section.parent),
        sources=tuple(attributes.get("sources", "").split()),
        rests_on=tuple(attributes.get("rests-on", "").split()),
        aliases=tuple(a.strip() for a in attributes["aliases"].split(";")) if "aliases" in attributes else (),
    )


def _check_part(part: Part, folder: GameFolder, known: Known, report: Report) -> None:
    _check_attributes(part, folder.private, report)
    _check_names(part, folder, known[folder.id], report)
    for found in part.section.links:
        fault = _link_fault(found.target, folder, known)
        if fault:
            report.add(found.line, *fault)


def _check_attributes(part: Part, private: bool, report: Report) -> None:
    section, attributes = part.section, part.section.attributes
    for key, value in attributes.items():
        if not value.strip():
            report.add(section.line, f"'{key}' is empty", "leave it out or give it a value")
    if part.kind not in KINDS:
        report.add(section.line, f"unknown kind '{part.kind}'", nearest(part.kind, KINDS))
    if part.kind == "faq" and "rests-on" not in attributes and not private:
        report.add(section.line, "FAQ without rests-on", 'name the rules that give the answer: rests-on="id"')
    for key in ("parent", "rests-on"):
        if key in attributes and part.kind != "faq":
            report.add(section.line, f"'{key}' is for FAQ only", "rules are nested by their headings")
    if "sources" not in attributes:
        report.add(section.line, "entry without sources", 'say what it rests on: sources="id"')
    players = attributes.get("players", "1")
    if players.strip() and not re.fullmatch(r"[0-9]+(-[0-9]+|\+)?", players):
        report.add(section.line, f"malformed players '{players}'", 'write players="2", "2-3" or "5+"')
    pages = attributes.get("pages", "1")
    if pages.strip() and not re.fullmatch(r"[0-9]+(-[0-9]+)?", pages):
        report.add(section.line, f"malformed pages '{pages}'", 'write pages="4" or "4-5"')
    if len(part.aliases) > 1 and "" in part.aliases:
        report.add(section.line, "empty alias", "aliases are separated by one ;")
    if not section.blocks and not private:
        report.add(section.line, "entry without text", "write the ruling below the heading")


def _check_names(part: Part, folder: GameFolder, ids: frozenset[str], report: Report) -> None:
    line = part.section.line
    sources = folder.game.source_ids if folder.game else frozenset(part.sources)
    for name in part.sources:
        if name not in sources:
            report.add(line, f"unknown source '{name}'", nearest(name, sources))
    for name in part.rests_on:
        if name not in ids:
            report.add(line, f"unknown rule '{name}'", nearest(name, ids))
    if part.parent and part.parent not in ids:
        report.add(line, f"unknown parent '{part.parent}'", nearest(part.parent, ids))


def _link_fault(target: str, folder: GameFolder, known: Known) -> tuple[str, str] | None:
    """Message and hint for a link that names nothing."""
    if target.startswith("source:"):
        name = target.removeprefix("source:")
        if folder.game is None or name in folder.game.source_ids:
            return None
        return f"unknown source '{name}'", nearest(name, folder.game.source_ids)
    game, _, name = target.partition("#")
    if game and game not in known:
        return f"unknown game '{game}'", nearest(game, known)
    ids = known[game or folder.id]
    if name in ids:
        return None
    return f"unknown entry '{name}'" + (f" of {game}" if game else ""), nearest(name, ids)


def _check_cycles(parts: Iterable[Part], problems: list[Problem]) -> None:
    first = {part.id: part for part in reversed(list(parts))}
    circles = _circles({name: part.parent for name, part in first.items()})
    for name, part in first.items():
        if circle := circles.get(name):
            at = circle.index(name)
            path = [*circle[at:], *circle[:at], name]
            shown = path if len(path) <= LONGEST_PATH else [*path[: LONGEST_PATH - 2], "...", name]
            message = f"'{name}' is its own ancestor: {' > '.join(shown)}"
            problems.append(Problem(part.file, part.section.line, message, "change one of the parents"))


def _circles(parents: Mapping[str, str]) -> dict[str, list[str]]:
    """The circle of parents that a name is in, for every name that is in one. Each name is walked once.

    >>> _circles({"a": "b", "b": "a", "c": "a", "d": ""})
    {'a': ['a', 'b'], 'b': ['a', 'b']}
    """
    circles: dict[str, list[str]] = {}
    walked: set[str] = set()
    for name in parents:
        path: dict[str, None] = {}
        while name in parents and name not in walked:
            walked.add(name)
            path[name] = None
            name = parents[name]
        if name in path:
            names = list(path)
            circle = names[names.index(name) :]
            circles |= dict.fromkeys(circle, circle)
    return circles


# --- between languages ------------------------------------------------------------------------------------------------


def _missing_documents(folder: GameFolder, languages: Sequence[str]) -> Iterator[Problem]:
    for name in DOCUMENTS:
        written = [lang for lang in LANGUAGES if f"{name}.{lang}.md" in folder.names]
        for lang in languages:
            if written and lang not in written:
                hint = f"the game's languages are {', '.join(languages)}"
                yield Problem(f"{folder.id}/{name}.{lang}.md", 0, "file is missing", hint)


def _missing_texts(folder: GameFolder, same: Sequence[Part], languages: Sequence[str]) -> Iterator[Problem]:
    first = same[0]
    name = first.file.split("/")[1].split(".")[0]
    readable = {sheet.file for sheet in folder.sheets}
    for lang in languages:
        file = f"{folder.id}/{name}.{lang}.md"
        if file in readable and lang not in [part.lang for part in same]:
            where = f"{first.file.split('/')[1]}:{first.section.line}"
            yield Problem(file, 0, f"entry '{first.id}' is missing", f"it is at {where}")


def _differences(base: Part, other: Part) -> Iterator[Problem]:
    language = LANGUAGES[base.lang].name
    for name in STRUCTURE:
        there, here = base.structure(name), other.structure(name)
        if there != here:
            message = f"'{name}' differs from {language}: '{there}' there, '{here}' here"
            yield Problem(other.file, other.section.line, message)
