"""Faults that are really injected: killed at any moment, no room, wrong clocks, a corpus that changes while it is read.

What is damaged or foreign in an index, and who may write to it, is in ``test_index``.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

import shelves
from commands import rules
from corpora import Edit, write_corpus
from processes import in_a_child, killed_after, killed_at, moments, once_opened, together, whenever_opened
from ruleslawyer import building, sitefolder
from ruleslawyer.corpus import load
from ruleslawyer.errors import DataProblem, UsageProblem
from ruleslawyer.importing import Order, import_file
from ruleslawyer.index import Index
from ruleslawyer.search import search
from ruleslawyer.state import open_state
from ruleslawyer.website import build_site, site_files

RULES = "harbour/rules.en.md"
IS_ROOT = os.geteuid() == 0


class Shelf(shelves.Shelf):
    """A corpus and the folder for its indexes."""

    def pay(self, coins: int) -> None:
        """Let the rule of trade routes name another price."""
        path = self.corpus / RULES
        lines = path.read_text("utf-8").split("\n")
        lines[14] = f"1. Pay {coins} coins."
        aside = path.with_name(f".{path.name}.new")  # at once, as editors do: nobody reads half of it
        aside.write_text("\n".join(lines), encoding="utf-8")
        aside.replace(path)


def price(index: Index) -> str:
    """What the rule of trade routes says, found by a search that reads every part of the index."""
    assert search(index, "may routes cross").hits[0].record.name == "harbour/crossing-routes"
    assert index.catalogue["harbour"]["terms"][0]["id"] == "route"
    record = index.records["harbour/trade-routes"]
    return record.body("en").plain.split("Pay ")[1].split(" ")[0]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A corpus whose price is 1, and its index."""
    shelf = Shelf(write_corpus(tmp_path / "corpus"), tmp_path / "cache")
    shelf.pay(1)
    shelf.opened()
    return shelf


# --- killed at any moment -------------------------------------------------------------------------------------------


def test_an_index_build_killed_at_random_moments_leaves_the_earlier_state_whole(shelf: Shelf) -> None:
    old = shelf.state
    shelf.pay(2)
    new = shelf.state
    killed = 0
    for moment in moments(shelf.opened):
        shutil.rmtree(new, ignore_errors=True)
        killed += killed_after(moment, shelf.opened) == -signal.SIGKILL
        assert price(open_state(old)) == "1"
        assert not new.exists() or price(open_state(new)) == "2"
    assert killed, "all were done before they were killed"
    index, _ = shelf.opened()
    assert (price(index), index.folder) == ("2", new)


class Site(NamedTuple):
    """A site on disk, and all files of the build that is to take its place."""

    target: Path
    build: Callable[[], object]
    old: dict[str, bytes]
    new: dict[str, bytes]

    def is_whole(self) -> bool:
        """Whether the place holds one of the two, every file of it and no other."""
        return files_in(self.target) in (self.old, self.new)

    def leftovers(self) -> list[Path]:
        """What lies beside the place and was left by a killed build."""
        return [path for path in self.target.parent.iterdir() if path.name.startswith(f".{self.target.name}-")]


def no_step() -> None:
    """Count nothing."""


def files_in(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site of the corpus, and the build of another price."""
    old = load(write_corpus(tmp_path / "old")).corpus
    new = load(write_corpus(tmp_path / "new", Edit(RULES, "Pay 3 coins", "Pay 4 coins"))).corpus
    target = tmp_path / "public" / "site"
    build_site(old, target)
    files = site_files(new)
    return Site(target, partial(sitefolder.write_folder, files, target, no_step), site_files(old), files)


def test_a_site_build_killed_at_random_moments_leaves_a_whole_site(site: Site) -> None:
    """Of writing: until then, everything is in memory."""
    outcomes = []
    for moment in moments(site.build):
        outcomes.append(killed_after(moment, site.build))
        assert site.is_whole()
    assert -signal.SIGKILL in outcomes, "all were done before they were killed"


def test_a_site_build_killed_at_any_change_on_disk_leaves_a_whole_site(site: Site) -> None:
    def work(step: int) -> None:
        killed_at(step, site.target.parent)
        site.build()

    steps = len(site.new) + 60
    for step in (*range(1, 8), *range(8, steps - 60, 9), *range(steps - 60, 10 * steps)):
        status = in_a_child(partial(work, step))
        assert site.is_whole(), step
        if not status:
            break
    else:
        pytest.fail("the build never came to its end")
    assert step > len(site.new), "the swap itself was never cut short"


def test_what_killed_site_builds_left_is_removed_once_it_is_old_and_nothing_else(site: Site) -> None:
    def work(step: int) -> None:
        killed_at(step, site.target.parent)
        site.build()

    for step in (2, 5, 20, len(site.new) + 12, len(site.new) + 20):
        in_a_child(partial(work, step))
    left = site.leftovers()
    assert len(left) >= 3
    own = site.target.parent / ".site-new-my_notes"
    own.mkdir()
    (own / "draft.txt").write_text("not of the site", encoding="utf-8")
    for path in (*left[1:], own):
        os.utime(path, (1, 1))
    site.build()
    assert set(site.leftovers()) == {left[0], own}, (
        "a young one may be at work, and a folder of the user's is left alone"
    )
    assert (own / "draft.txt").exists()


def test_a_site_is_swapped_in_where_the_system_cannot_exchange_folders(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "other")
    site.build()
    assert files_in(site.target) == site.new
    assert site.leftovers() == []


def test_an_import_killed_at_any_change_on_disk_leaves_the_pack_whole(tmp_path: Path) -> None:
    """The first import of a file and the import of a later version of it; the next command is not held up."""
    file, packs, root = tmp_path / "chess.md", tmp_path / "packs", write_corpus(tmp_path / "corpus")
    versions = [f"# Chess\n\n## Check\n\nSay check {times}.\n" for times in ("once", "twice")]

    def bring(version: int, step: int) -> None:
        file.write_text(versions[version], encoding="utf-8")
        killed_at(step, packs)
        import_file(file, packs, root, Order(game="chess", lang="en", force=True))

    def held() -> list[str]:
        loaded = load(root, packs)
        assert loaded.skipped == {}
        return [e.texts["en"].blocks[0].text for e in loaded.corpus.entries.values() if e.game == "chess" and e.texts]

    old, new = ["Say check once."], ["Say check twice."]
    for version, allowed in ((0, ([], old)), (1, (old, new))):
        for step in range(1, 200):
            if version == 0:
                shutil.rmtree(packs, ignore_errors=True)
            status = in_a_child(partial(bring, version, step))
            assert [text for text in held() if text] in allowed, step
            if not status:
                break
            assert status == -signal.SIGKILL
        assert step > 5, "the import was hardly ever killed"
        assert held() == allowed[1]


# --- no room, no right to write -------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KB of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", place], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    place.chmod(0o755)
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def fill(disk: Path, leave: int) -> None:
    """Fill a file system but for so many bytes."""
    free = os.statvfs(disk)
    (disk / "ballast").write_bytes(b"x" * max(0, free.f_bavail * free.f_frsize - leave))


@pytest.mark.skipif(not IS_ROOT, reason="only root can mount")
@pytest.mark.parametrize("leave", [0, 4096, 16384])
def test_an_index_on_a_full_disk_is_told_and_answered_from_memory(small_disk: Path, shelf: Shelf, leave: int) -> None:
    fill(small_disk, leave)
    other = Shelf(shelf.corpus, small_disk / "cache")
    index, told = other.opened()
    assert (told, index.folder, price(index)) == (["building", "unwritable"], None, "1")
    assert not other.home.exists() or list(other.home.iterdir()) == []
    (small_disk / "ballast").unlink()
    index, told = other.opened()
    assert (told, index.folder) == (["building"], other.state)


@pytest.mark.skipif(not IS_ROOT, reason="only root can mount")
def test_an_index_on_a_disk_that_became_read_only_is_still_used(small_disk: Path, shelf: Shelf) -> None:
    other = Shelf(shelf.corpus, small_disk / "cache")
    other.opened()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    index, told = other.opened()
    assert (told, price(index)) == ([], "1")
    shelf.pay(2)
    index, told = other.opened()
    assert (told, index.folder, price(index)) == (["building", "unwritable"], None, "2")


@pytest.mark.skipif(not IS_ROOT, reason="only root can mount")
@pytest.mark.parametrize("how", ["full", "read-only"])
def test_a_site_that_cannot_be_written_leaves_the_old_one(small_disk: Path, tmp_path: Path, how: str) -> None:
    old = load(write_corpus(tmp_path / "old")).corpus
    target = small_disk / "site"
    sitefolder.write_folder(
        {"index.html": b"old", sitefolder.MARKER: sitefolder.marker("1", ["index.html"])}, target, no_step
    )
    before = files_in(target)
    fill(small_disk, 50_000)
    if how == "read-only":
        subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(DataProblem) as caught:
        build_site(old, target)
    assert ("No space left" if how == "full" else "Read-only file system") in caught.value.message
    assert files_in(target) == before
    assert sorted(path.name for path in small_disk.iterdir()) == ["ballast", "site"], "nothing half is left"


@pytest.mark.skipif(not IS_ROOT, reason="only root can mount")
def test_what_stays_in_a_site_takes_no_room_a_second_time(small_disk: Path) -> None:
    """And where the rest finds no room, the very files of the old site are still there."""

    def build(build: str, ruling: bytes) -> dict[str, bytes]:
        files = {"long.html": b"x" * 60_000, "ruling.html": ruling}
        return {**files, sitefolder.MARKER: sitefolder.marker(build, files)}

    target = small_disk / "site"
    sitefolder.write_folder(build("1", b"old"), target, no_step)
    fill(small_disk, 40_000)
    with pytest.raises(DataProblem, match="No space left"):
        sitefolder.write_folder(build("2", b"y" * 60_000), target, no_step)
    assert files_in(target) == build("1", b"old")
    assert (target / "long.html").stat().st_nlink == 1 and len(list(small_disk.iterdir())) == 2
    assert sitefolder.write_folder(build("3", b"new"), target, no_step) == (2, 1)
    assert files_in(target) == build("3", b"new")


# --- many at once ---------------------------------------------------------------------------------------------------


def test_eight_commands_that_build_and_search_while_the_corpus_changes_all_answer_rightly(shelf: Shelf) -> None:
    """Some change the price, others ask: whoever asks hears of a price that was there."""

    def change() -> None:
        for coins in range(2, 8):
            shelf.pay(coins)
            shelf.opened()

    def ask() -> None:
        for _ in range(12):
            index, told = shelf.opened()
            assert price(index) in "1234567"
            assert "damaged" not in told

    assert together(*[ask] * 7, change) == [0] * 8
    index, _ = shelf.opened()
    assert price(index) == "7"


# --- clocks that jump -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", [1, 4_000_000_000], ids=["past", "future"])
def test_no_clock_decides_what_is_fresh(shelf: Shelf, when: int) -> None:
    for path in (*shelf.corpus.rglob("*"), shelf.home, shelf.state, *shelf.state.iterdir()):
        os.utime(path, (when, when))
    assert shelf.opened()[1] == []
    shelf.pay(2)
    os.utime(shelf.corpus / RULES, (when, when))
    index, told = shelf.opened()
    assert (told, price(index)) == (["building"], "2")


def test_earlier_states_from_the_future_do_not_crowd_out_the_present_one(shelf: Shelf) -> None:
    for coins in range(2, 4 + building.KEEP):
        shelf.pay(coins)
        shelf.opened()
        os.utime(shelf.state, (4_000_000_000 + coins,) * 2)
    shelf.pay(9)
    shelf.opened()
    assert shelf.state.exists()
    assert shelf.opened()[1] == []


# --- a corpus that changes while it is read -------------------------------------------------------------------------


def removed(file: Path) -> None:
    file.unlink()


def renamed(file: Path) -> None:
    file.rename(file.with_name("faq.en.md.orig"))


def changed(file: Path) -> None:
    file.write_text(file.read_text("utf-8").replace("1 other", "5 others"), encoding="utf-8")


@pytest.mark.parametrize("change", [removed, renamed, changed])
def test_a_corpus_changed_while_it_is_indexed_is_never_taken_for_what_it_was(
    shelf: Shelf, change: Callable[[Path], None]
) -> None:
    """A branch is changed under a running build, and changed back after it."""
    faq = shelf.corpus / "harbour" / "faq.en.md"
    text = faq.read_text("utf-8")
    shelf.pay(2)

    def work() -> None:
        once_opened(RULES, partial(once_opened, RULES, partial(change, faq)))  # the first time is the fingerprint's
        shelf.opened()

    assert in_a_child(work) == 0
    assert not faq.exists() or faq.read_text("utf-8") != text, "the corpus was changed while it was read"
    faq.write_text(text, encoding="utf-8")
    index, _ = shelf.opened()
    assert "may cross 1 other." in index.records["harbour/crossing-routes"].body("en").plain


def test_a_corpus_that_never_comes_to_rest_is_answered_from_memory(shelf: Shelf) -> None:
    faq = shelf.corpus / "harbour" / "faq.en.md"

    def grow() -> None:
        faq.write_text(faq.read_text("utf-8") + "\nMore.\n", encoding="utf-8")

    def work() -> None:
        whenever_opened(RULES, grow)
        index, told = shelf.opened()
        assert (told, index.folder, price(index)) == (["building"], None, "2")

    states = set(shelf.home.iterdir())
    shelf.pay(2)
    assert in_a_child(work) == 0
    assert set(shelf.home.iterdir()) == states, "nothing is kept under a name that it does not deserve"


@pytest.mark.parametrize("change", [removed, renamed])
def test_a_file_that_goes_away_before_it_is_read_is_no_traceback(shelf: Shelf, change: Callable[[Path], None]) -> None:
    faq = shelf.corpus / "harbour" / "faq.en.md"

    def work() -> None:
        once_opened("faq.en.md", partial(change, faq))
        shelf.opened()

    shelf.pay(2)
    assert in_a_child(work) == 0


def test_a_site_of_a_corpus_without_its_files_is_refused_and_the_old_one_stays(site: Site, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "broken")
    (corpus / "harbour" / "faq.en.md").unlink()
    done = rules("site", "-o", str(site.target), corpus=corpus)
    assert done.status == 3
    assert "harbour/faq.en.md: file is missing" in done.err
    assert files_in(site.target) == site.old


# --- what must never be read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["seal.json", "dictionary.json", "beside"])
@pytest.mark.parametrize("what", ["pipe", "device"])
def test_a_pipe_or_a_device_in_an_index_is_damage_and_not_waited_for(shelf: Shelf, name: str, what: str) -> None:
    path = shelf.state / name
    path.unlink(missing_ok=True)
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    index, told = shelf.opened()
    assert (told, price(index)) == (["damaged", "building"], "1")


@pytest.mark.parametrize("what", ["pipe", "device", "huge"])
def test_a_corpus_file_that_is_none_is_a_problem(shelf: Shelf, what: str) -> None:
    path = shelf.corpus / "harbour" / "glossary.toml"
    path.unlink()
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(1 << 40)  # a file with a hole: it takes no room on disk
    (problem,) = load(shelf.corpus).problems
    assert problem.file == "harbour/glossary.toml"
    assert problem.message in ("not a file", "larger than 4 MB")


@pytest.mark.parametrize(
    "marker", ["", "{", "[" * 100_000, "[]", '{"generator": "other", "files": []}', '{"generator": "ruleslawyer"}']
)
def test_a_marker_that_is_none_does_not_make_a_folder_ours(tmp_path: Path, marker: str) -> None:
    (tmp_path / sitefolder.MARKER).write_text(marker, encoding="utf-8")
    with pytest.raises(UsageProblem):
        sitefolder.refuse_foreign(tmp_path)


def test_a_marker_that_is_a_pipe_does_not_make_a_folder_ours(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    os.mkfifo(folder / sitefolder.MARKER)
    with pytest.raises(UsageProblem):
        sitefolder.refuse_foreign(folder)
