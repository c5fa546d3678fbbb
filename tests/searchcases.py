"""Inputs for the contract between the two readers of the index: texts to cut, and questions, made anew the same each time."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ruleslawyer.index import Index
from ruleslawyer.present import excerpt
from ruleslawyer.records import Record
from ruleslawyer.search import search
from ruleslawyer.stems import simplified_characters

Request = dict[str, Any]
"""``{"ask": question, "options": {...}}`` or ``{"terms": text, "lang": code, "han": simplify?}``."""

TEXTS = (
    "占领中央神殿的玩家可以再掷一次骰子。", "A lantern may not move.",
    "Player A draws 1 card.", "El jugador no puede mover.",
    "Sí, se puede.", "Reglas de eliminación.", "El año del niño.", "fundación", "fundacio\u0301n",
    '<span class="emph">Move</span> 3 warriors, see 3.1 or 3x1', "Re-roll the die", "A two-player variant", "3-4 players",
    "what?", "quien", "¿Quién gana?", "¡Empate!", '"unclosed', "((",
    "a AND", "NOT", "*", "3.1.2", "1.2.3.4.5.6.7.8.9.10.11.12", "3.10", "第3章", "第３章",
    "棄牌階段", "弃牌阶段", "第十二回合", "二十张牌", "九十九", "三级", "二、三级科技", "两人局",
    "每人2个矿石", "用UFO换牌",
    "Level II", "level two", "second level", "two levels",
    "levels I, II and III", "nivel dos", "niveles I y II", "tier 3",
    "I draw", "lvl 4", "IIII", "Ⅳ", "ⅱ级", "first tie", "3rd player", "décimo turno", "twice",
    "player's", "players’", "d'eau", "rock-'n'-roll", "3.1.",
    "1.5.2-3", "v2.0", "10–12", "−5", "a-b-c", "--", "-x", "x-",
    "ＦＵＬＬ　ＷＩＤＴＨ", "Straße STRASSE ẞ", "İstanbul ıssız", "ΣΊΣΥΦΟΣ ς",
    "ﬁne ﬀ", "½ cup x²", "①②③ ⑩", "e\u0301e\u0301\u0301",
    "soft\u00adhyphen zero\u200bwidth \ufeffbom", "𠮷野家 𠀀𠀁",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚", "😀 dice 🎲🎲", "か゛が カタカナ", "한국어 각", "עברית שָׁלוֹם",
    "العربية ١٢٣", "हिन्दी ३", "ไทย", "ქართული", "Ǆ ǆ", "a\u0345 ᾳ", "\u1369\u136a", "❶❷", "々〇", "〇一二",
    "constructor __proto__ toString hasOwnProperty",
    "</script><!-- -->", "\u2028\u2029 line", "tab\tnew\nline", "", " ", "'", "''a''",
)  # fmt: skip
"""Rows of the known faults, every language, every rule of the analysis, and odd Unicode."""

QUESTIONS = (
    "", " ", "?", "((", "*", "a AND", "NOT",
    '"unclosed', '""', '"may not"', '-"deep space" outpost', "outpost -ship", "-ship", "-",
    "--", "-5", "game:bts tie",
    'game:"beyond the sun" tie', "game:nothing tie", "kind:faq tie", "kind:x tie", "lang:zh tie",
    "lang:xx tie", "id:tie-break", "id:beyond-the-sun/tie-break",
    "id:nothing", "ｇａｍｅ：bts 平手", "KIND:FAQ tie", "ıd:tie",
    "lang:es empate", "“tie break”", "「平手」怎么办", "平手「怎么办",
    "beyond the sun 平手", "beam me up tie", "beyond the sun",
    "太阳之外 平手", "棄牌", "生產階段", "re roll", "reroll", "re-roll",
    "tiebreak", "2", "two", "二级", "level 2", "nivel 2", "Ⅱ",
    "constructor", "__proto__", "toString",
    "<img src=x onerror=alert(1)>", "</script>", "𠮷", "😀", "año", "ano", "quien gana",
    "¿Quién gana?", "i", "I", "a", "no", "sí", "ufo", "UFO牌", "tie",
    "empate", "平手", "achivements", "logro obligatorio",
    "殖名条件", "me falta un requisito",
    "do i get my guy back after researching", "word " * 60, "x" * 2100, "占领" * 40,
)  # fmt: skip
"""Questions that try one thing each."""


JUDGED = Path(__file__).parent / "relevance" / "queries.jsonl"


def judged(lang: str = "") -> list[Request]:
    """The judged queries, of one language or all, asked as a reader would."""
    rows = map(json.loads, JUDGED.read_text(encoding="utf-8").splitlines())
    return [
        _request(row["query"], game=row["game"] if row["needs_game"] else "")
        for row in rows
        if not lang or row["lang"] == lang
    ]


def term_requests(index: Index) -> list[Request]:
    """Texts to cut, in each language and in none."""
    titles = [title for r in list(index.records.values())[::9] for title in r.titles.values()]
    bodies = [r.body(lang).plain[:300] for r in list(index.records.values())[::23] for lang in r.titles]
    listed = [{"terms": text, "lang": lang, "han": True} for text in TEXTS for lang in ("en", "es", "zh")]
    return listed + [{"terms": text, "lang": lang, "han": False} for text in (*titles, *bodies) for lang in ("", "zh")]


def questions(index: Index, count: int, seed: int) -> list[Request]:
    """The listed questions, then as many made from the corpus by chance as ``count`` asks for."""
    fixed = [_request(text) for text in QUESTIONS]
    return fixed + list(generated(index, max(0, count - len(fixed)), seed))


def generated(index: Index, count: int, seed: int) -> Iterator[Request]:
    """Titles, asks and runs of text, whole or damaged, alone or mixed, with every operator and option."""
    chance = random.Random(seed)
    records = list(index.records.values())
    for _ in range(count):
        text = _piece(chance, records)
        for change in chance.sample(CHANGES, chance.choice((0, 0, 1, 1, 2))):
            text = change(chance, records, text)
        yield _request(text, **_options(chance, index))


def _request(text: str, **options: Any) -> Request:
    return {"ask": text, "options": {"limit": 20, **options}}


def _options(chance: random.Random, index: Index) -> dict[str, Any]:
    options: dict[str, Any] = {"fallback": chance.choice(("en", "en", "es", "zh"))}
    if chance.random() < 0.15:
        options["game"] = chance.choice(list(index.games))
    if chance.random() < 0.1:
        options["kind"] = chance.choice(("rule", "faq", "info"))
    if chance.random() < 0.1:
        options["lang"] = chance.choice(("en", "es", "zh"))
    if chance.random() < 0.1:
        options["exact"] = True
    return options


def _piece(chance: random.Random, records: Sequence[Record]) -> str:
    record = chance.choice(records)
    kind = chance.random()
    if kind < 0.25:
        return chance.choice(list(record.titles.values()))
    if kind < 0.65:
        return chance.choice([ask for asks in record.asks().values() for ask in asks] or [record.name])
    if kind < 0.95:
        return _run(chance, record.body(chance.choice(list(record.titles))).plain)
    return "".join(_odd_character(chance) for _ in range(chance.randrange(1, 12)))


def _odd_character(chance: random.Random) -> str:
    """Any character that every version of Unicode in use knows: of a newer one, readers may think differently."""
    while unicodedata.ucd_3_2_0.category(char := chr(chance.randrange(32, 0x2FFF))) == "Cn":
        pass
    return char


def _run(chance: random.Random, text: str) -> str:
    if " " in text:
        words = text.split()
        start = chance.randrange(len(words))
        return " ".join(words[start : start + chance.randrange(1, 7)])
    start = chance.randrange(max(1, len(text)))
    return text[start : start + chance.randrange(1, 9)]


def _slip(chance: random.Random, records: Sequence[Record], text: str) -> str:
    at = chance.randrange(len(text) + 1)
    kind = chance.random()
    if kind < 0.3:
        return text[:at] + text[at + 1 :]
    if kind < 0.6:
        return text[:at] + chance.choice("aeinrst的了") + text[at:]
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


def _mixed(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return f"{text} {_piece(chance, records)}"


def _quoted(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return f'"{_run(chance, text)}" {_run(chance, text)}' if text.strip() else text


def _excluding(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return f"{text} -{_run(chance, _piece(chance, records)) or 'x'}"


def _in_game(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return f"{chance.choice(('beyond the sun', 'BTS', 'game:beam-me-up', 'Beam me up', '太阳之外'))} {text}"


def _plain(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return text.translate(str.maketrans("áéíóúñü", "aeiounu")).lower()


def _glued(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return text.replace(" ", "", 1)


def _split(chance: random.Random, records: Sequence[Record], text: str) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice((" ", "-", "’", "\u00ad")) + text[at:]


def _traditional(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return text.translate(_traditional_characters())


@cache
def _traditional_characters() -> dict[int, str]:
    return {ord(simple): char for char, simple in simplified_characters().items()}


def _punctuated(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return "".join(char + chance.choice(PUNCTUATION) if chance.random() < 0.15 else char for char in f"{text}?")


def _shouted(chance: random.Random, records: Sequence[Record], text: str) -> str:
    wide = {n: n + 0xFEE0 for n in range(0x21, 0x7F)}
    return text.upper().translate(wide) if chance.random() < 0.3 else text.upper()


def _numbered(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return f"{text} {chance.choice(NUMBERS)}"


def _long(chance: random.Random, records: Sequence[Record], text: str) -> str:
    return " ".join([text, *(_piece(chance, records) for _ in range(chance.randrange(8, 40)))])


def _short(chance: random.Random, records: Sequence[Record], text: str) -> str:
    at = chance.randrange(len(text) + 1)
    return text[at : at + chance.randrange(4)]


def _filtered(chance: random.Random, records: Sequence[Record], text: str) -> str:
    record = chance.choice(records)
    name = record.name if chance.random() < 0.5 else record.name.split("/")[1]
    return chance.choice(
        (f"id:{name}", f"{text} kind:faq", f"lang:zh {text}", f"{text} lang:es kind:rule", f"id:{text}")
    )


PUNCTUATION = (
    "?", "!", ",", ".", "...", ":", ";", "(", ")", '"', "/", "*", "-", "¿", "。", "，", "？", "「", " - ", "\t", "\n",
)  # fmt: skip
"""What fingers and keyboards put between words."""

NUMBERS = (
    "2", "3.1", "level 2", "level II", "lvl 4", "second level", "nivel 3", "nivel dos", "niveles I y II", "二级", "第3章",
    "三级科技", "两人局", "twice", "first", "10", "IIII", "1-2", "½", "x2", "-1",
)  # fmt: skip
"""Numbers and levels as they are written in the three languages."""

CHANGES = (
    _slip, _slip, _mixed, _quoted, _excluding, _in_game, _plain, _glued,
    _split, _traditional, _punctuated, _shouted, _numbered, _long, _short, _filtered,
)  # fmt: skip
"""What is done to a piece of text by chance; typing errors twice as often as any other."""


def answer(index: Index, request: Request) -> dict[str, Any]:
    """What the command answers, in the shape of ``search_in_node.js``."""
    found = search(index, request["ask"], **request["options"])
    plan, hits = found.plan, found.hits or found.nearest
    reader = plan.filters.get("lang") or plan.lang
    bodies = [hit.record.body(reader) for hit in hits]
    return {
        "lang": reader,
        "language": plan.lang,
        "question": plan.question,
        "filters": dict(plan.filters),
        "units": [
            {
                "text": unit.text,
                "weight": unit.weight,
                "known": unit.known,
                "alternatives": [
                    [a.lang, a.how, a.weight, a.untranslated, [list(term) for term in a.terms]]
                    for a in unit.alternatives
                ],
            }
            for unit in plan.units
        ],
        "phrases": [[[p.lang, [list(f) for f in p.places]] for p in readings] for readings in plan.phrases],
        "excluded": [[[p.lang, [list(f) for f in p.places]] for p in readings] for readings in plan.excluded],
        "confident": found.confident,
        "ids": [hit.record.name for hit in hits],
        "scores": [hit.score for hit in hits],
        "shown": [[body.lang, body.title, excerpt(body, plan)] for body in bodies],
        "total": found.total,
        "notes": [[note.key, dict(note.values)] for note in found.notes],
    }


def kinds(requests: Sequence[Request], answers: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """How many of the questions find something, and how: ``note corrected``, ``by level``, ``filter game``, ``lang zh``."""
    found: Counter[str] = Counter()
    for request, said in zip(requests, answers, strict=True):
        found["found" if said["confident"] else "near" if said["ids"] else "nothing"] += 1
        found.update({f"note {key}" for key, _ in said["notes"]})
        found.update({f"by {how}" for unit in said["units"] for _, how, *_ in unit["alternatives"]})
        found.update(f"filter {key}" for key in said["filters"])
        found.update(key for key in ("phrases", "excluded") if said[key])
        found[f"lang {said['language']}"] += 1
        found.update(name for name, fits in LOOKS.items() if fits(request["ask"]))
    return found


LOOKS: Mapping[str, Callable[[str], object]] = {
    "long": lambda text: len(text) > 200,
    "hardly any": lambda text: len(text.strip()) <= 3,
    "number": re.compile(r"\d").search,
    "two scripts": re.compile(r"[a-z].*[\u4e00-\u9fff]|[\u4e00-\u9fff].*[a-z]", re.IGNORECASE).search,
    "traditional": lambda text: set(text) & set(simplified_characters()),
    "full width": re.compile(r"[Ａ-Ｚ]").search,
}
"""What a question looks like."""
