"""The whole website: whole, repeatable, without a dead link, and safe against hostile texts."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import IO, Any

import pytest

from commands import rules
from corpora import Edit, write_corpus
from ruleslawyer import forking, sitefolder, urls, weblinks, website
from ruleslawyer.corpus import load
from ruleslawyer.errors import CorpusInvalid, DataProblem, UsageProblem
from ruleslawyer.model import Corpus, Entry, Game
from ruleslawyer.places import corpus_root
from ruleslawyer.weblinks import check_links
from ruleslawyer.website import SiteInvalid, build_site, site_files
from sites import ALWAYS, search_data


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return load(write_corpus(tmp_path / "corpus")).corpus


@pytest.fixture(scope="module")
def bundled_files() -> Mapping[str, bytes]:
    return site_files(load(corpus_root()).corpus)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def html_of(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: content.decode() for name, content in files.items() if name.endswith(".html")}


# --- writing ----------------------------------------------------------------------------------------------------------


def test_the_same_corpus_gives_the_same_bytes(corpus: Corpus, tmp_path: Path) -> None:
    build_site(corpus, tmp_path / "a")
    build_site(load(tmp_path / "corpus").corpus, tmp_path / "b")
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_a_site_is_replaced_whole_and_nothing_is_left_beside_it(corpus: Corpus, tmp_path: Path) -> None:
    index = build_site(corpus, tmp_path / "out" / "site")
    assert index.is_file()
    before = tree(index.parent)
    build_site(corpus, tmp_path / "out" / "site", base_url="https://rules.example/")
    assert (index.parent / "sitemap.xml").is_file(), "the new site stands in the place"
    assert tree(index.parent) != before
    build_site(corpus, tmp_path / "out" / "site")
    assert tree(index.parent) == before
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["site"]


def test_a_folder_that_is_not_ours_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_text("x")
    (tmp_path / "file").write_text("x")
    for name in ("photos", "file"):
        with pytest.raises(UsageProblem):
            build_site(corpus, tmp_path / name)
    assert tree(tmp_path / "photos") == {"me.jpg": b"x"}
    (tmp_path / "empty").mkdir()
    assert build_site(corpus, tmp_path / "empty").is_file()


@pytest.mark.parametrize("name", ["CNAME", ".git/HEAD", "en/thesis.txt", "assets/photo.jpg"])
def test_a_site_that_holds_something_else_is_refused_and_left_as_it_is(
    corpus: Corpus, tmp_path: Path, name: str
) -> None:
    place = tmp_path / "site"
    build_site(corpus, place)
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).write_text("mine")
    before = tree(place)
    with pytest.raises(UsageProblem, match=re.escape(name)):
        build_site(corpus, place)
    assert tree(place) == before


def test_a_link_to_a_site_stays_a_link(corpus: Corpus, tmp_path: Path) -> None:
    build_site(corpus, tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    build_site(corpus, tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real" / "index.html").is_file()


def test_what_fails_half_way_leaves_the_old_site_and_nothing_else(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out" / "site"
    build_site(corpus, target)
    before = tree(target)
    written, really = 0, Path.open

    def full(self: Path, mode: str = "r", *more: Any, **options: Any) -> IO[Any]:
        nonlocal written
        written += mode == "xb"
        if written > 5:
            raise OSError(28, "No space left on device")
        return really(self, mode, *more, **options)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(DataProblem, match="No space left"):
        build_site(replace(corpus, entries=dict(list(corpus.entries.items())[:5])), target)
    monkeypatch.undo()
    assert tree(target) == before
    assert [path.name for path in target.parent.iterdir()] == ["site"]


def test_progress_ends_where_it_said_it_would(corpus: Corpus, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    build_site(corpus, tmp_path / "site", progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_additions_are_part_of_the_build(corpus: Corpus) -> None:
    plain, more = site_files(corpus), site_files(corpus, additions={"search/en.js": b"1"})
    assert json.loads(more[sitefolder.MARKER])["build"] != json.loads(plain[sitefolder.MARKER])["build"]
    (name,) = more.keys() - plain.keys()
    assert more[name] == b"1" and re.fullmatch(r"assets/search/en-[0-9a-f]{10}\.js", name)
    assert f'"{name}"'.encode() in more["service-worker.js"]


def test_processes_that_share_the_work_make_the_same_site(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    alone = site_files(corpus, "https://example.org", progress=lambda *step: told.append(step))
    told_alone, told[:] = list(told), []
    share_everything(monkeypatch)
    files = site_files(corpus, "https://example.org", progress=lambda *step: told.append(step))
    assert list(files.items()) == list(alone.items())
    assert told == told_alone


def test_processes_that_share_the_work_tell_the_same_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {f"{n}.html": f'<p id="a">\n<a href="{n + 1}.html#a"></a><a href="x{n}.html"></a>' for n in range(20)}
    alone = list(check_links(pages, pages.keys()))
    assert len(alone) == 21
    share_everything(monkeypatch)
    assert list(check_links(pages, pages.keys())) == alone


def share_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let several processes share even little work, where they can."""
    monkeypatch.setattr(forking, "_processors", lambda: 3)
    monkeypatch.setattr(website, "MANY", 0)
    monkeypatch.setattr(weblinks, "MANY", 0)


def test_a_changed_ruling_is_another_build_and_little_else(tmp_path: Path) -> None:
    two = load(write_corpus(tmp_path / "2")).corpus
    three = load(write_corpus(tmp_path / "3", Edit("harbour/rules.en.md", "Pay 3 coins", "Pay 4 coins"))).corpus
    first, second = site_files(two), site_files(three)
    assert first.keys() == second.keys(), "no style, script or picture has another name"
    assert {p for p in first if first[p] != second[p]} == {*ALWAYS, "en/harbour/rules/index.html"}


def test_every_shared_file_is_named_by_its_content_and_listed(corpus: Corpus) -> None:
    shards = search_data(corpus)
    files = site_files(corpus, additions=shards)
    assets = {path: content for path, content in files.items() if path.startswith("assets/")}
    for path, content in assets.items():
        assert path.rpartition(".")[0].endswith(f"-{hashlib.sha256(content).hexdigest()[:10]}"), path
    listed = search_list(files)
    assert {f"assets/search/{name}-{end}.js" for name, end in listed["files"].items()} == {
        path for path in assets if path.startswith("assets/search/")
    }
    assert listed["files"].keys() == {name.split("/")[1].removesuffix(".js") for name in shards}


def test_each_page_has_a_mark_of_its_own_which_the_list_and_the_marker_know(corpus: Corpus) -> None:
    files = site_files(corpus)
    marks = [re.findall('<html [^>]*data-mark="(.{8})"', html) for html in html_of(files).values()]
    assert len({mark for (mark,) in marks}) == len(marks)
    assert search_list(files)["pages"] == " ".join(mark for (mark,) in marks)
    assert json.loads(files[sitefolder.MARKER])["pages"] == search_list(files)["pages"]


def search_list(files: Mapping[str, bytes]) -> dict[str, Any]:
    """What stands in the list of the search data."""
    (data,) = re.findall(r'^RulesLawyer\.shards\.register\("build",(.*)\);$', files[urls.SEARCH_DATA].decode())
    listed: dict[str, Any] = json.loads(data)
    return listed


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_says_where_the_site_is(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus")
    done = rules("site", "-o", str(tmp_path / "site"), corpus=corpus)
    assert (done.status, done.out.strip()) == (0, str(tmp_path / "site" / "index.html"))
    assert (tmp_path / "site" / "es" / "harbour" / "faq" / "index.html").is_file()


@pytest.mark.parametrize(
    ("locale", "made", "unchanged"),
    [
        ("en", "Files written: 1. Kept", "Nothing has changed"),
        ("es", "escritos: 1. Sin", "Nada"),
        ("zh", " 1 个", "没有变化"),
    ],
)
def test_the_command_says_how_many_files_are_new(tmp_path: Path, locale: str, made: str, unchanged: str) -> None:
    corpus, site = write_corpus(tmp_path / "corpus"), tmp_path / "site"

    def said() -> str:
        return rules("site", "-o", str(site), corpus=corpus, env={"LC_ALL": f"{locale}_XX.UTF-8"}).err

    first, count = said(), sum(path.is_file() for path in site.rglob("*"))
    assert re.findall("[0-9]+", first) == [str(count), "0"]
    assert unchanged in said()
    (site / "404.html").write_text("mine", encoding="utf-8")
    assert made in (again := said()) and str(count - 1) in again


def test_the_command_refuses_a_corpus_with_problems_and_foreign_folders(tmp_path: Path) -> None:
    bad = write_corpus(tmp_path / "bad", Edit("harbour/rules.en.md", "(#docks)", "(#dock)"))
    done = rules("site", "-o", str(tmp_path / "site"), corpus=bad)
    assert done.status == 3 and "harbour/rules.en.md:9" in done.err and not (tmp_path / "site").exists()
    done = rules("site", "-o", str(tmp_path / "bad"), corpus=write_corpus(tmp_path / "good"))
    assert done.status == 2 and "not a site of ours" in done.err


@pytest.mark.parametrize(
    "place",
    [
        *(
            "corpus",
            "corpus/newgame",
            "corpus/harbour/new/site",
            ".",
            "to-corpus/newgame",
            "to-corpus",
            "corpus/../corpus/x",
        ),
        *("data/ruleslawyer/packs/newgame", "data/ruleslawyer", "to-packs/newgame"),
    ],
)
@pytest.mark.parametrize("packs", ["no packs yet", "packs"])
def test_the_command_makes_no_site_among_the_rules(tmp_path: Path, place: str, packs: str) -> None:
    """It would be read as a game, and everything would fail after that."""
    corpus, data = write_corpus(tmp_path / "corpus"), tmp_path / "data"
    (tmp_path / "to-corpus").symlink_to(corpus)
    (tmp_path / "to-packs").symlink_to(data / "ruleslawyer" / "packs")
    if packs == "packs":
        (data / "ruleslawyer" / "packs").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    done = rules("site", "-o", place, corpus=corpus, env={"XDG_DATA_HOME": str(data)}, cwd=tmp_path)
    assert done.status == 2 and "where rules are read from" in done.err and "-o" in done.err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("place", ["corpus-site", "data/ruleslawyer/site", "loop"])
def test_the_command_makes_a_site_beside_the_rules(tmp_path: Path, place: str) -> None:
    corpus, data = write_corpus(tmp_path / "corpus"), tmp_path / "data"
    (tmp_path / "loop").symlink_to("loop")
    done = rules("site", "-o", place, corpus=corpus, env={"XDG_DATA_HOME": str(data)}, cwd=tmp_path)
    if place == "loop":
        assert done.status == 2 and "is not a folder" in done.err
    else:
        assert done.status == 0 and (tmp_path / place / "index.html").is_file()


# --- links ------------------------------------------------------------------------------------------------------------


def test_no_link_or_fragment_of_the_bundled_site_is_dead(bundled_files: Mapping[str, bytes]) -> None:
    pages = html_of(bundled_files)
    assert list(check_links(pages, bundled_files.keys())) == []
    assert len(pages) > 40


@pytest.mark.parametrize("base", ["https://example.org", "https://example.org/some/rules/"])
def test_links_hold_with_a_public_address_too(corpus: Corpus, base: str) -> None:
    files = site_files(corpus, base)
    sitemap, robots = files["sitemap.xml"].decode(), files["robots.txt"].decode()
    assert f"{base.rstrip('/')}/sitemap.xml" in robots
    for address in re.findall("<loc>(.*?)</loc>", sitemap):
        path = address.removeprefix(base.rstrip("/") + "/")
        assert (path + "index.html" if not path or path.endswith("/") else path) in files
    page = files["es/harbour/rules/index.html"].decode()
    assert f'<link rel="canonical" href="{base.rstrip("/")}/es/harbour/rules/">' in page
    assert 'hreflang="zh-Hans"' in page and 'property="og:title"' in page


@pytest.mark.parametrize("base", ["example.org", "javascript:alert(1)", "ftp://example.org"])
def test_a_base_url_that_is_no_web_address_is_refused(corpus: Corpus, tmp_path: Path, base: str) -> None:
    with pytest.raises(UsageProblem):
        build_site(corpus, tmp_path / "site", base_url=base)


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<a href="no.html">', "dead link"),
        ('<a href="#no">', "dead fragment"),
        ('<a href="b.html#no">', "dead fragment"),
        ('<i id="x"></i><b id="x"></b>', "used twice"),
        ('<button popovertarget="no">', "no element"),
        ('<a href="javascript:x">', "link to"),
    ],
)
def test_faults_are_told_by_page_and_line(html: str, fault: str) -> None:
    (problem,) = check_links({"a.html": f"<p>\n{html}", "b.html": ""}, {"a.html", "b.html"})
    assert (problem.file, problem.line) == ("a.html", 2) and fault in problem.message


def test_every_link_names_a_file_and_stays_on_the_site(bundled_files: Mapping[str, bytes]) -> None:
    for name, html in html_of(bundled_files).items():
        for link in re.findall(r'(?:href|src|action)="([^"]*)"', html):
            assert link.startswith(("https://", "http://", "#")) or re.search(r"\.\w+(\?\w+)?(#|$)", link), (name, link)
        assert not re.search(r'(src|action)="https?:', html)


def test_links_hold_when_a_heading_is_added_above(tmp_path: Path) -> None:
    """Two headings of one name, a third added: each link still leads to its own section (faults.md, 12)."""
    added = '\n## 例子 {#example-0 sources="harbour-book"}\n\n零。\n'
    old = (
        '\n## 例子 {#example-1 sources="harbour-book"}\n\n一。\n\n## 例子 {#example-2 sources="harbour-book"}\n\n二。\n'
    )
    for name, text in (("before", old), ("after", added + old)):
        edits = [Edit(f"harbour/rules.{lang}.md", "", text) for lang in ("en", "es", "zh")]
        page = site_files(load(write_corpus(tmp_path / name, *edits)).corpus)["zh/harbour/rules/index.html"].decode()
        for number, word in (("1", "一。"), ("2", "二。")):
            section = page.split(f'id="example-{number}"')[1].split("</article>")[0]
            assert word in section


def test_chinese_emphasis_and_line_breaks_render(tmp_path: Path) -> None:
    """faults.md, 14 and 15."""
    edit = Edit("harbour/rules.zh.md", "移动1艘船，然后", "**注意：**每轮\n只能这是**「重点」**规则。移动1艘船，然后")
    page = site_files(load(write_corpus(tmp_path, edit)).corpus)["zh/harbour/rules/index.html"].decode()
    assert "<strong>注意：</strong>每轮只能这是<strong>「重点」</strong>规则。" in page
    assert "**" not in page


# --- collisions -------------------------------------------------------------------------------------------------------


def renamed(corpus: Corpus, old: str, new: str) -> Corpus:
    game = replace(corpus.games[old], id=new, disputes=(), terms=())
    entries = [replace(e, game=new) for e in corpus.entries.values() if e.game == old]
    return Corpus({**corpus.games, new: game}, {**corpus.entries, **{e.name: e for e in entries}})


@pytest.mark.parametrize("name", ["search", "entries"])
def test_a_game_may_not_take_the_place_of_a_page(corpus: Corpus, name: str) -> None:
    with pytest.raises(SiteInvalid, match="collides with"):
        site_files(renamed(corpus, "lanterns", name))


@pytest.mark.parametrize("name", ["Harbour", "../up", "a/b", "<b>", "a\u2028b", "a b"])
def test_an_id_that_is_not_kebab_case_comes_into_no_path(corpus: Corpus, name: str) -> None:
    with pytest.raises(SiteInvalid, match="malformed id"):
        site_files(renamed(corpus, "lanterns", name))


def test_paths_that_differ_in_capitals_only_collide(corpus: Corpus) -> None:
    with pytest.raises(SiteInvalid, match="collides with"):
        site_files(corpus, additions={"Site.css": b""})


def test_a_file_may_not_lie_in_a_file(corpus: Corpus) -> None:
    with pytest.raises(SiteInvalid, match="which is a file"):
        site_files(corpus, additions={"site.css/more.js": b""})


def test_a_corpus_without_entries_makes_no_site() -> None:
    with pytest.raises(CorpusInvalid):
        site_files(Corpus({}, {}))


# --- hostile texts ----------------------------------------------------------------------------------------------------

EVIL = "</title></script><script>alert(1)</script><img src=x onerror=alert(1)>\"'`{{7*7}}\u2028&amp;"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "script":
            self.scripts.append(values.get("src") or "inline")
        self.bad += [f"{tag} {name}" for name in values if name.startswith("on") or name == "style"]
        if tag in ("img", "iframe", "style", "object", "embed", "base"):
            self.bad.append(tag)


MARKDOWN = EVIL + '\n\n[x](javascript:alert(1)) [y](#docks"onclick="alert(1))'


def hostile_entry(entry: Entry) -> Entry:
    texts = {lang: replace(text, title=EVIL, markdown=MARKDOWN, aliases=(EVIL,)) for lang, text in entry.texts.items()}
    return replace(entry, texts=texts, players=EVIL, variant=EVIL, edition=EVIL)


def hostile_game(game: Game) -> Game:
    evil = dict.fromkeys(("en", "es", "zh"), EVIL)
    address = "javascript:alert(1)"
    return replace(
        game,
        title=evil,
        updated=EVIL,
        facts={"players": EVIL},
        documents=dict.fromkeys(game.documents, EVIL),
        sources={
            key: replace(source, title=EVIL, kind=EVIL, address=address, date=EVIL, about=evil)
            for key, source in game.sources.items()
        },
        disputes=tuple(
            replace(
                d, title=evil, ruling=evil, reason=evil, positions=tuple(replace(p, says=evil) for p in d.positions)
            )
            for d in game.disputes
        ),
        terms=tuple(replace(t, definition=evil, forms=dict.fromkeys(evil, (EVIL, EVIL))) for t in game.terms),
    )


def test_hostile_texts_are_inert_everywhere(corpus: Corpus) -> None:
    games = {**corpus.games, "harbour": hostile_game(corpus.games["harbour"])}
    bad = Corpus(games, {name: hostile_entry(entry) for name, entry in corpus.entries.items()})
    seen = 0
    for name, html in html_of(site_files(bad, "https://example.org/")).items():
        tags = _Tags()
        tags.feed(html)
        assert tags.bad == [], name
        assert all(re.search(r"(^|/)assets/[a-z-]+-[0-9a-f]{10}\.js$", src) for src in tags.scripts), name
        assert 'href="javascript' not in html
        seen += html.count("alert(1)")
    assert seen > 50


def test_no_script_or_style_is_inline(bundled_files: Mapping[str, bytes]) -> None:
    for name, html in html_of(bundled_files).items():
        assert "Content-Security-Policy" in html, name
        assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=", html), name


# --- weight -----------------------------------------------------------------------------------------------------------


def zipped(files: Mapping[str, bytes], *names: str) -> int:
    return sum(len(gzip.compress(files[name], mtime=0)) for name in names)


def test_pages_are_light(bundled_files: Mapping[str, bytes]) -> None:
    script, theme, styles, icon = (
        next(path for path in bundled_files if re.fullmatch(rf"assets/{name}-\w+\.{ending}", path))
        for name, ending in (("site", "js"), ("theme", "js"), ("site", "css"), ("icon", "svg"))
    )
    assert zipped(bundled_files, script, theme) <= 12 * 1024
    for lang in ("en", "es", "zh"):
        everything = [f"{lang}/index.html", script, theme, styles, icon]
        assert zipped(bundled_files, *everything) <= 60 * 1024
