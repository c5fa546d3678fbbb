"""Whoosh, and nothing else knows of it: writes postings, reads them back. Works on every fork of Whoosh 2.7.

Whoosh keeps the files, the table of terms and the stored texts; a codec of ours keeps all that is known of a term in one row of
numbers, which is written and read at once, where Whoosh's own goes posting by posting. Ranking is ours and walks these rows,
since the query trees of all forks have faults.

An index may have two parts: the *base*, and the *later* documents, which stand in the place of documents of the base. So
a change of few documents writes few. What is read is the same as if all had been written at once.

Opening an index unpickles: the caller must have made sure that the folder is the user's own.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from struct import pack, unpack
from typing import Any, NamedTuple

from whoosh import __version__ as whoosh_version
from whoosh.codec.base import PostingsWriter
from whoosh.codec.whoosh3 import W3Codec
from whoosh.fields import STORED, FieldType, Schema
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.formats import Existence
from whoosh.index import TOC, FileIndex

from ruleslawyer.postings import Inverted, Posting, postings_in, stream_field

ENGINE = ".".join(map(str, whoosh_version))

BASE, LATER = "MAIN", "LATER"
"""Names of the two parts of an index, as Whoosh puts them in file names."""

KEPT_POSTINGS = 300_000
"""Postings that are kept after they were read, at most; about 60 MB."""


class Rows(FieldType):  # type: ignore[misc]
    """A field whose terms and positions come from our own analysis; Whoosh's analysers have no part in it."""

    def __init__(self) -> None:
        super().__init__(Existence(), None)


class Codec(W3Codec):  # type: ignore[misc]
    """Whoosh's codec, with a row of numbers for each term: ``postings``."""

    def postings_reader(self, dbfile: Any, terminfo: Any, *_: Any, **__: Any) -> Any:
        """All that is known of a term. The row tells its size itself: no fork reads back the one in the table of terms."""
        start = terminfo.extent()[0]
        return Found(postings_in(dbfile.get(start + 4, *unpack("I", dbfile.get(start, 4)))))


class Found(NamedTuple):
    """The postings of a term, where Whoosh would step through them."""

    postings: list[Posting]


class _WritingCodec(Codec):
    """The codec while an index is written: it knows where the rows go."""

    rows: _RowWriter

    def postings_writer(self, dbfile: Any, byteids: bool = False) -> Any:
        self.rows = _RowWriter(dbfile)
        return self.rows


class _RowWriter(PostingsWriter):  # type: ignore[misc]
    """Writes the row of a term as it is."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._at = file.tell()

    def start_postings(self, _format: Any, terminfo: Any) -> None:
        self._terminfo = terminfo

    def add_row(self, row: bytes) -> None:
        self._file.write(pack("I", len(row)) + row)
        self._terminfo.set_extent(self._at, 4 + len(row))
        self._at += 4 + len(row)

    def finish_postings(self) -> Any:
        return self._terminfo


def write(folder: Path, parts: Sequence[Inverted], part: str = BASE) -> None:
    """Write one part of an index into a folder. On any error nothing usable is left there and the error goes on.

    Args:
        folder: where to.
        parts: documents turned round, each part's numbers going on where those of the one before end.
        part: ``BASE`` or ``LATER``.
    """
    _write(FileStorage(str(folder)), parts, part)


def files_of_base(folder: Path) -> list[Path]:
    """The files of an index folder that make up its base."""
    return [path for path in sorted(folder.iterdir()) if path.name.startswith((f"{BASE}_", f"_{BASE}_"))]


def write_in_memory(parts: Sequence[Inverted]) -> Store:
    """The same index without a file, for machines where nothing can be written."""
    storage = RamStorage()
    _write(storage, parts, BASE)
    return Store(_Part(storage.open_index(BASE)))


def _write(storage: Any, parts: Sequence[Inverted], part: str) -> None:
    texts = sorted({name for p in parts for stored in p.stored for name in stored})
    fields = sorted({name for p in parts for name in p.postings})
    schema = Schema(**{name: Rows() for name in fields}, **{_text_field(name): STORED() for name in texts})
    codec = _WritingCodec()
    segment = Codec().new_segment(storage, part)
    segment.set_doc_count(_write_documents(codec.per_document_writer(storage, segment), parts, schema))
    _write_postings(codec, codec.field_writer(storage, segment), parts, schema)
    storage.temp_storage(f"{part}.tmp").destroy()  # where the writer of documents collected them
    TOC(schema, [segment], 1).write(storage, part)


def _text_field(name: str) -> str:
    return f"text_{name}"


def _write_documents(writer: Any, parts: Sequence[Inverted], schema: Any) -> int:
    number = 0
    for part in parts:
        for lengths, stored in zip(part.lengths, part.stored, strict=True):
            writer.start_doc(number)
            for field, length in lengths.items():
                writer.add_field(field, schema[field], None, length)
            for name, text in stored.items():
                writer.add_field(_text_field(name), schema[_text_field(name)], text, 0)
            writer.finish_doc()
            number += 1
    writer.close()
    return number


def _write_postings(codec: _WritingCodec, writer: Any, parts: Sequence[Inverted], schema: Any) -> None:
    for field in sorted({name for part in parts for name in part.postings}):
        writer.start_field(field, schema[field])
        rows: dict[str, list[array[int]]] = defaultdict(list)
        for part in parts:
            for term, row in part.postings.get(field, {}).items():
                rows[term].append(row)
        for term in sorted(rows):  # in the order of their UTF-8, too
            writer.start_term(term.encode())
            codec.rows.add_row(b"".join(rows[term]))
            writer.finish_term()
        writer.finish_field()
    writer.close()


class _Part:
    """An open Whoosh index, the documents numbered as they lie in it."""

    def __init__(self, index: FileIndex) -> None:
        self._reader = index.reader()
        self._names = frozenset(index.schema.names())

    @property
    def documents(self) -> int:
        return int(self._reader.doc_count_all())

    def postings(self, field: str, term: str) -> list[Posting]:
        key = (field, term.encode())
        if field not in self._names or key not in self._reader:
            return []
        found: list[Posting] = self._reader.postings(*key).postings
        return found

    def length(self, field: str, document: int) -> int:
        return int(
            self._reader.doc_field_length(document, field, 0) or 0
        )  # none: no document of the part has the field

    def total(self, field: str) -> int:
        return int(self._reader.field_length(field))

    def stored(self, document: int) -> dict[str, str]:
        fields = self._reader.stored_fields(document)
        return {name[5:]: value for name, value in fields.items() if name.startswith("text_")}

    def close(self) -> None:
        self._reader.close()


class Overlay(NamedTuple):
    """Where the documents of an index of two parts lie.

    Args:
        places: per document, in corpus order: its number in the base, or ``-1`` less its number among the later ones.
        totals: per language, how many terms all documents together have.
    """

    places: Sequence[int]
    totals: Mapping[str, int]


class Store:
    """An open index: postings, lengths, keywords and stored texts. Documents are numbered in corpus order."""

    def __init__(self, base: _Part, later: _Part | None = None, overlay: Overlay | None = None) -> None:
        self._base = base
        self._later = later or base
        self._overlay = overlay
        self._postings: dict[tuple[str, str], list[Posting]] = {}
        self._kept = 0
        if overlay:
            self._of_base = _numbers(overlay.places, base.documents)
            self._of_later = _numbers([-1 - p for p in overlay.places], self._later.documents)

    @classmethod
    def open(cls, folder: Path, overlay: Overlay | None = None) -> Store:
        """Open an index folder. Unpickles: only for a folder that the user alone can write to."""
        storage = FileStorage(str(folder))
        later = _Part(storage.open_index(LATER)) if overlay else None
        return cls(_Part(storage.open_index(BASE)), later, overlay)

    @property
    def overlay(self) -> Overlay:
        """Where the documents lie: all in the base, if they were written at once."""
        documents = self.documents
        return self._overlay or Overlay(range(documents), {})

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(self._overlay.places) if self._overlay else self._base.documents

    def postings(self, lang: str, term: str) -> list[Posting]:
        """Every document that has the term in a language, with the positions, in document order.

        What was read lately is kept: a question asks for the same terms several times, and who types asks again.
        """
        known = self._postings.get((lang, term))
        if known is None:
            known = self._read(stream_field(lang), term)
            self._kept += len(known)
            if self._kept > KEPT_POSTINGS:
                self._postings.clear()
                self._kept = len(known)
            self._postings[lang, term] = known
        return known

    def positions(self, lang: str, term: str, document: int) -> Sequence[int]:
        """Where a document has a term; empty if nowhere."""
        postings = self.postings(lang, term)
        at = bisect_left(postings, document, key=itemgetter(0))
        return postings[at][1] if at < len(postings) and postings[at][0] == document else ()

    def _read(self, field: str, term: str) -> list[Posting]:
        found = self._base.postings(field, term)
        if not self._overlay:
            return found
        kept = [(number, p) for d, p in found if (number := self._of_base[d]) >= 0]
        later = [(number, p) for d, p in self._later.postings(field, term) if (number := self._of_later[d]) >= 0]
        return sorted([*kept, *later])

    def with_keyword(self, name: str, value: str) -> frozenset[int]:
        """Numbers of the documents whose keyword has this value."""
        return frozenset([document for document, _ in self._read(name, value)])

    def length(self, lang: str, document: int) -> int:
        """Number of terms of a document in a language, as coarse as Whoosh keeps it (one byte)."""
        part, place = self._place(document)
        return part.length(stream_field(lang), place)

    def average_length(self, lang: str) -> float:
        """Mean number of terms in a language over all documents."""
        return self.total_length(lang) / max(1, self.documents)

    def total_length(self, lang: str) -> int:
        """How many terms all documents together have in a language."""
        return self._overlay.totals.get(lang, 0) if self._overlay else self._base.total(stream_field(lang))

    def stored(self, document: int) -> dict[str, str]:
        """The texts stored with a document."""
        part, place = self._place(document)
        return part.stored(place)

    def _place(self, document: int) -> tuple[_Part, int]:
        place = self._overlay.places[document] if self._overlay else document
        return (self._base, place) if place >= 0 else (self._later, -1 - place)

    def close(self) -> None:
        """Let go of the files."""
        self._base.close()
        if self._overlay:
            self._later.close()


def _numbers(places: Sequence[int], documents: int) -> list[int]:
    """Per document of a part, its number in the whole index; -1 for one that has gone."""
    numbers = [-1] * documents
    for number, place in enumerate(places):
        if place >= 0:
            numbers[place] = number
    return numbers
