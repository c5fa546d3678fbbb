"""Index -> the classic scripts from which the browser searches as the command does.

What a page must show anyway, the texts, is most of it: the script runs the same analysis over them and so has the very
postings of the index. The rest is what the texts do not tell: stems, glossary, numbers of the whole index, weights. Each
file holds one call of ``RulesLawyer.shards.register(NAME, DATA)``:

==========================  ==================================================================================
``core``                    weights, tables, games, entries, titles, words that several languages share
``dictionary-LANG``         a language's forms with their stems, its glossary, its function and question words
``texts-LANG-GAME``         a game's texts in a language: aliases, asks, bodies; lengths as coarse as the index's
``han``                     Traditional to Simplified characters
``words-LANG``              the interface words that the results need
==========================  ==================================================================================

A query's answer is the same whatever is loaded: where something not yet loaded could matter, it is loaded first.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ruleslawyer import analysis, dictionary, indexer, plan, positions, query, search
from ruleslawyer.analysis import fold, is_han
from ruleslawyer.blocks import Block
from ruleslawyer.dictionary import Forms, Vocabulary
from ruleslawyer.index import Index
from ruleslawyer.languages import HAN_NUMBERS, LANGUAGES, LEVEL_NUMERALS
from ruleslawyer.model import Corpus, Entry, Game
from ruleslawyer.places import site_folder
from ruleslawyer.records import Record
from ruleslawyer.stems import stemmer
from ruleslawyer.words import interface_languages, words_in

FOLDER = "search/"
"""Where the shards lie among the site's assets."""

SCRIPT = "search.js"
"""The program, beside the site's other scripts."""

SCRIPTS = (
    "analysis",
    "query",
    "dictionary",
    "plan",
    "store",
    "ranking",
    "showing",
    "shards",
    "engine",
)
"""The parts of the search, in the order in which they need each other."""

WORDS = ("note.", "nothing", "nearest", "more", "kind.", "sources", "disputes", "path", "site.found", "fallback")
"""Interface words that the results need: keys, or how they begin."""

Rows = list[Any]


def browser_files(corpus: Corpus, index: Index) -> dict[str, bytes]:
    """Everything the website's search needs, by name among the site's assets. The same input gives the same bytes.

    Args:
        corpus: what was indexed.
        index: made from that corpus.
    """
    shards: dict[str, Any] = {"core": _core(corpus, index)}
    if index.dictionary.simplified:
        shards["han"] = index.dictionary.simplified
    for lang in index.dictionary.vocabularies:
        shards[f"dictionary-{lang}"] = _dictionary(corpus, index, lang)
    for lang, games in _streams(corpus).items():
        shards.update({f"texts-{lang}-{game}": _texts(corpus, index, lang, game) for game in games})
    shards.update({f"words-{lang}": _words(lang) for lang in interface_languages()})
    scripts = {f"{FOLDER}{name}.js": shard_script(name, data) for name, data in shards.items()}
    return {SCRIPT: search_script(), **scripts}


def shard_script(name: str, data: Any) -> bytes:
    """Data as a script that hands it over: one line, safe wherever a script may stand.

    >>> shard_script("core", ["</script>"])
    b'RulesLawyer.shards.register("core",["\\\\u003c/script>"]);\\n'
    """
    literal = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in "<\u2028\u2029":
        literal = literal.replace(char, f"\\u{ord(char):04x}")
    return f"RulesLawyer.shards.register({json.dumps(name)},{literal});\n".encode()


def search_script() -> bytes:
    """The program: its parts one after the other."""
    static = site_folder() / "static"
    paths = [*(static / "search" / f"{name}.js" for name in SCRIPTS), static / "search-page.js"]
    return b"\n".join(path.read_bytes() for path in paths)


# --- core -------------------------------------------------------------------------------------------------------------


def _core(corpus: Corpus, index: Index) -> dict[str, Any]:
    """What every search needs. Lists by entry are in document order; games and languages are told by their number."""
    store, known = index.store, index.dictionary
    records = [index.record(n) for n in range(store.documents)]
    games = list(corpus.games)
    return {
        "weights": weights(),
        "tables": _tables(),
        "vocabularies": list(known.vocabularies),
        "averages": [store.average_length(lang) for lang in known.vocabularies],
        "fallbacks": {lang: list(others) for lang, others in known.fallbacks.items()},
        "streams": {lang: [games.index(game) for game in of] for lang, of in _streams(corpus).items()},
        "games": [_game(game) for game in corpus.games.values()],
        "gameNames": [[name, [games.index(game) for game in of]] for name, of in known.games.meanings.items()],
        "interface": list(interface_languages()),
        "entries": _entries(records, games, list(known.vocabularies)),
        "shared": _shared(known.vocabularies),
        "sharedForms": {lang: _shared_forms(lang, index) for lang in known.concepts},
    }


def weights() -> dict[str, Any]:
    """Every number by which the search is tuned, by its name in the Python module that sets it.

    >>> weights()["K1"] == search.K1
    True
    """
    modules = (dictionary, indexer, plan, positions, query, search)
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
    """What the analysis knows about languages. What only a query's own language needs is in its dictionary."""
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
        "listing": sorted(analysis._LISTING),
    }


def _by_value(words: Mapping[str, str]) -> dict[str, str]:
    """``{"two": "2", "second": "2"}`` as ``{"2": "two second"}``."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for word, value in words.items():
        grouped[value].append(word)
    return {value: " ".join(found) for value, found in grouped.items()}


def _game(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": dict(game.title),
        "sources": [[source.title, source.language] for source in game.sources.values()],
        "terms": " ".join(term.id for term in game.terms),
        "explained": " ".join(term.entry for term in game.terms),
    }


def _entries(records: Sequence[Record], games: Sequence[str], languages: Sequence[str]) -> dict[str, Any]:
    """The entries as columns. A title with Han is in the texts: only a query with Han can be that title."""
    numbers = {record.name: n for n, record in enumerate(records)}
    heads = [record.head for record in records]
    return {
        "ids": " ".join(record.name.split("/")[1] for record in records),
        "games": "".join(_digit(games.index(record.game)) for record in records),
        "kinds": "".join(_digit(plan.KINDS.index(head["kind"])) for head in heads),
        "parents": [numbers.get(head["parent"], -1) for head in heads],
        "overviews": "".join("1" if head["children"] else "0" for head in heads),
        "disputes": "".join(_digit(min(9, len(head["disputes"]))) for head in heads),
        "languages": ["".join(_digit(languages.index(lang)) for lang in record.titles) for record in records],
        "titles": [[_core_title(r.titles[lang]) for lang in r.titles] for r in records],
    }


def _digit(number: int) -> str:
    """A small number as one character, by its code from ``0`` on, whatever its size."""
    return chr(ord("0") + number) if number < 10 else chr(0x2500 + number)


def _core_title(title: str) -> str | int:
    return 0 if _has_han(title) else title


def _has_han(text: str) -> bool:
    return any(is_han(char) for char in text)


def _shared(vocabularies: Mapping[str, Vocabulary]) -> list[Rows]:
    """Words without accents that several languages have, and words without Han of languages without spaces.

    A row: the word, then for each language the number of its uses, with its stem before it where that is another; 0 where
    the language does not have it. So a word that is not here belongs to one spaced language at most.
    """
    folds = {lang: set(_folds(vocabulary)) for lang, vocabulary in vocabularies.items()}
    every = sorted(set().union(*folds.values()))
    return [
        [word, *(_use(word, vocabulary) for vocabulary in vocabularies.values())]
        for word in every
        if sum(word in of for of in folds.values()) > 1
        or any(word in of and not _is_spaced(lang) and not _has_han(word) for lang, of in folds.items())
    ]


def _folds(vocabulary: Vocabulary) -> Iterator[str]:
    yield from vocabulary.single
    yield from vocabulary.folds


def _use(word: str, vocabulary: Vocabulary) -> int | list[Any]:
    stem, uses = vocabulary.stem_of(word), sum(vocabulary.same_fold(word).values())
    return uses if stem in (None, word) else [stem, uses]


def _is_spaced(lang: str) -> bool:
    return lang in LANGUAGES and bool(LANGUAGES[lang].stemmer)


def _shared_forms(lang: str, index: Index) -> list[Rows]:
    """The glossary's forms that a query can name by shared words alone."""
    vocabularies = index.dictionary.vocabularies
    shared = {row[0] for row in _shared(vocabularies)}
    stems = {vocabularies[lang].stem_of(word) for word in shared}
    forms = index.dictionary.concepts[lang].meanings
    return [[form, *_meanings(forms[form])] for form in forms if all(key in stems for key in form.split(" "))]


def _meanings(meanings: Iterable[Sequence[Any]]) -> list[Any]:
    return [part for meaning in meanings for part in meaning]


# --- dictionaries -----------------------------------------------------------------------------------------------------


def _dictionary(corpus: Corpus, index: Index, lang: str) -> dict[str, Any]:
    """A language's words and glossary; the words of a language without spaces are found in its texts."""
    vocabulary = index.dictionary.vocabularies[lang]
    language = LANGUAGES.get(lang)
    return {
        "vocabulary": packed_vocabulary(vocabulary) if _is_spaced(lang) else "",
        "forms": [[_joined(term.forms.get(lang, ())) for term in game.terms] for game in corpus.games.values()],
        "stems": _form_stems(corpus, lang, vocabulary),
        "questionWords": " ".join(sorted(language.question_words)) if language else "",
        "functionWords": " ".join(sorted(language.function_words)) if language else "",
    }


def _joined(texts: Sequence[str]) -> str:
    return "|".join(text.replace("|", " ") for text in texts)


def _form_stems(corpus: Corpus, lang: str, vocabulary: Vocabulary) -> dict[str, str]:
    """Stems of the words of glossary forms that occur in no text."""
    words = {
        token.term
        for game in corpus.games.values()
        for term in game.terms
        for form in term.forms.get(lang, ())
        for token in analysis.analyse(form, lang)
        if token.kind in ("word", "part") and not vocabulary.knows(token.term)
    }
    return {word: stem for word in sorted(words) if (stem := stemmer(lang)(word)) != fold(word)}


def packed_vocabulary(vocabulary: Vocabulary) -> str:
    """All forms with their stems and frequencies as one short text, a line per stem, in the order of the first forms.

    A line: how many letters its stem shares with the one before (as one character from ``0`` on), the rest of the stem,
    then each form: ``|``, what follows the part it shares with the stem (a ``<`` for each letter of the stem that it
    lacks), ``,`` and, where it is not 1, the number of entries.

    >>> packed_vocabulary(Vocabulary.of("en", {"ship": {"ship": 3, "ships": 1}, "shy": {"shyly": 1}}))
    '0ship|,3|s,\\n2y|ly,'
    """
    groups = {**{word: {word: n} for word, n in vocabulary.single.items()}, **vocabulary.groups}
    before, lines = "", []
    for stem, forms in sorted(groups.items(), key=lambda item: next(iter(item[1]))):
        shared = _shared_letters(before, stem)
        tails = [f"{_tail(form, stem)},{n if n > 1 else ''}" for form, n in forms.items()]
        lines.append("|".join([f"{chr(48 + shared)}{stem[shared:]}", *tails]))
        before = stem
    return "\n".join(lines)


def _tail(form: str, stem: str) -> str:
    shared = _shared_letters(form, stem)
    return "<" * (len(stem) - shared) + form[shared:]


def _shared_letters(a: str, b: str) -> int:
    """How many letters two words begin with alike, 75 at most, so that it is told in one character of ASCII."""
    n = 0
    while n < min(len(a), len(b), 75) and a[n] == b[n]:
        n += 1
    return n


# --- texts ------------------------------------------------------------------------------------------------------------


def _streams(corpus: Corpus) -> dict[str, list[str]]:
    """By language, the games that have a text or an ask in it."""
    return {
        lang: [game for game in corpus.games if any(lang in (*e.texts, *e.asks) for e in _of_game(corpus, game))]
        for lang in corpus.languages
    }


def _of_game(corpus: Corpus, game: str) -> Iterator[Entry]:
    return (entry for entry in corpus.entries.values() if entry.game == game)


def _texts(corpus: Corpus, index: Index, lang: str, game: str) -> list[Rows]:
    """A row per entry: document number, length as the index keeps it, aliases, asks, blocks, and a title with Han."""
    rows = []
    for document, entry in enumerate(corpus.entries.values()):
        text = entry.texts.get(lang)
        if entry.game == game and (text or lang in entry.asks):
            row: Rows = [document, index.store.length(lang, document), list(entry.asks.get(lang, ()))]
            if text:
                row += [[_block(block) for block in text.blocks], list(text.aliases)]
                row += [text.title] if _has_han(text.title) else []
            rows.append(row)
    return rows


def _block(block: Block) -> str | Rows:
    """A paragraph as its text alone; else text, kind, depth and marker."""
    plain = (block.kind, block.depth, block.marker) == ("p", 0, "")
    return block.text if plain else [block.text, block.kind, block.depth, block.marker]


def _words(lang: str) -> dict[str, str]:
    """The interface words that the results need."""
    return {key: text for key, text in sorted(words_in(lang).texts.items()) if key.startswith(WORDS)}
