"""What must be known of a web page before it is read: where its content is, and what a person does not see of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from ruleslawyer.htmlscan import Tag, scan

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CONTENT = frozenset(("main", "article"))
_CHROME = frozenset(("header", "footer", "aside"))
_CHROME_ROLES = frozenset(("navigation", "banner", "contentinfo", "complementary", "search"))
_CONTROLS = frozenset(("button", "select", "datalist", "rt", "rp", "textarea"))
_STRUCK = frozenset(("del", "s", "strike"))
_TOOLS = frozenset(("mw-editsection", "headerlink", "noprint"))
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_UNSEEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class Page(NamedTuple):
    """What is known of a page: whether it marks its content, its own host, and which tables only lay it out."""

    has_content: bool
    has_main_role: bool
    host: str
    layouts: tuple[bool, ...]


class _Shape:
    """What a table holds, to tell one of data from one that lays out the page."""

    def __init__(self) -> None:
        self.wide = self.layout = False
        self.cells = 0

    def see(self, name: str) -> None:
        if name == "tr":
            self.cells = 0
        elif name in ("td", "th"):
            self.cells += 1
            self.wide |= self.cells > 1
        elif name == "table" or name in _HEADINGS:
            self.layout = True


def survey(text: str) -> Page:
    """Look through a page once before it is read.

    >>> survey("<main><table><tr><td>a<td>b</table><table><tr><td>box</table></main>")
    Page(has_content=True, has_main_role=False, host='', layouts=(False, True))
    """
    content = role = False
    host = ""
    shapes: list[_Shape] = []
    within: list[_Shape] = []
    for tag in (found for found in scan(text) if isinstance(found, Tag)):
        if tag.closing:
            if tag.name == "table" and within:
                within.pop()
            continue
        content |= tag.name in _CONTENT
        role |= tag.attributes.get("role") == "main"
        host = host or _own_host(tag)
        if within:
            within[-1].see(tag.name)
        if tag.name == "table":
            within.append(_Shape())
            shapes.append(within[-1])
            within[-1].layout = tag.attributes.get("role") in ("presentation", "none")
    return Page(content, role, host, tuple(shape.layout or not shape.wide for shape in shapes))


def _own_host(tag: Tag) -> str:
    says = tag.attributes
    if tag.name == "base" or (tag.name == "link" and says.get("rel", "").lower() == "canonical"):
        return _host(says.get("href", ""))
    return _host(says.get("content", "")) if tag.name == "meta" and says.get("property") == "og:url" else ""


def _host(address: str) -> str:
    try:
        return urlsplit(address.strip()).netloc
    except ValueError:
        return ""


def is_hidden(tag: Tag) -> bool:
    """Whether a browser does not show an element.

    >>> is_hidden(Tag("p", False, {"style": "display: none"})), is_hidden(Tag("p", False, {"hidden": "until-found"}))
    (True, False)
    """
    hidden = tag.attributes.get("hidden")
    return (hidden is not None and hidden != "until-found") or bool(
        _UNSEEN_STYLE.search(tag.attributes.get("style", ""))
    )


def is_left_out(tag: Tag, page: Page, in_content: bool) -> bool:
    """Whether an element is no part of the text: hidden, struck out, a control, or what frames the content of a page.

    >>> article = Page(True, False, "", ())
    >>> is_left_out(Tag("header"), article, False), is_left_out(Tag("header"), article, True)
    (True, False)
    """
    if tag.name in _VOID:
        return False
    if tag.name in _CONTROLS or tag.name in _STRUCK or is_hidden(tag):
        return True
    if not _TOOLS.isdisjoint(tag.attributes.get("class", "").split()):
        return True
    if not (page.has_content or page.has_main_role):
        return False
    framing = page.has_content and not in_content and tag.name in _CHROME
    return framing or tag.name == "nav" or tag.attributes.get("role") in _CHROME_ROLES


_CELL_END = frozenset(("td", "th", "tr"))
_ENDED_BY = {
    "li": frozenset(("li",)),
    **dict.fromkeys(("dt", "dd"), frozenset(("dt", "dd"))),
    **dict.fromkeys(("td", "th"), _CELL_END),
    "tr": frozenset(("tr",)),
    "p": frozenset(
        ("p", "div", "ul", "ol", "dl", "table", "pre", "section", "article", "blockquote", "hr", *_HEADINGS)
    ),
}
"""Elements whose end tag may be left out, and what begins only after them."""

_HOLDERS = frozenset(
    ("ul", "ol", "menu", "dl", "table", "div", "section", "article", "main", "body", "tr", "blockquote")
)


class LeftOut:
    """The element that is being left out, up to its end."""

    def __init__(self, tag: Tag) -> None:
        self.hidden = is_hidden(tag)
        self.struck = tag.name in _STRUCK
        self._name = tag.name
        self._enders: Iterable[str] = _ENDED_BY.get(tag.name, ())
        self._depth = 0

    def ends_at(self, tag: Tag) -> tuple[bool, bool]:
        """Whether it ends at the next tag, and whether that tag is its own end tag.

        >>> hidden = LeftOut(Tag("li"))
        >>> [hidden.ends_at(tag) for tag in (Tag("ul"), Tag("li"), Tag("ul", True), Tag("li"))]
        [(False, False), (False, False), (False, False), (True, False)]
        """
        return self._balanced(tag) if not self._enders else self._optional(tag)

    def _optional(self, tag: Tag) -> tuple[bool, bool]:
        """An element that needs no end tag ends with what holds it, or where its like begins."""
        if not tag.closing:
            if not self._depth and tag.name in self._enders:
                return True, False
            self._depth += tag.name in _HOLDERS
        elif not self._depth:
            return tag.name == self._name or tag.name in _HOLDERS, tag.name == self._name
        else:
            self._depth -= tag.name in _HOLDERS
        return False, False

    def _balanced(self, tag: Tag) -> tuple[bool, bool]:
        if tag.name != self._name:
            return False, False
        self._depth += -1 if tag.closing else 1
        return self._depth < 0, self._depth < 0
