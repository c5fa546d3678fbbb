"""Index -> the classic scripts from which the browser searches as the command does.

What a page must show anyway, the texts, is most of it: the script runs the same analysis over them and so has the very
postings of the index. The rest is what the texts do not tell: stems, glossary, numbers of the whole index, weights. Each
file holds one call of ``RulesLawyer.shards.register(NAME, DATA)``:

==========================  ==================================================================================
``core``                    weights, tables, games, entries, and what several languages share
``language-LANG``           stems of the forms in a language's texts; its function and question words
``texts-LANG-GAME``         a game's texts in a language: titles, aliases, asks, bodies, glossary; lengths as the index has them
``shown-LANG-GAME``         what only showing an answer takes: emphasis and links, sources, disputes
``dictionary-LANG``         the forms of a language with their stems, for who has not loaded its texts
``uses-LANG``               in how many entries each of them stands, for guessing what an unknown word means
``han``                     Traditional to Simplified characters
``words-LANG``              the interface words that the results need
==========================  ==================================================================================

A query's answer is the same whatever is loaded: where something not yet loaded could matter, it is loaded first.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from ruleslawyer import analysis, dictionary, indexer, lexicon, plan, positions, query, ranking, search
from ruleslawyer.analysis import Token, fold, is_han
from ruleslawyer.blocks import Block
from ruleslawyer.cells import cells_of
from ruleslawyer.dictionary import Forms, Vocabulary
from ruleslawyer.index import Index
from ruleslawyer.languages import HAN_NUMBERS, LANGUAGES, LEVEL_NUMERALS
from ruleslawyer.model import Corpus, Entry, Game
from ruleslawyer.places import site_folder
from ruleslawyer.records import Record
from ruleslawyer.stems import simplified_characters, stemmer
from ruleslawyer.textpacking import coder_for, marks, runs
from ruleslawyer.wordpacking import packed_uses, packed_vocabulary, stem_codes
from ruleslawyer.words import interface_languages, words_in

FOLDER = "search/"
"""Where the shards lie among the site's assets."""

SEARCH_SCRIPT = "search.js"
"""The program, beside the site's other scripts."""

SCRIPTS = (
    "analysis",
    "query",
    "dictionary",
    "lexicon",
    "store",
    "plan",
    "ranking",
    "showing",
    "unpacking",
    "shards",
    "engine",
    "prose",
    "results",
    "namespace",
)
"""The parts of the search, in the order in which they need each other."""

WORDS = (
    "line.labelled",
    "note.",
    "nothing",
    "nearest",
    "pages",
    "sources",
    "site.differ",
    "site.result.",
    "site.text_in",
)
"""Interface words that the results need: keys, or how they begin."""

Rows = list[Any]


def browser_files(corpus: Corpus, index: Index) -> dict[str, bytes]:
    """All data that the website's search needs, by name among the site's assets. The same input gives the same bytes.

    Args:
        corpus: what was indexed.
        index: made from that corpus.
    """
    shards: dict[str, Any] = {"core": _core(corpus, index)}
    if index.dictionary.simplified:
        shards["han"] = index.dictionary.simplified
    for lang, vocabulary in index.dictionary.vocabularies.items():
        shards[f"language-{lang}"] = _language(index, lang)
        if is_spaced(lang):
            shards[f"dictionary-{lang}"] = packed_vocabulary(vocabulary)
            shards[f"uses-{lang}"] = packed_uses(vocabulary)
    for lang, games in _streams(corpus).items():
        shards.update({f"texts-{lang}-{game}": _texts(corpus, index, lang, game) for game in games})
        shown = {f"shown-{lang}-{game}": _shown(corpus, lang, game) for game in games}
        shards.update({name: data for name, data in shown.items() if data["documents"]})
    shards.update({f"words-{lang}": _words(lang) for lang in interface_languages()})
    return {f"{FOLDER}{name}.js": shard_script(name, data) for name, data in shards.items()}


def first_files(corpus: Corpus, lang: str) -> list[str]:
    """What every first question of a reader of a language needs, by name among the site's assets; some need more."""
    texts = (f"texts-{lang}-{game}" for game in _streams(corpus).get(lang, ()))
    return [f"{FOLDER}{name}.js" for name in ("core", f"language-{lang}", f"words-{lang}", *texts)]


def shard_script(name: str, data: Any) -> bytes:
    """Data as a script that hands it over: one line, safe wherever a script may stand.

    >>> shard_script("core", ["</script>"])
    b'RulesLawyer.shards.register("core",["\\\\u003c/script>"]);\\n'
    """
    literal = dictionary.compact_json(data)
    for char in "<\u2028\u2029":
        literal = literal.replace(char, f"\\u{ord(char):04x}")
    return f"RulesLawyer.shards.register({json.dumps(name)},{literal});\n".encode()


def search_script() -> bytes:
    """The program: its parts one after the other, in a scope of their own, without comments and indents."""
    static = site_folder() / "static"
    paths = [*(static / "search" / f"{name}.js" for name in SCRIPTS), static / "search-page.js"]
    parts = (without_comments(path.read_text(encoding="utf-8")) for path in paths)
    return "".join(['(() => {\n"use strict";\n', *parts, "})();\n"]).encode()


def without_comments(script: str) -> str:
    """A script without ``/** */`` comments, lines that begin with ``//``, indents and empty lines.

    Our scripts have neither of these signs in a string or a pattern, and no text over several lines.

    >>> without_comments("/** A number. */\\n  // Why.\\n  const n = /** @type {any} */ (1);\\n")
    'const n = (1);\\n'
    """
    bare = re.sub(r"/\*\*.*?\*/ ?", "", script, flags=re.DOTALL)
    lines = (line.strip() for line in bare.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


# --- core -------------------------------------------------------------------------------------------------------------


def _core(corpus: Corpus, index: Index) -> dict[str, Any]:
    """What every search needs. Columns by entry are in document order; games and languages are told by their number."""
    store, known = index.store, index.dictionary
    records = [index.record(n) for n in range(store.documents)]
    games, shared = list(corpus.games), _shared(known.vocabularies)
    words = {row[0] for row in shared}
    return {
        "weights": weights(),
        "tables": _tables(),
        "vocabularies": list(known.vocabularies),
        "averages": [store.average_length(lang) for lang in known.vocabularies],
        "fallbacks": {lang: list(others) for lang, others in known.fallbacks.items()},
        "streams": {lang: [games.index(game) for game in of] for lang, of in _streams(corpus).items()},
        "games": [_game(game, {name: n for n, name in enumerate(corpus.entries)}) for game in corpus.games.values()],
        "gameNames": [[name, [games.index(game) for game in of]] for name, of in known.games.meanings.items()],
        "interface": list(interface_languages()),
        "entries": _entries(corpus, records),
        "shared": shared,
        "sharedForms": {lang: _shared_forms(corpus, index, lang, words) for lang in known.concepts},
        "sharedTitles": {lang: _shared_titles(records, lang, words) for lang in known.vocabularies},
        "han": bool(known.simplified),
        "hanInTexts": any(char in known.simplified for text in _all_texts(corpus) for char in normalize("NFKC", text)),
    }


def weights() -> dict[str, Any]:
    """Every number by which the search is tuned, by its name in the Python module that sets it.

    >>> weights()["K1"] == ranking.K1
    True
    """
    modules = (dictionary, indexer, lexicon, plan, positions, query, ranking, search)
    return {
        name: value for module in modules for name, value in sorted(vars(module).items()) if _is_weight(name, value)
    }


def _is_weight(name: str, value: object) -> bool:
    if isinstance(value, Mapping):
        numbers: Iterable[object] = (*value, *value.values())
    else:
        numbers = value if isinstance(value, tuple) else (value,)
    return name.isupper() and all(type(n) in (int, float) for n in numbers)


def _tables() -> dict[str, Any]:
    """What the analysis knows about languages. What only a query's own language needs is in ``language-LANG``."""
    return {
        "languages": {
            lang: {
                "spaced": bool(language.stemmer),
                "numbers": _by_value(language.numbers),
                "levelWords": sorted(language.level_words),
            }
            for lang, language in LANGUAGES.items()
        },
        "hanNumbers": _by_value(HAN_NUMBERS),
        "levelNumerals": _by_value(LEVEL_NUMERALS),
        "listing": sorted(analysis.LISTING),
        "oneLevel": sorted(analysis.ONE_LEVEL),
    }


def _by_value(words: Mapping[str, str]) -> dict[str, str]:
    """``{"two": "2", "second": "2"}`` as ``{"2": "two second"}``."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for word, value in words.items():
        grouped[value].append(word)
    return {value: " ".join(found) for value, found in grouped.items()}


def _game(game: Game, entries: Mapping[str, int]) -> dict[str, Any]:
    """A game with its glossary's terms, by id (``=``: that of the entry), and the entries that explain them."""
    explained = [entries.get(f"{game.id}/{term.entry}", -1) for term in game.terms]
    return {
        "id": game.id,
        "title": dict(game.title),
        "terms": " ".join(
            "=" if term.id == term.entry and entry >= 0 else term.id
            for term, entry in zip(game.terms, explained, strict=True)
        ),
        "explained": explained,
        **({"private": True} if game.private else {}),
    }


def _entries(corpus: Corpus, records: Sequence[Record]) -> dict[str, Any]:
    numbers = {record.name: n for n, record in enumerate(records)}
    games, languages = list(corpus.games), list(corpus.languages)
    return {
        "ids": " ".join(record.name.split("/")[1] for record in records),
        "games": [games.index(record.game) for record in records],
        "kinds": [plan.KINDS.index(record.head["kind"]) for record in records],
        "parents": [numbers.get(record.head["parent"], -1) for record in records],
        "overviews": [int(bool(record.head["children"])) for record in records],
        "languages": [[languages.index(lang) for lang in record.titles] for record in records],
    }


def _shared(vocabularies: Mapping[str, Vocabulary]) -> list[Rows]:
    """Words without accents that several languages have, Han in languages with spaces, and other words in those without.

    A row: the word, then for each language the number of its uses, with its stem before it where that is another; 0 where
    the language does not have it. So a word that is not here belongs to one language at most, and it is told which kind.
    """
    folds = {lang: {*vocabulary.single, *vocabulary.folds} for lang, vocabulary in vocabularies.items()}

    def is_shared(word: str) -> bool:
        having = [lang for lang, of in folds.items() if word in of]
        return len(having) > 1 or is_spaced(having[0]) == _has_han(word)

    every = sorted(set().union(*folds.values()))
    return [[word, *(_use(word, v) for v in vocabularies.values())] for word in every if is_shared(word)]


def _use(word: str, vocabulary: Vocabulary) -> int | Rows:
    stem, uses = vocabulary.stem_of(word), sum(vocabulary.same_fold(word).values())
    return uses if stem in (None, word) else [stem, uses]


def is_spaced(lang: str) -> bool:
    """Whether a language puts spaces between words, so that its forms have stems."""
    return lang in LANGUAGES and bool(LANGUAGES[lang].stemmer)


def _has_han(text: str) -> bool:
    return any(is_han(char) for char in text)


def _shared_forms(corpus: Corpus, index: Index, lang: str, shared: Iterable[str]) -> list[Rows]:
    """The glossary's forms that a query can name by shared words alone: the form, then game, term and weight of each."""
    vocabulary = index.dictionary.vocabularies[lang]
    stems = {vocabulary.stem_of(word) for word in shared}
    numbers = {
        f"{game.id}/{term.id}": (g, t)
        for g, game in enumerate(corpus.games.values())
        for t, term in enumerate(game.terms)
    }
    forms = index.dictionary.concepts[lang].meanings
    return [
        [form, *(part for concept, weight in forms[form] for part in (*numbers[concept], weight))]
        for form in forms
        if all(key in stems for key in form.split(" "))
    ]


def _shared_titles(records: Sequence[Record], lang: str, shared: set[str]) -> list[Rows]:
    """Titles that consist of shared words alone, as a query is compared with them: the title, then whose it is."""
    titles: dict[str, list[int]] = defaultdict(list)
    for n, record in enumerate(records):
        key = plan.title_key(record.titles.get(lang, ""))
        if key and shared.issuperset(key.split(" ")):
            titles[key].append(n)
    return [[title, *of] for title, of in titles.items()]


# --- languages --------------------------------------------------------------------------------------------------------


def _language(index: Index, lang: str) -> dict[str, str]:
    """What a query in a language needs besides its texts."""
    language = LANGUAGES.get(lang)
    return {
        "stems": stem_codes(index.dictionary.vocabularies[lang]) if is_spaced(lang) else "",
        "questionWords": " ".join(sorted(language.question_words)) if language else "",
        "functionWords": " ".join(sorted(language.function_words)) if language else "",
    }


def _streams(corpus: Corpus) -> dict[str, list[str]]:
    """By language, the games that have a text or an ask in it."""
    found = {(lang, e.game) for e in corpus.entries.values() for lang in (*e.texts, *e.asks)}
    return {lang: [game for game in corpus.games if (lang, game) in found] for lang in corpus.languages}


def _texts(corpus: Corpus, index: Index, lang: str, game: str) -> dict[str, Any]:
    """The texts of a game in a language as columns, a row for each entry that has any. No title: there are only asks."""
    numbered = enumerate(corpus.entries.values())
    rows = [(n, e, e.texts.get(lang)) for n, e in numbered if e.game == game and (lang in e.texts or lang in e.asks)]
    columns = {
        "titles": [text.title if text else "" for _, _, text in rows],
        "aliases": [_lines(text.aliases if text else ()) for _, _, text in rows],
        "asks": [_lines(entry.asks.get(lang, ())) for _, entry, _ in rows],
        "blocks": [block.text for _, _, text in rows if text for block in text.blocks],
        "forms": [_lines(term.forms.get(lang, ())) for term in corpus.games[game].terms],
    }
    coder = coder_for(text for column in columns.values() for text in column)
    return {
        "documents": runs(n for n, _, _ in rows),
        "lengths": [index.store.length(lang, n) for n, _, _ in rows],
        "untitled": runs(row for row, (_, _, text) in enumerate(rows) if not text),
        **{name: coder.packed(column) for name, column in columns.items()},
        "shapes": [[_shape(block) for block in text.blocks] if text else [] for _, _, text in rows],
        "codes": coder.codes,
        "pieces": "\n".join(coder.pieces),
        "han": coder.han,
        **_glossary(corpus, index, lang, game),
    }


def _shown(corpus: Corpus, lang: str, game: str) -> dict[str, Any]:
    """What it takes to show an answer and not to find it: a row for each entry of a game that has a text in a language.

    A link's target is an entry's number, or ``s`` and the number of a source.
    """
    numbers = {name: str(n) for n, name in enumerate(corpus.entries)}
    sources, disputes = corpus.games[game].sources, corpus.games[game].disputes
    numbers |= {f"source:{source}": f"s{n}" for n, source in enumerate(sources)}
    entries = {n: e for n, e in enumerate(corpus.entries.values()) if e.game == game and lang in e.texts}
    return {
        "documents": runs(entries),
        "marks": [marks(e.texts[lang].blocks, lambda name: numbers.get(name, "")) for e in entries.values()],
        "from": [[list(sources).index(source) for source in e.sources] for e in entries.values()],
        "pages": [e.texts[lang].pages for e in entries.values()] if corpus.games[game].private else [],
        "disputes": [sum(e.id in dispute.entries for dispute in disputes) for e in entries.values()],
        "sources": [[source.id, source.title, source.language] for source in sources.values()],
    }


def _lines(texts: Iterable[str]) -> str:
    """Several short texts as one, a line each: none of them is shown, so a line break in one is as good as a space."""
    return "\n".join(" ".join(text.split("\n")) for text in texts)


def _glossary(corpus: Corpus, index: Index, lang: str, game: str) -> dict[str, Any]:
    """What else it takes to find the glossary's forms in a game's texts.

    ``stems``: of words of its forms that occur in no text. ``foreign``: forms of other games that stand in the way of its own
    in its texts, since the longest form is the one that is found.
    """
    vocabulary, forms = index.dictionary.vocabularies[lang], index.dictionary.concepts[lang]
    own = [_analysed(form, lang) for term in corpus.games[game].terms for form in term.forms.get(lang, ())]
    words = {t.term for tokens in own for t in tokens if t.kind in ("word", "part") and not vocabulary.knows(t.term)}
    texts = [text for e in corpus.entries.values() if e.game == game for text in _indexed(e, corpus.games[game], lang)]
    keys = [[cell.key for cell in cells_of(text, lang, simplified_characters())] for text in texts]
    own_forms = _of_games(forms).get(game, {})
    return {
        "stems": {word: stem for word in sorted(words) if (stem := stemmer(lang)(word)) != fold(word)},
        "foreign": _foreign(forms, own_forms, keys),
    }


@lru_cache(maxsize=1)
def _of_games(forms: Forms) -> Mapping[str, Mapping[str, Any]]:
    """The forms of each game among those of a language, with their meanings; asked for game by game."""
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for form, meanings in forms.meanings.items():
        for concept, _ in meanings:
            found[concept.partition("/")[0]][form] = meanings
    return found


def _foreign(forms: Forms, own: Mapping[str, Any], texts: Sequence[Sequence[str | None]]) -> list[str]:
    """Forms of other games without which a game's ``own`` would be found elsewhere in its texts, which are given as keys."""
    if not own:
        return []
    found = [list(forms.found_in(keys)) for keys in texts]
    own_forms = Forms(own)
    beside: set[str] = set()
    for keys, forms_there in zip(texts, found, strict=True):
        places = [(start, end) for start, end, _ in own_forms.found_in(keys)]
        beside.update(f for a, b, f in forms_there if any(a < end and start < b for start, end in places))
    foreign = sorted(beside - own.keys())
    kept = Forms({**own, **dict.fromkeys(foreign)})
    same = all(_of(own, kept.found_in(keys)) == _of(own, there) for keys, there in zip(texts, found, strict=True))
    return foreign if same else sorted({f for there in found for *_, f in there} - own.keys())


def _of(own: Mapping[str, Any], found: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    return [place for place in found if place[2] in own]


def _analysed(text: str, lang: str) -> list[Token]:
    return analysis.analyse(text, lang, simplified_characters())


def _indexed(entry: Entry, game: Game, lang: str) -> Iterator[str]:
    """Every text of an entry that is indexed in a language."""
    yield from entry.asks.get(lang, ())
    yield from (form for term in game.terms if term.entry == entry.id for form in term.forms.get(lang, ()))
    if lang == "en":
        yield entry.id.replace("-", " ")
    if lang in entry.texts:
        text = entry.texts[lang]
        yield from (text.title, *text.aliases, *(block.text for block in text.blocks))


def _all_texts(corpus: Corpus) -> Iterator[str]:
    for entry in corpus.entries.values():
        for lang in {*entry.texts, *entry.asks}:
            yield from _indexed(entry, corpus.games[entry.game], lang)
    for game in corpus.games.values():
        yield from (form for term in game.terms for forms in term.forms.values() for form in forms)


def _shape(block: Block) -> int | Rows:
    """What a block is besides its text: 0 for a paragraph; else kind, depth and marker."""
    is_plain = (block.kind, block.depth, block.marker) == ("p", 0, "")
    return 0 if is_plain else [block.kind, block.depth, block.marker]


def _words(lang: str) -> dict[str, str]:
    """The interface words that the results need."""
    return {key: text for key, text in sorted(words_in(lang).texts.items()) if key.startswith(WORDS)}
