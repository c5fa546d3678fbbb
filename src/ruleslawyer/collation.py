"""Sorting titles as their readers expect: the one place for pypinyin."""

from __future__ import annotations

import unicodedata

from ruleslawyer.analysis import is_han

OTHER = "#"
"""The group of titles that begin with no letter."""


def sort_key(title: str, lang: str) -> tuple[str, ...]:
    """Where a title stands among others. Ñ follows N, other accents do not count; Chinese is sorted by pinyin.

    >>> sorted(["Zona", "Ñu", "Nube", "Ábaco", "¿Empate?"], key=lambda title: sort_key(title, "es"))
    ['Ábaco', '¿Empate?', 'Nube', 'Ñu', 'Zona']
    >>> sorted(["行动", "航线", "Zeta", "码头"], key=lambda title: sort_key(title, "zh"))
    ['航线', '码头', '行动', 'Zeta']
    """
    parts = (_letters(part) for part in _syllables(title, lang))
    return (*(part for part in parts if part), title)


def group(title: str, lang: str) -> str:
    """The letter under which a title stands.

    >>> group("¿Ñu?", "es"), group("Ñu", "en"), group("航线", "zh"), group("4 pawns", "en")
    ('Ñ', 'Ñ', 'H', '#')
    """
    first = next((part for part in _syllables(title, lang) if _letters(part)), "")
    letter = _letters(first)[:2]
    if letter.startswith("n\uffff"):
        return "Ñ"
    return letter[:1].upper() if letter[:1].isalpha() else OTHER


def romanised(text: str) -> str:
    """A text with its Han characters as the pinyin syllables they are read as, without tones; the rest as it is.

    >>> romanised("占领3座神殿")
    'zhan ling 3 zuo shen dian'
    """
    if not any(map(is_han, text)):
        return text
    from pypinyin import lazy_pinyin  # half a second, and only where there is Chinese

    return " ".join(lazy_pinyin(text))


def _syllables(title: str, lang: str) -> list[str]:
    if lang != "zh" or not any(is_han(char) for char in title):
        return [title]
    from pypinyin import Style, lazy_pinyin  # half a second, and only where Chinese is sorted

    return lazy_pinyin(title, style=Style.TONE3, neutral_tone_with_five=True)


def _letters(text: str) -> str:
    """Letters and digits, folded: ``ñ`` becomes ``n`` and the last of all characters."""
    folded = unicodedata.normalize("NFC", text).casefold().replace("ñ", "n\uffff")
    plain = "".join(c for c in unicodedata.normalize("NFD", folded) if unicodedata.category(c) != "Mn")
    return "".join(c for c in plain if c.isalnum() or c in "\uffff ").strip()
