"""Hits and entries -> what is shown: lines for a terminal, or JSON data with stable keys. Imports no engine."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ruleslawyer.analysis import analyse
from ruleslawyer.blocks import Block
from ruleslawyer.index import Index
from ruleslawyer.plan import Plan, explain
from ruleslawyer.records import Body, Record
from ruleslawyer.search import Found, Hit
from ruleslawyer.terminal import MAX_WIDTH, break_lines, clip, styled, width, without_escapes
from ruleslawyer.words import Note, Words, words_in

SCHEMA = 1
NARROWEST = 8
"""Cells of text at least, however narrow the terminal and deep the list."""
RELATIVES = ("rests_on", "faq", "children", "referred_by")
"""The relatives of an entry, as a record names them."""
EXCERPT = 200
"""Characters of an excerpt at most."""
MOST_REPEATED, LONGEST_WORD = 200, 60
"""Cells at most of a question that is repeated, and of a word of it in a note: enough to know it again."""


class Page(NamedTuple):
    """How the output looks: the words, the width in cells (0: lines are not broken) and whether marks may be used."""

    words: Words
    cells: int
    colour: bool

    def line(
        self, text: str, indent: int = 0, hanging: int | None = None, marks: Sequence[tuple[int, int, str]] = ()
    ) -> Iterator[str]:
        """A paragraph as lines: the first indented by ``indent``, the others by ``hanging``."""
        text = without_escapes(text)
        hanging = indent if hanging is None else hanging
        room = max(NARROWEST, min(self.cells, MAX_WIDTH) - max(indent, hanging)) if self.cells else None
        for n, (a, b) in enumerate(break_lines(text, room)):
            yield " " * (hanging if n else indent) + (styled(text, a, b, marks) if self.colour else text[a:b])

    def labelled(self, key: str, text: str, indent: int = 0, hanging: int | None = None) -> Iterator[str]:
        """A paragraph after the words for a key: ``Sources: ...``."""
        return self.line(self.words.labelled(key, text), indent, hanging)

    def bold(self, text: str) -> Iterator[str]:
        """A heading."""
        return self.line(text, marks=[(0, len(text), "bold")])

    def dim(self, text: str, indent: int = 0) -> Iterator[str]:
        """Something that matters less."""
        return self.line(text, indent, marks=[(0, len(text), "dim")])


def notes(found: Found, words: Words, index: Index) -> list[str]:
    """What is to be said of how the question was read, in the reader's language."""
    only_excluded = found.plan.empty and found.plan.excluded
    return [
        *(_note_text(note, words, index) for note in found.notes),
        *([words("note.nothing_positive")] if only_excluded else []),
    ]


def _note_text(note: Note, words: Words, index: Index) -> str:
    values = {name: clip(value, LONGEST_WORD) for name, value in note.values.items()}
    if "game" in values:
        values["game"] = game_title(index, values["game"], words.lang)
    return words(f"note.{note.key}", **values)


def game_title(index: Index, game: str, lang: str) -> str:
    """A game's title for a reader of ``lang``."""
    titles: dict[str, str] = index.games[game]["title"]
    return titles.get(lang) or titles.get("en") or next(iter(titles.values()))


def is_private(index: Index, game: str) -> bool:
    """Whether a game comes from a person's own packs."""
    return bool(index.games[game].get("private"))


def marked_title(index: Index, game: str, words: Words, lang: str) -> str:
    """A game's title for a reader of ``lang``, marked where the game is private."""
    title = game_title(index, game, lang)
    return words.bracketed(title, words("private")) if is_private(index, game) else title


def found_lines(found: Found, index: Index, page: Page, lang: str) -> Iterator[str]:
    """The answer: the first hit whole, the others a line each; or that there is none, and what is nearest."""
    if found.confident:
        first, *others = found.hits
        yield from entry_lines(first.record, index, page, lang, found.plan)
        if others:
            yield ""
            yield from page.bold(page.words("more"))
            yield from _short_lines(others, index, page, lang)
        hidden = found.total - len(found.hits)
        if hidden > 0:
            yield from page.dim(page.words("more.hidden", count=hidden, total=found.total))
        return
    yield from page.line(page.words("nothing", query=clip(found.query.text, MOST_REPEATED)))
    if found.nearest:
        yield ""
        yield from page.line(page.words("nearest"))
        yield from _short_lines(found.nearest, index, page, lang)
    yield from page.line(page.words("nothing.hint"))


def _short_lines(hits: Iterable[Hit], index: Index, page: Page, lang: str) -> Iterator[str]:
    """A line each; where several games have hits, under the game's title, the game of the best hit first."""
    by_game: dict[str, list[Hit]] = {}
    for hit in hits:
        by_game.setdefault(hit.record.game, []).append(hit)
    for game, its in by_game.items():
        if len(by_game) > 1:
            yield from page.line(marked_title(index, game, page.words, lang), 2, 4)
        private = page.words("private") if len(by_game) == 1 and is_private(index, game) else ""
        for hit in its:
            yield from _short_line(hit.record, page, lang, 4 if len(by_game) > 1 else 2, private)


def _short_line(record: Record, page: Page, lang: str, indent: int, mark: str) -> Iterator[str]:
    title = page.words.bracketed(record.title(lang), mark) if mark else record.title(lang)
    name = record.name
    both = f"{title}  {name}"
    if page.cells and indent + width(both) > min(page.cells, MAX_WIDTH):
        yield from page.line(title, indent, indent + 2)
        yield from page.dim(name, indent + 2)
    else:
        yield from page.line(both, indent, marks=[(len(title), len(both), "dim")])


def entry_lines(record: Record, index: Index, page: Page, lang: str, plan: Plan | None = None) -> Iterator[str]:
    """An entry with its text, sources and disputes: what a reader at the table needs."""
    words = page.words
    yield from _text_of(record, index, page, lang, plan)
    yield ""
    yield from _source_line(record, index, page, lang)
    for dispute in record.disputes():
        line = words(
            "line.dispute",
            title=localised(dispute["title"], lang),
            status=words(f"dispute.{dispute['status']}"),
            ruling=localised(dispute["ruling"], lang),
        )
        yield from page.labelled("disputes", line, 0, 2)


def _text_of(record: Record, index: Index, page: Page, lang: str, plan: Plan | None = None) -> Iterator[str]:
    """An entry's title, where it stands, its full name, what it is limited to, and its text."""
    words = page.words
    body = record.body(lang)
    path = [marked_title(index, record.game, words, lang), *(_title(index, name, lang) for name in record.head["path"])]
    yield from page.bold(body.title)
    yield from page.line(" > ".join(path))
    yield from page.dim(record.name)
    facts = [words.labelled(key, value) for key, value in record.head["facts"].items()]
    if facts:
        yield from page.line("; ".join(facts))
    if body.lang != lang:
        yield from page.line(
            words("fallback", wanted=language_name(lang, words), shown=language_name(body.lang, words))
        )
    yield ""
    yield from text_lines(body, page, plan)


def text_lines(body: Body, page: Page, plan: Plan | None = None) -> Iterator[str]:
    """An entry's text, a blank line between paragraphs, what matched marked."""
    before: Block | None = None
    for block in body.blocks:
        if before is not None and not (before.kind == block.kind and block.kind in ("item", "row")):
            yield ""
        marks = [(s.start, s.end, "bold") for s in block.spans if s.kind == "strong"]
        marks += [(a, b, "hit") for a, b in matches(block.text, body.lang, plan)] if plan else []
        indent = 2 * max(0, block.depth - 1) + (2 if block.depth else 0)
        lead = f"{block.marker} " if block.marker else ""
        shifted = [(a + len(lead), b + len(lead), kind) for a, b, kind in marks]
        yield from page.line(lead + block.text, indent, indent + len(lead), shifted)
        before = block


def matches(text: str, lang: str, plan: Plan) -> list[tuple[int, int]]:
    """Where a text has what the query asked for: ``(start, end)`` in the text as written."""
    wanted = {
        term
        for unit in plan.units
        if unit.weight >= unit.importance
        for alternative in unit.alternatives
        if alternative.lang == lang
        for term, _ in alternative.terms
    }
    wanted |= {
        form for readings in plan.phrases for r in readings if r.lang == lang for place in r.places for form in place
    }
    return [(t.start, t.end) for t in analyse(text, lang) if t.term in wanted and t.kind != "number"]


def show_lines(
    record: Record, index: Index, page: Page, lang: str, asks: bool = False, relatives: bool = True
) -> Iterator[str]:
    """An entry with everything known of it: relatives, sources with addresses, disputes with every position."""
    words = page.words
    yield from _text_of(record, index, page, lang)
    yield ""
    yield from page.bold(words("sources"))
    pages = _pages(record, words, lang)
    for source in _sources(record, index):
        details = ", ".join(x for x in (source["language"], source["date"], source["address"], pages) if x)
        yield from page.line("- " + words.bracketed(source["title"], details), 2, 4)
        yield from page.line(localised(source["about"], lang), 4)
    for dispute in record.disputes():
        yield ""
        yield from _dispute_lines(dispute, index.games[record.game]["sources"], page, lang)
    for key in RELATIVES if relatives else ():
        names = record.head[key]
        if names:
            yield ""
            yield from page.bold(words(key))
            for name in names:
                yield from page.line(f"- {_title(index, name, lang)}  [{name}]", 2, 4)
    others = [other for other in record.titles if other != record.language_for(lang)]
    if others:
        yield ""
        named = (words.bracketed(own_name(other), record.titles[other]) for other in others)
        yield from page.labelled("languages", "; ".join(named))
    if asks:
        yield ""
        yield from page.bold(words("asks"))
        for code, phrasings in record.asks().items():
            for phrasing in phrasings:
                yield from page.line(f"- {code}: {phrasing}", 2, 4)


def _dispute_lines(dispute: Mapping[str, Any], sources: Mapping[str, Any], page: Page, lang: str) -> Iterator[str]:
    words = page.words
    title = words.bracketed(localised(dispute["title"], lang), words(f"dispute.{dispute['status']}"))
    yield from page.bold(words.labelled("disputes", title))
    for position in dispute["positions"]:
        who = ", ".join(sources[s][0] for s in position["sources"])
        yield from page.line("- " + words("says", source=who, text=localised(position["says"], lang)), 2, 4)
    yield from page.labelled("ruling", localised(dispute["ruling"], lang), 2, 4)
    yield from page.labelled("reason", localised(dispute["reason"], lang), 2, 4)
    yield from page.labelled("basis", words(f"basis.{dispute['basis']}"), 2, 4)


def _pages(record: Record, words: Words, lang: str) -> str:
    """Where the text stands in its source: ``p. 4-5``, or nothing."""
    pages = record.body(lang).pages
    return words("pages", pages=pages) if pages else ""


def _source_line(record: Record, index: Index, page: Page, lang: str) -> Iterator[str]:
    known = index.games[record.game]["sources"]
    pages = _pages(record, page.words, lang)
    named = (
        (title, f"{language}, {pages}" if pages else language)
        for title, language in map(known.get, record.head["sources"])
    )
    names = [page.words.bracketed(*source) for source in named]
    yield from page.labelled("sources", "; ".join(names), 0, 2)


def _sources(record: Record, index: Index) -> list[Mapping[str, Any]]:
    known = {s["id"]: s for s in index.catalogue[record.game]["sources"]}
    return [known[source] for source in record.head["sources"]]


def _title(index: Index, name: str, lang: str) -> str:
    record = index.find(name)
    return record.title(lang) if record else name


def localised(texts: Mapping[str, str], lang: str) -> str:
    """A text in the reader's language, else English, else any."""
    return texts.get(lang) or texts.get("en") or next(iter(texts.values()), "")


def language_name(lang: str, words: Words) -> str:
    """A language's name for a reader: ``inglés``."""
    key = f"language.{lang}"
    return words(key) if key in words.texts else lang


def own_name(lang: str) -> str:
    """A language's name in itself: ``español``."""
    return words_in(lang)("language") if words_in(lang).lang == lang else lang


def found_json(found: Found, index: Index, words: Words, lang: str, explained: bool = False) -> dict[str, Any]:
    """The answer as JSON data, schema 1: see ``docs/json.md``."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "query": found.query.text,
        "lang": lang,
        "confident": found.confident,
        "notes": notes(found, words, index),
        "total": found.total,
        "hits": [hit_json(hit, found.plan, index, lang) for hit in found.hits],
        "nearest": [hit_json(hit, found.plan, index, lang) for hit in found.nearest],
    }
    if explained:
        data["explain"] = explain(found.plan)
    return data


def hit_json(hit: Hit, plan: Plan, index: Index, lang: str) -> dict[str, Any]:
    """One hit as JSON data."""
    return {
        **entry_json(hit.record, index, lang),
        "score": round(hit.score, 4),
        "excerpt": excerpt(hit.record.body(lang), plan),
    }


def entry_json(record: Record, index: Index, lang: str) -> dict[str, Any]:
    """An entry as JSON data."""
    body = record.body(lang)
    return {
        "id": record.name,
        "game": record.game,
        "private": is_private(index, record.game),
        "kind": record.head["kind"],
        "lang": body.lang,
        "title": body.title,
        "path": record.head["path"],
        "text": body.plain,
        "languages": sorted(record.titles),
        "sources": record.head["sources"],
        "pages": body.pages,
        "disputes": record.head["disputes"],
        "url": record.url(lang),
    }


def excerpt(body: Body, plan: Plan) -> str:
    """The paragraph that has most of what was asked for, cut to ``EXCERPT`` characters."""
    if not body.blocks:
        return ""
    best = max(body.blocks, key=lambda b: len({b.text[x:y].casefold() for x, y in matches(b.text, body.lang, plan)}))
    return best.text if len(best.text) <= EXCERPT else best.text[:EXCERPT].rstrip() + "…"


def show_json(record: Record, index: Index, lang: str) -> dict[str, Any]:
    """An entry with everything known of it, as JSON data."""
    relatives = {key: record.head[key] for key in RELATIVES}
    sources = [{k: localised(v, lang) if k == "about" else v for k, v in s.items()} for s in _sources(record, index)]
    disputes = [
        {
            "id": d["id"],
            "status": d["status"],
            "basis": d["basis"],
            **{key: localised(d[key], lang) for key in ("title", "ruling", "reason")},
            "positions": [{"sources": p["sources"], "says": localised(p["says"], lang)} for p in d["positions"]],
        }
        for d in record.disputes()
    ]
    return {
        **entry_json(record, index, lang),
        **relatives,
        "sources": sources,
        "disputes": disputes,
        "asks": record.asks(),
    }
