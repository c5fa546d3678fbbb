"""Styled text <-> inline Markdown that our own parser reads back to the same text and emphasis.

Readers of HTML, DOCX and foreign Markdown collect ``Run``s and write each paragraph with ``inline``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlsplit

from ruleslawyer.commonmark import Token, body_tokens
from ruleslawyer.escaping import escape_markdown
from ruleslawyer.listmarks import BULLETS, ICON, split_mark
from ruleslawyer.manuscript import Piece

_SPACE = re.compile(r"\s+")
_INVISIBLE = re.compile(r"[\xad\u200b\u2060\ufeff]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
_PRIVATE = re.compile(r"[\ue000-\uf8ff\U000f0000-\U0010ffff]+")


class Run(NamedTuple):
    """A stretch of text in one style.

    >>> Run("not", strong=True).strong
    True
    """

    text: str
    strong: bool = False
    em: bool = False
    code: bool = False


BREAK = Run("\u2028")
"""A line break; inline it is a space."""


def lines(runs: Iterable[Run]) -> list[list[Run]]:
    """A paragraph's runs cut at its breaks: at two together, and where one stands between sentences, titles or items.

    >>> [plain(line) for line in lines([Run("Setup:"), BREAK, Run("Take"), BREAK, Run("2 ore.")])]
    ['Setup:', 'Take\u20282 ore.']
    """
    found: list[list[Run]] = [[]]
    pending: list[Run] = []
    title = True
    for run in runs:
        if run == BREAK or not run.text.strip():
            pending.append(run)
            continue
        if BREAK in pending and found[-1] and (pending.count(BREAK) > 1 or _apart(found[-1][-1], title, run)):
            found.append([])
            pending, title = [], True
        title = title and run.strong
        found[-1] += [*pending, run]
        pending = []
    return [line for line in found if line]


_SENTENCE_END = re.compile(r"[.!?:;…。！？：；][)）\]”’\"'»」』*]*\s*$")


def _apart(before: Run, title: bool, after: Run) -> bool:
    """Whether a line that ends so, wholly bold or not, is one of its own."""
    return (
        title != after.strong or bool(_SENTENCE_END.search(before.text)) or split_mark(after.text.strip()) is not None
    )


def inline(runs: Iterable[Run]) -> str:
    r"""Runs as inline Markdown on one line; emphasis that cannot be written there is given up, never a word.

    >>> inline([Run("You may "), Run("not ", strong=True), Run("draw *2* cards")])
    'You may **not** draw \\*2\\* cards'
    """
    tidied = tidy(_without_unwritable_code(runs))
    if all(run[1:] == (False, False, False) for run in tidied):
        return escape_markdown(plain(tidied))
    for star, kept in (("*", tidied), ("_", tidied), ("*", tidy(run._replace(em=False) for run in tidied))):
        written = _write(kept, star)
        if read_back(written) == kept:
            return written
    return escape_markdown(plain(tidied))


def plain(runs: Iterable[Run]) -> str:
    """The text of runs without their styles.

    >>> plain([Run("a "), Run("b", em=True)])
    'a b'
    """
    return "".join(run.text for run in runs)


def tidy(runs: Iterable[Run]) -> list[Run]:
    """Runs with single spaces, none at either end nor at the edge of a style, neighbours of one style joined.

    >>> tidy([Run(" a", em=True), Run(" b ", em=True), Run("  c")])
    [Run(text='a b', strong=False, em=True, code=False), Run(text=' c', strong=False, em=False, code=False)]
    """
    joined = _joined(_clean(run) for run in runs)
    if len(joined) == 1:
        text = " ".join(joined[0].text.split())
        return [joined[0]._replace(text=text)] if text else []
    spaced = _single_spaces(joined)
    return _joined(part for run in _joined(_bridged(spaced)) for part in _edges_plain(run))


def read_back(markdown: str) -> list[Run] | None:
    """What our parser makes of inline Markdown; ``None`` if it sees anything but one paragraph of styled text.

    >>> read_back("*not* 1")
    [Run(text='not', strong=False, em=True, code=False), Run(text=' 1', strong=False, em=False, code=False)]
    >>> read_back("# 1"), read_back("[a](#b)")
    (None, None)
    """
    tokens = body_tokens(markdown)
    if [token.type for token in tokens] != ["paragraph_open", "inline", "paragraph_close"]:
        return None
    children = tokens[1].children or []
    if any(child.type in ("link_open", "image", "raw_html") for child in children):
        return None
    return _joined(styled(children))


def styled(children: Sequence[Token]) -> list[Run]:
    """The text of inline tokens as runs; what is neither text nor emphasis is left to the caller."""
    depth = {"strong": 0, "em": 0}
    runs: list[Run] = []
    for token in children:
        name, _, end = token.type.rpartition("_")
        if name in depth:
            depth[name] += 1 if end == "open" else -1
        elif token.content:
            runs.append(Run(token.content, depth["strong"] > 0, depth["em"] > 0, token.type == "code_inline"))
    return runs


_LONGEST_ADDRESS = 120


def address_beside(address: str, text: str, own_host: str = "") -> str:
    """The address of a link, to stand after its text, if it leads to another place and the text does not say where.

    >>> address_beside("https://example.org/faq", "the FAQ"), address_beside("#turn", "turn")
    ('https://example.org/faq', '')
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.netloc == own_host or not text.strip():
        return ""
    known = parts.netloc.removeprefix("www.") in text
    return "" if known else address.strip() if len(address) <= _LONGEST_ADDRESS else parts.netloc


def marks(text: str) -> str:
    """Text whose glyphs without a meaning of their own, those of icon fonts, are a visible mark.

    >>> marks("gain 2 \\ue001")
    'gain 2 ▣'
    """
    return _PRIVATE.sub(ICON, text)


_TYPED_BULLETS = BULLETS | set("-–*")


def paragraph(runs: Iterable[Run]) -> Piece | None:
    """A paragraph, or the list item that it is where its bullet or number was typed by hand; ``None`` if it is empty.

    >>> paragraph([Run("• 2 ore")])
    Piece(kind='item', text='2 ore', level=1, marker='-', page=0)
    >>> paragraph([Run("-1 point")])
    Piece(kind='p', text='-1 point', level=0, marker='', page=0)
    """
    tidied = tidy(runs)
    if not tidied:
        return None
    mark = None if all(run.strong for run in tidied) else split_mark(tidied[0].text)
    if not mark or (mark.kind != "number" and mark.label not in _TYPED_BULLETS):
        return Piece("p", inline(tidied))
    text = inline([tidied[0]._replace(text=mark.rest), *tidied[1:]])
    return Piece("item", text, 1, f"{mark.number}." if mark.kind == "number" else "-")


# --- tidying ----------------------------------------------------------------------------------------------------------


def _clean(run: Run) -> Run:
    text = _INVISIBLE.sub("", run.text)
    return run._replace(text=marks(_CONTROLS.sub("\ufffd", _SPACE.sub(" ", text))))


def _joined(runs: Iterable[Run]) -> list[Run]:
    groups = groupby((run for run in runs if run.text), key=lambda run: run[1:])
    return [Run(plain(group), *style) for style, group in groups]


def _single_spaces(runs: Sequence[Run]) -> list[Run]:
    """No space after a space, none at the ends."""
    kept: list[Run] = []
    for run in runs:
        text = _SPACE.sub(" ", run.text)
        if not kept or kept[-1].text.endswith(" "):
            text = text.lstrip()
        if text:
            kept.append(run._replace(text=text))
    while kept and not kept[-1].text.rstrip():
        kept.pop()
    return [*kept[:-1], kept[-1]._replace(text=kept[-1].text.rstrip())] if kept else []


def _bridged(runs: Sequence[Run]) -> list[Run]:
    """A space between two runs of one style is of that style too."""
    bridged = list(runs)
    for n in range(1, len(runs) - 1):
        if runs[n].text == " " and runs[n - 1][1:] == runs[n + 1][1:]:
            bridged[n] = Run(" ", *runs[n - 1][1:])
    return bridged


def _edges_plain(run: Run) -> list[Run]:
    core = run.text.strip()
    if run[1:] == (False, False, False) or core == run.text:
        return [run]
    start = run.text.index(core) if core else len(run.text)
    return [Run(run.text[:start]), run._replace(text=core), Run(run.text[start + len(core) :])]


# --- writing ----------------------------------------------------------------------------------------------------------


def _write(runs: Sequence[Run], star: str) -> str:
    signs = {"strong": "**", "em": star}
    parts: list[str] = []
    opened: list[str] = []
    for run in [*runs, Run("")]:
        wanted = [name for name in signs if getattr(run, name)]
        while any(name not in wanted for name in opened):
            parts.append(signs[opened.pop()])
        for name in wanted:
            if name not in opened:
                opened.append(name)
                parts.append(signs[name])
        parts.append(f"`{run.text}`" if run.code else _escaped(run.text))
    return "".join(parts)


def _without_unwritable_code(runs: Iterable[Run]) -> Iterator[Run]:
    """Code that holds the signs it would be written with, or those of a table, is text like any other."""
    for run in runs:
        yield run._replace(code=False) if run.code and re.search(r"[`|]", run.text) else run


def _escaped(text: str) -> str:
    """The text escaped, with the spaces at its ends."""
    core = text.strip()
    if not core:
        return text
    start = text.index(core)
    return text[:start] + escape_markdown(core) + text[start + len(core) :]
