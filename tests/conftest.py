"""What all tests share: a cache and packs that are never the user's, the bundled index, repeatable random tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from browsers import chromium
from ruleslawyer.index import Index, open_index
from ruleslawyer.places import cache_folder, corpus_root

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", max_examples=2_000, deadline=None)  # pytest --hypothesis-profile explore
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Indexes and packs are kept in temporary folders, also by the commands that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for indexes, empty and of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache_folder()


@pytest.fixture(scope="session")
def bundled(own_cache: None) -> Index:
    """The index of the bundled corpus, built once."""
    return open_index(corpus_root())


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser, for the tests of one file: it runs threads, and others want none."""
    with chromium() as started:
        yield started
