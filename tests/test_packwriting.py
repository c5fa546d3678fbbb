"""The sheets of private packs: our own parser reads them without a problem, and the ids in them stay put."""

from __future__ import annotations

import datetime
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleslawyer.blocks import Block
from ruleslawyer.drafting import Draft, drafts
from ruleslawyer.manuscript import Manuscript, Piece
from ruleslawyer.markdown import Section, parse
from ruleslawyer.packwriting import Changes, changes, retired, sheet, slug
from ruleslawyer.textfile import KEBAB
from ruleslawyer.textreading import read_text_file

DAY = datetime.date(2026, 11, 30)


def rule(title: str, *lines: str, level: int = 1, kind: str = "rule") -> Draft:
    """An entry with a paragraph for each line."""
    return Draft(title, level, kind, tuple(Piece("p", line) for line in lines))


def written(*made: Draft, before: str = "", taken: tuple[str, ...] = ()) -> str:
    """The sheet of some entries."""
    return sheet(made, title="Fog Harbour", source="box", updated=DAY, before=before, taken=taken)


def sections(text: str) -> tuple[Section, ...]:
    """The entries of a sheet, which has no problem."""
    document, problems = parse(text, "rules-box.en.md")
    assert problems == ()
    assert document.complete and document.front
    return document.sections


def ids(text: str) -> dict[str, str]:
    """Title -> id of a sheet's entries."""
    return {section.title: section.id for section in sections(text)}


# --- what is written --------------------------------------------------------------------------------------------------


def test_a_sheet_says_where_its_entries_come_from_and_what_they_are() -> None:
    faq = Draft("May I pass?", 2, "faq", (Piece("p", "No."),), (4, 5), ('Can I "stay"; or not?',))
    text = written(Draft("Moving", 1, "rule", (Piece("p", "Move 1 boat."),), (4, 4)), faq)
    assert text == (
        '+++\ntitle = "Fog Harbour"\nkind = "rule"\nupdated = 2026-11-30\n+++\n\n'
        '## Moving {#moving sources="box" pages="4"}\n\nMove 1 boat.\n\n'
        '### May I pass? {#may-i-pass sources="box" pages="4-5" kind="faq" aliases="Can I ”stay”, or not?"}\n\nNo.\n'
    )


def test_lists_keep_their_nesting_numbers_and_further_paragraphs() -> None:
    items = (
        Piece("item", "Deal:", level=1, marker="9."),
        Piece("item", "3 cards", level=2, marker="-"),
        Piece("item", "1 boat", level=2, marker="-"),
        Piece("item", "More with 2 players.", level=1),
        Piece("item", "Choose who begins.", level=1, marker="10."),
    )
    (section,) = sections(written(Draft("Setup", 1, "rule", (Piece("p", "Do this:"), *items, Piece("p", "Go!")))))
    assert [(b.kind, b.marker, b.depth, b.text) for b in section.blocks] == [
        ("p", "", 0, "Do this:"),
        ("item", "9.", 1, "Deal:"),
        ("item", "-", 2, "3 cards"),
        ("item", "-", 2, "1 boat"),
        ("item", "", 1, "More with 2 players."),
        ("item", "10.", 1, "Choose who begins."),
        ("p", "", 0, "Go!"),
    ]


def test_tables_keep_every_cell() -> None:
    rows = (Piece("row", "Boats"), Piece("row", "| red | 2 | fast |"), Piece("row", r"blue | 3\|4"))
    (section,) = sections(written(Draft("Boats", 1, "rule", rows)))
    assert [block.text for block in section.blocks] == ["Boats |  | ", "red | 2 | fast", "blue | 3|4 | "]


@pytest.mark.parametrize(
    "title",
    [
        "../../etc/passwd",
        "C:\\boats\\",
        'The "Fog" {#x}',
        "# Fog #",
        "1. Fog",
        "🚀🚀",
        "x" * 300,
        "a\u202eb",
        "]](b)",
        "{",
        "<b>",
    ],
)
def test_any_title_makes_a_sound_heading(title: str) -> None:
    (draft,) = drafts(Manuscript("", (Piece("p", "It hides all boats that are in it."),)), "en")
    (section,) = sections(written(draft._replace(title=title)))
    assert section.title.replace("\ufffd", "") == title.strip()
    assert KEBAB.fullmatch(section.id) and len(section.id) <= 50


# --- ids --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Who begins?", "who-begins"),
        ("¿Quién gana la última canción?", "quien-gana-la-ultima-cancion"),
        ("占领神殿", "zhan-ling-shen-dian"),
        ("3.1.2 Moving", "moving"),
        ("2 players", "players"),
        ("2", "2"),
        ("The player's boats", "the-players-boats"),
        ("Ｆｏｇ ﬁeld", "fog-field"),
        ("one two three four five six seven eight nine ten eleven", "one-two-three-four-five-six-seven-eight-nine-ten"),
        ("Ω → ☃", ""),
    ],
)
def test_ids_are_made_from_titles(title: str, expected: str) -> None:
    assert slug(title) == expected


def test_equal_ids_are_numbered_and_those_of_other_sheets_left_alone() -> None:
    text = written(
        rule("Fog", "It hides."), rule("Fog!", "Still."), rule("☃", "Snow."), rule("☃☃", "More."), taken=("fog",)
    )
    assert list(ids(text).values()) == ["fog-2", "fog-3", "entry", "entry-2"]


FIRST = written(
    rule("Moving", "Move 1 boat along a line to the next buoy."),
    rule("The fog", "A boat in the fog waits until a lantern comes to its buoy."),
    rule("Example", "Red moves first and blue second."),
    rule("Example 2", "Green pays 2 coins and takes a raft."),
)


def test_ids_stay_when_a_file_is_imported_again() -> None:
    again = written(
        rule("New at the top", "Read this before you begin."),
        rule("Moving", "Move 2 boats. All of this text is new, but for the title."),
        rule("Fog and lanterns", "A boat in the fog waits until a lantern comes to its buoy, or to the next."),
        rule("Example 2", "Green pays 2 coins and takes a raft."),
        before=FIRST,
    )
    assert ids(again) == {
        "New at the top": "new-at-the-top",
        "Moving": "moving",
        "Fog and lanterns": "the-fog",
        "Example 2": "example-2",
    }


def test_the_id_of_an_entry_that_is_gone_is_never_given_to_another() -> None:
    at_once = written(rule("Example!", "Something else altogether."), before=FIRST)
    assert ids(at_once) == {"Example!": "example-3"}
    second = written(rule("Moving", "Move 1 boat along a line to the next buoy."), before=FIRST)
    assert retired(second) == ("example", "example-2", "the-fog")
    third = written(rule("Example", "Something else altogether."), rule("Moving", "Move 1 boat."), before=second)
    assert ids(third) == {"Example": "example-3", "Moving": "moving"}
    assert "the-fog" in retired(third)


def test_nothing_is_written_anew_for_the_date_alone() -> None:
    later = sheet(drafts(read_text_file("Fog\n\nIt hides all boats.\n"), "en"), title="T", source="b", updated=DAY)
    again = sheet(
        drafts(read_text_file("Fog\n\nIt hides all boats.\n"), "en"),
        title="T",
        source="b",
        updated=datetime.date(2027, 1, 1),
        before=later,
    )
    assert again == later


def test_what_changed_is_told_by_titles() -> None:
    again = written(
        rule("Moving", "Move 2 boats along a line."),
        rule("Mist", "A boat in the fog waits until a lantern comes to its buoy."),
        rule("Example", "Red moves first and blue second."),
        rule("Rafts", "They carry nothing at all."),
        before=FIRST,
    )
    assert changes(FIRST, again) == Changes(
        added=("Rafts",), removed=("Example 2",), changed=("Moving",), renamed=(("The fog", "Mist"),)
    )
    assert not changes(FIRST, FIRST)


# --- any text ---------------------------------------------------------------------------------------------------------

SIGNS = st.sampled_from(
    [
        *(
            "Setup",
            "Take 2 ore.",
            "• one",
            "- b",
            "1. First",
            "  a. sub",
            "Q: Can I?",
            "A: Yes.",
            "问：可以吗？",
            "答：不能。",
        ),
        *(
            "====",
            "---",
            "| a | b |",
            "# not",
            "> q",
            "***",
            "**bold**",
            "`code`",
            "<b>x</b>",
            "[l](u)",
            "_x_",
            "{#id}",
        ),
        *(
            "&amp;",
            "END OF GAME",
            "Parts:",
            "3.1 Moving",
            "ends with \\",
            "~~~",
            "```",
            "     indented",
            "¿Quién?",
            "Sí.",
            "😀",
        ),
    ]
)
LINES = st.lists(st.one_of(SIGNS, st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20)), max_size=20)


def plain(block: Block) -> str:
    """What a reader sees of a block."""
    return f"{block.marker} {block.text}"


@settings(max_examples=80, deadline=None)
@given(LINES, st.sampled_from(["\n", "\n\n", "\n  "]))
def test_any_text_makes_a_sheet_without_a_problem_that_keeps_every_word(lines: list[str], between: str) -> None:
    text = between.join(lines)
    manuscript = read_text_file(text)
    made = drafts(manuscript, "en")
    if not made:
        assert not re.search(r"\w\w", text)
        return
    found = sections(written(*made))
    assert len({section.id for section in found}) == len(found) == len(made)
    shown = manuscript.title + "".join(s.title + "".join(plain(block) for block in s.blocks) for s in found)
    assert [word for word in re.findall(r"[A-Za-z]{2,}", text) if word not in shown] == []
