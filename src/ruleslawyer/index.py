"""The index of a corpus, ready to use: a fresh state where there is one, built first where there is none.

What a state is and when it can be trusted is in ``state``, what builds one in ``building``.
"""

from __future__ import annotations

from pathlib import Path

from ruleslawyer.errors import IndexDamaged
from ruleslawyer.places import cache_folder
from ruleslawyer.state import Index, Notice, Progress, fingerprint, home_of, open_state
from ruleslawyer.words import Note

__all__ = ["Index", "Notice", "Progress", "home_of", "no_notice", "no_progress", "open_index"]


def no_notice(_: Note) -> None:
    """Tell nobody."""


def no_progress(_done: int, _total: int) -> None:
    """Show nothing."""


def open_index(
    root: Path,
    cache: Path | None = None,
    notice: Notice = no_notice,
    progress: Progress = no_progress,
    packs: Path | None = None,
) -> Index:
    """Open the index of a corpus, building it first where there is none that is fresh and whole.

    Args:
        root: the corpus folder.
        cache: where indexes are kept; the user's cache folder by default.
        notice: is told what takes time or went wrong: a key of the interface words (``notice.…``) and its values.
        progress: is told how far building is.
        packs: the folder of the private packs that are searched beside the corpus; it may be missing.

    Raises:
        CorpusInvalid: the corpus has no usable entry.
        IndexUnsafe: the cache folder could be written to by somebody else.
    """
    state = fingerprint(root, packs)
    home = home_of(root, cache or cache_folder())
    try:
        return open_state(home / state)
    except OSError:
        pass  # not there, or out of reach: building will tell
    except IndexDamaged as damage:
        notice(Note("damaged", {"reason": damage.message}))
    from ruleslawyer.building import build  # reads Markdown: a look-up on a fresh index never needs it

    return build(root, packs, home, notice, progress)
