"""What is stored of an entry, read back for showing: no Markdown, no corpus file, no third-party library."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ruleslawyer.blocks import Block, Span, plain


class Body(NamedTuple):
    """An entry's text in one language, and where it stands: ``file`` relative to the corpus or the packs, and the
    ``pages`` of its source, e.g. ``4-5``, or empty.
    """

    lang: str
    title: str
    blocks: tuple[Block, ...]
    file: str
    pages: str = ""

    @property
    def plain(self) -> str:
        """The text without marks, a line per block."""
        return plain(self.blocks)


class Record:
    """An entry as the index holds it, its parts read when asked for. Relatives are full names, in corpus order."""

    def __init__(self, stored: Mapping[str, str]) -> None:
        self._stored = stored

    @cached_property
    def head(self) -> dict[str, Any]:
        """Everything but the texts, as JSON data: ``name``, ``game``, ``kind``, ``titles``, ``sources``, ``path`` ..."""
        data: dict[str, Any] = json.loads(self._stored["head"])
        return data

    @property
    def name(self) -> str:
        """The full name, ``game/id``."""
        return str(self.head["name"])

    @property
    def game(self) -> str:
        """The game's id."""
        return str(self.head["game"])

    @property
    def titles(self) -> Mapping[str, str]:
        """Titles by language: the languages in which there is a text."""
        titles: dict[str, str] = self.head["titles"]
        return titles

    def language_for(self, lang: str) -> str:
        """The language to show to a reader of ``lang``: it, or English, or the first there is."""
        return lang if lang in self.titles else "en" if "en" in self.titles else next(iter(self.titles))

    def title(self, lang: str) -> str:
        """The title a reader of ``lang`` is shown."""
        return self.titles[self.language_for(lang)]

    def body(self, lang: str) -> Body:
        """The text a reader of ``lang`` is shown."""
        shown = self.language_for(lang)
        data = json.loads(self._stored[f"body_{shown}"])
        blocks = tuple(
            Block(kind, text, depth, marker, tuple(Span(*span) for span in spans))
            for kind, text, depth, marker, spans in data["blocks"]
        )
        return Body(shown, self.titles[shown], blocks, data["file"], data.get("pages", ""))

    def disputes(self) -> Sequence[Mapping[str, Any]]:
        """The disputes that touch the entry, as JSON data of ``model.Dispute``."""
        data: list[Mapping[str, Any]] = json.loads(self._stored.get("disputes", "[]"))
        return data

    def asks(self) -> Mapping[str, list[str]]:
        """How players put the doubt, by language."""
        data: dict[str, list[str]] = json.loads(self._stored.get("asks", "{}"))
        return data

    def forms(self) -> Mapping[str, list[str]]:
        """By language, what else the entry is called: aliases, and glossary forms that it explains."""
        data: dict[str, list[str]] = json.loads(self._stored.get("forms", "{}"))
        return data

    def url(self, lang: str) -> str:
        """Where the website shows it to a reader of ``lang``, relative to the site's root."""
        page = "faq" if self.head["kind"] == "faq" else "rules"
        return f"{lang}/{self.game}/{page}/index.html#{self.name.split('/')[1]}"
