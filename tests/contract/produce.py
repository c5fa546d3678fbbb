"""Write the contract file anew, after a change of the search that is meant: ``python tests/contract/produce.py``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from contractfile import FILE, contract, text_of
from ruleslawyer.index import open_index
from ruleslawyer.places import corpus_root

if __name__ == "__main__":
    FILE.write_text(text_of(contract(open_index(corpus_root()))), encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size} bytes")
