"""SQLite's FTS5: accents folded, BM25 with the title twice as heavy and asks half. It repairs no typing errors."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from benchmarks.engines.serving import Answer, Ask, any_word, read_rows, serve, spaced

MOST = 10

TABLE = """create virtual table t using fts5(
    name unindexed, game unindexed, lang unindexed, title, asks, text, tokenize = 'unicode61 remove_diacritics 2')"""
QUERY = "select name, text from t where t match ? order by bm25(t, 0, 0, 0, 2.0, 0.5, 1.0) limit ?"


class Fts5:
    """One table, a row per entry and language."""

    def build(self, source: Path, folder: Path) -> float:
        """Fill the table and join its parts."""
        database = sqlite3.connect(folder / "fts5.db")
        database.execute(TABLE)
        rows = (
            (row.name, row.game, row.lang, spaced(row.title), spaced(row.asks), spaced(row.text))
            for row in read_rows(source)
        )
        database.executemany("insert into t values (?, ?, ?, ?, ?, ?)", rows)
        database.execute("insert into t(t) values ('optimize')")
        database.commit()
        database.execute("vacuum")
        database.close()
        return 0.0

    def open(self, folder: Path) -> Ask:
        """Ten best of all that have any word; counted, as we do."""
        database = sqlite3.connect(folder / "fts5.db")

        def ask(question: str) -> Answer:
            match = any_word(question)
            rows = database.execute(QUERY, (match, MOST)).fetchall()
            (hits,) = database.execute("select count(*) from t where t match ?", (match,)).fetchone()
            return Answer(hits, tuple(name for name, _ in rows), rows[0][1] if rows else "")

        return ask


if __name__ == "__main__":
    serve(Fts5())
