"""Documents turned round: which documents have a term and where in them, as the rows of numbers that an index keeps."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from struct import unpack
from typing import NamedTuple

Posting = tuple[int, Sequence[int]]
"""A document's number and the positions of the term in it."""


class IndexDocument(NamedTuple):
    """What is indexed of one entry.

    Args:
        keywords: values found whole: ``id`` (full name), ``game``, ``kind`` ...
        streams: language -> terms, each with its positions.
        stored: texts given back as they are.
    """

    keywords: Mapping[str, Sequence[str]]
    streams: Mapping[str, Mapping[str, Sequence[int]]]
    stored: Mapping[str, str]


STREAM = "in_"


def stream_field(lang: str) -> str:
    """The field that holds the terms of a language."""
    return STREAM + lang


class Inverted:
    """The postings of documents that follow each other. A part of a corpus can be turned round by itself.

    Attributes:
        first: the number of the first document.
        postings: field -> term -> for each document that has it, in order: its number, how many positions, the positions.
        lengths: per document, how many terms each language has.
        stored: per document, its texts.

    >>> some = Inverted(7)
    >>> some.add(IndexDocument({"game": ["fog"]}, {"en": {"the": [0, 2], "fog": [1]}}, {}))
    >>> some.postings["in_en"]["the"].tolist(), some.lengths
    ([7, 2, 0, 2], [{'in_en': 3}])
    """

    def __init__(self, first: int = 0) -> None:
        self.first = first
        self.postings: dict[str, dict[str, array[int]]] = {}
        self.lengths: list[dict[str, int]] = []
        self.stored: list[Mapping[str, str]] = []

    def add(self, document: IndexDocument) -> None:
        """Add the next document."""
        number = self.first + len(self.stored)
        for name, values in document.keywords.items():
            self._add(name, number, dict.fromkeys(values, (0,)))
        for lang, stream in document.streams.items():
            self._add(stream_field(lang), number, stream)
        self.lengths.append(
            {stream_field(lang): length_of(stream) for lang, stream in document.streams.items() if stream}
        )
        self.stored.append(document.stored)

    def frequencies(self) -> dict[str, dict[str, int]]:
        """By language, how many of the documents have each term."""
        return {
            field.removeprefix(STREAM): {term: _documents_in(row) for term, row in terms.items()}
            for field, terms in self.postings.items()
            if field.startswith(STREAM)
        }

    def _add(self, field: str, number: int, stream: Mapping[str, Sequence[int]]) -> None:
        if stream:
            postings = self.postings.setdefault(field, {})
            for term, positions in stream.items():
                row = [number, len(positions), *positions]
                if term in postings:
                    postings[term].fromlist(row)
                else:
                    postings[term] = array("I", row)


def length_of(stream: Mapping[str, Sequence[int]]) -> int:
    """How many terms a document has in a language."""
    return sum(map(len, stream.values()))


def inverted(documents: Iterable[IndexDocument], first: int = 0) -> Inverted:
    """The postings of documents, the first of which has the number ``first``."""
    result = Inverted(first)
    for document in documents:
        result.add(document)
    return result


def _documents_in(row: array[int]) -> int:
    documents = at = 0
    while at < len(row):
        documents, at = documents + 1, at + 2 + row[at + 1]
    return documents


def postings_in(data: bytes) -> list[Posting]:
    """The postings of a term from their bytes.

    >>> postings_in(array("I", [7, 2, 0, 2, 9, 1, 5]).tobytes())
    [(7, (0, 2)), (9, (5,))]
    """
    numbers = unpack(f"{len(data) // 4}I", data)
    found: list[Posting] = []
    at, end = 0, len(numbers)
    while at < end:
        after = at + 2 + numbers[at + 1]
        found.append((numbers[at], numbers[at + 2 : after]))
        at = after
    return found
