"""Sites for tests: any corpus as a website with its search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ruleslawyer import urls
from ruleslawyer.browserindex import browser_files
from ruleslawyer.building import build_in_memory
from ruleslawyer.index import no_progress
from ruleslawyer.model import Corpus
from ruleslawyer.sitefolder import MARKER
from ruleslawyer.website import build_site, site_files

ALWAYS = {
    *(f"{lang}/search/index.html" for lang in ("en", "es", "zh")),
    *(MARKER, urls.SEARCH_DATA, "service-worker.js"),
}
"""What changes with every build."""


def search_data(corpus: Corpus) -> dict[str, bytes]:
    """What the search of a site needs beside its pages."""
    return browser_files(corpus, build_in_memory(corpus, no_progress))


def searchable_files(corpus: Corpus) -> dict[str, bytes]:
    """All files of a site with its search."""
    return site_files(corpus, additions=search_data(corpus))


def searchable(corpus: Corpus, target: Path) -> Path:
    """A folder with a site and its search."""
    return build_site(corpus, target, additions=search_data(corpus)).parent


def searchable_without_terms(corpus: Corpus, target: Path) -> Path:
    """The same of a corpus whose terms may lead to no entry, which would be refused: they are left out."""
    return searchable(
        replace(corpus, games={name: replace(game, terms=()) for name, game in corpus.games.items()}), target
    )
