"""A small corpus with a cache folder of its own, for tests of how an index is kept."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ruleslawyer.index import Index, home_of, open_index
from ruleslawyer.state import fingerprint
from ruleslawyer.words import Note


class Shelf(NamedTuple):
    """A corpus and the folder for its indexes."""

    corpus: Path
    cache: Path

    @property
    def home(self) -> Path:
        """The folder that holds the states of the corpus."""
        return home_of(self.corpus, self.cache)

    @property
    def state(self) -> Path:
        """The folder of the corpus's present state."""
        return self.home / fingerprint(self.corpus)

    def opened(self) -> tuple[Index, list[str]]:
        """The index, and what was told while opening it."""
        notes: list[Note] = []
        return open_index(self.corpus, self.cache, notes.append), [note.key for note in notes]
