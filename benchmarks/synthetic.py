"""Large corpora for measuring: the bundled games, and as many synthetic ones recombined from them as are wanted.

A synthetic game has the tree of a bundled one: its entries, links, FAQ, asks, glossary and disputes. Its sentences are the
bundled game's in another order, with words of its own: a lexicon of invented names that it uses often and seldom, and names
that occur once. So texts differ, and the vocabulary grows with the corpus as it does when real rulebooks are added.

The same number gives the same bytes.

>>> invented_name(random.Random(1)), invented_han_name(random.Random(1))
('jiso', '雕褥')
"""

from __future__ import annotations

import json
import random
import re
import shutil
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LEXICON = 60
"""Invented names of a synthetic game; the first is used most."""

OWN_WORD = 0.35
"""Share of sentences and asks in which a word gives way to a name of the game."""

ONCE = 0.02
"""Share in which it gives way to a name that occurs nowhere else."""

RENAMED = 0.5
"""Share of titles, ids and first glossary forms that carry a name of the game; the others are common to many games."""

BORROWED = 0.3
"""Share of asks that come from another entry."""

_ONSETS = ("br", "ch", "dr", "gr", "pr", "qu", "st", "tr", *"bcdfghjklmnprstvz")
_SYLLABLES = [onset + vowel for onset in _ONSETS for vowel in "aeiou"]
_HAN = bytes(b for high in range(0xB0, 0xD7) for low in range(0xA1, 0xFF) for b in (high, low)).decode("gb2312")
_LINK = re.compile(r"(\[[^\]]*\]\([^)]*\)|`[^`]*`)")
_TARGET = re.compile(r"\]\(#([a-z0-9-]+)\)")
_FOREIGN = re.compile(r"\[([^\]]*)\]\([a-z0-9-]+#[^)]*\)")
_HEADING = re.compile(r"^(#+) (.*?) \{#([a-z0-9-]+)(.*)\}$")
_LETTERS = re.compile(r"(?<![\w*#-])[a-záéíóúñü]{5,}(?![\w*-])")
_HAN_WORD = re.compile(r"(?<=[一-龥])[一-龥]{2}(?=[一-龥])")
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")
_BULLET = re.compile(r"^\s*(?:[-*]|\d+\.) ")


def write_library(bundled: Path, folder: Path, texts: int) -> int:
    """Write a corpus of at least ``texts`` texts (an entry in a language is one) into a new folder; the bundled games first.

    Returns:
        how many texts there are; at most a game's more than was asked for.
    """
    shutil.copytree(bundled, folder)
    templates = [Template.read(path) for path in sorted(p for p in bundled.iterdir() if p.is_dir())]
    written = sum(template.texts for template in templates)
    number = 0
    while written < texts:
        template = templates[number % len(templates)]
        number += 1
        write_game(template, folder, number)
        written += template.texts
    return written


@dataclass(frozen=True)
class Template:
    """A bundled game as material: its files, its ids, and by language the sentences, list items and asks to choose from."""

    id: str
    files: Mapping[str, str]
    ids: Sequence[str]
    texts: int
    sentences: Mapping[str, Sequence[str]]
    items: Mapping[str, Sequence[str]]
    asks: Mapping[str, Mapping[str, Sequence[str]]]

    @classmethod
    def read(cls, folder: Path) -> Template:
        """Read a game's folder."""
        files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
        ids: list[str] = []
        sentences: dict[str, list[str]] = defaultdict(list)
        items: dict[str, list[str]] = defaultdict(list)
        for name, lines in _documents(files):
            lang = name.split(".")[1]
            ids += [heading[3] for line in lines if (heading := _HEADING.match(line))]
            for line in filter(_is_prose, lines):
                (items if _BULLET.match(line) else sentences)[lang] += _sentences(line)
        asks = {name.split(".")[1]: tomllib.loads(text) for name, text in files.items() if name.startswith("asks.")}
        return cls(folder.name, files, list(dict.fromkeys(ids)), len(ids), sentences, items, asks)


def _documents(files: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    for name, text in files.items():
        if name.endswith(".md"):
            yield name, text.splitlines()


def _is_prose(line: str) -> bool:
    """Whether a line's sentences may be exchanged: no heading, table, quotation or front matter."""
    return bool(line) and line[0] not in "#|>+" and " = " not in line


def _sentences(line: str) -> list[str]:
    """The sentences of a paragraph or list item, without its bullet; links to other games as plain words."""
    return [s for s in _ENDS.split(_FOREIGN.sub(r"\1", _BULLET.sub("", line))) if s]


# --- a game -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Author:
    """Writes one synthetic game: its dice, its names, its new ids."""

    template: Template
    dice: random.Random
    names: Sequence[str]
    han_names: Sequence[str]
    ids: dict[str, str] = field(default_factory=dict)
    titles: dict[str, int] = field(default_factory=dict)
    """Ids whose titles carry a name of the game: which one."""


def write_game(template: Template, library: Path, number: int) -> None:
    """Write one synthetic game beside the others."""
    dice = random.Random(f"{template.id} {number}")
    names = [invented_name(dice) for _ in range(LEXICON)]
    author = _Author(template, dice, names, [invented_han_name(dice) for _ in range(LEXICON)])
    for n, ident in enumerate(template.ids):
        if dice.random() < RENAMED:
            author.titles[ident] = n % LEXICON
        author.ids[ident] = f"{ident}-{names[n % LEXICON]}" if ident in author.titles else ident
    folder = library / f"{template.id}-{number:04d}"
    folder.mkdir()
    for name, text in template.files.items():
        (folder / name).write_text(_file(author, name, text, number), encoding="utf-8")


def _file(author: _Author, name: str, text: str, number: int) -> str:
    kind, *lang = name.removesuffix(".toml").removesuffix(".md").split(".")
    if name.endswith(".md"):
        return "\n".join(_line(author, line, lang[0]) for line in text.splitlines()) + "\n"
    if kind == "asks":
        return _asks(author, lang[0])
    if kind == "glossary":
        return re.sub(
            r'^entry = "(.*)"$', lambda m: f'entry = "{author.ids[m[1]]}"', _glossary(author, text), flags=re.M
        )
    if kind == "disputes":
        return re.sub(r"^entries = (\[.*\])$", lambda m: f"entries = {_renamed(author, m[1])}", text, flags=re.M)
    return _game(author, text, number)


def _line(author: _Author, line: str, lang: str) -> str:
    heading = _HEADING.match(line)
    if heading:
        marks, title, ident, attributes = heading.groups()
        return f"{marks} {_title(author, title, ident, lang)} {{#{author.ids[ident]}{_attributes(author, attributes)}}}"
    if not _is_prose(line):
        return _retargeted(author, line)
    bullet = _BULLET.match(line)
    pool = author.template.items[lang] if bullet else author.template.sentences[lang]
    sentences = [_with_own_words(author, author.dice.choice(pool), lang) for _ in _sentences(line)]
    return (bullet[0] if bullet else "") + _retargeted(author, ("" if lang == "zh" else " ").join(sentences))


def _title(author: _Author, title: str, ident: str, lang: str) -> str:
    if ident not in author.titles:
        return title
    number = author.titles[ident]
    return f"{author.han_names[number]}{title}" if lang == "zh" else f"{title} {author.names[number].capitalize()}"


def _attributes(author: _Author, attributes: str) -> str:
    """The attributes of a heading, with the new ids of the entries that they name."""

    def renamed(found: re.Match[str]) -> str:
        return f'{found[1]}="{" ".join(author.ids[ident] for ident in found[2].split())}"'

    return re.sub(r'(parent|rests-on)="([^"]*)"', renamed, attributes)


def _retargeted(author: _Author, text: str) -> str:
    return _TARGET.sub(lambda found: f"](#{author.ids[found[1]]})", _FOREIGN.sub(r"\1", text))


def _with_own_words(author: _Author, text: str, lang: str) -> str:
    """A sentence, in some cases with a word of it replaced by a name: mostly one that the game uses often."""
    chance = author.dice.random()
    if chance > OWN_WORD:
        return text
    word = _HAN_WORD if lang == "zh" else _LETTERS
    parts = _LINK.split(text)
    places = [(n, found.span()) for n, part in enumerate(parts[::2]) for found in word.finditer(part)]
    if not places:
        return text
    n, (start, end) = author.dice.choice(places)
    parts[2 * n] = f"{parts[2 * n][:start]}{_name(author, lang, chance < ONCE)}{parts[2 * n][end:]}"
    return "".join(parts)


def _name(author: _Author, lang: str, once: bool) -> str:
    if once:
        return invented_han_name(author.dice) if lang == "zh" else invented_name(author.dice, 4)
    names = author.han_names if lang == "zh" else author.names
    return names[int(LEXICON * author.dice.random() ** 3)]


def invented_name(dice: random.Random, syllables: int = 0) -> str:
    """A name of Latin letters, of two or three syllables where no number is given."""
    return "".join(dice.choice(_SYLLABLES) for _ in range(syllables or dice.choice((2, 3, 3))))


def invented_han_name(dice: random.Random) -> str:
    """A name of two of the common Han characters."""
    return dice.choice(_HAN) + dice.choice(_HAN)


# --- its data ---------------------------------------------------------------------------------------------------------


def _asks(author: _Author, lang: str) -> str:
    own = author.template.asks[lang]
    every = [ask for asks in own.values() for ask in asks]
    lines = []
    for ident, asks in own.items():
        chosen = (author.dice.choice(every) if author.dice.random() < BORROWED else ask for ask in asks)
        rows = ",\n".join(
            f"  {_quoted(ask)}" for ask in dict.fromkeys(_with_own_words(author, a, lang) for a in chosen)
        )
        lines.append(f"{author.ids[ident]} = [\n{rows},\n]\n")
    return "\n".join(lines)


def _glossary(author: _Author, text: str) -> str:
    lines = []
    for line in text.splitlines():
        found = re.match(r"forms\.(\w+) = (\[.*\])$", line)
        if found and author.dice.random() < RENAMED:
            forms = [_name(author, found[1], False), *json.loads(found[2])[1:]]
            line = f"forms.{found[1]} = {json.dumps(list(dict.fromkeys(forms)), ensure_ascii=False)}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def _game(author: _Author, text: str, number: int) -> str:
    """The game's own file, with titles and aliases that no other game has."""
    head, mark, sources = text.partition("\n[[sources]]")
    name = author.names[0].capitalize()
    head = re.sub(r'^(title\.(?:en|es)) = "(.*)"$', rf'\1 = "\2: {name} {number}"', head, flags=re.M)
    head = re.sub(r'^(title\.zh) = "(.*)"$', rf'\1 = "\2：{author.han_names[0]}{number}"', head, flags=re.M)
    return re.sub(r"^aliases = .*$", f'aliases = ["{name}{number}"]', head, flags=re.M) + mark + sources


def _renamed(author: _Author, ids: str) -> str:
    return json.dumps([author.ids[ident] for ident in json.loads(ids)])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
