"""The website in a real browser, all but the search: reading, moving about, offline, without a fault for axe."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from browsers import Watch, axe, served
from corpora import Edit, write_corpus
from ruleslawyer.corpus import load
from ruleslawyer.places import corpus_root
from ruleslawyer.website import build_site
from sites import searchable

GAME = "beyond-the-sun"
KINDS = {
    "missing": "en/404.html",
    "home": "zh/index.html",
    "game": f"es/{GAME}/index.html",
    "rules": f"en/{GAME}/rules/index.html",
    "fallback": "es/beam-me-up/rules/index.html",
    "faq": f"zh/{GAME}/faq/index.html",
    "glossary": f"en/{GAME}/glossary/index.html",
    "disputes": f"zh/{GAME}/disputes/index.html",
    "search": "es/search/index.html",
    "results": "zh/search/index.html?q=平手",
    "a-to-z": "zh/entries/index.html",
}
"""A page of each kind, in one language or another."""

VIOLATIONS = "addEventListener('securitypolicyviolation', event => console.error('CSP ' + event.violatedDirective))"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled site, where a reader may have copied it (faults.md, 13)."""
    corpus = load(corpus_root()).corpus
    built = searchable(corpus, tmp_path_factory.mktemp("site") / "site")
    folder = tmp_path_factory.mktemp("copy") / "juegos de mesa" / "站点"
    shutil.copytree(built, folder)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return build_site(load(write_corpus(tmp_path / "corpus")).corpus, tmp_path / "site").parent


def open_page(browser: Any, address: str, **options: Any) -> tuple[Any, Watch]:
    """A page in a window of its own, watched."""
    context = browser.new_context(**{"viewport": {"width": 390, "height": 844}, **options})
    context.add_init_script(VIOLATIONS)
    page = context.new_page()
    watch = Watch(page)
    page.goto(address)
    return page, watch


def file(site: Path, path: str) -> str:
    name, rest = re.fullmatch(r"([^?#]*)(.*)", path).groups()  # type: ignore[union-attr]
    return f"{(site / name).as_uri()}{rest}"


# --- every kind of page -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_from_disk_asks_nobody_and_complains_of_nothing(browser: Any, site: Path, kind: str) -> None:
    page, watch = open_page(browser, file(site, KINDS[kind]), offline=True)
    assert watch.complaints == []
    assert {urlsplit(url).scheme for url in watch.requests} == {"file"}
    assert page.title().endswith("Rules Lawyer")
    page.context.close()


@pytest.mark.parametrize("width", [320, 390, 768])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_scrolls_sideways(browser: Any, site: Path, kind: str, width: int) -> None:
    page, _ = open_page(browser, file(site, KINDS[kind]), viewport={"width": width, "height": 700})
    page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_fault(browser: Any, site: Path, kind: str, width: int, theme: str) -> None:
    size = {"width": width, "height": 900}
    page, _ = open_page(browser, file(site, KINDS[kind]), viewport=size, color_scheme=theme, bypass_csp=True)
    # One opened detail of each sort stands for all: axe looks at every node, and these pages have thousands.
    if kind == "results":
        page.wait_for_selector(".result-first")
    page.evaluate("document.querySelectorAll('article:nth-of-type(n+6)').forEach(article => article.remove())")
    page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
    found = axe().run(page).response["violations"]
    assert [(v["id"], [node["html"][:120] for node in v["nodes"][:3]]) for v in found] == []
    page.context.close()


def test_without_scripts_everything_but_the_search_works(browser: Any, site: Path) -> None:
    page, _ = open_page(browser, file(site, "index.html"), java_script_enabled=False)
    page.get_by_text("Español").click()
    page.locator(".games a").filter(has_text="Reglas").nth(1).click()
    page.locator("details.dispute summary").first.click()
    assert page.locator("details.dispute .ruling").first.is_visible()
    page.locator("button.contents-button").click()
    page.locator("#_contents a").nth(3).click()
    assert "#" in page.url
    page.goto(file(site, "es/search/index.html"))
    assert page.locator("noscript a").is_visible()
    page.context.close()


# --- moving about -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("locale", "lang"), [("es-AR", "es"), ("zh-TW", "zh"), ("en-GB", "en"), ("fr-FR", "en")])
def test_the_root_leads_to_the_readers_language(browser: Any, site: Path, locale: str, lang: str) -> None:
    page, _ = open_page(browser, file(site, "index.html"), locale=locale)
    page.wait_for_url(f"**/{lang}/index.html")
    page.context.close()


def choose(page: Any, tag: str) -> None:
    """Choose a language with the mouse alone: Playwright's own click would scroll the page."""
    for target in ("button.menu", f"[data-language-switch] a[lang={tag}]"):
        box = page.locator(target).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_the_language_switch_stays_on_the_rule_and_keeps_the_query(browser: Any, site: Path) -> None:
    page, _ = open_page(browser, file(site, f"en/{GAME}/rules/index.html") + "?q=tie#control-ties")
    choose(page, "es")
    page.wait_for_url("**/es/**")
    page.wait_for_load_state()
    assert page.url.endswith(f"/es/{GAME}/rules/index.html?q=tie#control-ties")
    page.evaluate("document.getElementById('military-power').scrollIntoView()")
    choose(page, "zh-Hans")
    page.wait_for_url("**/zh/**")
    assert page.url.endswith("#military-power")
    page.goto(file(site, "index.html"))
    page.wait_for_url("**/zh/index.html")
    page.context.close()


def test_dark_and_light_by_the_system_and_by_the_button(browser: Any, site: Path) -> None:
    page, _ = open_page(browser, file(site, "en/index.html"), color_scheme="dark")

    def dark() -> bool:
        colour: str = page.evaluate("getComputedStyle(document.querySelector('.sheet')).backgroundColor")
        return sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")) < 200

    assert dark()
    button = page.locator("[data-theme-switch]")
    assert button.get_attribute("aria-pressed") == "true"
    page.locator("button.menu").click()
    button.click()
    assert not dark() and button.get_attribute("aria-pressed") == "false"
    page.goto(file(site, f"es/{GAME}/index.html"))
    assert not dark()
    page.context.close()


def test_a_permalink_is_copied_and_said_to_be(browser: Any, small: Path) -> None:
    with served(small) as address:
        page, _ = open_page(
            browser, f"{address}/es/harbour/rules/index.html", permissions=["clipboard-read", "clipboard-write"]
        )
        page.locator("#docks .permalink").click()
        page.get_by_text("Enlace copiado").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == page.url == f"{address}/es/harbour/rules/index.html#docks"
        page.context.close()


def test_back_to_where_i_was(browser: Any, site: Path) -> None:
    page, _ = open_page(browser, file(site, f"en/{GAME}/rules/index.html#control-ties"))
    back = page.locator("[data-way-back]")
    assert back.is_hidden()
    page.locator("#control-ties .text a.ref").first.click()
    assert back.inner_text().strip().endswith("Back to “Ties for control”")
    page.locator("#military-power .drawers summary").first.click()
    page.locator("#military-power .links a").first.click()
    page.wait_for_load_state()
    assert "Military power" in back.inner_text()
    back.click()
    page.wait_for_url("**#military-power")
    assert "Ties for control" in back.inner_text()
    back.click()
    page.wait_for_url("**#control-ties")
    back.wait_for(state="hidden")
    assert page.locator("#control-ties h3, #control-ties h2").first.evaluate("h => h.getBoundingClientRect().top") < 400
    page.context.close()


def test_the_contents_mark_what_is_read_and_close_when_followed(browser: Any, site: Path) -> None:
    page, _ = open_page(browser, file(site, f"es/{GAME}/rules/index.html#control-ties"))
    page.locator("#_contents a[aria-current][href='#control-ties']").wait_for(state="attached")
    page.locator(".contents-button").click()
    assert page.locator("#_contents [aria-current]").is_visible()
    page.locator("#_contents a[href='#military-power']").click()
    page.locator("#_contents").wait_for(state="hidden")
    page.locator("#_contents a[aria-current][href='#military-power']").wait_for(state="attached")
    page.context.close()


def test_the_header_form_leads_to_the_search_page_with_the_query(browser: Any, site: Path) -> None:
    page, watch = open_page(browser, file(site, f"es/{GAME}/rules/index.html"))
    page.locator("[data-search-box] input").fill("¿empate?")
    page.keyboard.press("Enter")
    page.wait_for_url("**/es/search/index.html?q=*")
    assert watch.complaints == []
    page.context.close()


# --- terms ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def rules(browser: Any, site: Path) -> Iterator[Any]:
    page, watch = open_page(browser, file(site, f"en/{GAME}/rules/index.html"), viewport={"width": 1280, "height": 900})
    yield page
    assert watch.complaints == []
    page.context.close()


def term_and_gloss(page: Any) -> tuple[Any, Any]:
    term = page.locator("#about button.term").first
    return term, page.locator("#" + term.get_attribute("popovertarget"))


def test_a_term_explains_itself_under_the_mouse(rules: Any) -> None:
    term, gloss = term_and_gloss(rules)
    term.hover()
    gloss.wait_for(state="visible")
    below = gloss.evaluate("g => g.getBoundingClientRect().top") - term.evaluate(
        "t => t.getBoundingClientRect().bottom"
    )
    assert 0 <= below < 20
    gloss.hover()
    rules.wait_for_timeout(400)
    assert gloss.is_visible()
    rules.mouse.move(5, 890)
    gloss.wait_for(state="hidden")


def test_a_click_pins_a_term_and_escape_closes_it(rules: Any) -> None:
    term, gloss = term_and_gloss(rules)
    term.click()
    gloss.wait_for(state="visible")
    rules.mouse.move(5, 890)
    rules.wait_for_timeout(400)
    assert gloss.is_visible()
    rules.keyboard.press("Escape")
    gloss.wait_for(state="hidden")


def test_a_term_explains_itself_to_the_keyboard(rules: Any) -> None:
    term, gloss = term_and_gloss(rules)
    rules.locator("#about .permalink").focus()
    rules.keyboard.press("Tab")
    assert term.evaluate("t => t === document.activeElement")
    gloss.wait_for(state="visible")
    rules.keyboard.press("Escape")
    gloss.wait_for(state="hidden")
    rules.keyboard.press("Enter")
    gloss.wait_for(state="visible")
    rules.keyboard.press("Tab")
    assert gloss.locator("a").evaluate("a => a === document.activeElement")
    rules.keyboard.press("Enter")
    rules.wait_for_url("**#*")


def test_a_tap_opens_a_term_and_a_tap_elsewhere_closes_it(browser: Any, site: Path) -> None:
    page, _ = open_page(browser, file(site, f"zh/{GAME}/rules/index.html"), has_touch=True, is_mobile=True)
    term, gloss = term_and_gloss(page)
    term.tap()
    gloss.wait_for(state="visible")
    page.locator("#about h2").tap()
    gloss.wait_for(state="hidden")
    page.context.close()


# --- paper ------------------------------------------------------------------------------------------------------------


def test_on_paper_everything_is_unfolded_and_links_are_written_out(rules: Any) -> None:
    rules.emulate_media(media="print")
    assert rules.locator("#control-ties details.dispute .ruling").first.is_visible()
    assert rules.locator("#control-ties details .links a").first.is_visible()
    assert rules.locator(".band").is_hidden() and rules.locator("#_contents").is_hidden()
    written = rules.locator("#control-ties .text a.ref").first.evaluate("a => getComputedStyle(a, '::after').content")
    assert "military-power" in written.replace("attr(data-name)", "military-power")
    background = rules.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(255, 255, 255)"


# --- hostile texts ----------------------------------------------------------------------------------------------------


def test_hostile_texts_do_not_run(browser: Any, tmp_path: Path) -> None:
    evil = r"\<img src=x onerror=alert(1)> \</script>\<script>alert(2)\</script>"
    edits = [
        Edit("harbour/rules.en.md", "## Docks {", f"## {evil} {{"),
        Edit("harbour/rules.en.md", "Each dock holds", f"{evil} Each dock holds"),
    ]
    loaded = load(write_corpus(tmp_path / "corpus", *edits))
    assert loaded.problems == ()
    site = build_site(loaded.corpus, tmp_path / "site").parent
    for path in ("en/harbour/rules/index.html", "en/entries/index.html", "en/harbour/index.html"):
        page, watch = open_page(browser, file(site, path))
        page.wait_for_timeout(100)
        assert watch.complaints == []
        assert "onerror=alert(1)" in page.locator("main").inner_text()
        assert page.locator("img").count() == 0
        page.context.close()


# --- offline ----------------------------------------------------------------------------------------------------------


def ready(page: Any) -> None:
    """Wait until the service worker has kept the site and rules the page."""
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("navigator.serviceWorker.controller")


def wait_for_caches(page: Any, names: list[str]) -> None:
    """Wait until these are the builds that are kept."""
    for _ in range(100):
        if page.evaluate("caches.keys()") == names:
            return
        page.wait_for_timeout(50)
    assert page.evaluate("caches.keys()") == names


def answer(page: Any, question: str) -> str:
    """Ask in the band above the page: the first answer."""
    page.fill("#_seek", question)
    page.wait_for_selector("[data-answers] ol:not([aria-busy]) li.result-first")
    text: str = page.inner_text("[data-answers] li.result-first")
    return text


def test_a_changed_ruling_shows_after_one_reload_and_no_build_is_mixed(browser: Any, tmp_path: Path) -> None:
    """faults.md, 17; the search is of the same build as the page."""
    target = tmp_path / "site"
    searchable(load(write_corpus(tmp_path / "1")).corpus, target)
    edits = [
        Edit("harbour/rules.en.md", "Pay 3", "Pay 4"),
        Edit("harbour/rules.es.md", "Paga 3", "Paga 4"),
        Edit("harbour/rules.zh.md", "支付3", "支付4"),
    ]
    changed = load(write_corpus(tmp_path / "2", *edits)).corpus
    with served(tmp_path) as address:
        page, _ = open_page(browser, f"{address}/site/en/harbour/rules/index.html")
        ready(page)
        assert "Pay 3 coins" in answer(page, "trade routes"), "the worker knows the data of the first build"
        searchable(changed, target)
        page.reload()
        assert "Pay 4 coins" in page.locator("#trade-routes").inner_text()
        assert "Pay 4 coins" in answer(page, "trade routes")
        marker = json.loads((target / "rules-site.json").read_text("utf-8"))
        loaded = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
        shared = {urlsplit(url).path.removeprefix("/site/") for url in loaded if "/assets/" in url}
        assert any("texts-en-harbour" in path for path in shared) and shared <= set(marker["files"])
        ready(page)
        wait_for_caches(page, [f"rules-/site/{marker['build']}"])
        page.context.set_offline(True)
        page.goto(f"{address}/site/zh/harbour/rules/index.html")
        assert "支付4枚硬币" in page.locator("#trade-routes").inner_text()
        page.goto(f"{address}/site/es/harbour/rules/index.html")
        assert "Paga 4 monedas" in answer(page, "rutas comerciales")
        page.goto(f"{address}/site/es/harbour/?q=x")
        assert page.locator("h1").inner_text() == "Puerto"
        page.context.close()


PRICE = Edit("harbour/rules.en.md", "Pay 3", "Pay 4")
AGAIN = {"en": "Reload the page", "es": "Recarga la página"}


def said(page: Any, question: str) -> str:
    """Ask in the band above the page, and wait for what is said where nothing can be loaded."""
    page.fill("#_seek", question)
    page.wait_for_selector("[data-answers] [role=status] p")
    text: str = page.inner_text("[data-answers] [role=status]")
    return text


@pytest.fixture(params=["file", "http"])
def deployed(
    request: pytest.FixtureRequest, browser: Any, tmp_path: Path
) -> Iterator[tuple[Any, Callable[[], object]]]:
    """What opens a page of a site, without a service worker, and what puts the build of another price in its place."""
    target = tmp_path / "web"
    searchable(load(write_corpus(tmp_path / "1")).corpus, target)
    changed = load(write_corpus(tmp_path / "2", PRICE)).corpus
    context = browser.new_context(service_workers="block")
    with served(target) as address:
        root = address if request.param == "http" else target.as_uri()

        def opened(path: str) -> Any:
            page = context.new_page()
            page.goto(f"{root}/{path}")
            return page

        yield opened, partial(searchable, changed, target)
        context.close()


def test_an_open_page_that_has_changed_asks_to_be_reloaded(deployed: tuple[Any, Callable[[], object]]) -> None:
    """It takes nothing of a build that is not its own."""
    opened, deploy = deployed
    page = opened("en/harbour/rules/index.html")
    deploy()
    assert AGAIN["en"] in said(page, "trade routes")
    assert page.locator("[data-answers] li").count() == 0
    page.reload()
    assert "Pay 4 coins" in answer(page, "trade routes")


def test_an_open_page_that_is_the_same_in_the_new_build_searches_that(
    deployed: tuple[Any, Callable[[], object]],
) -> None:
    opened, deploy = deployed
    page = opened("en/lanterns/rules/index.html")
    deploy()
    assert "Pay 4 coins" in answer(page, "trade routes")


def test_an_open_page_whose_data_are_gone_asks_to_be_reloaded(deployed: tuple[Any, Callable[[], object]]) -> None:
    """It knows the list of its build; what that lists is no longer there."""
    opened, deploy = deployed
    page = opened("es/index.html")
    page.evaluate("RulesLawyer.shards.load(['build', 'core'])")
    deploy()
    assert AGAIN["es"] in said(page, 'lang:en "Pay 4 coins"')
    page.reload()
    assert "Pay 4 coins" in answer(page, 'lang:en "Pay 4 coins"')


def test_a_new_page_under_an_old_worker_searches_its_own_data(browser: Any, tmp_path: Path) -> None:
    """The worker keeps the old list: without a network for the new one, the new page is not given old answers."""
    target = tmp_path / "site"
    searchable(load(write_corpus(tmp_path / "1")).corpus, target)
    with served(target) as address:
        page, _ = open_page(browser, f"{address}/en/harbour/rules/index.html")
        ready(page)
        # The new build comes without its worker, as from a host that is only half updated.
        old = (target / "service-worker.js").read_bytes()
        searchable(load(write_corpus(tmp_path / "2", PRICE)).corpus, target)
        (target / "service-worker.js").write_bytes(old)
        page.reload()
        assert "Pay 4 coins" in page.locator("#trade-routes").inner_text()
        page.context.set_offline(True)
        assert AGAIN["en"] in said(page, "trade routes")
        page.context.set_offline(False)
        page.fill("#_seek", "")
        assert "Pay 4 coins" in answer(page, "trade routes")
        page.context.close()


def test_a_new_worker_fetches_only_what_has_changed(browser: Any, tmp_path: Path) -> None:
    target = tmp_path / "site"
    searchable(load(write_corpus(tmp_path / "1")).corpus, target)
    first = json.loads((target / "rules-site.json").read_text("utf-8"))
    with served(target) as address:
        page, _ = open_page(browser, f"{address}/en/index.html")
        ready(page)
        searchable(load(write_corpus(tmp_path / "2", PRICE)).corpus, target)
        second = json.loads((target / "rules-site.json").read_text("utf-8"))
        asked: list[str] = []
        page.context.on("request", lambda request: asked.append(urlsplit(request.url).path.lstrip("/")))
        page.goto(f"{address}/es/index.html")
        wait_for_caches(page, [f"rules-/{second['build']}"])
        fetched = {path for path in asked if path.startswith("assets/search/")}
        assert fetched and fetched == {p for p in second["files"] if p.startswith("assets/search/")} - {*first["files"]}
        page.context.set_offline(True)
        page.goto(f"{address}/en/harbour/rules/index.html")
        assert "Pay 4 coins" in answer(page, "trade routes")
        page.context.close()


def test_a_half_updated_host_is_never_kept(browser: Any, tmp_path: Path) -> None:
    target = tmp_path / "site"
    build_site(load(write_corpus(tmp_path / "1")).corpus, target)
    page_file = target / "es" / "harbour" / "rules" / "index.html"
    page_file.write_text(page_file.read_text("utf-8").replace("Paga 3", "Paga 9"), "utf-8")
    with served(target) as address:
        page, _ = open_page(browser, f"{address}/en/index.html")
        page.wait_for_timeout(1500)
        assert page.evaluate("navigator.serviceWorker.controller") is None
        kept = page.evaluate("caches.match(new URL('../es/harbour/rules/index.html', location.href)).then(Boolean)")
        assert kept is False
        page.context.close()


KEPT = """names => Promise.all(names.map(async name => {
  const cache = await caches.open(name);
  return (await cache.keys()).length;
}))"""
"""How many files each of these caches has."""


def cache_of(site: Path, path: str) -> str:
    """What the build of a site is kept as, where it lies at that path of its host."""
    return f"rules-{path}{json.loads((site / 'rules-site.json').read_text('utf-8'))['build']}"


def test_sites_of_one_host_leave_one_another_what_they_keep(browser: Any, tmp_path: Path) -> None:
    """Also where one lies in the folder of the other, or its folder is called as the other's with more behind."""
    corpus = load(write_corpus(tmp_path / "1")).corpus
    changed = load(write_corpus(tmp_path / "2", PRICE)).corpus
    web = tmp_path / "web"
    paths = ("/a/", "/ab/", "/a/b/")
    sites = {path: searchable(corpus, tmp_path / "sites" / path.replace("/", "_")) for path in paths}
    for path, site in sites.items():
        shutil.copytree(site, web / path.strip("/"), dirs_exist_ok=True)
    names = {path: cache_of(site, path) for path, site in sites.items()}
    with served(web) as address:
        page, _ = open_page(browser, f"{address}/a/en/index.html")
        for count, path in enumerate(paths, 1):
            page.goto(f"{address}{path}en/index.html")
            worker = f"{address}{path}service-worker.js"
            page.wait_for_function("url => navigator.serviceWorker.controller?.scriptURL === url", arg=worker)
            wait_for_caches(page, list(names.values())[:count])
        full = page.evaluate(KEPT, list(names.values()))
        new = searchable(changed, sites["/a/"])
        shutil.copytree(new, web / "a", dirs_exist_ok=True)
        page.goto(f"{address}/a/en/index.html")
        wait_for_caches(page, [names["/ab/"], names["/a/b/"], cache_of(new, "/a/")])
        assert page.evaluate(KEPT, [names["/ab/"], names["/a/b/"]]) == full[1:]
        page.context.set_offline(True)
        for path, price in (("/a/", 4), ("/ab/", 3), ("/a/b/", 3)):
            page.goto(f"{address}{path}en/harbour/rules/index.html")
            assert f"Pay {price} coins" in answer(page, "trade routes")
        page.context.close()


def test_what_another_of_the_host_keeps_is_not_taken_over(browser: Any, tmp_path: Path) -> None:
    target = searchable(load(write_corpus(tmp_path / "1")).corpus, tmp_path / "web" / "site")
    shared = [path.relative_to(target).as_posix() for path in target.glob("assets/**/*") if path.is_file()]
    (tmp_path / "web" / "other.html").write_text("<title>Another</title>", "utf-8")
    with served(tmp_path / "web") as address:
        page, _ = open_page(browser, f"{address}/other.html")
        for name in ("another", "rules-/0123456789ab"):
            page.evaluate(
                "([name, urls]) => caches.open(name)"
                ".then(cache => Promise.all(urls.map(url => cache.put(url, new Response('not ours')))))",
                [name, [f"{address}/site/{path}" for path in shared]],
            )
        page.goto(f"{address}/site/en/index.html")
        ready(page)
        page.context.set_offline(True)
        page.goto(f"{address}/site/en/harbour/rules/index.html")
        assert "Pay 3 coins" in answer(page, "trade routes")
        page.context.close()


def test_the_manifest_makes_it_installable(browser: Any, small: Path) -> None:
    with served(small) as address:
        page, watch = open_page(browser, f"{address}/es/index.html")
        ready(page)
        manifest = page.evaluate(
            "fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())"
        )
        assert manifest["lang"] == "es" and manifest["display"] == "standalone"
        for icon in manifest["icons"]:
            assert page.request.get(f"{address}/es/{icon['src']}").ok
        assert watch.complaints == []
        page.context.close()
