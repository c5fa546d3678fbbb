"""A real terminal for tests: xterm on a virtual screen, photographed, and a decoder for the QR codes on the pictures.

Without them, tests that need them are skipped and say why; where ``CI=true`` they fail instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from commands import environment

HOW = "apt-get install xterm xvfb imagemagick zbar-tools fonts-dejavu-core"
PROGRAMS = ("xterm", "Xvfb", "import", "zbarimg")
PATIENT = 60.0
"""Seconds until a picture must show what is expected."""

GREYS = {f"color{n}": "#777777" for n in range(16)}
"""A theme in which the sixteen colours that themes may change are of no use."""


def needed() -> None:
    """Skip, or fail in CI, where a program is missing."""
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        message = f"there is no {', '.join(missing)}; to run the tests of pictures: {HOW}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)


@contextmanager
def screen() -> Iterator[str]:
    """A virtual screen; its display name."""
    mine, its = os.pipe()
    command = ["Xvfb", "-displayfd", str(its), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[its], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(its)
    try:
        with os.fdopen(mine) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def terminal(
    display: str,
    command: Sequence[str],
    colours: tuple[str, str],
    theme: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
) -> Iterator[None]:
    """A terminal with these colours of ink and paper that runs a command for as long as the block does."""
    resources = {"faceName": "DejaVu Sans Mono", "faceSize": "10", "internalBorder": "0", **(theme or {})}
    options = [option for name, value in resources.items() for option in ("-xrm", f"xterm*{name}: {value}")]
    process = subprocess.Popen(
        ["xterm", "-u8", "-fg", colours[0], "-bg", colours[1], "-geometry", "100x40+0+0", *options, "-e", *command],
        env=environment(DISPLAY=display, TERM="xterm-256color", **(env or {})),
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.kill()  # what it runs is hung up on
        process.wait()


def photograph(display: str, picture: Path) -> Path:
    """What is on the screen, as PNG."""
    command = ["import", "-silent", "-window", "root", str(picture)]
    done = subprocess.run(command, capture_output=True, env=environment(DISPLAY=display))
    assert done.returncode == 0, done.stderr
    return picture


def decoded(picture: Path) -> str:
    """What the QR code on a picture says; empty where there is none."""
    command = ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", str(picture)]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def decoded_in_time(display: str, picture: Path) -> str:
    """What the code on the screen says, as soon as there is one."""
    deadline = time.monotonic() + PATIENT
    while not (text := decoded(photograph(display, picture))) and time.monotonic() < deadline:
        time.sleep(0.2)
    return text
