"""String -> Query: the little query language. No input is an error; what is not understood is searched as it stands.

=====================  ==========================================================
``tie breaker``        words, any of them; more of them is better
``"may not move"``     exactly these words in a row; “ ” « » 「 」 do as well
``-outpost``           nothing that has this word; ``-"deep space"`` this phrase
``game:`` ``lang:``    only this game; only this language's text
``kind:`` ``id:``      ``rule``, ``faq`` or ``info``; the entry itself
=====================  ==========================================================
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

MAX_CHARS = 2_000
"""A question longer than this is cut: no ruling needs more, and nobody should wait for it."""

FILTERS = ("game", "lang", "kind", "id")
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
_TOKEN = re.compile(r"\S+")


class Query(NamedTuple):
    """A question taken apart.

    Args:
        text: as it was given, cleaned of control characters.
        words: what is to be searched as words, in order, as one string.
        phrases: what must stand in a row.
        excluded: words and phrases that must not occur.
        filters: ``game``, ``lang``, ``kind``, ``id`` to their values, at most one each.
        cut: whether the question was too long and its end was left out.
    """

    text: str
    words: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: Mapping[str, str] = {}
    cut: bool = False


def parse(text: str) -> Query:
    """Take a question apart.

    >>> parse('outpost "deep space" -ship kind:faq').words
    'outpost'
    >>> parse('"unclosed (( a AND').words
    '"unclosed (( a AND'
    """
    clean = _without_controls(text)
    cut = len(clean) > MAX_CHARS
    rest = clean[:MAX_CHARS]
    phrases: list[str] = []
    excluded: list[str] = []
    words: list[str] = []
    filters: dict[str, str] = {}
    while rest := rest.lstrip():
        negative = rest[0] == "-" and len(rest) > 1 and not rest[1].isspace()
        phrase = _phrase_at(rest[1:] if negative else rest)
        if phrase is not None:
            (excluded if negative else phrases).append(phrase)
            rest = rest[len(phrase) + 2 + negative :]
            continue
        match = _TOKEN.match(rest)
        word = _until_quote(match[0]) if match else rest
        rest = rest[len(word) :]
        name, colon, value = unicodedata.normalize("NFKC", word).partition(":")
        if colon and value and name.lower() in FILTERS:
            filters[name.lower()] = value.strip("\"'“”").lower()
        elif negative and word[1].isalpha():
            excluded.append(word[1:])
        else:
            words.append(word)
    return Query(clean, " ".join(words), tuple(phrases), tuple(excluded), filters, cut)


def _without_controls(text: str) -> str:
    """Control characters, lone surrogates and line breaks become spaces."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text).strip()


def _phrase_at(text: str) -> str | None:
    """The phrase in quotes that the text begins with, or ``None``; one without a word in it is no phrase."""
    close = _QUOTES.get(text[0]) if text else None
    end = text.find(close, 1) if close else -1
    inside = text[1:end] if end > 1 else ""
    return inside if any(c.isalnum() for c in inside) else None


def _until_quote(word: str) -> str:
    """A word stops where a quoted phrase begins inside it (``“平手”`` after Han without a space)."""
    for n, char in enumerate(word[1:], 1):
        if char in _QUOTES and char not in '"' and _QUOTES[char] in word[n:]:
            return word[:n]
    return word
