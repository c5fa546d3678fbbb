"""Every address of the website. A site path is relative to the site's root: ``en/harbour/rules/index.html#docks``.

Links spell out ``index.html`` and are relative to the page, so that the folder works from a disk and from any sub-path.
Entry ids are kebab-case; what a page needs for itself has an id that begins with ``_``, so the two never meet.
"""

from __future__ import annotations

import hashlib
import posixpath
from functools import lru_cache
from urllib.parse import urlsplit

from ruleslawyer.model import Entry

ASSETS = "assets"
"""The folder of what pages share."""

SEARCH_DATA = "search-data.js"
"""The list of a build: its pages, and how its search data are called."""

BUILD = "\ue000build\ue000"
"""Stands for the build's id until all content is known: a private-use character, which no address has."""

MARK = "\ue000mark\ue000"
"""Stands in a page for the page's own mark, which is taken from everything else in it."""


def home(lang: str) -> str:
    """The page of all games."""
    return f"{lang}/index.html"


def search(lang: str) -> str:
    """The search page."""
    return f"{lang}/search/index.html"


def entries(lang: str) -> str:
    """The A-Z."""
    return f"{lang}/entries/index.html"


def missing(lang: str) -> str:
    """The page for an address that does not exist; without a language, the one at the root."""
    return f"{lang}/404.html" if lang else "404.html"


def manifest(lang: str) -> str:
    """The web app manifest."""
    return f"{lang}/app.webmanifest"


def game(lang: str, game: str) -> str:
    """A game's own page."""
    return f"{lang}/{game}/index.html"


def part(lang: str, game: str, name: str) -> str:
    """A page of a game: ``rules``, ``faq``, ``glossary`` or ``disputes``."""
    return f"{lang}/{game}/{name}/index.html"


def page_of(kind: str) -> str:
    """The page that shows entries of a kind.

    >>> page_of("faq"), page_of("info")
    ('faq', 'rules')
    """
    return "faq" if kind == "faq" else "rules"


def entry(lang: str, entry: Entry) -> str:
    """An entry on its page; the same as ``Record.url``."""
    return f"{part(lang, entry.game, page_of(entry.kind))}#{entry.id}"


def source(lang: str, game_id: str, source: str) -> str:
    """A source in the list on the game's page."""
    return f"{game(lang, game_id)}#_source-{source}"


def dispute(lang: str, game: str, dispute: str) -> str:
    """A dispute on the page of a game's disputes."""
    return f"{part(lang, game, 'disputes')}#{dispute}"


def asset(name: str, content: bytes) -> str:
    """A file that all pages share, named by its content: another content has another address.

    >>> asset("search/core.js", b"1")
    'assets/search/core-6b86b273ff.js'
    """
    stem, ending = posixpath.splitext(name)
    return f"{ASSETS}/{stem}-{hashlib.sha256(content).hexdigest()[:10]}{ending}"


def in_language(path: str, lang: str) -> str:
    """The same page in another interface language.

    >>> in_language("en/harbour/rules/index.html", "es")
    'es/harbour/rules/index.html'
    """
    return f"{lang}/{path.partition('/')[2]}"


def relative(target: str, page: str) -> str:
    """A site path as seen from a page.

    >>> relative("en/harbour/faq/index.html#crossing", "en/harbour/rules/index.html")
    '../faq/index.html#crossing'
    >>> relative("en/harbour/rules/index.html#docks", "en/harbour/rules/index.html")
    '#docks'
    """
    path, hash_, fragment = target.partition("#")
    if path == page and fragment:
        return f"#{fragment}"
    return _relative(path or ".", posixpath.dirname(page) or ".") + hash_ + fragment


@lru_cache(maxsize=10_000)
def _relative(path: str, folder: str) -> str:
    """Pages link to the same few pages again and again."""
    return posixpath.relpath(path, folder)


def rooted(base: str, path: str) -> str:
    """A site path from the root of the site's host: right at whatever depth a host shows its page.

    >>> rooted("https://example.org/rules/", "en/index.html"), rooted("https://example.org", "")
    ('/rules/en/index.html', '')
    """
    return f"{urlsplit(base).path.rstrip('/')}/{path}".rstrip("/")


def absolute(base: str, path: str) -> str:
    """A site path under the site's public address, the way a host shows it.

    >>> absolute("https://example.org/rules", "en/index.html")
    'https://example.org/rules/en/'
    """
    return f"{base.rstrip('/')}/{path.removesuffix('index.html') if posixpath.basename(path) == 'index.html' else path}"
