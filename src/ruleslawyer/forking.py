"""Work shared among processes: forked where that is safe, so that they know what this one knows; else done in this one.

What goes wrong in a forked process, whatever it is, is done again by this one, where it can be told. Nothing is left of them
when this process ends, however it does.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn, TypeVar

from ruleslawyer.interrupts import held_back

Task = TypeVar("Task")
Result = TypeVar("Result")

MOST_PROCESSES = 8

AHEAD = 2
"""Tasks that a process has at a time: it need not wait for the next while the result of one is fetched."""

PR_SET_PDEATHSIG = 1
"""What Linux's ``prctl`` calls the signal that a process gets when the one that forked it has ended."""


def shared(work: Callable[[Task], Result], tasks: Sequence[Task], worthwhile: bool = True) -> Iterator[Result]:
    """The results of the tasks, in their order.

    Args:
        work: what to do; a forked process knows all that this one knows. Its results are pickled. A task may be done twice.
        tasks: what to do it with.
        worthwhile: whether there is enough to do to pay for starting processes.

    >>> list(shared(len, ["a", "to"]))
    [1, 2]
    """
    processes = min(_processors(), len(tasks), MOST_PROCESSES) if worthwhile and _can_fork() else 1
    if processes == 1:
        yield from map(work, tasks)
        return
    with _forked(work, tasks, processes) as collection:
        yield from collection.results()


@contextmanager
def beside(work: Callable[[], None], worthwhile: bool = True) -> Iterator[None]:
    """Have work done while the block is: by a forked process, or else after the block by this one.

    Args:
        work: what to do, with an effect on files alone. It may be done twice, the first time in part.
        worthwhile: whether there is enough to do to pay for starting a process.

    >>> with beside(lambda: print("done")):
    ...     print("doing")
    doing
    done
    """
    if not worthwhile or not _can_fork() or _processors() == 1:
        yield
        work()
        return
    with _forked(lambda _: work(), [None], 1) as collection:
        yield
        list(collection.results())


class _Collection:
    """Gives tasks to processes, two at a time to each, and takes in what they send."""

    def __init__(self, work: Callable[[Any], Any], tasks: Sequence[Any], connections: Sequence[Any]) -> None:
        self._work = work
        self._tasks = tasks
        self._left = iter(range(len(tasks)))
        self._given: dict[Any, deque[int]] = {connection: deque() for connection in connections}
        self._done: dict[int, Any] = {}
        self._lost: set[int] = set()
        for _ in range(AHEAD):
            for connection in connections:
                self._give(connection)

    def results(self) -> Iterator[Any]:
        """The results in the order of the tasks; of what was lost with a process, those of this one."""
        for n in range(len(self._tasks)):
            while self._given and n not in self._done and n not in self._lost:
                self._take_in()
            yield self._done.pop(n) if n in self._done else self._work(self._tasks[n])

    def _take_in(self) -> None:
        from multiprocessing.connection import wait

        ready: list[Any] = wait(list(self._given))
        for connection in ready:
            try:
                result = connection.recv()
            except (EOFError, OSError):  # the process has ended: killed, for want of memory mostly, or by an error
                self._lost.update(self._given.pop(connection))
            else:
                self._done[self._given[connection].popleft()] = result
                self._give(connection)

    def _give(self, connection: Any) -> None:
        n = next(self._left, None) if connection in self._given else None
        if n is None:
            return
        self._given[connection].append(n)
        try:
            connection.send(n)
        except OSError:
            self._lost.update(self._given.pop(connection))


@contextmanager
def _forked(work: Callable[[Any], Any], tasks: Sequence[Any], processes: int) -> Iterator[_Collection]:
    """Processes that have begun with the tasks, fewer where there is no room for more, and what takes in their results."""
    forked: dict[Any, int] = {}
    try:
        for _ in range(processes):
            if not _fork(work, tasks, forked):
                break
        yield _Collection(work, tasks, list(forked))
    finally:
        for connection, child in forked.items():
            connection.close()
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _fork(work: Callable[[Any], Any], tasks: Sequence[Any], forked: dict[Any, int]) -> bool:
    """Start one more process, with Ctrl-C held back until it can be told that there is one."""
    import ctypes  # now, since a new process should not be the first to load anything
    from multiprocessing.connection import Pipe

    parent, libc = os.getpid(), ctypes.CDLL(None)
    with held_back() as mask:
        ours, theirs = Pipe()
        try:
            child = os.fork()
            if not child:
                _serve(theirs, work, tasks, (ours, *forked), partial(_obey, parent, libc, mask))
            forked[ours] = child
        except OSError:  # no room for another process
            ours.close()
            return False
        finally:
            theirs.close()  # but for the new process nobody has it: when that ends, this one sees an end
    return True


def _serve(
    connection: Any,
    work: Callable[[Any], Any],
    tasks: Sequence[Any],
    others: Iterable[Any],
    obey: Callable[[], None],
) -> NoReturn:
    """What a forked process does until it is killed: it takes numbers of tasks, and sends results."""
    try:
        for other in others:
            other.close()
        obey()
        while True:
            connection.send(work(tasks[connection.recv()]))
    finally:
        os._exit(1)


def _obey(parent: int, libc: Any, mask: set[Any]) -> None:
    """Let this process end with the one that forked it, however that ends, and leave it to that one what Ctrl-C does."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _can_fork() -> bool:
    """A fork of a process with several threads may hang; elsewhere than on Linux libraries do not bear it."""
    return sys.platform == "linux" and threading.active_count() == 1
