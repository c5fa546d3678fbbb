"""Corpus files -> a linked corpus that holds only what is sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import Edit, write_corpus
from ruleslawyer.blocks import Block, Span
from ruleslawyer.corpus import load
from ruleslawyer.errors import DataProblem, nearest
from ruleslawyer.model import Corpus, Position, Source

EN, ES, ZH = "harbour/rules.en.md", "harbour/rules.es.md", "harbour/rules.zh.md"


def sound(root: Path) -> Corpus:
    loaded = load(root)
    assert loaded.problems == ()
    return loaded.corpus


def assert_linked(corpus: Corpus) -> None:
    """Every id that is named anywhere in the corpus exists in it, and no parents lead in a circle."""
    for entry in corpus.entries.values():
        game = corpus.games[entry.game]
        assert entry.links <= corpus.entries.keys()
        assert {f"{game.id}/{rule}" for rule in entry.rests_on} <= corpus.entries.keys()
        assert set(entry.sources) <= game.sources.keys()
        above = entry
        for _ in corpus.entries:
            above = corpus.entries[f"{game.id}/{above.parent}"] if above.parent else above
        assert not above.parent
    for game in corpus.games.values():
        assert {f"{game.id}/{t.entry}" for t in game.terms} <= corpus.entries.keys()
        assert {f"{game.id}/{e}" for d in game.disputes for e in d.entries} <= corpus.entries.keys()
        assert {s for d in game.disputes for p in d.positions for s in p.sources} <= game.sources.keys()


def test_entries_come_in_corpus_order_with_their_parents(tmp_path: Path) -> None:
    corpus = sound(write_corpus(tmp_path))
    assert [(e.order, e.name, e.kind, e.parent) for e in corpus.entries.values()] == [
        (0, "harbour/turn", "rule", ""),
        (1, "harbour/trade-routes", "rule", "turn"),
        (2, "harbour/docks", "rule", ""),
        (3, "harbour/crossing-routes", "faq", "trade-routes"),
        (4, "lanterns/light", "rule", ""),
        (5, "lanterns/wind", "info", "light"),
    ]
    assert_linked(corpus)


def test_an_entry_in_its_languages(tmp_path: Path) -> None:
    entry = sound(write_corpus(tmp_path)).entries["harbour/docks"]
    assert {lang: (t.title, t.file, t.line, t.plain) for lang, t in entry.texts.items()} == {
        "en": ("Docks", EN, 18, "Each dock holds 1.5 crates, or 1 lantern."),
        "es": ("Muelles", ES, 18, "En cada muelle caben 1,5 cajas o 1 farol."),
        "zh": ("码头", ZH, 18, "每个码头放1.5个箱子，或者1盏灯笼。"),
    }
    assert entry.texts["es"].markdown == "En cada muelle caben 1,5 cajas\no 1 [farol](lanterns#light)."


def test_links_become_full_names(tmp_path: Path) -> None:
    corpus = sound(write_corpus(tmp_path))
    page = Span(38, 42, "link", "source:harbour-page")
    assert corpus.entries["harbour/docks"].links == {"lanterns/light"}
    assert corpus.entries["harbour/turn"].links == {"harbour/docks"}
    assert corpus.entries["harbour/trade-routes"].texts["en"].blocks == (
        Block("p", "A route joins 2 harbours of Level II (page).", spans=(page,)),
        Block("item", "Pay 3 coins.", 1, "1."),
        Block("item", "Place a ship.", 1, "2."),
    )


def test_attributes(tmp_path: Path) -> None:
    corpus = sound(write_corpus(tmp_path))
    assert corpus.entries["harbour/crossing-routes"].rests_on == ("trade-routes", "docks")
    assert corpus.entries["harbour/trade-routes"].players == "2-4"
    assert corpus.entries["harbour/trade-routes"].sources == ("harbour-book", "harbour-page")
    assert corpus.entries["harbour/turn"].texts["en"].aliases == ("round", "go")
    assert corpus.entries["harbour/turn"].texts["zh"].aliases == ()


def test_asks_are_there_in_every_language_also_where_the_text_is_english_only(tmp_path: Path) -> None:
    corpus = sound(write_corpus(tmp_path))
    asks = corpus.entries["lanterns/wind"].asks
    assert asks["es"][0] == "wind doubt 1"
    assert {lang: len(texts) for lang, texts in asks.items()} == {"en": 7, "es": 7, "zh": 7}
    assert corpus.languages == ("en", "es", "zh")


def test_a_game(tmp_path: Path) -> None:
    game = sound(write_corpus(tmp_path)).games["harbour"]
    assert (game.title["zh"], game.languages, game.updated) == ("海港", ("en", "es", "zh"), "2026-11-29")
    assert game.aliases == ("HRB",)
    assert game.facts == {"players": "2-4", "minutes": "45", "age": "10+"}
    assert game.documents[("rule", "es")] == "Reglas"
    assert game.documents[("faq", "zh")] == "问答"
    about = {"en": "A page about routes.", "es": "Una página sobre rutas.", "zh": "关于航线的网页。"}
    assert game.sources["harbour-page"] == Source(
        "harbour-page", "public page", "es", "Puerto", "https://example.org/harbour", "2026-05", about
    )


def test_terms_and_disputes(tmp_path: Path) -> None:
    game = sound(write_corpus(tmp_path)).games["harbour"]
    (term,) = game.terms
    assert (term.id, term.entry, term.forms["en"]) == ("route", "trade-routes", ("route", "line"))
    (dispute,) = game.disputes
    assert (dispute.id, dispute.entries) == ("empty-docks", ("docks", "turn"))
    assert (dispute.status, dispute.basis, dispute.basis_sources) == ("open", "unknown", ("harbour-page",))
    assert dispute.positions == (Position(("harbour-book",), {"en": "Nothing.", "es": "Nada.", "zh": "没有说。"}),)


def test_the_parent_of_a_faq_may_be_left_to_its_heading(tmp_path: Path) -> None:
    edits = [Edit(f"harbour/faq.{lang}.md", ' parent="trade-routes"', "") for lang in ("en", "es", "zh")]
    assert sound(write_corpus(tmp_path, *edits)).entries["harbour/crossing-routes"].parent == ""


# --- what is unsound is left out ------------------------------------------------------------------------------------


def left(tmp_path: Path, *edits: Edit) -> Corpus:
    loaded = load(write_corpus(tmp_path, *edits))
    assert loaded.problems
    assert_linked(loaded.corpus)
    return loaded.corpus


def test_a_text_with_a_fault_is_left_out_and_its_translations_stay(tmp_path: Path) -> None:
    corpus = left(tmp_path, Edit(EN, "1.5 crates", "<b>1.5</b> crates"))
    assert list(corpus.entries["harbour/docks"].texts) == ["es", "zh"]


def test_an_entry_without_a_sound_text_is_left_out_with_all_that_names_it(tmp_path: Path) -> None:
    corpus = left(tmp_path, Edit("lanterns/rules.en.md", "2 spaces", "2 <spaces"))
    assert "lanterns/light" not in corpus.entries
    assert corpus.entries["lanterns/wind"].parent == ""
    assert corpus.entries["harbour/docks"].links == frozenset()
    assert corpus.entries["harbour/docks"].texts["en"].plain == "Each dock holds 1.5 crates, or 1 lantern."


def test_what_a_left_out_entry_is_named_by_goes_with_it(tmp_path: Path) -> None:
    edits = [Edit(f"harbour/rules.{lang}.md", "players=", "player=") for lang in ("en", "es", "zh")]
    corpus = left(tmp_path, *edits)
    assert corpus.entries["harbour/crossing-routes"].rests_on == ("docks",)
    assert corpus.entries["harbour/crossing-routes"].parent == "turn"
    assert corpus.games["harbour"].terms == ()


def test_a_faulty_faq_is_left_out(tmp_path: Path) -> None:
    edits = [Edit(f"harbour/faq.{lang}.md", "routes docks", "roues docks") for lang in ("en", "es", "zh")]
    assert "harbour/crossing-routes" not in left(tmp_path, *edits).entries


@pytest.mark.parametrize(
    "edit",
    [
        Edit("harbour/asks.en.toml", '  "docks doubt 7",\n', ""),
        Edit(ES, 'players="2-4"', 'players="2-3"'),
        Edit(ES, "## Muelles {#docks", "## Muelles {#quays"),
        Edit("harbour/gloss.toml", "", "x"),
    ],
)
def test_faults_of_asks_translation_and_files_leave_out_no_entry(tmp_path: Path, edit: Edit) -> None:
    corpus = left(tmp_path, edit)
    assert "en" in corpus.entries["harbour/docks"].texts
    assert corpus.entries["harbour/trade-routes"].players == "2-4"


@pytest.mark.parametrize(
    "edit",
    [
        Edit("lanterns/game.toml", "updated = 2026-11-28\n", ""),
        Edit("lanterns/game.toml", "title.en", "title.en = = "),
    ],
)
def test_a_game_whose_file_is_broken_is_left_out_and_the_others_stay(tmp_path: Path, edit: Edit) -> None:
    assert list(left(tmp_path, edit).games) == ["harbour"]


def test_a_document_without_front_matter_is_left_out(tmp_path: Path) -> None:
    corpus = left(tmp_path, Edit(ZH, "+++\ntitle", "---\ntitle"))
    assert list(corpus.entries["harbour/docks"].texts) == ["en", "es"]
    assert ("rule", "zh") not in corpus.games["harbour"].documents


def test_faulty_sources_terms_and_disputes_are_left_out(tmp_path: Path) -> None:
    game = left(
        tmp_path,
        Edit("harbour/game.toml", "https://example.org/harbour", "javascript:x"),
        Edit("harbour/glossary.toml", 'forms.es = ["ruta"]\n', ""),
    ).games["harbour"]
    assert list(game.sources) == ["harbour-book"]
    assert game.terms == ()
    assert game.disputes[0].basis_sources == ()


def test_a_circle_of_parents_is_cut(tmp_path: Path) -> None:
    corpus = left(tmp_path, Edit("harbour/faq.en.md", 'parent="trade-routes"', 'parent="crossing-routes"'))
    assert corpus.entries["harbour/crossing-routes"].parent == ""


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match="no corpus folder at"):
        load(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("trade-roues", ["docks", "trade-routes", "turn"], "did you mean 'trade-routes'?"),
        ("TURN", ["docks", "turn"], "did you mean 'turn'?"),
        ("xyz", ["b", "a"], "known: 'a', 'b'"),
        ("xyz", ["aaa", "bbb", "ccc", "ddd", "eee", "fff", "ggg"], ""),
        ("xyz", [], ""),
    ],
)
def test_nearest(word: str, known: list[str], hint: str) -> None:
    assert nearest(word, known) == hint
