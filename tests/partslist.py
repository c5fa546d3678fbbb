"""The list of modules in ``docs/architecture.md``, from their layers and docstrings: ``python tests/partslist.py``."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- parts: made by tests/partslist.py -->\n", "<!-- end of parts -->\n"


def groups() -> dict[str, list[tuple[str, ...]]]:
    """The layers of ``LAYERS`` under the comments that head them there."""
    source = (ROOT / "tests" / "test_architecture.py").read_text("utf-8")
    block = source[source.index("LAYERS = (") : source.index("\n)\n", source.index("LAYERS = ("))]
    found: dict[str, list[tuple[str, ...]]] = {}
    for heading, layers in re.findall(r"^    # (.*)\n((?:(?!    # ).*\n?)*)", block, re.MULTILINE):
        found[heading] = list(ast.literal_eval(f"({layers})"))
    return found


def first_line(module: str) -> str:
    """What a module's docstring says in its first sentence."""
    path = ROOT / "src" / "ruleslawyer" / f"{module}.py"
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return said.split("\n\n")[0].replace("\n", " ").split(". ")[0].removesuffix(".").replace("|", "\\|")


def parts() -> str:
    """The list as Markdown: a table per group, lower layers first."""
    tables = []
    for heading, layers in groups().items():
        rows = [f"| `{module}` | {first_line(module)} |" for layer in layers for module in layer]
        tables.append("\n".join([f"### {heading[0].upper()}{heading[1:]}", "", "| module | |", "|---|---|", *rows]))
    return "\n" + "\n\n".join(tables) + "\n\n"


def listed(page: str) -> str:
    """The list as it stands in the page."""
    return page.split(BEGIN)[1].split(END)[0]


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    PAGE.write_text(text.replace(BEGIN + listed(text) + END, BEGIN + parts() + END), encoding="utf-8")
    sys.exit(0)
