"""The environment that the peers live in: made on first use, never part of the product's."""

from __future__ import annotations

import subprocess
import sys
import venv
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

from benchmarks.timing import run_process

WANTED = Path(__file__).with_name("peers.txt")
READY = "ready.txt"


@cache
def peers_folder() -> Path:
    """The environment, with everything of ``peers.txt`` in it; installed from the network when that file has changed."""
    folder = user_cache_path("ruleslawyer-benchmarks", appauthor=False) / "peers"
    wanted = WANTED.read_text(encoding="utf-8")
    ready = folder / READY
    if not ready.is_file() or ready.read_text(encoding="utf-8") != wanted:
        print("installing the peers", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        run_process([str(_program(folder, "python")), "-m", "pip", "install", "--requirement", str(WANTED)])
        ready.write_text(wanted, encoding="utf-8")
    return folder


def peer(name: str) -> str:
    """A program of the peers' environment: ``python``, ``mkdocs``, ``hugo``."""
    return str(_program(peers_folder(), name))


def version(package: str) -> str:
    """The version of a peer."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([peer("python"), "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def _program(folder: Path, name: str) -> Path:
    return folder / "bin" / name
