"""Hostile and broken input of every kind: never an exception that nobody expected, problems that name a place, no bomb.

What once failed is kept in ``tests/fuzz/``, a file each whose name says what it is, and is run again here. To look for more:
``pytest tests/test_fuzz.py --hypothesis-profile explore``.
"""

from __future__ import annotations

import json
import resource
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import HARBOUR_FAQ_EN, HARBOUR_RULES_EN, VALID, write_corpus
from processes import in_a_child
from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import Loaded, load
from ruleslawyer.errors import Problem, Report, RulesError, nearest
from ruleslawyer.importing import Order, import_file, read_manuscript
from ruleslawyer.index import Index, no_progress
from ruleslawyer.markdown import parse
from ruleslawyer.present import Page, found_json, found_lines, notes
from ruleslawyer.query import parse as parse_query
from ruleslawyer.search import search
from ruleslawyer.terminal import break_lines, styled, unsafe
from ruleslawyer.textfile import read_text
from ruleslawyer.tomlfile import key_lines, read_toml
from ruleslawyer.website import site_files
from ruleslawyer.words import words_in

SAVED = Path(__file__).parent / "fuzz"
FRONT = '+++\ntitle = "Rules"\nkind = "rule"\nupdated = 2026-11-29\n+++\n'

ODD = "\0\x1b\x7f\u0085\u200b\u200d\u200f\u2028\u202e\u2066\ufe0f\ufeff\ufffd\U000e0001👩🏽🏴❤殿É\u0301ⅣⅫ４½ﬁſß"
"""Controls, marks that turn the writing round, emoji that join, letters that change their length when folded."""

ANYTHING = st.text(st.characters(exclude_categories=()) | st.sampled_from(ODD), max_size=60)
WRITABLE = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(ODD), max_size=60)


def saved(kind: str) -> list[Path]:
    """The files of past failures of a kind."""
    return sorted((SAVED / kind).iterdir())


def named(path: Path) -> str:
    return path.stem


def mixed(*scraps: str) -> st.SearchStrategy[str]:
    """Texts put together from scraps that mean something to the reader, and from anything."""
    return st.lists(st.sampled_from(scraps) | WRITABLE, max_size=14).map("".join)


# --- documents ------------------------------------------------------------------------------------------------------

FRONT_MATTER = mixed(
    "+++\n", 'title = "A"\n', "kind = ", '"rule"', '"faq"', "updated = 2026-11-29", "\n", "= ", "[x]\n", '"'
)
ATTRIBUTES = mixed(
    *("{", "}", "#a", "#turn", " ", '"', '="', 'sources="harbour-book"', 'parent="turn"', 'kind="faq"', 'rests-on="a"'),
    *('aliases="x; y"', 'players="2-"', 'pages="1-2"', "=", ";", "#", "\t"),
)
MARKDOWN = mixed(
    *(
        "## A {#a sources='x'}\n",
        '## B {#b sources="harbour-book"}\n',
        "### ",
        "# ",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "> ",
        "```\n",
    ),
    *(
        "[a](#turn)",
        "[a](",
        "](",
        "![",
        "**",
        "*",
        "_",
        "`",
        "|a|b|\n|-|-|\n",
        "<b>",
        "&amp;",
        "\\",
        "[a]: #b\n",
        "殿，",
        "---\n",
    ),
)
DOCUMENTS = (
    FRONT_MATTER.map(lambda front: front + "\n## A {#a}\n\nText.\n")
    | ATTRIBUTES.map(lambda tail: f"{FRONT}\n## A {tail}\n\nText.\n")
    | MARKDOWN.map(lambda body: f"{FRONT}\n{body}")
    | MARKDOWN
)


@given(DOCUMENTS)
@settings(max_examples=150)
def test_any_document_is_read_and_its_problems_lie_in_it(text: str) -> None:
    document, problems = parse(text, "harbour/rules.en.md")
    assert_places(problems, {"harbour/rules.en.md": text})
    for section in document.sections:
        assert 0 < section.line <= section.end <= text.count("\n") + 1
        for block in section.blocks:
            assert all(0 <= span.start < span.end <= len(block.text) for span in block.spans)


@given(DOCUMENTS)
@settings(max_examples=25)
def test_a_corpus_with_any_document_is_loaded_indexed_and_shown(text: str) -> None:
    assert_usable("harbour/rules.en.md", text)


@pytest.mark.parametrize("path", saved("documents"), ids=named)
def test_a_document_that_once_failed(path: Path) -> None:
    loaded = assert_usable("harbour/rules.en.md", path.read_bytes().decode())
    assert site_files(loaded.corpus)


def assert_places(problems: tuple[Problem, ...], files: dict[str, str]) -> None:
    """Every problem says something of a file that could be there, in a line that it has."""
    for problem in problems:
        assert problem.message
        assert problem.line >= 0
        assert problem.file in files or not problem.line, problem
        assert problem.line <= files.get(problem.file, "").count("\n") + 1, problem


def assert_usable(file: str, text: str) -> Loaded:
    """A corpus in which a file has this text is loaded, and what is sound of it indexed and found."""
    with tempfile.TemporaryDirectory() as folder:
        root = write_corpus(Path(folder))
        (root / file).write_text(text, encoding="utf-8", newline="")
        loaded = load(root)
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert_places(loaded.problems, {**VALID, file: lines})
    assert_shown(loaded)
    return loaded


def assert_shown(loaded: Loaded) -> None:
    corpus = loaded.corpus
    index = build_in_memory(corpus, no_progress)
    assert len(index.records) == len(corpus.entries)
    for entry in corpus.entries.values():
        for text in entry.texts.values():
            assert_answered(index, text.title)


# --- TOML data ------------------------------------------------------------------------------------------------------

KEYS = st.sampled_from(["id", "title", "en", "terms", "a-b", "x_1", '"a b"', "'q.r'", '"é"', "true", "1979-05-27"])
DOTTED = st.lists(KEYS, min_size=1, max_size=3).map(".".join)
STRINGS = st.sampled_from(['"a"', "'b'", '"""\nx = 1\n[y]"""', "'''\n\"'''", '"\\u00e9 # ]"', '"殿"', '""'])
VALUES: st.SearchStrategy[str] = st.recursive(
    STRINGS | st.sampled_from(["1", "-0.5", "true", "2026-11-29", "07:32:00", "0xff", "nan", "1979-05-27 07:32:00Z"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[\n" + ",  # one\n".join(items) + "\n]")
        | st.lists(st.tuples(KEYS, inner), max_size=2).map(lambda p: "{" + ", ".join(f"{k} = {v}" for k, v in p) + "}")
    ),
    max_leaves=6,
)
STATEMENTS = (
    st.tuples(DOTTED, VALUES).map(lambda pair: f"{pair[0]} = {pair[1]}\n")
    | DOTTED.map(lambda key: f"[{key}]\n")
    | DOTTED.map(lambda key: f"[[ {key} ]]  # array\n")
    | st.just("\n")
)
TOML = st.lists(STATEMENTS, max_size=8).map("".join)
BROKEN = mixed(
    "[[terms]]\n", 'id = "a"\n', "[", "]", "{", "}", "=", '"', "'''", "# ", "\n", ".", ",", "\\u12", "a.b", "1e"
)


@given(TOML)
@settings(max_examples=300)
def test_every_key_of_valid_toml_has_a_line_and_that_line_has_the_key(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found, lines = key_lines(text), text.split("\n")
    assert set(found) == set(paths(data))
    for path, line in found.items():
        name = path[-1]
        assert isinstance(name, int) or name in lines[line - 1], (path, line)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every key and element of a parsed TOML value."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from paths(inner, (*path, key))


@given(TOML | BROKEN | WRITABLE)
def test_any_toml_is_read_or_a_problem_in_a_line_of_it(text: str) -> None:
    report = Report("game.toml")
    table = read_toml(text, report)
    assert (table is None) == bool(report.problems)
    assert_places(tuple(report.problems), {"game.toml": text})


@given(st.sampled_from(["game.toml", "glossary.toml", "disputes.toml", "asks.en.toml"]), TOML | BROKEN, st.booleans())
@settings(max_examples=25)
def test_a_corpus_with_any_data_is_loaded_indexed_and_shown(name: str, text: str, after: bool) -> None:
    assert_usable(f"harbour/{name}", VALID[f"harbour/{name}"] + text if after else text)


@pytest.mark.parametrize("path", saved("data"), ids=named)
def test_data_that_once_failed(path: Path) -> None:
    text = path.read_text("utf-8")
    for name in ("game.toml", "glossary.toml", "disputes.toml", "asks.en.toml"):
        assert_usable(f"harbour/{name}", text)


@given(st.binary(max_size=60) | WRITABLE.map(lambda text: text.encode("utf-16")))
def test_any_bytes_are_a_text_or_a_problem(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        path = Path(file.name)
        path.write_bytes(data)
        report = Report("rules.en.md")
        text = read_text(path, report)
    assert text is not None or report.problems
    assert text is None or "\r" not in text
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    assert all(0 <= problem.line <= lines for problem in report.problems)


def test_of_a_file_that_is_no_text_a_few_characters_are_named_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "rules.en.md").write_bytes(b"\0\n" * 5_000)
    report = Report("rules.en.md")
    assert read_text(tmp_path / "rules.en.md", report) is None
    assert len(report.problems) < 30
    assert report.problems[-1].message == "more control characters follow"


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    report = Report("rules.en.md")
    assert read_text(tmp_path, report) is None
    assert report.problems[0].message == "cannot be read: Is a directory"


# --- questions ------------------------------------------------------------------------------------------------------

QUESTIONS = ANYTHING | st.lists(
    st.sampled_from(
        [
            *'"“”«»「」-*?: ()',
            "game:",
            "lang:",
            "kind:faq",
            "id:",
            "harbour",
            "docks",
            "rutas",
            "航线",
            "two",
            "Level IV",
            *ODD,
        ]
    ),
    max_size=14,
).map("".join)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The index of the tiny corpus."""
    return build_in_memory(load(write_corpus(tmp_path_factory.mktemp("corpus"))).corpus, no_progress)


@given(question=QUESTIONS, cells=st.sampled_from([0, 1, 20, 80]))
@settings(max_examples=150)
def test_any_question_is_answered_on_a_terminal_and_as_json(index: Index, question: str, cells: int) -> None:
    assert_answered(index, question, cells)


@given(QUESTIONS)
def test_what_was_asked_asked_again_is_read_alike(question: str) -> None:
    assert parse_query(parse_query(question).text) == parse_query(question)


@pytest.mark.parametrize("path", saved("questions"), ids=named)
def test_a_question_that_once_failed(index: Index, path: Path) -> None:
    assert_answered(index, json.loads(path.read_text("utf-8")))


def assert_answered(index: Index, question: str, cells: int = 80) -> None:
    """A question gets an answer that a terminal of any kind and a program can take."""
    found = search(index, question, limit=3, fallback="en")
    for lang in ("en", "zh"):
        page = Page(words_in(lang), cells, colour=False)
        lines = [*found_lines(found, index, page, lang)]
        lines += [line for note in notes(found, page.words, index) for line in page.line(note)]
        assert not [line for line in lines if unsafe().search(line)]
        json.loads(json.dumps(found_json(found, index, page.words, lang, True)))


# --- imports --------------------------------------------------------------------------------------------------------

SUFFIXES = st.sampled_from([".txt", ".md", ".html", ".docx", ".pdf"])
HTML = mixed(
    *(
        "<p>",
        "</p>",
        "<h1>",
        "</h1>",
        "<table><tr><td>",
        "</table>",
        "<ul><li>",
        "<script>",
        "</script",
        "<!--",
        "-->",
        "<![CDATA[",
    ),
    *(
        "&nbsp;",
        "&#x110000;",
        "&#0;",
        "<a href='javascript:x'>",
        "<",
        ">",
        '"',
        "<style>",
        "<title>",
        "<b ",
        "<svg onload=x>",
        "\0",
    ),
)


@given(SUFFIXES, HTML.map(str.encode) | MARKDOWN.map(str.encode) | ATTRIBUTES.map(str.encode) | st.binary(max_size=80))
@settings(max_examples=150)
def test_any_file_is_imported_or_refused_with_a_reason(suffix: str, data: bytes) -> None:
    assert_imported(f"book{suffix}", data)


@pytest.mark.parametrize("path", saved("imports"), ids=named)
def test_a_file_that_once_failed_to_be_imported(path: Path) -> None:
    assert_imported(path.name, path.read_bytes())


def assert_imported(name: str, data: bytes) -> None:
    """A file becomes a pack without a problem in it, or is refused as a person can understand; nothing else happens."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "corpus").mkdir()
        file = place / name
        file.write_bytes(data)
        try:
            read_manuscript(file)
            imported = import_file(file, place / "packs", place / "corpus", Order(game="book", lang="en"))
        except RulesError as refused:
            assert refused.message
            return
        assert imported.problems == ()
        document, problems = parse(imported.sheet.read_text("utf-8"), "sheet")
    assert problems == ()
    assert len(document.sections) == imported.rules + imported.faq > 0


# --- bombs ----------------------------------------------------------------------------------------------------------

CPU, MEMORY = 12, 2 << 30
"""Seconds of work and bytes that no input below may take; each takes a second or so, and took minutes or all memory."""


def corpus_of(faq: str) -> Callable[[], object]:
    """Loading a corpus whose FAQ is this."""

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = write_corpus(Path(folder))
            (root / "harbour" / "faq.en.md").write_text(faq, encoding="utf-8")
            load(root)

    return work


def indexed(body: str) -> Callable[[], object]:
    """Indexing a corpus with an answer that goes on like this."""

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = write_corpus(Path(folder))
            (root / "harbour" / "faq.en.md").write_text(faq(1, 'parent="docks"', body), encoding="utf-8")
            build_in_memory(load(root).corpus, no_progress)

    return work


def document(body: str) -> Callable[[], object]:
    return lambda: parse(FRONT + body, "f.md")


def toml(text: str) -> Callable[[], object]:
    return lambda: read_toml(text, Report("game.toml"))


def faq(count: int, attributes: str, body: str = "Yes, 1.") -> str:
    """An FAQ of so many entries, whose number and that of the next stand for ``{n}`` and ``{m}``."""
    head = HARBOUR_FAQ_EN.partition("## ")[0]
    entry = f'## F {{{{#f{{n}} {attributes} rests-on="docks" sources="harbour-book"}}}}\n\n{body}\n\n'
    return head + "".join(entry.format(n=n, m=(n + 1) % count) for n in range(count))


def marked_page() -> None:
    text, marks = "hit " * 16_000, [(4 * n, 4 * n + 3, "hit") for n in range(16_000)]
    for start, end in break_lines(text, 40):
        styled(text, start, end, marks)


def wrong_names() -> None:
    known = frozenset(f"entry-{n}-of-the-rules" for n in range(20_000))
    for n in range(400):
        nearest(f"entri-{n}-of-the-rules", known)


BOMBS: dict[str, Callable[[], object]] = {
    "a paragraph of 80,000 lines": document("## A {#a}\n\n" + "神殿\n" * 80_000),
    "a heading of spaces": document("## A" + " " * 500_000 + "x\n"),
    "a heading of spaces and a brace": document("## A" + " " * 500_000 + "}\n"),
    "a heading of braces": document("## A" + " {" * 50_000 + "\n"),
    "a heading of quotes": document('## A {#a "' + '" {"' * 40_000 + "}\n"),
    "nested links": document("## A {#a}\n\n" + "![[" * 15_000),
    "a key of 100,000 parts": toml(".".join("a" * 100_000) + " = 1\n"),
    "a header of 100,000 parts": toml("[" + " . ".join('"a"' * 1 for _ in range(100_000)) + "]\nb = 1\n"),
    "a long word in front of a key": toml("a" * 500_000 + " = 1\n"),
    "nested tables": toml("a = " + "{a.b.c.d = " * 90 + "[" + "1," * 50_000 + "]" + "}" * 90 + "\n"),
    "a chain of parents": corpus_of(faq(3_000, 'parent="f{m}"').replace('parent="f0"', 'parent="docks"')),
    "a circle of parents": corpus_of(faq(3_000, 'parent="f{m}"')),
    "unknown links": corpus_of(faq(1_200, 'parent="docks"', "Yes, 1 [a](#f{n}x), [b](#g{n}), [c](other#g{n}).")),
    "a marked page": marked_page,
    "wrong names": wrong_names,
    "spaces to break": lambda: break_lines("a" + " " * 400_000 + "b", 40),
    "a word to break": lambda: break_lines("w" * 400_000, 40),
    "joined signs to break": lambda: break_lines("👩\u200d" * 80_000, 40),
    "numbers of ever more dots": indexed("No " + "1." * 40_000),
    "ordinal signs": indexed("No " + "第" * 60_000),
    "Han numbers": indexed("No " + "十" * 60_000),
    "hyphens": indexed("No" + "-no" * 40_000),
    "apostrophes": indexed("No" + "'no" * 40_000),
    "a long question": lambda: parse_query('-"a b" "c' * 50_000),
}


def test_of_a_long_circle_of_parents_a_problem_shows_the_beginning(tmp_path: Path) -> None:
    root = write_corpus(tmp_path)
    (root / "harbour" / "faq.en.md").write_text(faq(40, 'parent="f{m}"'), encoding="utf-8")
    circle = [problem.message for problem in load(root).problems if "ancestor" in problem.message]
    assert len(circle) == 40
    assert circle[0] == "'f0' is its own ancestor: f0 > f1 > f2 > f3 > f4 > f5 > ... > f0"


def test_the_nearest_of_very_many_words_is_found_beside_it_in_the_alphabet() -> None:
    known = frozenset(f"{letter}{n}-of-the-rules" for letter in ("ab", "cd") for n in range(4_000))
    assert nearest("ab1234-of-the-rule", known) == "did you mean 'ab1234-of-the-rules'?"
    assert nearest("xyz", known) == ""
    assert nearest("ab" * 500_000, known) == ""


@pytest.mark.parametrize("name", BOMBS)
def test_no_input_is_a_bomb(name: str) -> None:
    def work() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        BOMBS[name]()

    assert in_a_child(work) == 0


def test_the_saved_files_are_small_and_say_what_they_are() -> None:
    files = [path for path in SAVED.rglob("*") if path.is_file()]
    assert len(files) > 10
    assert [path for path in files if path.stat().st_size > 4_000 or " " in path.name] == []
    assert HARBOUR_RULES_EN
