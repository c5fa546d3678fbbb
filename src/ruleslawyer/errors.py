"""One family of errors, and the problems a check gathers.

::

    RulesError                  everything a person can act on; carries a hint
    ├── UsageProblem            asked for something that does not exist       exit status 2
    └── DataProblem             the corpus, the index or the machine is at fault   exit status 3
        ├── CorpusInvalid       problems found while loading; carries them all
        ├── IndexDamaged        an index that cannot be trusted; it is rebuilt
        └── IndexUnsafe         an index folder that others can write to
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

LONGEST_WORD = 100
"""No name is longer, so nothing is like a word that is."""

MANY_WORDS, FEW_WORDS = 500, 50
"""Comparing takes time: of more known words than the first, no more than the second are compared with a wrong one."""


class Problem(NamedTuple):
    """One thing that is wrong in a corpus.

    Args:
        file: path relative to the corpus folder, e.g. ``beyond-the-sun/faq.en.md``.
        line: 1-based; 0 where the whole file is meant.
        message: what is wrong, without a full stop.
        hint: what to do next, e.g. ``did you mean trade-routes?``; may be empty.

    >>> str(Problem("g/faq.en.md", 12, "unknown rule 'trade-roues'", "did you mean 'trade-routes'?"))
    "g/faq.en.md:12: unknown rule 'trade-roues' (did you mean 'trade-routes'?)"
    """

    file: str
    line: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}" + (f" ({self.hint})" if self.hint else "")


class Report:
    """The problems found in one file, in the order of finding; several reports may share one list."""

    def __init__(self, file: str, problems: list[Problem] | None = None) -> None:
        self.file = file
        self.problems: list[Problem] = [] if problems is None else problems

    def add(self, line: int, message: str, hint: str = "") -> None:
        """Note a problem at a 1-based line (0: the whole file)."""
        self.problems.append(Problem(self.file, line, message, hint))


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint that names the known word most like ``word``; all of them where none is like it and they are few.

    >>> nearest("trade-roues", ["docks", "trade-routes"])
    "did you mean 'trade-routes'?"
    >>> nearest("xyz", ["faq", "rule"])
    "known: 'faq', 'rule'"
    """
    return _nearest(word, frozenset(known))


@lru_cache(maxsize=1024)
def _nearest(word: str, known: frozenset[str]) -> str:
    import difflib  # only when something is wrong: a look-up need not pay for it

    folded = word.casefold()
    alike = [] if len(word) > LONGEST_WORD else _alike(folded, known)
    close = difflib.get_close_matches(folded, (k.casefold() for k in alike), n=1)
    if close:
        return f"did you mean '{next(k for k in alike if k.casefold() == close[0])}'?"
    return "known: " + ", ".join(f"'{k}'" for k in sorted(known)) if 0 < len(known) <= 6 else ""


def _alike(folded: str, known: frozenset[str]) -> list[str]:
    """The words to compare: all; of very many, those beside it in the alphabet, which begin like it."""
    if len(known) <= MANY_WORDS:
        return sorted(known)
    names = _in_order(known)
    at = bisect_left(names, folded, key=str.casefold)
    return names[max(0, at - FEW_WORDS // 2) : at + FEW_WORDS // 2]


@lru_cache(maxsize=8)
def _in_order(known: frozenset[str]) -> list[str]:
    return sorted(known, key=str.casefold)


class RulesError(Exception):
    """Something a person can act on: a message and the next step to take."""

    exit_status = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageProblem(RulesError):
    """A game, language, entry or folder that does not exist was asked for."""

    exit_status = 2


class DataProblem(RulesError):
    """The corpus, the index or the machine is at fault, not the question."""


class CorpusInvalid(DataProblem):
    """A corpus that cannot be used; ``problems`` lists everything found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(f"the corpus has {len(problems)} problem(s)", "run `rules check` to see them all")
        self.problems = tuple(problems)


class IndexDamaged(DataProblem):
    """The files of an index are missing, truncated, changed or of another version."""


class IndexUnsafe(DataProblem):
    """The index folder belongs to, or can be written by, somebody else."""
