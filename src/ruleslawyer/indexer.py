"""Corpus -> what the index holds: a document per entry, and the dictionary. Pure: reads and writes no file.

An entry has one stream of terms per language: the forms of its words, and the glossary's concepts that they name. What is
title, alias, ask or body is told by the position (``positions``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from ruleslawyer.analysis import Token, analyse, fold, is_han
from ruleslawyer.blocks import Block
from ruleslawyer.dictionary import Dictionary, Forms, Vocabulary, compact_json
from ruleslawyer.model import Corpus, Entry, Game, Term
from ruleslawyer.plan import concept_term, is_concept, title_key
from ruleslawyer.positions import ALIAS, ASKS, BLOCK_GAP, MAX_PLACE, TITLE, body_start, short_start
from ruleslawyer.stems import simplified_characters, stemmer
from ruleslawyer.store import IndexDocument

FIRST_FORM, OTHER_FORM, VAGUE_FORM = 1.0, 0.8, 0.4
"""How surely a glossary form names its concept: the form our texts use, another, one that means several things."""

Streams = dict[str, list[tuple[str, int]]]
"""Terms with their positions, per language."""

Concepts = Mapping[str, Forms]
"""The glossary as search data: language -> forms that mean ``(game/term, weight)``."""


class Naming:
    """Finds the concepts that texts name.

    The forms of all games are sought, so that a longer one of another game stands in the way of a shorter one of the text's
    own; only the own game's concepts count.
    """

    def __init__(self, concepts: Concepts) -> None:
        self._forms = concepts
        self._own: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
        for lang, forms in concepts.items():
            for form, meanings in forms.meanings.items():
                for concept, weight in meanings:
                    if weight > VAGUE_FORM:
                        own = self._own[lang, concept.partition("/")[0]]
                        own.setdefault(form, []).append(concept_term(concept))

    def named(self, tokens: Sequence[Token], lang: str, game: str) -> Iterator[tuple[str, int]]:
        """The terms of the concepts of a game that a text names, each with its position; vague forms do not count."""
        own = self._own.get((lang, game))
        if own:
            for start, _, form in self._forms[lang].found_in(keys_of(tokens, lang)):
                for term in own.get(form, ()):
                    yield term, start


def keys_of(tokens: Sequence[Token], lang: str) -> list[str | None]:
    """One key per position: the stem of its word or the Han character. ``None`` where a position has neither."""
    if not tokens:
        return []
    stem = stemmer(lang)
    keys: list[str | None] = [None] * (tokens[-1].pos + 1)
    for token in tokens:
        if token.kind in ("word", "part"):
            keys[token.pos] = stem(token.term)
        elif token.kind == "han":
            keys[token.pos] = token.term
    return keys


def index_of(corpus: Corpus) -> tuple[list[IndexDocument], Dictionary]:
    """An index document per entry, in corpus order, and the dictionary of what is in them."""
    simplified = simplified_characters()
    concepts = _concepts(corpus, simplified)
    indexed = list(_documents(corpus, concepts, simplified))
    return indexed, _dictionary(corpus, indexed, concepts, simplified)


def _documents(corpus: Corpus, concepts: Concepts, simplified: Mapping[str, str]) -> Iterator[IndexDocument]:
    family, naming = _family(corpus), Naming(concepts)
    for entry in corpus.entries.values():
        game = corpus.games[entry.game]
        yield IndexDocument(
            keywords=_keywords(entry, family[entry.name]),
            streams=_streams(entry, game, naming, simplified),
            stored=_stored(entry, game, family[entry.name]),
        )


def _dictionary(
    corpus: Corpus, indexed: Iterable[IndexDocument], concepts: Concepts, simplified: Mapping[str, str]
) -> Dictionary:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for document in indexed:
        for lang, stream in document.streams.items():
            found[lang].update({term for term, _ in stream})
    known = {c for counts in found.values() for term in counts for c in term if is_han(c)}
    return Dictionary(
        {lang: Vocabulary.of(lang, _groups(counts, lang)) for lang, counts in sorted(found.items())},
        concepts,
        {a: b for a, b in simplified.items() if b in known},
        _game_names(corpus, simplified),
        _fallbacks(corpus),
    )


def _fallbacks(corpus: Corpus) -> dict[str, list[str]]:
    """By language, the languages in which entries without a text in it are written."""
    return {
        lang: sorted({other for e in corpus.entries.values() if lang not in e.texts for other in e.texts})
        for lang in corpus.languages
    }


def catalogue(corpus: Corpus) -> dict[str, Any]:
    """What only lists and whole entries show of every game, as JSON data."""
    return {
        game.id: {
            "facts": dict(game.facts),
            "sources": [asdict(s) for s in game.sources.values()],
            "terms": [asdict(t) for t in game.terms],
            "disputes": [asdict(d) for d in game.disputes],
        }
        for game in corpus.games.values()
    }


def games(corpus: Corpus) -> dict[str, Any]:
    """The little of every game that a look-up shows, as JSON data: titles, and the titles of its sources."""
    return {
        game.id: {
            "title": dict(game.title),
            "aliases": list(game.aliases),
            "languages": list(game.languages),
            "updated": game.updated,
            "sources": {s.id: [s.title, s.language] for s in game.sources.values()},
            **({"private": True} if game.private else {}),
        }
        for game in corpus.games.values()
    }


def _keywords(entry: Entry, family: Family) -> dict[str, Sequence[str]]:
    """What an entry can be found by whole. ``exact``: its id and titles, as ``title_key`` writes a query."""
    exact = {title_key(text.title) for text in entry.texts.values()}
    exact |= {entry.id.replace("-", " "), title_key(f"{entry.game} {entry.id}")}
    return {
        "id": [entry.name],
        "game": [entry.game],
        "kind": [entry.kind],
        "lang": sorted(entry.texts),
        "shape": ["overview"] if family.children else [],
        "exact": sorted(exact),
    }


def _groups(counts: Mapping[str, int], lang: str) -> dict[str, dict[str, int]]:
    stem = stemmer(lang)
    groups: dict[str, dict[str, int]] = defaultdict(dict)
    for term in sorted(counts):
        if not is_concept(term):
            groups[stem(term)][term] = counts[term]
    return dict(groups)


def _streams(entry: Entry, game: Game, naming: Naming, simplified: Mapping[str, str]) -> Streams:
    streams: Streams = defaultdict(list)

    def add(text: str, lang: str, start_of: Callable[[int], int], most: int) -> int:
        """Add a text's terms and concepts from the position that its length in words gives. Returns the length."""
        tokens = analyse(text, lang, simplified)
        length = tokens[-1].pos + 1 if tokens else 0
        start = start_of(length)
        stream = streams[lang]
        if length <= most:
            stream += [(t.term, start + t.pos) for t in tokens]
        else:
            stream += [(t.term, start + min(t.pos, most)) for t in tokens]
        stream += [(term, start + min(place, most)) for term, place in naming.named(tokens, lang, entry.game)]
        return length

    for lang in sorted({*entry.texts, *entry.asks}):
        for field, texts in _short_texts(entry, game, lang):
            for number, short in enumerate(texts):
                add(short, lang, partial(short_start, field, number), MAX_PLACE)
        start = 0
        for block in entry.texts[lang].blocks if lang in entry.texts else ():
            start += add(block.text, lang, partial(body_start, start), len(block.text)) + BLOCK_GAP
    return dict(streams)


def _short_texts(entry: Entry, game: Game, lang: str) -> Iterator[tuple[int, Sequence[str]]]:
    text = entry.texts.get(lang)
    yield TITLE, [text.title] if text else []
    own = [entry.id.replace("-", " ")] if lang == "en" else []
    yield ALIAS, [*(text.aliases if text else ()), *_glossary_forms(entry, game, lang), *own]
    yield ASKS, entry.asks.get(lang, ())


def _glossary_forms(entry: Entry, game: Game, lang: str) -> list[str]:
    return [form for term in game.terms if term.entry == entry.id for form in term.forms.get(lang, ())]


def _concepts(corpus: Corpus, simplified: Mapping[str, str]) -> Concepts:
    forms: dict[str, dict[str, list[tuple[str, float]]]] = defaultdict(lambda: defaultdict(list))
    languages = corpus.languages
    for game in corpus.games.values():
        for lang in languages:
            keyed = [(term, _form_keys(term, lang, simplified)) for term in game.terms]
            vague = _vague_forms(keyed)
            for term, keys in keyed:
                for n, key in enumerate(keys):
                    weight = FIRST_FORM if n == 0 else VAGUE_FORM if key in vague else OTHER_FORM
                    forms[lang][key].append((f"{game.id}/{term.id}", weight))
    return {lang: Forms(dict(sorted(forms[lang].items()))) for lang in languages}


def _form_keys(term: Term, lang: str, simplified: Mapping[str, str]) -> list[str]:
    keys = (keys_of(analyse(form, lang, simplified), lang) for form in term.forms.get(lang, ()))
    return list(dict.fromkeys(" ".join(k for k in key if k) for key in keys if key))


def _vague_forms(keyed: Sequence[tuple[Term, Sequence[str]]]) -> set[str]:
    """Forms that two terms share, or that are one word of another term's first form (``space`` in ``deep space``)."""
    counts = Counter(key for _, keys in keyed for key in keys)
    parts = {word for _, keys in keyed if keys and " " in keys[0] for word in keys[0].split(" ")}
    return {key for key, n in counts.items() if n > 1} | parts


def _game_names(corpus: Corpus, simplified: Mapping[str, str]) -> Forms:
    """Names that mean a game: words without accents (Han characters singly) joined by spaces -> game ids."""
    names: dict[str, set[str]] = defaultdict(set)
    for game in corpus.games.values():
        for name in (*game.title.values(), *game.aliases, game.id.replace("-", " ")):
            tokens = [t for t in analyse(name, "", simplified) if t.kind in ("word", "part", "han")]
            names[" ".join(fold(t.term) for t in tokens)].add(game.id)
    return Forms({name: sorted(games) for name, games in sorted(names.items())})


@dataclass(frozen=True)
class Family:
    """Full names of an entry's relatives, each in corpus order."""

    path: tuple[str, ...]
    children: tuple[str, ...]
    faq: tuple[str, ...]
    referred_by: tuple[str, ...]


def _family(corpus: Corpus) -> dict[str, Family]:
    children: dict[str, list[str]] = defaultdict(list)
    faq: dict[str, list[str]] = defaultdict(list)
    referred: dict[str, list[str]] = defaultdict(list)
    for entry in corpus.entries.values():
        if entry.parent and entry.kind != "faq":
            children[f"{entry.game}/{entry.parent}"].append(entry.name)
        for rule in entry.rests_on:
            faq[f"{entry.game}/{rule}"].append(entry.name)
        for target in sorted(entry.links):
            referred[target].append(entry.name)
    return {
        name: Family(
            _path(corpus, entry),
            tuple(children[name]),
            tuple(faq[name]),
            tuple(
                n for n in referred[name] if n not in (*children[name], *faq[name]) and n not in _path(corpus, entry)
            ),
        )
        for name, entry in corpus.entries.items()
    }


def _path(corpus: Corpus, entry: Entry) -> tuple[str, ...]:
    path: list[str] = []
    while entry.parent:
        entry = corpus.entries[f"{entry.game}/{entry.parent}"]
        path.insert(0, entry.name)
    return tuple(path)


def _stored(entry: Entry, game: Game, family: Family) -> dict[str, str]:
    head = {
        "name": entry.name,
        "game": entry.game,
        "kind": entry.kind,
        "parent": f"{entry.game}/{entry.parent}" if entry.parent else "",
        "order": entry.order,
        "titles": {lang: text.title for lang, text in entry.texts.items()},
        "sources": list(entry.sources),
        "rests_on": [f"{entry.game}/{rule}" for rule in entry.rests_on],
        "disputes": [d.id for d in game.disputes if entry.id in d.entries],
        "facts": {k: v for k in ("players", "edition", "variant") if (v := getattr(entry, k))},
        **asdict(family),
    }
    stored = {"head": compact_json(head)}
    for lang, text in entry.texts.items():
        stored[f"body_{lang}"] = compact_json(
            {
                "file": text.file,
                "line": text.line,
                **({"pages": text.pages} if text.pages else {}),
                "blocks": [_block(b) for b in text.blocks],
            }
        )
    disputes = [asdict(d) for d in game.disputes if entry.id in d.entries]
    if disputes:
        stored["disputes"] = compact_json(disputes)
    if entry.asks:
        stored["asks"] = compact_json({lang: list(asks) for lang, asks in entry.asks.items()})
    return stored


def _block(block: Block) -> list[Any]:
    spans = [[s.start, s.end, s.kind, s.target] for s in block.spans]
    return [block.kind, block.text, block.depth, block.marker, spans]
