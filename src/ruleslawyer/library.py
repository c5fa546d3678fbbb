"""A person's own packs: which there are, starting one, removing one.

A pack is a game folder; ``docs/corpus.md`` tells its format.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ruleslawyer.corpus import load, pack_folders
from ruleslawyer.errors import DataProblem, Problem, UsageProblem, nearest
from ruleslawyer.model import Localised
from ruleslawyer.packlock import locked
from ruleslawyer.textfile import KEBAB, KEBAB_HINT
from ruleslawyer.words import Words

RESERVED = frozenset({"assets", "entries", "search"})
"""Names of the website's own folders, which no game can have."""


LONGEST_ID = 64
"""Characters of a pack's id, which is a folder's name."""


class Pack(NamedTuple):
    """A private pack: its folder, titles by language (none where it is faulty), entries, and what is wrong with it."""

    id: str
    folder: Path
    title: Localised
    entries: int
    problems: tuple[Problem, ...]


def packs_in(packs: Path, root: Path) -> list[Pack]:
    """All private packs, sorted by id, sound or not.

    Args:
        packs: the folder of the packs; it may be missing.
        root: the corpus folder, to whose entries packs may link.
    """
    loaded = load(root, packs)
    games = loaded.corpus.games
    counts = {g: sum(e.game == g for e in loaded.corpus.entries.values()) for g in games}
    return [
        Pack(
            path.name,
            path,
            games[path.name].title if path.name in games else {},
            counts.get(path.name, 0),
            loaded.skipped.get(path.name, ()),
        )
        for path in pack_folders(packs)
    ]


def refuse_id(game: str, root: Path) -> None:
    """Refuse what cannot be the id of a private pack.

    Raises:
        UsageProblem: it is malformed, reserved, or a bundled game has it.
    """
    if len(game) > LONGEST_ID:
        raise UsageProblem(f"the id is longer than {LONGEST_ID} characters", "choose a shorter one")
    if not KEBAB.fullmatch(game):
        raise UsageProblem(f"{game!r} cannot be a game's id", KEBAB_HINT)
    if game in RESERVED:
        raise UsageProblem(f"{game!r} is a name of the website's own", f"try: {game}-game")
    if (root / game).exists():
        raise UsageProblem(f"the rules of {game} come with the program", f"give yours another id, e.g. {game}-house")


def new_pack(packs: Path, root: Path, game: str, title: str, words: Words, today: str) -> Path:
    """Start a pack without entries, with an example in comments, and return the file to write in.

    Args:
        packs: the folder of the packs, made if it is missing.
        root: the corpus folder.
        game: the new pack's id.
        title: the game's title.
        words: the interface words of the language the rules will be in.
        today: the date, ``2026-11-30``.

    Raises:
        UsageProblem: there is such a pack, or the id cannot be one.
        DataProblem: it cannot be written.
    """
    refuse_id(game, root)
    if (packs / game).exists():
        raise UsageProblem(f"there is a pack {game} already", f"write in {packs / game}, or choose another id")
    lang = words.lang
    files = {
        "game.toml": words("pack.game", title=json.dumps(title, ensure_ascii=False), lang=lang, today=today),
        f"rules.{lang}.md": words("pack.rules", today=today),
    }
    try:
        packs.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(packs, f"rules new {game}"):
            _put_in_place(files, packs, game)
    except OSError as error:
        raise DataProblem(
            f"cannot write to {packs}: {error.strerror}", "free some space, or set XDG_DATA_HOME"
        ) from error
    return packs / game / f"rules.{lang}.md"


def _put_in_place(files: Mapping[str, str], packs: Path, game: str) -> None:
    work = Path(tempfile.mkdtemp(prefix=".new-", dir=packs))
    try:
        for name, text in files.items():
            (work / name).write_text(text + "\n", encoding="utf-8")
        work.rename(packs / game)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def remove_pack(packs: Path, game: str) -> None:
    """Remove a pack with everything in it.

    Raises:
        UsageProblem: there is none of this name.
        DataProblem: it cannot be removed.
    """
    pack = pack_named(packs, game)
    try:
        if pack.is_symlink():
            pack.unlink()
            return
        with locked(packs, f"rules packs remove {game}"):
            aside = Path(tempfile.mkdtemp(prefix=".removed-", dir=packs))
            pack.rename(aside / game)  # gone at once: nobody finds it half removed
            shutil.rmtree(aside)
    except OSError as error:
        raise DataProblem(f"cannot remove {pack}: {error.strerror}", "look at the folder's permissions") from error


def pack_named(packs: Path, game: str) -> Path:
    """The folder of a pack.

    Raises:
        UsageProblem: there is none of this name; the nearest is named.
    """
    known = {path.name: path for path in pack_folders(packs)}
    if game in known and os.sep not in game:
        return known[game]
    hint = nearest(game, known) if known else "there is none yet: rules import FILE, or rules new GAME"
    raise UsageProblem(f"there is no private pack {game!r}", hint)
