"""Noticing that the files of a corpus have changed: looked at each second, without anything to install."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from ruleslawyer.state import corpus_files

Stamps = Mapping[Path, tuple[int, int, int]]
"""For each file its size, time of change in nanoseconds, and number on the disk."""


def stamps(roots: Iterable[Path]) -> Stamps:
    """The files of the games in some folders, as far as they can be read."""
    found: dict[Path, tuple[int, int, int]] = {}
    for root in roots:
        with suppress(OSError):
            for path in corpus_files(root):
                with suppress(OSError):
                    status = path.stat()
                    found[path] = (status.st_size, status.st_mtime_ns, status.st_ino)
    return found


class Watch:
    """Compares looks at files. An editor or a copy writes in several steps, so a change counts once it stands still.

    >>> looks = iter(["a", "a", "b", "c", "c", "c"])
    >>> watch = Watch(lambda: next(looks))
    >>> [watch.changed() for _ in range(5)]
    [False, False, False, True, False]
    """

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._known = self._last = look()

    def changed(self) -> bool:
        """Look once more: whether there was a change that has come to rest."""
        now, before = self._look(), self._last
        self._last = now
        if now != before or now == self._known:
            return False
        self._known = now
        return True
