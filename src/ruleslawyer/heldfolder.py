"""A folder held open: what is looked at and what is deleted is the same folder, whatever is put in its place meanwhile.

On systems whose calls take a folder's descriptor (Linux, macOS) nothing is ever followed through a link. Elsewhere folders
are found by their paths, and links are passed over where they are seen.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

BY_DESCRIPTOR = shutil.rmtree.avoids_symlink_attacks
"""Whether the system finds a file by its name in a folder that is open."""

DEEPEST = 32
"""Folders within folders that are looked into; what lies deeper is told as a file, by the folder's name."""


class Folder(NamedTuple):
    """A folder: one held open, or where there is no descriptor, the path before a name in it."""

    descriptor: int | None
    path: str

    @contextmanager
    def opened(self, name: str) -> Iterator[Folder]:
        """Hold a folder in this one open; ``name`` may be a path, whose last part is never followed as a link.

        Raises:
            OSError: it is not there, or it is a link or no folder.
        """
        if not BY_DESCRIPTOR:
            if not stat.S_ISDIR(self.state(name).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name)
            yield Folder(None, self._at(name))
            return
        descriptor = os.open(self._at(name), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=self.descriptor)
        try:
            yield Folder(descriptor, "")
        finally:
            os.close(descriptor)

    def _at(self, name: str) -> str:
        return str(Path(self.path, name))

    def state(self, name: str = "") -> os.stat_result:
        """What a file in it is, a link itself; without a name, what the folder is."""
        if name:
            return os.stat(self._at(name), dir_fd=self.descriptor, follow_symlinks=False)
        return Path(self.path).stat() if self.descriptor is None else os.fstat(self.descriptor)

    def entries(self) -> list[os.DirEntry[str]]:
        """What lies in it, by name."""
        with os.scandir(self.path or "." if self.descriptor is None else self.descriptor) as entries:
            return sorted(entries, key=lambda entry: entry.name)

    def files(self, deepest: int = DEEPEST) -> Iterator[str]:
        """Every file in it and in its folders, e.g. ``en/index.html``; a link is a file."""
        for entry in self.entries():
            if deepest and entry.is_dir(follow_symlinks=False):
                with self.opened(entry.name) as inside:
                    yield from (f"{entry.name}/{name}" for name in inside.files(deepest - 1))
            else:
                yield entry.name

    def content(self, name: str, most: int) -> bytes | None:
        """What a file in it holds; ``None`` for a link, a pipe, or more than ``most`` bytes.

        Raises:
            OSError: it is not there, or it cannot be read.
        """
        found = self.state(name)
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            return None
        careful = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")  # not every system has every one of them
        flags = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in careful)
        with os.fdopen(os.open(self._at(name), flags, dir_fd=self.descriptor), "rb") as file:
            content = file.read(most + 1)
        return content if len(content) <= most else None

    def remove(self, name: str, check: Callable[[Folder], object], last: str) -> None:
        """Delete a folder in this one: only if it is this user's, only what is in it, never through a link.

        Args:
            name: of the folder; it may be a path.
            check: called with the folder held open; what it raises leaves everything as it is.
            last: the file in it that is deleted after all else, so that it tells what the rest is.

        Raises:
            OSError: it is no folder, or not all of it could be deleted.
        """
        with self.opened(name) as folder:
            if is_own(folder.state()):
                check(folder)
                folder.empty(last)
        os.rmdir(self._at(name), dir_fd=self.descriptor)  # of a link or anything that is not empty: an error

    def empty(self, last: str) -> None:
        """Delete everything in it, the file ``last`` after all else.

        Raises:
            OSError: something cannot be deleted; then ``last`` is still there.
        """
        for entry in sorted(self.entries(), key=lambda entry: entry.name == last):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(self._at(entry.name), dir_fd=self.descriptor)
            else:
                os.unlink(self._at(entry.name), dir_fd=self.descriptor)


HERE = Folder(None, "")
"""Where paths start: ``HERE.opened(path)``."""


def is_own(state: os.stat_result) -> bool:
    """Whether a file belongs to the user whose process this is; always where the system does not tell."""
    return not hasattr(os, "geteuid") or state.st_uid == os.geteuid()
