"""Stems and character tables, for building an index only: the one place for snowballstemmer and OpenCC.

A look-up never imports this module: what it needs of stems and tables is carried in the index.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cache

from ruleslawyer.analysis import fold, is_han
from ruleslawyer.interrupts import held_back
from ruleslawyer.languages import LANGUAGES

Stem = Callable[[str], str]


@cache
def stemmer(lang: str) -> Stem:
    """The stemming of a language: fold accents, then stem. Numbers, Han and unknown languages stay as they are.

    The Snowball class is instantiated by name, since the library's own factory picks another engine where one is installed.

    >>> stemmer("es")("acción") == stemmer("es")("acciones")
    True
    """
    language = LANGUAGES.get(lang)
    if language is None or not language.stemmer:
        return fold
    module, name = language.stemmer.split(".")
    snowball = getattr(importlib.import_module(f"snowballstemmer.{module}"), name)()
    return _Stems(snowball.stemWord).__getitem__


class _Stems(dict[str, str]):
    """Terms -> stems, each found when first asked for: every word of a corpus is looked up here."""

    def __init__(self, stem: Stem) -> None:
        self._stem = stem

    def __missing__(self, term: str) -> str:
        plain = not any(c.isdigit() or is_han(c) for c in term)
        stem = self[term] = self._stem(fold(term)) if plain else term
        return stem


@cache
def simplified_characters() -> Mapping[str, str]:
    """Every Traditional character that has a Simplified one, by OpenCC's table: ``{"棄": "弃", ...}``."""
    with held_back():  # cut short while its compiled part is loaded, it says that it is not installed
        import opencc

    chars = [chr(code) for first, last in ((0x3400, 0x4DBF), (0x4E00, 0x9FFF)) for code in range(first, last + 1)]
    simplified = opencc.OpenCC("t2s").convert("\n".join(chars)).split("\n")
    return {a: b for a, b in zip(chars, simplified, strict=True) if a != b and len(b) == 1}
