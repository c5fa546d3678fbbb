"""A document file -> front matter and sections.

A document is CommonMark with tables, cut at its headings. What is wrong is gathered and never stops the reading.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ruleslawyer.blocks import Block, Span
from ruleslawyer.commonmark import Token, following, joint, tokens_of
from ruleslawyer.errors import Problem, Report, nearest
from ruleslawyer.textfile import KEBAB, KEBAB_HINT
from ruleslawyer.tomlfile import read_toml

ATTRIBUTES = ("sources", "rests-on", "parent", "kind", "aliases", "players", "edition", "variant", "pages")
"""What a heading may say beside its id."""

KINDS = ("rule", "faq", "info")
CELL_END = " | "
"""What stands between two cells in the text of a ``row`` block."""


@dataclass(frozen=True)
class FrontMatter:
    """The header of a document: its title, and the kind its entries are of unless their headings say otherwise."""

    title: str
    kind: str


@dataclass(frozen=True)
class Link:
    """A link as written: ``#id``, ``game#id`` or ``source:id``, and its 1-based line."""

    target: str
    line: int


@dataclass(frozen=True)
class Section:
    """An entry as written in one document.

    ``parent`` is the id of the heading it is nested under, or empty; ``end`` is the last of its lines; ``markdown`` is
    the body as written; the link spans of ``blocks`` hold the targets as written.
    """

    id: str
    level: int
    title: str
    attributes: Mapping[str, str]
    parent: str
    line: int
    end: int
    markdown: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Document:
    """A document file as read: ``front`` is ``None`` if broken, ``complete`` if every heading gave a section."""

    front: FrontMatter | None
    sections: tuple[Section, ...]
    complete: bool


def parse(text: str, file: str) -> tuple[Document, tuple[Problem, ...]]:
    """Read a document and everything that is wrong with it.

    Args:
        text: the file's text, with ``\\n`` line ends.
        file: its path as problems shall name it.

    >>> front = '+++\\ntitle = "Rules"\\nkind = "rule"\\nupdated = 2026-11-29\\n+++\\n'
    >>> document, problems = parse(front + "## Turn {#turn}\\nDraw *1* card.\\n", "rules.en.md")
    >>> document.sections[0].title, document.sections[0].blocks[0].text, problems
    ('Turn', 'Draw 1 card.', ())
    """
    report = Report(file)
    front, body = _split(text, report)
    tokens, definitions = tokens_of(body)
    for definition in definitions.values():
        report.add(definition["map"][0] + 1, "link definition", "write [text](#id) where the link stands")
    starts = [n for n, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    _check_opening(tokens[: starts[0]] if starts else tokens, report)
    sections = _sections(tokens, starts, body.split("\n"), report)
    return Document(front, sections, len(sections) == len(starts)), tuple(report.problems)


# --- front matter -----------------------------------------------------------------------------------------------------


def _split(text: str, report: Report) -> tuple[FrontMatter | None, str]:
    """The front matter, and the rest with blank lines in its place so that line numbers stay true."""
    lines = text.split("\n")
    if lines[0].rstrip() != "+++":
        report.add(1, "no front matter", "begin with a line +++, then title, kind and updated, then a line +++")
        return None, text
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() == "+++"), None)
    if end is None:
        report.add(1, "front matter is not closed", "end it with a line +++")
        return None, ""
    front = _front_matter("\n".join(["", *lines[1:end]]), report)
    return front, "\n" * (end + 1) + "\n".join(lines[end + 1 :])


def _front_matter(text: str, report: Report) -> FrontMatter | None:
    before = len(report.problems)
    table = read_toml(text, report)
    if table is None:
        return None
    front = FrontMatter(table.text("title"), table.choice("kind", ("rule", "faq")))
    table.date("updated")
    sound = len(report.problems) == before
    table.only("title", "kind", "updated")
    return front if sound else None


# --- sections ---------------------------------------------------------------------------------------------------------


def _check_opening(tokens: Sequence[Token], report: Report) -> None:
    if tokens:
        line = tokens[0].map[0] + 1 if tokens[0].map else 0
        report.add(line, "text before the first heading", "move it under a heading")


def _sections(
    tokens: Sequence[Token], starts: Sequence[int], lines: Sequence[str], report: Report
) -> tuple[Section, ...]:
    sections: list[Section] = []
    above: list[tuple[int, str]] = []
    last = 1
    for start, end in pairwise([*starts, len(tokens)]):
        level = int(tokens[start].tag[1:])
        _check_level(level, last, _line(tokens[start]), report)
        last = level
        while above and above[-1][0] >= level:
            above.pop()
        parent = above[-1][1] if above else ""
        next_line = _line(tokens[end]) - 1 if end < len(tokens) else len(lines)
        section = _section(tokens[start:end], level, parent, lines, next_line, report)
        if section:
            above.append((level, section.id))
            sections.append(section)
    return tuple(sections)


def _check_level(level: int, last: int, line: int, report: Report) -> None:
    if level == 1:
        report.add(line, "heading begins with a single #", "entries begin with ##; the title is in the front matter")
    elif level > last + 1:
        report.add(line, f"heading skips a level: {'#' * level} under {'#' * last}", f"write {'#' * (last + 1)}")


def _section(
    tokens: Sequence[Token], level: int, parent: str, lines: Sequence[str], end: int, report: Report
) -> Section | None:
    heading, inline = tokens[0], tokens[1]
    line = _line(heading)
    attributes = _attributes(heading, inline, report)
    title = _Words(report)
    title.read(inline)
    if not title.text.strip():
        report.add(line, "heading without a title", "every entry has one, before its {#id}")
    if title.links:
        report.add(line, "link in a heading", "links stand in the text below it")
    body = _Body(report)
    for token in tokens[3:]:
        body.read(token)
    name = attributes.pop("id", "")
    if not name:
        return None
    markdown = "\n".join(lines[(heading.map or [0, 0])[1] : end]).strip("\n")
    return Section(
        name, level, title.text, attributes, parent, line, end, markdown, tuple(body.blocks), tuple(body.links)
    )


_ATTRIBUTE = re.compile(r"""(?:\#(?P<id>[^\s"=]+)|(?P<key>[^\s"=\#]+)="(?P<value>[^"]*)")(?=\s|$)|\S+""")
_HEADING_HINT = 'end it with {#id sources="..."}'


def _attributes(heading: Token, inline: Token, report: Report) -> dict[str, str]:
    """The attributes of a heading, its id among them as ``id``; problems for what cannot be understood."""
    line = _line(heading)
    raw = heading.meta.get("attributes")
    if raw is None:
        message = "malformed attributes" if "{" in inline.content else "heading without an id"
        report.add(line, message, _HEADING_HINT)
        return {}
    found: dict[str, str] = {}
    pairs, malformed = _pairs(raw)
    for text in malformed:
        report.add(line, f"malformed attribute '{text}'", 'write #id first, then key="value"')
    if "id" not in [key for key, _ in pairs]:
        report.add(line, "heading without an id", _HEADING_HINT)
    for key, value in pairs:
        if key in found:
            report.add(line, f"'{key}' is given twice")
        elif key == "id" and not KEBAB.fullmatch(value):
            report.add(line, f"malformed id '{value}'", KEBAB_HINT)
        elif key != "id" and key not in ATTRIBUTES:
            report.add(line, f"unknown attribute '{key}'", nearest(key, ATTRIBUTES))
        else:
            found[key] = value
    return found


def _pairs(raw: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Keys and values, and what stands between them and is neither."""
    pairs: list[tuple[str, str]] = []
    malformed: list[str] = []
    for found in _ATTRIBUTE.finditer(raw):
        if found["id"]:
            pairs.append(("id", found["id"]))
        elif found["key"]:
            pairs.append((found["key"], found["value"]))
        else:
            malformed.append(found[0])
    return pairs, malformed


# --- text -------------------------------------------------------------------------------------------------------------


class _Body:
    """Collects the blocks and links of a section from its tokens."""

    def __init__(self, report: Report) -> None:
        self.blocks: list[Block] = []
        self.links: list[Link] = []
        self._report = report
        self._depth = 0
        self._marker = ""
        self._row: _Words | None = None

    def read(self, token: Token) -> None:
        """Take the next token of the block level."""
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                self._depth += 1
            case "bullet_list_close" | "ordered_list_close":
                self._depth -= 1
            case "list_item_open":
                self._marker = f"{token.info}." if token.info else "-"
            case "list_item_close":
                self._marker = ""
            case "heading_open":
                self._report.add(_line(token), "heading inside a list or quotation", "entries stand on their own")
            case "fence" | "code_block":
                self._add("code", token.content.rstrip("\n"))
            case "tr_open":
                self._row = _Words(self._report)
            case "tr_close":
                self._add_words("row", self._row or _Words(self._report))
                self._row = None
            case "td_close" | "th_close" if self._row:
                self._row.end_cell()
            case "inline":
                self._inline(token)

    def _inline(self, token: Token) -> None:
        if self._row:
            self._row.read(token)
            return
        words = _Words(self._report)
        words.read(token)
        self._add_words("item" if self._depth else "p", words)

    def _add_words(self, kind: str, words: _Words) -> None:
        self._add(kind, words.text.removesuffix(CELL_END), words.sorted_spans())
        self.links += words.links

    def _add(self, kind: str, text: str, spans: tuple[Span, ...] = ()) -> None:
        if text.strip():
            self.blocks.append(Block(kind, text, self._depth, self._marker, spans))
            self._marker = ""


@dataclass
class _Words:
    """Collects the text, spans and links of inline tokens."""

    report: Report
    spans: list[Span] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _open: list[tuple[str, int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that was read."""
        return "".join(self._parts)

    def read(self, inline: Token) -> None:
        """Take the children of an ``inline`` token."""
        children = inline.children or []
        breaks = [found.start() for found in re.finditer("\n", inline.content)]
        after = following(children) if breaks else ()
        for n, token in enumerate(children):
            match token.type:
                case "text":
                    self._add(token.content)
                case "code_inline":
                    self.spans.append(Span(self._length, self._length + len(token.content), "code"))
                    self._add(token.content)
                case "softbreak" | "hardbreak":
                    self._add(joint(self._parts[-1] if self._parts else "", after[n]))
                case "strong_open" | "em_open" | "link_open":
                    self._open.append((token.type.removesuffix("_open"), self._length, _target(token)))
                case "strong_close" | "em_close" | "link_close":
                    kind, start, target = self._open.pop()
                    self.spans.append(Span(start, self._length, kind, target))
            if token.type in ("raw_html", "image", "link_open"):
                self._check(token, _line(inline) + bisect_left(breaks, token.meta.get("offset", 0)))

    def end_cell(self) -> None:
        """Close a table cell."""
        self._add(CELL_END)

    def _add(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)

    def sorted_spans(self) -> tuple[Span, ...]:
        """The spans from left to right, outer before inner, empty ones left out."""
        spans = (s for s in self.spans if s.end > s.start)
        return tuple(sorted(spans, key=lambda s: (s.start, -s.end)))

    def _check(self, token: Token, line: int) -> None:
        match token.type:
            case "raw_html":
                self.report.add(line, "raw HTML is not allowed", r"write \< where the sign itself is meant")
            case "image":
                self.report.add(line, "images are not allowed", "say in words what it shows")
            case "link_open" if message := _link_fault(_target(token)):
                self.report.add(line, *message)
            case "link_open":
                self.links.append(Link(_target(token), line))


_ENTRY_LINK = re.compile(rf"(?:{KEBAB.pattern})?#[^#]+")


def _link_fault(target: str) -> tuple[str, str] | None:
    """Message and hint for a target that names neither an entry nor a source."""
    if _ENTRY_LINK.fullmatch(target) or target.startswith("source:"):
        return None
    if re.match(r"https?:", target, re.IGNORECASE):
        return f"link to a web page '{target}'", "put it in game.toml as a source and write source:ID"
    return f"link '{target}' is not allowed", "write #id, game#id or source:id"


def _target(token: Token) -> str:
    return str(token.attrGet("href") or "")


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0
