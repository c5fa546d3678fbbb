"""The small scripts of the pages where something is refused or missing: clipboard, storage, workers, a host that is slow."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from corpora import Edit, write_corpus
from ruleslawyer.corpus import load
from ruleslawyer.website import build_site, page_script
from ruleslawyer.words import words_in
from sites import searchable

RULES = "en/harbour/rules/index.html"
UNSAFE = "http://rules.example"
"""A host without a certificate and a name of its own, as many have at home: browsers give it neither clipboard nor workers."""

NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
"""
"""As where a reader has forbidden a site to keep anything."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the tiny corpus, as ``rules serve --watch`` has it."""
    folder = tmp_path_factory.mktemp("scripts")
    corpus = load(write_corpus(folder / "corpus")).corpus
    return build_site(corpus, folder / "site", additions={"site.js": page_script("reload")}).parent


class Host:
    """A folder over http on a host that behaves as told.

    Attributes:
        asked: ``METHOD path`` of each request.
        gone: paths that are not there.
        detours: paths that lead to others.
        half: paths of which only the first half has been uploaded.
        steady: whether it says of everything that it never changes.
        open: cleared to let nobody have a page until it is set again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.gone: set[str] = set()
        self.detours: Mapping[str, str] = {}
        self.half: set[str] = set()
        self.steady = False
        self.open = threading.Event()
        self.open.set()
        self.address = ""


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """Such a host, for as long as the block runs."""
    host = Host(folder)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(folder))

        def do_GET(self) -> None:
            path = urlsplit(self.path).path.lstrip("/")
            host.asked.append(f"GET {path}")
            if path.endswith((".html", "/")):
                host.open.wait(60)
            if path in host.detours:
                self.send_response(301)
                self.send_header("Location", f"/{host.detours[path]}")
                self.end_headers()
            elif path in host.gone:
                self.send_error(404)
            elif host.steady or path in host.half:
                self.send_steadily(path)
            else:
                super().do_GET()

        def send_steadily(self, path: str) -> None:
            """One date for whatever there ever was; assets need not even be asked for again."""
            content = (folder / path).read_bytes()
            known = "If-Modified-Since" in self.headers
            self.send_response(304 if known else 200)
            self.send_header("Last-Modified", "Thu, 01 Jan 1970 00:00:01 GMT")
            self.send_header("Cache-Control", "max-age=31536000, immutable" if "assets/" in path else "no-cache")
            self.send_header("Content-Type", self.guess_type(path))
            self.end_headers()
            if not known:
                self.wfile.write(content[: len(content) // 2] if path in host.half else content)

        def do_POST(self) -> None:
            host.asked.append(f"POST {self.path.lstrip('/')}")
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield host
    finally:
        host.open.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def host(site: Path) -> Iterator[Host]:
    with hosted(site) as found:
        yield found


@contextmanager
def opened(browser: Any, address: str, before: str = "", **options: Any) -> Iterator[Any]:
    """A page in a window of its own, its fault that nobody caught failing the test. ``before``: a script run ahead of all."""
    context = browser.new_context(**options)
    if before:
        context.add_init_script(before)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert faults == []


def without_certificate(browser: Any, site: Path) -> Any:
    """A window in which that host shows the site."""
    context = browser.new_context()
    context.route(f"{UNSAFE}/**", lambda route: route.fulfill(path=site / urlsplit(route.request.url).path.lstrip("/")))
    return context


# --- links that are copied --------------------------------------------------------------------------------------------


def told(page: Any, words: str) -> None:
    page.wait_for_function("said => document.querySelector('[data-told]').textContent === said", arg=words)


def test_where_copying_is_refused_it_is_said_that_the_link_is_in_the_address_bar(browser: Any, host: Host) -> None:
    address = f"{host.address}/{RULES}"
    only = ["geolocation"]  # all others are refused
    with opened(browser, address, permissions=only, service_workers="block") as page:
        page.locator("#docks .permalink").click()
        told(page, words_in("en")("site.not_copied"))
        assert page.url == f"{address}#docks"


def test_where_there_is_no_clipboard_it_is_said_that_the_link_is_in_the_address_bar(browser: Any, site: Path) -> None:
    context = without_certificate(browser, site)
    page = context.new_page()
    page.goto(f"{UNSAFE}/es/harbour/rules/index.html")
    assert page.evaluate("[isSecureContext, 'clipboard' in navigator]") == [False, False]
    page.locator("#docks .permalink").click()
    told(page, words_in("es")("site.not_copied"))
    assert page.url.endswith("#docks")
    context.close()


def test_what_was_told_goes_away_after_a_while_and_sooner_nothing_does(browser: Any, host: Host) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with opened(browser, "about:blank", permissions=allowed, service_workers="block") as page:
        page.clock.install()
        page.goto(f"{host.address}/{RULES}")
        copied = words_in("en")("site.copied")
        page.locator("#docks .permalink").click()
        told(page, copied)
        page.clock.run_for(2000)
        page.locator("#turn .permalink").click()
        page.wait_for_function("async () => (await navigator.clipboard.readText()).endsWith('#turn')")
        page.clock.run_for(2000)
        told(page, copied)
        page.clock.run_for(600)
        told(page, "")


def test_a_link_that_is_opened_in_another_tab_is_not_copied(browser: Any, host: Host) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with opened(browser, f"{host.address}/{RULES}", permissions=allowed, service_workers="block") as page:
        page.evaluate("navigator.clipboard.writeText('mine')")
        with page.context.expect_page():
            page.locator("#docks .permalink").click(modifiers=["ControlOrMeta"])
        page.bring_to_front()
        assert page.evaluate("navigator.clipboard.readText()") == "mine"
        told(page, "")


# --- the reader's language --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chosen", "lang"), [("es", "es"), ("zh-Hans", "zh"), ("", "zh"), ("tlh", "zh")])
def test_the_language_chosen_last_comes_before_the_browsers(browser: Any, host: Host, chosen: str, lang: str) -> None:
    keep = f"localStorage.setItem('language', '{chosen}')"
    with opened(browser, f"{host.address}/index.html", keep, locale="zh-CN", service_workers="block") as page:
        page.wait_for_url(f"**/{lang}/index.html")


def test_where_nothing_may_be_kept_the_browsers_language_is_taken(browser: Any, host: Host) -> None:
    with opened(browser, f"{host.address}/index.html", NO_STORAGE, locale="es-MX", service_workers="block") as page:
        page.wait_for_url("**/es/index.html")
        assert page.locator("h1").is_visible()


# --- pages while rules are written ------------------------------------------------------------------------------------

MARKER = "**/rules-site.json"


def test_a_page_waits_for_a_server_that_stops_and_shows_what_it_has_when_it_is_back(browser: Any, host: Host) -> None:
    with opened(browser, f"{host.address}/{RULES}", service_workers="block") as page:
        page.evaluate("window.same = true")
        with page.expect_request_finished(lambda request: request.url.endswith("rules-site.json")):
            pass
        with page.expect_event("requestfailed"):
            page.route(MARKER, lambda route: route.abort())
        with page.expect_response(MARKER):
            page.unroute(MARKER)
            page.route(MARKER, lambda route: route.fulfill(status=503, json={"build": "none", "pages": []}))
        assert page.evaluate("window.same"), "it is the page it was"
        page.unroute(MARKER)
        with page.expect_navigation():
            page.route(MARKER, lambda route: route.fulfill(json={"build": "another", "pages": []}), times=1)
        assert page.evaluate("window.same") is None


def test_a_page_of_an_earlier_build_than_the_servers_is_made_anew_at_once(browser: Any, host: Host) -> None:
    with opened(browser, "about:blank", service_workers="block") as page:
        page.route(MARKER, lambda route: route.fulfill(json={"build": "later", "pages": ["of no page"]}))
        page.goto(f"{host.address}/{RULES}", wait_until="commit")
        with page.expect_navigation():
            pass
        page.unroute(MARKER)
        assert host.asked.count(f"GET {RULES}") >= 2


def test_a_page_that_nobody_looks_at_asks_for_nothing(browser: Any, host: Host) -> None:
    hidden = "Object.defineProperty(document, 'hidden', { get: () => !window.seen })"
    with opened(browser, "about:blank", hidden, service_workers="block") as page:
        page.clock.install()
        page.goto(f"{host.address}/{RULES}")
        page.clock.run_for(10_000)
        assert "GET rules-site.json" not in host.asked
        page.evaluate("window.seen = true")
        with page.expect_response(MARKER):
            page.clock.run_for(1000)


def test_where_nothing_may_be_kept_changed_rules_are_shown_all_the_same(browser: Any, host: Host) -> None:
    with opened(browser, f"{host.address}/{RULES}", NO_STORAGE, service_workers="block") as page:
        page.evaluate("window.same = true; scrollTo(0, 50)")
        with page.expect_navigation():
            page.route(MARKER, lambda route: route.fulfill(json={"build": "another", "pages": []}), times=1)
        assert page.evaluate("window.same") is None


# --- without a network ------------------------------------------------------------------------------------------------


def kept(page: Any) -> list[str]:
    """The paths that the worker has kept, once it rules the page."""
    page.wait_for_function("() => Boolean(navigator.serviceWorker.controller)")
    urls = page.evaluate(
        "caches.keys().then(names => caches.open(names[0])).then(cache => cache.keys())"
        ".then(requests => requests.map(request => request.url))"
    )
    return [urlsplit(url).path.lstrip("/") for url in urls]


def test_a_host_that_has_no_worker_shows_the_site_without_one(browser: Any, host: Host) -> None:
    host.gone.add("service-worker.js")
    with opened(browser, f"{host.address}/{RULES}") as page:
        refused = "navigator.serviceWorker.register('/service-worker.js').then(() => '', error => error.name)"
        assert page.evaluate(refused) == "TypeError"
        assert page.evaluate("navigator.serviceWorker.getRegistration()") is None
        assert page.locator("#docks").is_visible()


def test_a_host_without_a_certificate_shows_the_site_without_a_worker(browser: Any, site: Path) -> None:
    context = without_certificate(browser, site)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{UNSAFE}/{RULES}")
    assert page.evaluate("navigator.serviceWorker") is None
    assert page.locator("link[rel=manifest]").count() == 1 and faults == []
    context.close()


def test_a_file_that_the_host_lacks_keeps_the_whole_build_from_being_kept(browser: Any, host: Host) -> None:
    host.gone.add("zh/harbour/index.html")
    with opened(browser, f"{host.address}/{RULES}") as page:
        for _ in range(600):
            if "GET zh/harbour/index.html" in host.asked:
                break
            page.wait_for_timeout(50)
        page.wait_for_function("async () => !(await navigator.serviceWorker.getRegistration())")
        assert page.evaluate("navigator.serviceWorker.controller") is None


def test_pages_of_a_host_that_leads_index_html_elsewhere_are_kept_and_shown(browser: Any, host: Host) -> None:
    """A browser refuses to show an answer that came by a detour."""
    host.detours = {f"{lang}/harbour/rules/index.html": f"{lang}/harbour/rules/" for lang in ("en", "es")}
    with opened(browser, f"{host.address}/en/index.html") as page:
        assert "en/harbour/rules/index.html" in kept(page)
        page.goto(f"{host.address}/es/harbour/rules/index.html")
        assert page.url.endswith("/es/harbour/rules/")
        page.context.set_offline(True)
        for path in (RULES, "en/harbour/rules/"):
            page.goto(f"{host.address}/{path}")
            assert page.locator("#docks").is_visible()


def test_a_page_that_does_not_come_in_time_is_shown_as_it_is_kept(browser: Any, host: Host) -> None:
    with opened(browser, f"{host.address}/en/index.html") as page:
        assert RULES in kept(page)
        host.open.clear()
        page.goto(f"{host.address}/{RULES}")
        assert page.locator("#docks").is_visible()
        assert not host.open.is_set() and f"GET {RULES}" in host.asked, "it was asked for and has not answered yet"


def test_a_page_that_is_not_kept_is_waited_for_however_long_it_takes(browser: Any, host: Host) -> None:
    with opened(browser, f"{host.address}/en/index.html") as page:
        kept(page)
        page.evaluate("caches.keys().then(names => Promise.all(names.map(name => caches.delete(name))))")
        host.open.clear()
        later = threading.Timer(4, host.open.set)
        later.start()
        page.goto(f"{host.address}/{RULES}")
        assert page.locator("#docks").is_visible()


def test_without_a_network_a_page_that_is_not_kept_is_the_browsers_own_to_tell(browser: Any, host: Host) -> None:
    from playwright.sync_api import Error

    with opened(browser, f"{host.address}/en/index.html") as page:
        assert "en/nowhere.html" not in kept(page)
        page.context.set_offline(True)
        with pytest.raises(Error, match="ERR_"):
            page.goto(f"{host.address}/en/nowhere.html")


def test_the_worker_lets_pass_what_is_not_its_own(browser: Any, site: Path) -> None:
    with hosted(site.parent) as host, opened(browser, f"{host.address}/site/en/index.html") as page:
        assert f"site/{RULES}" in kept(page)
        before = len(host.asked)
        for path, status in (("site/nowhere.txt", 404), ("corpus/harbour/game.toml", 200)):
            assert page.evaluate("path => fetch(`/${path}`).then(answer => answer.status)", path) == status
        assert page.evaluate("fetch('/site/en/index.html', { method: 'POST' }).then(answer => answer.status)") == 204
        said = ["GET site/nowhere.txt", "GET corpus/harbour/game.toml", "POST site/en/index.html"]
        assert host.asked[before:] == said


# --- a host that says that nothing changes ----------------------------------------------------------------------------

PAID = "Pay 3 coins"


def tiny_site(target: Path, *edits: Edit) -> Path:
    """The tiny corpus as a site with its search."""
    return searchable(load(write_corpus(target.with_name(f"{target.name}-corpus-{len(edits)}"), *edits)).corpus, target)


def asked(page: Any, question: str, said: str) -> None:
    """Ask in the band above the page, and wait until this is among what is said."""
    page.fill("#_seek", question)
    page.locator("[data-answers]").get_by_text(said).first.wait_for()


@pytest.fixture
def steady(tmp_path: Path) -> Iterator[Host]:
    """Such a host, with a site that can be searched."""
    with hosted(tiny_site(tmp_path / "site")) as host:
        host.steady = True
        yield host


@contextmanager
def asking(browser: Any, address: str) -> Iterator[Any]:
    """A page, without a worker, whose failed questions are no faults."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()


def test_a_page_that_the_host_calls_unchanged_is_the_new_one_after_one_reload(browser: Any, steady: Host) -> None:
    with asking(browser, f"{steady.address}/{RULES}") as page:
        tiny_site(steady.folder, Edit("harbour/rules.en.md", "Pay 3", "Pay 4"))
        page.reload()
        assert PAID in page.locator("#trade-routes").inner_text(), "the host says that it is what the browser has"
        asked(page, "trade routes", "Reload the page")
        before = steady.asked.count(f"GET {RULES}")
        asked(page, "trade route", "Reload the page")
        assert steady.asked.count(f"GET {RULES}") == before, "it has the new page, and asks no more"
        page.reload()
        assert "Pay 4 coins" in page.locator("#trade-routes").inner_text()
        asked(page, "trade routes", "Pay 4 coins")


@pytest.fixture
def core(steady: Host) -> str:
    """The path of the data that every question needs."""
    (found,) = (steady.folder / "assets" / "search").glob("core-*.js")
    return found.relative_to(steady.folder).as_posix()


def test_data_that_came_half_are_asked_for_again_by_the_next_question(browser: Any, steady: Host, core: str) -> None:
    steady.half.add(core)
    with asking(browser, f"{steady.address}/{RULES}") as page:
        asked(page, "trade routes", "Reload the page")
        steady.half.clear()
        asked(page, "trade route", PAID)


def test_data_that_came_half_are_whole_after_a_reload_or_two(browser: Any, steady: Host, core: str) -> None:
    """The browser has kept the half, and would take it for a year."""
    steady.half.add(core)
    with asking(browser, f"{steady.address}/{RULES}") as page:
        asked(page, "trade routes", "Reload the page")
        steady.half.clear()
        page.reload()
        asked(page, "trade routes", "Reload the page")
        page.reload()
        asked(page, "trade routes", PAID)


@pytest.mark.parametrize("place", ["file", "http"])
def test_a_page_that_is_not_of_the_list_complains_of_nothing_but_its_question(
    browser: Any, steady: Host, place: str
) -> None:
    with asking(browser, "about:blank") as page:
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{steady.folder.as_uri() if place == 'file' else steady.address}/{RULES}")
        page.evaluate("document.documentElement.dataset.mark = 'of another build'")
        asked(page, "trade routes", "Reload the page")
        assert {complaint.partition(" load ")[0] for complaint in complaints} == {"cannot"}
