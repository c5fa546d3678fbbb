"""A rulebook of a made-up game as plain text, in an earlier and a later edition, and what lies in a folder of packs."""

from __future__ import annotations

import datetime
from pathlib import Path

DAY = datetime.date(2026, 11, 30)

RULES = """\
Fog Harbour

Moving

Each turn you move one of your boats along a line to the next buoy.

Fog

A boat that is in the fog does not move until a lantern has come to it.

May a boat leave the fog?

Only with a lantern.
"""

LATER = (
    RULES.replace("one of your boats", "two of your boats") + "\nThe end\n\nThe player with the most lanterns wins.\n"
)

REGLAS = """\
Niebla

Mover

En tu turno mueves uno de tus barcos por una línea hasta la boya siguiente, y luego puedes comerciar en ella.
"""


def files_in(folder: Path) -> dict[str, str]:
    """Every file below a folder with its text, but for the lock."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}
