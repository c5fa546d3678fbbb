"""Any line of text -> inline Markdown that reads back as that very text. Pure functions on strings."""

from __future__ import annotations

import re

_BREAKS = re.compile(r"(?<! ) *+[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]\s*")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f\ud800-\udfff]")

_SPECIAL = re.compile(
    r"""
      (?P<number>^\d{1,9})(?=[.)](?:\s|$))              # a numbered item
    | ^[+-](?=\s|$) | ^>                                # a bulleted item, a quotation
    | ^\#(?=\#{0,5}(?:\s|$)) | (?<=\s)\#(?=\#*$)        # a heading, and the end of one
    | ^-(?=-+\s*$) | ^=(?==*\s*$) | ^~(?=~~)            # rules and fences
    | [`\[|]
    | \\(?=[!-/:-@\[-`{-~]|$)                           # before punctuation, which it would hide
    | (?P<stars>\*+)
    | (?P<lines>_+)
    | <(?=[A-Za-z/!?]|[^\s<>]+@)                             # a tag, an address
    | &(?=\#?\w+;)                                      # a character reference
    """,
    re.VERBOSE,
)


def one_line(text: str) -> str:
    """The text on one line: line breaks and tabs are a space, control characters ``\\ufffd``, the ends are trimmed.

    >>> one_line(" draw\\t1 \\n card ")
    'draw 1 card'
    """
    return _CONTROLS.sub("\ufffd", _BREAKS.sub(" ", text)).strip()


def escape_markdown(text: str) -> str:
    r"""A plain text as inline Markdown on one line, for a paragraph, list item, heading or table cell.

    As few signs as possible are escaped, so that a file stays good to read: an underscore inside a word is not, nor a
    star between spaces or digits, nor a number with a full stop in the middle of a line. Braces are not either: the
    attributes that a heading ends with are found after any others.

    >>> print(escape_markdown("1. Draw [A|B] * 2, not <b>*all*</b> of snake_case & co."))
    1\. Draw \[A\|B] * 2, not \<b>\*all\*\</b> of snake_case & co.
    """
    return _SPECIAL.sub(_escape, one_line(text))


def _escape(found: re.Match[str]) -> str:
    text, sign = found.string, found[0]
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    if found["number"]:
        return sign + "\\"
    if found["stars"] and (before == after == " " or (before.isdigit() and after.isdigit())):
        return sign
    if found["lines"] and before.isalnum() and after.isalnum():
        return sign
    return "".join("\\" + char for char in sign)
