"""Searching in a browser: bytes over the wire and time to a painted result, beside Pagefind on the very same pages.

Both are asked in the same way: a fresh browser profile opens the search page, a question is put into its box, and the clock
stops when the first result is painted. Then questions are typed letter by letter. Service workers are off, so that nothing
is fetched in advance.
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.peers import peer, version
from benchmarks.report import Table, within
from benchmarks.synthetic import write_library
from benchmarks.timing import percentile, ratio, run_process, spread
from benchmarks.webserver import Host, served
from ruleslawyer.browserindex import browser_files
from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import load
from ruleslawyer.index import no_progress
from ruleslawyer.places import corpus_root
from ruleslawyer.website import build_site

QUESTIONS = {"en": "tie for control", "es": "fase de producción", "zh": "控制权平手"}
TYPED = {
    "en": ("can i repeat an action", "achivement", "victory points"),
    "es": ("puedo repetir la acción", "colonizzar", "puntos de victoria"),
    "zh": ("两人局几个成就结束", "飞船等级", "可以重复行动吗"),
}
TAGS = {"en": "en", "es": "es", "zh": "zh-Hans"}
"""The languages of our pages, by which Pagefind keeps an index each."""

FIRST_NOTE = """A fresh profile opens the search page (*page*), then a question is put into the box (*search*): bytes of all
answers, headers included, gzip where a host would compress. Time from the input to the first result painted; the
ratio is ours by Pagefind's. Ours shows the first answer whole, Pagefind an excerpt; its own delay
after a key press is set to 0."""
TYPING_NOTE = """Questions typed letter by letter, each letter once the last one's results are painted: milliseconds from the
input to painted results, among them the waiting that our box does before it asks again when the last answer was slow."""

PAGEFIND_PAGE = """<!doctype html><html lang="{tag}"><head><meta charset="utf-8"><title>Search</title>
<link href="../pagefind/pagefind-ui.css" rel="stylesheet"><script src="../pagefind/pagefind-ui.js"></script></head>
<body><div id="search"></div><script>
addEventListener("DOMContentLoaded", () =>
  new PagefindUI({{ element: "#search", showSubResults: true, showImages: false, debounceTimeoutMs: 0,
    translations: {{ searching: "(wait)", many_results: "(wait)", one_result: "(wait)", zero_results: "nothing" }} }}));
</script></body></html>
"""

PUT = """([input, result, text]) => new Promise((resolve, reject) => {
  const box = document.querySelector(input);
  let start = 0;
  const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  const changed = new MutationObserver(() => {
    if (![...document.querySelectorAll(result)].some((shown) => !shown.textContent.includes("(wait)"))) return;
    changed.disconnect();
    painted();
  });
  setTimeout(() => reject(new Error(`no result for ${text}`)), 30000);
  changed.observe(document.body, { childList: true, subtree: true });
  start = performance.now();
  box.focus();
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
})"""
"""Put a text into a box and wait for what ``result`` selects to be there, changed and painted. What says ``(wait)`` is no
answer: Pagefind tells that it searches, and how many results there are before it shows any."""


class Contender(NamedTuple):
    """A search in the browser: its page by language, and the selectors of its box and of what shows that it has answered."""

    page: str
    box: str
    result: str
    answered: str


OURS = "Rules Lawyer"
PAGEFIND = "Pagefind"
CONTENDERS = {
    OURS: Contender(
        "{lang}/search/index.html", "[data-search-form] input[name=q]", "[data-results] li", "[data-search-status] p"
    ),
    PAGEFIND: Contender(
        "pagefind-{lang}/index.html",
        ".pagefind-ui__search-input",
        ".pagefind-ui__result-link",
        ".pagefind-ui__message, .pagefind-ui__result-link",
    ),
}


class First(NamedTuple):
    """A first search: bytes of the page, bytes of the search, milliseconds to the first result."""

    page: int
    search: int
    milliseconds: float


def tables(work: Path, rounds: int, sizes: Sequence[int]) -> list[Table]:
    """Measure on the bundled corpus and on libraries of these sizes, in texts."""
    return [table for size in (0, *sizes) for table in _measure(work / str(size), rounds, size)]


def _measure(folder: Path, rounds: int, size: int) -> Iterator[Table]:
    texts = make_sites(folder, size)
    with served(folder / "site") as host, chromium() as browser:
        first = [_first_row(lang, {name: [] for name in CONTENDERS}, browser, host, rounds) for lang in QUESTIONS]
        typing = [row for lang in TYPED for row in [_typing_row(lang, browser, host)]]
    columns = [
        "language",
        *(f"{name} {what}" for name in CONTENDERS for what in ("page KB", "search KB", "ms")),
        "bytes",
        "time",
    ]
    yield Table(
        f"First search in the browser, {texts} texts (Pagefind {version('pagefind')})", FIRST_NOTE, columns, first
    )
    columns = [
        "language",
        "key presses",
        *(f"{name} {what}" for name in CONTENDERS for what in ("p50", "p95", "most")),
        "p95 ratio",
    ]
    yield Table(f"Key press to painted results, {texts} texts", TYPING_NOTE, columns, typing)


def make_sites(folder: Path, size: int) -> int:
    """Our website of a corpus in ``folder/site``, Pagefind's index of its pages beside them. Returns the number of texts."""
    folder.mkdir(parents=True, exist_ok=True)
    write_library(corpus_root(), folder / "corpus", size)
    corpus = load(folder / "corpus").corpus
    site = folder / "site"
    build_site(corpus, site, additions=browser_files(corpus, build_in_memory(corpus, no_progress)))
    run_process([peer("python"), "-m", "pagefind", "--site", str(site)])
    for lang, tag in TAGS.items():
        (site / f"pagefind-{lang}").mkdir()
        (site / f"pagefind-{lang}" / "index.html").write_text(PAGEFIND_PAGE.format(tag=tag), encoding="utf-8")
    return sum(len(entry.texts) for entry in corpus.entries.values())


# --- a first search ---------------------------------------------------------------------------------------------------


def _first_row(lang: str, found: dict[str, list[First]], browser: Any, host: Host, rounds: int) -> list[str]:
    for _ in range(rounds):
        for name, contender in CONTENDERS.items():
            found[name].append(first_search(browser, host, contender, lang))
    cells = [cell for values in found.values() for cell in _first_cells(values)]
    ours, theirs = found[OURS], found[PAGEFIND]
    weight = sum(ours[0][:2]) / sum(theirs[0][:2])
    speed = ratio([first.milliseconds for first in ours], [first.milliseconds for first in theirs])
    return [lang, *cells, f"{weight:.2f}", f"{speed.median:.2f}"]


def _first_cells(found: Sequence[First]) -> list[str]:
    times = spread([first.milliseconds for first in found])
    return [f"{found[0].page / 1000:.1f}", f"{found[0].search / 1000:.1f}", within(times, digits=0)]


def first_search(browser: Any, host: Host, contender: Contender, lang: str) -> First:
    """Open the search page in a fresh profile and ask the first question."""
    with fresh_page(browser) as page:
        start = host.sent
        page.goto(f"{host.address}/{contender.page.format(lang=lang)}", wait_until="networkidle")
        page.wait_for_selector(contender.box)
        opened = host.sent
        milliseconds = page.evaluate(PUT, [contender.box, contender.result, QUESTIONS[lang]])
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)
        return First(opened - start, host.sent - opened, float(milliseconds))


# --- typing -----------------------------------------------------------------------------------------------------------


def _typing_row(lang: str, browser: Any, host: Host) -> list[str]:
    times = {name: typing(browser, host, contender, lang) for name, contender in CONTENDERS.items()}
    cells = [f"{figure:.0f}" for values in times.values() for figure in _typing_figures(values)]
    compared = percentile(times[OURS], 0.95) / percentile(times[PAGEFIND], 0.95)
    return [lang, str(len(times[OURS])), *cells, f"{compared:.2f}"]


def _typing_figures(values: Sequence[float]) -> tuple[float, float, float]:
    return statistics.median(values), percentile(values, 0.95), max(values)


def typing(browser: Any, host: Host, contender: Contender, lang: str) -> list[float]:
    """Type all questions of a language; the first search, which loads the data, does not count."""
    with fresh_page(browser) as page:
        page.goto(f"{host.address}/{contender.page.format(lang=lang)}", wait_until="networkidle")
        page.wait_for_selector(contender.box)
        page.evaluate(PUT, [contender.box, contender.result, QUESTIONS[lang]])
        page.wait_for_load_state("networkidle")
        return [
            float(page.evaluate(PUT, [contender.box, contender.answered, question[: n + 1]]))
            for question in TYPED[lang]
            for n in range(len(question))
            if question[n] != " "
        ]


# --- the browser ------------------------------------------------------------------------------------------------------


@contextmanager
def chromium() -> Iterator[Any]:
    """The system's Chromium, driven by Playwright.

    Raises:
        RuntimeError: there is none.
    """
    from playwright.sync_api import sync_playwright  # only where a browser is measured

    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if not path:
        raise RuntimeError("there is no Chromium: install it, or leave `browser` out with --only")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def fresh_page(browser: Any) -> Iterator[Any]:
    """A page in a profile of its own: nothing is cached, no service worker runs."""
    context = browser.new_context(service_workers="block")
    yield context.new_page()
    context.close()
