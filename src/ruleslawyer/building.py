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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from ruleslawyer import store
from ruleslawyer.contents import MANY, Contents, whole
from ruleslawyer.corpus import Loaded, load
from ruleslawyer.dictionary import compact_json
from ruleslawyer.errors import CorpusInvalid, IndexDamaged, IndexUnsafe
from ruleslawyer.forking import beside
from ruleslawyer.model import Corpus
from ruleslawyer.rebuilding import change
from ruleslawyer.state import (
    Index,
    Notice,
    Progress,
    game_states,
    home_of,
    made,
    name_of,
    open_state,
    refuse_unsafe,
    seal,
)
from ruleslawyer.words import Note

KEEP = 3
"""How many earlier states of a corpus are kept: another command may be reading one."""

SWAPS = 5
"""How often an index is put in place or opened before giving up: other commands may be doing the same."""

WORKING = ("new-", "old-")
"""What the names of work folders begin with."""

ABANDONED = 3600
"""Seconds after which a work folder belongs to a build that was killed."""


def build(root: Path, packs: Path | None, home: Path, notice: Notice, progress: Progress) -> Index:
    """Build the index of a corpus in its cache folder; in memory, with a notice, where nothing can be written.

    Args:
        root: the corpus folder.
        packs: the folder of private packs.
        home: the cache folder of this corpus.
        notice: is told what takes time or went wrong.
        progress: is told how far building is.

    Raises:
        CorpusInvalid: the corpus has no usable entry.
        IndexUnsafe: the cache folder could be written to by somebody else.
    """
    with suppress(OSError):  # where there is no folder yet, it is made below
        refuse_unsafe(home)
    notice(Note("building"))
    try:
        for _ in range(SWAPS):
            states = game_states(root, packs)
            contents = _contents(root, packs, home, states, progress)
            if contents and game_states(root, packs) == states:
                _tell_problems(contents, notice)
                with _unless_base_gone(contents):
                    return _build_on_disk(contents, home, name_of(states))
    except OSError as error:
        notice(Note("unwritable", {"folder": str(home), "reason": error.strerror or str(error)}))
    loaded = _usable(root, packs)
    contents = whole(loaded, {}, progress)
    _tell_problems(contents, notice)
    return _in_memory(contents)


@contextmanager
def _unless_base_gone(contents: Contents) -> Iterator[None]:
    """Let it be tried again where another command has removed the index whose base was to be shared."""
    try:
        yield
    except FileNotFoundError:
        if not contents.base or contents.base.exists():
            raise


def _tell_problems(contents: Contents, notice: Notice) -> None:
    if contents.problems:
        notice(Note("problems", {"count": str(contents.problems)}))


def _contents(
    root: Path, packs: Path | None, home: Path, states: Mapping[str, str], progress: Progress
) -> Contents | None:
    """What the index of a corpus holds: what is new beside an earlier index of it where little is, else all.

    Nothing where a game is there that was not when the ``states`` were looked at, even if it should be gone again by now.
    """
    earlier = _earlier(home)
    if earlier:
        try:
            changed = change(earlier, root, packs, states)
        except (IndexDamaged, FileNotFoundError):  # another command has replaced or removed it meanwhile
            changed = None
        finally:
            earlier.store.close()
        if changed:
            return changed
    loaded = _usable(root, packs)
    return whole(loaded, states, progress) if loaded.outlines.keys() <= states.keys() else None


def _earlier(home: Path) -> Index | None:
    """The newest index of the same corpus that this program made and that is whole."""
    with suppress(OSError):
        states = [p for p in home.iterdir() if not p.name.startswith(WORKING)]
        for folder in sorted(states, key=lambda p: p.stat().st_mtime, reverse=True):
            with suppress(OSError, IndexDamaged, IndexUnsafe):
                index = open_state(folder)
                if index.outlines["made"] == made():
                    return index
                index.store.close()
    return None


def _usable(root: Path, packs: Path | None) -> Loaded:
    loaded = load(root, packs)
    if not loaded.corpus.entries:
        raise CorpusInvalid(loaded.problems)
    return loaded


def _build_on_disk(contents: Contents, home: Path, state: str) -> Index:
    for missing in reversed([p for p in (home, *home.parents) if not p.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    refuse_unsafe(home)
    work = Path(tempfile.mkdtemp(prefix="new-", dir=home))
    try:
        _write_files(contents, work)
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


def write_files(loaded: Loaded, folder: Path, progress: Progress) -> None:
    """Write the index of a corpus into an empty folder."""
    _write_files(whole(loaded, {}, progress), folder)


def _write_files(contents: Contents, folder: Path) -> None:
    """Write an index into an empty folder: the postings, and beside them the parts that are read as JSON."""
    documents = sum(len(part.stored) for part in contents.postings)
    with beside(partial(_write_parts, contents, folder), worthwhile=documents > MANY):
        _write_postings(contents, folder)


def _write_postings(contents: Contents, folder: Path) -> None:
    if contents.base:
        store.write(folder, contents.postings, store.LATER)
        for path in store.files_of_base(contents.base):
            _share(path, folder / path.name)
    else:
        store.write(folder, contents.postings)


def _write_parts(contents: Contents, folder: Path) -> None:
    for name, data in contents.parts().items():
        (folder / f"{name}.json").write_text(compact_json(data), encoding="utf-8")


def _share(path: Path, other: Path) -> None:
    """The same file in another folder: a second name of it where the system can, else a copy. Neither is ever written to."""
    try:
        os.link(path, other)
    except OSError:
        shutil.copyfile(path, other)


def build_in_memory(corpus: Corpus, progress: Progress) -> Index:
    """The same index without a file."""
    return _in_memory(whole(Loaded(corpus, ()), {}, progress))


def _in_memory(contents: Contents) -> Index:
    parts = {name: compact_json(data) for name, data in contents.parts().items()}
    return Index(store.write_in_memory(contents.postings), lambda name: json.loads(parts[name]), None)


def forget(root: Path, cache: Path) -> None:
    """Remove every index of a corpus."""
    shutil.rmtree(home_of(root, cache), ignore_errors=True)


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
        working = [p for p in others if p.name.startswith(WORKING)]
        abandoned = [p for p in working if p.stat().st_mtime < time.time() - ABANDONED]
        done = [p for p in others if p not in working]
        for path in (*done[KEEP:], *abandoned):
            shutil.rmtree(path, ignore_errors=True)
