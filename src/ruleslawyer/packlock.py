"""One writer at a time in the folder of private packs: the one place for filelock.

The lock is the operating system's, on an open file: it ends with the process that holds it, however that ends.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ruleslawyer.errors import DataProblem

PATIENCE = 5.0
"""Seconds to wait for another command."""

LOCK, HOLDER = ".lock", ".lock-holder"


@contextmanager
def locked(packs: Path, doing: str, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock of the packs' folder, which is made if it is missing.

    Args:
        packs: the folder.
        doing: what is done with the lock, for the one who waits: ``importing rules.pdf``.
        patience: seconds to wait.

    Raises:
        DataProblem: another command holds it, or the folder cannot be written to.
    """
    lock = FileLock(packs / LOCK)
    try:
        packs.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire(timeout=patience)
    except Timeout as error:
        raise DataProblem(
            f"another command is at work on your packs{_holder(packs)}", "try again when it is done"
        ) from error
    except OSError as error:
        raise DataProblem(
            f"cannot write to {packs}: {error.strerror or error}", "set XDG_DATA_HOME to a folder of yours"
        ) from error
    try:
        with suppress(OSError):  # only a courtesy to who waits
            (packs / HOLDER).unlink(missing_ok=True)
            with (packs / HOLDER).open("x", encoding="utf-8", errors="replace") as holder:  # never through a link
                holder.write(f"{doing}, process {os.getpid()}")
        yield
    finally:
        with suppress(OSError):
            (packs / HOLDER).unlink()
        lock.release()


def _holder(packs: Path) -> str:
    try:
        if not stat.S_ISREG((packs / HOLDER).lstat().st_mode):
            return ""
        return f": {(packs / HOLDER).read_text(encoding='utf-8', errors='replace')[:200]}"
    except OSError:
        return ""
