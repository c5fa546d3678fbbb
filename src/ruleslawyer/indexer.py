"""Corpus -> what the index holds: a document per entry, and the dictionary. Pure: reads and writes no file.

Fields are named ``title_en``, ``alias_en``, ``asks_en``, ``body_en`` and so on by language; ``..._x`` hold the glossary's
concepts, which belong to no language. Titles, aliases and asks are short texts, several to a field: a position in them
tells the text's number, its length in words and the place (``short_position``), so that a query can be held against each.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ruleslawyer.analysis import Token, analyse, fold, is_han
from ruleslawyer.dictionary import Dictionary, Vocabulary, phrases_in
from ruleslawyer.model import Block, Corpus, Entry, Game, Term, Text
from ruleslawyer.stems import simplified_characters, stemmer
from ruleslawyer.store import IndexDocument

CONCEPTS = "x"
SHORT_FIELDS = ("title", "alias", "asks")
FIELDS = (*SHORT_FIELDS, "body")
BLOCK_GAP = 4
"""Positions left free between two blocks, so that no phrase reaches over."""

FIRST_FORM, OTHER_FORM, VAGUE_FORM = 1.0, 0.8, 0.4
"""How surely a glossary form names its concept: the form our texts use, another, one that means several things."""

Postings = dict[str, list[tuple[str, int]]]


def short_position(number: int, length: int, place: int) -> int:
    """Pack a short text's number, its length in words and a place in it into one position.

    >>> [short_position(2, 5, 1) >> 12, short_position(2, 5, 1) >> 6 & 63, short_position(2, 5, 1) & 63]
    [2, 5, 1]
    """
    return number << 12 | min(length, 63) << 6 | min(place, 63)


@dataclass(frozen=True)
class Concepts:
    """The glossary as search data. ``forms``: language -> form as keys joined by spaces -> ``(game/term, weight)``."""

    forms: Mapping[str, Mapping[str, Sequence[tuple[str, float]]]]

    def in_tokens(self, tokens: Sequence[Token], lang: str, game: str) -> Iterable[tuple[str, int]]:
        """The concepts of a game that a text names, each with the position where it does; vague forms do not count."""
        keys = keys_of(tokens, lang)
        for start, _, form in phrases_in(keys, self.forms.get(lang, {})):
            for concept, weight in self.forms[lang][form]:
                if weight > VAGUE_FORM and concept.startswith(f"{game}/"):
                    yield concept, start


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


def documents(corpus: Corpus) -> Iterable[IndexDocument]:
    """An index document per entry, in corpus order."""
    simplified = simplified_characters()
    concepts = _concepts(corpus, simplified)
    family = _family(corpus)
    for entry in corpus.entries.values():
        game = corpus.games[entry.game]
        yield IndexDocument(
            keywords={"id": entry.name, "game": entry.game, "kind": entry.kind},
            fields=_fields(entry, game, concepts, simplified),
            stored=_stored(entry, game, family[entry.name]),
        )


def dictionary(corpus: Corpus, indexed: Iterable[IndexDocument]) -> Dictionary:
    """The dictionary of what was indexed: forms, stems, concepts, games, and the Traditional characters that can matter."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for document in indexed:
        seen: dict[str, set[str]] = defaultdict(set)
        for name, tokens in document.fields.items():
            seen[name.rpartition("_")[2]].update(term for term, _ in tokens)
        for lang, terms in seen.items():
            found[lang].update(terms)
    table = simplified_characters()
    known = {c for counts in found.values() for term in counts for c in term if is_han(c)}
    return Dictionary(
        {lang: Vocabulary(lang, _groups(counts, lang)) for lang, counts in sorted(found.items())},
        _concepts(corpus, table).forms,
        {a: b for a, b in table.items() if b in known},
        _game_names(corpus, table),
    )


def catalogue(corpus: Corpus) -> dict[str, Any]:
    """What ``list`` and ``info`` show of every game, as JSON data."""
    return {
        game.id: {
            "title": dict(game.title),
            "aliases": list(game.aliases),
            "languages": list(game.languages),
            "updated": game.updated,
            "facts": dict(game.facts),
            "sources": {s.id: asdict(s) for s in game.sources.values()},
            "terms": [asdict(t) for t in game.terms],
            "disputes": [asdict(d) for d in game.disputes],
        }
        for game in corpus.games.values()
    }


def _groups(counts: Mapping[str, int], lang: str) -> dict[str, dict[str, int]]:
    stem = stemmer(lang) if lang != CONCEPTS else str
    groups: dict[str, dict[str, int]] = defaultdict(dict)
    for term in sorted(counts):
        groups[stem(term)][term] = counts[term]
    return dict(groups)


def _fields(entry: Entry, game: Game, concepts: Concepts, simplified: Mapping[str, str]) -> Postings:
    fields: Postings = defaultdict(list)
    for lang in sorted({*entry.texts, *entry.asks}):
        text = entry.texts.get(lang)
        shorts = {
            "title": [text.title] if text else [],
            "alias": [*(text.aliases if text else ()), *_glossary_forms(entry, game, lang)],
            "asks": list(entry.asks.get(lang, ())),
        }
        for name, texts in shorts.items():
            for number, words in enumerate(texts):
                tokens = analyse(words, lang, simplified)
                length = tokens[-1].pos + 1 if tokens else 0
                at = [(t.term, short_position(number, length, t.pos)) for t in tokens]
                fields[f"{name}_{lang}"] += at
                fields[f"{name}_{CONCEPTS}"] += [
                    (c, short_position(number, length, p)) for c, p in concepts.in_tokens(tokens, lang, entry.game)
                ]
        if text:
            _add_body(fields, text, entry.game, concepts, simplified)
    return dict(fields)


def _add_body(fields: Postings, text: Text, game: str, concepts: Concepts, simplified: Mapping[str, str]) -> None:
    start = 0
    for block in text.blocks:
        tokens = analyse(block.text, text.lang, simplified)
        fields[f"body_{text.lang}"] += [(t.term, start + t.pos) for t in tokens]
        fields[f"body_{CONCEPTS}"] += [(c, start + p) for c, p in concepts.in_tokens(tokens, text.lang, game)]
        start += (tokens[-1].pos if tokens else 0) + BLOCK_GAP


def _glossary_forms(entry: Entry, game: Game, lang: str) -> list[str]:
    return [form for term in game.terms if term.entry == entry.id for form in term.forms.get(lang, ())]


def _concepts(corpus: Corpus, simplified: Mapping[str, str]) -> Concepts:
    forms: dict[str, dict[str, list[tuple[str, float]]]] = defaultdict(lambda: defaultdict(list))
    for game in corpus.games.values():
        for lang in corpus.languages:
            keyed = [(term, _form_keys(term, lang, simplified)) for term in game.terms]
            vague = _vague_forms(keyed)
            for term, keys in keyed:
                for n, key in enumerate(keys):
                    weight = FIRST_FORM if n == 0 else VAGUE_FORM if key in vague else OTHER_FORM
                    forms[lang][key].append((f"{game.id}/{term.id}", weight))
    return Concepts({lang: {key: found for key, found in sorted(keys.items())} for lang, keys in forms.items()})


def _form_keys(term: Term, lang: str, simplified: Mapping[str, str]) -> list[str]:
    keys = (keys_of(analyse(form, lang, simplified), lang) for form in term.forms.get(lang, ()))
    return list(dict.fromkeys(" ".join(k for k in key if k) for key in keys if key))


def _vague_forms(keyed: Sequence[tuple[Term, Sequence[str]]]) -> set[str]:
    """Forms that two terms share, or that are one word of another term's first form (``space`` in ``deep space``)."""
    counts = Counter(key for _, keys in keyed for key in keys)
    parts = {word for _, keys in keyed if keys and " " in keys[0] for word in keys[0].split(" ")}
    return {key for key, n in counts.items() if n > 1} | parts


def _game_names(corpus: Corpus, simplified: Mapping[str, str]) -> dict[str, dict[str, list[str]]]:
    """Names that mean a game: words without accents (Han characters singly) joined by spaces -> game ids."""
    names: dict[str, set[str]] = defaultdict(set)
    for game in corpus.games.values():
        for name in (*game.title.values(), *game.aliases, game.id.replace("-", " ")):
            tokens = [t for t in analyse(name, "", simplified) if t.kind in ("word", "part", "han")]
            names[" ".join(fold(t.term) for t in tokens)].add(game.id)
    return {"names": {name: sorted(games) for name, games in sorted(names.items())}}


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
            tuple(n for n in referred[name] if n not in (*children[name], *faq[name]) and n not in _path(corpus, entry)),
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
    stored = {"head": _json(head)}
    for lang, text in entry.texts.items():
        stored[f"body_{lang}"] = _json({"file": text.file, "line": text.line, "blocks": [_block(b) for b in text.blocks]})
    if entry.asks:
        stored["asks"] = _json({lang: list(asks) for lang, asks in entry.asks.items()})
    return stored


def _block(block: Block) -> list[Any]:
    spans = [[s.start, s.end, s.kind, s.target] for s in block.spans]
    return [block.kind, block.text, block.depth, block.marker, spans]


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
