"""A real browser for tests: the system's Chromium, driven by Playwright.

Without either, tests that need them are skipped and say why; where ``CI=true`` they fail instead.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HOW = "apt-get install chromium fonts-noto-cjk; pip install playwright axe-playwright-python"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _give_up(reason: str) -> None:
    message = f"{reason}; to run the browser tests: {HOW}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser, for as long as the block runs."""
    path = next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
    )
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _give_up("playwright is not installed")
    if not path:
        _give_up("there is no chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def axe() -> Any:
    """The accessibility checker."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        _give_up("axe-playwright-python is not installed")
    return Axe()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A folder over http on the loopback address; whatever is in it at the time of the request."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class Watch:
    """What a page asked for and complained about."""

    def __init__(self, page: Any) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", self._failed)
        page.on("dialog", self._dialog)

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # a page that was left loads no more
            self.complaints.append(f"failed: {request.url}")

    def _dialog(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)
