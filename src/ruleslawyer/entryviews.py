"""Entries, sources, disputes and terms of one game, as pages in one interface language show them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from ruleslawyer import urls
from ruleslawyer.framing import language_label, language_name, phrase, pick, tag_of
from ruleslawyer.glossing import PREFIX
from ruleslawyer.linking import target_name
from ruleslawyer.model import Corpus, Dispute, Entry, Game, Term
from ruleslawyer.richtext import Html, Target, to_html
from ruleslawyer.survey import Survey
from ruleslawyer.views import (
    Branch,
    Choice,
    DisputeView,
    EntryView,
    Fact,
    Link,
    Phrase,
    PositionView,
    SourceView,
    TermView,
)
from ruleslawyer.words import Words

LOWEST_HEADING = 6


class EntryViews:
    """Makes the views of a game's entries and of what belongs to them."""

    def __init__(self, corpus: Corpus, survey: Survey, game: Game, words: Words, languages: Sequence[str]) -> None:
        self._corpus = corpus
        self._survey = survey
        self._game = game
        self._words = words
        self._lang = words.lang
        self._languages = languages
        self._glossaries = survey.glossaries[game.id]

    def entries(self, entries: Sequence[Entry], path: str) -> tuple[tuple[EntryView, ...], tuple[TermView, ...]]:
        """The entries of a page, and the terms to be explained on it."""
        ids = {entry.id for entry in entries}
        views = tuple(self._entry(entry, _depth(entry, ids, self._corpus), path) for entry in entries)
        used = [term for term in self._game.terms if any(f'"{PREFIX}{term.id}"' in view.body for view in views)]
        return views, tuple(self.term(term, path) for term in used)

    def link(self, name: str, path: str) -> Link:
        """A link to an entry, by its full name."""
        entry = self._corpus.entries[name]
        note = "" if entry.game == self._game.id else pick(self._corpus.games[entry.game].title, self._lang)
        return Link(urls.relative(urls.entry(self._lang, entry), path), self._title(entry), name, note)

    def source(self, source_id: str, path: str) -> SourceView:
        """A source with its address and date."""
        source = self._game.sources[source_id]
        kind = f"site.source.{source.kind.replace(' ', '-')}"
        return SourceView(
            id=source.id,
            href=urls.relative(urls.source(self._lang, self._game.id, source.id), path),
            title=phrase({source.language: source.title}, self._lang),
            kind=self._words(kind) if kind in self._words.texts else source.kind,
            language=language_label(source.language),
            address=web_address(source.address),
            date=source.date,
            about=phrase(source.about, self._lang) if source.about else Phrase(""),
        )

    def dispute(self, dispute: Dispute, path: str) -> DisputeView:
        """A dispute with each of its positions."""
        return DisputeView(
            id=dispute.id,
            href=urls.relative(urls.dispute(self._lang, self._game.id, dispute.id), path),
            status=dispute.status,
            basis=self._words(f"basis.{dispute.basis}"),
            title=phrase(dispute.title, self._lang),
            ruling=phrase(dispute.ruling, self._lang),
            reason=phrase(dispute.reason, self._lang),
            positions=tuple(
                PositionView(
                    tuple(self._source_link(s, path) for s in position.sources), phrase(position.says, self._lang)
                )
                for position in dispute.positions
            ),
            basis_sources=tuple(self._source_link(source, path) for source in dispute.basis_sources),
            entries=tuple(self.link(f"{self._game.id}/{entry}", path) for entry in dispute.entries),
        )

    def term(self, term: Term, path: str, whole: bool = False) -> TermView:
        """A term, with its forms in all languages where the ``whole`` of it is wanted."""
        return TermView(
            id=term.id if whole else PREFIX + term.id,
            form=phrase({lang: forms[0] for lang, forms in term.forms.items()}, self._lang),
            definition=phrase(term.definition, self._lang),
            entry=self.link(f"{self._game.id}/{term.entry}", path),
            forms=tuple(self._forms(term)) if whole else (),
        )

    def _forms(self, term: Term) -> Iterator[tuple[str, str, str]]:
        for lang, forms in term.forms.items():
            shown = forms[1:] if lang == self._lang else forms
            if shown:
                yield tag_of(lang), language_label(lang), (" · " if lang != "zh" else "、").join(shown)

    def _entry(self, entry: Entry, depth: int, path: str) -> EntryView:
        text = pick(entry.texts, self._lang)
        parent = f"{entry.game}/{entry.parent}" if entry.parent and entry.kind == "faq" else ""
        return EntryView(
            id=entry.id,
            name=entry.name,
            kind=entry.kind,
            level=min(2 + depth, LOWEST_HEADING),
            title=self._title(entry),
            tag="" if text.lang == self._lang else tag_of(text.lang),
            notice=""
            if text.lang == self._lang
            else self._words("site.text_in", shown=language_name(text.lang, self._words)),
            facts=tuple(self._facts(entry)),
            body=self._body(entry, path),
            part_of=self.link(parent, path) if parent else None,
            rests_on=self._links((f"{entry.game}/{rule}" for rule in entry.rests_on), path),
            faq=self._links(self._survey.faq.get(entry.name, ()), path),
            referred_by=self._links(self._survey.referred.get(entry.name, ()), path),
            sources=tuple(self.source(source, path) for source in entry.sources),
            disputes=tuple(self.dispute(d, path) for d in self._game.disputes if entry.id in d.entries),
            others=tuple(self._others(entry, path)),
        )

    def _links(self, names: Iterable[str], path: str) -> tuple[Link, ...]:
        return tuple(self.link(name, path) for name in names)

    def _body(self, entry: Entry, path: str) -> Html:
        text = pick(entry.texts, self._lang)

        def resolve(target: str) -> Target | None:
            name = target_name(target, entry.game)
            if name in self._corpus.entries:
                found = self._corpus.entries[name]
                return Target(urls.relative(urls.entry(self._lang, found), path), name)
            source = name.removeprefix("source:")
            if name.startswith("source:") and source in self._game.sources:
                return Target(urls.relative(urls.source(self._lang, entry.game, source), path), source, "source")
            return None

        return to_html(text.markdown, resolve, self._glossaries[text.lang].for_entry(entry.id))

    def _facts(self, entry: Entry) -> Iterator[Fact]:
        pages = pick(entry.texts, self._lang).pages
        facts = (
            ("players", entry.players),
            ("edition", entry.edition),
            ("variant", entry.variant),
            ("site.pages", pages),
        )
        for key, value in facts:
            if value:
                yield Fact(self._words(key), value)

    def _others(self, entry: Entry, path: str) -> Iterator[Choice]:
        """The same entry on the pages of other languages in which it has a text."""
        for lang in self._languages:
            if lang != self._lang and lang in entry.texts:
                yield Choice(urls.relative(urls.entry(lang, entry), path), language_label(lang), tag_of(lang))

    def _title(self, entry: Entry) -> Phrase:
        return phrase({lang: text.title for lang, text in entry.texts.items()}, self._lang)

    def _source_link(self, source: str, path: str) -> Link:
        view = self.source(source, path)
        return Link(view.href, view.title)


def branches(entries: Sequence[Entry], views: EntryViews, path: str) -> tuple[Branch, ...]:
    """Entries as a tree; one whose parent is not among them stands at the top."""
    ids = {entry.id for entry in entries}
    children: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        children[entry.parent if entry.parent in ids else ""].append(entry)

    def grow(parent: str) -> tuple[Branch, ...]:
        return tuple(Branch(views.link(e.name, path), e.kind, grow(e.id)) for e in children[parent])

    return grow("")


def web_address(address: str) -> str:
    """The address if it is one of the web, else nothing: what else an address could do must not happen.

    >>> web_address("https://example.org/a"), web_address("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in ("http", "https") and parts.netloc else ""


def _depth(entry: Entry, ids: Iterable[str], corpus: Corpus) -> int:
    depth = 0
    while entry.parent in ids:
        entry = corpus.entries[f"{entry.game}/{entry.parent}"]
        depth += 1
    return depth
