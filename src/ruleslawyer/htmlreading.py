"""HTML -> manuscript: headings, paragraphs, lists with their numbers and table rows, in one walk from front to end.

The walk keeps no tree: a page nested a hundred thousand deep, or never closing anything, reads as well as any other and in
time that grows with its length alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ruleslawyer.htmlpage import LeftOut, Page, is_left_out, survey
from ruleslawyer.htmlscan import BROKEN_OFF, Tag, scan
from ruleslawyer.htmltables import Table
from ruleslawyer.listlevels import ListLevel
from ruleslawyer.listmarks import ICON
from ruleslawyer.manuscript import Manuscript, Piece, Unread
from ruleslawyer.styledtext import BREAK, Run, address_beside, inline, lines, paragraph, plain, tidy

_PARTS = ("address", "article", "aside", "body", "div", "fieldset", "footer", "form", "header", "hgroup", "main", "nav")
_TEXTS = ("blockquote", "center", "figcaption", "figure", "hr", "html", "legend", "p", "pre", "section")
_CELLS = ("table", "tr", "td", "th")
_TABLES = (*_CELLS, "caption", "tbody", "tfoot", "thead")
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_BLOCKS = frozenset((*_PARTS, *_TEXTS, *_TABLES, *_LISTS, "li", "dl", "dt", "dd", "details", "summary", "dialog"))
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_END_HEADING = frozenset(("p", "ul", "ol", "table", "dl", "pre", "section", *_HEADINGS))
_STRONG = frozenset(("b", "strong"))
_EM = frozenset(("i", "em", "cite", "dfn", "var", "address"))
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_INLINE = _STRONG | _EM | _CODE | {"span", "font", "a"}
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_LIGHT = re.compile(r"font-weight\s*:\s*(?:normal|[1-5]00)", re.IGNORECASE)
_ITALIC = re.compile(r"font-style\s*:\s*(?:italic|oblique)", re.IGNORECASE)
_PERMALINK = re.compile(r"\s*[¶#§🔗]\s*$")


def read_html(text: str) -> Manuscript:
    """What a person sees of a web page, in order: nothing that is hidden, runs or frames the page.

    Args:
        text: the page, decoded; well-formed or not.

    >>> page = "<title>Docks</title><h2>Turn</h2><ol start=3><li>Draw <b>1</b> card.<li>Move.</ol>"
    >>> read_html(page).title, read_html(page).pieces[1]
    ('Docks', Piece(kind='item', text='Draw **1** card.', level=1, marker='3.', page=0))
    """
    reader = _Reader(survey(text))
    for found in scan(text):
        reader.read(found)
    return reader.manuscript()


class _Style(NamedTuple):
    strong: int = 0
    em: int = 0
    code: int = 0

    def plus(self, other: _Style, sign: int = 1) -> _Style:
        return _Style(*(a + sign * b for a, b in zip(self, other, strict=True)))


class _Link(NamedTuple):
    address: str
    start: int


class _Reader:
    """Takes tags and texts, and keeps the pieces made of them."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._pieces: list[Piece] = []
        self._lost: Counter[str] = Counter()
        self._title = ""
        self._in_title = False
        self._runs: list[Run] = []
        self._style = _Style()
        self._open: dict[str, list[_Style]] = {name: [] for name in _INLINE}
        self._links: list[_Link] = []
        self._heading = 0
        self._lead = False
        self._pre = 0
        self._lists: list[ListLevel] = []
        self._tables: list[Table] = []
        self._main = 0
        self._skipped: LeftOut | None = None
        self._noted = False
        self._tables_seen = 0

    def read(self, found: Tag | str) -> None:
        """Take the next tag or text of the page."""
        if isinstance(found, str):
            self._text(found)
            return
        self._tables_seen += found.name == "table" and not found.closing
        if found is BROKEN_OFF:
            self._lost["cut"] += 1
        elif self._skipped and not self._leaves_skipped(found):
            return
        elif found.closing:
            self._close(found.name)
        else:
            self._begin(found)

    def manuscript(self) -> Manuscript:
        """What was read, once all of the page was taken."""
        if self._tables:
            self._rows(self._tables[-1].end(self._take()))
        self._flush()
        if self._skipped:
            self._lost["cut"] += 1
        unread = tuple(Unread(0, key, {"count": str(count)}) for key, count in (+self._lost).items())
        return Manuscript(self._title, tuple(self._pieces), unread)

    # --- text ---------------------------------------------------------------------------------------------------------

    def _text(self, text: str) -> None:
        if self._in_title:
            self._title, self._in_title = self._title or " ".join(text.split()), False
        elif self._skipped:
            self._note_left_out(self._skipped, text)
        elif self._pre and not self._in_cell:
            for n, line in enumerate(text.split("\n")):
                if n:
                    self._flush()
                self._add(line)
        else:
            self._add(text)

    def _note_left_out(self, what: LeftOut, text: str) -> None:
        """Count each passage that is hidden or struck out once."""
        if text.strip() and not self._noted and (what.hidden or what.struck):
            self._noted = True
            self._lost["hidden" if what.hidden else "struck"] += 1

    def _add(self, text: str) -> None:
        self._runs.append(Run(text, self._style.strong > 0, self._style.em > 0, self._style.code > 0))

    @property
    def _in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].in_cell

    def _block(self) -> None:
        """A block begins or ends here; within a cell or heading that is no more than a space."""
        if self._in_cell or self._heading:
            self._runs.append(Run(" "))
        else:
            self._flush()

    def _flush(self) -> None:
        """Make pieces of the text gathered so far."""
        runs, self._runs, self._links = self._runs, [], []
        heading, self._heading = self._heading, 0
        lead, self._lead = self._lead, False
        if not any(run.text.strip() for run in runs):
            return
        if lead:
            runs = [run._replace(strong=True) for run in runs]
        if heading:
            self._add_heading(runs, heading)
            return
        for line in lines(runs):
            self._add_paragraph(line)

    def _add_heading(self, runs: Sequence[Run], level: int) -> None:
        tidied = [run._replace(strong=False) for run in tidy(runs)]
        if tidied and _PERMALINK.match(tidied[-1].text[-2:]):
            tidied[-1] = tidied[-1]._replace(text=_PERMALINK.sub("", tidied[-1].text))
        if self._lists:
            number = self._lists[-1].heading()
            tidied.insert(0, Run(number))
        if text := inline(tidied):
            self._pieces.append(Piece("heading", text, level))

    def _add_paragraph(self, runs: Sequence[Run]) -> None:
        if self._lists and self._lists[-1].in_item:
            marker, prefix = self._lists[-1].take()
            self._pieces.append(Piece("item", inline([Run(prefix), *runs]), self._lists[-1].level, marker))
        elif piece := paragraph(runs):
            self._pieces.append(piece)

    # --- tags ---------------------------------------------------------------------------------------------------------

    def _begin(self, tag: Tag) -> None:
        name = tag.name
        if name == "title":
            self._in_title = True
        elif is_left_out(tag, self._page, self._main > 0):
            self._skip(tag)
        elif name in _HEADINGS:
            self._begin_heading(_HEADINGS[name])
        elif name in _INLINE:
            self._begin_inline(tag)
        elif name in _BLOCKS:
            self._begin_block(tag)
        else:
            self._single(tag)

    def _close(self, name: str) -> None:
        if name in _HEADINGS:
            if self._heading:
                self._flush()
        elif name in _INLINE:
            self._close_inline(name)
        elif name in _BLOCKS:
            self._close_block(name)
        elif name == "q":
            self._add("”")

    def _skip(self, tag: Tag) -> None:
        if tag.name in _BLOCKS and not self._in_cell:
            self._flush()
        self._skipped = LeftOut(tag)
        self._noted = False

    def _leaves_skipped(self, tag: Tag) -> bool:
        """Whether a tag ends the element that is left out and is to be read itself."""
        assert self._skipped
        ends, consumed = self._skipped.ends_at(tag)
        if ends:
            self._skipped = None
        return ends and not consumed

    def _begin_heading(self, level: int) -> None:
        if self._in_cell:
            self._runs.append(Run(" "))
            return
        self._flush()
        self._heading = level

    def _begin_inline(self, tag: Tag) -> None:
        style = tag.attributes.get("style", "")
        strong = (tag.name in _STRONG and not _LIGHT.search(style)) or bool(_BOLD.search(style))
        em = tag.name in _EM or bool(_ITALIC.search(style))
        added = _Style(int(strong), int(em), int(tag.name in _CODE))
        self._open[tag.name].append(added)
        self._style = self._style.plus(added)
        if tag.name == "a":
            self._links.append(_Link(tag.attributes.get("href", ""), len(self._runs)))

    def _close_inline(self, name: str) -> None:
        if self._open[name]:
            self._style = self._style.plus(self._open[name].pop(), -1)
        if name == "a" and self._links:
            link = self._links.pop()
            if address := address_beside(link.address, plain(self._runs[link.start :]), self._page.host):
                self._add(f" ({address})")

    def _begin_block(self, tag: Tag) -> None:
        name = tag.name
        if self._heading and name in _END_HEADING:
            self._flush()
        if name in _CELLS:
            self._begin_table(tag)
            return
        self._block()
        if name in _LISTS:
            self._lists.append(ListLevel.of_html(name, tag.attributes, self._lists[-1] if self._lists else None))
        elif name == "li":
            self._begin_item(tag)
        elif name in ("dt", "summary"):
            self._lead = not self._in_cell
        elif name == "pre":
            self._pre += 1
        elif name in ("main", "article"):
            self._main += 1

    def _begin_item(self, tag: Tag) -> None:
        if not self._lists:
            self._lists.append(ListLevel.of_html("ul", {}, None))
        self._lists[-1].begin_item(tag.attributes.get("value", ""))
        if self._in_cell:
            marker, prefix = self._lists[-1].take()
            self._add(f"{marker} " if marker != "-" else prefix)

    def _close_block(self, name: str) -> None:
        if name in _CELLS:
            self._close_table(name)
            return
        self._block()
        if name in _LISTS and self._lists:
            self._lists.pop()
        elif name == "li" and self._lists:
            self._lists[-1].end_item()
        elif name == "pre":
            self._pre = max(0, self._pre - 1)
        elif name in ("main", "article"):
            self._main = max(0, self._main - 1)

    def _single(self, tag: Tag) -> None:
        if tag.name == "br":
            self._runs.append(BREAK)
        elif tag.name == "img":
            self._image(tag)
        elif tag.name == "q":
            self._add("“")

    def _image(self, tag: Tag) -> None:
        says = tag.attributes.get("alt", tag.attributes.get("title"))
        if says is None:
            self._lost["images"] += 1
        if says is None or says.strip():
            self._add(f"{ICON} {says or ''}".rstrip())

    # --- tables -------------------------------------------------------------------------------------------------------

    def _begin_table(self, tag: Tag) -> None:
        if tag.name == "table":
            self._block()
            self._tables.append(Table(self._page.layouts[self._tables_seen - 1]))
            return
        if not self._tables or self._tables[-1].layout:
            self._block()
            return
        if tag.name == "tr":
            self._rows(self._tables[-1].begin_row(self._take()))
        else:
            self._before_cell()
            self._tables[-1].begin_cell(self._take(), tag.attributes.get("rowspan", ""))

    def _before_cell(self) -> None:
        """Text that stands in a table but in no cell is a paragraph before it."""
        if not self._in_cell:
            self._flush()

    def _close_table(self, name: str) -> None:
        if not self._tables or self._tables[-1].layout:
            self._block()
        elif name in ("td", "th"):
            self._tables[-1].end_cell(self._take())
        else:
            self._rows(self._tables[-1].end(self._take()))
        if name == "table" and self._tables:
            self._tables.pop()

    def _take(self) -> list[Run]:
        """The text of the cell that ends here; none outside cells."""
        if not self._in_cell:
            return []
        runs, self._runs, self._links = self._runs, [], []
        return runs

    def _rows(self, row: Sequence[Sequence[Run]]) -> None:
        """Make a piece of a row; a row of one cell is a paragraph."""
        cells = [inline(cell) for cell in row]
        if len(cells) > 1 and any(cells):
            self._pieces.append(Piece("row", " | ".join(cells)))
        elif len(cells) == 1 and (piece := paragraph(row[0])):
            self._pieces.append(piece)
