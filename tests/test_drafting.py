"""A manuscript becomes entries: telling titles, questions with their answers, nothing lost and nothing too long."""

from __future__ import annotations

import pytest

from ruleslawyer.cutting import SCREEN, shortened, words
from ruleslawyer.drafting import Draft, drafts
from ruleslawyer.manuscript import Manuscript, Piece
from ruleslawyer.questions import plain
from ruleslawyer.terminal import width
from ruleslawyer.textreading import read_text_file


def of_text(text: str, lang: str = "en") -> tuple[Draft, ...]:
    """The entries of a plain text."""
    return drafts(read_text_file(text), lang)


def titles(made: tuple[Draft, ...]) -> list[str]:
    """The titles of entries, each with its level and ``?`` before a question."""
    return [f"{'#' * draft.level} {'? ' if draft.kind == 'faq' else ''}{draft.title}" for draft in made]


def body(draft: Draft) -> str:
    """The text of an entry, a line a piece."""
    return "\n".join(plain(piece.text) for piece in draft.blocks)


# --- questions and answers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Fog\n\nIt hides boats.\n\nMay boats leave it?\n\nWith a lantern.\n", "May boats leave it?", "With a lantern."),
        ("Q: May a boat leave the fog?\nA: Only with a lantern.\n", "May a boat leave the fog?", "Only with a lantern."),
        ("Q1. May a boat leave?\nA1. Only with a lantern.\n", "May a boat leave?", "Only with a lantern."),
        ("Q: May a boat leave? A: Only with a lantern.\n", "May a boat leave?", "Only with a lantern."),
        ("P: ¿Puede salir un barco?\nR: Solo con un farol.\n", "¿Puede salir un barco?", "Solo con un farol."),
        ("Pregunta: ¿Puede salir?\nRespuesta: Solo con un farol.\n", "¿Puede salir?", "Solo con un farol."),
        ("¿Puede salir de la niebla?\nSolo con un farol.\n", "¿Puede salir de la niebla?", "Solo con un farol."),
        ("问：船可以离开雾吗？\n答：有灯笼才可以。\n", "船可以离开雾吗？", "有灯笼才可以。"),
        ("問：船可以離開霧嗎？答：有燈籠才可以。\n", "船可以離開霧嗎？", "有燈籠才可以。"),
        ("船可以离开雾吗?\n\n有灯笼才可以。\n", "船可以离开雾吗?", "有灯笼才可以。"),
    ],
)  # fmt: skip
def test_a_question_and_its_answer_become_an_faq_entry(text: str, question: str, answer: str) -> None:
    found = [draft for draft in of_text(text) if draft.kind == "faq"]
    assert [(draft.title, body(draft)) for draft in found] == [(question, answer)]


@pytest.mark.parametrize(
    "pieces",
    [
        (Piece("p", "**May I pass?** No, you must move."),),
        (Piece("p", "**May I pass?**"), Piece("p", "No, you must move.")),
        (Piece("p", "**Q:** May I pass?"), Piece("p", "**A:** No, you must move.")),
        (Piece("heading", "May I pass?", level=2), Piece("p", "No, you must move.")),
        (Piece("item", "May I pass?", level=1, marker="1."), Piece("p", "No, you must move.")),
    ],
)
def test_bold_questions_headings_and_items_that_ask_are_questions(pieces: tuple[Piece, ...]) -> None:
    (made,) = drafts(Manuscript("", pieces), "en")
    assert (made.kind, made.title, body(made)) == ("faq", "May I pass?", "No, you must move.")


def test_several_questions_with_one_answer_are_one_entry_that_all_of_them_find() -> None:
    (made,) = of_text("Can I pass?\n\nMay I stay where I am?\n\nNo, you must always move.\n")
    assert made.title == "Can I pass?"
    assert made.aliases == ("May I stay where I am?",)
    assert body(made).splitlines() == ["Can I pass?", "May I stay where I am?", "No, you must always move."]


@pytest.mark.parametrize(
    "text",
    [
        "Aim\n\nHow do you win? By lighting lanterns. Light more than the others do.\n",
        "Aim\n\nLight lanterns.\n\nWho will win?\n",  # nobody answers
    ],
)
def test_a_rhetorical_question_and_one_without_an_answer_are_no_entries(text: str) -> None:
    (made,) = of_text(text)
    assert made.kind == "rule"
    assert "?" in body(made)


def test_a_long_question_keeps_its_words_beside_a_short_title() -> None:
    told = (
        "I have two boats in the fog, one of them with a lantern that I have just bought from the harbour at the buoy."
    )
    (made,) = of_text(f"Q: {told} May both of them leave?\nA: Yes, both.\n")
    assert made.title == "May both of them leave?"
    assert told in body(made)


# --- sections ---------------------------------------------------------------------------------------------------------


def test_levels_never_jump_and_end_at_the_deepest() -> None:
    pieces: list[Piece] = []
    for n, level in enumerate([3, 3, 6, 1, 2, 3, 4, 5, 6, 9, 2]):
        pieces += [Piece("heading", f"Part {n}", level), Piece("p", f"Rule {n} of the game.")]
    made = [draft.level for draft in drafts(Manuscript("", tuple(pieces)), "en")]
    assert made == [1, 1, 2, 1, 2, 3, 4, 5, 5, 5, 2]


@pytest.mark.parametrize(("lang", "title"), [("en", "Introduction"), ("es", "Introducción"), ("zh", "简介")])
def test_text_before_the_first_heading_is_an_introduction(lang: str, title: str) -> None:
    pieces = (
        Piece("p", "Boats sail from buoy to buoy."),
        Piece("heading", "Moving", 1),
        Piece("p", "Move one boat a turn."),
    )
    assert titles(drafts(Manuscript("", pieces), lang)) == [f"# {title}", "# Moving"]


def test_a_heading_without_text_leads_what_stands_under_it_or_joins_the_next() -> None:
    under = (
        Piece("heading", "Islands", 1),
        Piece("heading", "Gull Rock", 2),
        Piece("p", "Take 1 feather from the supply."),
    )
    beside = (
        Piece("heading", "Islands", 1),
        Piece("heading", "Gull Rock", 1),
        Piece("p", "Take 1 feather from the supply."),
    )
    assert titles(drafts(Manuscript("", under), "en")) == ["# Islands", "## Gull Rock"]
    assert titles(drafts(Manuscript("", beside), "en")) == ["# Islands: Gull Rock"]


def test_the_documents_own_title_alone_is_no_entry() -> None:
    pieces = (Piece("heading", "Fog Harbour", 1), Piece("heading", "Moving", 2), Piece("p", "Move one boat each turn."))
    assert titles(drafts(Manuscript("Fog Harbour", pieces), "en")) == ["# Moving"]


def test_an_entry_of_a_few_words_becomes_lines_of_the_one_before() -> None:
    pieces = (
        Piece("heading", "Moving", 1),
        Piece("p", "Move one boat each turn."),
        Piece("heading", "By Ann", 1),
        Piece("p", "Lee"),
    )
    (made,) = drafts(Manuscript("", pieces), "en")
    assert body(made).splitlines() == ["Move one boat each turn.", "By Ann", "Lee"]


def test_the_list_of_contents_is_information() -> None:
    kinds = [draft.kind for draft in of_text("Contents\n\n- Setup\n- End\n\nSetup\n\nPut out the board first.\n")]
    assert kinds == ["info", "rule"]


def test_entries_know_their_pages() -> None:
    pieces = (
        Piece("heading", "Fog", 1, page=3),
        Piece("p", "It hides boats.", page=3),
        Piece("p", "And islands.", page=4),
    )
    (made,) = drafts(Manuscript("", pieces), "en")
    assert made.pages == (3, 4)


# --- cutting ----------------------------------------------------------------------------------------------------------

SENTENCE = "A boat with a lantern may go on for one more buoy if no other boat stands in its way there. "
START = "Fog Harbour\n\nThe rules of the game of boats and lanterns in the fog.\n\n"
END = "\n\nThe end\n\nCount your lanterns when the fog has lifted.\n"


def test_a_section_of_one_screen_stays_whole() -> None:
    assert titles(of_text(START + "Moving\n\n" + "\n\n".join([SENTENCE * 2] * 4) + END))[1:] == [
        "# Moving",
        "# The end",
    ]


def test_a_long_section_is_cut_between_paragraphs_with_titles_that_tell_the_parts_apart() -> None:
    paragraphs = [f"Rule {n} is this. {SENTENCE * 3}" for n in range(8)]
    made = of_text(START + "Moving\n\n" + "\n\n".join(paragraphs) + END)[1:]
    assert titles(made)[:3] == ["# Moving", "## Moving: Rule 1 is this", "## Moving: Rule 2 is this"]
    assert "\n".join(body(draft) for draft in made[:-1]).split("\n") == [p.strip() for p in paragraphs]


def test_text_without_headings_becomes_an_entry_for_every_block() -> None:
    blocks = ["Boats never enter an island. " + SENTENCE, "Lanterns are lit by paying 1 coin. " + SENTENCE]
    steps = "1. Put the board in the middle.\n2. Give 4 boats to each player.\n3. Choose who begins the game."
    made = of_text("\n\n".join([*blocks, steps]))
    assert titles(made) == [
        "# Boats never enter an island",
        "# Lanterns are lit by paying 1 coin",
        "# Put the board in the middle",
    ]


def test_a_list_is_not_torn_apart_nor_from_the_line_before_it() -> None:
    steps = "\n".join(f"{n}. Put {n} boats on the buoy nearest to the harbour of each player." for n in range(1, 15))
    lead = f"{SENTENCE * 4}Then follow these steps:"
    made = of_text(f"{START}Setup\n\n{SENTENCE * 4}\n\n{lead}\n\n{steps}\n\n{SENTENCE * 4}{END}")
    holding = [draft for draft in made if any(piece.kind == "item" for piece in draft.blocks)]
    assert [[piece.text for piece in draft.blocks if piece.kind == "p"] for draft in holding] == [[lead]]


def test_items_that_are_rules_of_their_own_become_entries_under_their_labels() -> None:
    rules = "\n\n".join(f"  {n}. {name}: {SENTENCE * 4}" for n, name in enumerate(("Boats", "Fog", "Lanterns"), 1))
    made = of_text(f"{START}Rules in brief\n\n{rules}{END}")[1:]
    assert titles(made) == ["# Rules in brief", "## Boats", "## Fog", "## Lanterns", "# The end"]
    assert made[2].blocks[0].marker == "2."


def test_rules_with_numbers_and_names_of_their_own_become_entries() -> None:
    law = (
        "1.1 Cards first. If a card disagrees, follow it.\n\nBoth, if you can.\n\n1.2 Cannot. It beats all other words."
    )
    made = of_text(f"{START}1 Terms\n\n{law}{END}")
    assert titles(made)[1:] == ["## 1 Terms", "### 1.1 Cards first", "### 1.2 Cannot", "# The end"]
    assert body(made[2]).splitlines() == ["1.1 Cards first. If a card disagrees, follow it.", "Both, if you can."]


def test_a_list_of_components_stays_one_entry() -> None:
    parts = "\n".join(f"- {n} wooden tokens of kind {n}" for n in range(2, 40))
    assert len(of_text(f"Components\n\n{parts}\n")) == 1


def test_no_entry_is_much_longer_than_two_screens_where_it_can_be_cut() -> None:
    text = "Moving\n\n" + "\n\n".join([SENTENCE * 4] * 40) + "\n\n" + "\n".join(f"- {SENTENCE}" for _ in range(60))
    for draft in of_text(text):
        assert words(body(draft)) <= 2 * SCREEN + 40


# --- titles -----------------------------------------------------------------------------------------------------------


def test_titles_are_never_empty_never_long_and_never_the_same() -> None:
    text = "\n\n".join(["Example", SENTENCE, "Example", SENTENCE, "Boats " * 3, SENTENCE, "E" * 60, SENTENCE] * 3)
    made = of_text(text)
    found = [draft.title for draft in made]
    assert len({title.casefold() for title in found}) == len(found) > 6
    assert all(title.strip() and width(title) <= 80 for title in found)


def test_a_title_too_long_is_said_whole_in_the_text() -> None:
    long = "The boats of all players that stand in the fog at the end of a round without any lantern beside them sink"
    (made,) = drafts(Manuscript("", (Piece("heading", long, 1), Piece("p", "Return them."))), "en")
    assert made.title == shortened(long) and made.title.endswith("…")
    assert body(made).splitlines() == [long, "Return them."]


def test_signs_of_markdown_in_a_heading_are_plain_in_its_title() -> None:
    pieces = (Piece("heading", r"**Fog** \[2\] & _rain_", 1), Piece("p", "Both of them hide all boats."))
    assert titles(drafts(Manuscript("", pieces), "en")) == ["# Fog [2] & rain"]
