"""Interface words in the reader's language, shared by the command and the website (``site/locales/LANG.json``)."""

import json
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ruleslawyer.places import locales_folder


class Note(NamedTuple):
    """Something the reader should be told: a key of the interface words, and the values to fill in."""

    key: str
    values: Mapping[str, str] = {}


class Words(NamedTuple):
    """The interface words of one language."""

    lang: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The words for a key, with its values filled in."""
        return self.texts[key].format(**values)

    def labelled(self, key: str, text: str) -> str:
        """A text after the words for a key.

        >>> words_in("zh").labelled("players", "2-4")
        '人数：2-4'
        """
        return self("line.labelled", label=self(key), text=text)

    def bracketed(self, text: str, more: str) -> str:
        """A text and what is to be said beside it.

        >>> words_in("en").bracketed("Docks", "open")
        'Docks (open)'
        """
        return self("line.bracketed", text=text, more=more)


@cache
def words_in(lang: str) -> Words:
    """The interface words of a language, English where there are none.

    >>> words_in("es")("sources"), words_in("tlh").lang
    ('Fuentes', 'en')
    """
    path = locales_folder() / f"{lang}.json"
    if lang not in interface_languages():
        lang, path = "en", locales_folder() / "en.json"
    return Words(lang, json.loads(path.read_text(encoding="utf-8")))


@cache
def interface_languages() -> tuple[str, ...]:
    """Languages that have interface words, sorted."""
    return tuple(sorted(path.stem for path in locales_folder().glob("*.json")))
