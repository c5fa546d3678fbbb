"""Build an index from a corpus: the only part of the index that reads Markdown. Not imported by a look-up."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from ruleslawyer import store
from ruleslawyer.corpus import load
from ruleslawyer.errors import CorpusInvalid
from ruleslawyer.index import CATALOGUE, DICTIONARY, Index, Progress
from ruleslawyer.indexer import catalogue, dictionary, documents
from ruleslawyer.model import Corpus


def _usable(root: Path) -> Corpus:
    loaded = load(root)
    if not loaded.corpus.entries:
        raise CorpusInvalid(loaded.problems)
    return loaded.corpus


def _counted(total: int, progress: Progress) -> Callable[[], None]:
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        progress(done, total)

    return count


def build_files(root: Path, folder: Path, progress: Progress) -> None:
    """Write the index of a corpus into an empty folder: the postings, the dictionary and the catalogue."""
    corpus = _usable(root)
    indexed = list(documents(corpus))
    store.write(folder, indexed, _counted(len(indexed), progress))
    for name, data in ((DICTIONARY, dictionary(corpus, indexed).to_json()), (CATALOGUE, catalogue(corpus))):
        (folder / name).write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def build_in_memory(root: Path, progress: Progress) -> Index:
    """The same index without a file."""
    corpus = _usable(root)
    indexed = list(documents(corpus))
    built = store.write_in_memory(indexed, _counted(len(indexed), progress))
    return Index(built, dictionary(corpus, indexed), json.loads(json.dumps(catalogue(corpus))), None)
