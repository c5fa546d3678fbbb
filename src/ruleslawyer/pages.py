"""Corpus -> the contexts of all pages of the website (``views``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from ruleslawyer import urls
from ruleslawyer.browserindex import first_files
from ruleslawyer.collation import group, sort_key
from ruleslawyer.entryviews import EntryViews, branches
from ruleslawyer.framing import Framing, language_label, language_name, phrase, pick
from ruleslawyer.model import Corpus, Entry, Game
from ruleslawyer.survey import Survey, survey
from ruleslawyer.views import (
    Choice,
    DisputesPage,
    DocumentPage,
    EntriesPage,
    Fact,
    Frame,
    GameCard,
    GamePage,
    GlossaryPage,
    HomePage,
    Link,
    MissingPage,
    RootPage,
    SearchPage,
    View,
)
from ruleslawyer.words import Words, words_in

ASKED = 5
"""How many questions the home page begins with."""


class Page(NamedTuple):
    """A page to render: its site path, the template, and what makes its context, which is large, from the path."""

    path: str
    template: str
    make: Callable[[str], View]

    @property
    def view(self) -> View:
        """The context, made each time."""
        return self.make(self.path)


def plan(
    corpus: Corpus, languages: Sequence[str], base_url: str = "", assets: Mapping[str, str] | None = None
) -> Iterator[Page]:
    """Every page of the site, in order of path building: the root, then language by language.

    Args:
        corpus: games and entries, linked.
        languages: the interface languages.
        base_url: the site's public address, or empty.
        assets: the site paths of all shared files that there will be, by name.
    """
    root = Framing(words_in("en"), languages, base_url, assets)
    yield Page("index.html", "root.html", partial(_root, root))
    for lang in ("", *languages):
        framing = Framing(words_in(lang or "en"), languages, base_url, assets)
        yield Page(urls.missing(lang), "missing.html", partial(_missing, framing))
    looked_at = survey(corpus)
    for lang in languages:
        yield from _Language(corpus, looked_at, Framing(words_in(lang), languages, base_url, assets)).pages()


def _root(framing: Framing, path: str) -> RootPage:
    return RootPage(framing.frame(path, "Rules Lawyer", ""), framing.homes(path))


def _missing(framing: Framing, path: str) -> MissingPage:
    frame = framing.frame(path, framing.words("site.missing"), "", listed=False)
    return MissingPage(frame, framing.homes(path))


class _Language:
    """All pages in one interface language."""

    def __init__(self, corpus: Corpus, survey: Survey, framing: Framing) -> None:
        self.corpus = corpus
        self.survey = survey
        self.framing = framing
        self.words = framing.words
        self.lang = framing.words.lang

    def pages(self) -> Iterator[Page]:
        """The pages: home, search and A-Z, then game by game."""
        yield Page(urls.home(self.lang), "home.html", self._home)
        yield Page(urls.search(self.lang), "search.html", self._search)
        yield Page(urls.entries(self.lang), "entries.html", self._entries)
        for game in self.corpus.games.values():
            yield from _GamePages(self.corpus, self.survey, game, self.framing).pages()

    def _home(self, path: str) -> HomePage:
        frame = self.framing.frame(path, self.words("site.home.title"), self.words("site.home.description"))
        cards = tuple(self._card(game, path) for game in self.corpus.games.values())
        return HomePage(frame, cards, self._asked(path))

    def _asked(self, path: str) -> tuple[Link, ...]:
        questions = [e for e in self.corpus.entries.values() if e.kind == "faq"][:ASKED]
        return tuple(self._link(entry, path) for entry in questions)

    def _card(self, game: Game, path: str) -> GameCard:
        entries = self.survey.entries[game.id]
        return GameCard(
            id=game.id,
            href=urls.relative(urls.game(self.lang, game.id), path),
            title=phrase(game.title, self.lang),
            facts=facts_of(game, self.words),
            languages=tuple(language_name(lang, self.words) for lang in game.languages),
            updated=game.updated,
            links=_parts(entries, game, self.words, path),
            counts=self.words("site.counts", entries=len(entries), disputes=len(game.disputes), terms=len(game.terms)),
        )

    def _link(self, entry: Entry, path: str) -> Link:
        text = pick(entry.texts, self.lang)
        title = phrase({text.lang: text.title}, self.lang)
        game = pick(self.corpus.games[entry.game].title, self.lang)
        return Link(urls.relative(urls.entry(self.lang, entry), path), title, entry.name, game)

    def _search(self, path: str) -> SearchPage:
        frame = self.framing.frame(path, self.words("site.search"), self.words("site.search.description"), listed=False)
        games = tuple((game.id, pick(game.title, self.lang)) for game in self.corpus.games.values())
        languages = tuple((lang, language_label(lang)) for lang in self.framing.languages)
        kinds = tuple((kind, self.words(f"site.kind.{kind}")) for kind in ("rule", "faq", "info"))
        assets = self.framing.assets
        needed = [assets[name] for name in first_files(self.corpus, self.lang) if name in assets]
        data = tuple(urls.relative(target, path) for target in needed)
        listed = f"{urls.relative(urls.SEARCH_DATA, path)}?{urls.BUILD}"
        return SearchPage(frame, games, languages, kinds, listed, data)

    def _entries(self, path: str) -> EntriesPage:
        frame = self.framing.frame(path, self.words("site.entries"), self.words("site.entries.description"))
        links = [self._link(entry, path) for entry in self.corpus.entries.values()]
        links.sort(key=lambda link: (group(link.label.text, self.lang), *sort_key(link.label.text, self.lang)))
        groups: dict[str, list[Link]] = defaultdict(list)
        for link in links:
            groups[group(link.label.text, self.lang)].append(link)
        order = sorted(groups, key=lambda letter: sort_key(letter, "es"))
        listed = tuple((letter, f"_letter-{n}", tuple(groups[letter])) for n, letter in enumerate(order))
        return EntriesPage(frame, listed)


class _GamePages:
    """The pages of one game in one interface language."""

    def __init__(self, corpus: Corpus, survey: Survey, game: Game, framing: Framing) -> None:
        self.corpus = corpus
        self.survey = survey
        self.entries = survey.entries[game.id]
        self.game = game
        self.framing = framing
        self.words = framing.words
        self.lang = framing.words.lang
        self.title = phrase(game.title, self.lang)

    def pages(self) -> Iterator[Page]:
        """The game's own page and those of its parts that have something to show."""
        yield Page(urls.game(self.lang, self.game.id), "game.html", self._game)
        for name in ("rules", "faq"):
            if self._shown(name):
                yield self._part(name, "document.html", partial(self._document, name))
        if self.game.terms:
            yield self._part("glossary", "glossary.html", self._glossary)
        if self.game.disputes:
            yield self._part("disputes", "disputes.html", self._disputes)

    def _part(self, name: str, template: str, make: Callable[[str], View]) -> Page:
        return Page(urls.part(self.lang, self.game.id, name), template, make)

    @cached_property
    def _views(self) -> EntryViews:
        return EntryViews(self.corpus, self.survey, self.game, self.words, self.framing.languages)

    def _shown(self, name: str) -> list[Entry]:
        return [e for e in self.entries if urls.page_of(e.kind) == name]

    def _game(self, path: str) -> GamePage:
        words = self.words
        frame = self.framing.frame(
            path,
            self.title.text,
            words("site.game.description", game=self.title.text),
            crumbs=(self._home(path),),
            tabs=_parts(self.entries, self.game, words, path),
            game=self.game.id,
            private=self.game.private,
        )
        return GamePage(
            frame=frame,
            title=self.title,
            notice=self._notice(self.game.languages),
            facts=facts_of(self.game, words),
            rules=branches(self._shown("rules"), self._views, path),
            questions=branches(self._shown("faq"), self._views, path),
            sources=tuple(self._views.source(source, path) for source in self.game.sources),
            updated=self.game.updated,
        )

    def _document(self, name: str, path: str) -> DocumentPage:
        entries = self._shown(name)
        kind = "faq" if name == "faq" else "rule"
        written = {lang: title for (of, lang), title in self.game.documents.items() if of == kind}
        title = phrase(written, self.lang) if written else phrase({self.lang: self.words(f"site.{name}")}, self.lang)
        shown, terms = self._views.entries(entries, path)
        return DocumentPage(
            frame=self._frame(path, title.text),
            title=title,
            game=self.title,
            notice=self._notice({lang for entry in entries for lang in entry.texts}),
            contents=branches(entries, self._views, path),
            entries=shown,
            terms=terms,
        )

    def _glossary(self, path: str) -> GlossaryPage:
        title = self.words("site.glossary")
        terms = sorted(self.game.terms, key=lambda term: sort_key(pick(term.forms, self.lang)[0], self.lang))
        views = tuple(self._views.term(term, path, whole=True) for term in terms)
        notice = self._notice({lang for term in terms for lang in term.definition})
        return GlossaryPage(self._frame(path, title), title, self.title, notice, views)

    def _disputes(self, path: str) -> DisputesPage:
        title = self.words("disputes")
        disputes = sorted(self.game.disputes, key=lambda dispute: dispute.status != "open")
        views = tuple(self._views.dispute(dispute, path) for dispute in disputes)
        notice = self._notice({lang for dispute in disputes for lang in dispute.ruling})
        return DisputesPage(self._frame(path, title), title, self.title, notice, views)

    def _frame(self, path: str, title: str) -> Frame:
        return self.framing.frame(
            path,
            f"{title} · {self.title.text}",
            self.words("site.part.description", part=title, game=self.title.text),
            crumbs=(self._home(path), Link(urls.relative(urls.game(self.lang, self.game.id), path), self.title)),
            tabs=_parts(self.entries, self.game, self.words, path),
            game=self.game.id,
            private=self.game.private,
        )

    def _home(self, path: str) -> Link:
        return Link(urls.relative(urls.home(self.lang), path), phrase({self.lang: self.words("site.games")}, self.lang))

    def _notice(self, written: Iterable[str]) -> str:
        """That there is nothing here in the reader's language, and which one there is instead."""
        languages = sorted(written)
        if self.lang in languages or not languages:
            return ""
        shown = pick({lang: lang for lang in languages}, self.lang)
        return self.words("site.fallback", wanted=self.words("language"), shown=language_name(shown, self.words))


def facts_of(game: Game, words: Words) -> tuple[Fact, ...]:
    """Players, playing time and age, as far as they are known."""
    return tuple(Fact(words(f"site.fact.{key}"), value) for key, value in game.facts.items())


def _parts(entries: Iterable[Entry], game: Game, words: Words, path: str) -> tuple[Choice, ...]:
    """The pages of a game that have something to show, to choose from."""
    kinds = {urls.page_of(e.kind) for e in entries}
    there: Mapping[str, bool] = {
        "rules": "rules" in kinds,
        "faq": "faq" in kinds,
        "glossary": bool(game.terms),
        "disputes": bool(game.disputes),
    }
    pages = {name: urls.part(words.lang, game.id, name) for name, shown in there.items() if shown}
    return tuple(
        Choice(urls.relative(page, path), words(f"site.{name}"), "", page == path) for name, page in pages.items()
    )
