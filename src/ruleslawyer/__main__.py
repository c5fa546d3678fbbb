"""The process ``rules``: starts lean, ends at once. ``python -m ruleslawyer`` is the same.

A look-up lives for less than a tenth of a second. Collecting garbage while its modules load, and taking them apart one by
one at the end, would be a fifth of that: nothing here needs either.
"""

from __future__ import annotations

import gc
import os
import sys

gc.disable()

from ruleslawyer.cli import main  # noqa: E402


def run() -> None:
    """Run the command and leave with its exit status."""
    status = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # the reader of a pipe has gone: nobody is left to tell
        pass
    os._exit(status)


if __name__ == "__main__":
    run()
