"""A corpus as peers index it: one row per entry and language, the very texts and phrasings that we index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.engines.serving import Row
from ruleslawyer.model import Corpus


def rows_of(corpus: Corpus) -> Iterator[Row]:
    """Every text; a row without one where an entry has only phrasings in a language. Aliases count as phrasings."""
    for entry in corpus.entries.values():
        for lang in sorted({*entry.texts, *entry.asks}):
            text = entry.texts.get(lang)
            phrasings = [*(text.aliases if text else ()), *entry.asks.get(lang, ())]
            title, body = (text.title, text.plain) if text else ("", "")
            yield Row(entry.name, entry.game, lang, title, "\n".join(phrasings), body)


def write_rows(corpus: Corpus, path: Path) -> None:
    """Write the rows of a corpus into a file, a line of JSON each."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows_of(corpus))
