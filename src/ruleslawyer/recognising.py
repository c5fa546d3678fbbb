"""What kind of file one is about to import, by its content first, and what language its text is in."""

from __future__ import annotations

import re
import stat
import zipfile
from pathlib import Path

from ruleslawyer.analysis import fold, is_han
from ruleslawyer.errors import DataProblem, UsageProblem
from ruleslawyer.languages import LANGUAGES

UNDERSTOOD = "understood are PDF, Word (.docx), HTML, Markdown and plain text"

MEGABYTE = 1_000_000
LIMITS = {"pdf": 200, "docx": 200, "html": 20, "markdown": 20, "text": 20}
"""Megabytes of a file of each kind at most."""

_SUFFIXES = {
    ".pdf": "pdf", ".docx": "docx", ".docm": "docx", ".html": "html", ".htm": "html", ".xhtml": "html",
    ".md": "markdown", ".markdown": "markdown", ".txt": "text", ".text": "text", "": "text",
}  # fmt: skip
_HTML = re.compile(rb"(?i)\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.DOTALL)
_HEADING = re.compile(rb"^#{1,6} \S", re.MULTILINE)
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_ELSE = {
    b"{\\rtf": "an RTF document: save it as .docx first",
    b"\x89PNG": "a picture: run text recognition on it first",
    b"\xff\xd8\xff": "a picture: run text recognition on it first",
    b"GIF8": "a picture: run text recognition on it first",
    b"Rar!": "an archive: unpack it first",
    b"7z\xbc\xaf": "an archive: unpack it first",
    b"\x1f\x8b": "a packed file: unpack it first",
}


def kind_of(path: Path) -> str:
    """``pdf``, ``docx``, ``html``, ``markdown`` or ``text``. Reads no more than the beginning of the file.

    Raises:
        UsageProblem: there is no such file, it is none, or of a kind that is not understood.
        DataProblem: it is empty, too large or cannot be read.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UsageProblem(f"{path} is not a file", "name the rulebook's file")
        if not found.st_size:
            raise DataProblem(f"{path} is empty", "save or download it again")
        with path.open("rb") as file:
            start = file.read(65536)
    except FileNotFoundError as error:
        raise UsageProblem(f"there is no file {path}", "check the name; names with spaces need quotes") from error
    except OSError as error:
        raise DataProblem(f"cannot read {path}: {error.strerror}", "look at its permissions") from error
    kind = _kind(path, start)
    limit = LIMITS[kind] * MEGABYTE
    if found.st_size > limit:
        message = f"{path} is too large: {found.st_size // MEGABYTE} MB, the limit is {LIMITS[kind]}"
        raise DataProblem(message, "import a part of it")
    return kind


def _kind(path: Path, start: bytes) -> str:
    suffix = path.suffix.lower()
    for mark, what in _ELSE.items():
        if start.startswith(mark):
            raise UsageProblem(f"{path} is {what}", UNDERSTOOD)
    if b"%PDF-" in start[:1024] or suffix == ".pdf":
        return "pdf"
    if start.startswith(b"PK\x03\x04"):
        return _kind_of_archive(path)
    if start.startswith(b"\xd0\xcf\x11\xe0") or suffix in (".docx", ".docm"):
        return "docx"
    if _HTML.match(start.lstrip(b"\xef\xbb\xbf")):
        return "html"
    kind = _SUFFIXES.get(suffix, "")
    if not kind and b"\0" in start and not start.startswith(_MARKS):
        raise UsageProblem(f"{path} is of a kind that cannot be read: {suffix}", UNDERSTOOD)
    if kind in ("", "text"):
        return "markdown" if len(_HEADING.findall(start)) >= 2 else "text"
    return kind


def _kind_of_archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return "docx"  # its reader tells what is wrong with it
    if "word/document.xml" in names or "[Content_Types].xml" in names:
        return "docx"
    what = "an e-book or document" if "mimetype" in names else "a ZIP archive"
    raise UsageProblem(
        f"{path} is {what}, which cannot be read", f"unpack it, or save it as .docx or .pdf; {UNDERSTOOD}"
    )


# --- language ---------------------------------------------------------------------------------------------------------

HAN_SHARE = 0.2
"""Share of Han among the letters of a text from which on it is Chinese: rulebooks name many things in Latin letters."""

FUNCTION_SHARE, FEWEST_FUNCTION_WORDS = 0.12, 3
"""Of the words of a text in a language, those that hold sentences together; and how many are evidence enough."""


_COMMON = """
al am an as da das de del den des der die di do dos du em es est et il in je la las le les lo me mi na ne no nos on or
os par pas per por pour que se si so son sont su sur te tu un una une van vos was we will zo
"""
_ELSEWHERE = frozenset(_COMMON.split())
"""Words that other languages of Europe have too: they tell nothing."""


def language_of(text: str) -> str:
    """The language of a text among those that are searched, or empty where it does not tell.

    >>> language_of("The player with the most points wins the game."), language_of("Gana el jugador con más puntos.")
    ('en', 'es')
    >>> language_of("分数最高的玩家获胜"), language_of("Setup"), language_of("Der Spieler mit den meisten Punkten gewinnt.")
    ('zh', '', '')
    """
    sample = text[:200_000]
    letters = [char for char in sample if char.isalpha()]
    if not letters:
        return ""
    if sum(map(is_han, letters)) >= HAN_SHARE * len(letters):
        kana = sum("\u3040" <= char <= "\u30ff" for char in letters)
        return "" if kana > 0.1 * len(letters) else "zh"
    words = [fold(word.casefold()) for word in re.findall(r"[^\W\d_]+", sample) if not is_han(word[0])]
    counts = sorted(((_telling(words, lang), lang) for lang in LANGUAGES if lang != "zh"), reverse=True)
    (most, lang), (next_most, _) = counts[:2]
    enough = most >= FEWEST_FUNCTION_WORDS and most >= FUNCTION_SHARE * len(words) and most >= 2 * next_most
    return lang if enough and not re.search(r"[ãõçßäöœ]", sample.casefold()[:5000]) else ""


def _telling(words: list[str], lang: str) -> int:
    """How many words hold sentences together in this language and in no other."""
    others = frozenset[str]().union(*(row.function_words for code, row in LANGUAGES.items() if code != lang))
    telling = {word for word in LANGUAGES[lang].function_words - others - _ELSEWHERE if len(word) > 1}
    return sum(word in telling for word in words)
