"""A vocabulary as short texts, as the browser is sent it: forms told by what they do not share with their stem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleslawyer.analysis import fold
from ruleslawyer.dictionary import Vocabulary


def stem_codes(vocabulary: Vocabulary) -> str:
    """How to come from each form, in alphabetical order, to its stem: letters to take off its end, letters to add.

    >>> stem_codes(Vocabulary.of("en", {"ship": {"ship": 3, "ships": 1}, "lazi": {"lazy": 1}}))
    '1i 0 1'
    """
    stems = {form: stem for stem, forms in _groups(vocabulary) for form in forms}
    return " ".join(_stem_code(fold(form), stems[form]) for form in sorted(stems))


def _stem_code(folded: str, stem: str) -> str:
    shared = _shared_letters(folded, stem)
    return f"{_units(folded[shared:])}{stem[shared:]}"


def _groups(vocabulary: Vocabulary) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Stems with their forms, in the order of their first forms."""
    groups = {**{word: {word: n} for word, n in vocabulary.single.items()}, **vocabulary.groups}
    yield from sorted(groups.items(), key=lambda item: next(iter(item[1])))


def packed_vocabulary(vocabulary: Vocabulary) -> str:
    """All forms with their stems as one short text, a line per stem.

    A line: how many letters its stem shares with the one before, as one character from ``0`` on; the rest of the stem; then
    after ``|`` each form: a ``<`` for each letter of the stem that it lacks, then what follows.

    >>> packed_vocabulary(Vocabulary.of("en", {"ship": {"ship": 3, "ships": 1}, "lazi": {"lazy": 1}}))
    '0lazi|<y\\n0ship||s'
    """
    before, lines = "", []
    for stem, forms in _groups(vocabulary):
        shared = _shared_letters(before, stem)
        lines.append("|".join([f"{chr(48 + shared)}{stem[shared:]}", *(_tail(form, stem) for form in forms)]))
        before = stem
    return "\n".join(lines)


def packed_uses(vocabulary: Vocabulary) -> str:
    """In how many entries each form stands, in the order of ``packed_vocabulary``; a 1 is left out.

    >>> packed_uses(Vocabulary.of("en", {"ship": {"ship": 3, "ships": 1}, "lazi": {"lazy": 1}}))
    ' 3 '
    """
    return " ".join(str(n) if n > 1 else "" for _, forms in _groups(vocabulary) for n in forms.values())


def _tail(form: str, stem: str) -> str:
    shared = _shared_letters(form, stem)
    return "<" * _units(stem[shared:]) + form[shared:]


def _shared_letters(a: str, b: str) -> int:
    """How many letters two words begin with alike: at most 75, which one character of ASCII can tell, and none of those that
    JavaScript counts as two.
    """
    n = 0
    while n < min(len(a), len(b), 75) and a[n] == b[n] and a[n] <= "\uffff":
        n += 1
    return n


def _units(text: str) -> int:
    """A text's length as JavaScript counts it."""
    return len(text.encode("utf-16-le")) // 2


# --- texts ------------------------------------------------------------------------------------------------------------
