"""Rules Lawyer itself, by its public functions; without garbage collection, as its command runs."""

from __future__ import annotations

import gc
import time
from pathlib import Path

from benchmarks.engines.serving import Answer, Ask, serve
from ruleslawyer.building import write_files
from ruleslawyer.corpus import load
from ruleslawyer.index import no_progress
from ruleslawyer.search import search
from ruleslawyer.state import open_state, seal


class Ours:
    """Reads a corpus folder."""

    def build(self, source: Path, folder: Path) -> float:
        """Index it as ``rules index`` does."""
        gc.disable()
        started = time.perf_counter()
        loaded = load(source)
        reading = time.perf_counter() - started
        write_files(loaded, folder, no_progress)
        seal(folder)
        return reading

    def open(self, folder: Path) -> Ask:
        """Open it as a look-up does, and read the first hit's text as it does."""
        gc.disable()
        index = open_state(folder)

        def ask(question: str) -> Answer:
            found = search(index, question)
            hits = found.hits or found.nearest
            text = hits[0].record.body(found.plan.lang).plain if hits else ""
            return Answer(found.total, tuple(hit.record.name for hit in hits), text)

        return ask


if __name__ == "__main__":
    serve(Ours())
