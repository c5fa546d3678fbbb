"""The guides are true: following CONTRIBUTING word for word makes a sound game; the architecture page shows what is there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

import partslist
from commands import rules
from ruleslawyer.check import check
from ruleslawyer.places import corpus_root

ROOT = partslist.ROOT
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
GAME, RULE, LANGUAGE = "Add a game", "Add a rule", "Add a language to a game"


class Block(NamedTuple):
    """A fenced block of the guide, and the files that the text since the one before it names."""

    language: str
    text: str
    files: list[str]


def blocks(section: str) -> list[Block]:
    """The blocks of a section of the guide, in order."""
    body = re.split(r"^## (?:Add|Change)", GUIDE.split(f"## {section}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
    found, files = [], list[str]()
    for before, language, text in re.findall(r"(.*?)^```(\w+)\n(.*?)^```$", body, re.DOTALL | re.MULTILINE):
        files = re.findall(r"`corpus/(pebbles/[\w.]+)`", before) or files[1:]
        found.append(Block(language, text, files))
    return found


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the corpus, to which the guide's game is added step by step."""
    return Path(shutil.copytree(corpus_root(), tmp_path_factory.mktemp("contributor") / "corpus"))


def write(corpus: Path, block: Block, mode: str = "w") -> None:
    path = corpus / block.files[0]
    path.parent.mkdir(exist_ok=True)
    with path.open(mode, encoding="utf-8") as file:
        file.write("\n" * (mode == "a") + block.text)


def test_a_game_made_by_the_guide_is_sound_and_found(corpus: Path) -> None:
    made = blocks(GAME)
    for block in made[:-1]:
        write(corpus, block)
    assert [path.name for path in sorted((corpus / "pebbles").iterdir())] == [
        *("asks.en.toml", "asks.es.toml", "asks.zh.toml", "game.toml", "rules.en.md")
    ]
    assert [str(problem) for problem in check(corpus)] == []
    searches = [line.split()[1:] for line in made[-1].text.splitlines() if line != "rules check"]
    assert len(searches) == 2
    for words in searches:
        assert rules(*words, corpus=corpus).out.startswith("Your turn\n"), words


def test_a_rule_added_by_the_guide_is_sound_and_found(corpus: Path) -> None:
    for block in blocks(RULE):
        write(corpus, block, "a")
    assert [str(problem) for problem in check(corpus)] == []
    assert "pebbles/empty-pile" in rules("the", "pile", "is", "empty", corpus=corpus).out


def test_a_language_added_by_the_guide_is_sound_and_read(corpus: Path) -> None:
    changes, source, document = blocks(LANGUAGE)
    game = corpus / "pebbles" / "game.toml"
    text = re.sub(r"^languages = .*\n", changes.text, game.read_text("utf-8"), flags=re.MULTILINE)
    game.write_text(text + source.text, encoding="utf-8")
    write(corpus, document)
    assert [str(problem) for problem in check(corpus)] == []
    assert rules("--lang", "es", "cuántas", "piedras", "puedo", "coger", corpus=corpus).out.startswith("Tu turno\n")


def test_every_file_and_test_that_the_guides_name_is_there() -> None:
    for page in ("CONTRIBUTING.md", "docs/architecture.md", "docs/licences.md"):
        text = (ROOT / page).read_text("utf-8")
        text = text.replace("LANG", "en").replace("GAME", "beam-me-up")
        named = re.findall(r"(?:^|[ `(])((?:src|tests|docs|site|benchmarks|\.ci)/[\w./-]*\w)", text)
        links = [target.split("#")[0] for target in re.findall(r"\]\((?!https?:)([^)#][^)]*)\)", text)]
        places = [ROOT / name for name in named] + [(ROOT / page).parent / link for link in links]
        assert places
        assert [str(place) for place in places if not place.exists()] == [], page


def test_the_architecture_page_lists_every_module_with_what_it_is() -> None:
    page = partslist.PAGE.read_text("utf-8")
    assert partslist.listed(page) == partslist.parts(), "run: python tests/partslist.py"
