"""The files of a pack, each written whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def write_pack(files: Mapping[Path, str], folder: Path) -> None:
    """Write files of a pack in this order; a new pack comes into its place at once. The packs' lock is held.

    Args:
        files: content by path, all in ``folder``.
        folder: the pack's folder; the one above it exists.

    Raises:
        OSError: something cannot be written; each file is then as it was or as it is to be.
    """
    if folder.exists():
        for path, content in files.items():
            _write(path, content)
        return
    work = folder.with_name(f".new-{folder.name}")
    shutil.rmtree(work, ignore_errors=True)  # of an import that was killed
    try:
        work.mkdir(mode=0o700)
        for path, content in files.items():
            _write(work / path.name, content)
        work.rename(folder)
        _sync_folder(folder.parent)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write(path: Path, content: str) -> None:
    """A file's new content, in its place at once; nothing is written where it is the same."""
    if path.exists() and path.read_bytes() == content.encode():
        return
    work = path.with_name(f".{path.name.removeprefix('.')}.new")
    try:
        with suppress(FileNotFoundError):
            work.unlink()
        with work.open("xb") as file:  # never through a link that somebody has put there
            file.write(content.encode())
            file.flush()
            os.fsync(file.fileno())
        work.replace(path)
        _sync_folder(path.parent)
    finally:
        with suppress(FileNotFoundError):
            work.unlink()


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder cannot be opened, and renaming is safe without
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
