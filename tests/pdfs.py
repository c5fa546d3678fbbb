"""Makes the PDFs of the tests: a document is plain data, a layout says how it is printed.

>>> story = [Part("heading", "Setup", level=1), Part("p", "Each player takes 3 ships.")]
>>> pdf = printed(story, Layout(columns=(1, 1)))
>>> pdf[:5]
b'%PDF-'
"""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from PIL import Image
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
pdfmetrics.registerFont(TTFont("Vera-Bold", "VeraBd.ttf"))

BOLD = {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold", "Vera": "Vera-Bold", "STSong-Light": "STSong-Light"}
"""The bold face of each text face; the Chinese one is stroked instead."""


class Part(NamedTuple):
    """One piece of a document as its author thinks of it: the same fields that a reader should find."""

    kind: str
    text: str
    level: int = 0
    marker: str = ""


@dataclass(frozen=True)
class Layout:
    """How a document is printed. Lengths in points; ``columns``: relative widths; ``headings``: sizes by level.

    ``apart``: paragraphs are parted by ``space`` or ``indent``. ``order``: of drawing on a page, ``right`` with the
    last column first. ``spanning``: headings of the first level go across all columns.
    """

    page: tuple[float, float] = (595, 842)
    margins: tuple[float, float, float, float] = (56, 60, 56, 60)
    columns: tuple[float, ...] = (1,)
    gap: float = 20
    face: str = "Helvetica"
    size: float = 10
    leading: float = 1.25
    headings: tuple[float, ...] = (20, 15, 12)
    bold_headings: bool = True
    apart: str = "space"
    justified: bool = False
    hyphens: str = ""
    ligatures: bool = False
    full_width: bool = False
    bullet: str = "•"
    indent: float = 14
    hanging: bool = True
    order: str = "down"
    spanning: bool = True
    header: str = ""
    footer: str = ""
    letter_spaced: bool = False
    small_caps: bool = False
    drop_capital: bool = False
    turned: str = ""
    seed: int = 1


class Word(NamedTuple):
    """A piece of text at a place of a page; ``y`` grows upwards."""

    x: float
    y: float
    text: str
    face: str
    size: float
    stroked: bool = False
    column: int = 0
    spread: float = 0.0


@dataclass
class _Set:
    """One typeset line, not yet placed: its words with their x from the column's left edge."""

    words: list[Word]
    height: float
    above: float = 0.0
    keep: bool = False


@dataclass
class _Pages:
    layout: Layout
    pages: list[list[Word]] = field(default_factory=list)
    y: float = 0.0

    def turn(self) -> None:
        """Begin a page."""
        self.pages.append([])
        self.y = self.layout.page[1] - self.layout.margins[1]


def printed(story: Sequence[Part], layout: Layout) -> bytes:
    """The document as a PDF."""
    pages = _Pages(layout)
    pages.turn()
    for heading, section in _sections(story, layout):
        if heading:
            _across(pages, heading)
        _flow(
            pages,
            [line for part in section for line in _typeset(part, layout, min(width for _, width in _widths(layout)))],
        )
    return _drawn(pages.pages, layout)


def _sections(story: Sequence[Part], layout: Layout) -> Iterator[tuple[Part | None, list[Part]]]:
    head: Part | None = None
    rest: list[Part] = []
    for part in story:
        if layout.spanning and len(layout.columns) > 1 and part.kind == "heading" and part.level == 1:
            if head or rest:
                yield head, rest
            head, rest = part, []
        else:
            rest.append(part)
    yield head, rest


def _widths(layout: Layout) -> list[tuple[float, float]]:
    """Left edge and width of each column. Text is set to the width of the narrowest."""
    left, _, right, _ = layout.margins
    room = layout.page[0] - left - right - layout.gap * (len(layout.columns) - 1)
    found, x = [], left
    for share in layout.columns:
        width = room * share / sum(layout.columns)
        found.append((x, width))
        x += width + layout.gap
    return found


def _across(pages: _Pages, heading: Part) -> None:
    layout = pages.layout
    room = layout.page[0] - layout.margins[0] - layout.margins[2]
    lines = _typeset(heading, layout, room)
    if pages.y - sum(line.height + line.above for line in lines) < layout.margins[3] + 6 * layout.size:
        pages.turn()
    for line in lines:
        pages.y -= line.height + line.above
        pages.pages[-1] += [w._replace(x=w.x + layout.margins[0], y=pages.y) for w in line.words]
    pages.y -= 0.6 * layout.size


def _flow(pages: _Pages, lines: list[_Set]) -> None:
    """Place lines in columns: full ones, and at the end of a section columns of equal height."""
    layout = pages.layout
    while lines:
        room = pages.y - layout.margins[3]
        total = sum(line.height + line.above for line in lines)
        count = len(layout.columns)
        height = min(room, total / count + 1.5 * layout.size) if count > 1 else room
        lowest = pages.y
        for column, (x, _) in enumerate(_widths(layout)):
            y = pages.y
            while lines:
                above = 0.0 if y == pages.y else lines[0].above
                needed = lines[0].height + above + (2 * lines[1].height if lines[0].keep and len(lines) > 1 else 0)
                if y - needed < pages.y - height and y != pages.y:
                    break
                line = lines.pop(0)
                y -= line.height + above
                pages.pages[-1] += [w._replace(x=w.x + x, y=y, column=column) for w in line.words]
            lowest = min(lowest, y)
        pages.y = lowest - layout.size
        if lines:
            pages.turn()


# --- one part ---------------------------------------------------------------------------------------------------------


def _typeset(part: Part, layout: Layout, room: float) -> list[_Set]:
    if part.kind == "heading":
        return _heading(part, layout, room)
    if part.kind == "row":
        return _row(part, layout, room)
    first = left = 0.0
    space = 0.6 * layout.size if layout.apart == "space" else 0.0
    lines: list[_Set]
    if part.kind == "item":
        start = layout.indent * part.level
        left = start if layout.hanging else start - layout.indent
        lines = _paragraph(part.text, layout, room, start, left, justified=False)
        mark = layout.bullet if part.marker == "-" else part.marker
        lines[0].words.insert(0, Word(start - layout.indent, 0, mark, layout.face, layout.size))
        lines[0].above = 0.3 * layout.size if layout.apart == "space" else 0
        return lines
    if layout.apart == "indent":
        first = 1.5 * layout.size
    lines = _paragraph(part.text, layout, room, first, left, layout.justified)
    lines[0].above = space
    return lines


def _heading(part: Part, layout: Layout, room: float) -> list[_Set]:
    size = layout.headings[part.level - 1]
    face = BOLD[layout.face] if layout.bold_headings else layout.face
    spread = 0.35 * size if layout.letter_spaced and part.level == 1 else 0.0
    lines = _paragraph(part.text, replace(layout, face=face, size=size, hyphens=""), room, 0, 0, False, spread)
    for line in lines:
        line.keep = True
        line.words = [
            w._replace(stroked=layout.bold_headings and face == "STSong-Light", spread=spread) for w in line.words
        ]
        if layout.small_caps and part.level == 2:
            line.words = [small for word in line.words for small in _small_caps(word)]
    lines[0].above = 0.8 * size
    return lines


def _small_caps(word: Word) -> Iterator[Word]:
    x = word.x
    for char in word.text:
        size = word.size if char.isupper() or not char.isalpha() else 0.8 * word.size
        yield word._replace(x=x, text=char.upper(), size=size)
        x += pdfmetrics.stringWidth(char.upper(), word.face, size)


def _row(part: Part, layout: Layout, room: float) -> list[_Set]:
    cells = [cell.strip() for cell in part.text.strip("|").split("|")]
    step = room / len(cells)
    words = [Word(n * step, 0, cell, layout.face, layout.size) for n, cell in enumerate(cells)]
    return [_Set(words, layout.size * layout.leading, above=0.2 * layout.size)]


def _paragraph(
    text: str, layout: Layout, room: float, first: float, left: float, justified: bool, spread: float = 0.0
) -> list[_Set]:
    """Break a text into lines; each word is drawn by itself if justified, else the line at once."""
    face, size = layout.face, layout.size

    def width(run: str) -> float:
        return float(pdfmetrics.stringWidth(run, face, size)) + spread * max(0, len(run) - 1)

    if layout.full_width:
        text = text.translate({n: n + 0xFEE0 for n in range(0x30, 0x3A)})
    drop = layout.drop_capital and len(text) > 200 and text[0].isalpha() and first == left == 0
    capital, text = (text[0], text[1:]) if drop else ("", text)
    indent = width(capital) * 2.6 + 3 if drop else 0.0
    pieces = _pieces(text)
    lines: list[list[str]] = [[]]
    rooms = [room - first - indent]
    while pieces:
        piece = pieces.pop(0)
        line = "".join([*lines[-1], piece]).rstrip()
        if width(line) <= rooms[-1] or not lines[-1]:
            lines[-1].append(piece)
            continue
        if broken := _hyphenated(piece, layout, lambda run: width("".join([*lines[-1], run])) <= rooms[-1]):
            lines[-1].append(broken[0])
            piece = broken[1]
        lines.append([])
        rooms.append(room - left - (indent if len(lines) == 2 else 0))
        pieces.insert(0, piece.lstrip())
    found: list[_Set] = []
    for n, run in enumerate(lines):
        x = (first if n == 0 else left) + (indent if n < 2 else 0)
        last = n == len(lines) - 1
        words = _spread_words(run, x, rooms[n], layout, width) if justified and not last else [_word(run, x, layout)]
        found.append(_Set(words, size * layout.leading))
    if drop:
        row = found[min(1, len(found) - 1)]
        row.words.insert(0, Word(0, 0, capital, face, size * 2.6))
    return found


def _word(line: list[str], x: float, layout: Layout) -> Word:
    text = "".join(line).rstrip()
    if layout.ligatures:
        text = text.replace("fi", "\ufb01").replace("fl", "\ufb02")
    return Word(x, 0, text, layout.face, layout.size)


def _spread_words(line: list[str], x: float, room: float, layout: Layout, width: Any) -> list[Word]:
    """The words of a line, parted so that they fill it; Han text is set by the character."""
    text = "".join(line).rstrip()
    parts = list(text) if text.isalpha() and text[0] >= "\u2e80" else re.findall(r"\S+\s*", text)
    slack = (room - width(text)) / max(1, len(parts) - 1)
    words = []
    for piece in parts:
        words.append(_word([piece], x, layout))
        x += width(piece) + slack
    return words


def _pieces(text: str) -> list[str]:
    """Where a line may break: after spaces and hyphens, and between Han characters, never before closing signs."""
    found: list[str] = []
    for char in text:
        wide = char >= "\u2e80" or (found and found[-1][-1] >= "\u2e80")
        after_break = not found or found[-1][-1] in " -" or (wide and not (char.isascii() and found[-1][-1].isascii()))
        if after_break and char != " " and char not in "，。：；！？、）」":
            found.append(char)
        elif found:
            found[-1] += char
    return found


def _hyphenated(piece: str, layout: Layout, fits: Any) -> tuple[str, str] | None:
    if not layout.hyphens or len(piece.strip()) < 8 or not piece.strip(".,: ").isalpha():
        return None
    for at in range(len(piece.strip()) - 3, 2, -1):
        if piece[at - 1] in "aeiouáéíóú" and fits(piece[:at] + "-"):
            return piece[:at] + layout.hyphens, piece[at:]
    return None


# --- drawing ----------------------------------------------------------------------------------------------------------


def _drawn(pages: Sequence[Sequence[Word]], layout: Layout) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=layout.page, invariant=True)
    for number, words in enumerate(pages, 1):
        for word in [*_margins(layout, number), *_ordered(words, layout)]:
            draw(canvas, word)
        if layout.turned:
            canvas.saveState()
            canvas.translate(layout.page[0] - 12, layout.page[1] / 2)
            canvas.rotate(90)
            canvas.setFont(layout.face, 7)
            canvas.drawString(0, 0, layout.turned)
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def draw(canvas: Any, word: Word) -> None:
    """Draw one piece of text."""
    canvas.saveState()
    text = canvas.beginText(word.x, word.y)
    text.setFont(word.face, word.size)
    text.setCharSpace(word.spread)
    text.setTextRenderMode(2 if word.stroked else 0)
    text.textOut(word.text)
    canvas.drawText(text)
    canvas.restoreState()


def _ordered(words: Sequence[Word], layout: Layout) -> list[Word]:
    if layout.order == "right":
        return sorted(words, key=lambda word: -word.column)
    if layout.order == "shuffled":
        return random.Random(layout.seed).sample(list(words), len(words))
    return list(words)


def _margins(layout: Layout, number: int) -> list[Word]:
    """Header and footer: ``#`` is the page number; on even pages they stand at the left."""
    width, height = layout.page
    found = []
    for text, y in ((layout.header, height - 30), (layout.footer, 26)):
        if text:
            shown = text.replace("#", str(number))
            room = pdfmetrics.stringWidth(shown, layout.face, 8)
            x = layout.margins[0] if number % 2 == 0 else width - layout.margins[2] - room
            found.append(Word(x, y, shown, layout.face, 8))
    return found


def text(x: float, y: float, words: str, size: float = 10, face: str = "Helvetica") -> Word:
    """A piece of text for ``pages_of``."""
    return Word(x, y, words, face, size)


def column(x: float, y: float, lines: Sequence[str], size: float = 10, face: str = "Helvetica") -> list[Word]:
    """Lines below each other."""
    return [Word(x, y - 1.2 * size * n, line, face, size) for n, line in enumerate(lines)]


def pages_of(
    *pages: Sequence[Word], size: tuple[float, float] = (595, 842), turned: int = 0, title: str = "", **options: Any
) -> bytes:
    """Pages on which each text stands exactly where it is put, for shapes that no layout makes.

    ``turned``: by how many degrees the pages are shown turned; ``options`` are the canvas's own.
    """
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, invariant=True, **options)
    canvas.setTitle(title)
    for words in pages:
        canvas.setPageRotation(turned)
        for word in words:
            draw(canvas, word)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def pictures(count: int, header: str = "") -> bytes:
    """Pages that hold nothing but a picture, as a scanner makes them, and perhaps a header put on later."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    for _ in range(count):
        draw(canvas, text(50, 815, header, 8))
        canvas.drawInlineImage(Image.new("1", (60, 80)), 50, 50, 400, 600)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
