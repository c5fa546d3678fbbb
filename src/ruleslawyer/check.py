"""Every problem of a corpus: those found while loading it, and what differs between the languages of an entry."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ruleslawyer.analysis import analyse
from ruleslawyer.corpus import Loaded, load
from ruleslawyer.errors import Problem
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.model import Entry, Text

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_ROMAN = ("", "I", "II", "III", "IIII")


def check(root: Path, packs: Path | None = None) -> list[Problem]:
    """All problems of the corpus in a folder, sorted by file and line; then those of the private packs, as ``check_packs``
    has them.

    Raises:
        DataProblem: there is no such folder.
    """
    loaded = load(root, packs)
    found = set(loaded.problems)
    for entry in loaded.corpus.entries.values():
        if not loaded.corpus.games[entry.game].private:
            found.update(_differences(entry))
    return [*sorted(found), *_of_packs(loaded, packs)]


def check_packs(packs: Path, root: Path) -> list[Problem]:
    """All problems of the private packs beside a corpus, their files with the whole path."""
    return list(_of_packs(load(root, packs), packs))


def _of_packs(loaded: Loaded, packs: Path | None) -> Iterator[Problem]:
    for problems in loaded.skipped.values():
        yield from (problem._replace(file=f"{packs}/{problem.file}") for problem in problems)


def numbers_of(text: str) -> Counter[str]:
    """The numbers written in digits, each with how often it occurs; a decimal comma is a point.

    >>> numbers_of("3,15 de 5; 5 más, el 2026-09-27")
    Counter({'5': 2, '3.15': 1, '2026': 1, '09': 1, '27': 1})
    """
    return Counter(number.replace(",", ".") for number in _NUMBER.findall(unicodedata.normalize("NFKC", text)))


def levels_of(text: str, lang: str) -> set[str]:
    """The levels written as Roman or Han numerals, IV as IIII.

    >>> sorted(levels_of("Level I; III and IV", "en")), sorted(levels_of("一级和四级", "zh"))
    (['I', 'III', 'IIII'], ['I', 'IIII'])
    """
    return {
        _ROMAN[int(token.term.removeprefix("level:"))]
        for token in analyse(text, lang)
        if token.kind == "level" and re.fullmatch("[IV]+|[一二三四]", text[token.start : token.end])
    }


def _differences(entry: Entry) -> Iterator[Problem]:
    base, *others = entry.texts.values()
    for other in others:
        for message in (_numbers_message(base, other), _levels_message(base, other)):
            if message:
                yield Problem(other.file, other.line, message)


def _numbers_message(base: Text, other: Text) -> str:
    there, here = numbers_of("\n".join(_lines(base))), numbers_of("\n".join(_lines(other)))
    different = [
        f"{number} ({there[number]}x in {base.lang}, {here[number]}x in {other.lang})"
        for number in sorted(there | here, key=lambda n: (float(n), n))
        if there[number] != here[number]
    ]
    return f"numbers differ from {LANGUAGES[base.lang].name}: {', '.join(different)}" if different else ""


def _levels_message(base: Text, other: Text) -> str:
    there, here = _levels(base), _levels(other)
    vague = {"I"} if any("一级" in line for line in (*_lines(base), *_lines(other))) else set()  # also "a level"
    different = [
        f"{level} only in {base.lang if level in there else other.lang}" for level in sorted((there ^ here) - vague)
    ]
    return f"levels differ from {LANGUAGES[base.lang].name}: {', '.join(different)}" if different else ""


def _levels(text: Text) -> set[str]:
    return {level for line in _lines(text) for level in levels_of(line, text.lang)}


def _lines(text: Text) -> list[str]:
    """Title and blocks, without list markers and link targets."""
    return [text.title, *(block.text for block in text.blocks)]
