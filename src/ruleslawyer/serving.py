"""Serving a site to browsers: connections with a deadline for everything, in a thread of its own.

A client has a fixed time to say what it wants, however busily it drips, and a time that goes with the size of the answer to
take it. Nobody waits for anybody: an answer is sent in pieces, and the oldest connection makes way where there are too many.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from email.utils import formatdate
from http import HTTPStatus
from types import TracebackType
from typing import NamedTuple

from ruleslawyer.answering import BadRequest, Site, answer, plain, read_request, written
from ruleslawyer.errors import DataProblem, UsageProblem

LONGEST_HEAD = 16 * 1024
PIECE = 64 * 1024
CONNECTIONS = 200
FIRST_PORT, PORTS_TRIED = 8000, 50
STOPPING = 3.0
"""Seconds that connections get to end."""


class Patience(NamedTuple):
    """How long a client may take, in seconds, and how slowly it may read, in bytes a second.

    ``head``: for a whole request, counted from the connection or from the answer before; ``answer``: for taking an answer,
    besides what its size allows at ``slowest``; ``parting``: for taking note that it was refused.
    """

    head: float = 10.0
    answer: float = 10.0
    slowest: float = 16 * 1024
    parting: float = 1.0


PATIENCE = Patience()


# --- listening --------------------------------------------------------------------------------------------------------


@contextmanager
def listening(addresses: Sequence[str], port: int | None) -> Iterator[list[socket.socket]]:
    """Sockets that listen on addresses of this machine, all on one port: this one, or the first free one from 8000 on.

    The first address must be there; others that have just vanished are passed over. At the end they are closed.

    Raises:
        UsageProblem: the port is taken, or not for everyone.
        DataProblem: no port is free, or the machine has no such address.
    """
    listeners = _listeners(addresses, port)
    try:
        yield listeners
    finally:
        _close(listeners)


def _listeners(addresses: Sequence[str], port: int | None) -> list[socket.socket]:
    for tried in [port] if port else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        try:
            return _all_listening(addresses, tried)
        except OSError as error:
            if error.errno == errno.EACCES and port:
                raise UsageProblem(f"port {tried} needs special rights", "choose one above 1023 with --port") from error
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                reason = error.strerror or str(error)
                raise DataProblem(f"cannot listen on {addresses[0]}, port {tried}: {reason}") from error
    if port:
        raise UsageProblem(f"port {port} is taken by another program", "choose another, or leave --port out")
    last = FIRST_PORT + PORTS_TRIED - 1
    raise DataProblem(f"no port from {FIRST_PORT} to {last} is free", "choose one with --port")


def _all_listening(addresses: Sequence[str], port: int) -> list[socket.socket]:
    listeners: list[socket.socket] = []
    try:
        for address in addresses:
            try:
                listeners.append(_listener(address, port))
            except OSError as error:
                if error.errno != errno.EADDRNOTAVAIL or not listeners:
                    raise
    except OSError:
        _close(listeners)
        raise
    return listeners


def _listener(address: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere this would take a port away from another program
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if ":" in address:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((address, port))
        listener.listen(CONNECTIONS)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def _close(listeners: Iterable[socket.socket]) -> None:
    for listener in listeners:
        listener.close()


# --- the server -------------------------------------------------------------------------------------------------------


class Server:
    """Serves a site while a ``with`` block runs. ``site`` may be replaced at any time: an answer is of one build.

    Args:
        listeners: from ``listening``; closed at the end.
        site: what is served.
        hosts: under which names and addresses it may be asked, see ``answering.answer``.
        admits: whether a client with this address is spoken to.
        patience: with slow clients.
    """

    def __init__(
        self,
        listeners: Sequence[socket.socket],
        site: Site,
        hosts: Collection[str],
        admits: Callable[[str], bool] = lambda address: True,
        patience: Patience = PATIENCE,
    ) -> None:
        self.site = site
        self._listeners = listeners
        self._hosts = hosts
        self._admits = admits
        self._patience = patience
        self._open: dict[asyncio.StreamWriter, None] = {}  # in order of arrival
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="serving", daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(2 * STOPPING)

    def wait(self, seconds: float) -> None:
        """Let it serve for a while.

        Raises:
            DataProblem: it has ended by itself.
        """
        self._thread.join(seconds)
        if not self._thread.is_alive():
            raise DataProblem("the server has stopped", "start it again; if it stops again, report what it printed")

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        servers = [
            await asyncio.start_server(self._meet, sock=listener, limit=LONGEST_HEAD, backlog=CONNECTIONS)
            for listener in self._listeners
        ]
        self._ready.set()
        await self._stop.wait()
        for server in servers:
            server.close()
        for writer in self._open:
            writer.transport.abort()
        if self._tasks:  # told apart from being cancelled: each ends because its connection has
            await asyncio.wait(self._tasks, timeout=STOPPING)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(self._attend(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open[writer] = None
        if len(self._open) > CONNECTIONS:
            oldest = next(iter(self._open))
            del self._open[oldest]
            oldest.transport.abort()
        try:
            writer.transport.set_write_buffer_limits(high=0)  # what was sent has been taken
            peer = writer.get_extra_info("peername")
            if peer and self._admits(peer[0]):
                await self._converse(reader, writer)
            writer.close()
        except (TimeoutError, EOFError, OSError):
            writer.transport.abort()
        finally:
            self._open.pop(writer, None)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        keep = True
        while keep:
            try:
                said = answer(read_request(await self._head(reader)), self.site, self._hosts)
            except BadRequest as error:
                said = plain(error.status)
            await self._say(writer, written(said, formatdate(usegmt=True)))
            keep = said.keep
            await asyncio.sleep(0)  # who asks for many things at once lets others have theirs in between
        await self._part(reader, writer)

    async def _head(self, reader: asyncio.StreamReader) -> bytes:
        async with asyncio.timeout(self._patience.head):
            first = await reader.readexactly(1)
            if not first.isupper():  # a browser that tries https first is told at once, and tries http
                raise BadRequest
            try:
                return first + await reader.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError as error:
                raise BadRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) from error

    async def _say(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        async with asyncio.timeout(self._patience.answer + len(data) / self._patience.slowest):
            for at in range(0, len(data), PIECE):
                writer.write(data[at : at + PIECE])
                await writer.drain()

    async def _part(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """End a conversation: closing while the client still talks would throw the answer away."""
        writer.write_eof()
        async with asyncio.timeout(self._patience.parting):
            while await reader.read(PIECE):
                pass
