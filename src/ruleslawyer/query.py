"""String -> Query: the little query language. No input is an error; what is not understood is searched as it stands.

=====================  ==========================================================
``tie breaker``        words, any of them; more of them is better
``"may not move"``     exactly these words in a row; “ ” « » 「 」 do as well
``-outpost``           nothing that has this word; ``-"deep space"`` this phrase
``game:`` ``lang:``    only this game; read in this language
``kind:`` ``id:``      ``rule``, ``faq`` or ``info``; the entry itself
=====================  ==========================================================
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

MAX_CHARS = 2_000
"""A question longer than this is cut: no ruling needs more, and nobody should wait for it."""

MAX_PHRASES = 16
"""Different phrases, and things to leave out, that are heeded at most."""

FILTERS = ("game", "lang", "kind", "id")
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
_QUOTED = "|".join(f"{a}([^{b}]+){b}" for a, b in (*_QUOTES.items(), ("'", "'")))


@cache
def _filter() -> re.Pattern[str]:
    """A filter with its value, quoted or not; compiled when first needed."""
    return re.compile(rf"({'|'.join(FILTERS)}):(?:{_QUOTED}|([^\s\"'“„«「『]+))(?=\s|$)", re.ASCII | re.IGNORECASE)


class Query(NamedTuple):
    """A question taken apart.

    Args:
        text: as it was given, cleaned of control characters.
        words: what is to be searched as words, in order, as one string; the words of phrases among them.
        loose: the words that stand outside phrases, likewise.
        phrases: what must stand in a row.
        excluded: words and phrases that must not occur.
        filters: ``game``, ``lang``, ``kind``, ``id`` to their values, at most one each.
        cut: whether the question was too long and its end was left out.
    """

    text: str
    words: str
    loose: str = ""
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: Mapping[str, str] = {}
    cut: bool = False


def parse(text: str) -> Query:
    """Take a question apart.

    >>> parse('outpost "deep space" -ship kind:faq').words
    'outpost deep space'
    >>> parse('"unclosed (( a AND').words
    '"unclosed (( a AND'
    """
    clean = _without_controls(text)
    rest = clean[:MAX_CHARS]
    words: list[str] = []
    loose: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []
    filters: dict[str, str] = {}
    while rest := rest.lstrip():
        rest = _with_plain_start(rest)
        narrowing = _filter().match(rest) if ":" in rest else None
        if narrowing:
            filters[narrowing[1].lower()] = next(v for v in narrowing.groups()[1:] if v).lower()
            rest = rest[narrowing.end() :]
            continue
        negative = rest[0] == "-" and len(rest) > 1 and not rest[1].isspace()
        phrase = _phrase_at(rest[1:] if negative else rest)
        if phrase is not None:
            (excluded if negative else phrases).append(phrase)
            words += [] if negative else [phrase]
            rest = rest[len(phrase) + 2 + negative :]
            continue
        word = _until_quote(rest.split(maxsplit=1)[0])
        rest = rest[len(word) :]
        if negative and word[1:2].isalpha():
            excluded.append(word[1:])
        else:
            words.append(word)
            loose.append(word)
    cut = len(clean) > MAX_CHARS
    return Query(clean, " ".join(words), " ".join(loose), _different(phrases), _different(excluded), filters, cut)


def _different(found: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))[:MAX_PHRASES]


def _with_plain_start(text: str) -> str:
    """A full-width filter (``ｇａｍｅ：``) in plain letters; anything else as it is."""
    first = text.split(maxsplit=1)[0]
    name, colon, value = first.replace("：", ":", 1).partition(":")
    plain = unicodedata.normalize("NFKC", name)
    return f"{plain}:{value}{text[len(first) :]}" if colon and plain.lower() in FILTERS else text


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
