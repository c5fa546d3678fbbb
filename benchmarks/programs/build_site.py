"""Make the website of any corpus folder, as ``rules site`` does for the bundled one: ``python build_site.py CORPUS TARGET``."""

import gc
import sys
from pathlib import Path

from ruleslawyer.browserindex import browser_files
from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import load
from ruleslawyer.index import no_progress
from ruleslawyer.website import build_site


def main(source: Path, target: Path) -> None:
    """Index, export the search, write all pages."""
    gc.disable()
    corpus = load(source).corpus
    index = build_in_memory(corpus, no_progress)
    build_site(corpus, target, additions=browser_files(corpus, index))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
