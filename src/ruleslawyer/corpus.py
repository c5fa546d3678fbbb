"""Corpus files, and a person's own packs beside them -> a linked ``Corpus`` and every problem found on the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import NamedTuple

from ruleslawyer.blocks import Block
from ruleslawyer.errors import DataProblem, Problem, Report
from ruleslawyer.forking import shared
from ruleslawyer.gamedata import ASK_LANGUAGES, FEWEST_ASKS, GameFile, read_asks, read_disputes, read_terms
from ruleslawyer.gamefolder import DOCUMENTS, GameFolder, game_folders, read_folder
from ruleslawyer.linking import Part, compare, link, target_name
from ruleslawyer.model import Corpus, Dispute, Entry, Game, Outline, Term, Text
from ruleslawyer.places import PACKS
from ruleslawyer.textfile import KEBAB, KEBAB_HINT

MANY = 10
"""Games for which it pays to start processes."""

Asks = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Language -> entry id -> asks."""


@dataclass(frozen=True)
class Loaded:
    """A corpus and what is wrong with it. The corpus holds what is sound; it is linked even when there are problems."""

    corpus: Corpus
    problems: tuple[Problem, ...]
    skipped: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    """What is wrong with each private pack that was left out, files relative to the packs' folder."""
    outlines: Mapping[str, Outline] = field(default_factory=dict)
    """What others need to know of each game that was read, by ``outline_key``, in corpus order."""


def outline_key(game: str, private: bool) -> str:
    """The name of a game's outline; a pack may bear the name of a bundled game, and is left out then.

    >>> outline_key("fog", private=True)
    'packs/fog'
    """
    return f"{PACKS}{game}" if private else game


@dataclass(frozen=True)
class _Linked:
    """A game whose references have been looked up: ``parts`` holds the sound ones, ``parents`` those of all entries."""

    folder: GameFolder
    game: GameFile
    parts: Mapping[str, Sequence[Part]]
    parents: Mapping[str, str]
    asks: Asks
    terms: tuple[Term, ...]
    disputes: tuple[Dispute, ...]


def load(root: Path, packs: Path | None = None, rest: Mapping[str, Outline] | None = None) -> Loaded:
    """Read and link every game of a corpus folder, and the private packs beside it.

    A text with a problem is left out, and an entry with no text left; links to it become plain text. A problem of asks
    or between languages leaves nothing out. A private pack with any problem is left out whole: half a rulebook misleads.

    Args:
        root: the folder that holds the games' folders.
        packs: the folder that holds the private packs; it may be missing.
        rest: games that are not read, since they have not changed: their outlines.

    Raises:
        DataProblem: there is no such folder.
    """
    if not root.is_dir():
        raise DataProblem(f"no corpus folder at {root}", "name a folder that holds a folder per game")
    rest = rest or {}
    problems: list[Problem] = []
    paths = [path for path in game_folders(root, problems) if path.name not in rest]
    games = {path.name: read for path, read in zip(paths, shared(_read, paths, len(paths) > MANY), strict=True)}
    bundled = {key: outline.ids for key, outline in rest.items() if not key.startswith(PACKS)}
    known = {**bundled, **{game: read.folder.ids for game, read in games.items()}}
    if not known:
        problems.append(Problem(".", 0, "no games", "every game has a folder of its own"))
    linked = {key: game for key, read in games.items() if (game := _link(read.folder, known, read.problems))}
    own = {outline_key(path.name, private=True): path for path in pack_folders(packs)}
    private = {key: _read_pack(path, known) for key, path in own.items() if key not in rest}
    linked |= {key: pack for key, read in private.items() if (pack := _link_pack(read, known))}
    problems += [problem for read in games.values() for problem in read.problems]
    skipped = {read.folder.id: tuple(sorted(set(read.problems))) for read in private.values() if read.problems}
    corpus = _build(linked.values(), skipped, rest)
    return Loaded(corpus, tuple(sorted(set(problems))), skipped, _outlines({**games, **private}, corpus))


class _Read(NamedTuple):
    """A game as read, and the list to which its tables go on adding what is found wrong with them.

    ``is_game`` tells whether the folder can be one at all.
    """

    folder: GameFolder
    problems: list[Problem]
    is_game: bool = True


def _read(path: Path) -> _Read:
    problems: list[Problem] = []
    return _Read(read_folder(path, problems), problems)


def _outlines(reads: Mapping[str, _Read], corpus: Corpus) -> dict[str, Outline]:
    entries: dict[str, list[Entry]] = defaultdict(list)
    for entry in corpus.entries.values():
        entries[outline_key(entry.game, corpus.games[entry.game].private)].append(entry)
    return {key: _outline(read.folder, entries[key], len(set(read.problems))) for key, read in reads.items()}


def _outline(folder: GameFolder, entries: Sequence[Entry], problems: int) -> Outline:
    targets = (link.target for sheet in folder.sheets for part in sheet.document.sections for link in part.links)
    abroad = {
        entry.name: sorted(name for name in entry.links if not name.startswith(f"{folder.id}/")) for entry in entries
    }
    return Outline(
        ids=folder.ids,
        entries=tuple(entry.id for entry in entries),
        texts=frozenset(tuple(sorted(entry.texts)) for entry in entries),
        languages=frozenset(lang for entry in entries for lang in (*entry.texts, *entry.asks)),
        links={name: tuple(targets) for name, targets in abroad.items() if targets},
        reach=frozenset(game for target in targets if (game := target.partition("#")[0]) and "#" in target),
        problems=problems,
    )


# --- private packs ----------------------------------------------------------------------------------------------------


def pack_folders(packs: Path | None) -> list[Path]:
    """The folders of the private packs, sorted; none where there is no such folder or it cannot be read."""
    try:
        found = sorted(packs.iterdir()) if packs else []
    except OSError:
        return []
    return [path for path in found if not path.name.startswith(".") and (path.is_dir() or path.is_symlink())]


def _read_pack(path: Path, known: Collection[str]) -> _Read:
    """A private pack; with problems and nothing else where it cannot be one."""
    problems: list[Problem] = []
    report = Report(path.name, problems)
    if path.is_symlink():
        report.add(0, "symbolic link", "packs are plain folders: copy it here")
    elif not KEBAB.fullmatch(path.name):
        report.add(0, f"malformed id '{path.name}'", KEBAB_HINT)
    elif path.name in known:
        report.add(0, f"the rules that come with the program have a game '{path.name}'", "rename the folder")
    else:
        try:
            return _Read(read_folder(path, problems, private=True), problems)
        except OSError as error:
            report.add(0, f"cannot be read: {error.strerror}")
    return _Read(GameFolder(path.name, frozenset(), None, (), {}, private=True), problems, is_game=False)


def _link_pack(read: _Read, known: Mapping[str, frozenset[str]]) -> _Linked | None:
    """A private pack, linked to itself and to the bundled games; none where there is any problem."""
    folder = read.folder
    pack = _link(folder, {**known, folder.id: folder.ids}, read.problems) if read.is_game else None
    return pack if not read.problems else None


# --- linking ----------------------------------------------------------------------------------------------------------


def _link(folder: GameFolder, known: Mapping[str, frozenset[str]], problems: list[Problem]) -> _Linked | None:
    if not any(name.endswith(".md") for name in folder.names):
        problems.append(Problem(folder.id, 0, "game without documents", "write rules.en.md"))
    parts = link(folder, known, problems)
    sound = _sound_parts(folder, parts, problems)
    compare(folder, parts, problems)
    if not folder.ids:
        return None
    asks = _asks(folder, problems)
    if folder.game is None:
        return None
    terms, disputes = _terms_and_disputes(folder, folder.game)
    parents = {part.id: part.parent for part in reversed(parts)}
    return _Linked(folder, folder.game, sound, parents, asks, terms, disputes)


def _sound_parts(folder: GameFolder, parts: Sequence[Part], problems: Sequence[Problem]) -> dict[str, list[Part]]:
    """The parts of each entry in whose lines, heading to last, there is no problem."""
    faults: dict[str, list[int]] = defaultdict(list)
    for problem in problems:
        faults[problem.file].append(problem.line)
    headless = {sheet.file for sheet in folder.sheets if sheet.document.front is None}
    sound: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        lines = range(part.section.line, part.section.end + 1)
        if part.file not in headless and not any(line in lines for line in faults[part.file]):
            sound[part.id].append(part)
    return sound


def _asks(folder: GameFolder, problems: list[Problem]) -> Asks:
    """The asks by language and entry; a problem for every entry without."""
    asks: dict[str, Mapping[str, tuple[str, ...]]] = {}
    for name, table in folder.tables.items():
        if name.startswith("asks."):
            asks[name.split(".")[1]] = read_asks(table, folder.ids, 1 if folder.private else FEWEST_ASKS)
    for lang in () if folder.private else ASK_LANGUAGES:
        file = f"{folder.id}/asks.{lang}.toml"
        hint = f"write at least {FEWEST_ASKS}"
        if f"asks.{lang}.toml" not in folder.names:
            problems.append(Problem(file, 0, "file is missing", f"{hint} asks for every entry"))
        elif lang in asks:
            missing = sorted(folder.ids - asks[lang].keys())
            problems += [Problem(file, 0, f"no asks for '{entry}'", hint) for entry in missing]
    return asks


def _terms_and_disputes(folder: GameFolder, game: GameFile) -> tuple[tuple[Term, ...], tuple[Dispute, ...]]:
    glossary, disputes = folder.tables.get("glossary.toml"), folder.tables.get("disputes.toml")
    return (
        read_terms(glossary, game.languages, folder.ids) if glossary else (),
        read_disputes(disputes, game.languages, folder.ids, game.source_ids) if disputes else (),
    )


# --- building ---------------------------------------------------------------------------------------------------------


def _build(
    linked: Collection[_Linked], skipped: Mapping[str, Sequence[Problem]], rest: Mapping[str, Outline]
) -> Corpus:
    """The corpus of all that is sound: no entry names another that is not in it."""
    names = {f"{game.folder.id}/{entry}" for game in linked for entry in game.parts}
    names |= {f"{key.removeprefix(PACKS)}/{entry}" for key, outline in rest.items() for entry in outline.entries}
    order = count()
    entries: list[Entry] = []
    for game in linked:
        known = names | {f"source:{source}" for source in game.game.sources}
        entries += [_entry(game, entry, known, next(order)) for entry in game.parts]
    games = {game.folder.id: _game(game) for game in linked}
    left_out = {pack: len(found) for pack, found in skipped.items()}
    return Corpus(games, {entry.name: entry for entry in entries}, left_out)


def _game(linked: _Linked) -> Game:
    game, entries, sources = linked.game, linked.parts.keys(), linked.game.sources.keys()
    titles = {
        (DOCUMENTS[sheet.name], sheet.lang): sheet.document.front.title
        for sheet in linked.folder.sheets
        if sheet.document.front
    }
    disputes = (
        replace(
            dispute,
            entries=_among(dispute.entries, entries),
            basis_sources=_among(dispute.basis_sources, sources),
            positions=tuple(replace(p, sources=_among(p.sources, sources)) for p in dispute.positions),
        )
        for dispute in linked.disputes
    )
    return Game(
        id=linked.folder.id,
        title=game.title,
        languages=game.languages,
        updated=game.updated,
        aliases=game.aliases,
        facts=game.facts,
        sources=game.sources,
        disputes=tuple(dispute for dispute in disputes if dispute.entries),
        terms=tuple(term for term in linked.terms if term.entry in entries),
        documents=titles,
        private=linked.folder.private,
    )


def _entry(linked: _Linked, name: str, known: Collection[str], order: int) -> Entry:
    parts = linked.parts[name]
    first = parts[0]
    attributes = first.section.attributes
    return Entry(
        id=name,
        game=linked.folder.id,
        kind=first.kind,
        parent=_parent(linked, name),
        order=order,
        texts={part.lang: _text(part, linked.folder.id, known) for part in parts},
        sources=_among(first.sources, linked.game.sources.keys()),
        rests_on=_among(first.rests_on, linked.parts.keys()),
        players=attributes.get("players", ""),
        edition=attributes.get("edition", ""),
        variant=attributes.get("variant", ""),
        asks={lang: asks[name] for lang, asks in linked.asks.items() if asks.get(name)},
    )


def _parent(linked: _Linked, name: str) -> str:
    """The nearest entry above that is in the corpus; none where the parents lead in a circle."""
    seen = {name}
    while (name := linked.parents.get(name, "")) and name not in seen:
        if name in linked.parts:
            return name
        seen.add(name)
    return ""


def _among(names: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in known)


def _text(part: Part, game: str, known: Collection[str]) -> Text:
    section = part.section
    blocks = tuple(_link_block(block, game, known) for block in section.blocks)
    pages = section.attributes.get("pages", "")
    return Text(part.lang, section.title, blocks, part.file, section.line, section.markdown, part.aliases, pages)


def _link_block(block: Block, game: str, known: Collection[str]) -> Block:
    spans = (s._replace(target=target_name(s.target, game)) if s.kind == "link" else s for s in block.spans)
    return block._replace(spans=tuple(s for s in spans if s.kind != "link" or s.target in known))
