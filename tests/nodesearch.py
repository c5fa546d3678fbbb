"""The browser's search run in Node, for tests: the same scripts, without a page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pytest

from ruleslawyer.browserindex import SEARCH_SCRIPT, browser_files, search_script
from ruleslawyer.index import Index
from ruleslawyer.model import Corpus
from searchcases import Request

HARNESS = Path(__file__).parent / "search_in_node.js"
PROCESSES = 2
"""Searches that work at a time: what each was asked before makes no difference, which a test holds."""


def node() -> str:
    """The program; the test is skipped where it is missing, and fails where ``CI=true``."""
    found = shutil.which("node") or shutil.which("nodejs")
    if not found:
        message = "node is not installed; to run the browser's search in tests: apt-get install nodejs"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return found


def write_search(corpus: Corpus, index: Index, folder: Path) -> Path:
    """The scripts and shards, as the site has them among its assets."""
    files: Mapping[str, bytes] = {SEARCH_SCRIPT: search_script(), **browser_files(corpus, index)}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def run(folder: Path, requests: Sequence[Request]) -> list[dict[str, Any]]:
    """The answers of the browser's search to requests, one each."""
    return started(folder, requests)()


def started(folder: Path, requests: Sequence[Request]) -> Callable[[], list[dict[str, Any]]]:
    """Let several searches work on the requests, and go on; what is returned waits for the answers, one each."""
    share = max(1, -(-len(requests) // PROCESSES))
    parts = [_begin(folder, requests[n : n + share]) for n in range(0, len(requests), share)]
    return lambda: [answer for part in parts for answer in _answers(*part)]


def _begin(folder: Path, requests: Sequence[Request]) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    asked, said = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  the process outlives this call
    asked.write("\n".join(json.dumps(request) for request in requests).encode())
    asked.seek(0)
    with asked:
        return subprocess.Popen([node(), str(HARNESS), str(folder)], stdin=asked, stdout=said), said


def _answers(process: subprocess.Popen[bytes], said: IO[bytes]) -> list[dict[str, Any]]:
    with said:
        assert process.wait() == 0
        said.seek(0)
        return [json.loads(line) for line in said.read().split(b"\n") if line]


def differences(expected: Mapping[str, Any], got: Mapping[str, Any]) -> list[str]:
    """How two answers differ: everything equal, scores to nine digits, so that ties break alike."""
    if "error" in got:
        return [str(got["error"])]
    found = [
        f"{key}: {expected[key]!r} != {got[key]!r}"
        for key in expected
        if key != "scores" and expected[key] != got.get(key)
    ]
    close = all(abs(a - b) < 1e-9 for a, b in zip(expected["scores"], got["scores"], strict=False))
    return found if close else [*found, f"scores: {expected['scores']} != {got['scores']}"]
