"""HTML -> its tags and texts, one after the other, in a single pass that never goes back.

Written out here, since the parsers at hand take time that grows with the square of the file on hostile input (Python's
``html.parser`` needs 46 seconds for 60 kB of ``<a <a <a``), and a tree is not needed to read a document from front to end.
Comments, declarations, scripts and style sheets never come through.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Tag(NamedTuple):
    """A tag: its name in small letters, whether it is an end tag, and its attributes with character references resolved.

    A tag without a name stands where the file breaks off within a tag, comment or script.

    >>> Tag("a", False, {"href": "#x"}).name
    'a'
    """

    name: str
    closing: bool = False
    attributes: Mapping[str, str] = {}


BROKEN_OFF = Tag("")

_NOT_TEXT = ("script", "style", "template", "svg", "canvas", "audio", "video", "textarea")
UNSEEN = frozenset((*_NOT_TEXT, "noscript", "iframe", "object", "noembed", "noframes"))
"""Elements whose content is nothing to read; they are left out whole, unopened."""

_PLAIN = frozenset(("title",))
"""Elements whose content is text, whatever it looks like."""

_WHOLE = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _PLAIN | UNSEEN}
_NAME = re.compile(r"/?([A-Za-z][^\s/>]*+)")
_ATTRIBUTE = re.compile(
    r"""[\s/]*+(?P<name>[^\s/>][^\s/>=]*+)
        (?:\s*+=\s*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s>"'][^\s>]*+)))?""",
    re.VERBOSE,
)
_TAG_END = re.compile(r"[\s/]*+>")
_MOST_ATTRIBUTE = 2_000
"""Characters of an attribute that are kept: no address or description is longer, but pictures within a page are."""


def scan(text: str) -> Iterator[Tag | str]:
    """The tags and the texts between them, character references resolved, in the order of the file.

    >>> list(scan("<p>A &amp; B<!-- no --><script>x</script></p>"))
    [Tag(name='p', closing=False, attributes={}), 'A & B', Tag(name='p', closing=True, attributes={})]
    """
    at = 0
    unclosed: set[str] = set()
    while at < len(text):
        start = text.find("<", at)
        if start < 0:
            start = len(text)
        if start > at:
            yield html.unescape(text[at:start])
        if start == len(text):
            return
        found, at = _markup(text, start)
        if isinstance(found, Tag) and not found.closing and found.name in _WHOLE:
            inside, at = _until_closed(text, at, found.name, unclosed)
            if found.name in _PLAIN:
                yield from (found, html.unescape(inside))
            if at > len(text):
                yield BROKEN_OFF
        elif found is not None:
            yield found


def _markup(text: str, start: int) -> tuple[Tag | str | None, int]:
    """What begins at a ``<``, and where it ends; ``None`` for a comment or declaration."""
    if text.startswith("<!--", start):
        return _skip(text, "-->", start + 2 if text.startswith(("<!-->", "<!--->"), start) else start + 4)
    if text.startswith(("<!", "<?"), start):
        return _skip(text, ">", start + 2)
    if name := _NAME.match(text, start + 1):
        return _tag(text, name)
    if text.startswith("</", start):
        return _skip(text, ">", start + 2)
    return "<", start + 1


def _skip(text: str, sign: str, start: int) -> tuple[Tag | None, int]:
    end = text.find(sign, start)
    return (None, end + len(sign)) if end >= 0 else (BROKEN_OFF, len(text))


def _tag(text: str, name: re.Match[str]) -> tuple[Tag, int]:
    attributes: dict[str, str] = {}
    at = name.end()
    while not (end := _TAG_END.match(text, at)):
        found = _ATTRIBUTE.match(text, at)
        if not found:
            return BROKEN_OFF, len(text)
        value = found["double"] or found["single"] or found["bare"] or ""
        attributes.setdefault(found["name"].lower(), html.unescape(value[:_MOST_ATTRIBUTE]))
        at = found.end()
    return Tag(name[1].lower(), name[0].startswith("/"), attributes), end.end()


def _until_closed(text: str, start: int, name: str, unclosed: set[str]) -> tuple[str, int]:
    """The content of an element up to its end tag, and where that ends; past the text's end if there is none.

    ``unclosed``: names that no end tag follows, so that the text is searched for one but once.
    """
    found = None if name in unclosed else _WHOLE[name].search(text, start)
    end = text.find(">", found.end()) if found else -1
    if found and end >= 0:
        return text[start : found.start()], end + 1
    unclosed.add(name)
    closes_itself = text.startswith("/", start - 2)
    return ("", start) if closes_itself else (text[start:], len(text) + 1)
