"""Whoosh, and nothing else knows of it: writes postings, reads them back. Works on every fork of Whoosh 2.7.

A document's tokens come in with their positions and go out again as they were. Ranking is ours and walks the postings,
since the query trees of all forks have faults. Opening an index unpickles: the caller must have made sure that the folder
is the user's own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from struct import pack, unpack
from typing import Any, NamedTuple

from whoosh import __version__ as whoosh_version
from whoosh.analysis import IDTokenizer
from whoosh.fields import STORED, TEXT, Schema
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.formats import Positions
from whoosh.index import FileIndex

ENGINE = ".".join(map(str, whoosh_version))
Posting = tuple[int, Sequence[int]]
"""A document's number and the positions of the term in it."""

SORTED_IN_MEMORY = 512
"""Megabytes of postings that are sorted in memory while an index is written; more go through temporary files."""

KEPT_POSTINGS = 300_000
"""Postings that are kept after they were read, at most; about 60 MB."""


class IndexDocument(NamedTuple):
    """What is indexed of one entry.

    Args:
        keywords: values found whole: ``id`` (full name), ``game``, ``kind`` ...
        streams: language -> terms with positions.
        stored: texts given back as they are.
    """

    keywords: Mapping[str, Sequence[str]]
    streams: Mapping[str, Sequence[tuple[str, int]]]
    stored: Mapping[str, str]


class Places(Positions):  # type: ignore[misc]
    """Positions as four bytes each: written and read at once, where Whoosh pickles a list of differences."""

    def encode(self, poslist: Sequence[int]) -> bytes:
        """The positions of a term in a document as a posting's value."""
        return pack(f"<{len(poslist)}I", *poslist)

    def decode_positions(self, valuestring: bytes) -> tuple[int, ...]:
        """The positions in a posting's value."""
        return unpack(f"<{len(valuestring) // 4}I", valuestring)


class Positioned(TEXT):  # type: ignore[misc]
    """A field whose terms and positions come from our own analysis; Whoosh's analysers have no part in it."""

    def __init__(self) -> None:
        super().__init__(analyzer=IDTokenizer())
        self.format = Places()

    def index(self, value: Sequence[tuple[str, int]], **kwargs: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        """Per term its bytes, frequency, weight and encoded positions; Whoosh's own options change nothing."""
        places: dict[str, list[int]] = {}
        for term, pos in value:
            if term in places:
                places[term].append(pos)
            else:
                places[term] = [pos]
        encode = self.format.encode
        for term, positions in places.items():
            yield term.encode(), len(positions), float(len(positions)), encode(positions)


def write(folder: Path, documents: Iterable[IndexDocument], on_document: Callable[[], None] = lambda: None) -> None:
    """Write an index into an empty folder. On any error nothing usable is left there and the error goes on."""
    _write(FileStorage(str(folder)), documents, on_document)


def write_in_memory(documents: Iterable[IndexDocument], on_document: Callable[[], None] = lambda: None) -> Store:
    """The same index without a file, for machines where nothing can be written."""
    storage = RamStorage()
    _write(storage, documents, on_document)
    return Store(storage.open_index())


def _write(storage: Any, documents: Iterable[IndexDocument], on_document: Callable[[], None]) -> None:
    documents = list(documents)
    stored = sorted({name for d in documents for name in d.stored})
    names = sorted({name for d in documents for name in _values(d)} - {f"text_{name}" for name in stored})
    schema = Schema(
        **{name: Positioned() for name in names},
        **{f"text_{name}": STORED() for name in stored},
    )
    writer = storage.create_index(schema).writer(limitmb=SORTED_IN_MEMORY)
    try:
        for document in documents:
            writer.add_document(**_values(document))
            on_document()
    except BaseException:
        writer.cancel()
        raise
    writer.commit(optimize=True)


def _values(document: IndexDocument) -> dict[str, Any]:
    values: dict[str, Any] = {name: [(v, 0) for v in found] for name, found in document.keywords.items() if found}
    values |= {f"in_{lang}": stream for lang, stream in document.streams.items() if stream}
    return values | {f"text_{name}": text for name, text in document.stored.items()}


class Store:
    """An open index: postings, lengths, keywords and stored texts."""

    def __init__(self, index: FileIndex) -> None:
        self._reader = index.reader()
        self._names = frozenset(index.schema.names())
        self._postings: dict[tuple[str, str], list[Posting]] = {}
        self._kept = 0

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Open an index folder. Unpickles: only for a folder that the user alone can write to."""
        return cls(FileStorage(str(folder)).open_index())

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return int(self._reader.doc_count_all())

    def postings(self, lang: str, term: str) -> list[Posting]:
        """Every document that has the term in a language, with the positions, in document order.

        What was read lately is kept: a question asks for the same terms several times, and who types asks again.
        """
        known = self._postings.get((lang, term))
        if known is None:
            known = self._read_postings(lang, term)
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

    def _read_postings(self, lang: str, term: str) -> list[Posting]:
        if f"in_{lang}" not in self._names:
            return []
        key = (f"in_{lang}", term.encode())
        if key not in self._reader:
            return []
        matcher = self._reader.postings(*key)
        found: list[Posting] = []
        while matcher.is_active():
            found.append((matcher.id(), matcher.value_as("positions")))
            matcher.next()
        return found

    def with_keyword(self, name: str, value: str) -> frozenset[int]:
        """Numbers of the documents whose keyword has this value."""
        key = (name, value.encode())
        return (
            frozenset(self._reader.postings(*key).all_ids())
            if name in self._names and key in self._reader
            else frozenset()
        )

    def length(self, lang: str, document: int) -> int:
        """Number of terms of a document in a language, as coarse as Whoosh keeps it (one byte)."""
        return int(self._reader.doc_field_length(document, f"in_{lang}", 0))

    def average_length(self, lang: str) -> float:
        """Mean number of terms in a language over all documents."""
        total = int(self._reader.field_length(f"in_{lang}"))
        return total / max(1, self.documents)

    def stored(self, document: int) -> dict[str, str]:
        """The texts stored with a document."""
        fields = self._reader.stored_fields(document)
        return {name[5:]: value for name, value in fields.items() if name.startswith("text_")}

    def close(self) -> None:
        """Let go of the files."""
        self._reader.close()
