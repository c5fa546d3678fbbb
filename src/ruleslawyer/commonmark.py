"""CommonMark with tables as our texts need it: the one place for markdown-it-py.

Emphasis works between Chinese letters and punctuation, a line break in Chinese is no space, a heading may end in attributes,
and raw HTML and link targets come through as written, so that they can be reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, link
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token as Token
from markdown_it.utils import EnvType

from ruleslawyer.analysis import is_han


def tokens_of(markdown: str) -> tuple[list[Token], dict[str, Any]]:
    """A text's tokens, and the link definitions in it by label.

    The attributes that a heading ends with are in its ``meta["attributes"]`` and not in its text.
    """
    env: EnvType = {}
    tokens = _PARSER.parse(markdown, env)
    return tokens, dict(env.get("references", {}))


def body_tokens(markdown: str) -> list[Token]:
    """The body of an entry as tokens for writing it out anew; every line break is the text that it stands for.

    >>> [child.content for child in body_tokens("占领\\n神殿")[1].children]
    ['占领', '', '神殿']
    """
    tokens, _ = tokens_of(markdown)
    for token in tokens:
        children, before = token.children or [], ""
        after = following(children)
        for n, child in enumerate(children):
            if child.type in ("softbreak", "hardbreak"):
                child.type, child.content = "text", joint(before, after[n])
            before = child.content or before
    return tokens


def following(tokens: Sequence[Token]) -> list[str]:
    """For each token the first character of the text after it; a space where there is none."""
    after: list[str] = []
    char = " "
    for token in reversed(tokens):
        after.append(char)
        char = token.content[:1] or char
    return after[::-1]


def joint(before: str, after: str) -> str:
    """What a line break stands for: nothing beside full-width signs and between Han, digits included; else a space."""
    last = before[-1:]
    if not last or _is_wide_sign(last) or _is_wide_sign(after):
        return ""
    if _is_east_asian(last) and _is_east_asian(after):
        return ""
    beside_digit = (last.isdigit() and _is_ideograph(after[:1])) or (_is_ideograph(last) and after[:1].isdigit())
    return "" if beside_digit else " "


def _is_ideograph(char: str) -> bool:
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff"


def _is_wide_sign(char: str) -> bool:
    return "\u3000" <= char <= "\u303f" or "\uff01" <= char <= "\uff0f" or "\uff1a" <= char <= "\uff20" or char == "～"


def _is_east_asian(char: str) -> bool:
    return is_han(char) or "\u3040" <= char <= "\u30ff" or char in "“”‘’—…·"


class _State(StateInline):
    """Tokens that know their offset, and emphasis that also works between letters and punctuation."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["offset"] = self.pos
        return token

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:
        """CommonMark's rule, but a letter on the far side does not stop a ``*`` beside punctuation that points its way.

        So ``**注意：**每轮`` closes and ``这是**「重点」**`` opens, which CommonMark denies for want of a space.
        """
        scanned = super().scanDelims(start, canSplitWord)
        if not canSplitWord:
            return scanned
        before = self.src[start - 1] if start else " "
        end = start + scanned.length
        after = self.src[end] if end < self.posMax else " "
        if before.isdigit() and after.isdigit():
            return Scanned(False, False, scanned.length)
        opens = scanned.can_open or not (after.isspace() or _points_left(after))
        closes = scanned.can_close or not (before.isspace() or _points_right(before))
        return Scanned(opens, closes, scanned.length)


def _points_left(char: str) -> bool:
    return unicodedata.category(char) in ("Pe", "Pf") or char in ".,;:!?、，。：；！？…"


def _points_right(char: str) -> bool:
    return unicodedata.category(char) in ("Ps", "Pi") or char in "¡¿"


class _Inline(ParserInline):
    """Inline text, most of which is plain or has links of plain words only: those are short cuts to the same tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.terminator_re = _MARK

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        if src and not _MARK.search(src):
            tokens.append(Token("text", "", 0, content=src))
            return tokens
        return self.parse_marked(src, md, env, tokens)

    def parse_marked(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Text in which there may be marks."""
        state = _State(src, md, env, tokens)
        state.level = MAX_NESTING - MAX_INLINE_NESTING
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


_MARK = re.compile(r"[\n!&*<\[\\\]_`]")
"""What some rule of ours looks for; markdown-it also stops at the marks of rules that we do not have."""

_PLAIN_LINK = re.compile(r"\[([^\n!&*<\[\\\]_`]+)\]\(([\w#:-]+)\)")


def _link(state: StateInline, silent: bool) -> bool:
    """A link, at once where nothing in it can be read in two ways: ``[plain words](#id)``."""
    plain = _PLAIN_LINK.match(state.src, state.pos, state.posMax)
    if not plain:
        return link(state, silent)
    if not silent:
        state.pos = plain.start(1)
        state.push("link_open", "a", 1).attrs = {"href": plain[2]}
        state.append_pending(plain[1])
        state.pos = plain.end(1)
        state.push("link_close", "a", -1)
    state.pos = plain.end()
    return True


MAX_NESTING = 100
"""Deeper than any rule is nested: below markdown-it's own limit of 20 text would be lost without a word."""

MAX_INLINE_NESTING = 20
"""Of links and emphasis in a paragraph: what is deeper stays as written. Each level is a walk through the paragraph."""


class _Parser(MarkdownIt):
    """CommonMark with tables; link targets and raw HTML come through as written, so that they can be reported."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False})
        self.inline = _Inline()
        self.inline.ruler.at("html_inline", _raw_html)
        self.inline.ruler.at("link", _link)
        self.core.ruler.before("inline", "heading_attributes", _cut_attributes)
        self.configure("commonmark", {"html": False, "maxNesting": MAX_NESTING})
        self.enable(["table", "heading_attributes"])

    def validateLink(self, url: str) -> bool:
        return True

    def normalizeLink(self, url: str) -> str:
        return url


def _raw_html(state: StateInline, silent: bool) -> bool:
    if not re.match(r"<[A-Za-z/!?]", state.src[state.pos : state.pos + 2]):
        return False
    if not silent:
        state.push("raw_html", "", 0)
    state.pos += 1
    return True


_TAIL = re.compile(r"""\{(?P<attributes>(?:[^"{}]|"[^"]*")*)\}$""")


def _cut_attributes(state: StateCore) -> None:
    """Take the attributes off a heading's text before it is read as Markdown."""
    for heading, inline in pairwise(state.tokens):
        if heading.type == "heading_open" and (found := _TAIL.search(inline.content)):
            heading.meta["attributes"] = found["attributes"]
            inline.content = inline.content[: found.start()].rstrip()


_PARSER = _Parser()
