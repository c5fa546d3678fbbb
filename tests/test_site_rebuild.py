"""A site made again: only what has changed is written, everything else is the very file that was there before."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from corpora import Edit, write_corpus
from processes import in_a_child, killed_at, once_opened
from ruleslawyer import heldfolder, sitefolder
from ruleslawyer.corpus import load
from ruleslawyer.errors import DataProblem, UsageProblem
from ruleslawyer.sitefolder import MARKER, Written, marker, write_folder
from sites import ALWAYS, searchable_files

RULES = "en/harbour/rules/index.html"
CHANGE = Edit("harbour/rules.en.md", "Pay 3 coins", "Pay 4 coins")


STRANGER = 4321
"""A user who is not the one that runs the tests."""

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


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
    return searchable_files(load(write_corpus(folder, *edits)).corpus)


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


def held_by_another_name(path: Path) -> None:
    os.link(path, path.parents[5] / "elsewhere.html")


def a_strangers(path: Path) -> None:
    os.chown(path, STRANGER, STRANGER)


@pytest.mark.parametrize(
    "change",
    [
        *(same_length, gone, linked, pipe, unreadable_for_others, held_by_another_name),
        pytest.param(a_strangers, marks=AS_ROOT),
    ],
)
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


def test_a_file_that_becomes_endless_while_it_is_looked_at_is_not_read_to_its_end(build: Build) -> None:
    page = build.place / RULES

    def endless() -> None:
        page.unlink()
        page.symlink_to("/dev/zero")

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        once_opened(RULES, endless)
        write_folder(build.old, build.place, no_step)

    assert in_a_child(work) == 0
    assert contents(build.place) == build.old


@pytest.mark.parametrize("folder", ["", "es/harbour", "drafts"])
@pytest.mark.parametrize("how", ["open to all", "closed to others", pytest.param("a stranger's", marks=AS_ROOT)])
def test_a_site_with_a_folder_that_is_not_as_it_would_be_made_is_made_anew(build: Build, folder: str, how: str) -> None:
    """Its files are kept, if they are ours: who may write to a folder only chooses what lies in it."""
    changed, usual = build.place / folder, build.place.stat().st_mode
    changed.mkdir(exist_ok=True)
    if how == "a stranger's":
        os.chown(changed, STRANGER, STRANGER)
    else:
        changed.chmod(0o777 if how == "open to all" else 0o700)
    before = inodes(build.place)
    assert write_folder(build.old, build.place, no_step) == (0, len(build.old))
    assert inodes(build.place) == before
    after = [path.stat() for path in (build.place, *build.place.rglob("*")) if path.is_dir()]
    assert {(state.st_mode, state.st_uid) for state in after} == {(usual, os.geteuid())}
    if how != "a stranger's":  # what is a stranger's stays with him, beside the site
        assert [path.name for path in build.place.parent.iterdir()] == ["site"]


def test_the_umask_is_asked_for_once_however_many_files_there_are(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is, files of other threads are open to all."""
    asked: list[int] = []
    real = os.umask

    def counted(mask: int) -> int:
        asked.append(mask)
        return real(mask)

    monkeypatch.setattr(os, "umask", counted)
    build.rebuild()
    assert len(asked) == 2 and asked[0] == 0, "set and set back"


def test_the_files_of_the_old_site_are_never_written_to(build: Build) -> None:
    """Held by other links, as a backup of hard links does, they are as before: also what was changed by hand.

    And the new site shares no file with the backup: what is done to the one later is not done to the other.
    """
    same_length(build.place / RULES)
    backup = build.place.parent / "backup"
    for name in build.old:
        (backup / name).parent.mkdir(parents=True, exist_ok=True)
        os.link(build.place / name, backup / name)
    before = contents(backup), inodes(backup)
    assert build.rebuild() == (len(build.new), 0)
    assert (contents(backup), inodes(backup)) == before and before[0] != build.old
    assert not set(inodes(build.place).values()) & set(before[1].values())
    assert build.rebuild() == (0, len(build.new)), "of the new site there is no backup yet"


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


# --- what lies beside -------------------------------------------------------------------------------------------------


class Letters(NamedTuple):
    """A folder of letters that looks like a site of ours, as somebody wants it deleted, and a site's place."""

    folder: Path
    place: Path

    def plant(self, name: str) -> Path:
        """A folder beside the place that a killed build could have left, but for what it holds."""
        planted = self.place.parent / f".{self.place.name}-{name}"
        planted.mkdir()
        return planted

    def rebuild(self) -> None:
        """Put a site in the place."""
        write_folder({"index.html": b"new", MARKER: marker("2", ["index.html"])}, self.place, no_step)


LETTERS = {"from-ada.html", "more/from-bo.html"}


@pytest.fixture(params=["by descriptor", "by path"])
def letters(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Letters:
    monkeypatch.setattr(heldfolder, "BY_DESCRIPTOR", request.param == "by descriptor")
    files = dict.fromkeys(LETTERS, b"precious")
    write_folder({**files, MARKER: marker("1", files)}, tmp_path / "home" / "letters", no_step)
    (tmp_path / "public").mkdir()
    return Letters(tmp_path / "home" / "letters", tmp_path / "public" / "site")


def old(*paths: Path) -> None:
    for path in paths:
        os.utime(path, (1, 1), follow_symlinks=False)


@pytest.mark.parametrize("name", ["new-aaaaaaaa", "old-aaaaaaaa"])
def test_a_link_in_what_a_killed_build_left_is_not_followed(letters: Letters, name: str) -> None:
    planted = letters.plant(name)
    (planted / "site").symlink_to(letters.folder)
    old(planted, letters.folder)
    letters.rebuild()
    assert contents(letters.folder).keys() == {*LETTERS, MARKER}
    assert (planted / "site").is_symlink(), "it is not ours"


def test_a_link_that_is_called_like_what_a_killed_build_left_is_not_followed(letters: Letters) -> None:
    planted = letters.place.parent / ".site-new-aaaaaaaa"
    planted.symlink_to(letters.folder)
    old(planted, letters.folder)
    letters.rebuild()
    assert contents(letters.folder).keys() == {*LETTERS, MARKER} and planted.is_symlink()


def test_a_link_among_what_is_deleted_goes_and_what_it_leads_to_stays(letters: Letters) -> None:
    planted = letters.plant("new-aaaaaaaa")
    (planted / "more").symlink_to(letters.folder)
    (planted / MARKER).write_bytes(marker("1", ["more"]))
    old(planted)
    letters.rebuild()
    assert contents(letters.folder).keys() == {*LETTERS, MARKER} and not planted.exists()


def test_a_site_that_was_put_aside_goes_with_its_folder(letters: Letters) -> None:
    planted = letters.plant("old-aaaaaaaa")
    letters.folder.rename(planted / "site")
    old(planted)
    letters.rebuild()
    assert [path.name for path in letters.place.parent.iterdir()] == ["site"]


def once_looked_into(name: str, act: Callable[[], object]) -> None:
    """From now on, when this process looks into a folder of that name for the first time, do something just before."""
    waiting = [act]

    def hook(event: str, args: tuple[object, ...]) -> None:
        if event in ("open", "os.scandir") and waiting and Path(str(args[0])).name == name:
            waiting.pop()()

    sys.addaudithook(hook)


def test_a_folder_that_is_replaced_by_a_link_while_it_is_looked_at_is_not_followed(
    tmp_path: Path, letters: Letters
) -> None:
    """Letters that carry no marker: nothing but the folder that was there before makes them look like ours."""
    if not heldfolder.BY_DESCRIPTOR:
        pytest.skip("a path alone cannot tell")
    (letters.folder / MARKER).unlink()
    (letters.folder / "pages").mkdir()
    planted = letters.plant("new-aaaaaaaa")
    (planted / "pages").mkdir()
    (planted / MARKER).write_bytes(marker("1", []))
    old(planted)

    def swap() -> None:
        planted.rename(tmp_path / "moved")
        planted.symlink_to(letters.folder)

    def work() -> None:
        once_looked_into("pages", swap)
        letters.rebuild()

    assert in_a_child(work) == 0
    assert planted.is_symlink(), "it was replaced"
    assert contents(letters.folder).keys() == LETTERS


@AS_ROOT
def test_a_strangers_folder_beside_the_site_is_left_to_him(letters: Letters) -> None:
    planted = letters.plant("new-aaaaaaaa")
    (planted / MARKER).write_bytes(marker("1", []))
    os.chown(planted, STRANGER, STRANGER)
    old(planted)
    letters.rebuild()
    assert (planted / MARKER).exists()


def test_what_was_put_in_the_place_while_the_new_site_was_written_is_not_deleted(
    letters: Letters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the last moment, after the last look at it."""
    letters.rebuild()
    real = sitefolder._exchanged

    def late(one: Path, other: Path) -> bool:
        (other / "diary.txt").write_text("mine")
        return real(one, other)

    monkeypatch.setattr(sitefolder, "_exchanged", late)
    write_folder({"index.html": b"newer", MARKER: marker("3", ["index.html"])}, letters.place, no_step)
    assert contents(letters.place).keys() == {"index.html", MARKER}
    (diary,) = letters.place.parent.rglob("diary.txt")
    assert diary.read_text() == "mine"


def test_a_marker_of_gigabytes_is_not_read(build: Build, tmp_path: Path) -> None:
    """A file with a hole: it takes no room on disk, but all the memory of who reads it."""
    folder = tmp_path / "folder"
    folder.mkdir()
    with (folder / MARKER).open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(UsageProblem, match="not a site of ours"):
        write_folder(build.old, folder, no_step)


def test_folders_within_folders_without_end_are_told(build: Build) -> None:
    here = os.open(build.place, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("a", dir_fd=here)
        inside = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inside
    os.close(here)
    with pytest.raises(UsageProblem, match="holds a/a/"):
        build.rebuild()
    subprocess.run(["rm", "-rf", build.place / "a"], check=True)
