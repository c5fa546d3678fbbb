"""Work shared among processes: forked where that is safe, so that they know what this one knows; else done in this one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

MOST_PROCESSES = 8

PR_SET_PDEATHSIG = 1
"""What Linux's ``prctl`` calls the signal that a process gets when the one that forked it has ended."""

_work: Callable[[Any], Any]
"""In a forked process: what it was forked for."""


def shared(work: Callable[[Task], Result], tasks: Sequence[Task], worthwhile: bool = True) -> Iterator[Result]:
    """The results of the tasks, in their order.

    Args:
        work: what to do; a forked process knows all that this one knows. Its tasks and results are pickled.
        tasks: what to do it with.
        worthwhile: whether there is enough to do to pay for starting processes.

    >>> list(shared(len, ["a", "to"]))
    [1, 2]
    """
    processes = min(_processors(), len(tasks), MOST_PROCESSES) if worthwhile and _can_fork() else 1
    if processes == 1:
        yield from map(work, tasks)
        return
    from concurrent.futures import ProcessPoolExecutor  # takes longer to import than small work takes
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    done = 0
    try:
        with ProcessPoolExecutor(processes, get_context("fork"), _begin, (work, os.getpid())) as pool:
            for result in pool.map(_do, tasks):
                yield result
                done += 1
    except BrokenProcessPool:  # one was killed, for want of memory mostly
        yield from map(work, tasks[done:])


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
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        with ProcessPoolExecutor(1, get_context("fork"), _begin, (_called(work), os.getpid())) as pool:
            done = pool.submit(_do, None)
            yield
            done.result()
    except BrokenProcessPool:
        work()


def _called(work: Callable[[], None]) -> Callable[[Any], None]:
    return lambda _: work()


def _begin(work: Callable[[Any], Any], parent: int) -> None:
    global _work
    _work = work
    _end_with(parent)


def _end_with(parent: int) -> None:
    """Let this process be killed when the one that forked it ends, however that is: else it would wait for work for ever."""
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)


def _do(task: Any) -> Any:
    return _work(task)


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _can_fork() -> bool:
    """A fork of a process with several threads may hang; elsewhere than on Linux libraries do not bear it."""
    return sys.platform == "linux" and threading.active_count() == 1
