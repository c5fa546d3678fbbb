"""Reading PDFs: documents printed in many layouts come back as they were written; shapes of their own; bad input."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from pdfs import Layout, Part, Word, column, pages_of, pictures, printed, text
from pdfstories import CHINESE, ENGLISH, SPANISH, book
from ruleslawyer.errors import DataProblem
from ruleslawyer.manuscript import Manuscript, Piece, Unread
from ruleslawyer.pdfreading import MAX_BYTES, MAX_PAGES, read_pdf

STORIES = {"en": ENGLISH, "es": SPANISH, "zh": CHINESE}
HEADER, FOOTER = "Harbour Lights Rules", "Page #"


def read(pdf: bytes, folder: Path) -> Manuscript:
    path = folder / "rules.pdf"
    path.write_bytes(pdf)
    return read_pdf(path)


def plain(markdown: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


def texts(manuscript: Manuscript) -> list[str]:
    return [plain(piece.text) for piece in manuscript.pieces]


def found_pages(manuscript: Manuscript) -> int:
    return max((piece.page for piece in manuscript.pieces), default=0)


def in_order(wanted: Sequence[object], found: Sequence[object]) -> int:
    """How many of the things wanted are found in their order."""
    matcher = SequenceMatcher(None, wanted, found, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


# --- documents in many layouts ----------------------------------------------------------------------------------------


def layouts(lang: str, count: int) -> list[Layout]:
    """Layouts that differ in everything a printer may choose, the same on every run."""
    choose = random.Random(f"layouts {lang}").choice
    return [_layout(lang, choose, seed) for seed in range(count)]


def _layout(lang: str, choose, seed: int) -> Layout:  # type: ignore[no-untyped-def]
    latin = lang != "zh"
    size = choose([8, 9, 9.5, 10, 11, 12])
    columns, page = choose(
        [
            ((1,), (595, 842)),
            ((1,), (420, 595)),
            ((1, 1), (595, 842)),
            ((1, 1), (612, 792)),
            ((1, 1), (420, 595)),
            ((1, 1), (842, 595)),
            ((1, 1, 1), (842, 595)),
        ]
    )
    face = choose(["Helvetica", "Times-Roman", "Vera"]) if latin else "STSong-Light"
    return Layout(
        page=page,
        margins=choose([(56, 60, 56, 60), (40, 54, 40, 54), (72, 72, 60, 72)]),
        columns=columns,
        gap=choose([1.2, 1.6, 2, 3]) * size,
        face=face,
        size=size,
        leading=choose([1.1, 1.2, 1.35, 1.5]),
        headings=tuple(size * n for n in choose([(2.0, 1.5, 1.2), (1.6, 1.3, 1.0), (2.4, 1.4, 1.15)])),
        apart=choose(["space", "indent"]),
        justified=choose([True, False]),
        hyphens=choose(["", "-", "\u00ad"]) if latin else "",
        ligatures=face == "Vera" and choose([True, False]),
        full_width=not latin and choose([True, False]),
        bullet=choose("•–") if face == "Vera" else choose("•–■●"),
        indent=choose([1.5, 2, 3.5]) * size,
        hanging=choose([True, True, False]),
        order=choose(["down", "right", "shuffled"]),
        header=choose([HEADER, "Rules | #"]) if latin else "港口灯火规则",
        footer=choose([FOOTER, "#", "- # -"]),
        letter_spaced=latin and choose([True, False, False, False]),
        small_caps=latin and choose([True, False, False, False]),
        drop_capital=latin and choose([True, False, False, False]),
        turned=choose(["", "harbour 2nd edition"]) if latin else "",
        seed=seed,
    )


class Measure:
    """What was wanted and what was found, over many documents."""

    def __init__(self) -> None:
        self.headings = [0, 0]
        self.others = [0, 0]
        self.left: list[str] = []

    def add(self, parts: Sequence[Part], layout: Layout, manuscript: Manuscript) -> None:
        wanted = [part._replace(text=_as_printed(part, layout)) for part in parts]
        found = [Part(p.kind, plain(p.text), p.level, p.marker) for p in manuscript.pieces]
        for count, kinds in ((self.headings, ("heading",)), (self.others, ("p", "item", "row"))):
            expected = [part for part in wanted if part.kind in kinds]
            count[0] += in_order(expected, [part for part in found if part.kind in kinds])
            count[1] += len(expected)
        if found_pages(manuscript) < 3:
            return
        running = [layout.header, layout.footer, layout.turned]
        patterns = [re.compile(re.escape(line).replace(r"\#", r"\d+")) for line in running if line]
        self.left += [part.text for part in found if any(p.fullmatch(part.text) for p in patterns)]
        if layout.header and layout.header != "Rules | #":
            self.left += [part.text for part in found if layout.header in part.text]

    def share(self, count: list[int]) -> float:
        return count[0] / count[1]


def _as_printed(part: Part, layout: Layout) -> str:
    """Small capitals are capitals to a reader."""
    return part.text.upper() if layout.small_caps and part.kind == "heading" and part.level == 2 else part.text


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_documents_come_back_as_written_however_they_are_printed(lang: str, tmp_path: Path) -> None:
    measure = Measure()
    for layout in layouts(lang, 20):
        parts = book(STORIES[lang], 3)
        measure.add(parts, layout, read(printed(parts, layout), tmp_path))
    assert measure.share(measure.headings) >= 0.97
    assert measure.share(measure.others) >= 0.98
    assert measure.left == []


PLAIN = Layout(size=10, header=HEADER, footer=FOOTER)

EACH = {
    "one column": PLAIN,
    "two columns": replace(PLAIN, columns=(1, 1)),
    "three columns in a page of landscape": replace(PLAIN, columns=(1, 1, 1), page=(842, 595)),
    "the right column drawn first": replace(PLAIN, columns=(1, 1), order="right"),
    "drawn in no order at all": replace(PLAIN, columns=(1, 1), order="shuffled"),
    "headings inside their column": replace(PLAIN, columns=(1, 1), spanning=False),
    "justified with wide gaps": replace(PLAIN, columns=(1, 1), justified=True),
    "paragraphs told by their indent": replace(PLAIN, apart="indent", columns=(1, 1), justified=True),
    "words broken by hyphens": replace(PLAIN, columns=(1, 1), hyphens="-"),
    "words broken by soft hyphens": replace(PLAIN, columns=(1, 1), hyphens="\u00ad", face="Vera"),
    "ligatures": replace(PLAIN, face="Vera", ligatures=True),
    "headings only bold": replace(PLAIN, headings=(14, 12, 10)),
    "headings only large": replace(PLAIN, bold_headings=False),
    "letter-spaced headings": replace(PLAIN, letter_spaced=True),
    "small capitals": replace(PLAIN, small_caps=True),
    "drop capitals": replace(PLAIN, drop_capital=True),
    "bullets far from their text": replace(PLAIN, indent=34, bullet="■"),
    "items that do not hang": replace(PLAIN, hanging=False),
    "text turned at the edge": replace(PLAIN, turned="harbour 2nd edition"),
}


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_each_shape_is_read_almost_without_a_fault(name: str, lang: str, tmp_path: Path) -> None:
    measure, parts = Measure(), book(STORIES[lang], 3)
    measure.add(parts, EACH[name], read(printed(parts, EACH[name]), tmp_path))
    assert measure.share(measure.headings) == 1
    assert measure.share(measure.others) >= 0.96
    assert measure.left == []


CHINESE_SHAPES = {
    "one column": Layout(face="STSong-Light", header="港口灯火规则", footer="第 # 页"),
    "two columns, the right one drawn first": Layout(face="STSong-Light", columns=(1, 1), order="right", footer="#"),
    "full-width digits": Layout(face="STSong-Light", columns=(1, 1), full_width=True),
    "indented and justified": Layout(face="STSong-Light", apart="indent", justified=True),
}


@pytest.mark.parametrize("name", CHINESE_SHAPES)
def test_chinese_is_read_without_a_fault(name: str, tmp_path: Path) -> None:
    measure, parts = Measure(), book(CHINESE, 3)
    manuscript = read(printed(parts, CHINESE_SHAPES[name]), tmp_path)
    measure.add(parts, CHINESE_SHAPES[name], manuscript)
    assert (measure.share(measure.headings), measure.share(measure.others), measure.left) == (1, 1, [])


def test_pieces_know_their_page(tmp_path: Path) -> None:
    manuscript = read(printed(book(ENGLISH, 2), PLAIN), tmp_path)
    pages = [piece.page for piece in manuscript.pieces]
    assert pages == sorted(pages)
    assert set(pages) == set(range(1, max(pages) + 1))
    assert found_pages(manuscript) >= 3


# --- shapes of their own ----------------------------------------------------------------------------------------------

LEFT = [
    "A boat may move to a space",
    "that touches its own. If it",
    "cannot, it stays where it is",
    "until the tide turns.",
]
RIGHT = ["At night every boat needs a", "light. A lantern lights all", "spaces that touch it, and no", "other space."]


RULES = ["fog", "tide", "night", "boat", "quay", "storm", "light", "fish", "net"]


def joined(lines: Sequence[str]) -> str:
    return " ".join(lines)


def test_columns_of_unequal_width_are_read_one_after_the_other(tmp_path: Path) -> None:
    narrow = ["A note:", "fog hides", "all boats", "at night."]
    pdf = pages_of([*column(430, 703, narrow), *column(50, 700, LEFT * 3)])
    assert texts(read(pdf, tmp_path))[-1] == joined(narrow)


def test_a_box_beside_the_text_does_not_cut_into_it(tmp_path: Path) -> None:
    box = ["Hint: keep one boat at the", "quay, and nobody can take", "the last lantern."]
    pdf = pages_of([*column(50, 700, LEFT[:4] * 3), *column(330, 660, box, 9)])
    found = texts(read(pdf, tmp_path))
    assert joined(box) in found
    assert joined(LEFT) in " ".join(found)


def test_a_heading_over_both_columns_parts_what_is_above_and_below(tmp_path: Path) -> None:
    for x in (50, 200):
        words = [
            *[*column(320, 700, RIGHT), *column(50, 700, LEFT)],
            text(x, 620, "Scoring", 16, "Helvetica-Bold"),
            *[*column(320, 590, LEFT), *column(50, 590, RIGHT)],
        ]
        manuscript = read(pages_of(words), tmp_path)
        assert [(p.kind, plain(p.text)) for p in manuscript.pieces] == [
            ("p", joined(LEFT)),
            ("p", joined(RIGHT)),
            ("heading", "Scoring"),
            *[("p", joined(part)) for part in (RIGHT, LEFT)],
        ]


def test_a_heading_on_two_lines_is_one(tmp_path: Path) -> None:
    words = [*column(50, 700, ["How a round of the", "game is played"], 16, "Helvetica-Bold"), *column(50, 650, LEFT)]
    assert read(pages_of(words), tmp_path).pieces[0] == Piece("heading", "How a round of the game is played", 1, page=1)


def test_a_numbered_heading_in_body_type_is_one(tmp_path: Path) -> None:
    words = [
        *[text(50, 700, "3 Movement", 14), *column(50, 670, LEFT)],
        *[text(50, 600, "3.1 Moving at night"), *column(50, 575, RIGHT)],
    ]
    headings = [p for p in read(pages_of(words), tmp_path).pieces if p.kind == "heading"]
    assert [(h.level, h.text) for h in headings] == [(1, "3 Movement"), (2, "3.1 Moving at night")]


def test_a_table_is_rows_of_cells(tmp_path: Path) -> None:
    rows = [
        ("Ship", "Cost", "Speed"),
        ("Cutter", "2 fish", "3"),
        ("Trawler", "4 fish", "1"),
        ("Tug | small", "1 fish", "2"),
    ]
    words = [text(60 + 120 * n, 600 - 16 * m, cell) for m, row in enumerate(rows) for n, cell in enumerate(row)]
    pieces = read(pages_of([*column(50, 700, LEFT), *words, *column(50, 500, RIGHT)]), tmp_path).pieces
    assert [p.text for p in pieces if p.kind == "row"] == [
        "| Ship | Cost | Speed |",
        "| Cutter | 2 fish | 3 |",
        "| Trawler | 4 fish | 1 |",
        r"| Tug \| small | 1 fish | 2 |",
    ]
    assert pieces[0].kind == pieces[-1].kind == "p"


def test_a_cell_of_several_lines_stays_in_its_row(tmp_path: Path) -> None:
    words = [
        *[text(50, 700, "Fog"), *column(150, 700, ["No boat may move more than", "2 spaces while it lasts."])],
        *[text(50, 660, "Storm"), *column(150, 660, ["Every lantern that moves", "costs one fish token."])],
        *[text(50, 620, "Calm"), text(150, 620, "Nothing happens.")],
    ]
    assert texts(read(pages_of(words), tmp_path)) == [
        "| Fog | No boat may move more than 2 spaces while it lasts. |",
        "| Storm | Every lantern that moves costs one fish token. |",
        "| Calm | Nothing happens. |",
    ]


def test_a_raised_footnote_number_is_told_from_the_text(tmp_path: Path) -> None:
    words = [text(50, 700, "Pay 2 fish"), text(94.2, 703.5, "1", 6), text(100.3, 700, "and move one boat.")]
    assert texts(read(pages_of(words), tmp_path)) == ["Pay 2 fish[1] and move one boat."]


def test_icons_are_shown_and_reported(tmp_path: Path) -> None:
    words = [
        *[
            text(50, 700, "Gain 2 "),
            Word(85, 700, "\ue001", "Vera", 10),
            text(100, 700, "and lose 1"),
            Word(151, 700, "\ue002", "Vera", 10),
        ],
        text(50, 688, "when the tide turns."),
    ]
    manuscript = read(pages_of(words, column(50, 700, LEFT)), tmp_path)
    assert texts(manuscript)[0] == "Gain 2 ▣ and lose 1 ▣ when the tide turns."
    assert manuscript.unread == (Unread(1, "icons", {"count": "2"}),)


def test_compounds_keep_the_hyphen_at_a_line_end(tmp_path: Path) -> None:
    lines = [
        "A two-player game for 3-",
        "4 keepers is a two-",
        "player game with a re-",
        "roll and move-",
        "ment of boats.",
    ]
    spoken = ["You may re-roll."]
    found = texts(read(pages_of([*column(50, 700, lines), *column(50, 600, spoken)]), tmp_path))
    assert found[0] == "A two-player game for 3-4 keepers is a two-player game with a re-roll and movement of boats."


def test_a_paragraph_goes_on_over_the_page_and_past_a_footnote(tmp_path: Path) -> None:
    first = [*column(50, 200, LEFT[:2]), text(50, 150, "1 Unless there is fog.", 7)]
    found = read(pages_of([*column(50, 700, RIGHT), *first], column(50, 700, LEFT[2:])), tmp_path).pieces
    assert [(p.text, p.page) for p in found if p.text.startswith("A boat")] == [(joined(LEFT), 1)]


def test_a_page_that_is_shown_turned_reads_the_same(tmp_path: Path) -> None:
    words = [text(50, 750, "Harbour", 18), *column(50, 700, LEFT), *column(300, 700, RIGHT)]
    upright = read(pages_of(words, size=(800, 800)), tmp_path)
    assert texts(upright) == ["Harbour", joined(LEFT), joined(RIGHT)]
    assert read(pages_of(words, size=(800, 800), turned=90), tmp_path) == upright


def test_lists_of_letters_and_han_numbers_keep_their_labels(tmp_path: Path) -> None:
    lines = ["a) Move a boat.", "b) Light a lantern.", "c) Pass.", "i. Count fish.", "ii. Count boats."]
    chinese = [
        Word(50, 500 - 14 * n, line, "STSong-Light", 10)
        for n, line in enumerate(["一、移动渔船。", "二、点灯。", "①甲", "②乙"])
    ]
    found = read(pages_of([*column(50, 700, lines), *chinese]), tmp_path).pieces
    assert [(p.kind, p.marker, plain(p.text)) for p in found] == [
        *[("item", "-", line) for line in lines],
        *[("item", "-", "一、 移动渔船。"), ("item", "-", "二、 点灯。"), ("item", "1.", "甲"), ("item", "2.", "乙")],
    ]


def test_a_number_at_a_line_start_inside_a_sentence_is_no_item(tmp_path: Path) -> None:
    lines = ["The first edition was sold in", "12. Every boat in it had to be", "painted by hand."]
    assert texts(read(pages_of(column(50, 700, lines)), tmp_path)) == [joined(lines)]


def test_headers_of_left_and_right_pages_and_of_chapters_are_dropped(tmp_path: Path) -> None:
    pages = []
    for number in range(1, 9):
        chapter = "Setup" if number < 5 else "Scoring"
        edge = [text(50, 815, "Harbour Lights", 8)] if number % 2 else [text(500, 815, chapter, 8)]
        foot = text(50 if number % 2 else 540, 25, f"{number}", 8)
        pages.append([*edge, foot, *column(50, 760, [f"Rule {number} is {RULES[number]}.", "It has two lines."])])
    assert texts(read(pages_of(*pages), tmp_path)) == [
        f"Rule {n} is {RULES[n]}. It has two lines." for n in range(1, 9)
    ]


def test_one_page_keeps_all_but_its_number(tmp_path: Path) -> None:
    words = [text(50, 815, "Quick reference", 8), *column(50, 700, LEFT), text(290, 25, "- 1 -", 8)]
    assert texts(read(pages_of(words), tmp_path)) == ["Quick reference", joined(LEFT)]


def test_the_title_is_the_heading_that_opens_it_or_the_files_own(tmp_path: Path) -> None:
    assert (
        read(
            printed([Part("heading", "Harbour", 1), Part("heading", "Setup", 2), Part("p", "Do.")], PLAIN), tmp_path
        ).title
        == "Harbour"
    )
    assert read(pages_of(column(50, 700, LEFT)), tmp_path).title == ""
    for named, title in (("Harbour *Lights*", "Harbour *Lights*"), ("rules_v3.indd", ""), ("untitled", "")):
        assert read(pages_of(column(50, 700, LEFT), title=named), tmp_path).title == title


def test_signs_of_markdown_are_escaped(tmp_path: Path) -> None:
    found = read(pages_of(column(50, 700, ["Pay *2* fish [see <b> below] & go."])), tmp_path).pieces[0]
    assert found.text == r"Pay \*2\* fish \[see \<b> below] & go."


def test_a_bold_first_line_stays_in_its_paragraph(tmp_path: Path) -> None:
    words = [
        text(50, 700, "Moving a boat at night is never", face="Helvetica-Bold"),
        *column(50, 688, ["free: pay a fish for each space.", "It is yours to choose which."]),
    ]
    assert texts(read(pages_of(words, column(50, 700, LEFT * 3)), tmp_path))[0] == joined([word.text for word in words])


def test_a_text_drawn_twice_for_its_shadow_is_read_once(tmp_path: Path) -> None:
    words = [text(52, 698.6, "Scoring", 16), text(50, 700, "Scoring", 16), *column(50, 670, LEFT)]
    assert texts(read(pages_of(words), tmp_path)) == ["Scoring", joined(LEFT)]


def test_a_single_line_in_the_right_column_is_read_after_the_left(tmp_path: Path) -> None:
    full = [*column(50, 700, LEFT * 3), *column(300, 700, RIGHT * 3)]
    last = [*column(50, 700, LEFT), text(300, 700, "The end.")]
    assert texts(read(pages_of(full, full[::-1], last), tmp_path))[-2:] == [joined(LEFT), "The end."]


def test_a_short_heading_below_the_columns_is_read_after_them(tmp_path: Path) -> None:
    below = [
        text(50, 610, "Credits"),
        *column(50, 585, ["Thanks to all who sat in the fog with us for so many evenings, and to the keepers."] * 2),
    ]
    words = [*column(50, 700, LEFT), *column(300, 700, RIGHT), *below]
    assert texts(read(pages_of(words), tmp_path))[:3] == [joined(LEFT), joined(RIGHT), "Credits"]


def test_headings_of_nearly_one_size_are_of_one_level(tmp_path: Path) -> None:
    words = [
        word
        for n, size in enumerate([14, 14.2, 14])
        for word in [text(50, 700 - 90 * n, "Fog", size), *column(50, 680 - 90 * n, LEFT)]
    ]
    assert [p.level for p in read(pages_of(words), tmp_path).pieces if p.kind == "heading"] == [1, 1, 1]


def test_a_line_of_the_contents_is_no_heading(tmp_path: Path) -> None:
    words = [text(50, 700, "1 Scoring ............. 4", 14), text(50, 660, "Scoring", 14), *column(50, 640, LEFT)]
    assert [p.text for p in read(pages_of(words), tmp_path).pieces if p.kind == "heading"] == ["Scoring"]


def test_what_is_cropped_off_is_not_read(tmp_path: Path) -> None:
    words = [text(50, 830, "rules_final.indd 4"), *column(50, 700, LEFT)]
    assert texts(read(pages_of(words, cropBox=(20, 20, 575, 800)), tmp_path)) == [joined(LEFT)]


# --- bad input --------------------------------------------------------------------------------------------------------


def refusal(pdf: bytes, folder: Path) -> str:
    with pytest.raises(DataProblem) as caught:
        read(pdf, folder)
    assert caught.value.hint
    return caught.value.message


SOUND = pages_of(column(50, 700, LEFT), column(50, 700, RIGHT))


def test_an_encrypted_file_is_refused(tmp_path: Path) -> None:
    locked = pages_of(column(50, 700, LEFT), encrypt=StandardEncryption("secret", canPrint=0))
    assert refusal(locked, tmp_path) == "'rules.pdf' is encrypted"


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_refused(share: float, tmp_path: Path) -> None:
    assert refusal(SOUND[: int(len(SOUND) * share)], tmp_path) == "'rules.pdf' is cut off or damaged"


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal(b"", tmp_path) == "'rules.pdf' is empty"


def test_what_is_not_a_pdf_is_refused(tmp_path: Path) -> None:
    assert refusal(b"PK\x03\x04 something else", tmp_path) == "'rules.pdf' is not a PDF"


def test_damage_inside_is_refused(tmp_path: Path) -> None:
    assert refusal(b"%PDF-1.7\n" + b"\x00junk" * 500 + b"\n%%EOF\n", tmp_path) == "'rules.pdf' is cut off or damaged"


def test_a_file_of_pictures_only_asks_for_ocr(tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match="only pictures") as caught:
        read(pictures(3), tmp_path)
    assert "ocrmypdf" in caught.value.hint


def test_a_page_of_glyphs_without_characters_asks_for_ocr(tmp_path: Path) -> None:
    words = [Word(50, 700 - 12 * n, "\ue001\ue002\ue003\ue004 \ue005\ue006", "Vera", 10) for n in range(10)]
    assert refusal(pages_of(words), tmp_path) == "'rules.pdf' does not say which letters it shows"


def test_blank_pages_are_refused(tmp_path: Path) -> None:
    assert refusal(pages_of([], []), tmp_path) == "'rules.pdf' contains no text"


def test_too_many_pages_are_refused(tmp_path: Path) -> None:
    assert (
        refusal(pages_of(*[[]] * (MAX_PAGES + 1)), tmp_path)
        == f"'rules.pdf' has {MAX_PAGES + 1} pages, more than {MAX_PAGES}"
    )


def test_a_file_of_two_gigabytes_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "rules.pdf"
    with path.open("wb") as file:
        file.truncate(2_000_000_000)
    with pytest.raises(DataProblem, match="2000 MB, more than"):
        read_pdf(path)
    assert MAX_BYTES < 2_000_000_000


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.pdf", tmp_path):
        with pytest.raises(DataProblem, match="cannot read"):
            read_pdf(path)


def test_a_page_with_only_a_picture_is_reported(tmp_path: Path) -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(SOUND)
    document.import_pages(pypdfium2.PdfDocument(pictures(1)))
    document.save(tmp_path / "mixed.pdf")
    manuscript = read_pdf(tmp_path / "mixed.pdf")
    assert manuscript.unread == (Unread(3, "image_page", {}),)
    assert texts(manuscript) == [joined(LEFT), joined(RIGHT)]


def test_a_scanned_page_with_a_running_header_is_reported(tmp_path: Path) -> None:
    import pypdfium2

    sound = [[text(50, 815, "Harbour Lights", 8), *column(50, 700, lines)] for lines in (LEFT, RIGHT, LEFT[2:])]
    document = pypdfium2.PdfDocument(pages_of(*sound))
    document.import_pages(pypdfium2.PdfDocument(pictures(1, "Harbour Lights")))
    document.save(tmp_path / "mixed.pdf")
    assert read_pdf(tmp_path / "mixed.pdf").unread == (Unread(4, "image_page", {}),)


def test_500_pages_are_read_with_progress(tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    path.write_bytes(
        pages_of(*[[text(50, 815, "Rules", 8), *column(50, 700, [f"Rule {n}.", *LEFT])] for n in range(500)])
    )
    calls: list[tuple[int, int]] = []
    manuscript = read_pdf(path, lambda done, total: calls.append((done, total)))
    assert calls == [(n, 500) for n in range(1, 501)]
    assert len(manuscript.pieces) >= 500
    assert "Rules" not in texts(manuscript)


def test_a_crowded_page_of_absurd_size_does_not_hang(tmp_path: Path) -> None:
    place = random.Random(1).uniform
    words = [text(place(0, 14000), place(0, 14000), "cards", 6) for _ in range(1500)]
    line = "Draw one card and move the boat. " * 20
    manuscript = read(pages_of([*words, *[text(0, 3 * n, line, 2) for n in range(200)]], size=(14400, 14400)), tmp_path)
    assert manuscript.pieces
