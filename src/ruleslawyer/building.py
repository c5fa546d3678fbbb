"""Build an index from a corpus and swap it in. Not imported by a look-up: this is what reads Markdown.

An index is written beside its final place and renamed, so it is there whole or not at all, however many commands start at
once; each builds its own, and the first to finish wins.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ruleslawyer import store
from ruleslawyer.corpus import Loaded, load
from ruleslawyer.dictionary import Dictionary, compact_json
from ruleslawyer.errors import CorpusInvalid, IndexDamaged
from ruleslawyer.indexer import catalogue, games, index_of
from ruleslawyer.model import Corpus
from ruleslawyer.state import (
    CATALOGUE,
    GAMES,
    Index,
    Notice,
    Progress,
    fingerprint,
    home_of,
    open_state,
    refuse_unsafe,
    seal,
)
from ruleslawyer.words import Note

KEEP = 3
"""How many earlier states of a corpus are kept: another command may be reading one."""

SWAPS = 5
"""How often an index is put in place or opened before giving up: other commands may be doing the same."""

ABANDONED = 3600
"""Seconds after which a work folder belongs to a build that was killed."""


def build(root: Path, packs: Path | None, home: Path, state: str, notice: Notice, progress: Progress) -> Index:
    """Build the index of a corpus in its cache folder; in memory, with a notice, where nothing can be written.

    Args:
        root: the corpus folder.
        packs: the folder of private packs.
        home: the cache folder of this corpus.
        state: the fingerprint of both.
        notice: is told what takes time or went wrong.
        progress: is told how far building is.

    Raises:
        CorpusInvalid: the corpus has no usable entry.
        IndexUnsafe: the cache folder could be written to by somebody else.
    """
    with suppress(OSError):  # where there is no folder yet, it is made below
        refuse_unsafe(home)
    notice(Note("building"))
    loaded, state = _settled(root, packs, state)
    if loaded.problems:
        notice(Note("problems", {"count": str(len(loaded.problems))}))
    if not state:
        return build_in_memory(loaded.corpus, progress)
    try:
        return _build_on_disk(loaded.corpus, home, state, progress)
    except OSError as error:
        notice(Note("unwritable", {"folder": str(home), "reason": error.strerror or str(error)}))
        return build_in_memory(loaded.corpus, progress)


def _settled(root: Path, packs: Path | None, state: str) -> tuple[Loaded, str]:
    """The corpus and its state, read again while its files change meanwhile: an index never bears the name of another
    state than it was made from. The name is empty where they change each time.
    """
    for _ in range(SWAPS):
        loaded = _usable(root, packs)
        before, state = state, fingerprint(root, packs)
        if state == before:
            return loaded, state
    return loaded, ""


def _usable(root: Path, packs: Path | None) -> Loaded:
    loaded = load(root, packs)
    if not loaded.corpus.entries:
        raise CorpusInvalid(loaded.problems)
    return loaded


def _build_on_disk(corpus: Corpus, home: Path, state: str, progress: Progress) -> Index:
    for missing in reversed([p for p in (home, *home.parents) if not p.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    refuse_unsafe(home)
    work = Path(tempfile.mkdtemp(prefix="new-", dir=home))
    try:
        write_files(corpus, work, progress)
        seal(work)
        _swap_in(work, home / state)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    _drop_old(home, state)
    return _opened(home / state)


def _opened(folder: Path) -> Index:
    """Open what was just swapped in. Another command that also found damage may be swapping in its own this very moment."""
    for _ in range(SWAPS):
        with suppress(OSError, IndexDamaged):
            return open_state(folder)
        time.sleep(0.05)
    raise OSError(errno.EIO, os.strerror(errno.EIO), str(folder))


def write_files(corpus: Corpus, folder: Path, progress: Progress) -> None:
    """Write the index of a corpus into an empty folder: the postings, and the parts that are read as JSON."""
    indexed, dictionary = index_of(corpus)
    store.write(folder, indexed, _counted(len(indexed), progress))
    for name, data in _parts(corpus, dictionary).items():
        (folder / f"{name}.json").write_text(compact_json(data), encoding="utf-8")


def build_in_memory(corpus: Corpus, progress: Progress) -> Index:
    """The same index without a file."""
    indexed, dictionary = index_of(corpus)
    written = store.write_in_memory(indexed, _counted(len(indexed), progress))
    parts = {name: compact_json(data) for name, data in _parts(corpus, dictionary).items()}
    return Index(written, lambda name: json.loads(parts[name]), None)


def forget(root: Path, cache: Path) -> None:
    """Remove every index of a corpus."""
    shutil.rmtree(home_of(root, cache), ignore_errors=True)


def _parts(corpus: Corpus, dictionary: Dictionary) -> dict[str, Any]:
    return {
        **dictionary.to_parts(),
        GAMES: {"games": games(corpus), "skipped": dict(corpus.skipped)},
        CATALOGUE: catalogue(corpus),
    }


def _counted(total: int, progress: Progress) -> Callable[[], None]:
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        progress(done, total)

    return count


def _swap_in(work: Path, final: Path) -> None:
    """Rename into place. A folder that is there already is as good as ours if it is whole; else it makes way."""
    for _ in range(SWAPS):
        with suppress(OSError):
            work.rename(final)
            return
        if _is_whole(final):
            return
        _remove(final)
    work.rename(final)


def _is_whole(folder: Path) -> bool:
    try:
        open_state(folder).store.close()
    except (OSError, IndexDamaged):
        return False
    return True


def _remove(folder: Path) -> None:
    """Take a damaged index away at once, then delete it: nobody finds it half deleted."""
    aside = Path(tempfile.mkdtemp(prefix="old-", dir=folder.parent))
    with suppress(FileNotFoundError):  # another command has just done it
        folder.rename(aside / folder.name)
    shutil.rmtree(aside, ignore_errors=True)


def _drop_old(home: Path, state: str) -> None:
    """Keep the newest states; remove the rest, and what killed builds left behind."""
    with suppress(OSError):
        others = sorted((p for p in home.iterdir() if p.name != state), key=lambda p: p.stat().st_mtime, reverse=True)
        working = [p for p in others if p.name.startswith(("new-", "old-"))]
        abandoned = [p for p in working if p.stat().st_mtime < time.time() - ABANDONED]
        done = [p for p in others if p not in working]
        for path in (*done[KEEP:], *abandoned):
            shutil.rmtree(path, ignore_errors=True)
