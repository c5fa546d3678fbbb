"""The boxes to search in, as fingers and mice use them: filters, keys, what is open, and data that do not come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from browsers import served
from corpora import write_corpus
from ruleslawyer.corpus import load
from ruleslawyer.words import words_in
from sites import searchable

ENTRIES = "[...document.querySelectorAll('[data-results] > li')].map(li => li.dataset.entry)"
FOCUSED = "document.activeElement.id"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site of the tiny corpus, served."""
    folder = tmp_path_factory.mktemp("box")
    corpus = load(write_corpus(folder / "corpus")).corpus
    with served(searchable(corpus, folder / "site")) as found:
        yield found


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page without a service worker, so that tests decide what comes over the network."""
    context = browser.new_context(service_workers="block")
    yield context.new_page()
    context.close()


def answered(page: Any, *entries: str) -> None:
    """Wait until these entries are listed on the search page."""
    page.wait_for_function(f"wanted => JSON.stringify({ENTRIES}) === JSON.stringify(wanted)", arg=list(entries))


def test_a_filter_that_is_chosen_is_asked_with_at_once_and_stands_in_the_address(page: Any, address: str) -> None:
    page.goto(f"{address}/en/search/index.html?q=lantern")
    answered(page, "harbour/docks", "lanterns/light")
    page.select_option("select[name=game]", "harbour")
    answered(page, "harbour/docks")
    assert page.url.endswith("?q=lantern&game=harbour")
    page.select_option("select[name=game]", "")
    answered(page, "harbour/docks", "lanterns/light")


def test_enter_on_the_search_page_asks_and_stays_there(page: Any, address: str) -> None:
    page.goto(f"{address}/en/search/index.html")
    page.evaluate("window.same = true")
    page.fill("#_question", "routes cross")
    page.press("#_question", "Enter")
    page.wait_for_selector("[data-results] > li")
    assert page.evaluate(ENTRIES)[0] == "harbour/crossing-routes"
    assert page.evaluate("window.same") and page.url.endswith("?q=routes+cross")


def test_escape_in_the_list_goes_back_to_an_empty_box_and_in_an_empty_box_does_nothing(page: Any, address: str) -> None:
    page.goto(f"{address}/en/search/index.html?q=lantern")
    page.wait_for_selector("[data-results] > li")
    page.focus("#_question")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('li').dataset.entry") == "lanterns/light", "there is no third"
    page.keyboard.press("x")
    page.keyboard.press("Escape")
    assert page.evaluate(FOCUSED) == "_question"
    answered(page)
    assert (page.input_value("#_question"), page.inner_text("[data-search-status]")) == ("", "")
    page.keyboard.press("Escape")
    assert page.evaluate(FOCUSED) == "_question"


def test_a_slash_goes_to_the_box_but_is_a_slash_where_one_writes(page: Any, address: str) -> None:
    page.goto(f"{address}/en/search/index.html")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+/")
    assert page.evaluate(FOCUSED) != "_question"
    page.keyboard.press("/")
    assert page.evaluate(FOCUSED) == "_question"
    page.keyboard.type("1/2")
    assert page.input_value("#_question") == "1/2"


def test_the_answers_under_the_header_close_when_one_is_followed_or_something_else_is_touched(
    page: Any, address: str
) -> None:
    page.goto(f"{address}/en/harbour/rules/index.html")
    page.fill("#_seek", "docks crates")
    page.wait_for_selector("[data-answers] li[data-entry='harbour/docks'] a")
    page.mouse.click(5, 5)
    assert page.is_hidden("[data-answers]")
    page.evaluate("document.activeElement.blur()")
    page.focus("#_seek")
    assert page.is_visible("[data-answers]")
    page.click("[data-answers] li[data-entry='harbour/docks'] a.result-title")
    page.wait_for_url("**#docks")
    assert page.is_hidden("[data-answers]")


PAGE_IN_PLACE = "<!doctype html><title>Not here</title>"
"""What some hosts answer with, and status 200, where a file is missing."""


@pytest.mark.parametrize(
    "data", ["search-data.js", "assets/search/core-*.js", "assets/search/words-en-*.js", "assets/search/texts-en-*.js"]
)
@pytest.mark.parametrize("fault", ["cut off", "gone", "another file in its place"])
def test_data_that_do_not_come_are_told_and_asked_for_again_at_the_next_question(
    page: Any, address: str, data: str, fault: str
) -> None:
    def answer(route: Any) -> None:
        came.append(route.request.url)
        match fault:
            case "cut off":
                route.abort()
            case "gone":
                route.fulfill(status=404, body=PAGE_IN_PLACE, content_type="text/html")
            case _:
                route.fulfill(body=PAGE_IN_PLACE, content_type="text/javascript")

    came: list[str] = []
    path = re.compile(f"/{data.replace('.', '[.]').replace('*', '[^/]+')}([?].*)?$")
    page.route(path, answer)
    page.goto(f"{address}/en/search/index.html")
    page.fill("#_question", "lantern")
    failed = words_in("en")("site.search.failed")
    page.wait_for_function("said => document.querySelector('[data-search-status]').innerText === said", arg=failed)
    assert page.evaluate(ENTRIES) == [] and len(came) >= 1
    assert page.evaluate("document.querySelector('[data-results]').ariaBusy") is None, "nothing is on its way"
    page.unroute(path)
    page.press("#_question", "Enter")
    answered(page, "harbour/docks", "lanterns/light")
    assert failed not in page.inner_text("[data-search-status]")
    assert page.locator("script[src*='search-data'], script[src*='/search/']").count() == 0, "no tag is left behind"


def test_of_a_very_long_question_only_the_beginning_is_repeated(page: Any, address: str) -> None:
    page.goto(f"{address}/en/search/index.html")
    page.fill("#_question", "zyx" * 200)
    page.wait_for_selector("[data-search-status] p")
    (said,) = (line for line in page.inner_text("[data-search-status]").split("\n") if line.endswith("…"))
    assert said == words_in("en")("nothing", query=f"{('zyx' * 200)[:199]}…")
