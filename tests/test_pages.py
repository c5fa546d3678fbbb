"""Corpus -> page contexts: what a page says, in which language, sorted how."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corpora import Edit, write_corpus
from ruleslawyer.collation import group, sort_key
from ruleslawyer.corpus import load
from ruleslawyer.glossing import Glossary, glossaries
from ruleslawyer.model import Corpus, Term
from ruleslawyer.pages import Page, plan
from ruleslawyer.places import locales_folder
from ruleslawyer.richtext import Mark, Target, to_html
from ruleslawyer.views import DocumentPage, EntriesPage, EntryView, GamePage, HomePage
from ruleslawyer.words import interface_languages

LANGUAGES = ("en", "es", "zh")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return load(write_corpus(tmp_path)).corpus


def pages(corpus: Corpus) -> dict[str, Page]:
    return {page.path: page for page in plan(corpus, LANGUAGES)}


def document(corpus: Corpus, path: str) -> DocumentPage:
    view = pages(corpus)[path].view
    assert isinstance(view, DocumentPage)
    return view


def entry(corpus: Corpus, path: str, name: str) -> EntryView:
    return next(view for view in document(corpus, path).entries if view.id == name)


def test_every_page_exists_in_every_interface_language(corpus: Corpus) -> None:
    paths = pages(corpus).keys()
    inner = {lang: {p.partition("/")[2] for p in paths if p.startswith(f"{lang}/")} for lang in LANGUAGES}
    assert inner["en"] == inner["es"] == inner["zh"]
    assert {"index.html", "harbour/rules/index.html", "harbour/faq/index.html", "lanterns/rules/index.html"} < inner[
        "en"
    ]
    assert {"search/index.html", "entries/index.html", "404.html", "harbour/glossary/index.html"} < inner["en"]
    assert {"index.html", "404.html"} < paths


def test_an_entry_knows_what_rests_on_it_and_who_refers_to_it(corpus: Corpus) -> None:
    routes = entry(corpus, "en/harbour/rules/index.html", "trade-routes")
    assert [(x.name, x.href) for x in routes.faq] == [("harbour/crossing-routes", "../faq/index.html#crossing-routes")]
    assert routes.referred_by == ()
    docks = entry(corpus, "en/harbour/rules/index.html", "docks")
    assert [(x.name, x.href) for x in docks.referred_by] == [("harbour/turn", "#turn")]
    assert [(s.id, s.address, s.date) for s in routes.sources] == [
        ("harbour-book", "", ""),
        ("harbour-page", "https://example.org/harbour", "2026-05"),
    ]
    assert [(d.status, d.ruling.text, d.positions[0].says.text) for d in docks.disputes] == [
        ("open", "Not settled.", "Nothing.")
    ]
    assert [(choice.tag, choice.href) for choice in docks.others] == [
        ("es", "../../../es/harbour/rules/index.html#docks"),
        ("zh-Hans", "../../../zh/harbour/rules/index.html#docks"),
    ]
    assert (routes.level, docks.level) == (3, 2)


def test_a_question_says_what_it_rests_on(corpus: Corpus) -> None:
    question = entry(corpus, "es/harbour/faq/index.html", "crossing-routes")
    assert [link.label.text for link in question.rests_on] == ["Rutas comerciales", "Muelles"]
    assert question.part_of and question.part_of.href == "../rules/index.html#trade-routes"


@pytest.mark.parametrize("lang", ["es", "zh"])
def test_a_text_without_translation_is_marked_and_said_to_be(corpus: Corpus, lang: str) -> None:
    english = {"es": "inglés", "zh": "英文"}[lang]
    page = document(corpus, f"{lang}/lanterns/rules/index.html")
    assert english in page.notice
    assert {(view.tag, view.title.lang) for view in page.entries} == {("en", "en")}
    assert all(english in view.notice for view in page.entries)
    assert document(corpus, f"{lang}/harbour/rules/index.html").notice == ""
    game = pages(corpus)[f"{lang}/lanterns/index.html"].view
    assert isinstance(game, GamePage) and game.title.lang == "en" and english in game.notice


def test_a_game_says_in_the_readers_words_in_which_languages_it_is_written(corpus: Corpus) -> None:
    home = pages(corpus)["es/index.html"].view
    assert isinstance(home, HomePage)
    assert [card.languages for card in home.games] == [("inglés", "español", "chino"), ("inglés",)]


def test_home_lists_the_games_and_questions_to_begin_with(corpus: Corpus) -> None:
    home = pages(corpus)["zh/index.html"].view
    assert isinstance(home, HomePage)
    assert [(game.title.text, game.title.lang) for game in home.games] == [("海港", ""), ("Lanterns", "en")]
    assert [link.label.text for link in home.asked] == ["航线可以交叉吗？"]


def test_a_source_address_that_is_not_of_the_web_is_no_link(corpus: Corpus, tmp_path: Path) -> None:
    from ruleslawyer.entryviews import web_address

    assert web_address("http://example.org/a?b") == "http://example.org/a?b"
    for address in ("javascript:alert(1)", "data:text/html,x", "//example.org", "https:", "http://[", " JavaScript:x"):
        assert web_address(address) == ""


# --- sorted as the language sorts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "es"])
def test_latin_titles_are_sorted_with_enye_after_n_and_accents_folded(lang: str) -> None:
    titles = ["Zona", "Ñu", "Nube", "Ábaco", "Empate", "¿Nunca?", "Abaco", "An\u0303o"]
    ordered = ["Abaco", "Ábaco", "An\u0303o", "Empate", "Nube", "¿Nunca?", "Ñu", "Zona"]
    assert sorted(titles, key=lambda title: sort_key(title, lang)) == ordered
    assert [group(title, lang) for title in ordered] == ["A", "A", "A", "E", "N", "N", "Ñ", "Z"]


def test_chinese_titles_are_sorted_by_pinyin() -> None:
    titles = ["总分", "回合", "行动", "“码头”", "控制", "二人局", "BGG 排名", "3人局"]
    ordered = ["3人局", "BGG 排名", "二人局", "回合", "控制", "“码头”", "行动", "总分"]
    assert sorted(titles, key=lambda title: sort_key(title, "zh")) == ordered
    assert [group(title, "zh") for title in ordered] == ["#", "B", "E", "H", "K", "M", "X", "Z"]


def test_the_a_to_z_lists_every_entry_once_under_its_letter(tmp_path: Path) -> None:
    edits = [
        Edit("harbour/rules.es.md", "## Turno {", "## Ñandú {"),
        Edit("harbour/rules.es.md", "## Muelles {", "## Ábaco {"),
        Edit("harbour/rules.es.md", "### Rutas comerciales {", "### Nube {"),
    ]
    corpus = load(write_corpus(tmp_path, *edits)).corpus
    view = pages(corpus)["es/entries/index.html"].view
    assert isinstance(view, EntriesPage)
    assert [(letter, [link.label.text for link in links]) for letter, _, links in view.groups] == [
        ("A", ["Ábaco"]),
        ("L", ["Light"]),
        ("N", ["Nube"]),
        ("Ñ", ["Ñandú"]),
        ("S", ["¿Se cruzan las rutas?"]),
        ("W", ["Wind"]),
    ]
    assert sum(len(links) for _, _, links in view.groups) == len(corpus.entries)


# --- texts ------------------------------------------------------------------------------------------------------------


def html(markdown: str) -> str:
    return to_html(markdown, lambda target: Target(f"x.html{target}", target) if target.startswith("#") else None)


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("**注意：**每轮只能行动一次。", "<p><strong>注意：</strong>每轮只能行动一次。</p>"),
        ("这是**「重点」**规则", "<p>这是<strong>「重点」</strong>规则</p>"),
        ("*¡Ojo!*turno", "<p><em>¡Ojo!</em>turno</p>"),
        ("占领神殿的玩家\n可以再掷一次。", "<p>占领神殿的玩家可以再掷一次。</p>"),
        ("Draw a card\nand play it.", "<p>Draw a card and play it.</p>"),
        ("占领\n**神殿**", "<p>占领<strong>神殿</strong></p>"),
        ("- one\n- two", "<ul><li>one</li>\n<li>two</li>\n</ul>"),
        ("3. three", '<ol start="3"><li>three</li>\n</ol>'),
        ("**Example:** yes", '<p class="example"><strong>Example:</strong> yes</p>'),
        ("`<b>`", "<p><code>&lt;b&gt;</code></p>"),
        ("[a](#b)", '<p><a class="ref" href="x.html#b" data-name="#b">a</a></p>'),
    ],
)
def test_markdown_becomes_html(markdown: str, expected: str) -> None:
    assert html(markdown).strip() == expected


def test_a_table_scrolls_by_itself_and_needs_no_inline_style() -> None:
    table = html("| a | b |\n|---|--:|\n| 1 | 2 |")
    assert table.startswith('<div class="table"') and '<td class="right">2</td>' in table
    assert "style=" not in table


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "[x](javascript:alert(1))",
    '[x](#a"onclick="alert(1))',
    "![x](javascript:alert(1))",
    "<!-- --><b>",
    "```\n</code><script>\n```",
    "a\u2028b",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_can_add_a_tag_or_an_attribute(text: str) -> None:
    shown = html(text)
    bare = shown.replace("<p>", "").replace("</p>", "")
    assert "<script" not in shown and "<img" not in shown and "<!--" not in shown and "<b>" not in bare
    assert 'href="javascript' not in shown and '"onclick' not in shown


# --- terms ------------------------------------------------------------------------------------------------------------


def marked(term: str, text: str, lang: str, entry: str = "elsewhere") -> list[str]:
    glossary = Glossary([Term("t", "home", {lang: (term, "other")}, {lang: "."})], lang)
    return [text[m.start : m.end] for m in glossary.for_entry(entry)(text)]


@pytest.mark.parametrize(
    ("term", "text", "lang", "found"),
    [
        ("action pawn", "Move the Action Pawns, then the action pawn.", "en", ["Action Pawns"]),
        ("action pawn", "An action. Pawn takes.", "en", []),
        ("peón de acción", "Los peones de acción.", "es", ["peones de acción"]),
        ("行动棋", "把行动棋放下。", "zh", ["行动棋"]),
        ("级", "等级高", "zh", []),
        ("re-roll", "You may re roll.", "en", ["re roll"]),
        ("other", "another", "en", []),
        ("2 players", "A 2-player game.", "en", ["2-player"]),
        ("majority", "Both majorities.", "en", ["majorities"]),
        ("Wasser", "Die Wassers.", "de", ["Wassers"]),
        ("nave", "Las naves.", "es", ["naves"]),
        ("luz", "Dos luces.", "es", ["luces"]),
        ("sol", "Solo la sola palabra.", "es", []),
        ("mejorar", "Cuantas más, mejor.", "es", []),
        ("colonize", "Before the colon.", "en", []),
        ("direct", "In any direction.", "en", []),
        ("explorer", "Who explores?", "en", []),
        ("turn", "Cards turned up.", "en", []),
    ],
)
def test_terms_are_found_in_singular_and_plural_and_in_no_other_word_of_their_stem(
    term: str, text: str, lang: str, found: list[str]
) -> None:
    assert marked(term, text, lang) == found


def test_a_term_with_an_everyday_meaning_is_left_unmarked_if_the_glossary_says_so(tmp_path: Path) -> None:
    def marked_of(name: str, *edits: Edit) -> list[str]:
        game = load(write_corpus(tmp_path / name, *edits)).corpus.games["harbour"]
        text = " ".join(term.forms["en"][0] for term in game.terms)
        return [text[m.start : m.end] for m in glossaries(game.terms, ["en"])["en"].for_entry("x")(text)]

    assert marked_of("marked") == ["route"]
    assert marked_of("not", Edit("harbour/glossary.toml", 'id = "route"', 'id = "route"\nmarked = false')) == []


def test_an_entry_does_not_explain_its_own_term() -> None:
    assert marked("dock", "A dock.", "en", entry="home") == []


def test_the_longest_term_wins_and_links_are_left_alone() -> None:
    terms = [Term(n, "home", {"en": (form,)}, {"en": "."}) for n, form in (("a", "ship"), ("b", "ship level"))]
    gloss = Glossary(terms, "en").for_entry("x")
    assert list(gloss("A ship level counts.")) == [Mark(2, 12, "_term-b")]
    shown = to_html("[ship](#a) ship", lambda t: Target("#a", "g/a"), Glossary(terms, "en").for_entry("x"))
    assert shown.count("<button") == 1 and ">ship</a> <button" in shown


def test_interface_words_have_the_same_keys_and_values_in_all_languages() -> None:
    fields = {}
    for lang in interface_languages():
        words: dict[str, str] = json.loads((locales_folder() / f"{lang}.json").read_text("utf-8"))
        fields[lang] = {key: sorted(re.findall(r"{(\w+)}", text)) for key, text in words.items()}
    assert fields["en"] == fields["es"] == fields["zh"]
