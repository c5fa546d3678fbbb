"""Text -> terms: the one cutting of text that index, query and highlighting share.

A text is normalised for matching only; every token keeps where it stood in the text as written. The same rules are
written again in the browser's script, so they are kept few, and each is a row of the contract file.

1. NFKC, case folding, straight quotes, Traditional to Simplified by the table given.
2. Words by Unicode class; nothing is dropped. An apostrophe between letters stays in its word.
3. Hyphens: ``re-roll`` gives ``re``, ``roll`` and ``reroll``; ``3-4`` gives ``3``, ``4`` and ``3-4``.
4. Numbers with dots: ``3.1.2`` gives ``3.1.2`` and the openings ``3.1.`` and ``3.``, so that ``3.1`` finds it and not ``3.10``.
5. Han: every character, every pair of neighbours, and of number and neighbour (``两人``: ``2人``, ``第三``: ``第3``).
6. Number words and digits meet (``two``: ``2``); level numerals meet beside a level word (``Level II``, ``二级``: ``level:2``).
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ruleslawyer.languages import HAN_NUMBERS, LANGUAGES, LEVEL_NUMERALS

ANALYSIS_VERSION = 2
"""Raise whenever the terms of any text change: an index of another version is rebuilt."""

_PUNCTUATION = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "＇": "'"}
    | dict.fromkeys("“”„«»", '"')
    | dict.fromkeys("‐‑‒–−", "-")
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


_LETTERS = re.compile("[a-z0-9\u00df-\u00f6\u00f8-\u024f]+")
"""A run of Latin letters and digits, found at once; all else is looked at character by character."""

_PLAIN = re.compile("([a-z\u00df-\u00f6\u00f8-\u024f]+)(?: +|$)")
"""A word of Latin letters that a blank or the end follows, as most are: nothing more needs to be known of it."""


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


def normalise(text: str, simplified: Mapping[str, str]) -> tuple[str, Sequence[int], Sequence[int]]:
    """Text as it is compared, and for each of its characters where what it comes from starts and ends in ``text``.

    A base character and its combining marks are one cluster, so composed and decomposed forms meet. Soft hyphens and other
    invisible characters are left out.

    >>> normalise("Ｓí", {})
    ('sí', [0, 1], [1, 2])
    """
    if text.isascii():
        return text.lower(), range(len(text)), range(1, len(text) + 1)
    pieces = [_normal_cluster(char) for char in text]
    if set(map(len, pieces)) == {1} and not any(map(_is_mark, text)):  # a character for a character, as nearly always
        norm = "".join([simplified.get(char, char) for char in pieces])
        return norm, range(len(norm)), range(1, len(norm) + 1)
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        for char in _normal_cluster(text[start:end]):
            chars.append(simplified.get(char, char))
            starts.append(start)
            ends.append(end)
    return "".join(chars), starts, ends


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
    return "".join(c for c in folded.translate(_PUNCTUATION) if unicodedata.category(c) != "Cf")


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
    cut = _Cut(*normalise(text, simplified or {}))
    return _with_meanings(cut.tokens(), lang)


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


class _Cut:
    """Cuts normalised text into tokens; ``starts`` and ``ends`` lead back to the text as written."""

    def __init__(self, norm: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self.norm, self.starts, self.ends = norm, starts, ends

    def tokens(self) -> list[Token]:
        """All tokens but those that depend on the language."""
        found: list[Token] = []
        starts, ends, plain = self.starts, self.ends, _PLAIN.match
        pos = i = 0
        while i < len(self.norm):
            word_alone = plain(self.norm, i)
            if word_alone:
                end = word_alone.end(1)
                found.append(Token(word_alone[1], starts[i], ends[end - 1], pos, "word"))
                pos, i = pos + 1, word_alone.end()
                continue
            j = i + 1
            if is_han(self.norm[i]):
                j = _end_of_han(self.norm, i)
                found += self._han(i, j, pos)
                pos += j - i
            elif is_word_char(self.norm[i]):
                j = _end_of_compound(self.norm, i)
                word = self.norm[i:j]
                if word.isalpha():  # as most are: no hyphen, dot or digit in it
                    found.append(self._token(word, i, j, pos, "word"))
                else:
                    found += self._compound(i, j, pos)
                pos = found[-1].pos + 1
            i = j
        return found

    def _token(self, term: str, start: int, end: int, pos: int, kind: str) -> Token:
        return Token(term, self.starts[start], self.ends[end - 1], pos, kind)

    def _compound(self, start: int, end: int, pos: int) -> Iterator[Token]:
        norm, parts = self.norm, list(_parts(self.norm, start, end))
        for n, (a, b) in enumerate(parts):
            term = norm[a:b]
            yield self._token(term, a, b, pos + n, "part" if len(parts) > 1 else "word")
            if n == 0 and len(parts) > 1:
                whole = norm[start:end]
                digits = whole.replace("-", "").replace(".", "").isdigit()
                yield self._token(whole if digits else whole.replace("-", ""), start, end, pos, "whole")
            for dot in re.finditer(r"\.", term):
                yield self._token(term[: dot.end()], a, b, pos + n, "opening")
            if b == end and term.isdigit() and self._han_at(end):
                yield self._token(term + norm[end], a, end + 1, pos + n, "pair")

    def _han(self, start: int, end: int, pos: int) -> Iterator[Token]:
        norm = self.norm
        numbers = {m.start(): m for m in _han_number().finditer(norm, start, end)}
        for n, i in enumerate(range(start, end)):
            yield self._token(norm[i], i, i + 1, pos + n, "han")
            if i + 1 < end:
                yield self._token(norm[i : i + 2], i, i + 2, pos + n, "pair")
            if i in numbers:
                yield from self._han_number(numbers[i], end, pos + n)
            following = numbers.get(i + 1)
            if following and norm[i] in _ORDINAL:
                yield self._token(norm[i] + _value(following[0]), i, following.end(), pos + n, "pair")
        if end < len(norm) and norm[end].isdigit():
            digits = _DIGITS.match(norm, end)
            after = digits.end() if digits else end + 1
            yield self._token(norm[end - 1 : after], end - 1, after, pos + end - start - 1, "pair")

    def _han_number(self, found: re.Match[str], end: int, pos: int) -> Iterator[Token]:
        value, after = _value(found[0]), found.end()
        if value != "1":
            yield self._token(value, found.start(), after, pos, "number")
        if after < end:
            yield self._token(value + self.norm[after], found.start(), after + 1, pos, "pair")

    def _han_at(self, i: int) -> bool:
        return i < len(self.norm) and is_han(self.norm[i])


@cache
def _han_number() -> re.Pattern[str]:
    """A Chinese number up to 99; compiled when first needed, since most questions have none."""
    return re.compile("[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]")


_DIGITS = re.compile(r"\d+")
_ORDINAL = "第"


def _value(number: str) -> str:
    """The digits of a Chinese number up to 99.

    >>> [_value(n) for n in ("两", "十", "十二", "三十")]
    ['2', '10', '12', '30']
    """
    tens, ten, ones = number.rpartition("十")
    if not ten:
        return HAN_NUMBERS[number]
    return str(10 * int(HAN_NUMBERS.get(tens, "1")) + int(HAN_NUMBERS.get(ones, "0")))


def _parts(norm: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    a = start
    for b in range(start, end):
        if norm[b] == "-":
            yield a, b
            a = b + 1
    yield a, end


def _with_meanings(tokens: list[Token], lang: str) -> list[Token]:
    """Add the digits of number words and the level of level numerals, each beside its token."""
    terms = {token.term for token in tokens}
    if _telling(lang).isdisjoint(terms) and _telling(lang).isdisjoint(map(fold, terms)):
        return tokens
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
ONE_LEVEL = frozenset({"level", "lvl", "lv", "tier", "nivel"})
"""Words that make the number before them a level (``second level``); ``two levels`` is a number of them."""
LISTING = frozenset({"and", "or", "to", "y", "o", "a", "e", "u", "和", "或", "到", "至", "及", "与"})
_NUMBER_LEVELS = {w: n for language in LANGUAGES.values() for w, n in language.numbers.items() if n in "1234"}


@cache
def _telling(lang: str) -> frozenset[str]:
    """The words without which a text has no number word of a language and no level."""
    return frozenset({*(LANGUAGES[lang].numbers if lang in LANGUAGES else ()), *LEVEL_NUMERALS, *_NUMBER_LEVELS})


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
    sure |= {p for p in numerals if words[p] in _NUMBER_LEVELS and words.get(p + 1) in ONE_LEVEL}
    grown = True
    while grown:
        near = {p for p in numerals if p not in sure and _beside(p, sure, words)}
        sure |= near
        grown = bool(near)
    return {p: numerals[p] for p in sure}


def _beside(p: int, sure: set[int], words: Mapping[int, str]) -> bool:
    """Whether a level of the same writing (Roman, digits, Han, words) stands beside it, a listing word between or not."""
    near = [p + d for d in (-1, 1)] + [p + 2 * d for d in (-1, 1) if words.get(p + d) in LISTING]
    return any(q in sure and _writing(words[q]) == _writing(words[p]) for q in near)


def _writing(numeral: str) -> str:
    if is_han(numeral[0]):
        return "han"
    return "digit" if numeral.isdigit() else "word" if numeral in _NUMBER_LEVELS else "roman"
