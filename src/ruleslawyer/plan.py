"""Query + Dictionary -> Plan: what to look for, with weights, as plain data. Nothing here knows the engine.

A *unit* is one thing the reader asked for: a word, a pair of Han characters, a number. Each unit has *alternatives*: the
word's own forms, the same level or number written otherwise, the glossary's concept, a corrected spelling. An entry
scores a unit by its best alternative, so that synonyms never add up and a vague one never outranks the exact word.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ruleslawyer.analysis import Token, analyse, fold, is_han
from ruleslawyer.dictionary import Dictionary, Vocabulary
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.query import Query
from ruleslawyer.words import Note

KINDS = ("rule", "faq", "info")
_CONCEPT_MARK = "@"

# What an alternative is worth beside the exact form. Measured on the judged queries (tests/relevance/tune.py): see
# docs/search.md for what each does to success when it is taken away.
SAME_FOLD = 0.95  # año for ano: accents left out
OTHER_ACCENT = 0.6  # ano for año: the reader took the trouble to write them
SAME_STEM = 0.90  # ships for ship
OTHER_LANGUAGE = 0.85  # a word of a language that the query is not in
NUMBER_WORD = 0.95  # 2 for two
INFLECTION = 0.80  # an unseen form of a known stem
CORRECTION = 2.0  # what an edit costs, by the share of the word it changes
LEAST_CORRECTED = 0.3
OPENING = 0.55  # achiev for achievement
SINGLE_HAN = 0.40  # one character, where pairs decide
CONCEPT = 0.70  # times how surely the form names the concept
FUNCTION_WORD = 0.55  # the, puedo, 什么
JOINED = 0.90  # reroll for re roll

MAX_UNITS = 48
"""Units searched at most; the rest of a longer question is left out and the reader told."""


class Alternative(NamedTuple):
    """One way to meet a unit: terms of one language, each with its weight, and how they came in.

    ``how``: ``exact``, ``form``, ``number``, ``level``, ``concept``, ``inflection``, ``corrected``, ``opening``, ``single``.
    ``untranslated``: counts only in entries that have no text in the query's language; all others are searched in it.
    """

    lang: str
    terms: tuple[tuple[str, float], ...]
    weight: float
    how: str
    untranslated: bool = False


class Unit(NamedTuple):
    """One thing asked for. ``pos`` is its place in the query; ``start`` and ``end`` count characters of it.

    ``kind``: ``word``, ``han`` (a character) or ``pair`` (two of them, or a number and one). ``importance`` is what the word
    counts for, ``weight`` what a match of it counts in the score; ``known`` says whether the dictionary has it as typed.
    """

    text: str
    pos: int
    start: int
    end: int
    alternatives: tuple[Alternative, ...]
    kind: str = "word"
    importance: float = 1.0
    weight: float = 1.0
    known: bool = True


class Phrase(NamedTuple):
    """Words in a row: for each place the forms that do, in one language."""

    lang: str
    places: tuple[tuple[str, ...], ...]


class Plan(NamedTuple):
    """What to look for.

    Args:
        units: what was asked for.
        phrases: each must stand in a row in one of its languages: a tuple of the languages' readings.
        excluded: likewise, none of which may occur.
        filters: keyword fields to their values: ``game``, ``kind``, ``id``; ``lang`` for the language of the text.
        lang: the language of the query, in which answers are read first.
        title: the query as a title would be written, to be held against titles: words without accents.
        question: whether it is shaped like a question.
        notes: what was corrected, narrowed or left out.
    """

    units: tuple[Unit, ...]
    phrases: tuple[tuple[Phrase, ...], ...] = ()
    excluded: tuple[tuple[Phrase, ...], ...] = ()
    filters: Mapping[str, str] = {}
    lang: str = "en"
    title: str = ""
    question: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for: no word and no phrase."""
        return not self.units and not self.phrases and "id" not in self.filters


def concept_term(concept: str) -> str:
    """The term by which a concept (``game/term``) is indexed, which no text can contain.

    >>> concept_term("beam-me-up/tie")
    '@beam-me-up/tie'
    """
    return _CONCEPT_MARK + concept


def is_concept(term: str) -> bool:
    """Whether a term stands for a concept."""
    return term.startswith(_CONCEPT_MARK)


def make_plan(query: Query, dictionary: Dictionary, exact: bool = False, fallback: str = "en") -> Plan:
    """Decide what to look for.

    Args:
        query: the question taken apart.
        dictionary: of the index that will be searched.
        exact: correct no spelling.
        fallback: the language of a query that does not tell its own.
    """
    filters, words, notes = _narrow(query, dictionary)
    language = query_language(words or query.text, dictionary) or filters.get("lang") or fallback
    cells = _cells(words, dictionary)
    if query.cut or len(cells) > MAX_UNITS:
        notes.append(Note("cut", {"limit": str(MAX_UNITS)}))
    units = list(_units(cells, dictionary, language, exact))
    units, corrections = _with_concepts(units, cells, dictionary, language), _corrections(units)
    return Plan(
        units=tuple(units),
        phrases=tuple(_phrase(p, dictionary) for p in query.phrases),
        excluded=tuple(_phrase(p, dictionary) for p in query.excluded),
        filters=filters,
        lang=language,
        title=title_key(query.words),
        question=_is_question(query.text, cells, language),
        notes=(*notes, *corrections),
    )


def title_key(text: str) -> str:
    """A text as titles are compared: words without accents, Han characters singly.

    >>> title_key("¿Quién controla un sistema?")
    'quien controla un sistema'
    """
    return " ".join(fold(t.term) for t in analyse(text, "") if t.kind in ("word", "part", "han"))


def query_language(text: str, dictionary: Dictionary) -> str | None:
    """The language a text is written in: Chinese by its characters, else the one that has most of its words.

    A word counts for each language by how much of its use is there. ``None`` where no word tells.
    """
    if any(is_han(c) for c in text):
        return "zh"
    languages = dictionary.spaced("")
    votes = dict.fromkeys(languages, 0.0)
    for token in analyse(text, ""):
        uses = {lang: sum(dictionary.vocabularies[lang].same_fold(token.term).values()) for lang in languages}
        for lang, count in uses.items():
            votes[lang] += count / max(1, sum(uses.values()))
    first, second, *_ = *sorted(votes, key=lambda lang: -votes[lang]), "", ""
    return first if votes.get(first, 0.0) > votes.get(second, 0.0) else None


def _narrow(query: Query, dictionary: Dictionary) -> tuple[dict[str, str], str, list[Note]]:
    """Filters, the words that are left, and what is to be said of it.

    A filter that names nothing is searched as text. A game's name among the words narrows to that game and is taken out,
    unless nothing would be left.
    """
    filters: dict[str, str] = {}
    words, notes = query.words, []
    for name, value in query.filters.items():
        meant = _filter_value(name, value, dictionary)
        if meant:
            filters[name] = meant
        else:
            words = f"{words} {name} {value}"
            notes.append(Note("unknown_filter", {"name": name, "value": value}))
    named = None if "game" in filters else _named_game(query, dictionary)
    if named:
        filters["game"], words = named
        notes.append(Note("narrowed", {"game": filters["game"]}))
    return filters, words, notes


def _filter_value(name: str, value: str, dictionary: Dictionary) -> str | None:
    """What a filter's value means: the game of a name, an entry's id as it is, else one of the values there are."""
    if name == "game":
        games = dictionary.games.meanings.get(title_key(value), ())
        return str(games[0]) if len(games) == 1 else None
    known = {"kind": KINDS, "lang": tuple(dictionary.vocabularies), "id": (value,)}[name]
    return value if value in known else None


def _named_game(query: Query, dictionary: Dictionary) -> tuple[str, str] | None:
    """The one game that some of the words outside phrases name, and all other words."""
    loose = query.loose
    tokens = [t for t in analyse(loose, "", dictionary.simplified) if t.kind in ("word", "part", "han")]
    for start, end, form in dictionary.games.found_in([fold(t.term) for t in tokens]):
        rest = " ".join((loose[: tokens[start].start], loose[tokens[end - 1].end :], *query.phrases))
        games = dictionary.games.meanings[form]
        if len(games) == 1 and any(c.isalnum() for c in rest):
            return games[0], rest
    return None


class Cell(NamedTuple):
    """One position of the query: its tokens by language."""

    pos: int
    tokens: Mapping[str, Sequence[Token]]

    @property
    def base(self) -> Token:
        """The word or character itself, whatever it means in which language."""
        return next(t for tokens in self.tokens.values() for t in tokens)


def _cells(words: str, dictionary: Dictionary) -> list[Cell]:
    by_position: dict[int, dict[str, list[Token]]] = defaultdict(lambda: defaultdict(list))
    for lang in dictionary.vocabularies:
        for token in analyse(words, lang, dictionary.simplified):
            by_position[token.pos][lang].append(token)
    return [Cell(pos, by_position[pos]) for pos in sorted(by_position)]


def _units(cells: Sequence[Cell], dictionary: Dictionary, language: str, exact: bool) -> Iterator[Unit]:
    alone = sum(1 for c in cells if c.base.kind == "han") == 1
    for n, cell in enumerate(cells[:MAX_UNITS]):
        if cell.base.kind == "han":
            yield from _han_units(cell, dictionary, alone)
        else:
            yield _word_unit(cells, n, dictionary, language, exact)


def _han_units(cell: Cell, dictionary: Dictionary, alone: bool) -> Iterator[Unit]:
    """A pair of Han characters is a word, a single one helps; both count in Chinese, else where they occur."""
    tokens = cell.tokens.get("zh") or next(iter(cell.tokens.values()))
    meanings = tuple(
        _term("zh", t.term, t.kind, NUMBER_WORD if t.kind == "number" else 1.0)
        for t in tokens
        if t.kind in ("level", "number")
    )
    pairs = [t for t in tokens if t.kind == "pair"]
    single = cell.base
    importance = _importance(single.term, "zh")
    weight = importance * (1.0 if alone else SINGLE_HAN)
    found, known = _han_alternatives([single], dictionary, "single")
    yield Unit(single.term, cell.pos, single.start, single.end, found + meanings, "han", importance, weight, known)
    if pairs:
        first = pairs[0]
        importance = _importance(first.term, "zh")
        found, known = _han_alternatives(pairs, dictionary, "exact")
        yield Unit(
            first.term, cell.pos, first.start, first.end, found + meanings, "pair", importance, importance, known
        )


def _han_alternatives(
    tokens: Sequence[Token], dictionary: Dictionary, how: str
) -> tuple[tuple[Alternative, ...], bool]:
    """Han is looked up in Chinese; in the other languages where Chinese does not have it."""
    for lang in sorted(dictionary.vocabularies, key=lambda lang: lang != "zh"):
        vocabulary = dictionary.vocabularies[lang]
        found = tuple(_term(lang, t.term, how) for t in tokens if vocabulary.knows(t.term))
        if found:
            return found, True
    return (), False


def _term(lang: str, term: str, how: str, weight: float = 1.0) -> Alternative:
    return Alternative(lang, ((term, 1.0),), weight, how)


def _word_unit(cells: Sequence[Cell], n: int, dictionary: Dictionary, language: str, exact: bool) -> Unit:
    """A word the query's language knows is searched in it, and in the languages that entries without it are written in.

    Only a word that it does not know is looked for in every language, and only one that none knows is guessed at.
    """
    word = cells[n].base
    found = _in_language(cells, n, dictionary.vocabularies[language]) if language in dictionary.vocabularies else []
    if found:
        for lang in dictionary.fallbacks.get(language, ()):
            others = _in_language(cells, n, dictionary.vocabularies[lang])
            found += [a._replace(weight=a.weight * OTHER_LANGUAGE, untranslated=True) for a in others]
    else:
        for lang in dictionary.spaced(language):
            others = _in_language(cells, n, dictionary.vocabularies[lang])
            found += [a._replace(weight=a.weight * OTHER_LANGUAGE) for a in others]
    known = bool(found)
    if not found:
        found = _guesses(word.term, dictionary, language, exact)
    importance = _importance(word.term, language)
    return Unit(word.term, cells[n].pos, word.start, word.end, tuple(found), "word", importance, importance, known)


def _in_language(cells: Sequence[Cell], n: int, vocabulary: Vocabulary) -> list[Alternative]:
    """What one language has for a word of the query."""
    tokens = cells[n].tokens.get(vocabulary.lang, ())
    return [*(a for token in tokens for a in _known(token, vocabulary)), *_joined(cells, n, vocabulary)]


def _importance(word: str, lang: str) -> float:
    """What a word counts for: one that only holds the sentence together, less."""
    return FUNCTION_WORD if lang in LANGUAGES and fold(word) in LANGUAGES[lang].function_words else 1.0


def _known(token: Token, vocabulary: Vocabulary) -> Iterator[Alternative]:
    """The alternatives for a token that occurs in a language as it stands, accents apart."""
    stem = vocabulary.stem_of(token.term)
    if stem is None or token.kind == "opening":
        return
    if token.kind in ("number", "level"):
        yield _term(vocabulary.lang, token.term, token.kind, NUMBER_WORD if token.kind == "number" else 1.0)
    elif token.kind in ("pair", "whole") or not token.term[0].isalpha():
        yield _term(vocabulary.lang, token.term, "exact")
        opening = f"{token.term}."
        if vocabulary.knows(opening):
            yield _term(vocabulary.lang, opening, "opening", SAME_STEM)
    else:
        yield Alternative(vocabulary.lang, _forms(token.term, stem, vocabulary), 1.0, "exact")


def _forms(word: str, stem: str, vocabulary: Vocabulary) -> tuple[tuple[str, float], ...]:
    """All forms of a stem: the exact one counts most, then the same without accents, then the others."""

    plain = fold(word)

    def weight(form: str) -> float:
        if form == word:
            return 1.0
        if fold(form) == plain:
            return SAME_FOLD if word == plain else OTHER_ACCENT
        return SAME_STEM

    return tuple((form, weight(form)) for form in vocabulary.forms_of(stem))


def _joined(cells: Sequence[Cell], n: int, vocabulary: Vocabulary) -> Iterator[Alternative]:
    """``re roll`` meets ``reroll``: a word together with its neighbour, where the language has them as one."""
    for a, b in ((n, n + 1), (n - 1, n)):
        if a >= 0 and b < len(cells) and {cells[a].base.kind, cells[b].base.kind} <= {"word", "part"}:
            joined = cells[a].base.term + cells[b].base.term
            stem = vocabulary.stem_of(joined) if joined.isalpha() else None
            if stem is not None:
                yield Alternative(vocabulary.lang, _forms(joined, stem, vocabulary), JOINED, "form")


def _guesses(word: str, dictionary: Dictionary, language: str, exact: bool) -> list[Alternative]:
    """What an unknown word may mean: an inflection, a slip of the finger, the beginning of a word; the best kind only."""
    languages = (language, *dictionary.spaced(language))
    vocabularies = [dictionary.vocabularies[lang] for lang in languages if lang in dictionary.vocabularies]
    found = [
        Alternative(v.lang, _forms(word, stem, v), INFLECTION, "inflection")
        for v in vocabularies
        if (stem := v.inflection_of(word)) is not None
    ]
    if found or exact:
        return found
    near = [(*n, v) for v in vocabularies if (n := v.nearest(word)) is not None]
    best = min((n[0] for n in near), default=0)
    corrected = [_corrected(word, known, distance, v, language) for distance, known, v in near if distance == best]
    if best == 1:
        return corrected
    split = [a for v in vocabularies for a in _split(word, v)]
    return (
        split
        or corrected
        or [
            Alternative(v.lang, tuple((f, 1.0) for s in stems[:3] for f in v.forms_of(s)), OPENING, "opening")
            for v in vocabularies
            if (stems := v.opening_of(word))
        ]
    )


def _corrected(word: str, known: str, distance: int, vocabulary: Vocabulary, language: str) -> Alternative:
    weight = max(LEAST_CORRECTED, 1.0 - CORRECTION * distance / len(word))
    forms = _forms(known, vocabulary.stem_of(known) or known, vocabulary)
    beside = 1.0 if vocabulary.lang == language else OTHER_LANGUAGE
    return Alternative(vocabulary.lang, forms, weight * beside, "corrected")


def _split(word: str, vocabulary: Vocabulary) -> Iterator[Alternative]:
    """``tiebreak`` where the text has only ``tie break``: both halves are words of three letters or more, or ``re`` first."""
    for cut in range(2, len(word) - 2):
        halves = (word[:cut], word[cut:])
        stems = [vocabulary.stem_of(h) for h in halves]
        if all(stems) and (cut > 2 or halves[0] == "re"):
            terms = [t for h, s in zip(halves, stems, strict=True) for t in _forms(h, s or "", vocabulary)]
            yield Alternative(vocabulary.lang, tuple(terms), INFLECTION, "form")
            return


def _with_concepts(units: list[Unit], cells: Sequence[Cell], dictionary: Dictionary, language: str) -> list[Unit]:
    """Give the units that a glossary form covers the form's concepts as one more alternative.

    Forms are those of the languages that are written as the question is.
    """
    covered: dict[int, dict[str, float]] = defaultdict(dict)
    spaced = dictionary.spaced("")
    scripts = {cell.base.kind == "han" for cell in cells}
    for lang in dictionary.concepts:
        if (lang not in spaced) not in scripts:
            continue
        keys = [_key(cell, lang, dictionary.vocabularies[lang]) for cell in cells]
        if not any(keys):
            continue  # and the forms of a language that knows none of the words need not be read
        forms = dictionary.concepts[lang]
        for start, end, form in forms.found_in(keys):
            for n in range(start, end):
                for concept, weight in forms.meanings[form]:
                    covered[cells[n].pos][concept] = max(weight, covered[cells[n].pos].get(concept, 0.0))
    return [_with_concept(unit, covered.get(unit.pos, {}), dictionary, language) for unit in units]


def _key(cell: Cell, lang: str, vocabulary: Vocabulary) -> str | None:
    if cell.base.kind == "han":
        return cell.base.term if lang == "zh" else None
    return vocabulary.stem_of(cell.base.term)


def _with_concept(unit: Unit, concepts: Mapping[str, float], dictionary: Dictionary, language: str) -> Unit:
    """What the glossary says the unit means, in the query's language and where entries are not written in it."""
    by_weight: dict[float, list[str]] = defaultdict(list)
    for concept, weight in concepts.items():
        by_weight[weight].append(concept_term(concept))
    extra: list[Alternative] = []
    for weight, names in sorted(by_weight.items(), reverse=True):
        terms = tuple((term, 1.0) for term in sorted(names))
        extra.append(Alternative(language, terms, CONCEPT * weight, "concept"))
        for lang in dictionary.fallbacks.get(language, ()):
            extra.append(Alternative(lang, terms, CONCEPT * weight * OTHER_LANGUAGE, "concept", untranslated=True))
    return unit._replace(alternatives=unit.alternatives + tuple(extra)) if extra else unit


def _corrections(units: Iterable[Unit]) -> list[Note]:
    notes = []
    for unit in units:
        for alternative in unit.alternatives[:1]:
            if alternative.how == "corrected":
                notes.append(Note("corrected", {"typed": unit.text, "read": alternative.terms[0][0]}))
        if not unit.alternatives and not is_han(unit.text[0]):
            notes.append(Note("unknown", {"word": unit.text}))
    return notes


def _phrase(text: str, dictionary: Dictionary) -> tuple[Phrase, ...]:
    """A phrase's reading in each language that has all of its words."""
    readings = []
    for lang, vocabulary in dictionary.vocabularies.items():
        tokens = [t for t in analyse(text, lang, dictionary.simplified) if t.kind in ("word", "part", "han")][
            :MAX_UNITS
        ]
        places = [tuple(vocabulary.same_fold(t.term)) for t in tokens]
        if places and all(places):
            readings.append(Phrase(lang, tuple(places)))
    return tuple(readings)


def _is_question(text: str, cells: Sequence[Cell], lang: str) -> bool:
    """A question mark, or a word that questions begin with: first in Latin scripts, anywhere in Chinese."""
    if "?" in text or "？" in text or "¿" in text:
        return True
    words = LANGUAGES[lang].question_words if lang in LANGUAGES else frozenset()
    if any(cell.base.kind == "han" for cell in cells):
        return any(word in text for word in words)
    return bool(cells) and fold(cells[0].base.term) in words


def explain(plan: Plan) -> list[dict[str, Any]]:
    """The plan as plain data for ``--explain`` and ``--json``: a row per unit with its alternatives."""
    return [
        {
            "text": unit.text,
            "weight": round(unit.weight, 3),
            "known": unit.known,
            "alternatives": [
                {"lang": a.lang, "how": a.how, "weight": round(a.weight, 3), "terms": [t for t, _ in a.terms]}
                for a in unit.alternatives
            ],
        }
        for unit in plan.units
    ]
