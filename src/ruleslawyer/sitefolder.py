"""Writing a finished site: into a folder beside its place first, then swapped in whole."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ruleslawyer.errors import DataProblem, UsageProblem

MARKER = "rules-site.json"
"""Names the build, and tells that a folder is a site of ours, which a new one may replace."""

Step = Callable[[], None]


def marker(build: str, files: Iterable[str]) -> bytes:
    """The content of the marker file: the build, and every file of the site, so that nothing else is ever replaced."""
    data = {"generator": "ruleslawyer", "build": build, "files": sorted({*files, MARKER})}
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
    try:
        data = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("generator") != "ruleslawyer" or not isinstance(data.get("files"), list):
        return None
    return frozenset(name for name in data["files"] if isinstance(name, str))


def write_folder(files: Mapping[str, bytes], target: Path, step: Step) -> None:
    """Write files, site path -> content, and swap them in: the place holds the old site or the new one, never a mixture.

    Raises:
        UsageProblem: the place holds something that is not ours.
        DataProblem: it cannot be written.
    """
    refuse_foreign(target)
    target = target.resolve()  # a link stays one, and leads to the new site
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{target.name}-new-", dir=target.parent))
        try:
            _write_all(files, work, step)
            _swap_in(work, target)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataProblem(f"cannot write the site to {target}: {reason}", "name another place with -o") from error


def _write_all(files: Mapping[str, bytes], folder: Path, step: Step) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        step()
    folder.chmod(0o777 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _swap_in(work: Path, target: Path) -> None:
    if not target.exists():
        work.rename(target)
        return
    refuse_foreign(target)  # once more: building took a while
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}-old-", dir=target.parent))
    old = aside / "site"
    target.rename(old)
    try:
        work.rename(target)
    except OSError:
        old.rename(target)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
