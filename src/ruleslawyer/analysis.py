"""Text -> terms: the one cutting of text that index, query and highlighting share.

A text is normalised for matching only; every token keeps where it stood in the text as written. The same rules are
written again in the browser's script, so they are kept few, and each is a row of the contract file.

1. NFKC, case folding, straight quotes, Traditional to Simplified by the table given.
2. Words by Unicode class; nothing is dropped. An apostrophe between letters stays in its word.
3. Hyphens: ``re-roll`` gives ``re``, ``roll`` and ``reroll``; ``3-4`` gives ``3``, ``4`` and ``3-4``.
4. Numbers with dots: ``3.1.2`` gives ``3.1.2`` and the openings ``3.1.`` and ``3.``, so that ``3.1`` finds it and not ``3.10``.
5. Han: every character, every pair of neighbours, and a pair of number and character (``两人``: ``2人``).
6. Number words and digits meet (``two``: ``2``); level numerals meet beside a level word (``Level II``, ``二级``: ``level:2``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ruleslawyer.languages import HAN_NUMBERS, LANGUAGES, LEVEL_NUMERALS

ANALYSIS_VERSION = 1
"""Raise whenever the terms of any text change: an index of another version is rebuilt."""

_PUNCTUATION = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‐": "-", "‑": "-", "‒": "-", "–": "-", "−": "-"}
)  # fmt: skip


class Token(NamedTuple):
    """A term and where it stands: ``start`` and ``end`` in the text as written, ``pos`` counted in words from 0.

    ``kind``: ``word``; ``han`` (one character), ``pair`` (two); ``part`` and ``whole`` of a hyphenated word;
    ``number`` (a number word's digits); ``opening`` of a dotted number; ``level``.
    """

    term: str
    start: int
    end: int
    pos: int
    kind: str


@lru_cache(maxsize=8192)
def is_han(char: str) -> bool:
    """Whether a character is a Chinese ideograph.

    >>> is_han("殿"), is_han("か"), is_han("a")
    (True, False, False)
    """
    return "㐀" <= char <= "䶿" or "一" <= char <= "鿿" or char in "々〇" or "\U00020000" <= char <= "\U0003ffff"


@lru_cache(maxsize=4096)
def is_word_char(char: str) -> bool:
    """Letters, marks and digits of any script but Han."""
    return unicodedata.category(char)[0] in "LNM" and not is_han(char)


_LETTERS = re.compile(r"[^\W_\u3400-\u4dbf\u4e00-\u9fff\u3005\u3007\U00020000-\U0003ffff]+")
"""A run of letters and digits, found at once; marks, which it lacks, are then looked at one by one."""


@lru_cache(maxsize=65536)
def fold(term: str) -> str:
    """A term without accents and apostrophes: what is compared when accents may be missing.

    >>> fold("año"), fold("player's"), fold("acción")
    ('ano', 'players', 'accion')
    """
    if term.isascii():
        return term.replace("'", "")
    decomposed = unicodedata.normalize("NFD", term).replace("'", "")
    return "".join(c for c in decomposed if unicodedata.category(c) != "Mn")


def normalise(text: str, simplified: Mapping[str, str]) -> tuple[str, list[int]]:
    """Text as it is compared, and for each of its characters the offset in ``text`` that it comes from.

    A base character and its combining marks are one cluster, so composed and decomposed forms meet. The list has one
    element more than the text: the end.

    >>> normalise("Ｓí", {})
    ('sí', [0, 1, 2])
    """
    if text.isascii():
        return text.lower(), list(range(len(text) + 1))
    chars: list[str] = []
    offsets: list[int] = []
    for start, end in _clusters(text):
        cluster = _normal_cluster(text[start:end])
        for char in cluster:
            chars.append(simplified.get(char, char))
            offsets.append(start)
    offsets.append(len(text))
    return "".join(chars), offsets


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for i in range(1, len(text)):
        if not _is_mark(text[i]):
            yield start, i
            start = i
    if text:
        yield start, len(text)


@lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    return char > "\u02ff" and unicodedata.category(char)[0] == "M"


@lru_cache(maxsize=8192)
def _normal_cluster(cluster: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster).casefold())
    return folded.translate(_PUNCTUATION)


def analyse(text: str, lang: str, simplified: Mapping[str, str] | None = None) -> list[Token]:
    """All tokens of a text, in the order of their positions.

    Args:
        text: any string; a query or a corpus text.
        lang: the language whose number and level words count; an unknown code has none.
        simplified: Traditional to Simplified characters.

    >>> [t.term for t in analyse("Re-roll two dice", "en")]
    ['re', 'reroll', 'roll', 'two', '2', 'dice']
    >>> [t.term for t in analyse("两人局", "zh")]
    ['两', '两人', '2', '2人', '人', '人局', '局']
    """
    norm, offsets = normalise(text, simplified or {})
    tokens: list[Token] = []
    pos = i = 0
    while i < len(norm):
        if is_han(norm[i]):
            j = _end_of_han(norm, i)
            tokens += _han_tokens(norm, i, j, pos, offsets)
            pos += j - i
        elif is_word_char(norm[i]):
            j = _end_of_compound(norm, i)
            found = list(_compound_tokens(norm, i, j, pos, offsets))
            tokens += found
            pos = found[-1].pos + 1
        else:
            j = i + 1
        i = j
    return _with_meanings(tokens, lang)


def terms_of(text: str, lang: str, simplified: Mapping[str, str] | None = None) -> list[str]:
    """The terms alone: what the contract file compares."""
    return [t.term for t in analyse(text, lang, simplified)]


def _end_of_word(text: str, start: int) -> int:
    end = start
    while end < len(text) and is_word_char(text[end]):
        run = _LETTERS.match(text, end)
        end = run.end() if run else end + 1
    return end


def _end_of_han(text: str, start: int) -> int:
    end = start
    while end < len(text) and is_han(text[end]):
        end += 1
    return end


def _end_of_compound(text: str, start: int) -> int:
    """Where a run of word characters ends, joined by single apostrophes, hyphens, and dots between digits."""
    end = start
    while True:
        end = _end_of_word(text, end)
        if end + 1 >= len(text) or text[end] not in "'-." or not is_word_char(text[end + 1]):
            return end
        if text[end] == "." and not (text[end - 1].isdigit() and text[end + 1].isdigit()):
            return end
        end += 1


def _compound_tokens(norm: str, start: int, end: int, pos: int, offsets: list[int]) -> Iterator[Token]:
    parts = list(_parts(norm, start, end))
    for n, (a, b) in enumerate(parts):
        term = norm[a:b]
        yield Token(term, offsets[a], offsets[b], pos + n, "part" if len(parts) > 1 else "word")
        if n == 0 and len(parts) > 1:
            whole = norm[start:end]
            joined = whole if whole.replace("-", "").replace(".", "").isdigit() else whole.replace("-", "")
            yield Token(joined, offsets[start], offsets[end], pos, "whole")
        if "." in term:
            yield from (
                Token(term[: m.end()], offsets[a], offsets[b], pos + n, "opening") for m in re.finditer(r"\.", term)
            )
        if b == end and term.isdigit() and end < len(norm) and is_han(norm[end]):
            yield Token(term + norm[end], offsets[a], offsets[end + 1], pos + n, "pair")


def _parts(norm: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    a = start
    for b in range(start, end):
        if norm[b] == "-":
            yield a, b
            a = b + 1
    yield a, end


def _han_tokens(norm: str, start: int, end: int, pos: int, offsets: list[int]) -> Iterator[Token]:
    for n, i in enumerate(range(start, end)):
        number = HAN_NUMBERS.get(norm[i])
        yield Token(norm[i], offsets[i], offsets[i + 1], pos + n, "han")
        if i + 1 < end:
            yield Token(norm[i : i + 2], offsets[i], offsets[i + 2], pos + n, "pair")
        if number and number != "1":
            yield Token(number, offsets[i], offsets[i + 1], pos + n, "number")
        if number and i + 1 < end:
            yield Token(number + norm[i + 1], offsets[i], offsets[i + 2], pos + n, "pair")


def _with_meanings(tokens: list[Token], lang: str) -> list[Token]:
    """Add the digits of number words and the level of level numerals, each beside its token."""
    language = LANGUAGES.get(lang)
    numbers = language.numbers if language else {}
    levels = _level_positions(tokens)
    if not levels and not any(t.kind in ("word", "part") and fold(t.term) in numbers for t in tokens):
        return tokens
    out: list[Token] = []
    for token in tokens:
        out.append(token)
        number = numbers.get(fold(token.term)) if token.kind in ("word", "part") else None
        if number:
            out.append(Token(number, token.start, token.end, token.pos, "number"))
        level = levels.get(token.pos)
        if level and token.kind in ("word", "part", "han"):
            out.append(Token(f"level:{level}", token.start, token.end, token.pos, "level"))
    return out


_LEVEL_WORDS = frozenset(w for language in LANGUAGES.values() for w in language.level_words)
_LISTING = frozenset({"and", "or", "to", "y", "o", "a", "e", "u", "和", "或", "到", "至", "及", "与"})
_NUMBER_LEVELS = {w: n for language in LANGUAGES.values() for w, n in language.numbers.items() if n in "1234"}


_WRITTEN = frozenset({"word", "part", "han"})


def _level_positions(tokens: list[Token]) -> dict[int, str]:
    """Which positions hold a level numeral: beside a level word, or in a list with one that is (``I, II and III``).

    ``II`` and higher are levels wherever they stand; ``I``, digits and number words only beside a level word.
    """
    numerals = {
        t.pos: n
        for t in tokens
        if t.kind in _WRITTEN and (n := LEVEL_NUMERALS.get(t.term) or _NUMBER_LEVELS.get(t.term))
    }
    if not numerals:
        return {}
    words = {t.pos: t.term for t in tokens if t.kind in _WRITTEN}
    sure = {p for p in numerals if words[p] in ("ii", "iii", "iiii", "iv")}
    sure |= {p for p in numerals if words.get(p - 1) in _LEVEL_WORDS or words.get(p + 1) == "级"}
    sure |= {p for p in numerals if words[p] in _NUMBER_LEVELS and words.get(p + 1) in _LEVEL_WORDS}
    grown = True
    while grown:
        near = {p for p in numerals if p not in sure and _beside(p, sure, words)}
        sure |= near
        grown = bool(near)
    return {p: numerals[p] for p in sure}


def _beside(p: int, sure: set[int], words: Mapping[int, str]) -> bool:
    """Whether a level of the same writing (Roman, digits, Han, words) stands beside it, a listing word between or not."""
    near = [p + d for d in (-1, 1)] + [p + 2 * d for d in (-1, 1) if words.get(p + d) in _LISTING]
    return any(q in sure and _writing(words[q]) == _writing(words[p]) for q in near)


def _writing(numeral: str) -> str:
    if is_han(numeral[0]):
        return "han"
    return "digit" if numeral.isdigit() else "word" if numeral in _NUMBER_LEVELS else "roman"
