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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, islice, repeat
from operator import add, itemgetter
from typing import NamedTuple

from ruleslawyer.languages import HAN_NUMBERS, LANGUAGES, LEVEL_NUMERALS

ANALYSIS_VERSION = 3
"""Raise whenever the terms of any text change: an index of another version is rebuilt."""

MOST_OPENINGS = 8
"""Openings of a dotted number at most: no rule is numbered deeper, and all would be as long together as its square."""

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


_token: Callable[[tuple[str, int, int, int, str]], Token] = partial(tuple.__new__, Token)
"""Makes a token of its values at half the cost of ``Token(...)``: a corpus has millions."""

_term_of = itemgetter(0)


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


LATIN = r"a-z0-9\u00df-\u00f6\u00f8-\u024f"
"""Latin letters and digits, as they are after normalising: the inside of a class of a pattern."""

HAN = r"\u3400-\u4dbf\u4e00-\u9fff々〇\U00020000-\U0003ffff"
"""Characters of which ``is_han`` is true, likewise."""

_SIGN = r"\0-/:-@[-`{-\x7f"
_PLAIN = re.compile(rf"([{LATIN}]++)(?:(?![-.'][^{_SIGN}])[{_SIGN}]++|\Z)")
"""A word of Latin letters and digits that no hyphen, dot or apostrophe joins to what follows, and the signs and blanks behind
it. Most words are such: nothing more needs to be known of them."""


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
    ('sí', range(0, 2), range(1, 3))
    """
    if text.isascii():
        return text.lower(), range(len(text)), range(1, len(text) + 1)
    norm = text.translate(_NORMAL)
    if _UNEVEN not in norm:  # a character for a character, as nearly always
        if not simplified.keys().isdisjoint(norm):
            norm = "".join([simplified.get(char, char) for char in norm])
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


_UNEVEN = "\ud800"
"""Stands for a character that cannot be normalised by itself or not into one character. No text in UTF-8 has it."""


class _Normal(dict[int, str]):
    """A table for ``str.translate``: each character as it is compared, found when first met; of the first few thousand kept."""

    def __missing__(self, code: int) -> str:
        norm = _normal_cluster(chr(code))
        norm = _UNEVEN if len(norm) != 1 or _is_mark(chr(code)) else norm
        if len(self) < 8192:
            self[code] = norm
        return norm


_NORMAL = _Normal()


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
    return _with_meanings(cut.tokens(), lang, cut.norm)


def terms_of(text: str, lang: str, simplified: Mapping[str, str] | None = None) -> list[str]:
    """The terms alone: what the contract file compares."""
    return [t.term for t in analyse(text, lang, simplified)]


@cache
def _letters() -> re.Pattern[str]:
    """A run of Latin letters and digits, found at once; all else is looked at character by character."""
    return re.compile(f"[{LATIN}]+")


def _end_of_word(text: str, start: int) -> int:
    end = start
    while end < len(text) and is_word_char(text[end]):
        run = _letters().match(text, end)
        end = run.end() if run else end + 1
    return end


def _end_of_han(text: str, start: int) -> int:
    run = _han_run().match(text, start)
    return run.end() if run else start


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
                found.append(_token((word_alone[1], starts[i], ends[end - 1], pos, "word")))
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
        return _token((term, self.starts[start], self.ends[end - 1], pos, kind))

    def _compound(self, start: int, end: int, pos: int) -> Iterator[Token]:
        norm, parts = self.norm, list(_parts(self.norm, start, end))
        for n, (a, b) in enumerate(parts):
            term = norm[a:b]
            yield self._token(term, a, b, pos + n, "part" if len(parts) > 1 else "word")
            if n == 0 and len(parts) > 1:
                whole = norm[start:end]
                digits = whole.replace("-", "").replace(".", "").isdigit()
                yield self._token(whole if digits else whole.replace("-", ""), start, end, pos, "whole")
            for dot in islice(re.finditer(r"\.", term), MOST_OPENINGS):
                yield self._token(term[: dot.end()], a, b, pos + n, "opening")
            if b == end and term.isdigit() and self._han_at(end):
                yield self._token(term + norm[end], a, end + 1, pos + n, "pair")

    def _han(self, start: int, end: int, pos: int) -> list[Token]:
        norm, found, done = self.norm, [], 0
        row = self._characters_and_pairs(start, end, pos)
        for number in _han_number().finditer(norm, start, end):
            at = number.start() - start
            if at and norm[number.start() - 1] == _ORDINAL:
                found += row[done : 2 * at]
                done = 2 * at
                found.append(
                    self._token(_ORDINAL + _value(number[0]), number.start() - 1, number.end(), pos + at - 1, "pair")
                )
            found += row[done : 2 * at + 2]
            done = 2 * at + 2
            found += self._han_number(number, end, pos + at)
        found += row[done:]
        if end < len(norm) and norm[end].isdigit():
            digits = re.compile(r"\d+").match(norm, end)
            after = digits.end() if digits else end + 1
            found.append(self._token(norm[end - 1 : after], end - 1, after, pos + end - start - 1, "pair"))
        return found

    def _characters_and_pairs(self, start: int, end: int, pos: int) -> list[Token]:
        """The tokens of a run of Han without its numbers: each character, and behind it the pair that begins with it."""
        norm, starts, ends = list(self.norm[start:end]), self.starts[start:end], self.ends[start:end]
        places = range(pos, pos + len(norm))
        chars = list(map(_token, zip(norm, starts, ends, places, repeat("han"))))
        pairs = map(_token, zip(map(add, norm, norm[1:]), starts, ends[1:], places, repeat("pair")))
        return [*chain.from_iterable(zip(chars, pairs, strict=False)), chars[-1]]

    def _han_number(self, found: re.Match[str], end: int, pos: int) -> Iterator[Token]:
        value, after = _value(found[0]), found.end()
        if value != "1":
            yield self._token(value, found.start(), after, pos, "number")
        if after < end:
            yield self._token(value + self.norm[after], found.start(), after + 1, pos, "pair")

    def _han_at(self, i: int) -> bool:
        return i < len(self.norm) and is_han(self.norm[i])


@cache
def _han_run() -> re.Pattern[str]:
    return re.compile(f"[{HAN}]+")


@cache
def _han_number() -> re.Pattern[str]:
    """A Chinese number up to 99; compiled when first needed, since most questions have none."""
    return re.compile("[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]")


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


def _with_meanings(tokens: list[Token], lang: str, norm: str, of_levels: bool = True) -> list[Token]:
    """Add the digits of number words and the level of level numerals, each beside its token."""
    terms = set(map(_term_of, tokens))
    numbers = _numbers_among(terms, lang, norm)
    sought = of_levels and not LEVEL_SIGNS.isdisjoint(terms)
    levels = levels_among({t.pos: t.term for t in tokens if t.kind in WRITTEN}) if sought else {}
    if not numbers and not levels:
        return tokens
    out: list[Token] = []
    for token in tokens:
        out.append(token)
        term, start, end, pos, kind = token
        if term in numbers and kind in ("word", "part"):
            out.append(Token(numbers[term], start, end, pos, "number"))
        if pos in levels and kind in WRITTEN:
            out.append(Token(levels[pos], start, end, pos, "level"))
    return out


def tokens_apart(norm: str, lang: str) -> list[Token]:
    """The tokens of a text that is normalised already, but for levels, which alone depend on words further away."""
    everywhere = range(len(norm) + 1)
    return _with_meanings(_Cut(norm, everywhere, everywhere[1:]).tokens(), lang, norm, of_levels=False)


def _numbers_among(terms: set[str], lang: str, norm: str) -> dict[str, str]:
    """The digits of those terms of a text that are number words, accents and apostrophes apart."""
    known = LANGUAGES[lang].numbers if lang in LANGUAGES else {}
    found = {term: known[term] for term in known.keys() & terms} if known else {}
    if known and ("'" in norm or not norm.isascii()):
        changed = ((term, fold(term)) for term in terms if "'" in term or not term.isascii())
        found |= {term: known[folded] for term, folded in changed if folded in known}
    return found


_LEVEL_WORDS = frozenset(w for language in LANGUAGES.values() for w in language.level_words)
ONE_LEVEL = frozenset({"level", "lvl", "lv", "tier", "nivel"})
"""Words that make the number before them a level (``second level``); ``two levels`` is a number of them."""
LISTING = frozenset({"and", "or", "to", "y", "o", "a", "e", "u", "和", "或", "到", "至", "及", "与"})
_NUMBER_LEVELS = {w: n for language in LANGUAGES.values() for w, n in language.numbers.items() if n in "1234"}
_NUMERALS = {**_NUMBER_LEVELS, **LEVEL_NUMERALS}
_HIGHER = frozenset({"ii", "iii", "iiii", "iv"})
LEVEL_SIGNS = _LEVEL_WORDS | _HIGHER
"""The words without which a text has no level."""

WRITTEN = frozenset({"word", "part", "han"})
"""The kinds of tokens of which each position has one: the word that is written there."""


def levels_among(words: Mapping[int, str]) -> dict[int, str]:
    """The terms of levels by position: of numerals beside a level word, or in a list with one that is (``I, II and III``).

    ``II`` and higher are levels wherever they stand; ``I``, digits and number words only beside a level word.

    Args:
        words: the word that is written at each position.

    >>> levels_among({0: "level", 1: "i", 2: "and", 3: "ii"})
    {1: 'level:1', 3: 'level:2'}
    """
    numerals = {p: n for p, word in words.items() if (n := _NUMERALS.get(word))}
    if not numerals:
        return {}
    sure = {p for p in numerals if words[p] in _HIGHER}
    sure |= {p for p in numerals if words.get(p - 1) in _LEVEL_WORDS or words.get(p + 1) == "级"}
    sure |= {p for p in numerals if words[p] in _NUMBER_LEVELS and words.get(p + 1) in ONE_LEVEL}
    grown = True
    while grown:
        near = {p for p in numerals if p not in sure and _beside(p, sure, words)}
        sure |= near
        grown = bool(near)
    return {p: f"level:{numerals[p]}" for p in sorted(sure)}


def _beside(p: int, sure: set[int], words: Mapping[int, str]) -> bool:
    """Whether a level of the same writing (Roman, digits, Han, words) stands beside it, a listing word between or not."""
    near = [p + d for d in (-1, 1)] + [p + 2 * d for d in (-1, 1) if words.get(p + d) in LISTING]
    return any(q in sure and _writing(words[q]) == _writing(words[p]) for q in near)


def _writing(numeral: str) -> str:
    if is_han(numeral[0]):
        return "han"
    return "digit" if numeral.isdigit() else "word" if numeral in _NUMBER_LEVELS else "roman"
