"""Manuscript -> drafts of entries: sections with telling titles, questions with their answers, a screen at a time.

A section that fits a screen stays whole. A longer one is cut between its paragraphs, lists staying whole with the line that
introduces them; only a list of whole rules (each with a label of its own, or as long as a paragraph) becomes an entry per item.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ruleslawyer.cutting import (
    LEAST_PART,
    LONGEST_TITLE,
    SCREEN,
    chunks,
    grouped,
    opening,
    shortened,
    size,
    under,
    words,
)
from ruleslawyer.escaping import escape_markdown
from ruleslawyer.manuscript import Manuscript, Piece
from ruleslawyer.questions import is_question, plain, separate
from ruleslawyer.terminal import width

FEWEST_WORDS = 5
"""An entry with fewer words, title and all, is none: it belongs to the one before."""

DEEPEST = 5
"""Levels of entries: headings ``##`` to ``######``."""

INTRODUCTION = {"en": "Introduction", "es": "Introducción", "zh": "简介"}
CONTENTS = frozenset(
    (
        "contents",
        "table of contents",
        "índice",
        "indice",
        "contenido",
        "contenidos",
        "tabla de contenidos",
        "目录",
        "目錄",
    )
)


class Draft(NamedTuple):
    """An entry before it has an id.

    ``title`` and ``aliases`` are plain text; ``level`` counts from 1 and never jumps; ``kind`` is ``rule``, ``faq`` or
    ``info``; ``pages`` are its first and last page, ``(0, 0)`` in a file without pages.
    """

    title: str
    level: int
    kind: str
    blocks: tuple[Piece, ...]
    pages: tuple[int, int] = (0, 0)
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Section:
    """A heading and what stands below it up to the next; ``title`` is plain and empty before the first heading."""

    title: str
    level: int
    pieces: tuple[Piece, ...]
    page: int = 0


def drafts(manuscript: Manuscript, lang: str) -> tuple[Draft, ...]:
    """The entries that a manuscript becomes, in its order.

    Args:
        manuscript: what a reader made of a file.
        lang: its language, for the title of what stands before the first heading.

    >>> pieces = (Piece("heading", "Ties", level=1), Piece("p", "Both score."), Piece("p", "May I pass?"), Piece("p", "No."))
    >>> [(d.title, d.level, d.kind) for d in drafts(Manuscript("", pieces), "en")]
    [('Ties', 1, 'rule'), ('May I pass?', 2, 'faq')]
    """
    sections = _with_titles_joined(_sections(manuscript, lang), manuscript.title)
    headless = sum(1 for section in sections if section.title) <= 1
    made = [draft for section in _normalised(sections) for draft in _drafts_of(section, manuscript.title, headless)]
    return tuple(_distinct(_without_crumbs(made)))


# --- sections ---------------------------------------------------------------------------------------------------------


def _sections(manuscript: Manuscript, lang: str) -> list[_Section]:
    """The sections as they stand; a heading without words is none."""
    levels = [piece.level for piece in manuscript.pieces if piece.kind == "heading"]
    opening, first = (INTRODUCTION.get(lang, INTRODUCTION["en"]), levels[0]) if levels else ("", 1)
    sections: list[tuple[Piece | None, list[Piece]]] = [(None, [])]
    for piece in manuscript.pieces:
        if piece.kind == "heading" and plain(piece.text):
            sections.append((piece, []))
        elif piece.text.strip():
            sections[-1][1].append(piece if piece.kind != "heading" else piece._replace(kind="p", level=0))
    return [
        _Section(_title_of(head), head.level, tuple(below), head.page)
        if head
        else _Section(opening, first, tuple(below))
        for head, below in sections
        if head or below
    ]


def _title_of(heading: Piece) -> str:
    text = plain(heading.text)
    return text.rstrip(" :：") or text


def _with_titles_joined(sections: Sequence[_Section], document: str) -> list[_Section]:
    """No section without text but those that others stand under: its title goes to the next, ``Planets: Brarvis``.

    The document's own title alone on top is no entry; a heading at the end of a chapter is a line of the section before, and
    of several headings in a row the first is one and the others its lines.
    """
    joined: list[_Section] = []
    waiting: list[_Section] = []
    for n, section in enumerate(sections):
        after = sections[n + 1] if n + 1 < len(sections) else None
        if section.pieces or (after and after.level > section.level) or is_question(section.title):
            if n or section.pieces or section.title != document:
                joined += _after_waiting(waiting, section)
                waiting = []
        elif n == 0 and after and section.title == document:
            continue
        elif after and after.level == section.level:
            waiting.append(section)
        elif waiting or not joined:
            joined += _after_waiting([*waiting, section], None)
            waiting = []
        else:
            joined[-1] = replace(joined[-1], pieces=(*joined[-1].pieces, _as_line(section)))
    return joined


def _after_waiting(waiting: Sequence[_Section], section: _Section | None) -> Iterator[_Section]:
    """A section after the headings without text that stood right above it."""
    if section and len(waiting) == 1:
        yield replace(section, title=under(waiting[0].title, section.title), page=waiting[0].page)
        return
    if waiting:
        yield replace(waiting[0], pieces=tuple(map(_as_line, waiting[1:])))
    if section:
        yield section


def _as_line(section: _Section) -> Piece:
    return Piece("p", escape_markdown(section.title), page=section.page)


def _normalised(sections: Sequence[_Section]) -> Iterator[_Section]:
    """Levels from 1 that never jump, none deeper than ``DEEPEST``."""
    above: list[int] = []
    for section in sections:
        while above and above[-1] >= section.level:
            above.pop()
        above.append(section.level)
        yield replace(section, level=min(len(above), DEEPEST))


# --- from a section to its drafts -------------------------------------------------------------------------------------


def _drafts_of(section: _Section, document: str, headless: bool) -> Iterator[Draft]:
    if section.title.casefold().strip(" :：") in CONTENTS:
        yield _draft(section.title, section.level, "info", section.pieces, section.page)
        return
    before, answered = separate(section.pieces)
    asks = is_question(section.title)
    if before or not answered:
        kind = "faq" if asks else "rule"
        yield from _parts(
            replace(section, pieces=before), kind, "" if section.title == document else section.title, headless
        )
    elif section.title and section.title != document:
        yield _draft(section.title, section.level, "faq" if asks else "info", (), section.page)
    below = section.level + (1 if before or (section.title and section.title != document) else 0)
    for found in answered:
        yield from _faq(found.questions, found.answer, min(below, DEEPEST))


def _faq(questions: Sequence[str], answer: tuple[Piece, ...], level: int) -> Iterator[Draft]:
    """A question with its answer; what does not fit the title, and other questions, stay in the text."""
    first = questions[0]
    title = shortened(_asked_last(first))
    told = questions if title != first or len(questions) > 1 else ()
    blocks = (*(Piece("p", f"**{escape_markdown(q)}**", page=answer[0].page if answer else 0) for q in told), *answer)
    section = _Section(title, level, blocks)
    for n, draft in enumerate(_parts(section, "faq", title, headless=False)):
        aliases = tuple(q for q in (*questions[1:], *((first,) if title != first else ())))
        yield draft._replace(aliases=aliases) if n == 0 else draft


def _asked_last(question: str) -> str:
    """The last of several sentences, which asks; the whole where it says too little alone."""
    if width(question) <= LONGEST_TITLE:
        return question
    sentences = [s for s in re.split(r"(?<=[.!?])\s+|(?<=[。！？])", question) if s.strip()]
    return sentences[-1] if sentences and words(sentences[-1]) >= 4 else question


def _draft(title: str, level: int, kind: str, blocks: Sequence[Piece], page: int) -> Draft:
    pages = [n for n in (page, *(piece.page for piece in blocks)) if n]
    whole = (Piece("p", escape_markdown(title), page=page),) if width(title) > LONGEST_TITLE else ()
    return Draft(shortened(title), level, kind, (*whole, *blocks), (min(pages), max(pages)) if pages else (0, 0))


def _parts(section: _Section, kind: str, prefix: str, headless: bool) -> Iterator[Draft]:
    """A section as one draft, or cut into several: the first has its title, the others say what they begin with."""
    parts = grouped(chunks(section.pieces), LEAST_PART / 2 if headless else LEAST_PART)
    short = size(section.pieces) <= (LEAST_PART if headless else SCREEN)
    if len(parts) < 2 or (short and sum(part.numbered for part in parts) < 2):
        title = section.title or opening(section.pieces)
        yield _draft(title, section.level, kind, section.pieces, section.page)
        return
    if section.title and (prefix or not parts[0].label):
        first = () if parts[0].label else parts.pop(0).pieces
        yield _draft(section.title, section.level, kind, first, section.page)
    for part in parts:
        level = min(section.level + 1, DEEPEST) if prefix else section.level
        begun = opening(part.pieces)
        title = under(shortened(prefix, LONGEST_TITLE // 2), begun) if prefix else begun
        yield _draft(part.label or shortened(title), level, kind, part.pieces, 0)


# --- titles -----------------------------------------------------------------------------------------------------------


def _without_crumbs(made: Sequence[Draft]) -> list[Draft]:
    """Entries of a few words only become lines of the one before, unless others stand under them."""
    kept: list[Draft] = []
    folded = 0
    for n, draft in enumerate(made):
        short = words(draft.title) + size(draft.blocks) < FEWEST_WORDS
        leads = n + 1 < len(made) and made[n + 1].level > draft.level
        if kept and short and draft.kind == "rule" and not leads and folded < SCREEN / FEWEST_WORDS:
            kept[-1] = _with_lines_of(draft, kept[-1])
            folded += 1
        else:
            kept.append(draft)
            folded = 0
    return kept


def _with_lines_of(crumb: Draft, before: Draft) -> Draft:
    title = Piece("p", f"**{escape_markdown(crumb.title)}**", page=crumb.pages[0])
    said = escape_markdown(crumb.title) in {piece.text for piece in crumb.blocks}
    blocks = (*before.blocks, *(() if said else (title,)), *crumb.blocks)
    return before._replace(
        blocks=blocks, pages=(before.pages[0] or crumb.pages[0], max(before.pages[1], crumb.pages[1]))
    )


def _distinct(made: Sequence[Draft]) -> Iterator[Draft]:
    """Titles that tell entries apart: with the title above, then with what they begin with, then numbered."""
    named = list(_with_title_above(made))
    counts = Counter(draft.title.casefold() for draft in named)
    seen: set[str] = set()
    numbers: Counter[str] = Counter()
    for draft in named:
        title = draft.title
        if counts[title.casefold()] > 1 and draft.kind != "faq" and draft.blocks:
            title = shortened(under(shortened(title, LONGEST_TITLE // 2), opening(draft.blocks)))
        base = title.casefold()
        while title.casefold() in seen:
            numbers[base] += 1
            title = f"{shortened(title, LONGEST_TITLE - 8).removesuffix(f' ({numbers[base]})')} ({numbers[base] + 1})"
        seen.add(title.casefold())
        yield draft._replace(title=title)


def _with_title_above(made: Sequence[Draft]) -> Iterator[Draft]:
    path: list[str] = []
    counts = Counter(draft.title.casefold() for draft in made)
    for draft in made:
        del path[draft.level - 1 :]
        title = draft.title or "…"
        if counts[draft.title.casefold()] > 1 and path:
            title = shortened(under(shortened(path[-1], LONGEST_TITLE // 2), title))
        path += [draft.title] * (draft.level - len(path))
        yield draft._replace(title=title)
