"""The browser's search run in Node, for tests: the same scripts, without a page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ruleslawyer.browserindex import SEARCH_SCRIPT, browser_files, search_script
from ruleslawyer.index import Index
from ruleslawyer.model import Corpus
from searchcases import Request

HARNESS = Path(__file__).parent / "search_in_node.js"


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


def run(folder: Path, requests: Iterable[Request]) -> list[dict[str, Any]]:
    """The answers of the browser's search to requests, one each."""
    lines = "\n".join(json.dumps(request) for request in requests)
    done = subprocess.run(
        [node(), str(HARNESS), str(folder)], input=lines, capture_output=True, text=True, encoding="utf-8", check=True
    )
    return [json.loads(line) for line in done.stdout.split("\n") if line]


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
