"""Anyone's Markdown -> manuscript. Raw HTML in it is understood where it is plain, else shown; it is never kept."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence

from ruleslawyer.commonmark import Token, body_tokens
from ruleslawyer.listlevels import MAX_DEPTH
from ruleslawyer.listmarks import ICON
from ruleslawyer.manuscript import Manuscript, Piece, Unread
from ruleslawyer.styledtext import BREAK, Run, address_beside, inline, lines, plain, styled, tidy

_YAML_TITLE = re.compile(
    r"""^title\s*:\s*(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^']|'')*)'|(?P<bare>.*?))\s*$""", re.M
)
_KEY = re.compile(r"[\w-]+\s*[:=]|\s|#|-|\[|\]|$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_UNSEEN = {"<!--": "-->", "<script": "</script>", "<style": "</style>", "<template": "</template>"}
_HARD_BREAK = re.compile(r"(?: {2,}|(?<!\\)\\)$")
_HEADING_ATTRIBUTES = re.compile(r"""(?:\s+|[#.][^\s"{}]+|[\w-]+=(?:"[^"]*"|[^\s"]+))*""")

_INLINE_HTML = frozenset(("a", "abbr", "big", "code", "font", "ins", "kbd", "mark", "small", "span", "sub", "sup", "u"))
_PARTS_HTML = (
    "center",
    "details",
    "div",
    "figcaption",
    "figure",
    "hr",
    "img",
    "p",
    "section",
    "summary",
    "br",
    "blockquote",
)
_TABLE_HTML = ("table", "tbody", "td", "th", "thead", "tr", "dd", "dl", "dt", "li", "ol", "ul")
_BLOCK_HTML = frozenset((*_PARTS_HTML, *_TABLE_HTML, "h1", "h2", "h3", "h4", "h5", "h6"))
_STYLE_HTML = {"b": "strong", "strong": "strong", "i": "em", "em": "em"}
_TAG = re.compile(
    r"""!--.*?--> | (?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)
    (?P<rest>(?:\s+(?:[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+)|open|hidden|checked|disabled|reversed|nowrap))*)\s*/?>""",
    re.DOTALL | re.VERBOSE,
)
"""A comment, or a tag: words between ``<`` and ``>`` are no attributes, they may be a comparison."""

_ALT = re.compile(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)


def read_markdown(text: str) -> Manuscript:
    """The headings, paragraphs, list items and table rows of a Markdown text with ``\\n`` line ends.

    Front matter is taken off, a title in it is the title; else the only heading of the first level is.

    >>> read = read_markdown("---\\ntitle: Docks\\n---\\n## Turn {#turn}\\n3. Draw *1* card.\\n   - Or <b>two</b>.\\n")
    >>> read.title, [(piece.kind, piece.level, piece.marker, piece.text) for piece in read.pieces]
    ('Docks', [('heading', 2, '', 'Turn'), ('item', 1, '3.', 'Draw *1* card.'), ('item', 2, '-', 'Or **two**.')])
    """
    title, body = _front_matter(text)
    reader = _Reader()
    for token in body_tokens(_seen(body)):
        reader.read(token)
    pieces = tuple(reader.pieces)
    unread = tuple(Unread(0, key, {"count": str(count)}) for key, count in (+reader.lost).items())
    return Manuscript(title or reader.title(), pieces, unread)


# --- before parsing ---------------------------------------------------------------------------------------------------


def _front_matter(text: str) -> tuple[str, str]:
    """The title in the front matter, and the text after it; all of the text if it has none."""
    first, _, rest = text.partition("\n")
    fence = first.rstrip()
    if fence not in ("---", "+++"):
        return "", text
    found = re.search(rf"^(?:{re.escape(fence)}{'|[.]{3}' if fence == '---' else ''})[ \t]*$", rest, re.MULTILINE)
    if not found:
        return "", text
    header = rest[: found.start()]
    if not all(_KEY.match(line) for line in header.split("\n")):
        return "", text  # a rule, text and another rule
    return _title(header, fence), rest[found.end() :]


def _title(header: str, fence: str) -> str:
    if fence == "+++":
        try:
            title = tomllib.loads(header).get("title", "")
        except tomllib.TOMLDecodeError:
            return ""
        return title if isinstance(title, str) else ""
    found = _YAML_TITLE.search(header)
    if not found:
        return ""
    return re.sub(r"\\(.)", r"\1", found["double"] or "") or (found["single"] or found["bare"] or "").replace("''", "'")


def _seen(text: str) -> str:
    """The text without comments, scripts and style sheets that begin a line; hard line breaks as U+2028."""
    kept: list[str] = []
    fence = until = ""
    for line in text.split("\n"):
        if not fence and not until:
            until = next((end for sign, end in _UNSEEN.items() if line.lstrip().lower().startswith(sign)), "")
        if until:
            _, ended, line = _split_at(line, until)
            until = "" if ended else until
        elif fence:
            fence = "" if _closes(line, fence) else fence
        elif found := _FENCE.match(line):
            fence = found[1]
        else:
            line = _HARD_BREAK.sub(BREAK.text, line)
        kept.append(line)
    return "\n".join(kept)


def _split_at(line: str, sign: str) -> tuple[str, str, str]:
    """The line before a sign in any case, the sign, and the line after it; the last two empty if it is not there."""
    at = re.search(re.escape(sign), line, re.IGNORECASE)
    return (line[: at.start()], at[0], line[at.end() :]) if at else (line, "", "")


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip()
    return stripped.startswith(fence) and not stripped.strip(fence[0])


# --- blocks -----------------------------------------------------------------------------------------------------------


class _Reader:
    """Takes the tokens of a document and keeps the pieces made of them."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.lost: Counter[str] = Counter()
        self._depth = 0
        self._heading: Token | None = None
        self._marker = ""
        self._row: list[str] | None = None

    def read(self, token: Token) -> None:
        """Take the next token of the block level."""
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                self._depth += 1
            case "bullet_list_close" | "ordered_list_close":
                self._depth -= 1
                self._marker = ""
            case "list_item_open":
                self._marker = f"{token.info}." if token.info else "-"
            case "heading_open":
                self._heading = token
            case "heading_close":
                self._heading = None
            case "tr_open":
                self._row = []
            case "tr_close":
                self._end_row()
            case "fence" | "code_block":
                for line in token.content.replace(BREAK.text, "").split("\n"):
                    self._paragraph([Run(line)])
            case "inline":
                self._inline(token)

    def title(self) -> str:
        """The text of the only heading of the first level, if the document begins with it."""
        top = [piece for piece in self.pieces if piece.kind == "heading" and piece.level == 1]
        return plain(_runs(body_tokens(top[0].text), self.lost)) if len(top) == 1 and self.pieces[0] is top[0] else ""

    def _inline(self, token: Token) -> None:
        runs = _runs([token], self.lost)
        if self._row is not None:
            self._row.append(inline(runs))
        elif self._heading:
            self._add_heading(self._heading, runs)
        else:
            for line in lines(part for run in runs for part in _broken(run)):
                self._paragraph(line)

    def _add_heading(self, heading: Token, runs: list[Run]) -> None:
        attributes = heading.meta.get("attributes")
        if attributes is not None and not _HEADING_ATTRIBUTES.fullmatch(attributes):
            runs.append(Run(f" {{{attributes}}}"))
        if self._marker and self._marker != "-":
            runs.insert(0, Run(f"{self._marker} "))
        self._marker = ""
        runs = tidy(runs)
        if all(run.strong for run in runs):
            runs = [run._replace(strong=False) for run in runs]
        if runs:
            self.pieces.append(Piece("heading", inline(runs), int(heading.tag[1:])))

    def _paragraph(self, runs: Sequence[Run]) -> None:
        if not (text := inline(runs)):
            return
        if self._depth:
            self.pieces.append(Piece("item", text, min(self._depth, MAX_DEPTH), self._marker))
        else:
            self.pieces.append(Piece("p", text))
        self._marker = ""

    def _end_row(self) -> None:
        cells, self._row = self._row or [], None
        if len(cells) > 1 and any(cells):
            self.pieces.append(Piece("row", " | ".join(cells)))
        elif any(cells):
            self.pieces.append(Piece("p", cells[0]))


def _broken(run: Run) -> Iterator[Run]:
    """A run cut at its line breaks."""
    for n, text in enumerate(run.text.split(BREAK.text)):
        if n:
            yield BREAK
        yield run._replace(text=text)


# --- inline -----------------------------------------------------------------------------------------------------------


def _runs(tokens: Sequence[Token], lost: Counter[str]) -> list[Run]:
    """The text of inline tokens, links with their address beside, pictures as marks, HTML tags heard or shown."""
    children = [child for token in tokens if token.type == "inline" for child in token.children or []]
    return styled(list(_told(list(_without_html(children, lost)), lost)))


def _told(children: Sequence[Token], lost: Counter[str]) -> Iterator[Token]:
    said, address = "", ""
    for token in children:
        if token.type == "image":
            lost["images"] += not token.content.strip()
            token = _text(f"{ICON} {token.content}".rstrip())
        elif token.type == "link_open":
            said, address = "", str(token.attrGet("href") or "")
        elif token.type == "link_close" and (telling := address_beside(address, said)):
            yield _text(f" ({telling})")
        said += token.content
        yield token


def _without_html(children: Sequence[Token], lost: Counter[str]) -> Iterator[Token]:
    """The tokens, each sign that begins raw HTML put together with its tag: dropped, turned to emphasis, or shown."""
    at = 0
    while at < len(children):
        token = children[at]
        at += 1
        if token.type != "raw_html":
            yield token
            continue
        text = ""
        while at < len(children) and children[at].type == "text":
            text += children[at].content
            at += 1
        found = _TAG.match(text)
        yield from _meant(found, lost) if found else (_text("<"),)
        yield _text(text[found.end() :] if found else text)


def _meant(found: re.Match[str], lost: Counter[str]) -> Iterator[Token]:
    """What a tag or comment stands for."""
    name = (found["name"] or "").lower()
    if name in _STYLE_HTML:
        yield Token(f"{_STYLE_HTML[name]}_{'close' if found['end'] else 'open'}", name, -1 if found["end"] else 1)
    elif name == "img":
        alt = _ALT.search(found["rest"])
        says = (alt[1] or alt[2] or "").strip() if alt else ""
        lost["images"] += not says
        yield _text(f" {ICON} {says}".rstrip())
    elif name in _BLOCK_HTML:
        yield _text(BREAK.text)
    elif name and name not in _INLINE_HTML:
        yield _text(f"<{found[0]}")


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
