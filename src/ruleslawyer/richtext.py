"""An entry's Markdown -> HTML for the website. Everything is escaped here; nothing in a text can add a tag or a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import NamedTuple

from ruleslawyer.commonmark import Token, body_tokens


class Html(str):
    """HTML that may stand in a page as it is. Only this module makes it, and templates know it by ``__html__``."""

    def __html__(self) -> str:
        return str(self)


class Target(NamedTuple):
    """Where a link leads: an address relative to the page, and what to write beside it in print."""

    href: str
    name: str
    kind: str = "ref"


class Mark(NamedTuple):
    """Part of a text that a glossary term explains: ``start`` and ``end`` in the text, the id of its explanation."""

    start: int
    end: int
    gloss: str


Resolve = Callable[[str], Target | None]
"""A link as written (``#id``, ``game#id``, ``source:id``) -> its target; ``None`` makes it plain text."""

Gloss = Callable[[str], Iterable[Mark]]
"""A run of text -> the terms to explain in it, from left to right."""

_BLOCKS = {
    "blockquote": "blockquote", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "heading": "p",
    "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
}  # fmt: skip
_EXAMPLE = re.compile(r"\*\*(?:Example|Ejemplo|例)[^*]{0,12}[:：]")


def to_html(markdown: str, resolve: Resolve, gloss: Gloss = lambda text: ()) -> Html:
    """The body of an entry as HTML.

    >>> to_html("**注意：**1 < 2 [a](javascript:x)", lambda target: None)
    '<p><strong>注意：</strong>1 &lt; 2 a</p>\\n'
    """
    writer = _Writer(resolve, gloss)
    tokens = body_tokens(markdown)
    for n, token in enumerate(tokens):
        writer.block(token, tokens[n + 1] if n + 1 < len(tokens) else None)
    return Html("".join(writer.out))


class _Writer:
    def __init__(self, resolve: Resolve, gloss: Gloss) -> None:
        self.out: list[str] = []
        self._resolve = resolve
        self._gloss = gloss
        self._links: list[bool] = []

    def block(self, token: Token, after: Token | None) -> None:
        """Write a token of the block level."""
        name = token.type.removesuffix("_open").removesuffix("_close")
        if name == "paragraph":
            self._paragraph(token, after)
        elif name == "table":
            self.out.append('<div class="table" tabindex="0"><table>\n' if token.nesting == 1 else "</table></div>\n")
        elif name in _BLOCKS:
            self._tag(_BLOCKS[name], token)
        elif name == "inline":
            self._inline(token.children or ())
        elif name in ("fence", "code_block"):
            self.out.append(f"<pre><code>{escape(token.content)}</code></pre>\n")
        elif name == "hr":
            self.out.append("<hr>\n")

    def _paragraph(self, token: Token, after: Token | None) -> None:
        if token.hidden:
            return
        example = token.nesting == 1 and after and _EXAMPLE.match(after.content)
        self.out.append(('<p class="example">' if example else "<p>") if token.nesting == 1 else "</p>\n")

    def _tag(self, tag: str, token: Token) -> None:
        if token.nesting == -1:
            self.out.append(f"</{tag}>\n")
            return
        attributes = ""
        if tag == "ol" and str(token.attrGet("start") or "").isdigit():
            attributes = f' start="{token.attrGet("start")}"'
        elif tag in ("th", "td") and token.attrGet("style") in ("text-align:right", "text-align:center"):
            attributes = f' class="{str(token.attrGet("style")).removeprefix("text-align:")}"'
        self.out.append(f"<{tag}{attributes}>")

    def _inline(self, children: Sequence[Token]) -> None:
        for token in children:
            match token.type:
                case "text" | "text_special":
                    self._text(token.content)
                case "code_inline":
                    self.out.append(f"<code>{escape(token.content)}</code>")
                case "strong_open" | "strong_close" | "em_open" | "em_close":
                    self.out.append(f"<{'/' if token.nesting == -1 else ''}{token.tag}>")
                case "link_open":
                    self._open_link(self._resolve(str(token.attrGet("href") or "")))
                case "link_close":
                    self.out.append("</a>" if self._links.pop() else "")
                case "raw_html":
                    self.out.append("&lt;")
                case "image":
                    self._inline(token.children or ())

    def _open_link(self, target: Target | None) -> None:
        self._links.append(target is not None)
        if target:
            href, name = escape(target.href), escape(target.name)
            self.out.append(f'<a class="{target.kind}" href="{href}" data-name="{name}">')

    def _text(self, text: str) -> None:
        done = 0
        for mark in () if self._links else self._gloss(text):
            self.out.append(escape(text[done : mark.start]))
            word = escape(text[mark.start : mark.end])
            self.out.append(f'<button type="button" class="term" popovertarget="{escape(mark.gloss)}">{word}</button>')
            done = mark.end
        self.out.append(escape(text[done:]))
