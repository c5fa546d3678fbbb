"""Tantivy, by its Python package: BM25 with the title twice as heavy and asks half; fuzzy where nothing is found as typed."""

from __future__ import annotations

from pathlib import Path

import tantivy

from benchmarks.engines.serving import Answer, Ask, any_word, read_rows, serve, spaced

MOST = 10
FIELDS = ["title", "asks", "text"]
BOOSTS = {"title": 2.0, "asks": 0.5}
FUZZY = dict.fromkeys(FIELDS, (False, 2, True))
"""Not prefixes only, at most two edits, a swap of neighbours being one."""


class Tantivy:
    """One document per entry and language."""

    def build(self, source: Path, folder: Path) -> float:
        """Add all rows in one commit and wait until the segments are joined."""
        schema = tantivy.SchemaBuilder().add_text_field("name", stored=True, tokenizer_name="raw")
        for name in FIELDS:
            schema.add_text_field(name, stored=name != "asks")
        writer = tantivy.Index(schema.build(), path=str(folder)).writer(num_threads=1)
        for row in read_rows(source):
            texts = {"title": spaced(row.title), "asks": spaced(row.asks), "text": spaced(row.text)}
            writer.add_document(tantivy.Document(name=row.name, **texts))
        writer.commit()
        writer.wait_merging_threads()
        return 0.0

    def open(self, folder: Path) -> Ask:
        """Ten best of all that have any word."""
        index = tantivy.Index.open(str(folder))
        searcher = index.searcher()

        def ask(question: str) -> Answer:
            match = any_word(question)
            found = searcher.search(index.parse_query(match, FIELDS, field_boosts=BOOSTS), MOST)
            if not found.hits:
                loose = index.parse_query(match.replace('"', ""), FIELDS, field_boosts=BOOSTS, fuzzy_fields=FUZZY)
                found = searcher.search(loose, MOST)
            documents = [searcher.doc(address) for _, address in found.hits]
            names = tuple(document.get_first("name") for document in documents)
            return Answer(found.count, names, documents[0].get_first("text") if documents else "")

        return ask


if __name__ == "__main__":
    serve(Tantivy())
