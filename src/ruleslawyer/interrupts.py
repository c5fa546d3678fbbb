"""Ctrl-C, held back for moments that must not be cut in two."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def held_back() -> Iterator[set[Any]]:
    """A block in which Ctrl-C, or a request to end, waits until it is over; gives what was held back before it.

    Where the system cannot hold signals back (Windows) the block is as any other.

    >>> with held_back():
    ...     print("whole")
    whole
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield set()
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
