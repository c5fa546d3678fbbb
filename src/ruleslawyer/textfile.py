"""A file of the corpus -> its text, or problems: plain files in UTF-8 only."""

from __future__ import annotations

import re
from pathlib import Path

from ruleslawyer.errors import Report

KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""What ids of games, entries, sources, terms and disputes look like."""

KEBAB_HINT = "write small letters a-z, digits and single hyphens"

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")

MOST_BYTES = 4_000_000
"""A larger file is no text that anybody wrote: ten times a thick rulebook."""

MOST_CONTROLS = 20
"""A file with more control characters than this is no text."""


def read_text(path: Path, report: Report) -> str | None:
    """The text of a file with ``\\n`` line ends and no byte order mark; ``None`` and a problem if it has none.

    >>> read_text(Path("no/such.md"), report := Report("such.md")), report.problems[0].message
    (None, 'cannot be read: No such file or directory')
    """
    if path.is_symlink():
        report.add(0, "symbolic link", "the corpus holds plain files only: copy the file here")
        return None
    try:
        if path.stat().st_size > MOST_BYTES:
            report.add(0, f"larger than {MOST_BYTES // 1_000_000} MB", "is this a text file? If so, divide it")
            return None
        data = path.read_bytes()
    except OSError as error:
        report.add(0, f"cannot be read: {error.strerror}")
        return None
    return _decode(data, report)


def _decode(data: bytes, report: Report) -> str | None:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = len(data) - len(error.object) + error.start
        line = data[:at].count(b"\n") + 1
        report.add(line, f"not UTF-8: byte 0x{data[at]:02x} at offset {at}", "save the file as UTF-8")
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    line, counted = 1, 0
    for n, found in enumerate(_CONTROL.finditer(text)):
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        report.add(line, f"control character U+{ord(found[0]):04X}", "delete it")
        if n == MOST_CONTROLS:
            report.add(line, "more control characters follow", "is this a text file?")
            return None
    return text
