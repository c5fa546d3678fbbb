"""What the search knows about each language, as plain data. Adding a language is adding a row here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Language(NamedTuple):
    """A language of rules and readers.

    Args:
        code: two letters, as in file names.
        name: its own name for itself.
        stemmer: module and class of the Snowball stemmer, or empty (Chinese).
        numbers: words that mean a number: ``{"two": "2"}``.
        level_words: words that make the number beside them a level (``Level II``, ``nivel 2``, ``二级``).
        question_words: words that a question begins with.
    """

    code: str
    name: str
    stemmer: str = ""
    numbers: Mapping[str, str] = {}
    level_words: frozenset[str] = frozenset()
    question_words: frozenset[str] = frozenset()


def _numbers(*words: str, start: int) -> dict[str, str]:
    return {word: str(n) for n, group in enumerate(words, start) for word in group.split()}


LANGUAGES: Mapping[str, Language] = {
    "en": Language(
        "en",
        "English",
        stemmer="english_stemmer.EnglishStemmer",
        numbers=_numbers(
            "one 1st first", "two 2nd second twice", "three 3rd third thrice", "four 4th fourth", "five 5th fifth",
            "six 6th sixth", "seven 7th seventh", "eight 8th eighth", "nine 9th ninth", "ten 10th tenth", start=1,
        ),
        level_words=frozenset({"level", "levels", "lvl", "lv", "tier", "tiers"}),
        question_words=frozenset(
            "can could may must do does did is are am was were what when where which who whom whose why how if should "
            "shall will would has have".split()
        ),
    ),
    "es": Language(
        "es",
        "Español",
        stemmer="spanish_stemmer.SpanishStemmer",
        numbers=_numbers(
            "uno primer primero primera", "dos segundo segunda", "tres tercer tercero tercera", "cuatro cuarto cuarta",
            "cinco quinto quinta", "seis sexto sexta", "siete septimo", "ocho octavo", "nueve noveno", "diez decimo",
            start=1,
        ),
        level_words=frozenset({"nivel", "niveles"}),
        question_words=frozenset(
            "que quien quienes cuando donde cual cuales como cuanto cuanta cuantos cuantas por puedo puede pueden "
            "podemos debo debe tengo hay si se es".split()
        ),
    ),
    "zh": Language(
        "zh",
        "简体中文",
        level_words=frozenset({"级"}),
        question_words=frozenset({"吗", "呢", "什么", "怎么", "怎样", "几", "多少", "谁", "哪", "能", "可以", "是否", "如何", "么"}),
    ),
}  # fmt: skip

HAN_NUMBERS: Mapping[str, str] = {
    "一": "1", "二": "2", "两": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9", "十": "10",
}  # fmt: skip
LEVEL_NUMERALS: Mapping[str, str] = {
    "i": "1", "ii": "2", "iii": "3", "iiii": "4", "iv": "4", "1": "1", "2": "2", "3": "3", "4": "4",
    "一": "1", "二": "2", "三": "3", "四": "4",
}  # fmt: skip
"""Level IIII is what the cards print, IV what most people type."""


def reader_language(available: Iterable[str], environ: Mapping[str, str] | None = None) -> str:
    """The reader's language by the locale, or English where the locale names none we have.

    >>> reader_language(["en", "es"], {"LANG": "es_AR.UTF-8"})
    'es'
    >>> reader_language(["en", "es"], {"LANG": "C"})
    'en'
    """
    env = os.environ if environ is None else environ
    known = set(available)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = env.get(name, "")
        if value:
            code = re.split(r"[_.@-]", value)[0].lower()
            return code if code in known else "en"
    return "en"
