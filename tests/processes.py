"""Processes that are stopped, killed and started at once, for tests of what survives that."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

MOMENTS = 50
"""Moments at which something is killed."""

CHANGES = ("os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.link")
"""What changes a folder, by its audit event; opening a file to write does too."""


def fork(work: Callable[[], object]) -> int:
    """Start something in a forked process, which ends with 0 or, where it raises, with 1; its id."""
    child = os.fork()
    if not child:
        status = 1
        try:
            work()
            status = 0
        except BaseException as error:  # noqa: BLE001  nothing may get back into the test from here
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(status)
    return child


def outcome(child: int) -> int:
    """Wait for a process; its exit status, negative for the signal that killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def in_a_child(work: Callable[[], object]) -> int:
    """Run something in a forked process; its exit status, negative for the signal that killed it."""
    return outcome(fork(work))


def killed_after(seconds: float, work: Callable[[], object]) -> int:
    """Run something in a forked process that is killed -9 after so many seconds; 0 where it was done before."""
    child = fork(work)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return outcome(child)


def moments(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> list[float]:
    """Random moments, in seconds, of something that is first done a few times, each after ``before``, to be timed."""
    took = min(_duration(work, before) for _ in range(3))
    chance = random.Random(50)
    return [chance.random() * took for _ in range(MOMENTS)]


def _duration(work: Callable[[], object], before: Callable[[], object]) -> float:
    before()
    started = time.monotonic()
    assert in_a_child(work) == 0
    return time.monotonic() - started


def killed_at(step: int, folder: Path) -> None:
    """From now on count the changes that this process makes in a folder, and be killed -9 just before the step."""
    done = 0

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal done
        changes = event in CHANGES or (event == "open" and (args[2] or 0) & (os.O_WRONLY | os.O_RDWR))
        if changes and str(folder) in whole_path(event, args):
            done += 1
            if done == step:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def whole_path(event: str, args: tuple[Any, ...]) -> str:
    """The path of what changes, also where it is found by its name in a folder that is open."""
    if event in ("os.remove", "os.rmdir") and args[1] >= 0:
        return str(Path(f"/proc/self/fd/{args[1]}").readlink() / args[0])
    return str(args[0])


def once_opened(name: str, act: Callable[[], object]) -> None:
    """From now on, when this process opens a file of that name for the first time, do something just before."""
    waiting = [act]

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and waiting and str(args[0]).endswith(name):
            waiting.pop()()

    sys.addaudithook(hook)


def whenever_opened(name: str, act: Callable[[], object]) -> None:
    """From now on, each time this process opens a file of that name, do something just before."""
    acting = False

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal acting
        if event == "open" and not acting and str(args[0]).endswith(name):
            acting = True
            act()
            acting = False

    sys.addaudithook(hook)


def together(*works: Callable[[], object]) -> list[int]:
    """Run all at once, each in a process of its own, from the same moment on; their exit statuses."""
    wait, go = os.pipe()

    def started(work: Callable[[], object]) -> None:
        os.close(go)
        os.read(wait, 1)
        work()

    children = [fork(partial(started, work)) for work in works]
    os.close(wait)
    os.close(go)
    return [outcome(child) for child in children]
