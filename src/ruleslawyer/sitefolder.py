"""Writing a finished site: into a folder beside its place first, then swapped in whole."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ruleslawyer.errors import DataProblem, UsageProblem

MARKER = "rules-site.json"
"""Names the build, and tells that a folder is a site of ours, which a new one may replace."""

ABANDONED = 3600
"""Seconds after which a folder beside a site belongs to a build that was killed."""

AT_FDCWD, EXCHANGE = -100, 2
"""What Linux's ``renameat2`` calls a path that starts where the process works, and the exchange of two files."""

Step = Callable[[], None]


class Written(NamedTuple):
    """What was done: how many files were written, and how many are the very files of the site before."""

    new: int
    kept: int


def marker(build: str, files: Iterable[str], pages: Sequence[str] = ()) -> bytes:
    """The content of the marker file: the build, and every file of the site, so that nothing else is ever replaced.

    ``pages``: the marks of the build's pages, for those that are open while it is made.
    """
    data = {"generator": "ruleslawyer", "build": build, "pages": " ".join(pages), "files": sorted({*files, MARKER})}
    return (json.dumps(data, ensure_ascii=False) + "\n").encode()


def refuse_foreign(target: Path) -> None:
    """Refuse a place that holds anything but a site of ours.

    Raises:
        UsageProblem: the place is a file, or a folder that is neither empty nor ours.
    """
    if not target.exists() and not target.is_symlink():
        return
    if not target.is_dir():
        raise UsageProblem(f"{target} is not a folder", "name another place with -o")
    if not any(target.iterdir()):
        return
    ours = _files_of_ours(target)
    if ours is None:
        raise UsageProblem(f"{target} holds files that are not a site of ours", "name an empty or new folder with -o")
    for path in sorted(target.rglob("*")):
        if path.is_symlink() or not path.is_dir():
            name = path.relative_to(target).as_posix()
            if name not in ours:
                hint = "move it away, or name an empty or new folder with -o"
                raise UsageProblem(f"{target} holds {name}, which is not of our site", hint)


def _files_of_ours(folder: Path) -> frozenset[str] | None:
    """The files that our marker in a folder names; ``None`` where there is no marker of ours."""
    if not (folder / MARKER).is_file():  # a pipe would be waited for
        return None
    try:
        data = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("generator") != "ruleslawyer" or not isinstance(data.get("files"), list):
        return None
    return frozenset(name for name in data["files"] if isinstance(name, str))


def write_folder(files: Mapping[str, bytes], target: Path, step: Step) -> Written:
    """Write files, site path -> content, and swap them in: the place holds the old site or the new one, never a mixture.

    Files of the old site that hold the same are not written again: the new folder has them too, as hard links. So no file
    is ever written in place. Where everything is the same, the place is left as it is.

    Raises:
        UsageProblem: the place holds something that is not ours.
        DataProblem: it cannot be written.
    """
    refuse_foreign(target)
    target = target.resolve()  # a link stays one, and leads to the new site
    try:
        if target.parent.is_dir():
            _drop_abandoned(target)
        if _stands(files, target):
            kept = len(files)
            for _ in files:
                step()
        else:
            kept = _written_beside(files, target, step)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataProblem(f"cannot write the site to {target}: {reason}", "name another place with -o") from error
    return Written(len(files) - kept, kept)


def _stands(files: Mapping[str, bytes], target: Path) -> bool:
    """Whether the place holds just these files. The marker, which names the build and all files, is looked at first."""
    first = sorted(files, key=lambda name: name != MARKER)
    return MARKER in files and all(_holds(target / name, files[name]) for name in first)


def _holds(path: Path, content: bytes) -> bool:
    """Whether a file is there as it would be written: no link and no pipe, of this content, to be read by the same people."""
    try:
        state = path.lstat()
        alike = state.st_mode == stat.S_IFREG | (0o666 & ~_umask()) and state.st_size == len(content)
        return alike and path.read_bytes() == content
    except OSError:
        return False


def _written_beside(files: Mapping[str, bytes], target: Path, step: Step) -> int:
    """Make the new folder and swap it in; how many files of the old one it has."""
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}-new-", dir=target.parent))
    try:
        kept = _write_all(files, target, work, step)
        _swap_in(work, target)
    finally:
        _remove(work)
    return kept


def _write_all(files: Mapping[str, bytes], old: Path, folder: Path, step: Step) -> int:
    first = {MARKER: files[MARKER], **files} if MARKER in files else files  # whose the folder is, before all else
    kept = 0
    for name, content in first.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if _taken_over(old / name, path, content):
            kept += 1
        else:
            with path.open("xb") as file:
                file.write(content)
        step()
    folder.chmod(0o777 & ~_umask())
    return kept


def _taken_over(old: Path, new: Path, content: bytes) -> bool:
    """Give an old file its new name too, if it has this content: looked at under that name, where nobody replaces it."""
    try:
        os.link(old, new)
    except OSError:  # it is not there, or there are no hard links here: it is written
        return False
    if _holds(new, content):
        return True
    new.unlink()
    return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _swap_in(work: Path, target: Path) -> None:
    if not target.exists():
        work.rename(target)
        return
    refuse_foreign(target)  # once more: building took a while
    if _exchanged(work, target):
        return
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}-old-", dir=target.parent))
    old = aside / "site"
    target.rename(old)
    try:
        work.rename(target)
    except OSError:
        old.rename(target)
        raise
    finally:
        _remove(old)
        _remove(aside)


def _exchanged(one: Path, other: Path) -> bool:
    """Swap two folders in one step where the system can (Linux): at no moment is there neither site."""
    if sys.platform != "linux":
        return False
    exchange = getattr(ctypes.CDLL(None), "renameat2", None)
    return exchange is not None and exchange(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), EXCHANGE) == 0


def _remove(folder: Path) -> None:
    """Delete a folder, the marker last: if this is cut short, it can still be told that the rest is ours."""
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name != MARKER:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()
        shutil.rmtree(folder)


def _drop_abandoned(target: Path) -> None:
    """Delete what builds that were killed left beside the place: folders of ours, with nothing in them that is not."""
    beside = re.compile(rf"\.{re.escape(target.name)}-(?:new|old)-[a-z0-9_]{{8}}")
    for path in target.parent.iterdir():
        if beside.fullmatch(path.name) and path.is_dir():
            with suppress(OSError, UsageProblem):
                if path.is_symlink() or path.stat().st_mtime > time.time() - ABANDONED:
                    continue
                for folder in (path / "site", path):
                    refuse_foreign(folder)
                    _remove(folder)
