"""One state of an index: a sealed folder, named by what it was made from, and what is read from it.

Each state of the corpus has a folder of its own, named by the fingerprint of everything it was made from. A seal (sizes and
checksums) is checked before anything in it is read: opening a Whoosh index unpickles.
"""

from __future__ import annotations

import json
import mmap
import os
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from ruleslawyer import __version__
from ruleslawyer.analysis import ANALYSIS_VERSION
from ruleslawyer.dictionary import Dictionary
from ruleslawyer.errors import IndexDamaged, IndexUnsafe
from ruleslawyer.places import PACKS
from ruleslawyer.records import Record
from ruleslawyer.store import ENGINE, Overlay, Store
from ruleslawyer.words import Note

INDEX_VERSION = 8
"""Raise whenever what is stored changes."""

SEAL = "seal.json"
GAMES, CATALOGUE, LINES, OUTLINES, OVERLAY = "games", "catalogue", "lines", "outlines", "overlay"
"""Names of parts, each a JSON file. ``OUTLINES`` is what the next build needs; ``OVERLAY`` is only in an index of two parts."""

Notice = Callable[[Note], None]
"""Is told what takes time or went wrong while an index is opened."""

Progress = Callable[[int, int], None]
"""Is told ``(entries done, entries in all)`` while an index is built."""


class Index:
    """An open index.

    ``games``: titles and source titles by game, ``private`` where it is a person's own; ``skipped``: how many problems
    the private packs have that were left out; ``folder``: ``None`` for an index in memory.
    """

    def __init__(self, store: Store, parts: Callable[[str], Any], folder: Path | None) -> None:
        self.store = store
        self.folder = folder
        self._parts = parts
        self.dictionary = Dictionary.from_parts(self._part)
        games = parts(GAMES)
        self.games: dict[str, Any] = games["games"]
        self.skipped: dict[str, int] = games["skipped"]

    @cached_property
    def catalogue(self) -> dict[str, Any]:
        """By game: facts, sources, terms and disputes, as JSON data."""
        data: dict[str, Any] = self._part(CATALOGUE)
        return data

    @cached_property
    def lines(self) -> dict[str, dict[str, int]]:
        """By full name and language, the line of its file at which a text begins."""
        data: dict[str, dict[str, int]] = self._part(LINES)
        return data

    @cached_property
    def outlines(self) -> dict[str, Any]:
        """What the next build needs to know of this one, as JSON data: see ``rebuilding``."""
        data: dict[str, Any] = self._part(OUTLINES)
        return data

    def _part(self, name: str) -> Any:
        try:
            return self._parts(name)
        except (OSError, ValueError) as error:  # another command has replaced the index meanwhile
            raise IndexDamaged("the index changed while it was read", "run the command again") from error

    def record(self, document: int) -> Record:
        """The entry with this document number."""
        return Record(self.store.stored(document))

    def find(self, name: str) -> Record | None:
        """The entry with this full name."""
        found = self.store.with_keyword("id", name) if name.isascii() else ()
        return self.record(min(found)) if found else None

    @cached_property
    def records(self) -> dict[str, Record]:
        """All entries by full name, in corpus order."""
        records = (self.record(n) for n in range(self.store.documents))
        return {r.name: r for r in records}


def corpus_files(root: Path) -> Iterator[Path]:
    """Every file a corpus is read from, sorted; never through a symbolic link."""
    for game in _game_folders(root):
        yield from _files_of(game)


def _game_folders(root: Path) -> list[Path]:
    return sorted(p for p in root.iterdir() if not p.name.startswith(".") and p.is_dir())


def _files_of(game: Path) -> list[Path]:
    if game.is_symlink():
        return []
    return sorted(p for p in game.iterdir() if p.suffix in (".md", ".toml") and p.is_file() and not p.is_symlink())


def fingerprint(root: Path, packs: Path | None = None) -> str:
    """What the index of a corpus depends on, as a short name: every file's name and bytes, and the versions of the parts.

    Args:
        root: the corpus folder.
        packs: the folder of private packs; it may be missing.
    """
    return name_of(game_states(root, packs))


def name_of(states: Mapping[str, str]) -> str:
    """The fingerprint of games in these states."""
    digest = _Digest(made().encode())
    for game, state in states.items():
        digest.add(f"\0{game}\0{state}".encode("utf-8", "surrogateescape"))
    return digest.name()


def made() -> str:
    """What made an index: the versions of the parts. Only its like can go on from it."""
    return f"{INDEX_VERSION} {ANALYSIS_VERSION} {__version__} {ENGINE}"


def game_states(root: Path, packs: Path | None = None) -> dict[str, str]:
    """What the index depends on, game by game: short names for every file's name and bytes, by ``corpus.outline_key``."""
    states: dict[str, str] = {}
    for folder, prefix in ((root, ""), (packs, PACKS)):
        with suppress(PermissionError, FileNotFoundError, NotADirectoryError) if prefix else nullcontext():
            for game in _game_folders(folder) if folder else ():  # packs out of reach: as good as none; loading tells
                digest = _Digest(b"")
                for path in _files_of(game):
                    digest.add_file(path.name, content_of(path))
                if prefix or not game.is_symlink():  # of a pack that is one is told
                    states[prefix + game.name] = digest.name()
    return states


def content_of(path: Path) -> bytes:
    """A file's bytes; none where it cannot be read, or has just gone away: that is told when the corpus is loaded."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


class _Digest:
    """A short name for bytes: two checksums and the length. Tells states of one's own files apart; no guard against forgery.

    ``hashlib`` would take longer to import than the whole corpus takes to read.
    """

    def __init__(self, start: bytes) -> None:
        self._crc, self._adler, self._length = 0, 1, 0
        self.add(start)

    def add(self, data: bytes) -> None:
        self._crc = zlib.crc32(data, self._crc)
        self._adler = zlib.adler32(data, self._adler)
        self._length += len(data)

    def add_file(self, name: str, content: bytes) -> None:
        self.add(b"\0%s\0%d\0" % (os.fsencode(name), len(content)))
        self.add(content)

    def name(self) -> str:
        return f"{self._crc:08x}{self._adler:08x}{self._length:x}"


def home_of(root: Path, cache: Path) -> Path:
    """The folder that holds the states of one corpus: named by where the corpus lies."""
    return cache / _Digest(os.fsencode(root.resolve())).name()


def open_state(folder: Path) -> Index:
    """Open an index folder after checking that it is ours and whole.

    Raises:
        OSError: there is no such folder, or it is out of reach.
        IndexDamaged: a file is missing, truncated, changed, added or cannot be read.
        IndexUnsafe: somebody else could have written it.
    """
    refuse_unsafe(folder.parent)
    refuse_unsafe(folder)
    _check_seal(folder)
    try:
        overlay = folder / f"{OVERLAY}.json"
        store = Store.open(folder, Overlay(**_read_json(overlay)) if overlay.exists() else None)
        return Index(store, lambda name: _read_json(folder / f"{name}.json"), folder)
    except Exception as error:
        raise IndexDamaged(_reason(error)) from error


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__


def _read_json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def seal(folder: Path) -> None:
    """Write down size and checksum of every file of an index; the last thing done to it."""
    files = {p.name: _sum_of(p) for p in sorted(folder.iterdir())}
    (folder / SEAL).write_text(json.dumps(files), encoding="utf-8")


def _sum_of(path: Path) -> list[int]:
    """Size and checksum of a file."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if not size:
            return [0, 0]
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return [size, zlib.crc32(content)]


def _check_seal(folder: Path) -> None:
    """The files of the folder are those that were sealed and no other: Whoosh would open the table of contents with the
    highest number, whoever wrote it. All are plain files: reading a pipe or a link to a device might never end.
    """
    try:
        with os.scandir(folder) as found:
            plain = {entry.name: entry.is_file(follow_symlinks=False) for entry in found}
        for name in sorted(name for name, is_plain in plain.items() if not is_plain):
            raise IndexDamaged(name)
        sealed = dict(_read_json(folder / SEAL))
        for name in sorted(sealed.keys() ^ plain.keys() - {SEAL}):
            raise IndexDamaged(name)
        for name, (size, checksum) in sealed.items():
            if _sum_of(folder / name) != [size, checksum]:
                raise IndexDamaged(name)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise IndexDamaged(_reason(error)) from error


def refuse_unsafe(folder: Path) -> None:
    """An index is unpickled, so its folder must be the user's own and closed to others' writing.

    Raises:
        IndexUnsafe: it is not.
    """
    if os.name != "posix":
        return
    found = folder.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise IndexUnsafe(f"{folder} is a link", "remove it, or set XDG_CACHE_HOME to a folder of yours")
    if found.st_uid != os.geteuid():
        raise IndexUnsafe(f"{folder} belongs to another user", "remove it, or set XDG_CACHE_HOME to a folder of yours")
    if stat.S_IMODE(found.st_mode) & 0o022:
        raise IndexUnsafe(f"{folder} can be written to by others", f"run: chmod go-w {folder}")
    for above in folder.resolve().parents:
        found = above.lstat()
        open_to_all = stat.S_IMODE(found.st_mode) & 0o002 and not found.st_mode & stat.S_ISVTX
        if open_to_all or found.st_uid not in (0, os.geteuid()):
            raise IndexUnsafe(
                f"{above} can be changed by others, and with it the index in it", f"run: chmod o-w {above}"
            )
