"""Success on the judged queries beside what one would pick instead, on the same entries.

Peers get what a straightforward set-up gives them: one document per entry and language with title, text and asks; the query as
it is typed; the game where ``needs_game`` says so. None of them can say "nothing found" but by having no match.
"""

from __future__ import annotations

import re
import sqlite3
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from whoosh import fields, qparser
from whoosh.filedb.filestore import RamStorage

from benchmarks.report import Table
from ruleslawyer.corpus import load
from ruleslawyer.index import open_index
from ruleslawyer.model import Corpus
from ruleslawyer.places import corpus_root

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "relevance"))
from measure import Judged, judged_queries, outcome

Search = Callable[[str, str], Sequence[str]]
"""Query and game (or empty) -> full names of entries, best first."""


@dataclass(frozen=True)
class Row:
    """One entry in one language, as every peer indexes it."""

    name: str
    game: str
    title: str
    text: str


def rows(corpus: Corpus) -> Iterator[Row]:
    """The same text for every peer: asks are part of it."""
    for entry in corpus.entries.values():
        for lang in sorted({*entry.texts, *entry.asks}):
            text = entry.texts.get(lang)
            asks = "\n".join(entry.asks.get(lang, ()))
            yield Row(entry.name, entry.game, text.title if text else "", f"{text.plain if text else ''}\n{asks}")


def once(names: Iterator[str]) -> list[str]:
    """One hit per entry."""
    return list(dict.fromkeys(names))


def plain_whoosh(data: Sequence[Row]) -> Search:
    """Whoosh with its default analyser, parser and scoring, any word."""
    schema = fields.Schema(
        name=fields.STORED, game=fields.ID(stored=True), title=fields.TEXT(field_boost=2.0), text=fields.TEXT
    )
    index = RamStorage().create_index(schema)
    writer = index.writer()
    for row in data:
        writer.add_document(name=row.name, game=row.game, title=row.title, text=row.text)
    writer.commit()
    searcher = index.searcher()
    parser = qparser.MultifieldParser(["title", "text"], schema, group=qparser.OrGroup)

    def search(query: str, game: str) -> Sequence[str]:
        hits = searcher.search(parser.parse(query), limit=None)
        return once(h["name"] for h in hits if not game or h["game"] == game)

    return search


def fts5(data: Sequence[Row], tokenizer: str) -> Search:
    """SQLite's FTS5 with bm25, any word, title twice as heavy."""
    db = sqlite3.connect(":memory:")
    db.execute(
        f"create virtual table t using fts5(name unindexed, game unindexed, title, text, tokenize='{tokenizer}')"
    )
    db.executemany("insert into t values (?, ?, ?, ?)", [(r.name, r.game, r.title, r.text) for r in data])

    def search(query: str, game: str) -> Sequence[str]:
        words = re.findall(r"\w+", query)
        if tokenizer == "trigram":
            words = [w[i : i + 3] for w in words for i in range(max(1, len(w) - 2))]
        match = " OR ".join(f'"{w}"' for w in words)
        if not match:
            return []
        found = db.execute("select name, game from t where t match ? order by bm25(t, 0, 0, 2, 1)", (match,))
        return once(name for name, its in found if not game or its == game)

    return search


def all_words(data: Sequence[Row]) -> Search:
    """Every word somewhere in the entry, case and accents aside, in corpus order: what grep would do."""

    def plain(text: str) -> str:
        decomposed = unicodedata.normalize("NFD", text.casefold())
        return "".join(c for c in decomposed if not unicodedata.combining(c))

    folded = [(row, plain(f"{row.title}\n{row.text}")) for row in data]

    def search(query: str, game: str) -> Sequence[str]:
        words = plain(query).split()
        return once(r.name for r, text in folded if (not game or r.game == game) and all(w in text for w in words))

    return search


def figures(search: Search, judged: Sequence[Judged]) -> tuple[float, float, int, float]:
    """Success, mean reciprocal rank, negatives handled, share of answerable queries without any hit."""
    success = reciprocal = 0.0
    negatives = lost = answerable = 0
    for j in judged:
        names = search(j.query, j.game if j.needs_game else "")
        if j.negative:
            negatives += not names or names[0] in j.ok
            continue
        answerable += 1
        lost += not names
        rank = next((n for n, name in enumerate(names[:20], 1) if name in j.expect), 0)
        success += 0 < rank <= j.must_rank
        reciprocal += 1 / rank if rank else 0
    return success / answerable, reciprocal / answerable, negatives, lost / answerable


NOTE = """The queries of `tests/relevance`: share with an expected entry at the asked rank, mean reciprocal rank, the questions
without an answer that are declined, and answers of which nothing is found at all. No peer is told what is no answer."""


def tables() -> list[Table]:
    """Measure all searches on the bundled corpus."""
    index = open_index(corpus_root())
    data = list(rows(load(corpus_root()).corpus))
    judged = judged_queries()

    def ours(query: str, game: str) -> Sequence[str]:
        asked = Judged("", "", game, query, "", 0, bool(game), (), (), "")
        return [hit.record.name for hit in outcome(index, asked).found.hits]

    peers: dict[str, Search] = {
        "Rules Lawyer": ours,
        "Whoosh, defaults": plain_whoosh(data),
        "SQLite FTS5 unicode61": fts5(data, "unicode61 remove_diacritics 2"),
        "SQLite FTS5 trigram": fts5(data, "trigram"),
        "all words (grep)": all_words(data),
    }
    return [
        Table("Relevance", NOTE, ["", "success", "MRR", "declined", "lost"], [_row(*p, judged) for p in peers.items()])
    ]


def _row(name: str, search: Search, judged: Sequence[Judged]) -> list[str]:
    success, reciprocal, negatives, lost = figures(search, judged)
    unanswerable = sum(j.negative for j in judged)
    return [name, f"{success:.1%}", f"{reciprocal:.3f}", f"{negatives} of {unanswerable}", f"{lost:.1%}"]
