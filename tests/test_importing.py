"""A file becomes a private pack: recognised, asked about where it cannot be, and never half written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from corpora import write_corpus
from rulebooks import DAY, LATER, REGLAS, RULES, files_in
from ruleslawyer import places
from ruleslawyer.corpus import load
from ruleslawyer.errors import DataProblem, UsageProblem
from ruleslawyer.importcommand import import_command, unread_lines
from ruleslawyer.importing import Imported, Order, import_file
from ruleslawyer.manuscript import Unread
from ruleslawyer.words import words_in


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A corpus with the games harbour and lanterns."""
    return write_corpus(tmp_path / "corpus")


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """Where the packs will be; it does not exist yet."""
    return tmp_path / "data" / "packs"


Import = Callable[..., Imported]


@pytest.fixture
def bring(tmp_path: Path, root: Path, packs: Path) -> Import:
    """Import a text under a file name, with what a person would say."""

    def run(text: str | bytes, name: str = "fog-harbour.txt", **said: str | bool) -> Imported:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return import_file(path, packs, root, Order(**said), today=DAY)  # type: ignore[arg-type]

    return run


# --- what an import makes ---------------------------------------------------------------------------------------------


def test_an_import_makes_a_pack_that_is_found_beside_the_bundled_rules(bring: Import, root: Path, packs: Path) -> None:
    done = bring(RULES)
    assert (done.state, done.game, done.title, done.lang) == ("new", "fog-harbour", "Fog Harbour", "en")
    assert (done.source, done.rules, done.faq, done.problems) == ("fog-harbour", 2, 1, ())
    assert done.sheet == packs / "fog-harbour" / "rules-fog-harbour.en.md"
    loaded = load(root, packs)
    assert loaded.skipped == {} and loaded.problems == ()
    entry = loaded.corpus.entries["fog-harbour/may-a-boat-leave-the-fog"]
    assert (entry.kind, entry.parent, entry.sources) == ("faq", "fog", ("fog-harbour",))
    source = loaded.corpus.games["fog-harbour"].sources["fog-harbour"]
    assert (source.kind, source.about["en"]) == ("rulebook", "Imported from fog-harbour.txt.")


def test_what_a_person_says_goes_before_what_is_found_out(bring: Import) -> None:
    done = bring(RULES, game="fh", lang="es", title="Puerto de niebla")
    assert (done.game, done.lang, done.title, done.sheet.name) == (
        "fh",
        "es",
        "Puerto de niebla",
        "rules-fog-harbour.es.md",
    )


def test_a_file_without_a_title_gives_its_name(bring: Import) -> None:
    done = bring(
        "Move one of your boats to the next buoy.\n\nThen you may trade with the harbour.\n", "my_house rules.txt"
    )
    assert (done.title, done.game, done.source) == ("my house rules", "my-house-rules", "my-house-rules")


def test_the_same_file_again_changes_nothing(bring: Import, packs: Path) -> None:
    bring(RULES)
    before = files_in(packs)
    again = bring(RULES)
    assert (again.state, bool(again.changes)) == ("unchanged", False)
    assert files_in(packs) == before


def test_a_title_given_once_stays_when_the_file_is_imported_again(bring: Import) -> None:
    bring(RULES, game="fog", title="Our Fog")
    again = bring(RULES, game="fog")
    assert (again.state, again.title) == ("unchanged", "Our Fog")


def test_a_changed_file_is_refused_with_what_would_change_until_forced(bring: Import, packs: Path) -> None:
    bring(RULES)
    before = files_in(packs)
    with pytest.raises(UsageProblem, match="1 entries added, 0 removed, 1 changed, 0 renamed") as refused:
        bring(LATER)
    assert "--force" in refused.value.hint
    assert files_in(packs) == before
    done = bring(LATER, force=True)
    assert (done.state, done.changes.added, done.changes.changed) == ("changed", ("The end",), ("Moving",))
    assert done.earlier and done.earlier.read_text("utf-8") == before["fog-harbour/rules-fog-harbour.en.md"]
    assert "two of your boats" in done.sheet.read_text("utf-8")


def test_every_earlier_text_is_kept_also_one_that_was_edited_by_hand(bring: Import) -> None:
    sheet = bring(RULES).sheet
    sheet.write_text(sheet.read_text("utf-8") + "\nA note of ours.\n", "utf-8")
    first = bring(LATER, force=True)
    second = bring(RULES, force=True)
    assert first.earlier and second.earlier and first.earlier != second.earlier
    assert "A note of ours." in first.earlier.read_text("utf-8")
    assert "The end" in second.earlier.read_text("utf-8")


def test_another_file_joins_the_pack_and_shares_no_id(bring: Import, root: Path, packs: Path) -> None:
    bring(RULES, title="Our Fog", game="fog-harbour")
    done = bring(RULES, "expansion.txt", game="fog-harbour")
    assert (done.state, done.source, done.title) == ("added", "expansion", "Our Fog")
    loaded = load(root, packs)
    assert loaded.skipped == {}
    ids = [entry.id for entry in loaded.corpus.entries.values() if entry.game == "fog-harbour"]
    assert sorted(ids) == [
        "fog",
        "fog-2",
        "may-a-boat-leave-the-fog",
        "may-a-boat-leave-the-fog-2",
        "moving",
        "moving-2",
    ]


def test_another_language_joins_the_pack(bring: Import, root: Path, packs: Path) -> None:
    bring(RULES, "rules.txt", game="fh")
    done = bring(REGLAS, "rules.txt", game="fh", title="Niebla")
    assert (done.state, done.lang, done.source) == ("added", "es", "rules-2")
    loaded = load(root, packs)
    assert loaded.skipped == {}
    game = loaded.corpus.games["fh"]
    assert (game.languages, game.title) == (("en", "es"), {"en": "Fog Harbour", "es": "Niebla"})


def test_what_a_person_has_written_in_game_toml_stays(bring: Import, packs: Path) -> None:
    bring(RULES)
    game = packs / "fog-harbour" / "game.toml"
    mine = '# bought in May\nplayers = "2-4"   # five is too many\naliases = ["fog"]\n'
    game.write_text(mine + game.read_text("utf-8").replace("Fog Harbour", "Our Fog"), "utf-8")
    bring(RULES, "more.txt", game="fog-harbour")
    text = game.read_text("utf-8")
    assert text.startswith(mine) and '"Our Fog"' in text and '"more"' in text


def test_a_broken_game_toml_is_reported_and_left_alone(bring: Import, packs: Path) -> None:
    bring(RULES)
    game = packs / "fog-harbour" / "game.toml"
    for broken in ("title = [", 'title = "Fog"\nlanguages = ["en"]\nupdated = 2026-11-30\nsources = []\n'):
        game.write_text(broken, "utf-8")
        with pytest.raises(DataProblem, match=r"game\.toml"):
            bring(RULES, "more.txt", game="fog-harbour")
        assert game.read_text("utf-8") == broken


@pytest.mark.parametrize(
    "game", ["../evil", "a/b", "Fog", "fog harbour", ".fog", "harbour", "search", "entries", "-", "é"]
)
def test_an_id_that_cannot_be_is_refused_with_a_hint(bring: Import, packs: Path, game: str) -> None:
    with pytest.raises(UsageProblem) as refused:
        bring(RULES, game=game)
    assert refused.value.hint
    assert not packs.exists()


@pytest.mark.parametrize("title", ["../../etc", "C:\\x", "🚀", "x" * 300, "<script>", '"""', "海港之雾"])
def test_any_title_makes_a_pack_inside_the_folder(bring: Import, root: Path, packs: Path, title: str) -> None:
    done = bring(RULES, title=title)
    assert done.sheet.resolve().is_relative_to(packs.resolve())
    assert done.problems == ()
    assert load(root, packs).corpus.games[done.game].title["en"] == title


# --- what is asked for ------------------------------------------------------------------------------------------------


def test_a_language_that_cannot_be_told_is_asked_for(bring: Import, packs: Path) -> None:
    with pytest.raises(UsageProblem) as refused:
        bring("Boote\n\nDer Spieler bewegt ein Boot.\n")
    assert "--lang" in refused.value.hint
    with pytest.raises(UsageProblem, match="'eng'") as refused:
        bring(RULES, lang="eng")
    assert "'en'" in refused.value.hint
    assert not packs.exists()


def test_an_encoding_given_is_used(bring: Import) -> None:
    done = bring(REGLAS.encode("cp1252"), encoding="cp1252")
    assert "línea" in done.sheet.read_text("utf-8")


def test_a_file_of_signs_only_is_no_rulebook(bring: Import, packs: Path) -> None:
    with pytest.raises(DataProblem, match="no text"):
        bring("----\n\n====\n", lang="en", title="Fog")
    assert not packs.exists()


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run ``rules import`` on files of the test's folder, in English."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr(places, "corpus_root", lambda: root)
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(import_command, args)


def test_the_command_tells_what_was_made_and_what_changed(tmp_path: Path, command: Callable[..., Result]) -> None:
    (tmp_path / "fog.txt").write_text(RULES, "utf-8")
    made = command("fog.txt")
    assert made.output == "fog.txt: a new pack, Fog Harbour [fog-harbour], with 2 rule(s) and 1 question(s)\n"
    assert command("fog.txt").output.startswith("fog.txt: nothing has changed")
    (tmp_path / "fog.txt").write_text(LATER, "utf-8")
    lines = command("fog.txt", "--force").output.splitlines()
    assert lines[0].endswith("What changed:")
    assert lines[1:3] == ["  + The end", "  ~ Moving"]
    assert lines[3].startswith("  The text before is kept in")


def test_the_command_imports_the_other_files_where_one_is_at_fault(
    tmp_path: Path, command: Callable[..., Result]
) -> None:
    (tmp_path / "fog.txt").write_text(RULES, "utf-8")
    ran = command("none.txt", "fog.txt", "--game", "fog")
    assert "fog.txt: a new pack" in ran.output
    assert isinstance(ran.exception, UsageProblem) and "none.txt" in ran.exception.message


def test_the_command_gives_data_for_programs(tmp_path: Path, command: Callable[..., Result]) -> None:
    (tmp_path / "fog.txt").write_text(RULES, "utf-8")
    data = json.loads(command("fog.txt", "--json").output)
    (done,) = data["imported"]
    assert (data["schema"], done["state"], done["game"], done["rules"], done["faq"]) == (1, "new", "fog-harbour", 2, 1)


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_what_could_not_be_read_is_told_with_its_pages(lang: str) -> None:
    pages = [Unread(n, "image_page", {}) for n in range(1, 30)]
    unread = [*pages, Unread(3, "icons", {"count": "2"}), Unread(0, "images", {"count": "1"})]
    pictures, icons, whole = unread_lines(unread, words_in(lang))
    assert "1, 2, 3, 4" in pictures and "29" not in pictures and "…" in pictures
    assert "3" in icons and "2" in icons and "▣" in icons
    assert words_in(lang)("import.on_page", page="", text="")[:2] not in whole


@pytest.mark.parametrize("name", [".rules-fog-harbour.en.md.new", "../.lock-holder"])
def test_a_link_that_was_put_in_the_way_is_never_written_through(
    bring: Import, packs: Path, tmp_path: Path, name: str
) -> None:
    folder = bring(RULES).sheet.parent
    victim = tmp_path / "victim"
    victim.write_text("precious", "utf-8")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(victim)
    done = bring(LATER, force=True)
    assert victim.read_text("utf-8") == "precious"
    assert not done.sheet.is_symlink()
    assert "two of your boats" in done.sheet.read_text("utf-8")


@pytest.mark.parametrize("name", ["game.toml", "rules-fog-harbour.en.md", "other.en.md"])
def test_a_pipe_in_a_pack_is_an_error_and_no_wait(bring: Import, name: str) -> None:
    folder = bring(RULES).sheet.parent
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    with pytest.raises(DataProblem, match="not a plain file"):
        bring(LATER, force=True)


@pytest.mark.parametrize("title", ["x\u2028y", "x\x1b[31my", "x\udcffy", "\u202exy", "x" * 5000])
def test_a_title_with_what_has_no_place_in_a_text_still_makes_a_sound_pack(
    bring: Import, root: Path, packs: Path, title: str
) -> None:
    done = bring(RULES, game="fog", title=title)
    assert done.problems == ()
    assert load(root, packs).skipped == {}
    assert len(done.title) <= 300


def test_a_file_name_with_a_line_separator_spoils_no_pack(bring: Import, root: Path, packs: Path) -> None:
    bring(RULES, game="fog")
    bring(LATER, "a\u2028b.txt", game="fog")
    assert load(root, packs).skipped == {}


def test_a_broken_game_file_is_mended_though_the_text_is_the_same(bring: Import, root: Path, packs: Path) -> None:
    done = bring(RULES)
    (done.sheet.parent / "game.toml").write_text("", "utf-8")
    bring(RULES)
    assert load(root, packs).skipped == {}
