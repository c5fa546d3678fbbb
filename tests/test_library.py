"""Private packs: searched beside the rules that come with the program, marked everywhere, left out when faulty."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from commands import Result, rules, script
from corpora import write_corpus
from processes import in_a_child, whenever_opened
from ruleslawyer.corpus import load
from ruleslawyer.errors import UsageProblem
from ruleslawyer.index import open_index
from ruleslawyer.library import new_pack, packs_in, remove_pack
from ruleslawyer.words import interface_languages, words_in

FOG_GAME = """\
title.en = "Fog Islands"
title.es = "Islas de niebla"
languages = ["en", "es"]
updated = 2026-11-30

[[sources]]
id = "fog-book"
kind = "rulebook"
language = "en"
title = "Fog Islands rules"
about.en = "The printed rules."
about.es = "Las reglas impresas."
"""

FOG_RULES = """\
+++
title = "Rules"
kind = "rule"
updated = 2026-11-30
+++

## Foghorns {#foghorns sources="fog-book" pages="4-5"}

Blow the foghorn before you move, as at the [docks](harbour#docks).

### May I blow it twice? {#foghorn-twice sources="fog-book" kind="faq" pages="6"}

No.

## Scoring {#scoring sources="fog-book"}
"""


class Shelf:
    """A small corpus, and a library with the pack ``fog-islands`` beside it."""

    def __init__(self, folder: Path) -> None:
        self.corpus = write_corpus(folder / "corpus")
        self.data = folder / "data"
        self.packs = self.data / "ruleslawyer" / "packs"
        self.fog = self.packs / "fog-islands"
        self.fog.mkdir(parents=True)
        (self.fog / "game.toml").write_text(FOG_GAME, "utf-8")
        (self.fog / "rules-book.en.md").write_text(FOG_RULES, "utf-8")

    def run(self, *args: str, **env: str) -> Result:
        """Run ``rules`` with this library."""
        return rules(*args, corpus=self.corpus, env={"XDG_DATA_HOME": str(self.data), **env})


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_a_private_pack_is_searched_beside_the_bundled_rules(shelf: Shelf) -> None:
    found = json.loads(shelf.run("search", "foghorn", "--json").out)
    assert [(h["id"], h["private"], h["pages"]) for h in found["hits"][:2]] == [
        ("fog-islands/foghorns", True, "4-5"),
        ("fog-islands/foghorn-twice", True, "6"),
    ]
    bundled = json.loads(shelf.run("search", "trade routes", "--json").out)["hits"][0]
    assert (bundled["id"], bundled["private"], bundled["pages"]) == ("harbour/trade-routes", False, "")


@pytest.mark.parametrize(("lang", "mark", "page"), [("en", "private", "p. 4-5"), ("es", "privado", "p. 4-5")])
def test_what_is_private_is_marked_with_its_page(shelf: Shelf, lang: str, mark: str, page: str) -> None:
    shown = shelf.run("search", "foghorn", "--lang", lang).out
    title = {"en": "Fog Islands", "es": "Islas de niebla"}[lang]
    assert f"{title} ({mark})\n" in shown
    assert f"Fog Islands rules (en, {page})" in shown
    assert f"({mark})" in shelf.run("show", "foghorns", "--lang", lang).out
    assert f"{mark}; en, es; 3; 2026-11-30" in shelf.run("list", "games", "--lang", lang).out


def test_hits_of_one_private_game_are_marked_each(shelf: Shelf) -> None:
    lines = shelf.run("search", "blow foghorn twice", "--game", "fog").out.splitlines()
    others = lines[lines.index("More results") + 1 :]
    assert others
    assert all("(private)" in line for line in others)


def test_hits_of_several_games_are_marked_by_their_game(shelf: Shelf) -> None:
    assert "  Fog Islands (private)\n" in shelf.run("search", "docks or foghorn").out


def test_a_change_of_a_pack_is_seen_at_once(shelf: Shelf) -> None:
    assert "before you move" in shelf.run("foghorn").out
    (shelf.fog / "rules-book.en.md").write_text(FOG_RULES.replace("before", "after"), "utf-8")
    assert "after you move" in shelf.run("foghorn").out
    (shelf.fog / "rules-book.en.md").unlink()
    assert shelf.run("foghorn").status == 1


def test_a_pack_out_of_the_library_leaves_the_bundled_index_as_it_was(shelf: Shelf, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    without = open_index(shelf.corpus, cache).folder
    assert open_index(shelf.corpus, cache, packs=tmp_path / "none").folder == without
    assert open_index(shelf.corpus, cache, packs=shelf.packs).folder != without


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("rules-book.en.md", FOG_RULES.replace("harbour#docks", "harbour#dokcs"), ":9: unknown entry 'dokcs'"),
        ("rules-book.en.md", FOG_RULES.replace("fog-book", "fogbook", 1), ":7: unknown source"),
        ("rules-book.en.md", FOG_RULES.replace('pages="6"', 'pages="vi"'), ":11: malformed pages 'vi'"),
        ("rules-book.en.md", "no front matter", ":1: "),
        ("game.toml", "title = [", "broken TOML"),
        ("game.toml", FOG_GAME.replace("updated", "updatd"), "updatd"),
        ("rules-book.tlh.md", FOG_RULES, "unexpected file"),
        ("notes.txt", "mine", "unexpected file"),
    ],
)
def test_a_faulty_pack_is_reported_and_skipped_and_the_bundled_rules_go_on(
    shelf: Shelf, name: str, content: str, problem: str
) -> None:
    (shelf.fog / name).write_text(content, "utf-8")
    for _ in range(2):  # also when the index is there already
        answer = shelf.run("trade routes")
        assert (answer.status, answer.out.splitlines()[0]) == (0, "Trade routes")
        assert "Your private pack fog-islands has " in answer.err
    assert "fog-islands" not in shelf.run("foghorn").out
    told = shelf.run("check")
    assert told.status == 3
    assert str(shelf.fog / name) in told.out
    assert problem in told.out


def test_the_notice_is_in_the_readers_language(shelf: Shelf) -> None:
    (shelf.fog / "notes.txt").write_text("mine")
    assert "Tu paquete privado fog-islands" in shelf.run("rutas", "--lang", "es").err
    assert "私人规则包 fog-islands" in shelf.run("航线", "--lang", "zh").err


def test_a_pack_with_the_id_of_a_bundled_game_is_skipped(shelf: Shelf) -> None:
    shelf.fog.rename(shelf.packs / "harbour")
    loaded = load(shelf.corpus, shelf.packs)
    assert "have a game 'harbour'" in loaded.skipped["harbour"][0].message
    assert not loaded.corpus.games["harbour"].private
    assert "harbour/foghorns" not in loaded.corpus.entries


def test_a_file_in_place_of_the_packs_is_as_good_as_none(shelf: Shelf, tmp_path: Path) -> None:
    packs = tmp_path / "no-folder"
    packs.write_text("x")
    assert open_index(shelf.corpus, tmp_path / "cache", packs=packs).skipped == {}


def test_a_link_in_place_of_a_pack_is_skipped(shelf: Shelf, tmp_path: Path) -> None:
    shelf.fog.rename(tmp_path / "elsewhere")
    shelf.fog.symlink_to(tmp_path / "elsewhere")
    assert load(shelf.corpus, shelf.packs).skipped["fog-islands"][0].message == "symbolic link"
    assert shelf.run("foghorn").status == 1


def test_the_work_of_an_import_that_was_killed_is_no_pack(shelf: Shelf) -> None:
    (shelf.packs / ".new-abc").mkdir()
    (shelf.packs / "readme.txt").write_text("mine")
    assert [p.id for p in packs_in(shelf.packs, shelf.corpus)] == ["fog-islands"]
    assert shelf.run("foghorn").err.count("pack") == 0


def test_a_sound_pack_beside_a_faulty_one_stays(shelf: Shelf) -> None:
    (shelf.packs / "zz-broken").mkdir()
    answer = shelf.run("foghorn")
    assert answer.status == 0
    assert "zz-broken" in answer.err


def test_a_private_pack_may_do_without_asks_and_rests_on_and_text(shelf: Shelf) -> None:
    corpus = load(shelf.corpus, shelf.packs).corpus
    assert [e.id for e in corpus.entries.values() if e.game == "fog-islands"] == [
        "foghorns",
        "foghorn-twice",
        "scoring",
    ]
    assert corpus.games["fog-islands"].private


def test_the_packs_folder_is_checked_as_what_it_is(shelf: Shelf) -> None:
    assert shelf.run("check", str(shelf.packs)).status == 0
    (shelf.fog / "notes.txt").write_text("mine")
    told = shelf.run("check", str(shelf.packs))
    assert (told.status, told.out.splitlines()) == (3, [f"{shelf.fog / 'notes.txt'}: unexpected file 'notes.txt'"])


# --- the website ------------------------------------------------------------------------------------------------------


def test_a_website_has_private_packs_only_if_asked_and_marks_them(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.run("site", "-o", str(tmp_path / "public")).status == 0
    files = [p for p in (tmp_path / "public").rglob("*") if p.is_file()]
    assert len(files) > 20
    assert [p.name for p in files if b"foghorn" in p.read_bytes().lower()] == []
    assert shelf.run("site", "--private", "-o", str(tmp_path / "own")).status == 0
    own = tmp_path / "own"
    for lang, title in (("en", "Fog Islands (private)"), ("es", "Islas de niebla (privado)"), ("zh", "（私有）")):
        assert title in (own / lang / "index.html").read_text("utf-8")
        rules = (own / lang / "fog-islands" / "rules" / "index.html").read_text("utf-8")
        assert title in rules
        assert "4-5" in rules
        assert "CC BY" not in rules
        assert title in (own / lang / "entries" / "index.html").read_text("utf-8")
    assert any("(private)" in p.read_text("utf-8") for p in own.rglob("search/core-*.js"))


def test_a_faulty_pack_does_not_stop_a_website(shelf: Shelf, tmp_path: Path) -> None:
    (shelf.fog / "notes.txt").write_text("mine")
    made = shelf.run("site", "--private", "-o", str(tmp_path / "own"))
    assert made.status == 0
    assert "fog-islands has 1 problem" in made.err


# --- packs, new, edit -------------------------------------------------------------------------------------------------


def test_packs_lists_what_there_is(shelf: Shelf) -> None:
    (shelf.packs / "broken").mkdir()
    lines = shelf.run("packs").out.splitlines()
    assert lines[0] == "broken  [broken]  left out: 2 problem(s), see: rules check"
    assert lines[1:] == ["Fog Islands  [fog-islands]  3 entries", str(shelf.packs)]
    listed = json.loads(shelf.run("packs", "--json").out)["packs"]
    assert [(p["id"], p["entries"], bool(p["problems"])) for p in listed] == [
        ("broken", 0, True),
        ("fog-islands", 3, False),
    ]


def test_packs_says_how_to_begin(shelf: Shelf) -> None:
    remove_pack(shelf.packs, "fog-islands")
    assert "rules import FILE" in shelf.run("packs").out


def test_packs_remove_asks_first(shelf: Shelf) -> None:
    refused = shelf.run("packs", "remove", "fog-islands")
    assert (refused.status, shelf.fog.is_dir()) == (2, True)
    assert "add --yes" in refused.err
    assert shelf.run("packs", "remove", "fog-islands", "--yes").status == 0
    assert [p.name for p in shelf.packs.iterdir() if not p.name.startswith(".")] == []


def test_packs_remove_knows_only_packs(shelf: Shelf, tmp_path: Path) -> None:
    (shelf.data / "ruleslawyer" / "precious").mkdir()
    for name in ("../precious", "fog-isalnds", "harbour", ".", "..", str(tmp_path)):
        refused = shelf.run("packs", "remove", name, "--yes")
        assert refused.status == 2
        assert "there is no private pack" in refused.err
    assert "did you mean 'fog-islands'" in shelf.run("packs", "remove", "fog-isalnds", "--yes").err
    assert (shelf.data / "ruleslawyer" / "precious").is_dir()


@pytest.mark.parametrize("lang", interface_languages())
def test_a_new_pack_is_sound_and_its_example_works(shelf: Shelf, lang: str) -> None:
    path = new_pack(shelf.packs, shelf.corpus, "reef", 'The "Reef" \\ 2', words_in(lang), "2026-11-30")
    assert load(shelf.corpus, shelf.packs).skipped == {}
    written = path.read_text("utf-8")
    example = [line[2:] for line in written.splitlines() if line.startswith(("# ## ", "# ### "))]
    assert len(example) == 2
    commented = written[written.index("# ## ") :].split("\n#\n# The id")[0].split("\n+++")[0]
    body = "\n".join(line.removeprefix("#").removeprefix(" ") for line in commented.split("\n")[:7])
    path.write_text(written + "\n" + body.replace("#game-end", "#who-begins") + "\n", "utf-8")
    loaded = load(shelf.corpus, shelf.packs)
    assert loaded.skipped == {}
    assert loaded.corpus.entries["reef/winner-begins"].rests_on == ("who-begins",)
    assert loaded.corpus.games["reef"].title == {lang: 'The "Reef" \\ 2'}


@pytest.mark.parametrize("name", ["harbour", "fog-islands", "search", "../x", "Reef", "", "a/b", "-", "c:\\x"])
def test_a_new_pack_needs_an_id_of_its_own(shelf: Shelf, name: str) -> None:
    with pytest.raises(UsageProblem) as refused:
        new_pack(shelf.packs, shelf.corpus, name, "Title", words_in("en"), "2026-11-30")
    assert refused.value.hint
    assert sorted(p.name for p in shelf.packs.iterdir()) == ["fog-islands"]


def test_new_tells_where_to_write(shelf: Shelf) -> None:
    made = shelf.run("new", "reef", "--lang", "es")
    assert made.out.strip().endswith(str(shelf.packs / "reef" / "rules.es.md"))
    assert shelf.run("new", "reef").status == 2
    assert shelf.run("new", "kelp", "--lang", "tlh").status == 2


def test_edit_opens_the_line_in_the_editor(shelf: Shelf, tmp_path: Path) -> None:
    editor = script(tmp_path, "my editor", ['printf "%s|" "$@"'])
    opened = shelf.run("edit", "foghorn-twice", EDITOR=f"'{editor}' -n")
    assert opened.out == f"-n|+11|{shelf.fog / 'rules-book.en.md'}|"
    code = script(tmp_path, "code", ['printf "%s|" "$@"'])
    opened = shelf.run("edit", "foghorn-twice", VISUAL=str(code), EDITOR="false")
    assert opened.out == f"--goto|{shelf.fog / 'rules-book.en.md'}:11|"
    assert shelf.run("edit", "docks", EDITOR="true").err.startswith("This entry came with the program")
    assert shelf.run("edit", "docks", "--print").out.strip() == f"{shelf.corpus / 'harbour' / 'rules.en.md'}:18"


@pytest.mark.parametrize("editor", ["'", "no-such-editor-anywhere"])
def test_edit_without_an_editor_says_what_to_do(shelf: Shelf, editor: str) -> None:
    refused = shelf.run("edit", "foghorns", EDITOR=editor, VISUAL="")
    assert refused.status == 2
    assert "EDITOR=nano" in refused.err


# --- packs that come and go ------------------------------------------------------------------------------------------


def test_a_pack_that_comes_and_goes_while_an_index_is_built_is_in_none(shelf: Shelf, tmp_path: Path) -> None:
    """It comes when the corpus is loaded, and is gone when it is looked whether anything has changed meanwhile."""
    away = tmp_path / "away"
    shelf.fog.rename(away)
    openings = itertools.count(1)

    def come_and_go() -> None:
        match next(openings):
            case 3:  # after the fingerprint, and the states that building begins with
                away.rename(shelf.fog)
            case 4:
                shelf.fog.rename(away)

    def work() -> None:
        whenever_opened("harbour/rules.en.md", come_and_go)
        open_index(shelf.corpus, tmp_path / "cache", packs=shelf.packs).store.close()

    assert in_a_child(work) == 0
    assert next(openings) == 1 and not shelf.fog.exists()  # counted in the child alone
    assert list(open_index(shelf.corpus, tmp_path / "cache", packs=shelf.packs).games) == ["harbour", "lanterns"]


def test_an_empty_pack_is_told_from_when_it_comes_until_it_goes(shelf: Shelf) -> None:
    empty = shelf.packs / "empty-seas"

    def is_told() -> bool:
        return "empty-seas" in shelf.run("foghorn").err

    assert not is_told()
    empty.mkdir()
    assert is_told() and is_told()
    empty.rmdir()
    assert not is_told()
