"""The finder's state and screens, without a terminal: what every key does, and what is shown for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import cells, without_styles
from corpora import Edit, write_corpus
from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import load
from ruleslawyer.finder import answered, opened, press, typed
from ruleslawyer.finderview import STYLES, Desk, Room, Screen, screen
from ruleslawyer.index import Index, no_progress
from ruleslawyer.inputline import Line
from ruleslawyer.query import MAX_CHARS
from ruleslawyer.words import words_in
from tiny import Line as Entry
from tiny import index_of


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Harbour in three languages and Lanterns in English."""
    return build_in_memory(load(write_corpus(tmp_path_factory.mktemp("corpus"))).corpus, no_progress)


class Person:
    """Somebody who types and presses, one thing after the other, and looks at the screen."""

    def __init__(self, index: Index, lang: str = "en", game: str = "", room: Room = Room(80, 24)) -> None:  # noqa: B008
        self.desk, self.room = Desk(index), room
        self.finder = opened(index, lang, game)

    def type(self, text: str) -> Person:
        self.finder = typed(self.finder, text)
        return self.settle()

    def press(self, *keys: str) -> Person:
        for key in keys:
            self.finder = press(self.finder, key, self.look().seen)
            self.settle()
        return self

    def settle(self) -> Person:
        if self.finder.pending:
            self.finder = answered(self.finder, self.desk.answer(self.finder.question))
        return self

    def look(self) -> Screen:
        return screen(self.finder, self.desk, self.room)

    @property
    def lines(self) -> list[str]:
        return [without_styles(line).rstrip() for line in self.look().lines]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def chosen(self) -> str:
        """The row that is marked."""
        return next((line[2:].strip().split("  ")[0] for line in self.lines[1:] if line.startswith("> ")), "")

    @property
    def reading(self) -> str:
        """The full name of the entry that is read."""
        return self.finder.trail[-1].name if self.finder.trail else ""


# --- the line that is typed -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        ([], "tie breaker", 11),
        (["left", "left"], "tie breaker", 9),
        (["right"], "tie breaker", 11),
        (["c-a"], "tie breaker", 0),
        (["c-a", "left"], "tie breaker", 0),
        (["c-a", "right"], "tie breaker", 1),
        (["c-a", "c-e"], "tie breaker", 11),
        (["backspace"], "tie breake", 10),
        (["delete"], "tie breaker", 11),
        (["c-a", "delete"], "ie breaker", 0),
        (["c-a", "backspace"], "tie breaker", 0),
        (["c-w"], "tie ", 4),
        (["c-w", "c-w"], "", 0),
        (["c-u"], "", 0),
        (["left", "left", "c-u"], "er", 0),
        (["left", "left", "c-k"], "tie break", 9),
        (["c-a", "x"], "xtie breaker", 1),
        (["?"], "tie breaker?", 12),
    ],
)
def test_keys_that_edit_the_line(harbour: Index, keys: list[str], text: str, at: int) -> None:
    assert Person(harbour).type("tie breaker").press(*keys).finder.line == Line(text, at)


def test_a_letter_goes_with_its_accents() -> None:
    line = Line().put("an\u0303o")
    assert line.left().left() == Line("an\u0303o", 1)
    assert line.left().backspace() == Line("ao", 1)
    assert Line("an\u0303o", 1).right() == Line("an\u0303o", 3)
    assert Line("an\u0303o", 1).delete() == Line("ao", 1)


def test_what_is_pasted_stands_in_one_line_without_control_characters() -> None:
    assert Line().put("may routes\r\ncross?\n").text == "may routes cross?"
    assert Line().put("a\x1b[2Jb\x07\u202ec\td").text == "a [2Jb  c d"


def test_a_long_text_that_is_pasted_is_cut_and_the_cut_is_told(harbour: Index) -> None:
    person = Person(harbour).type("docks " * 2_000)
    assert len(person.finder.line.text) == MAX_CHARS + 1
    assert "The question is long" in person.text
    assert person.type("x").finder.line.text == person.finder.line.text


@given(
    st.lists(st.sampled_from(["left", "right", "c-a", "c-e", "backspace", "delete", "c-w", "c-u", "c-k", "é", "平"]))
)
def test_the_cursor_never_leaves_the_line(keys: list[str]) -> None:
    finder = opened(_TINY, "en")
    for key in keys:
        finder = press(finder, key, screen(finder, Desk(_TINY), Room(40, 10)).seen)
        assert 0 <= finder.line.at <= len(finder.line.text)


_TINY = index_of("A lantern may not move.", Entry("A boat may move.", game="canal"))


# --- the list -------------------------------------------------------------------------------------------------------


def test_it_opens_with_the_games_and_says_where_to_type(harbour: Index) -> None:
    person = Person(harbour)
    assert person.lines[:3] == ["> Type the doubt ...", "> Harbour", "  Lanterns"]
    assert person.look().cursor == (0, 2)
    assert "4 entries" in person.text
    assert "all games" in person.lines[-1]


def test_what_is_listed_changes_with_every_letter(harbour: Index) -> None:
    person = Person(harbour)
    person.type("d")
    before = person.text
    person.type("ocks")
    assert person.chosen == "Docks"
    assert person.text != before
    assert "Each dock holds 1.5 crates" in person.text
    person.press("c-u").type("wind")
    assert person.chosen == "Wind"


def test_until_the_answer_is_there_the_last_one_stays(harbour: Index) -> None:
    person = Person(harbour).type("docks")
    waiting = typed(person.finder, " wind")
    assert waiting.pending
    lines = [without_styles(line).rstrip() for line in screen(waiting, person.desk, person.room).lines]
    assert lines[0] == "> docks wind"
    assert lines[1:] == person.lines[1:]


def test_an_answer_that_comes_late_is_shown_and_still_awaits_the_next(harbour: Index) -> None:
    person = Person(harbour)
    late = person.desk.answer(typed(person.finder, "docks").question)
    finder = answered(typed(person.finder, "docks wind"), late)
    assert finder.pending
    assert finder.listing is late


@pytest.mark.parametrize(
    ("keys", "row"),
    [
        (["down"], 1),
        (["c-n", "c-n"], 2),
        (["tab"], 1),
        (["down", "down", "up"], 1),
        (["down", "c-p"], 0),
        (["down", "backtab"], 0),
        (["up"], 0),
        (["end"], 3),
        (["end", "down"], 3),
        (["end", "home"], 0),
        (["pagedown"], 3),
        (["end", "pageup"], 0),
    ],
)
def test_keys_that_choose_a_row(harbour: Index, keys: list[str], row: int) -> None:
    person = Person(harbour, game="harbour").press(*keys)
    assert person.finder.row == row
    assert person.chosen == ["Turn", "Trade routes", "Docks", "May routes cross?"][row]


def test_a_page_is_as_many_rows_as_are_shown() -> None:
    person = Person(index_of(*(f"Rule {n}" for n in range(100))))
    shown = sum(1 for line in person.lines[1:] if line.startswith(("> ", "  ")) and line.strip())
    assert person.press("pagedown").finder.row == person.look().seen.page < shown + 1
    assert person.press("pageup").finder.row == 0


def test_the_chosen_row_is_always_on_the_screen() -> None:
    person = Person(index_of(*(Entry(f"Rule {n}", title=f"Title {n}") for n in range(100))))
    for n in range(100):
        assert person.chosen == f"Title {n}"
        person.press("down")


def test_typing_chooses_the_first_row_again(harbour: Index) -> None:
    person = Person(harbour).type("route")
    assert person.press("down").chosen == "May routes cross?"
    assert person.press("f3").chosen == "¿Se cruzan las rutas?", "another language is no other question"
    assert person.type("s").finder.row == 0
    assert person.press("down", "backspace").finder.row == 0
    assert person.press("down", "f2").finder.row == 0


def test_a_game_is_opened_and_left_again(harbour: Index) -> None:
    person = Person(harbour).press("enter")
    assert person.finder.game == "harbour"
    assert person.lines[1:4] == ["> Turn", "    Trade routes", "  Docks"]
    assert person.lines[4].split() == ["May", "routes", "cross?", "question"]
    assert person.press("escape").chosen == "Harbour"
    assert not person.finder.done


def test_escape_clears_the_line_then_lets_the_game_go_then_leaves(harbour: Index) -> None:
    person = Person(harbour).press("enter").type("docks")
    assert person.press("escape").finder.line == Line()
    assert person.press("escape").finder.game == ""
    assert person.press("escape").finder.done


def test_the_game_it_was_opened_with_is_not_let_go(harbour: Index) -> None:
    assert Person(harbour, game="lanterns").press("escape").finder.done


@pytest.mark.parametrize("key", ["c-c", "c-d"])
def test_keys_that_leave_at_once(harbour: Index, key: str) -> None:
    assert Person(harbour).type("docks").press(key).finder.done
    assert Person(harbour).type("docks").press("enter", key).finder.done
    assert Person(harbour).press("f1", key).finder.done


def test_a_single_game_needs_no_choice() -> None:
    person = Person(index_of(Entry("Move.", title="Moving")))
    assert person.chosen == "Moving"
    assert person.press("escape").finder.done


@pytest.mark.parametrize("key", ["f12", "c-x", "insert", "\x00", "\x1b", "\ud83d"])
def test_other_keys_change_nothing(harbour: Index, key: str) -> None:
    person = Person(harbour).type("docks")
    assert person.press(key).finder == person.finder
    before = person.press("enter").finder
    assert person.press(key).finder == before


def test_nothing_found_and_nearest_are_said_as_the_command_says_them(harbour: Index) -> None:
    person = Person(harbour).type("docks xyzzy grault plugh")
    assert "Nothing found for: docks xyzzy grault plugh" in person.text
    assert "Nearest entries, which may not answer it:" in person.text
    assert person.chosen == "Docks"
    nothing = Person(harbour).type("xyzzy")
    assert "Nothing found for: xyzzy" in nothing.text
    assert "Try other words" in nothing.text
    assert nothing.press("enter", "down", "end").finder.trail == ()


def test_a_corrected_word_is_told(harbour: Index) -> None:
    assert "“lantren” is not in the rules; searched for “lantern”" in Person(harbour).type("lantren").text


def test_only_spaces_are_no_question(harbour: Index) -> None:
    assert Person(harbour).type("   ").chosen == "Harbour"


def test_what_is_no_word_is_no_error(harbour: Index) -> None:
    for text in ("(", "***", '"', "-", "game:", '-""', "?!"):
        assert Person(harbour).press("x", "backspace").type(text).lines


# --- reading --------------------------------------------------------------------------------------------------------


def test_enter_reads_the_entry_whole_with_its_relatives_numbered(harbour: Index) -> None:
    person = Person(harbour, room=Room(80, 60)).type("trade routes").press("enter")
    assert person.reading == "harbour/trade-routes"
    assert person.lines[:3] == ["Trade routes", "Harbour > Turn", "harbour/trade-routes"]
    assert "  - Harbour rules (en)" in person.lines
    assert person.text.count("May routes cross?") == 1
    order = [line for line in person.lines if re.match("  [0-9] ", line)]
    assert order == ["  1 Turn", "  2 May routes cross?"]


def test_disputes_are_shown_with_every_position(harbour: Index) -> None:
    text = Person(harbour, room=Room(80, 60)).type("docks").press("enter").text
    assert "Where sources differ: Empty docks (open)" in text
    assert "Harbour rules says: Nothing." in text


def test_a_link_in_the_text_is_a_way_to_another_game(harbour: Index) -> None:
    person = Person(harbour, room=Room(80, 60)).type("docks").press("enter")
    assert any("Light (Lanterns)" in line for line in person.lines)


def test_tab_goes_from_link_to_link_and_enter_follows(harbour: Index) -> None:
    person = Person(harbour).type("trade routes").press("enter", "tab")
    assert person.finder.trail[-1].link == 0
    assert person.press("tab").finder.trail[-1].link == 1
    assert person.press("tab").finder.trail[-1].link == 0
    assert person.press("backtab").finder.trail[-1].link == 1
    assert person.press("enter").reading == "harbour/crossing-routes"
    assert person.press("escape").reading == "harbour/trade-routes"
    assert person.finder.trail[-1].link == 1, "the place is kept"
    assert person.press("escape").reading == ""
    assert person.finder.line.text == "trade routes"


def test_backtab_begins_at_the_last_link(harbour: Index) -> None:
    assert Person(harbour).type("trade routes").press("enter", "backtab").finder.trail[-1].link == 1


def test_a_number_follows_a_link(harbour: Index) -> None:
    person = Person(harbour).type("trade routes").press("enter", "2")
    assert person.reading == "harbour/crossing-routes"
    assert person.press("backspace").reading == "harbour/trade-routes"
    assert person.press("9", "0").reading == "harbour/trade-routes", "there is no such link"


def test_the_chosen_link_is_on_the_screen(harbour: Index) -> None:
    person = Person(harbour, room=Room(40, 8)).type("trade routes").press("enter", "tab", "tab")
    shown = [line for line in person.look().lines[:-1] if "\x1b[7m" in line]
    assert [without_styles(line).strip() for line in shown] == ["2 May routes cross?"]


LONG = index_of(Entry("\n".join(f"Paragraph {n}." for n in range(100)), title="Long"))


@pytest.mark.parametrize(
    ("keys", "first"),
    [
        ([], "Long"),
        (["down"], "harbour"),
        (["c-n", "c-n", "c-p"], "harbour"),
        (["down", "up", "up"], "Long"),
        (["pagedown"], "Paragraph 2."),
        ([" "], "Paragraph 2."),
        (["pagedown", "pageup"], "Long"),
        (["end", "home"], "Long"),
        (["end", "down", "pagedown", "up", "up", "down", "down"], "Paragraph 96."),
    ],
)
def test_keys_that_scroll(keys: list[str], first: str) -> None:
    person = Person(LONG, room=Room(60, 10)).type("long").press("enter", *keys)
    assert person.lines[0] == first


def test_the_end_is_the_end() -> None:
    person = Person(LONG, room=Room(60, 10)).type("long").press("enter", "end")
    assert person.lines[-1].endswith("100%")
    assert person.lines[-2].strip()


def test_typing_over_an_entry_begins_a_new_question(harbour: Index) -> None:
    person = Person(harbour).type("docks").press("enter", "w")
    assert (person.reading, person.finder.line) == ("", Line("w", 1))
    pasted = Person(harbour).type("docks").press("enter").type(" 2 wind")
    assert (pasted.reading, pasted.chosen) == ("", "Wind")


@pytest.mark.parametrize("key", ["f1", "?"])
def test_the_keys_are_shown_and_put_away(harbour: Index, key: str) -> None:
    person = Person(harbour).press(key)
    assert person.lines[0] == "Keys"
    assert "Ctrl-D or Ctrl-C: leave" in person.text
    assert person.press(key).chosen == "Harbour"
    assert person.press(key, "escape").chosen == "Harbour"
    over = Person(harbour).type("docks").press("enter", key)
    assert over.lines[0] == "Keys"
    assert over.press("escape").reading == "harbour/docks"


# --- switches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["f2", "c-g"])
def test_the_game_switch_goes_round(harbour: Index, key: str) -> None:
    person = Person(harbour).type("wind")
    assert [person.press(key).finder.game for _ in range(3)] == ["harbour", "lanterns", ""]
    assert person.finder.line.text == "wind"
    narrowed = person.press(key, key)
    assert "F2 Lanterns" in narrowed.lines[-1]
    assert {record.game for record in narrowed.finder.listing.records} == {"lanterns"}


@pytest.mark.parametrize("key", ["f3", "c-l"])
def test_the_language_switch_goes_round_and_the_words_follow(harbour: Index, key: str) -> None:
    person = Person(harbour).type("docks")
    seen = {}
    for _ in range(3):
        person.press(key)
        seen[person.finder.lang] = (person.chosen, person.lines[-1].split("  ")[0].strip())
    assert seen == {"es": ("Muelles", "F1 teclas"), "zh": ("码头", "F1 按键"), "en": ("Docks", "F1 keys")}


def test_an_entry_that_is_read_changes_its_language_and_stays(harbour: Index) -> None:
    person = Person(harbour).type("docks").press("enter", "f3")
    assert person.lines[0] == "Muelles"
    assert person.press("f2").lines[0] == "Muelles"
    assert person.press("f3").lines[0] == "码头"
    assert "Esc 返回" in person.lines[-1]


def test_what_has_no_translation_says_so(harbour: Index) -> None:
    person = Person(harbour, lang="es").type("wind").press("enter")
    assert "No hay texto en español; este es el texto en inglés." in person.lines


def test_the_language_follows_the_question_until_it_is_chosen(harbour: Index) -> None:
    person = Person(harbour).type("航线")
    assert (person.chosen, person.finder.listing.lang) == ("航线", "zh")
    assert person.press("c-u").type("航線").chosen == "航线", "traditional characters"
    assert person.press("c-u").type("se cruzan las rutas").finder.listing.lang == "es"
    assert person.press("c-u").type("rutas").finder.listing.lang == "en", "one word tells little"
    assert person.press("f3", "f3", "f3", "c-u").type("航线").chosen == "Trade routes", "English was chosen"


# --- how it looks ---------------------------------------------------------------------------------------------------

SIZES = [(80, 24), (120, 40), (100, 30), (99, 30), (40, 15), (20, 6), (200, 60), (10, 3), (4, 2), (1, 1), (300, 4)]
STATES: list[tuple[str, list[str]]] = [
    ("", []),
    ("", ["enter"]),
    ("", ["f1"]),
    ("docks", []),
    ("docks", ["enter"]),
    ("docks", ["enter", "tab", "tab"]),
    ("航线可以交叉吗", []),
    ("航线可以交叉吗", ["enter", "end"]),
    ("xyzzy", []),
    ("docks xyzzy grault plugh", ["down"]),
    ("a very long question about ships 船 " * 20, ["left"] * 20),
    ("¿se cruzan las rutas?", ["f3"]),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("text", "keys"), STATES)
def test_every_screen_fits_its_terminal(harbour: Index, size: tuple[int, int], text: str, keys: list[str]) -> None:
    person = Person(harbour, room=Room(*size)).type(text).press(*keys)
    shown = person.look()
    assert len(shown.lines) <= size[1]
    if size[0] >= 20:
        assert [line for line in person.lines if cells(line) > size[0]] == []
    if shown.cursor:
        row, at = shown.cursor
        line = without_styles(shown.lines[row])
        assert at < len(line)
        assert cells(line[:at]) < max(size[0], 4)


def test_a_wide_terminal_has_the_entry_beside_the_list(harbour: Index) -> None:
    person = Person(harbour, room=Room(120, 40)).type("docks")
    assert re.match("> Docks +Harbour +[|] Docks$", person.lines[1])


def test_columns_are_straight_with_wide_characters(harbour: Index) -> None:
    person = Person(harbour, lang="zh", room=Room(120, 40)).type("航线")
    assert {cells(line.split("|")[0]) for line in person.lines[1:-1] if "|" in line} == {49}


def test_details_of_a_row_give_way_to_its_title() -> None:
    entries = [Entry("x", title="Short", kind="faq"), Entry("x", title="A title that takes some room", kind="faq")]
    games = {"harbour": {"en": "Harbour: the long name"}, "b": {"en": "b"}}
    person = Person(index_of(*entries, Entry("y", game="b"), games=games), room=Room(50, 20)).type("x")
    parts = [[part.strip() for part in line.split("  ") if part] for line in person.lines[1:3]]
    assert parts == [["> Short", "question", "Harbour: the long name"], ["A title that takes some room", "question"]]


def test_a_low_terminal_has_the_list_alone(harbour: Index) -> None:
    assert "Each dock" not in Person(harbour, room=Room(60, 6)).type("docks").text


def test_the_end_of_a_long_line_is_shown_where_the_cursor_is(harbour: Index) -> None:
    person = Person(harbour, room=Room(40, 15)).type("x" * 100 + "平手")
    assert person.lines[0].endswith("x平手")
    assert person.press("c-a").lines[0] == "> " + "x" * 37


def test_only_plain_weights_are_used_no_colour(harbour: Index) -> None:
    for text, keys in STATES:
        codes = re.findall(r"\x1b\[([^m]*)m", "".join(Person(harbour).type(text).press(*keys).look().lines))
        assert set(codes) <= STYLES.keys()
    assert not any("ansi" in style or "#" in style for style in STYLES.values())


def test_what_was_asked_for_is_marked(harbour: Index) -> None:
    assert any("\x1b[1;33mcrates\x1b[0m" in line for line in Person(harbour).type("crates").look().lines)


HOSTILE = "Evil \x1b]0;title\x07 \x9b31m \u202egnp"


def test_control_characters_of_a_corpus_are_shown_not_obeyed() -> None:
    index = index_of(
        Entry(f"Text {HOSTILE}", title=f"Title {HOSTILE}"),
        Entry("b", game="b"),
        games={"harbour": {"en": f"G {HOSTILE}"}},
    )
    for keys in ([], ["enter"], ["enter", "enter"], ["f2"]):
        lines = Person(index, room=Room(120, 40)).press(*keys).look().lines
        assert any("Evil �]0;title� �31m �gnp" in line for line in lines), keys
        assert not re.search("[\x00-\x1a\x1c-\x1f\x7f-\x9f\u202e]", "".join(lines))
        assert not re.search("\x1b(?!\\[[0-9;]*m)", "".join(lines))


def test_private_games_are_marked(tmp_path: Path) -> None:
    root = write_corpus(tmp_path / "corpus")
    index = build_in_memory(load(root).corpus, no_progress)
    index.games["lanterns"]["private"] = True
    assert "Lanterns (private)" in Person(index).text
    person = Person(index).type("wind")
    assert re.match("> Wind +information  private  Lanterns", person.lines[1])
    assert "Lanterns (private) > Light" in person.press("enter").text


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_every_key_is_explained_in_every_language(harbour: Index, lang: str) -> None:
    shown = Person(harbour, lang=lang, room=Room(100, 40)).press("f1").lines
    explained = [text for key, text in words_in(lang).texts.items() if key.startswith("finder.help.")]
    assert len(explained) >= 10
    assert [text for text in explained if text not in shown] == []


def test_a_larger_terminal_shows_the_end_of_an_entry_with_no_gap_below() -> None:
    person = Person(LONG, room=Room(60, 10)).type("long").press("enter", "end")
    person.room = Room(60, 40)
    assert person.lines[-1].endswith("100%")
    assert person.lines[-2] == "Sources"
    assert person.press("up").lines[-2] == "", "one line up"


def test_a_text_with_new_lines_of_the_corpus_stays_readable(tmp_path: Path) -> None:
    edit = Edit("lanterns/rules.en.md", "Wind is on the card.", "Wind is on the card.\n\n- One\n- Two")
    index = build_in_memory(load(write_corpus(tmp_path / "corpus", edit)).corpus, no_progress)
    assert "  - One\n  - Two" in Person(index).type("wind").text
