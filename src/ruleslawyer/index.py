"""The index on disk: where it lies, whether it is fresh and whole, how it is built and swapped in.

Each state of the corpus has a folder of its own, named by the fingerprint of everything it was made from. It is written
beside its final place and renamed, so it is there whole or not at all, however many commands start at once. A seal
(sizes and checksums) is checked before anything in it is read: opening a Whoosh index unpickles.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ruleslawyer import __version__, store
from ruleslawyer.analysis import ANALYSIS_VERSION
from ruleslawyer.dictionary import Dictionary
from ruleslawyer.errors import IndexDamaged, IndexUnsafe
from ruleslawyer.model import Note
from ruleslawyer.records import Record
from ruleslawyer.store import Store

INDEX_VERSION = 1
"""Raise whenever what is stored changes."""

SEAL = "seal.json"
DICTIONARY = "dictionary.json"
CATALOGUE = "catalogue.json"
KEEP = 3
"""How many earlier states of a corpus are kept: another command may be reading one."""

Notice = Callable[[Note], None]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Index:
    """An open index: the postings, the dictionary and what lists show. ``folder`` is ``None`` in memory."""

    store: Store
    dictionary: Dictionary
    games: dict[str, Any]
    folder: Path | None

    def record(self, document: int) -> Record:
        """The entry with this document number."""
        return Record(self.store.stored(document))

    def find(self, name: str) -> Record | None:
        """The entry with this full name."""
        found = self.store.with_keyword("id", name)
        return self.record(min(found)) if found else None

    @cached_property
    def records(self) -> dict[str, Record]:
        """All entries by full name, in corpus order."""
        records = [self.record(n) for n in range(self.store.documents)]
        return {r.name: r for r in sorted(records, key=lambda r: r.head["order"])}


def corpus_files(root: Path) -> Iterator[Path]:
    """Every file a corpus is read from, sorted; never through a symbolic link."""
    for game in sorted(p for p in root.iterdir() if p.is_dir() and not p.is_symlink() and not p.name.startswith(".")):
        yield from sorted(p for p in game.iterdir() if p.suffix in (".md", ".toml") and p.is_file() and not p.is_symlink())


def fingerprint(root: Path) -> str:
    """What the index of a corpus depends on, as a short name: every file's name and bytes, and the versions of the parts."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{INDEX_VERSION} {ANALYSIS_VERSION} {__version__} {store.ENGINE}".encode())
    for path in corpus_files(root):
        content = path.read_bytes()
        digest.update(f"\0{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def cache_folder() -> Path:
    """The user's cache folder for indexes, as ``platformdirs`` names it."""
    from platformdirs import user_cache_path

    return user_cache_path("ruleslawyer", appauthor=False) / "index"


def home_of(root: Path, cache: Path) -> Path:
    """The folder that holds the states of one corpus: named by where the corpus lies."""
    place = hashlib.blake2b(str(root.resolve()).encode(), digest_size=6).hexdigest()
    return cache / place


def open_index(
    root: Path, cache: Path | None = None, notice: Notice = lambda _: None, progress: Progress = lambda _n, _of: None
) -> Index:
    """Open the index of a corpus, building it first where there is none that is fresh and whole.

    Args:
        root: the corpus folder.
        cache: where indexes are kept; the user's cache folder by default.
        notice: is told what takes time or went wrong, as a key of the interface words (``notice.…``) and its values.
        progress: is told ``(entries done, entries in all)`` while building.

    Raises:
        CorpusInvalid: the corpus has no usable entry.
        IndexUnsafe: the cache folder could be written to by somebody else.
    """
    state = fingerprint(root)
    home = home_of(root, cache or cache_folder())
    folder = home / state
    if folder.exists():
        try:
            return _open(folder)
        except IndexDamaged as damage:
            notice(Note("damaged", {"reason": damage.message}))
            _set_aside(folder)
    return build(root, home, state, notice, progress)


def build(root: Path, home: Path, state: str, notice: Notice, progress: Progress) -> Index:
    """Build the index of a corpus and swap it in; in memory, with a notice, where nothing can be written."""
    from ruleslawyer.building import build_files, build_in_memory

    notice(Note("building", {}))
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        _refuse_unsafe(home)
        work = Path(tempfile.mkdtemp(prefix="new-", dir=home))
    except OSError as error:
        notice(Note("unwritable", {"folder": str(home), "reason": str(error.strerror)}))
        return build_in_memory(root, progress)
    try:
        build_files(root, work, progress)
        _seal(work)
        _swap_in(work, home / state)
    except OSError as error:
        notice(Note("unwritable", {"folder": str(home), "reason": str(error.strerror)}))
        return build_in_memory(root, progress)
    finally:
        store.remove(work)
    _drop_old(home, state)
    return _open(home / state)


def _swap_in(work: Path, final: Path) -> None:
    """Rename; where another command was first, its result is as good as ours."""
    try:
        work.rename(final)
    except OSError:
        if not final.exists():
            raise


def _open(folder: Path) -> Index:
    """Open an index folder after checking that it is ours and whole."""
    _refuse_unsafe(folder.parent)
    _refuse_unsafe(folder)
    _check_seal(folder)
    try:
        dictionary = Dictionary.from_json(_read_json(folder / DICTIONARY))
        return Index(Store.open(folder), dictionary, _read_json(folder / CATALOGUE), folder)
    except Exception as error:  # whatever a foreign or future index makes Whoosh raise, it is rebuilt
        raise IndexDamaged(type(error).__name__) from error


def _read_json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _seal(folder: Path) -> None:
    files = {p.name: [p.stat().st_size, zlib.crc32(p.read_bytes())] for p in sorted(folder.iterdir())}
    (folder / SEAL).write_text(json.dumps(files), encoding="utf-8")


def _check_seal(folder: Path) -> None:
    """Hold every file against the seal. Locks, which Whoosh leaves behind empty, do not count."""
    try:
        sealed = _read_json(folder / SEAL)
        for name, (size, checksum) in sealed.items():
            content = (folder / name).read_bytes()
            if len(content) != size or zlib.crc32(content) != checksum:
                raise IndexDamaged(name)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise IndexDamaged(type(error).__name__) from error


def _refuse_unsafe(folder: Path) -> None:
    """An index is unpickled, so its folder must be the user's own and closed to others' writing."""
    if os.name != "posix":
        return
    found = folder.stat()
    if found.st_uid != os.geteuid():
        raise IndexUnsafe(f"{folder} belongs to another user", f"remove it or set XDG_CACHE_HOME to a folder of yours")
    if stat.S_IMODE(found.st_mode) & 0o022:
        raise IndexUnsafe(f"{folder} can be written to by others", f"run: chmod go-w {folder}")


def _set_aside(folder: Path) -> None:
    with suppress(OSError):
        aside = Path(tempfile.mkdtemp(prefix="old-", dir=folder.parent))
        folder.rename(aside / folder.name)
        store.remove(aside)


def _drop_old(home: Path, state: str) -> None:
    """Keep the newest states; remove the rest and what a killed build left behind an hour ago or more."""
    with suppress(OSError):
        states = sorted((p for p in home.iterdir() if p.name != state), key=lambda p: p.stat().st_mtime, reverse=True)
        done = [p for p in states if not p.name.startswith(("new-", "old-"))]
        left = [p for p in states if p.name.startswith(("new-", "old-")) and p.stat().st_mtime < time.time() - 3600]
        for path in (*done[KEEP:], *left):
            store.remove(path)


def forget(root: Path, cache: Path) -> None:
    """Remove every index of a corpus."""
    store.remove(home_of(root, cache))
