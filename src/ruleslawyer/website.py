"""The website: every page planned, rendered and checked in memory, then written as a whole.

The same corpus gives the same bytes, and what is the same in two builds has the same name in both. What pages share lies in
``assets/``, each file named by its content, so a page only ever loads the styles and scripts that it was made with. How the
search data are called stands in one list, which also names the pages of the build by their marks: a page that is not among
them loads none.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from ruleslawyer import sitefolder, urls
from ruleslawyer.browserindex import FOLDER, SEARCH_SCRIPT, search_script, shard_script
from ruleslawyer.entryviews import web_address
from ruleslawyer.errors import CorpusInvalid, DataProblem, Problem, UsageProblem
from ruleslawyer.forking import shared
from ruleslawyer.framing import pick, tag_of
from ruleslawyer.model import Corpus, Game
from ruleslawyer.pages import Page, plan
from ruleslawyer.places import site_folder
from ruleslawyer.render import Rendered, Renderer
from ruleslawyer.sitefolder import Written
from ruleslawyer.textfile import KEBAB
from ruleslawyer.views import Public
from ruleslawyer.weblinks import check_links
from ruleslawyer.words import interface_languages, words_in

STYLES = ("tokens", "base", "frame", "entry", "glosses", "lists", "search", "results", "print")
"""Style sheets of ``static/css``, in this order one file on the site."""

SCRIPTS = ("language-switch", "theme-switch", "permalink", "contents", "glosses", "way-back", "unfold", "offline")
"""Scripts of ``static/js``, in this order one file on the site."""

SINGLE = ("js/theme.js", "js/choose-language.js", "icon.svg", "icon-192.png", "icon-512.png", "preview.png")
"""Files of ``static`` that stand alone on the site."""

MANY = 1000
"""Entries for whose pages it pays to start processes."""

Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do."""


class SiteInvalid(DataProblem):
    """Pages that cannot be published; ``problems`` lists everything found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(f"the site has {len(problems)} problem(s), first: {problems[0]}", "nothing was written")
        self.problems = tuple(problems)


def with_private_marked(corpus: Corpus) -> Corpus:
    """The corpus as a website shows it: the titles of private games say that they are."""
    games = {
        game.id: replace(game, title=_marked_in_all(game)) if game.private else game for game in corpus.games.values()
    }
    return replace(corpus, games=games)


def _marked_in_all(game: Game) -> dict[str, str]:
    """The title in every language that it has or that pages have; always in one order, which the search data show."""
    return {lang: _marked(game, lang) for lang in sorted({*game.title, *interface_languages()})}


def _marked(game: Game, lang: str) -> str:
    words = words_in(lang)
    return words.bracketed(pick(game.title, lang), words("private"))


def build_site(
    corpus: Corpus,
    target: Path,
    *,
    base_url: str = "",
    additions: Mapping[str, bytes] | None = None,
    progress: Progress = lambda done, total: None,
    told: Callable[[Written], None] = lambda written: None,
) -> Path:
    """Make the website in a folder and return its ``index.html``.

    Args:
        corpus: games and entries, linked and without problems.
        target: the folder; a site of ours that is there is replaced, and what is the same in both stays.
        base_url: the site's public address, for canonical links, sitemap and previews; may be empty.
        additions: more files for ``assets/``, e.g. ``{"search/core.js": b"..."}``; part of the build's identity.
        progress: told of every page rendered and every file written.
        told: told at the end how many files are new.

    Raises:
        UsageProblem: the folder holds something else, or the address is none.
        SiteInvalid: pages collide, or a link leads nowhere.
    """
    if base_url and not web_address(base_url):
        raise UsageProblem(f"{base_url!r} is not a web address", "write it with https:// in front")
    target = target.absolute()
    sitefolder.refuse_foreign(target)
    files = site_files(corpus, base_url, additions or {}, progress)
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        progress(len(files) + done, 2 * len(files))

    told(sitefolder.write_folder(files, target, step))
    return target / "index.html"


def site_files(
    corpus: Corpus, base_url: str = "", additions: Mapping[str, bytes] | None = None, progress: Progress | None = None
) -> dict[str, bytes]:
    """Every file of the site, by site path, checked."""
    if not corpus.entries:
        raise CorpusInvalid([Problem(".", 0, "no entries")])
    _refuse_unsafe_ids(corpus)
    languages = interface_languages()
    assets = {**_assets(), **(additions or {})}
    named = {name: urls.asset(name, content) for name, content in assets.items()}
    pages = list(plan(corpus, languages, base_url, named))
    _refuse(_collisions([*(page.path for page in pages), *(f"{urls.ASSETS}/{name}" for name in assets)]))
    rendered = _render(pages, named, len(corpus.entries) > MANY, progress or (lambda done, total: None))
    others = {**_manifests(languages, named), **_for_robots(rendered, base_url)}
    everything = {path: text.encode() for path, text in {**{r.path: r.html for r in rendered}, **others}.items()}
    everything |= {named[name]: content for name, content in assets.items()}
    files = _with_build(everything, named)
    texts = {name: content.decode() for name, content in files.items() if name.endswith(".html")}
    _refuse(check_links(texts, files.keys(), urls.rooted(base_url, "")))
    return files


def _render(pages: Sequence[Page], named: Mapping[str, str], many: bool, progress: Progress) -> list[Rendered]:
    """All pages, in their order; where there are many, several processes share them."""
    renderer = Renderer(site_folder() / "templates", named)
    renderer.prepare(sorted({page.template for page in pages}))
    rendered: list[Rendered] = []
    for page in shared(lambda n: renderer.rendered(pages[n]), range(len(pages)), worthwhile=many):
        rendered.append(page)
        progress(len(rendered), 2 * (len(pages) + len(named)))
    return rendered


# --- the build's identity ---------------------------------------------------------------------------------------------


def _with_build(files: Mapping[str, bytes], named: Mapping[str, str]) -> dict[str, bytes]:
    """The files with what stands in for marks and for the build's id replaced; and the few that change with every build."""
    worker = _static("js/service-worker.js")
    build = _identity(files, worker)
    built, marks = dict(files), []
    for path, content in sorted(files.items()):
        if path.endswith(".html"):
            built[path], mark = _marked_page(content, build)
            marks.append(mark)
    built[urls.SEARCH_DATA] = _search_list(marks, named)
    built["service-worker.js"] = _service_worker(built, build, worker)
    built[sitefolder.MARKER] = sitefolder.marker(build, built, marks)
    return dict(sorted(built.items()))


def _identity(files: Mapping[str, bytes], worker: bytes) -> str:
    """The build's id: taken from everything."""
    digest = hashlib.sha256()
    for path, content in sorted(files.items()):
        digest.update(b"%d %d " % (len(path.encode()), len(content)) + path.encode() + content)
    return hashlib.sha256(digest.digest() + worker).hexdigest()[:12]


def _marked_page(content: bytes, build: str) -> tuple[bytes, str]:
    """A page ready to be written, and its mark. Only a page that changes with every build has the build's id in it."""
    page = content.replace(urls.BUILD.encode(), build.encode())
    mark = hashlib.sha256(page).hexdigest()[:8]
    return page.replace(urls.MARK.encode(), mark.encode()), mark


def _search_list(marks: Sequence[str], named: Mapping[str, str]) -> bytes:
    """The marks of all pages, and for each shard what its file's name has at its end."""
    shards = {
        name.removeprefix(FOLDER).removesuffix(".js"): path for name, path in named.items() if name.startswith(FOLDER)
    }
    ends = {name: path.removesuffix(".js").rpartition("-")[2] for name, path in shards.items()}
    return shard_script("build", {"pages": " ".join(marks), "files": ends})


def _service_worker(files: Mapping[str, bytes], build: str, script: bytes) -> bytes:
    """The worker with the list of what it keeps; each with its hash, so that it never keeps a file of another build."""
    kept = {
        path: "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()
        for path, content in sorted(files.items())
        if not path.endswith((".txt", ".xml", "404.html", "preview.png"))
    }
    listed = json.dumps(kept, separators=(",", ":"))
    return f'"use strict";\nconst BUILD = "{build}";\nconst FILES = {listed};\n'.encode() + script


# --- what is not a page -----------------------------------------------------------------------------------------------


def _static(name: str) -> bytes:
    return (site_folder() / "static" / name).read_bytes()


def page_script(*more: str) -> bytes:
    """The script of every page, with ``more`` of ``static/js`` at its end."""
    return b"\n".join(_static(f"js/{name}.js") for name in (*SCRIPTS, *more))


def _assets() -> dict[str, bytes]:
    return {
        SEARCH_SCRIPT: search_script(),
        "site.css": b"\n".join(_static(f"css/{name}.css") for name in STYLES),
        "site.js": page_script(),
        **{Path(name).name: _static(name) for name in SINGLE},
    }


def _manifests(languages: Iterable[str], named: Mapping[str, str]) -> dict[str, str]:
    return {urls.manifest(lang): _manifest(lang, named) for lang in languages}


def _manifest(lang: str, named: Mapping[str, str]) -> str:
    words, path = words_in(lang), urls.manifest(lang)
    icons = [("icon.svg", "any", "image/svg+xml"), ("icon-192.png", "192x192", "image/png")]
    icons.append(("icon-512.png", "512x512", "image/png"))
    data = {
        "name": "Rules Lawyer",
        "short_name": "Rules",
        "description": words("site.home.description"),
        "lang": tag_of(lang),
        "id": "../index.html",
        "start_url": "index.html",
        "scope": "../",
        "display": "standalone",
        "background_color": "#fbfaf5",
        "theme_color": "#1d4a3c",
        "icons": [{"src": urls.relative(named[n], path), "sizes": s, "type": t} for n, s, t in icons],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _for_robots(pages: Iterable[Rendered], base_url: str) -> dict[str, str]:
    """``robots.txt``, and with a public address the sitemap."""
    if not base_url:
        return {"robots.txt": "User-agent: *\nAllow: /\n"}
    rows = "".join(_sitemap_row(page.public) for page in pages if page.public)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    return {
        "robots.txt": f"User-agent: *\nAllow: /\n\nSitemap: {urls.absolute(base_url, 'sitemap.xml')}\n",
        "sitemap.xml": f'{head} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n{rows}</urlset>\n',
    }


def _sitemap_row(public: Public) -> str:
    others = "".join(
        f'<xhtml:link rel="alternate" hreflang="{escape(tag)}" href="{escape(address)}"/>'
        for tag, address in public.alternates
    )
    return f"<url><loc>{escape(public.canonical)}</loc>{others}</url>\n"


# --- checks -----------------------------------------------------------------------------------------------------------


def _refuse(problems: Iterable[Problem]) -> None:
    found = list(problems)
    if found:
        raise SiteInvalid(found)


def _collisions(paths: Iterable[str]) -> Iterator[Problem]:
    """Paths that are the same on a disk that does not tell capital letters from small ones, or file and folder at once."""
    seen: dict[str, str] = {}
    for path in paths:
        other = seen.setdefault(path.casefold(), path)
        if other is not path:
            yield Problem(path, 0, f"collides with {other}", "rename one of the games")
    for key, path in seen.items():
        above = key.rpartition("/")[0]
        while above:
            if above in seen:
                yield Problem(path, 0, f"lies in {seen[above]}, which is a file")
            above = above.rpartition("/")[0]


def _refuse_unsafe_ids(corpus: Corpus) -> None:
    """Ids become paths and fragments, so nothing but kebab-case may come this far."""
    ids = [(game.id, "game.toml", name) for game in corpus.games.values() for name in _ids(game)]
    ids += [(e.game, "an entry", e.id) for e in corpus.entries.values()]
    _refuse(
        Problem(f"{game}/{where}" if where == "game.toml" else game, 0, f"malformed id {name!r}")
        for game, where, name in ids
        if not KEBAB.fullmatch(name)
    )


def _ids(game: Game) -> Iterator[str]:
    yield game.id
    yield from game.sources
    yield from (dispute.id for dispute in game.disputes)
    yield from (term.id for term in game.terms)
