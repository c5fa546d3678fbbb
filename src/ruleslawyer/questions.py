"""Questions and their answers among the pieces of a section: ``Q:``/``A:``, 问/答, bold questions, lines that only ask."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ruleslawyer.commonmark import body_tokens
from ruleslawyer.manuscript import Piece

MOST_WORDS = 45
"""Words of a paragraph that may still be a question and nothing else."""

MOST_IN_A_ROW = 10
"""Questions in a row that one answer may follow."""


class Answered(NamedTuple):
    """Questions, as plain text, that share one answer."""

    questions: tuple[str, ...]
    answer: tuple[Piece, ...]


def plain(text: str) -> str:
    """Inline Markdown as plain text.

    >>> plain(r"**Who** wins\\? See 3\\. ")
    'Who wins? See 3.'
    """
    if not re.search(r"[\\*_`\[&]", text):
        return text
    children = (child for token in body_tokens(text) for child in token.children or [])
    return "".join(child.content for child in children).strip()


def is_question(text: str) -> bool:
    """Whether a plain text ends as a question.

    >>> is_question("Who wins?"), is_question("谁赢？"), is_question("Who wins? You do.")
    (True, True, False)
    """
    return text.rstrip(" \"'”’»)）】」』").endswith(("?", "？"))


def separate(pieces: Sequence[Piece]) -> tuple[tuple[Piece, ...], tuple[Answered, ...]]:
    """What stands before the first question of a section, and its questions with their answers."""
    before: list[Piece] = []
    found: list[tuple[list[str], list[Piece]]] = []
    n = 0
    while n < len(pieces):
        asked = _asked(pieces, n)
        if asked is None:
            (found[-1][1] if found else before).append(pieces[n])
            n += 1
            continue
        if not found or found[-1][1]:
            found.append(([], []))
        found[-1][0].append(asked.question)
        if asked.answer:
            found[-1][1].append(asked.answer)
        n = asked.end
    return tuple(before), tuple(Answered(tuple(questions), tuple(answer)) for questions, answer in found)


class _Asked(NamedTuple):
    """A question, the beginning of its answer where that shares a piece with it or is marked, and the next piece's number."""

    question: str
    answer: Piece | None
    end: int


_END = r"\s*(?:\d{1,3}\s*)?[:：.)、]\**\s*"
_LETTER = r"\s*(?:\d{1,3}\s*[.):：]|[.:：])\**\s*"
_QUESTION = re.compile(rf"\**(?:(?i:question|pregunta|问题?|問題?){_END}|[QP]{_LETTER})")
_ANSWER = re.compile(rf"\**(?:(?i:answer|respuesta|答案?){_END}|[AR]{_LETTER})")
_ANSWER_INSIDE = re.compile(r"\s\**(?:(?i:answer|respuesta)|[AR])\s*\d{0,3}\s*[:：]\**\s*|答\s*[:：]\s*")
_BOLD = re.compile(r"\*\*(?P<bold>.+?)\*\*\s*(?P<rest>.*)")


def _asked(pieces: Sequence[Piece], n: int) -> _Asked | None:
    piece = pieces[n]
    if piece.kind not in ("p", "item") or (piece.kind == "item" and piece.level > 1):
        return None
    marker = _QUESTION.match(piece.text)
    if marker and (found := _marked(pieces, n, piece.text[marker.end() :])):
        return found
    bold = _BOLD.fullmatch(piece.text)
    if bold and bold["rest"] and is_question(plain(bold["bold"])):
        return _Asked(plain(bold["bold"]), _begun(piece, bold["rest"]), n + 1)
    if _asks(piece) and _only_asks(plain(piece.text), bool(bold)) and _is_answered(pieces, n):
        return _Asked(plain(piece.text), None, n + 1)
    return None


def _marked(pieces: Sequence[Piece], n: int, text: str) -> _Asked | None:
    """A question that ``Q:`` opens; it may go on for some pieces until ``A:`` or hold its answer already."""
    if inside := _ANSWER_INSIDE.search(text):
        answer = _begun(pieces[n], text[inside.end() :])
        return _Asked(plain(_unbolded(text[: inside.start()])), answer, n + 1) if answer else None
    asked = [text]
    for end in range(n + 1, min(n + 5, len(pieces))):
        if marker := _ANSWER.match(pieces[end].text):
            answer = _begun(pieces[end], pieces[end].text[marker.end() :])
            return _Asked(plain(_unbolded(" ".join(asked))), answer, end + 1)
        if _QUESTION.match(pieces[end].text):
            break
        asked.append(pieces[end].text)
    question = plain(_unbolded(text))
    return _Asked(question, None, n + 1) if is_question(question) and n + 1 < len(pieces) else None


def _unbolded(text: str) -> str:
    """A text without the end of a bold run that began before it."""
    return text.replace("**", "", 1) if text.count("**") % 2 else text


def _begun(piece: Piece, text: str) -> Piece | None:
    """The beginning of an answer, as a paragraph; no marks of a list are left at its start."""
    text = _unbolded(text).strip()
    text = re.sub(r"^(?=[-+>](\s|$)|\*\s|#{1,6}(\s|$))", r"\\", text)
    text = re.sub(r"^(\d{1,9})(?=[.)](\s|$))", r"\1\\", text)
    return Piece("p", text, page=piece.page) if text else None


def _asks(piece: Piece) -> bool:
    """Whether a piece ends as a question; only its end is looked at."""
    return is_question(piece.text[-20:].rstrip(" *_`"))


def _only_asks(text: str, bold: bool) -> bool:
    """Whether a paragraph is a question and nothing else; a bold one may first tell the situation."""
    if not is_question(text) or len(text.split()) > MOST_WORDS or len(text) > 6 * MOST_WORDS:
        return False
    told = re.split(r"[?？]", text)[:-1]
    return bold or not any(re.search(r"[.!]\s+\S|[。！；]", part) for part in told)


def _is_answered(pieces: Sequence[Piece], n: int) -> bool:
    """Whether text follows that is no question; after an item, text that is not the next item."""
    for after in pieces[n + 1 : n + 1 + MOST_IN_A_ROW]:
        if pieces[n].kind == "item" and after.kind == "item" and after.level == 1 and after.marker:
            return False
        if not _asks(after):
            return True
    return False
