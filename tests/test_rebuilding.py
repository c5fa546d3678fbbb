"""An index that goes on from an earlier one: equal to one made at once, and little is read, analysed and written for it."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ruleslawyer import building, rebuilding, store
from ruleslawyer.errors import CorpusInvalid
from ruleslawyer.index import Index, open_index
from ruleslawyer.indexer import Naming, document_again
from ruleslawyer.places import corpus_root
from ruleslawyer.state import CATALOGUE, LINES
from ruleslawyer.stems import simplified_characters
from shelves import Shelf

WORDS = (
    "ship",
    "crate",
    "harbour",
    "lantern",
    "fog",
    "dock",
    "coin",
    "two",
    "Level",
    "II",
    "deep",
    "space",
    "blim",
    "sprock",
)
FILLERS = ("a", "b", "c", "d", "e", "f")
"""So many asks that none is missing."""
COMING = ("n0", "n1", "n2")
"""Ids that some games have for a time, and that are linked to all the while."""


# --- equal ------------------------------------------------------------------------------------------------------------


def contents_of(index: Index) -> dict[str, Any]:
    """Everything that an index answers with, whatever its documents are put together from."""
    naming, simplified = Naming(index.dictionary.concepts), simplified_characters()
    stored = [index.store.stored(number) for number in range(index.store.documents)]
    again = [document_again(texts, naming, simplified) for texts in stored]
    keywords = sorted({(name, value) for d in again for name, values in d.keywords.items() for value in values})
    terms = sorted({(lang, term) for d in again for lang, stream in d.streams.items() for term in stream})
    languages = sorted({lang for lang, _ in terms})
    return {
        "stored": stored,
        "keywords": {key: index.store.with_keyword(*key) for key in keywords},
        "postings": {key: index.store.postings(*key) for key in terms},
        "lengths": {lang: [index.store.length(lang, n) for n in range(len(stored))] for lang in languages},
        "averages": {lang: index.store.average_length(lang) for lang in languages},
        "dictionary": index.dictionary.to_parts(),
        "games": index.games,
        "skipped": index.skipped,
        **{name: getattr(index, name) for name in (CATALOGUE, LINES)},
        "outlines": index.outlines,
    }


def is_changed(index: Index) -> bool:
    """Whether an index goes on from an earlier one."""
    return bool(index.folder and (index.folder / "overlay.json").exists())


def assert_equal_to_one_made_at_once(index: Index, corpus: Path, folder: Path, packs: Path | None = None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    at_once = open_index(corpus, folder, packs=packs)
    assert not is_changed(at_once)
    changed, whole = contents_of(index), contents_of(at_once)
    for name, expected in whole.items():
        assert changed[name] == expected, name
        assert list(changed[name]) == list(expected), f"the order of {name}"


# --- invented games that change in every way ---------------------------------------------------------------------------


@dataclass
class Rule:
    """An entry of an invented game; ``links`` hold targets, ``spanish`` whether there is a Spanish text."""

    id: str
    title: str
    text: str
    aliases: str = ""
    links: list[str] = field(default_factory=list)
    parent_level: int = 2


@dataclass
class Box:
    """An invented game."""

    id: str
    rules: list[Rule]
    terms: dict[str, tuple[str, list[str]]]
    spanish: bool
    broken: bool = False
    asks: dict[str, list[str]] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write the game's folder anew."""
        folder = folder / self.id
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        languages = ["en", "es"] if self.spanish else ["en"]
        source = (
            '[[sources]]\nid = "box"\nkind = "rulebook"\nlanguage = "en"\ntitle = "Rules"\nabout.en = "The rules."\n'
        )
        about = 'about.es = "Las reglas."\n' if self.spanish else ""
        title = f'title.en = "{self.id.title()}"\n' + (f'title.es = "El {self.id.title()}"\n' if self.spanish else "")
        head = f"languages = {languages}\nupdated = 2026-11-29\n\n".replace("'", '"')
        (folder / "game.toml").write_text(title + head + source + about)
        for lang in languages:
            (folder / f"rules.{lang}.md").write_text(self._sheet(lang), encoding="utf-8")
        known = {rule.id for rule in self.rules}
        terms = "".join(
            f'[[terms]]\nid = "{term}"\nentry = "{entry}"\n'
            + "".join(
                f'forms.{lang} = {forms}\ndefinition.{lang} = "A thing."\n'.replace("'", '"') for lang in languages
            )
            for term, (entry, forms) in self.terms.items()
            if entry in known
        )
        (folder / "glossary.toml").write_text(terms)
        own = {rule: [*asks, *FILLERS] for rule, asks in self.asks.items() if rule in known}
        asks = "".join(f"{rule} = {asks}\n".replace("'", '"') for rule, asks in own.items())
        (folder / "asks.en.toml").write_text(asks)

    def _sheet(self, lang: str) -> str:
        lines = ["+++", 'title = "Rules"', 'kind = "rule"', "updated = 2026-11-29", "+++", ""]
        for rule in self.rules:
            aliases = f' aliases="{rule.aliases}"' if rule.aliases else ""
            sources = "nowhere" if self.broken and rule is self.rules[-1] else "box"
            lines += [f'{"#" * rule.parent_level} {rule.title} {{#{rule.id} sources="{sources}"{aliases}}}', ""]
            links = "".join(f" See [that]({target})." for target in rule.links)
            lines += [("Regla: " if lang == "es" else "") + rule.text + links, ""]
        return "\n".join(lines)


Library = dict[str, Box]


def some_words(chance: random.Random, most: int = 12) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(2, most))).capitalize() + "."


def a_game(chance: random.Random, name: str) -> Box:
    rules = [Rule(f"r{n}", f"{chance.choice(WORDS).title()} {n}", some_words(chance)) for n in range(8)]
    rules[1].parent_level = rules[2].parent_level = 3
    terms = {f"t{n}": (f"r{n}", [chance.choice(WORDS), some_words(chance, 3)[:-1].lower()]) for n in range(3)}
    return Box(name, rules, terms, spanish=name < "g3", asks={"r0": ["what may I do", "which way"]})


def change_text(chance: random.Random, box: Box, _: Library) -> None:
    chance.choice(box.rules).text = some_words(chance)


def change_title(chance: random.Random, box: Box, _: Library) -> None:
    chance.choice(box.rules).title = some_words(chance, 3)[:-1]


def change_alias(chance: random.Random, box: Box, _: Library) -> None:
    chance.choice(box.rules).aliases = chance.choice(["", "one; other", some_words(chance, 3)[:-1]])


def add_rule(chance: random.Random, box: Box, _: Library) -> None:
    free = sorted({*COMING, f"m{chance.randrange(10**6)}"} - {rule.id for rule in box.rules})
    new = Rule(chance.choice(free), f"New {chance.choice(WORDS)}", some_words(chance))
    box.rules.insert(chance.randrange(len(box.rules)), new)


def remove_rule(chance: random.Random, box: Box, _: Library) -> None:
    if len(box.rules) > 4:
        coming = [rule for rule in box.rules if rule.id in COMING]
        box.rules.remove(chance.choice(coming or box.rules))


def move_rule(chance: random.Random, box: Box, _: Library) -> None:
    rule = box.rules.pop(chance.randrange(1, len(box.rules)))
    rule.parent_level = 2
    box.rules.insert(chance.randrange(1, len(box.rules)), rule)


def link_away(chance: random.Random, box: Box, library: Library) -> None:
    other = chance.choice(list(library.values()))
    target = chance.choice([*COMING, chance.choice(other.rules).id])
    rule = chance.choice(box.rules)
    rule.links = chance.choice([[], [f"{other.id}#{target}"], [*rule.links, f"{other.id}#{target}"]])


def change_terms(chance: random.Random, box: Box, _: Library) -> None:
    term = chance.choice(["t0", "t1", "t2", "u0"])
    if term in box.terms and chance.random() < 0.5:
        del box.terms[term]
    else:
        invented = chance.choice(["blim", "ship sprock", "sprock", "blim ship", "blim"])
        box.terms[term] = (chance.choice(box.rules).id, [invented, *chance.sample(WORDS, chance.randint(0, 1))])


def change_asks(chance: random.Random, box: Box, _: Library) -> None:
    box.asks[chance.choice(box.rules).id] = [some_words(chance, 5).lower()[:-1]]


def break_or_mend(_: random.Random, box: Box, __: Library) -> None:
    box.broken = not box.broken


EDITS: tuple[Callable[[random.Random, Box, Library], None], ...] = (
    change_text,
    change_title,
    change_alias,
    add_rule,
    add_rule,
    remove_rule,
    remove_rule,
    move_rule,
    link_away,
    link_away,
    change_terms,
    change_terms,
    change_asks,
    break_or_mend,
)


@pytest.mark.parametrize("seed", range(6))
def test_after_any_changes_it_is_equal_to_one_made_at_once(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    corpus, cache, packs = tmp_path / "corpus", tmp_path / "cache", tmp_path / "packs"
    library = {name: a_game(chance, name) for name in ("g1", "g2", "g3", "g4", "g5")}
    own = {name: a_game(chance, name) for name in ("p1", "p2")}
    for box in library.values():
        box.write(corpus)
    packs.mkdir()
    open_index(corpus, cache, packs=packs)
    changed = 0
    for step in range(40):
        if step % 5 == 4:
            name = chance.choice(list(own))
            if (packs / name).exists() and chance.random() < 0.4:
                shutil.rmtree(packs / name)
            else:
                chance.choice(EDITS)(chance, own[name], {**library, name: own[name]})
                own[name].write(packs)
        else:
            box = chance.choice(list(library.values()))
            chance.choice(EDITS)(chance, box, library)
            box.write(corpus)
        index = open_index(corpus, cache, packs=packs)
        assert_equal_to_one_made_at_once(index, corpus, tmp_path / "other", packs)
        changed += is_changed(index)
    assert changed > 10


def plain_game(name: str, **terms: str) -> Box:
    """A game without chance: each of its texts speaks of a harbour master and of a wharf; terms have one form each."""
    rules = [Rule(f"r{n}", f"Rule {n}", f"The harbour master waits at wharf {n}.") for n in range(12)]
    return Box(name, rules, {term: ("r0", [form]) for term, form in terms.items()}, spanish=False)


def reopened(tmp_path: Path, *boxes: Box) -> Index:
    for box in boxes:
        box.write(tmp_path / "corpus")
    return open_index(tmp_path / "corpus", tmp_path / "cache")


def test_a_new_form_is_named_by_texts_that_have_not_changed(tmp_path: Path) -> None:
    reopened(tmp_path, plain_game("g1"), plain_game("g2"), plain_game("g3"), plain_game("g4"))
    index = reopened(tmp_path, plain_game("g2", quay="wharf"))
    assert is_changed(index)
    assert len(index.store.postings("en", "@g2/quay")) == 12
    assert_equal_to_one_made_at_once(index, tmp_path / "corpus", tmp_path / "other")


def test_a_longer_form_of_another_game_stands_in_the_way_of_a_shorter_one(tmp_path: Path) -> None:
    before = reopened(tmp_path, plain_game("g1", port="harbour"), plain_game("g2"), plain_game("g3"), plain_game("g4"))
    assert len(before.store.postings("en", "@g1/port")) == 12
    index = reopened(tmp_path, plain_game("g2", master="harbour master"))
    assert len(index.store.postings("en", "@g1/port")) == 1
    assert not is_changed(index)


# --- little is done ---------------------------------------------------------------------------------------------------


@pytest.fixture
def bundled(tmp_path: Path) -> Shelf:
    """A copy of the bundled corpus, indexed."""
    shelf = Shelf(tmp_path / "corpus", tmp_path / "cache")
    shutil.copytree(corpus_root(), shelf.corpus)
    shelf.opened()
    return shelf


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def analysed(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> tuple[Index, list[str]]:
    """The index opened anew, and the stored texts of the documents that were written for it."""
    written: list[str] = []
    write = store.write

    def counted(folder: Path, parts: Any, *rest: Any) -> None:
        written.extend(stored["head"] for part in parts for stored in part.stored)
        write(folder, parts, *rest)

    monkeypatch.setattr(store, "write", counted)
    index, _ = shelf.opened()
    return index, written


def test_one_changed_text_is_the_only_one_written(
    bundled: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    replace(bundled.corpus / "beyond-the-sun" / "faq.es.md", " los ", " las zarigüeyas ")
    rules = bundled.corpus / "beam-me-up" / "rules.en.md"
    lines = rules.read_text(encoding="utf-8").split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("## ")) + 2
    rules.write_text("\n".join([*lines[:at], "Nobody moves an opossum.", "", *lines[at:]]), encoding="utf-8")
    index, written = analysed(bundled, monkeypatch)
    assert is_changed(index)
    assert len(written) <= 2
    assert_equal_to_one_made_at_once(index, bundled.corpus, tmp_path / "other")


def test_the_base_is_not_written_again(bundled: Shelf) -> None:
    before = {p.name: p.stat().st_ino for p in store.files_of_base(bundled.state)}
    replace(bundled.corpus / "beam-me-up" / "rules.en.md", "the", "the very")
    index, _ = bundled.opened()
    assert index.folder is not None
    assert {p.name: p.stat().st_ino for p in store.files_of_base(index.folder)} == before


def test_where_files_cannot_be_shared_they_are_copied(
    bundled: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    replace(bundled.corpus / "beam-me-up" / "rules.en.md", "the", "the very")
    index, told = bundled.opened()
    assert told == ["building"]
    assert is_changed(index)
    assert_equal_to_one_made_at_once(index, bundled.corpus, tmp_path / "other")


def test_a_base_that_another_command_has_removed_is_done_without(
    bundled: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rebuilding.change

    def removed(*given: Any) -> Any:
        contents = made(*given)
        shutil.rmtree(given[0].folder)
        return contents

    monkeypatch.setattr(building, "change", removed)
    replace(bundled.corpus / "beam-me-up" / "rules.en.md", "the", "the very")
    index, told = bundled.opened()
    assert told == ["building"]
    assert not is_changed(index)


def test_a_damaged_index_is_not_gone_on_from(bundled: Shelf, tmp_path: Path) -> None:
    for path in store.files_of_base(bundled.state):
        path.write_bytes(path.read_bytes()[:-1])
    replace(bundled.corpus / "beam-me-up" / "rules.en.md", "the", "the very")
    index, told = bundled.opened()
    assert told == ["building"]
    assert not is_changed(index)


def test_an_earlier_index_that_others_could_write_to_is_passed_over(bundled: Shelf) -> None:
    bundled.state.chmod(0o777)
    replace(bundled.corpus / "beam-me-up" / "rules.en.md", "the", "the very")
    index, told = bundled.opened()
    assert told == ["building"]
    assert not is_changed(index)


def test_an_index_made_by_another_version_is_not_gone_on_from(bundled: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleslawyer.state.INDEX_VERSION", 10_000)
    assert not is_changed(bundled.opened()[0])


def test_when_much_has_changed_the_whole_is_made_anew(bundled: Shelf) -> None:
    for path in bundled.corpus.glob("*/rules.en.md"):
        path.write_text(path.read_text(encoding="utf-8").replace(" the ", " that "), encoding="utf-8")
    assert not is_changed(bundled.opened()[0])


def test_changes_one_after_the_other_end_in_a_new_base(bundled: Shelf) -> None:
    kinds = []
    for n in range(70):
        rules = bundled.corpus / "beyond-the-sun" / "rules.en.md"
        lines = rules.read_text(encoding="utf-8").split("\n")
        headings = [number for number, line in enumerate(lines) if line.startswith("#")]
        lines.insert(headings[n % len(headings)] + 2, f"Word{n}.")
        lines.insert(headings[n % len(headings)] + 3, "")
        rules.write_text("\n".join(lines), encoding="utf-8")
        if n % 10 == 9 or n > 55:
            kinds.append(is_changed(bundled.opened()[0]))
    assert kinds[0]
    assert False in kinds


def test_a_corpus_without_an_entry_left_is_refused(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "corpus", tmp_path / "cache")
    a_game(random.Random(1), "g1").write(shelf.corpus)
    shelf.opened()
    (shelf.corpus / "g1" / "rules.en.md").unlink()
    (shelf.corpus / "g1" / "rules.es.md").unlink()
    with pytest.raises(CorpusInvalid):
        shelf.opened()
