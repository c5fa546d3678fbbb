"""A site made again: only what has changed is written, everything else is the very file that was there before."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from corpora import Edit, write_corpus
from processes import in_a_child, killed_at
from ruleslawyer import urls
from ruleslawyer.browserindex import browser_files
from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import load
from ruleslawyer.errors import DataProblem
from ruleslawyer.index import no_progress
from ruleslawyer.sitefolder import MARKER, Written, write_folder
from ruleslawyer.website import site_files

ALWAYS = {
    *(f"{lang}/search/index.html" for lang in ("en", "es", "zh")),
    *(MARKER, urls.SEARCH_DATA, "service-worker.js"),
}
"""What changes with every build."""

RULES = "en/harbour/rules/index.html"
CHANGE = Edit("harbour/rules.en.md", "Pay 3 coins", "Pay 4 coins")


def no_step() -> None:
    """Count nothing."""


class Build(NamedTuple):
    """A site on disk, its files, and those of the build of another price."""

    place: Path
    old: Mapping[str, bytes]
    new: Mapping[str, bytes]

    def rebuild(self) -> Written:
        """Put the new build in the place."""
        return write_folder(self.new, self.place, no_step)


def files_with_search(folder: Path, *edits: Edit) -> dict[str, bytes]:
    corpus = load(write_corpus(folder, *edits)).corpus
    return site_files(corpus, additions=browser_files(corpus, build_in_memory(corpus, no_progress)))


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], dict[str, bytes]]:
    folder = tmp_path_factory.mktemp("corpora")
    return files_with_search(folder / "old"), files_with_search(folder / "new", CHANGE)


@pytest.fixture
def build(builds: tuple[dict[str, bytes], dict[str, bytes]], tmp_path: Path) -> Build:
    place = tmp_path / "web" / "site"
    assert write_folder(builds[0], place, no_step) == (len(builds[0]), 0)
    return Build(place, *builds)


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def inodes(folder: Path) -> dict[str, int]:
    return {p.relative_to(folder).as_posix(): p.lstat().st_ino for p in folder.rglob("*") if not p.is_dir()}


def another(before: Mapping[str, int], after: Mapping[str, int]) -> set[str]:
    """The files that are not the very ones that were there."""
    return {name for name in after if before.get(name) != after[name]}


# --- what is written --------------------------------------------------------------------------------------------------


def test_after_one_changed_ruling_every_file_that_says_the_same_is_the_same_file(build: Build) -> None:
    before = inodes(build.place)
    written = build.rebuild()
    new = another(before, inodes(build.place))
    shards = {name.split("/")[-1].rpartition("-")[0] for name in new if name.startswith("assets/")}
    assert {name for name in new if not name.startswith("assets/")} == {*ALWAYS, RULES}
    assert {"texts-en-harbour"} <= shards <= {"core", "language-en", "dictionary-en", "uses-en", "texts-en-harbour"}
    assert written == (len(new), len(build.new) - len(new))
    assert contents(build.place) == build.new


def test_an_unchanged_site_is_left_as_it_is(build: Build) -> None:
    """Not one change on disk: at the first, the process would be killed."""
    before = inodes(build.place), build.place.lstat()

    def work() -> None:
        killed_at(1, build.place.parent.parent)
        assert write_folder(build.old, build.place, no_step) == (0, len(build.old))

    assert in_a_child(work) == 0
    assert (inodes(build.place), build.place.lstat()) == before


def test_going_back_to_an_earlier_ruling_gives_the_earlier_site(build: Build) -> None:
    build.rebuild()
    write_folder(build.old, build.place, no_step)
    assert contents(build.place) == build.old


# --- what somebody has changed ----------------------------------------------------------------------------------------


def same_length(path: Path) -> None:
    before = path.stat()
    path.write_bytes(path.read_bytes().swapcase())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # no time tells


def gone(path: Path) -> None:
    path.unlink()


def linked(path: Path) -> None:
    elsewhere = path.parents[5] / "elsewhere.html"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def unreadable_for_others(path: Path) -> None:
    path.chmod(0o600)


@pytest.mark.parametrize("change", [same_length, gone, linked, pipe, unreadable_for_others])
@pytest.mark.parametrize("again", ["the same", "another"])
def test_a_file_changed_by_hand_is_not_taken_over(build: Build, change: Callable[[Path], None], again: str) -> None:
    page = "es/harbour/rules/index.html"
    change(build.place / page)
    before = inodes(build.place)
    files = build.old if again == "the same" else build.new
    written = write_folder(files, build.place, no_step)
    assert contents(build.place) == files
    assert (build.place / page).lstat().st_mode == (build.place / "index.html").lstat().st_mode, (
        "a file like all others"
    )
    new = another(before, inodes(build.place))
    assert page in new and written.new == len(new)
    assert new == {page} or again == "another"


def test_the_files_of_the_old_site_are_never_written_to(build: Build) -> None:
    """Held by other links, as a backup of hard links does, they are as before: also what was changed by hand."""
    same_length(build.place / RULES)
    backup = build.place.parent / "backup"
    for name in build.old:
        (backup / name).parent.mkdir(parents=True, exist_ok=True)
        os.link(build.place / name, backup / name)
    before = contents(backup)
    build.rebuild()
    assert contents(backup) == before != build.old


# --- where it goes wrong ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV])
def test_without_hard_links_everything_is_written(build: Build, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refused(*args: object, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", refused)
    before = inodes(build.place)
    assert build.rebuild() == (len(build.new), 0)
    assert contents(build.place) == build.new
    assert another(before, inodes(build.place)) == build.new.keys()
    assert write_folder(build.new, build.place, no_step) == (0, len(build.new)), "what is the same needs no link"


def test_a_rebuild_killed_at_any_change_on_disk_leaves_a_whole_site(build: Build) -> None:
    """Each link is a step too; beside the site, what it was made of stays as it was."""

    def work(step: int) -> None:
        killed_at(step, build.place.parent)
        build.rebuild()

    steps = len(build.new) + 60
    seen = []
    for step in (*range(1, 8), *range(8, steps - 60, 7), *range(steps - 60, 10 * steps)):
        status = in_a_child(partial(work, step))
        seen.append(contents(build.place))
        assert seen[-1] in (build.old, build.new), step
        if not status:
            break
        assert status == -signal.SIGKILL
        write_folder(build.old, build.place, no_step)
    assert build.old in seen and seen[-1] == build.new and step > len(build.new)


def test_a_swap_that_fails_leaves_the_very_files(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    before = inodes(build.place)
    real = Path.rename

    def refused(self: Path, target: Path) -> Path:
        if self.name.startswith(".site-new"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(self, target)

    monkeypatch.setattr(sys, "platform", "other")  # where folders cannot be exchanged in one step
    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(DataProblem):
        build.rebuild()
    monkeypatch.undo()
    assert inodes(build.place) == before and contents(build.place) == build.old
    assert [path.name for path in build.place.parent.iterdir()] == ["site"]
