"""An import that is killed, interrupted, or out of space leaves every pack whole; two at once take turns."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from commands import environment
from corpora import write_corpus
from processes import killed_after, moments
from rulebooks import DAY, LATER, REGLAS, RULES, files_in
from ruleslawyer.corpus import load
from ruleslawyer.errors import DataProblem
from ruleslawyer.importing import Order, import_file
from ruleslawyer.library import packs_in
from ruleslawyer.packlock import locked


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A corpus with the games harbour and lanterns."""
    return write_corpus(tmp_path / "corpus")


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """Where the packs will be; it does not exist yet."""
    return tmp_path / "data" / "packs"


def steps(packs: Path, end: Callable[[], None], at: int) -> Callable[[str, tuple[object, ...]], None]:
    """An audit hook that ends an import at the n-th thing it does to a file of the packs."""
    done = 0

    def hook(event: str, args: tuple[object, ...]) -> None:
        nonlocal done
        changing = event in ("os.rename", "os.mkdir", "os.remove", "shutil.rmtree") or (
            event == "open" and args[1] == "wb"
        )
        if changing and str(args[0]).startswith(f"{packs}{os.sep}") and ".lock" not in str(args[0]):
            done += 1
            if done == at:
                end()

    return hook


def killed() -> None:
    """As ``kill -9`` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def interrupted() -> None:
    """As Ctrl-C does."""
    raise KeyboardInterrupt


def disk_full() -> None:
    """As a full disk does."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def import_until(file: Path, packs: Path, root: Path, order: Order, end: Callable[[], None], at: int) -> str:
    """Run an import in a process of its own until it is ended at a step; how it went."""
    child = os.fork()
    if not child:
        status = 70
        try:
            sys.addaudithook(steps(packs, end, at))
            import_file(file, packs, root, order, today=DAY)
            status = 0
        except KeyboardInterrupt:
            status = 50
        except DataProblem as error:
            status = 40 if os.strerror(errno.ENOSPC) in error.message and error.hint else 41
        finally:
            os._exit(status)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {0: "done", 50: "interrupted", 40: "told", -signal.SIGKILL: "killed"}[code]


def ended_at_every_step(run: Callable[[int], str]) -> Iterator[str]:
    """How an import ends that is ended at its first step, its second, and so on until it is done."""
    for at in range(1, 100):
        how = run(at)
        yield how
        if how == "done":
            return
    pytest.fail("it never ends")


@pytest.mark.parametrize(
    ("end", "how"),
    [(killed, "killed"), (interrupted, "interrupted"), (disk_full, "told")],
    ids=["kill", "ctrl-c", "full"],
)
def test_an_import_ended_at_any_step_leaves_a_whole_pack_or_none(
    tmp_path: Path, root: Path, end: Callable[[], None], how: str
) -> None:
    file = tmp_path / "fog-harbour.txt"

    def run(at: int) -> str:
        file.write_text(RULES, "utf-8")
        packs = tmp_path / f"packs-{at}"
        ended = import_until(file, packs, root, Order(), end, at)
        check(packs, root, [RULES])
        assert import_file(file, packs, root, Order(), today=DAY).state in ("new", "unchanged")
        file.write_text(LATER, "utf-8")
        again = import_until(file, packs, root, Order(force=True), end, at)
        check(packs, root, [RULES, LATER])
        assert import_file(file, packs, root, Order(force=True), today=DAY).state in ("changed", "unchanged")
        check(packs, root, [LATER])
        more = tmp_path / "more.txt"
        more.write_text(REGLAS, "utf-8")
        added = import_until(more, packs, root, Order(game="fog-harbour"), end, at)
        check(packs, root, [LATER])
        return next((one for one in (ended, again, added) if one != "done"), "done")

    assert set(ended_at_every_step(run)) == {how, "done"}


def check(packs: Path, root: Path, allowed: Sequence[str]) -> None:
    """The pack is sound, says one of the texts, and nothing is left lying about in it that is not its own."""
    loaded = load(root, packs)
    assert loaded.skipped == {}
    folder = packs / "fog-harbour"
    if not folder.exists():
        return
    text = (folder / "rules-fog-harbour.en.md").read_text("utf-8")
    assert any(("two of your" in text) == ("two of your" in said) for said in allowed)
    assert text.endswith("\n")


def plain_files(packs: Path) -> dict[str, str]:
    """What anybody finds in the packs: every file that is not hidden, nor in a folder that is."""
    return {name: text for name, text in files_in(packs).items() if not any(p.startswith(".") for p in name.split("/"))}


def brought(file: Path, packs: Path, root: Path) -> str:
    """Import a file over whatever there is; how it went."""
    return import_file(file, packs, root, Order(force=True), today=DAY).state


@pytest.mark.parametrize("editions", [("", RULES), (RULES, LATER)], ids=["first", "later"])
def test_an_import_killed_at_random_moments_leaves_the_earlier_pack_or_the_new_one_and_holds_up_no_other(
    tmp_path: Path, root: Path, packs: Path, editions: tuple[str, str]
) -> None:
    file = tmp_path / "fog-harbour.txt"

    def before() -> None:
        shutil.rmtree(packs, ignore_errors=True)
        if editions[0]:
            file.write_text(editions[0], "utf-8")
            brought(file, packs, root)
        file.write_text(editions[1], "utf-8")

    work = partial(brought, file, packs, root)
    before()
    old = plain_files(packs)
    work()
    new = plain_files(packs)
    outcomes = []
    for moment in moments(work, before):
        before()
        outcomes.append(killed_after(moment, work))
        left = plain_files(packs)
        assert left in (old, new)
        assert [(pack.id, pack.problems) for pack in packs_in(packs, root)] == [("fog-harbour", ())] * bool(left)
        assert work() in (("unchanged",) if left == new else ("new", "changed"))
        assert plain_files(packs) == new
        assert not [path for path in packs.iterdir() if path.name.startswith(".new-")]
    assert -signal.SIGKILL in outcomes, "all were done before they were killed"


@pytest.mark.parametrize("most", [0, 60, 200, 300])
def test_a_file_written_in_part_never_takes_the_place_of_a_whole_one(tmp_path: Path, root: Path, most: int) -> None:
    file, packs = tmp_path / "fog-harbour.txt", tmp_path / "packs"
    file.write_text(RULES, "utf-8")
    import_file(file, packs, root, Order(), today=DAY)
    before = files_in(packs)
    file.write_text(LATER, "utf-8")
    child = os.fork()
    if not child:
        status = 70
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))  # as a disk that is full after so many bytes
            import_file(file, packs, root, Order(force=True), today=DAY)
        except DataProblem as error:
            status = 0 if "as before" in error.hint else 71
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    after = files_in(packs)
    assert {name: after[name] for name in before} == before
    assert not [name for name in after if name.endswith(".new")]


def test_nothing_is_left_beside_a_pack_after_a_full_disk_or_ctrl_c(tmp_path: Path, root: Path) -> None:
    file = tmp_path / "fog-harbour.txt"
    file.write_text(RULES, "utf-8")
    for end in (interrupted, disk_full):
        for at in range(1, 5):
            packs = tmp_path / f"{end.__name__}-{at}"
            import_until(file, packs, root, Order(), end, at)
            assert not [path.name for path in packs.iterdir() if path.name != ".lock"]


HOLD = """
import sys, time
from pathlib import Path
from ruleslawyer.manuscript import Unread
from ruleslawyer.packlock import locked
with locked(Path(sys.argv[1]), "importing slow.pdf"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_import_waits_and_then_says_who_is_at_work(packs: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(packs)], stdout=subprocess.PIPE, env=environment()
    ) as holder:
        try:
            assert holder.stdout and holder.stdout.readline() == b"held\n"
            with (
                pytest.raises(DataProblem, match=r"importing slow\.pdf, process \d+"),
                locked(packs, "mine", patience=0.2),
            ):
                pytest.fail("two at once")
        finally:
            holder.kill()
    with locked(packs, "mine", patience=5):  # the lock went with the one who held it
        pass


def test_two_imports_at_once_both_arrive(tmp_path: Path, root: Path, packs: Path) -> None:
    children = []
    for name in ("one.txt", "two.txt", "three.txt"):
        (tmp_path / name).write_text(RULES, "utf-8")
        child = os.fork()
        if not child:
            try:
                import_file(tmp_path / name, packs, root, Order(game="fog"), today=DAY)
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    loaded = load(root, packs)
    assert loaded.skipped == {}
    assert sorted(loaded.corpus.games["fog"].sources) == ["one", "three", "two"]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, root: Path) -> None:
    (tmp_path / "file").write_text("x")
    file = tmp_path / "rules.txt"
    file.write_text(RULES, "utf-8")
    with pytest.raises(DataProblem, match="cannot write") as refused:
        import_file(file, tmp_path / "file" / "packs", root, Order(), today=DAY)
    assert refused.value.hint
