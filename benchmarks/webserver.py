"""A web host on the loopback address that compresses as hosts do, and counts what it sends: the same for all that is measured.

It counts on its side of the wire, since a browser does not tell what its workers fetch.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TEXT = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
TEXT |= {".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}


class Host(http.server.ThreadingHTTPServer):
    """A folder on the web."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
        self.sent = 0
        self._counting = threading.Lock()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}"

    def count(self, size: int) -> None:
        """Add to ``sent``, the bytes of all answers so far, headers included."""
        with self._counting:
            self.sent += size


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Host

    def flush_headers(self) -> None:
        """Count what is about to be sent."""
        self.server.count(sum(map(len, getattr(self, "_headers_buffer", ()))))
        super().flush_headers()

    def do_GET(self) -> None:
        """Text compressed, all else as it is."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        kind = TEXT.get(path.suffix)
        body = _compressed(path) if kind else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind else self.guess_type(path))
        if kind:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.server.count(len(body))
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@functools.cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6, mtime=0)


@contextmanager
def served(folder: Path) -> Iterator[Host]:
    """A folder on the web, for as long as the block runs."""
    host = Host(folder)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    try:
        yield host
    finally:
        host.shutdown()
        host.server_close()
