"""Small inputs that break rules searches and sites, in a real browser: each row of the table of known faults.

The other rows are data of the corpus (18) or stand with their subject (17 in ``test_browser_pages.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from browsers import Watch
from corpora import Edit, write_corpus
from ruleslawyer.corpus import load
from ruleslawyer.website import build_site
from sites import searchable_without_terms
from tiny import Line, corpus_of

RESTING = "[data-results]:not([aria-busy])"


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page without a network that fails its test on any complaint of the browser."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    found = context.new_page()
    watch = Watch(found)
    yield found
    context.close()
    assert watch.complaints == []
    assert {url.partition(":")[0] for url in watch.requests} == {"file"}


def ask(page: Any, question: str) -> list[str]:
    """Type a question into the search page and wait for its answer: ids, in order."""
    page.fill("#_question", question)
    page.wait_for_selector(RESTING, state="attached")
    listed = "all => all.map(item => item.dataset.entry.split('/')[1])"
    found: list[str] = page.eval_on_selector_all("[data-results] > li", listed)
    return found


# --- searching --------------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """Entries, and for each question the ids that answer it, in order; of ``near`` ones only the first is looked at."""

    lines: tuple[Line, ...]
    lang: str
    found: Mapping[str, str]
    near: Mapping[str, str] = {}


def lines(lang: str, **texts: str) -> tuple[Line, ...]:
    return tuple(Line(text, lang, title=name, id=name) for name, text in texts.items())


ROWS = {
    "1-2 a chinese sentence is more than one word": Row(
        lines("zh", temple="占领中央神殿的玩家可以再掷一次骰子。", cards="每人抽两张牌。"),
        "zh",
        {"神殿": "temple", "殿": "temple", "掷骰子": "temple"},
    ),
    "3 small words are found in english": Row(
        lines("en", lantern="A lantern may not move.", draw="Player A draws 1 card.", boat="Boats sail west."),
        "en",
        {"may not": "lantern", "1": "draw", "A": "lantern draw"},
    ),
    "3 small words are found in spanish": Row(
        lines("es", mover="El jugador no puede mover.", poder="Sí, se puede.", barco="Un barco grande."),
        "es",
        {"no": "mover", "sí": "poder"},
    ),
    "4 a phrase keeps its small words": Row(
        lines("en", lantern="A lantern may not move.", boat="A boat may move."), "en", {'"may not move"': "lantern"}
    ),
    "5 accents may be left out and count where they are typed": Row(
        lines("es", fin="Reglas de eliminación.", edad="El año del niño.", otro="El ano."),
        "es",
        {"eliminacion": "fin", "nino": "edad", "año": "edad otro", "ano": "otro edad"},
    ),
    "6 composed and decomposed letters are the same": Row(
        lines("es", una="La fundación.", otra="La fundacio\u0301n."),
        "es",
        {"fundación": "una otra", "fundacio\u0301n": "una otra"},
    ),
    "8 hyphens part and join": Row(
        lines("en", die="Re-roll the die.", variant="A two-player variant.", count="For 3-4 players."),
        "en",
        {"reroll": "die", "re roll": "die", "re-roll": "die", "3-4": "count"},
        {"two player": "variant"},
    ),
    "9 whatever is typed is literal": Row(
        lines("es", final="¿Quién gana? Gana quien tiene más.", tie="¡Empate!", what="What wins?"),
        "es",
        {"quien": "final", "quién": "final", "¿Quién gana?": "final", "¡Empate!": "tie", "what?": "what"},
        {'"empate': "tie", "empate ((": "tie"},
    ),
    "10 a number finds what is under it": Row(
        lines("en", one="Rule 3.1 is short.", two="Rule 3.1.2 is long.", ten="Rule 3.10 is another."),
        "en",
        {"3.1": "one two"},
    ),
    "11 the entry of that name comes first": Row(
        (
            Line("Go back one space.", title="Retreat", id="short"),
            Line(" ".join(["Units may retreat after combat; a retreat costs 1."] * 5), title="Combat", id="long"),
        ),
        "en",
        {"retreat": "short long"},
    ),
    "16 traditional and full-width characters are the same": Row(
        lines("zh", phase="弃牌阶段结束。", chapter="见第3章。"),
        "zh",
        {"棄牌階段": "phase", "第３章": "chapter", "３": "chapter"},
    ),
}
"""Every row of the table of known faults that is about searching; rows 7, 13, 15 and 17 have tests of their own."""


@pytest.mark.parametrize("name", ROWS)
def test_known_faults_of_searching_are_not_ours(page: Any, tmp_path: Path, name: str) -> None:
    row = ROWS[name]
    site = searchable_without_terms(corpus_of(*row.lines), tmp_path / "site")
    page.goto(f"{site.as_uri()}/{row.lang}/search/index.html")
    for question, ids in row.found.items():
        assert " ".join(ask(page, question)) == ids, question
        assert page.query_selector(".result-first") and page.query_selector("[data-results] mark"), question
    for question, first in row.near.items():
        assert ask(page, question)[:1] == [first], question


@pytest.mark.parametrize("typed", ["what?", "((", "a AND", "NOT", "*", '"unclosed', ".", "(", "-", '"', "game:", "x:y"])
def test_no_question_is_an_error(page: Any, tmp_path: Path, typed: str) -> None:
    """Row 9: the page's fixture fails on any complaint of the browser."""
    site = searchable_without_terms(
        corpus_of("A lantern may not move.", "What is a boat? See AND, NOT."), tmp_path / "site"
    )
    page.goto(f"{site.as_uri()}/en/search/index.html")
    ask(page, typed)
    assert page.inner_text("[data-search-status]")
    assert ask(page, "lantern")[0] == "umbra", "and the next one is answered"


def test_markup_in_a_text_is_text(page: Any, tmp_path: Path) -> None:
    """Row 7."""
    text = '<span class="emph">Move</span> 3 warriors, see 3.1 or 3x1'
    site = searchable_without_terms(
        corpus_of(Line(text, title="Warriors", id="warriors"), "Boats sail."), tmp_path / "site"
    )
    page.goto(f"{site.as_uri()}/en/search/index.html")
    marked = "[...document.querySelectorAll('.result-text mark')].map(mark => mark.textContent)"
    for typed, marks in {"span": ["span", "span"], "3.1": ["3.1"], "warriors": ["warriors"]}.items():
        assert ask(page, typed) == ["warriors"]
        assert page.evaluate(marked) == marks, typed
        assert page.inner_text(".result-text") == text
    for typed in ("(", "."):
        ask(page, typed)
        assert page.query_selector(".result-first") is None
    page.goto(f"{site.as_uri()}/en/harbour/rules/index.html")
    assert page.inner_text("#warriors .text") == text
    assert page.query_selector("span.emph") is None


def test_a_copied_folder_is_searched_and_leads_on_without_a_network(page: Any, tmp_path: Path) -> None:
    """Row 13: the folder's name has spaces and Chinese characters, and is opened by double-click."""
    folder = tmp_path / "juegos de mesa" / "站点"
    folder.parent.mkdir()
    searchable_without_terms(load(write_corpus(tmp_path / "corpus")).corpus, tmp_path / "site").rename(folder)
    page.goto((folder / "index.html").as_uri())
    page.wait_for_url("**/en/index.html")
    page.fill("#_seek", "trade routes")
    page.wait_for_selector("[data-answers] ol:not([aria-busy]) li")
    page.click("[data-answers] a.result-title >> nth=0")
    page.wait_for_url("**/en/harbour/rules/index.html#trade-routes")
    assert page.is_visible("#trade-routes")


def test_a_sentence_over_two_lines_is_found_across_the_break(page: Any, tmp_path: Path) -> None:
    """Row 15, from the file to the page."""
    edit = Edit("harbour/rules.zh.md", "移动1艘船，然后", "占领中央神\n殿的玩家再掷一次。移动1艘船，然后")
    site = searchable_without_terms(load(write_corpus(tmp_path / "corpus", edit)).corpus, tmp_path / "site")
    page.goto(f"{site.as_uri()}/zh/search/index.html")
    assert ask(page, "中央神殿")[0] == "turn"
    assert "占领中央神殿的玩家" in page.inner_text(".result-text")
    assert "神殿" in "".join(page.eval_on_selector_all(".result-text mark", "all => all.map(mark => mark.textContent)"))
    page.goto(f"{site.as_uri()}/zh/harbour/rules/index.html")
    assert "占领中央神殿的玩家" in page.inner_text("#turn .text")


# --- reading -----------------------------------------------------------------------------------------------------------


def test_old_links_reach_their_own_section_when_another_of_that_name_is_added(page: Any, tmp_path: Path) -> None:
    """Row 12."""
    added = '\n## 例子 {#example-0 sources="harbour-book"}\n\n零。\n'
    old = "".join(
        f'\n## 例子 {{#example-{n} sources="harbour-book"}}\n\n{text}\n' for n, text in ((1, "一。"), (2, "二。"))
    )
    for name, text in (("before", old), ("after", added + old)):
        edits = [Edit(f"harbour/rules.{lang}.md", "", text) for lang in ("en", "es", "zh")]
        site = build_site(load(write_corpus(tmp_path / name, *edits)).corpus, tmp_path / f"{name}-site").parent
        for number, word in (("1", "一。"), ("2", "二。")):
            page.goto(f"{site.as_uri()}/zh/harbour/rules/index.html#example-{number}")
            assert page.locator(":target .text").inner_text() == word, name


def test_chinese_emphasis_and_line_breaks_render_right(page: Any, tmp_path: Path) -> None:
    """Rows 14 and 15: no asterisk is left, no gap is seen where the source breaks its line."""
    text = "**注意：**每轮只能行动一次。这是**「重点」**规则。*¡Ojo!*turno。占领中央神\n殿的玩家可以再掷一次。移动1艘船，然后"
    edit = Edit("harbour/rules.zh.md", "移动1艘船，然后", text)
    site = build_site(load(write_corpus(tmp_path / "corpus", edit)).corpus, tmp_path / "site").parent
    page.goto(f"{site.as_uri()}/zh/harbour/rules/index.html")
    shown = page.locator("#turn .text")
    assert "*" not in shown.inner_text()
    assert shown.locator("strong").all_inner_texts() == ["注意：", "「重点」"]
    assert shown.locator("em").all_inner_texts() == ["¡Ojo!"]
    gap = page.evaluate("""() => {
      const text = document.createTreeWalker(document.querySelector("#turn .text"), NodeFilter.SHOW_TEXT);
      while (!text.nextNode().data.includes("中央神殿"));
      const at = text.currentNode.data.indexOf("神殿");
      const range = document.createRange();
      const box = n => {
        range.setStart(text.currentNode, n);
        range.setEnd(text.currentNode, n + 1);
        return range.getBoundingClientRect();
      };
      return box(at + 1).left - box(at).right;
    }""")
    assert abs(gap) < 1
