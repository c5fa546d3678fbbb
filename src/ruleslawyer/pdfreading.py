"""A PDF file -> what it says. The one place for pypdfium2; whoever reads files imports this module only for a PDF.

PDFium tells of every character its Unicode, box, font and matrix. Here they become fragments: pieces of one line in one
style. What the fragments of a document say together is found without PDFium: lines and reading order in ``pdflayout``,
headings, paragraphs and lists in ``pdfpieces``.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from ruleslawyer.errors import DataProblem
from ruleslawyer.listmarks import ICON
from ruleslawyer.manuscript import Manuscript, Unread
from ruleslawyer.pdffragments import Fragment, Glyph, Style, follows, fragments, shown
from ruleslawyer.pdflayout import lay_out
from ruleslawyer.pdfpieces import pieces_of, title_of
from ruleslawyer.pdfrows import PageText

Progress = Callable[[int, int], None]
"""Called after each page with the pages read and all pages."""

MAX_BYTES = 500_000_000
"""More than any printed rulebook with its pictures."""
MAX_PAGES = 2_000
MAX_CHARS = 1_000_000
"""Characters of one page; what follows them is left out, and reported."""

MANY_ICONS = 20
"""More glyphs without characters than this, and than half of a page, are letters that its fonts do not tell."""

_ICON_FONT = re.compile(r"dingbat|wingdings|webdings|icon|awesome|marlett|pictogram", re.IGNORECASE)
_BOLD_FONT = re.compile(r"bold|black|heavy|semibd|demi|extrab|-bd\b|simhei|heiti|黑", re.IGNORECASE)
_FORCE_BOLD = 1 << 18


def read_pdf(path: Path, progress: Progress = lambda done, total: None) -> Manuscript:
    """Read the text of a PDF as headings, paragraphs, list items and table rows in reading order.

    ``unread`` names per page: ``icons`` (``count``), ``image_page``, ``garbled_page`` (its letters have no characters),
    ``broken_page``, ``cut_page`` (``count``: the characters that were read).

    Raises:
        DataProblem: not a PDF, cut off, encrypted, without any text, or beyond the limits of this module.
    """
    _check_file(path)
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise _not_opened(path, error.err_code) from error
    with document:
        return _read(path, document, progress)


def _read(path: Path, document: Any, progress: Progress) -> Manuscript:
    count = len(document)
    if count > MAX_PAGES:
        raise DataProblem(
            f"'{path.name}' has {count} pages, more than {MAX_PAGES}",
            "import the part with the rules as a file of its own",
        )
    pages: list[_Page] = []
    for number in range(1, count + 1):
        pages.append(_page(document, number))
        progress(number, count)
    lines = lay_out([page.text for page in pages])
    written = {line.page for line in lines}
    unread = [found for page in pages for found in _unread(page, page.text.number in written)]
    if not lines:
        raise _without_text(path, unread)
    pieces = pieces_of(lines)
    return Manuscript(title_of(pieces, str(document.get_metadata_value("Title") or "")), pieces, tuple(unread))


def _unread(page: _Page, written: bool) -> Iterator[Unread]:
    """What could not be read of a page; ``written``: whether it has text beside running headers and footers."""
    yield from page.unread
    if page.picture and not written and not page.unread:
        yield Unread(page.text.number, "image_page", {})


# --- problems ---------------------------------------------------------------------------------------------------------


def _check_file(path: Path) -> None:
    """Look at the size and both ends of a file before a parser does."""
    if path.exists() and not path.is_file():
        raise DataProblem(f"cannot read '{path.name}': it is not a file", "give the path of a PDF")
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(1024)
            file.seek(max(0, size - 4096))
            tail = file.read(4096)
    except OSError as error:
        raise DataProblem(
            f"cannot read '{path.name}': {error.strerror}", "check the name and the permissions"
        ) from error
    if not size:
        raise DataProblem(f"'{path.name}' is empty", "download or copy it again")
    if size > MAX_BYTES:
        raise DataProblem(
            f"'{path.name}' is {size // 1_000_000} MB, more than {MAX_BYTES // 1_000_000} MB",
            "import a version for the screen, with smaller pictures",
        )
    if b"%PDF-" not in head:
        raise DataProblem(f"'{path.name}' is not a PDF", "give it the ending of what it is, e.g. .txt or .html")
    if b"%%EOF" not in tail:
        raise _cut_off(path)


def _cut_off(path: Path) -> DataProblem:
    return DataProblem(f"'{path.name}' is cut off or damaged", "download or copy it again")


def _not_opened(path: Path, code: int | None) -> DataProblem:
    if code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
        return DataProblem(
            f"'{path.name}' is encrypted",
            "save it without a password first, e.g. print it to a PDF or use qpdf --decrypt",
        )
    return _cut_off(path)


def _without_text(path: Path, unread: Iterable[Unread]) -> DataProblem:
    keys = {problem.key for problem in unread}
    if keys & {"image_page", "garbled_page"}:
        what = "contains only pictures of its pages" if "image_page" in keys else "does not say which letters it shows"
        return DataProblem(
            f"'{path.name}' {what}", "run OCR on it first, e.g. ocrmypdf --force-ocr, and import the result"
        )
    if "broken_page" in keys:
        return _cut_off(path)
    return DataProblem(f"'{path.name}' contains no text", "check that it is the right file")


# --- one page ---------------------------------------------------------------------------------------------------------


_Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in points; the page's own directions, however it is shown turned."""


class _Page(NamedTuple):
    """A page as drawn, what could not be read of it, and whether it shows anything but (much) text."""

    text: PageText
    unread: tuple[Unread, ...]
    picture: bool = False


def _page(document: Any, number: int) -> _Page:
    try:
        page = document[number - 1]
        text = page.get_textpage()
    except pypdfium2.PdfiumError:
        return _Page(PageText(number, {}), (Unread(number, "broken_page", {}),))
    try:
        return _read_page(page, text, number)
    finally:
        text.close()
        page.close()


def _read_page(page: Any, text: Any, number: int) -> _Page:
    groups: dict[int, list[Fragment]] = {}
    box = _shown_box(page)
    chars = icons = 0
    for style, glyphs in _runs(text, box):
        angle = round(math.degrees(math.atan2(style.sin, style.cos))) % 360
        groups.setdefault(angle, []).extend(fragments(style, glyphs))
        chars += len(glyphs)
        icons += sum(glyph.char == ICON for glyph in glyphs)
    if icons > max(MANY_ICONS, chars // 2):
        return _Page(PageText(number, {}), (Unread(number, "garbled_page", {}),))
    unread: list[Unread] = []
    if icons:
        unread.append(Unread(number, "icons", {"count": str(icons)}))
    if text.count_chars() > MAX_CHARS:
        unread.append(Unread(number, "cut_page", {"count": str(MAX_CHARS)}))
    return _Page(PageText(number, groups, *_extent(box, groups)), tuple(unread), chars < 200 and _has_picture(page))


def _shown_box(page: Any) -> _Box:
    """What is left of a page when it is cropped; text outside is printers' marks."""
    whole, crop = page.get_mediabox(), page.get_cropbox()
    left, right = max(min(whole[::2]), min(crop[::2])), min(max(whole[::2]), max(crop[::2]))
    bottom, top = max(min(whole[1::2]), min(crop[1::2])), min(max(whole[1::2]), max(crop[1::2]))
    return (left, bottom, right, top) if left < right and bottom < top else (*whole,)


def _has_picture(page: Any) -> bool:
    shown = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_SHADING)
    return any(True for _ in page.get_objects(filter=shown, max_depth=5))


def _extent(box: _Box, groups: dict[int, list[Fragment]]) -> tuple[float, float]:
    """Where the page begins and ends, from top to bottom of its main text."""
    if not groups:
        return 0.0, 0.0
    angle = math.radians(max(groups, key=lambda a: sum(len(f.text) for f in groups[a])))
    left, bottom, right, top = box
    depths = [x * math.sin(angle) - y * math.cos(angle) for x in (left, right) for y in (bottom, top)]
    return min(depths), max(depths)


def _runs(text: Any, box: _Box) -> Iterator[tuple[Style, list[Glyph]]]:
    """Runs of characters that follow each other on one baseline in one style, in the order of drawing."""
    run: list[Glyph] = []
    current = Style(0, False, False)
    for style, glyph in _glyphs(text, box):
        if run and (style != current or not follows(run[-1], glyph, style.size)):
            yield current, run
            run = []
        current = style
        run.append(glyph)
    if run:
        yield current, run


_SPACES = frozenset((9, 32, 0xA0, 0x3000))


def _glyphs(text: Any, page_box: _Box) -> Iterator[tuple[Style, Glyph]]:
    """Every character on the page with its style; a space is told by the character that follows it."""
    unicode, loose, owner = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox, pdfium.FPDFText_GetTextObject
    raw, box, address = text.raw, pdfium.FS_RECTF(), ctypes.addressof
    target, (left, bottom, right, top) = ctypes.byref(box), page_box
    drawn, before, spaced = _Drawn(raw), 0, False
    for index in range(min(text.count_chars(), MAX_CHARS)):
        code = unicode(raw, index)
        if code in _SPACES:
            spaced = spaced or not pdfium.FPDFText_IsGenerated(raw, index)
            continue
        obj = owner(raw, index) if code not in (10, 13) else None
        if not obj or not loose(raw, index, target):
            continue
        if before != (before := address(obj.contents)):
            drawn.begin(obj, index)
        x0, x1 = box.left, box.right
        if left <= (x0 + x1) / 2 <= right and bottom <= (box.bottom + box.top) / 2 <= top:
            if drawn.style.sin or drawn.style.cos < 0:
                x0, x1 = _along(drawn.style, box)
            if char := drawn.chars.get(code) or drawn.char(code, index):
                yield drawn.style, Glyph(char, x0, x1, drawn.baseline, spaced)
            spaced = False


def _along(style: Style, box: Any) -> tuple[float, float]:
    """Start and end of a box along the direction of its text."""
    ends = [x * style.cos + y * style.sin for x in (box.left, box.right) for y in (box.bottom, box.top)]
    return min(ends), max(ends)


class _Drawn:
    """The text object whose characters are being read: its style, its baseline, and what its font's codes stand for."""

    def __init__(self, raw: Any) -> None:
        self.style = Style(0, False, False)
        self.baseline = 0.0
        self.chars: dict[int, str] = {}
        self._raw = raw
        self._fonts: dict[int, tuple[bool, bool, dict[int, str]]] = {}

    def begin(self, obj: Any, index: int) -> None:
        """Turn to the text object whose first character has this index."""
        font = pdfium.FPDFTextObj_GetFont(obj)
        key = ctypes.addressof(font.contents) if font else 0
        if key not in self._fonts:
            self._fonts[key] = (*(_font_traits(font) if font else (False, False)), {})
        bold, icons, self.chars = self._fonts[key]
        stroked = pdfium.FPDFTextObj_GetTextRenderMode(obj) == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._raw, index, matrix)
        size = abs(pdfium.FPDFText_GetFontSize(self._raw, index)) * math.hypot(matrix.c, matrix.d)
        length = math.hypot(matrix.a, matrix.b) or 1.0
        cos, sin = round(matrix.a / length, 3), round(matrix.b / length, 3)
        self.style = Style(round(size, 2) or 1.0, bold or stroked, icons, cos, sin)
        x, y = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharOrigin(self._raw, index, x, y)
        self.baseline = x.value * sin - y.value * cos

    def char(self, code: int, index: int) -> str:
        """What a code that is new in this font stands for: nothing, a text, or the mark of an icon."""
        unmapped = pdfium.FPDFText_HasUnicodeMapError(self._raw, index) == 1
        self.chars[code] = ICON if unmapped else shown(code, self.style.icons)
        return self.chars[code]


def _font_traits(font: Any) -> tuple[bool, bool]:
    """Whether a font is bold, and whether its letters are pictures."""
    buffer = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.value.decode("utf-8", "replace")
    flags = max(0, pdfium.FPDFFont_GetFlags(font))
    bold = bool(_BOLD_FONT.search(name)) or bool(flags & _FORCE_BOLD) or pdfium.FPDFFont_GetWeight(font) >= 650
    return bold, bool(_ICON_FONT.search(name))
