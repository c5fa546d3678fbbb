"""Running ``rules`` as people do: in a process of its own, piped or on a terminal, with a known environment.

No test may see a traceback: every run here fails if there is one.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ON_CORPUS = """
import sys
from pathlib import Path
from ruleslawyer import __main__, places
root = Path(sys.argv.pop(1))
places.corpus_root = lambda: root
__main__.run()
"""
"""The command on another corpus than the bundled one; its folder is the first argument."""


class Result(NamedTuple):
    """How a run ended: exit status and what it wrote."""

    status: int
    out: str
    err: str = ""


def environment(**changes: str) -> dict[str, str]:
    """This process's environment, but in English and without what changes how output looks."""
    left_out = ("LC_", "LESS", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONCOERCECLOCALE", "PYTHONUNBUFFERED")
    plain = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    for name in ("LANG", "LANGUAGE", "COLUMNS", "LINES", "PAGER", "NO_COLOR", "TERM", "FORCE_COLOR"):
        plain.pop(name, None)
    return {**plain, "LC_ALL": "C.UTF-8", **changes}


def command(corpus: Path | None = None) -> list[str]:
    """What starts ``rules``, on the bundled corpus or another."""
    return [sys.executable, *(["-m", "ruleslawyer"] if corpus is None else ["-c", ON_CORPUS, str(corpus)])]


def rules(
    *args: str | bytes, corpus: Path | None = None, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Result:
    """Run ``rules`` with these arguments, its output piped. ``env`` holds changes to the environment."""
    done = subprocess.run(
        [*command(corpus), *args], capture_output=True, env=environment(**(env or {})), cwd=cwd, timeout=120
    )
    encoding = "gbk" if "gbk" in (env or {}).get("PYTHONIOENCODING", "") else "utf-8"
    result = Result(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))
    no_traceback(result.out + result.err)
    return result


def no_traceback(text: str) -> None:
    """Fail where a text has a traceback."""
    assert "Traceback" not in text, text


def on_terminal(
    *args: str,
    columns: int = 80,
    lines: int = 30_000,
    corpus: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Result:
    """Run ``rules`` on a pseudo-terminal of this size; ``out`` is everything the terminal got."""
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen(
        [*command(corpus), *args],
        stdin=its,
        stdout=its,
        stderr=its,
        env=environment(**{"TERM": "xterm", **(env or {})}),
        start_new_session=True,
    )
    os.close(its)
    deadline = threading.Timer(60, os.killpg, (process.pid, signal.SIGKILL))  # a pager that waits for a key
    deadline.start()
    out = b""
    try:
        while chunk := os.read(mine, 65536):
            out += chunk
    except OSError:  # Linux: the other end is closed
        pass
    os.close(mine)
    status = process.wait()
    deadline.cancel()
    result = Result(status, out.decode().replace("\r\n", "\n"))
    no_traceback(result.out)
    return result


def without_styles(text: str) -> str:
    """Text as a terminal shows it, without the codes for colour and weight."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def cells(line: str) -> int:
    """Terminal cells of a line, counted without the help of what is tested."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line if not unicodedata.combining(c))


def script(folder: Path, name: str, lines: Sequence[str]) -> Path:
    """An executable shell script."""
    path = folder / name
    path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n", encoding="utf-8")
    path.chmod(0o755)
    return path
