"""Where data lies: the project's own inside the package when installed from a wheel, beside ``src`` in a checkout; a person's
own where ``platformdirs`` says.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ruleslawyer.errors import DataProblem

PACKS = "packs/"
"""What the name of a private pack begins with, where it must be told from a bundled game of the same name."""

_PACKAGE = Path(__file__).resolve().parent


def _data(name: str) -> Path:
    for folder in (_PACKAGE / name, _PACKAGE.parents[1] / name):
        if folder.is_dir():
            return folder
    raise DataProblem(f"the folder {name!r} is missing from the installation", "install ruleslawyer again")


def corpus_root() -> Path:
    """The bundled corpus."""
    return _data("corpus")


def site_folder() -> Path:
    """What the website is made with: ``templates``, ``static`` and ``locales``."""
    return _data("site")


def locales_folder() -> Path:
    """The interface words, one JSON file per language."""
    return site_folder() / "locales"


def cache_folder() -> Path:
    """The user's cache folder for indexes."""
    if sys.platform == "linux":
        return _xdg("XDG_CACHE_HOME", ".cache") / "ruleslawyer" / "index"
    from platformdirs import user_cache_path

    return user_cache_path("ruleslawyer", appauthor=False) / "index"


def packs_folder() -> Path:
    """The user's own rulebooks: a folder per game. It may not exist."""
    if sys.platform == "linux":
        return _xdg("XDG_DATA_HOME", ".local/share") / "ruleslawyer" / "packs"
    from platformdirs import user_data_path

    return user_data_path("ruleslawyer", appauthor=False) / "packs"


def _xdg(variable: str, default: str) -> Path:
    """A folder of the XDG specification, as platformdirs finds it: importing that takes a twentieth of a look-up."""
    named = Path(os.environ.get(variable, "").strip())
    return named if named.is_absolute() else Path.home() / default
