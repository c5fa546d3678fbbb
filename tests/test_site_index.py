"""The index from which a website's search data are made: the one on disk where that holds the same, with the same bytes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from corpora import VALID, write_corpus
from ruleslawyer import building, places
from ruleslawyer.browserindex import browser_files
from ruleslawyer.building import build_in_memory
from ruleslawyer.cli import cli
from ruleslawyer.corpus import load
from ruleslawyer.index import Index, Progress, home_of, no_progress, open_index
from ruleslawyer.model import Corpus
from ruleslawyer.state import OVERLAY
from ruleslawyer.upkeep import corpus_for_site
from ruleslawyer.website import with_private_marked

SECRET = "quixotic"
"""A word of the private pack alone."""


class Shelf:
    """A corpus and private packs, of which websites are made."""

    def __init__(self, folder: Path) -> None:
        self.corpus = write_corpus(folder / "corpus")
        self.packs = folder / "packs"
        self.cache = folder / "cache"

    def add_pack(self) -> None:
        for name, text in VALID.items():
            if name.startswith("harbour/"):
                path = self.packs / "mine" / name.partition("/")[2]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text.replace("Pay 3 coins", f"Pay {SECRET} coins"), encoding="utf-8")

    def change(self, price: int) -> None:
        path = self.corpus / "harbour" / "rules.en.md"
        text = VALID["harbour/rules.en.md"].replace("Pay 3 coins", f"Pay {price} coins")
        path.write_text(text, encoding="utf-8")

    def look_up(self) -> None:
        """Have the index that a look-up would have: of the corpus and the packs."""
        open_index(self.corpus, self.cache, packs=self.packs).store.close()

    def from_memory(self, private: bool) -> dict[str, bytes]:
        loaded = load(self.corpus, self.packs if private else None)
        return browser_files(with_private_marked(loaded.corpus), build_in_memory(loaded.corpus, no_progress))

    def assert_same(self, private: bool = False) -> None:
        with click.Context(cli):
            _, files = corpus_for_site(private)
        assert files == self.from_memory(private)
        assert any(SECRET.encode() in content for content in files.values()) == private

    def overlays(self) -> list[Path]:
        return list(home_of(self.corpus, self.cache).glob(f"*/{OVERLAY}.json"))


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    monkeypatch.setattr(places, "corpus_root", lambda: shelf.corpus)
    monkeypatch.setattr(places, "packs_folder", lambda: shelf.packs)
    monkeypatch.setattr("ruleslawyer.index.cache_folder", lambda: shelf.cache)
    yield shelf


@pytest.fixture
def none_in_memory(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Is told of every index that the site makes in memory."""
    made: list[str] = []
    real = building.build_in_memory

    def told(corpus: Corpus, progress: Progress) -> Index:
        made.append("memory")
        return real(corpus, progress)

    monkeypatch.setattr(building, "build_in_memory", told)
    return made


def test_search_data_are_the_same_from_the_index_on_disk(shelf: Shelf, none_in_memory: list[str]) -> None:
    shelf.assert_same()
    shelf.look_up()
    shelf.assert_same()
    assert none_in_memory == []


def test_search_data_are_the_same_after_changes_one_after_the_other(shelf: Shelf, none_in_memory: list[str]) -> None:
    shelf.look_up()
    for price in (4, 12, 4, 3):
        shelf.change(price)
        shelf.assert_same()
    assert none_in_memory == []
    assert shelf.overlays()


def test_a_site_without_private_packs_has_nothing_of_an_index_with_them(
    shelf: Shelf, none_in_memory: list[str]
) -> None:
    shelf.add_pack()
    shelf.look_up()
    shelf.assert_same()
    assert none_in_memory == ["memory"]
    shelf.assert_same(private=True)
    assert none_in_memory == ["memory"]


def test_nothing_is_left_of_a_pack_that_was_taken_away(shelf: Shelf, none_in_memory: list[str]) -> None:
    shelf.add_pack()
    shelf.look_up()
    shutil.rmtree(shelf.packs)
    shelf.assert_same()
    assert none_in_memory == []


def test_an_index_that_others_could_write_to_is_not_needed(shelf: Shelf, none_in_memory: list[str]) -> None:
    shelf.look_up()
    home_of(shelf.corpus, shelf.cache).chmod(0o777)
    shelf.assert_same()
    assert none_in_memory == ["memory"]


def test_files_that_change_while_the_site_is_made_are_not_mixed(
    shelf: Shelf, none_in_memory: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shelf.from_memory(private=False)

    def load_and_change(*args: object) -> object:
        loaded = load(*args)  # type: ignore[arg-type]
        shelf.change(7)
        return loaded

    monkeypatch.setattr("ruleslawyer.corpus.load", load_and_change)
    with click.Context(cli):
        _, files = corpus_for_site(False)
    assert files == before
    assert none_in_memory == ["memory"]


def test_titles_of_private_games_are_always_in_one_order(shelf: Shelf) -> None:
    shelf.add_pack()
    title = with_private_marked(load(shelf.corpus, shelf.packs).corpus).games["mine"].title
    assert list(title) == sorted(title)
