"""Bytes of a text file -> text: UTF-8, UTF-16 and UTF-32 by their marks, the older encodings by evidence, or a question.

Each encoding that the bytes are valid in gives a reading. How likely a reading is says ``likelihood.py``; the likeliest is
taken if it is a thousand times likelier than the next, else the readings are shown and the choice is the user's.
"""

from __future__ import annotations

import codecs
import math
import re
from typing import NamedTuple

from ruleslawyer.errors import DataProblem, UsageProblem, nearest
from ruleslawyer.likelihood import log_likelihood, worst_mean

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks; the four bytes of UTF-32 before the two that they begin with."""

_CODECS = {
    "gb2312": ("gb18030",),
    "gbk": ("gb18030",),
    "big5": ("cp950", "big5hkscs"),
    "latin-1": ("cp1252", "latin-1"),
    "latin1": ("cp1252", "latin-1"),
    "iso-8859-1": ("cp1252", "latin-1"),
    "ascii": ("cp1252",),
    "us-ascii": ("cp1252",),
    "shift_jis": ("cp932",),
    "euc-kr": ("cp949",),
}
"""The codecs to try for a name: as on the web, a name means the wider code that files of that name are really in."""

_NOT_OF_FILES = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "unicode_escape", "utf-7", "mbcs", "oem"}
"""Python's codecs that no text file is in."""

_PRIOR = {
    **{"utf-8": 4.0, "gb18030": 0.0, "big5": 0.0, "windows-1252": 0.0},
    **{"iso-8859-15": -4.0, "mac-roman": -4.0, "cp850": -4.0},
}
"""The encodings that can be recognised, with how common they are (natural logarithm)."""

_DECLARATION = re.compile(
    rb"""<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w-]{1,40})|<\?xml\s[^>]{0,100}?encoding\s*=\s*["']([\w-]{1,40})""",
    re.I,
)
_DECLARED, _DECLARED_WITHIN = 12.0, 4096
"""How much a page's own word for its encoding weighs (a file may have been saved anew in another), and where it stands."""

_UTF_8 = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{1,3}")
_NO_ACCIDENT = 8
"""So many characters of UTF-8 in a row of valid bytes are no accident; fewer are weighed, as two Han characters may be."""

_SURE = math.log(1000)
_FEW_BYTES = 12
_SAMPLE_BYTES = 20_000
_SAMPLE_CHARS = 40
_KNOWN = sorted({*_CODECS, *_PRIOR, "utf-16", "utf-32", "gb18030", "big5hkscs", "iso-8859-15", "cp437", "euc-jp"})

_LINE_END = re.compile(r"\r\n|[\r\x0b\x85\u2028\u2029]")
_PAGE_END = re.compile(r"(?<!\n)\n*+\f\n*")
_HARMLESS = re.compile(r"\ufeff|\x1a\Z")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")


class Reading(NamedTuple):
    """What bytes say in one encoding, and how likely it is that they were meant so (natural logarithm)."""

    encoding: str
    text: str
    score: float


def decode(data: bytes, name: str, encoding: str = "") -> str:
    """The text of a file with ``\\n`` line ends and no byte order mark; the end of a page is an empty line.

    Args:
        data: all bytes of the file.
        name: the file's name, for messages.
        encoding: its encoding if the user said so; any of Python's names.

    Raises:
        UsageProblem: the encoding is not known, or two are plausible and the user must say which.
        DataProblem: the bytes are no text, or none in the encoding given.

    >>> decode("Regla: ¿quién gana?\\r\\n".encode("cp1252"), "r.txt")
    'Regla: ¿quién gana?\\n'
    >>> decode("弃牌阶段：每位玩家弃一张牌。".encode("gb18030"), "r.txt")
    '弃牌阶段：每位玩家弃一张牌。'
    """
    if encoding:
        return tidy_lines(_decode_as(data, name, encoding), name)
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return tidy_lines(_decode_as(data[len(mark) :], name, codec), name)
    _refuse_junk(data, name)
    return tidy_lines(_recognised(data, name), name)


def tidy_lines(text: str, name: str) -> str:
    """Text with ``\\n`` as its only line end.

    Raises:
        DataProblem: a control character, which no text has; the line is named.

    >>> tidy_lines("one\\r\\ntwo\\u2028three\\fnext page", "r.txt")
    'one\\ntwo\\nthree\\n\\nnext page'
    """
    text = _HARMLESS.sub("", _PAGE_END.sub("\n\n", _LINE_END.sub("\n", text)))
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        message = f"{name}:{line}: control character U+{ord(found[0]):04X}"
        raise DataProblem(message, "is this a text file? If so, delete the character or name the --encoding")
    return text


def codec_names(encoding: str) -> tuple[str, ...]:
    """The codecs to try, in order, for an encoding as a user or a web page names it.

    Raises:
        UsageProblem: there is no such encoding; the nearest name is in the hint.

    >>> codec_names("GB2312"), codec_names("utf8")
    (('gb18030',), ('utf-8',))
    """
    folded = encoding.strip().casefold().replace("_", "-")
    if names := _CODECS.get(folded.replace("shift-jis", "shift_jis")):
        return names
    try:
        codec = codecs.lookup(folded).name
        "a".encode(codec)
    except (LookupError, ValueError):
        codec = ""
    if not codec or codec in _NOT_OF_FILES:
        hint = nearest(folded, _KNOWN) or "for example: utf-8, gb18030, big5, windows-1252"
        raise UsageProblem(f"unknown encoding '{encoding[:40]}'", hint)
    return (codec,)


# --- one encoding -----------------------------------------------------------------------------------------------------


def _decode_as(data: bytes, name: str, encoding: str) -> str:
    first: UnicodeDecodeError | None = None
    for codec in codec_names(encoding):
        try:
            return data.decode(codec)
        except UnicodeDecodeError as error:
            first = first or error
    assert first is not None
    line = data.count(b"\n", 0, first.start) + 1
    message = f"{name}:{line}: not {encoding}: byte 0x{data[first.start]:02x} at offset {first.start}"
    raise DataProblem(message, "leave --encoding out to have it recognised, or name another") from first


def _refuse_junk(data: bytes, name: str) -> None:
    """Bytes that no text in an encoding without a mark holds."""
    nulls = data.count(0)
    if not nulls:
        return
    if len(data) > 1 and nulls > len(data) // 4:
        little = data[1::2].count(0) > data[::2].count(0)
        hint = f"if it is a text in UTF-16: --encoding {'utf-16-le' if little else 'utf-16-be'}"
    else:
        hint = "understood are Markdown, text, HTML, DOCX and PDF"
    line = data.count(b"\n", 0, data.index(0)) + 1
    raise DataProblem(f"{name}:{line}: not a text: it holds NUL bytes", hint)


# --- by evidence ------------------------------------------------------------------------------------------------------


def _recognised(data: bytes, name: str) -> str:
    if data.isascii():
        return data.decode("ascii")
    if len(_UTF_8.findall(data[:_SAMPLE_BYTES])) >= _NO_ACCIDENT and (text := _valid_utf_8(data)) is not None:
        return text
    declared = _declared(data)
    likely = _likely(data, _sample(data), declared)
    strange = all(worst_mean(reading.text) for reading in likely) and likely[0].encoding not in (declared, "utf-8")
    if strange and sum(map(len, re.findall(rb"[\x80-\xff]+", data))) > _FEW_BYTES:
        hint = "name it with --encoding, or save the file as UTF-8"
        raise DataProblem(f"{name}: its encoding cannot be recognised", hint)
    if len(likely) == 1 and not strange:
        return _decode_as(data, name, likely[0].encoding)
    shown = "; ".join(f"{r.encoding} reads “{_excerpt(r.text)}”" for r in likely)
    raise UsageProblem(f"{name}: its encoding is not certain: {shown}", f"say which: --encoding {likely[-1].encoding}")


def _valid_utf_8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _declared(data: bytes) -> str:
    """The encoding that a web page says it is in, by the name used here; empty if it says none that is known."""
    found = _DECLARATION.search(data[:_DECLARED_WITHIN])
    if not found:
        return ""
    try:
        codecs_of_it = codec_names((found[1] or found[2]).decode("ascii"))
    except UsageProblem:
        return ""
    return next((name for name in _PRIOR if codec_names(name) == codecs_of_it), codecs_of_it[0])


def _likely(data: bytes, sample: bytes, declared: str) -> list[Reading]:
    """The readings to choose from, the likeliest first; of those that say the same, one."""
    priors = {**_PRIOR, declared: _PRIOR.get(declared, 0.0) + _DECLARED} if declared else _PRIOR
    found = [_reading(data, sample, name, prior) for name, prior in priors.items()]
    readings = sorted(filter(None, found), key=lambda r: -r.score)
    distinct = {reading.text: reading for reading in reversed(readings)}
    return [r for r in readings if distinct[r.text] is r and r.score > readings[0].score - _SURE]


def _reading(data: bytes, sample: bytes, encoding: str, prior: float) -> Reading | None:
    """The reading of the sample, if all of the data is valid in the encoding."""
    for codec in codec_names(encoding):
        try:
            data.decode(codec)
        except UnicodeDecodeError:
            continue
        text = codecs.getincrementaldecoder(codec)().decode(sample)  # the sample may end within a character
        return Reading(encoding, text, log_likelihood(text) + prior)
    return None


def _sample(data: bytes) -> bytes:
    """Lines that hold more than ASCII, enough to judge by; ``0x0a`` is a line end in all these encodings."""
    lines, size = [], 0
    for line in data.splitlines():
        if not line.isascii():
            lines.append(line)
            size += len(line)
        if size > _SAMPLE_BYTES:
            break
    return b"\n".join(lines)[:_SAMPLE_BYTES]


def _excerpt(text: str) -> str:
    """The stretch of a reading that differs from plain ASCII."""
    at = next((n for n, char in enumerate(text) if not char.isascii()), 0)
    start = max(0, at - 10)
    return " ".join(text[start : start + _SAMPLE_CHARS].split())
