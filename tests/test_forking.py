"""Work shared among processes: done once, in order, whatever becomes of a process."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from select import select

import pytest

from corpora import Edit, write_corpus
from processes import fork, outcome
from ruleslawyer import building, contents, corpus, forking
from ruleslawyer.building import write_files
from ruleslawyer.corpus import load
from ruleslawyer.forking import beside, shared
from ruleslawyer.index import no_progress
from ruleslawyer.places import corpus_root
from ruleslawyer.state import open_state, seal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")


@pytest.fixture(autouse=True)
def three_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forking, "_processors", lambda: 3)


def square_and_process(n: int) -> tuple[int, int]:
    return n * n, os.getpid()


def test_results_come_in_the_order_of_the_tasks_from_other_processes() -> None:
    offset = 7  # a forked process knows it without being told
    results = list(shared(lambda n: (square_and_process(n)[0] + offset, os.getpid()), range(40)))
    assert [result for result, _ in results] == [n * n + 7 for n in range(40)]
    assert os.getpid() not in {process for _, process in results}


def test_a_process_killed_with_half_a_result_sent_holds_up_nothing() -> None:
    """What it sends is more than a pipe holds, and nobody takes it in until the process is gone."""
    results = shared(lambda n: (n, os.getpid(), bytes(1 << 20)), range(9))
    first, killed, _ = next(results)
    while Path(f"/proc/{killed}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "S":
        os.sched_yield()
    os.kill(killed, signal.SIGKILL)
    others = [(n, process) for n, process, _ in results]
    assert [first, *(n for n, _ in others)] == [*range(9)]
    assert os.getpid() in {process for _, process in others}


def test_where_no_process_can_be_started_this_one_does_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refused)
    assert {process for _, process in shared(square_and_process, range(5))} == {os.getpid()}


@pytest.mark.parametrize("moment", range(20))
def test_ctrl_c_ends_all_processes_whenever_it_is_pressed(moment: int) -> None:
    reading, writing = os.pipe()

    def work() -> None:
        os.setsid()
        os.write(writing, b"1")
        list(shared(lambda n: bytes(1 << 20) if moment % 2 else signal.pause(), [*range(10_000)]))

    child = fork(work)
    os.close(writing)
    assert os.read(reading, 1) == b"1"
    select([], [], [], moment * 0.002)
    os.killpg(child, signal.SIGINT)
    assert select([reading], [], [], 60)[0], "somebody still holds the other end"
    assert (os.read(reading, 1), outcome(child)) == (b"", 1)
    os.close(reading)


@pytest.mark.parametrize("several", [True, False])
def test_when_a_process_is_killed_those_that_work_for_it_end(several: bool) -> None:
    reading, writing = os.pipe()

    def wait(_: object = None) -> None:
        os.write(writing, b"1")
        signal.pause()

    def work() -> None:
        if several:
            list(shared(wait, range(9)))
        else:
            with beside(wait):
                signal.pause()

    child = fork(work)
    os.close(writing)
    waiting = b""
    while len(waiting) < (3 if several else 1):
        waiting += os.read(reading, 9)
    os.kill(child, signal.SIGKILL)
    assert outcome(child) == -signal.SIGKILL
    assert select([reading], [], [], 60)[0], "somebody still holds the other end"
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_what_is_not_worthwhile_is_done_in_this_process() -> None:
    assert {process for _, process in shared(square_and_process, range(5), worthwhile=False)} == {os.getpid()}


def test_a_process_with_threads_is_not_forked() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert {process for _, process in shared(square_and_process, range(5))} == {os.getpid()}
    finally:
        done.set()
        thread.join()


def test_the_work_of_a_killed_process_is_done_by_this_one() -> None:
    here = os.getpid()

    def work(n: int) -> int:
        if n == 11 and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return n

    assert list(shared(work, range(30))) == list(range(30))


def test_an_error_in_the_work_is_raised_here() -> None:
    def work(n: int) -> int:
        return 1 // (n - 3)

    with pytest.raises(ZeroDivisionError):
        list(shared(work, range(9)))


@pytest.mark.parametrize("worthwhile", [True, False])
def test_what_is_done_beside_is_done_when_the_block_is(tmp_path: Path, worthwhile: bool) -> None:
    file = tmp_path / "process"

    def work() -> None:
        file.write_text(str(os.getpid()), "utf-8")

    with beside(work, worthwhile):
        assert worthwhile or not file.exists()
    assert (int(file.read_text("utf-8")) == os.getpid()) == (not worthwhile)


def test_what_is_done_beside_is_done_by_this_process_where_the_other_is_killed(tmp_path: Path) -> None:
    here, file = os.getpid(), tmp_path / "process"

    def work() -> None:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        file.write_text("written", "utf-8")

    with beside(work):
        pass
    assert file.read_text("utf-8") == "written"


def test_an_error_beside_and_one_in_the_block_are_raised_here(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"), beside(lambda: (tmp_path / "nowhere").rmdir()):
        pass
    with pytest.raises(ZeroDivisionError), beside(lambda: None):
        raise ZeroDivisionError


def test_an_index_is_the_same_however_many_made_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, many in (("one", 10**6), ("several", 0)):
        monkeypatch.setattr(contents, "MANY", many)
        monkeypatch.setattr(building, "MANY", many)
        monkeypatch.setattr(corpus, "MANY", many)
        (tmp_path / name).mkdir(mode=0o700)
        write_files(load(corpus_root()), tmp_path / name, no_progress)
        seal(tmp_path / name)
    one, several = (open_state(tmp_path / name) for name in ("one", "several"))
    numbers = range(one.store.documents)
    assert [one.store.stored(n) for n in numbers] == [several.store.stored(n) for n in numbers]
    assert one.dictionary.to_parts() == several.dictionary.to_parts()
    for lang, vocabulary in one.dictionary.vocabularies.items():
        for term in vocabulary.counts():
            assert one.store.postings(lang, term) == several.store.postings(lang, term)


def test_what_is_wrong_with_a_corpus_is_the_same_however_many_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_corpus(
        tmp_path,
        Edit("harbour/asks.en.toml", '  "docks doubt 7",\n', ""),
        Edit("harbour/rules.es.md", "[muelles](#docks)", "[muelles](#nowhere)"),
    )
    monkeypatch.setattr(corpus, "MANY", 10**6)
    one = load(root)
    monkeypatch.setattr(corpus, "MANY", 0)
    assert load(root).problems == one.problems
    assert len(one.problems) > 1
