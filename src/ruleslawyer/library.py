"""A person's own packs: which there are, starting one, removing one.

A pack is a game folder; ``docs/corpus.md`` tells its format.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from ruleslawyer.corpus import load, pack_folders
from ruleslawyer.errors import DataProblem, Problem, UsageProblem, nearest
from ruleslawyer.escaping import one_line
from ruleslawyer.model import Localised
from ruleslawyer.packfiles import write_pack
from ruleslawyer.packlock import locked
from ruleslawyer.terminal import without_escapes
from ruleslawyer.textfile import KEBAB, KEBAB_HINT
from ruleslawyer.words import Words

RESERVED = frozenset({"assets", "entries", "search"})
"""Names of the website's own folders, which no game can have."""


LONGEST_ID = 64
"""Characters of a pack's id, which is a folder's name."""


LONGEST_TITLE = 300
"""Characters of a game's title."""


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


def tidy_title(title: str) -> str:
    """A title or file name as a pack can hold it: on one line, without what has no place in a text, not too long.

    >>> tidy_title(" Fog\\nIslands \\u202e")
    'Fog Islands \ufffd'
    """
    return " ".join(without_escapes(one_line(title)).split())[:LONGEST_TITLE].strip()


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
    folder, sheet = packs / game, packs / game / f"rules.{words.lang}.md"
    told = words("pack.game", title=json.dumps(title, ensure_ascii=False), lang=words.lang, today=today)
    files = {folder / "game.toml": f"{told}\n", sheet: f"{words('pack.rules', today=today)}\n"}
    try:
        with locked(packs, f"rules new {game}"):
            write_pack(files, folder)
    except OSError as error:
        raise DataProblem(
            f"cannot write to {packs}: {error.strerror}", "free some space, or set XDG_DATA_HOME"
        ) from error
    return sheet


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
