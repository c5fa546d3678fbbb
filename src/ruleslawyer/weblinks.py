"""The links of rendered pages: every one must lead to a page or file of the site, and to an id that is on it."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from ruleslawyer.errors import Problem
from ruleslawyer.forking import shared

_ADDRESSES = frozenset({"href", "src", "action"})
_REFERENCES = frozenset({"popovertarget", "aria-labelledby", "aria-describedby", "aria-controls", "for"})

MANY = 300
"""Pages for which it pays to start processes."""


@dataclass
class Anchors:
    """What a page offers and asks for: its ids, the ids it names, its links, each with its line."""

    ids: dict[str, int] = field(default_factory=dict)
    twice: list[tuple[str, int]] = field(default_factory=list)
    references: list[tuple[str, int]] = field(default_factory=list)
    links: list[tuple[str, int]] = field(default_factory=list)


def anchors(html: str) -> Anchors:
    """Read the ids and links of a page.

    >>> anchors('<p id="a"><a href="#b">b</a></p>').links
    [('#b', 1)]
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.found


def check_links(pages: Mapping[str, str], files: Collection[str], public: str = "") -> Iterator[Problem]:
    """Every dead link, dead fragment and repeated id of the pages.

    Args:
        pages: site path -> HTML.
        files: the site paths of everything there is, pages too.
        public: what links from the root of the host begin with, without a slash at its end.
    """
    many = len(pages) > MANY
    read = dict(zip(pages, shared(lambda path: anchors(pages[path]), list(pages), worthwhile=many), strict=True))
    for path, found in read.items():
        for name, line in found.twice:
            yield Problem(path, line, f"id '{name}' is used twice")
        for name, line in found.references:
            if name not in found.ids:
                yield Problem(path, line, f"no element has the id '{name}'")
        for link, line in found.links:
            fault = _fault(link, path, read, files, public)
            if fault:
                yield Problem(path, line, fault)


def _fault(link: str, path: str, read: Mapping[str, Anchors], files: Collection[str], public: str) -> str:
    parts = urlsplit(link)
    if parts.scheme in ("http", "https"):
        return ""
    if parts.scheme or parts.netloc:
        return f"link to '{link}'"
    target = unquote(parts.path)
    if target.startswith("/"):
        target = target.removeprefix(f"{public}/")
    elif target:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    else:
        target = path
    if target not in files:
        return f"dead link '{link}'"
    fragment = unquote(parts.fragment)
    return f"dead fragment '{link}'" if fragment and target in read and fragment not in read[target].ids else ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found = Anchors()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the ids and addresses of a tag."""
        line = self.getpos()[0]
        for name, value in attrs:
            if name == "id" and value:
                if value in self.found.ids:
                    self.found.twice.append((value, line))
                self.found.ids.setdefault(value, line)
            elif name in _ADDRESSES and value is not None:
                self.found.links.append((value, line))
            elif name in _REFERENCES and value:
                self.found.references.append((value, line))
