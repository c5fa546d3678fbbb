"""Writing a finished site: into a folder beside its place first, then swapped in whole."""

from __future__ import annotations

import ctypes
import json
import os
import re
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ruleslawyer.errors import DataProblem, UsageProblem
from ruleslawyer.heldfolder import HERE, Folder, is_own

MARKER = "rules-site.json"
"""Names the build, and tells that a folder is a site of ours, which a new one may replace."""

LARGEST_MARKER = 16 << 20
"""Bytes; a file of more is no marker of ours, and is not read."""

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
    with HERE.opened(os.path.realpath(target)) as folder:
        _refuse_foreign_in(folder, target)


def _refuse_foreign_in(folder: Folder, target: Path) -> None:
    """The same of a folder that is held open, and told by the path ``target``."""
    ours = _files_of_ours(folder)
    if ours is None:
        if folder.entries():
            hint = "name an empty or new folder with -o"
            raise UsageProblem(f"{target} holds files that are not a site of ours", hint)
        return
    for name in folder.files():
        if name not in ours:
            hint = "move it away, or name an empty or new folder with -o"
            raise UsageProblem(f"{target} holds {name}, which is not of our site", hint)


def _files_of_ours(folder: Folder) -> frozenset[str] | None:
    """The files that our marker in a folder names; ``None`` where there is no marker of ours."""
    try:
        data = json.loads(folder.content(MARKER, LARGEST_MARKER) or b"")
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
    mask = _umask()
    try:
        if target.parent.is_dir():
            _drop_abandoned(target)
        if _stands(files, target, mask):
            kept = len(files)
            for _ in files:
                step()
        else:
            kept = _written_beside(files, target, mask, step)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataProblem(f"cannot write the site to {target}: {reason}", "name another place with -o") from error
    return Written(len(files) - kept, kept)


def _stands(files: Mapping[str, bytes], target: Path, mask: int) -> bool:
    """Whether the place holds just these files, in folders as they would be made, and nobody else has a hold on them.

    The marker, which names the build and all files, is looked at first.
    """
    first = sorted(files, key=lambda name: name != MARKER)
    return (
        MARKER in files
        and all(_holds(target / name, files[name], mask, links=1) for name in first)
        and all(_is_as_made(Path(folder), mask) for folder, _, _ in os.walk(target))
    )


def _is_as_made(folder: Path, mask: int) -> bool:
    """Whether a folder is this user's, and open to the same people as a new one."""
    state = folder.lstat()
    return is_own(state) and state.st_mode & 0o777 == 0o777 & ~mask


def _holds(path: Path, content: bytes, mask: int, links: int) -> bool:
    """Whether a file is there as it would be written: this user's, no link and no pipe, of this content.

    Args:
        path: of the file.
        content: that it would have.
        mask: the umask, and so who may read it.
        links: names that it has by our doing. One more, and somebody else has one: a backup, or who plants files.
    """
    try:
        state = path.lstat()
        alike = state.st_mode == stat.S_IFREG | (0o666 & ~mask) and state.st_size == len(content)
        own = is_own(state) and state.st_nlink == links
        return alike and own and HERE.content(str(path), len(content)) == content
    except OSError:
        return False


def _written_beside(files: Mapping[str, bytes], target: Path, mask: int, step: Step) -> int:
    """Make the new folder and swap it in; how many files of the old one it has."""
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}-new-", dir=target.parent))
    made = work.lstat()
    try:
        kept = _write_all(files, target, work, mask, step)
        _swap_in(work, target)
    finally:
        _remove(work, made)
    return kept


def _write_all(files: Mapping[str, bytes], old: Path, folder: Path, mask: int, step: Step) -> int:
    first = {MARKER: files[MARKER], **files} if MARKER in files else files  # whose the folder is, before all else
    kept = 0
    for name, content in first.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if _taken_over(old / name, path, content, mask):
            kept += 1
        else:
            with path.open("xb") as file:
                file.write(content)
        step()
    folder.chmod(0o777 & ~mask)
    return kept


def _taken_over(old: Path, new: Path, content: bytes, mask: int) -> bool:
    """Give an old file its new name too, if it has this content: looked at under that name, where nobody replaces it."""
    try:
        os.link(old, new)
    except OSError:  # it is not there, or there are no hard links here: it is written
        return False
    if _holds(new, content, mask, links=2):
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
        with suppress(OSError):
            aside.rmdir()


def _exchanged(one: Path, other: Path) -> bool:
    """Swap two folders in one step where the system can (Linux): at no moment is there neither site."""
    if sys.platform != "linux":
        return False
    exchange = getattr(ctypes.CDLL(None), "renameat2", None)
    return exchange is not None and exchange(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), EXCHANGE) == 0


def _remove(folder: Path, made: os.stat_result | None = None) -> None:
    """Delete a folder if it is the one that was made, or a site of ours with nothing else in it.

    The marker goes last: if this is cut short, it can still be told that the rest is ours.
    """

    def check(held: Folder) -> None:
        if made is None or not os.path.samestat(held.state(), made):
            _refuse_foreign_in(held, folder)

    with suppress(OSError, UsageProblem):
        HERE.remove(str(folder), check, MARKER)


def _drop_abandoned(target: Path) -> None:
    """Delete what builds that were killed left beside the place: folders of ours, with nothing in them that is not."""
    beside = re.compile(rf"\.{re.escape(target.name)}-(?:new|old)-[a-z0-9_]{{8}}")
    for path in target.parent.iterdir():
        if beside.fullmatch(path.name):
            with suppress(OSError, UsageProblem):
                HERE.remove(str(path), partial(_check_abandoned, path), MARKER)


def _check_abandoned(path: Path, folder: Folder) -> None:
    """Refuse a folder where somebody may be at work, or with anything that is not ours; a site put aside in it goes."""
    if folder.state().st_mtime > time.time() - ABANDONED:
        raise UsageProblem(f"{path} is new", "wait an hour")
    with suppress(FileNotFoundError, NotADirectoryError):
        folder.remove("site", partial(_refuse_foreign_in, target=path / "site"), MARKER)
    _refuse_foreign_in(folder, path)
