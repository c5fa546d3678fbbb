"""``rules serve`` as people start it, in a process of its own, and clients that talk to it byte by byte."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import IO, NamedTuple

import pytest

from commands import environment, no_traceback

PATIENT = 60
"""Seconds that anything may take on a busy machine before a test gives up."""

ENDED = "(end of the stream)"

ELSEWHERE = """
import sys
from ipaddress import ip_interface
from pathlib import Path
from ruleslawyer import __main__, lan, places
root, addresses = Path(sys.argv.pop(1)), sys.argv.pop(1)
places.corpus_root = lambda: root
lan.cards = lambda: []
if addresses:
    lan.local_interfaces = lambda found, first: [ip_interface(one) for one in addresses.split()]
__main__.run()
"""
"""The command on another corpus and with other addresses in the network than this machine's: the first two arguments."""


def command(corpus: Path, *args: str, near: str = "") -> list[str]:
    """What starts ``rules serve`` on a corpus; ``near``: the addresses in its network, e.g. ``127.0.0.2/8``."""
    return [sys.executable, "-c", ELSEWHERE, str(corpus), near, "serve", *args]


class Running:
    """A server that was started. ``out`` and ``err``: the lines it has written so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.out: list[str] = []
        self.err: list[str] = []
        self._lines: Queue[str] = Queue()
        self._threads = [
            threading.Thread(target=self._collect, args=(stream, kept), daemon=True)
            for stream, kept in ((process.stdout, self.out), (process.stderr, self.err))
        ]
        for thread in self._threads:
            thread.start()

    def _collect(self, stream: IO[str], kept: list[str]) -> None:
        with stream:
            for line in stream:
                kept.append(line.rstrip("\n"))
                self._lines.put(kept[-1])
        self._lines.put(ENDED)

    def end(self) -> None:
        """Whatever it is doing, end it; all that it has written is there afterwards."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The next line on either stream in which a pattern is found."""
        seen = []
        while True:
            try:
                seen.append(self._lines.get(timeout=PATIENT))
            except Empty:
                pytest.fail(f"no line with {pattern!r}, but {seen}")
            if seen.count(ENDED) == 2:
                pytest.fail(f"it has ended without a line with {pattern!r}, but {seen}")
            if found := re.search(pattern, seen[-1]):
                return found

    def stop(self, sign: signal.Signals = signal.SIGINT) -> int:
        """Send a signal; the exit status."""
        self.process.send_signal(sign)
        return self.process.wait(PATIENT)


@contextmanager
def serving(corpus: Path, *args: str, near: str = "", cwd: Path | None = None, **env: str) -> Iterator[Running]:
    """A server on a corpus, stopped at the end; it may not have had a traceback."""
    process = subprocess.Popen(
        command(corpus, *args, near=near),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(**env),
        cwd=cwd,
    )
    running = Running(process)
    try:
        yield running
    finally:
        running.end()
    no_traceback("\n".join((*running.out, *running.err)))


def port_of(running: Running) -> int:
    """The port, once the server says where it is."""
    return int(running.wait_for(r"http://127\.0\.0\.1:(\d+)/")[1])


class Reply(NamedTuple):
    """An answer as it came over the wire; headers by name in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes


def connected(port: int, address: str = "127.0.0.1") -> socket.socket:
    """A connection."""
    return socket.create_connection((address, port), timeout=PATIENT)


def raw(port: int, request: bytes, address: str = "127.0.0.1") -> Reply:
    """Send these very bytes and read until the server closes."""
    with connected(port, address) as client:
        client.sendall(request)
        return reply_of(read_all(client))


def read_all(client: socket.socket) -> bytes:
    """Everything until the other side ends."""
    data = b""
    while chunk := client.recv(65536):
        data += chunk
    return data


def reply_of(data: bytes) -> Reply:
    """The only answer in these bytes."""
    head, _, body = data.partition(b"\r\n\r\n")
    start, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.lower().partition(": ") for line in lines)
    return Reply(int(start.split()[1]), {name: value for name, _, value in pairs}, body)


def get(port: int, target: str, *headers: str, method: str = "GET", host: str = "localhost") -> Reply:
    """Ask for a target, sent as it is."""
    lines = (f"{method} {target} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", "")
    return raw(port, "\r\n".join(lines).encode("latin-1"))


def reset(client: socket.socket) -> bool:
    """Whether the server has ended a connection, once it has: reads on until then."""
    client.settimeout(PATIENT)
    try:
        read_all(client)
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def open_files_allowed(wanted: int) -> None:
    """Skip where this process may not open that many sockets."""
    if os.name != "posix":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        if hard != resource.RLIM_INFINITY and hard < wanted:
            pytest.skip(f"only {hard} open files are allowed here")
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
