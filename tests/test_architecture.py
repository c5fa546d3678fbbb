"""How the parts hang together: arrows go one way, one place for each library, a look-up stays light."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

import ruleslawyer
from commands import environment
from corpora import write_corpus
from ruleslawyer.cli import COMMANDS, cli

SOURCES = Path(ruleslawyer.__file__).parent
ROOT = Path(__file__).parents[1]

LAYERS = (
    # plain data
    (
        "__init__",
        "blocks",
        "errors",
        "escaping",
        "heldfolder",
        "interrupts",
        "languages",
        "manuscript",
        "positions",
        "query",
        "terminal",
    ),
    ("forking", "inputline", "model", "places", "records"),
    ("urls", "words"),
    # one text
    ("analysis", "textfile"),
    ("collation", "commonmark", "dictionary", "stems", "textpacking", "tomlfile"),
    ("cells", "markdown", "gamedata", "plan"),
    ("gamefolder",),
    # the whole corpus
    ("linking",),
    ("corpus",),
    ("check",),
    # the index
    ("postings",),
    ("store",),
    ("indexer", "state", "wordpacking"),
    ("lexicon",),
    ("contents",),
    ("rebuilding",),
    ("building",),
    ("index", "ranking"),
    ("search",),
    # the website
    ("browserindex", "richtext", "sitefolder", "weblinks"),
    ("glossing", "views"),
    ("framing", "survey"),
    ("entryviews",),
    ("pages",),
    ("render",),
    ("website",),
    # a person's own rulebooks: files as read, entries made of them, packs
    ("docxfile", "htmlscan", "likelihood", "listlevels", "listmarks", "packfiles", "packlock", "rejoining"),
    ("decoding", "docxstyles", "htmlpage", "pdffragments", "questions", "recognising", "styledtext", "textlines"),
    ("docxreading", "htmltables", "markdownreading", "pdfrows", "textreading"),
    ("htmlreading", "pdflayout"),
    ("pdfblocks",),
    ("pdfpieces",),
    ("pdfreading",),
    ("cutting",),
    ("drafting",),
    ("gamewriting", "packwriting"),
    ("library",),
    ("importing",),
    # outside
    ("present",),
    ("listings",),
    ("finder",),
    ("finderview",),
    ("finderscreen",),
    ("answering", "lan", "qr", "watching"),
    ("serving",),
    ("shell",),
    ("importcommand", "lookups", "packcommands", "upkeep"),
    ("hosting",),
    ("servecommand",),
    ("cli",),
    ("__main__",),
)
"""A module imports only from layers above its own in this list, also inside functions. A new module goes where it belongs."""

ONE_PLACE = {
    "filelock": "packlock",
    "ifaddr": "lan",
    "jinja2": "render",
    "markdown_it": "commonmark",
    "opencc": "stems",
    "platformdirs": "places",
    "prompt_toolkit": "finderscreen",
    "pypdfium2": "pdfreading",
    "pypinyin": "collation",
    "segno": "qr",
    "snowballstemmer": "stems",
    "tomlkit": "gamewriting",
    "whoosh": "store",
}
"""Third-party libraries, each with the only module that knows it."""

COMMAND_LINE = {"cli", "importcommand", "lookups", "packcommands", "servecommand", "shell", "upkeep"}
"""The modules that make up the command line, and so know click."""

LOOK_UP = {
    *(
        "__init__",
        "analysis",
        "blocks",
        "cli",
        "dictionary",
        "errors",
        "index",
        "languages",
        "lookups",
        "places",
        "plan",
        "positions",
        "postings",
    ),
    *("present", "query", "ranking", "records", "search", "shell", "state", "store", "terminal", "words"),
}
"""All modules that a look-up may import; its libraries are click, the Whoosh core and platformdirs."""

HEAVY = {"asyncio", "difflib", "email", "http", "socket", "sqlite3", "ssl", "subprocess", "tomllib", "unittest", "xml"}
"""Parts of the standard library that a look-up has no use for."""


@cache
def tree(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse((SOURCES / f"{module}.py").read_text("utf-8"))


def modules() -> list[str]:
    """All modules of the package."""
    return sorted(path.stem for path in SOURCES.glob("*.py"))


def imports(module: str) -> Iterator[str]:
    """Every module that a module imports, wherever in it: ``ruleslawyer.x`` as ``.x``, others by their first name."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (_name(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: relative import"
            if node.module == "ruleslawyer":
                yield from (f".{a.name}" if a.name in modules() else ".__init__" for a in node.names)
            else:
                yield _name(str(node.module))


def _name(dotted: str) -> str:
    first, _, rest = dotted.partition(".")
    return f".{rest}" if first == "ruleslawyer" else first


def test_every_module_has_a_layer() -> None:
    listed = [module for layer in LAYERS for module in layer]
    assert len(set(listed)) == len(listed)
    assert sorted(set(modules()) - set(listed)) == [], "give them a layer in LAYERS"


@pytest.mark.parametrize("module", modules())
def test_imports_go_down_only(module: str) -> None:
    level = {f".{name}": n for n, layer in enumerate(LAYERS) for name in layer}
    ours = [name for name in imports(module) if name.startswith(".")]
    assert [name for name in ours if level.get(name, len(LAYERS)) >= level.get(f".{module}", 0)] == []


@pytest.mark.parametrize("module", modules())
def test_no_import_is_hidden_from_this_test(module: str) -> None:
    source = (SOURCES / f"{module}.py").read_text("utf-8")
    assert "TYPE_CHECKING" not in source
    assert "__import__" not in source
    if "importlib" in source:
        assert module in ("cli", "stems"), "commands and Snowball's stemmers are imported by name, nothing else"


def test_commands_that_are_imported_by_name_lie_below_the_command_line() -> None:
    level = {name: n for n, layer in enumerate(LAYERS) for name in layer}
    assert all(level[module] < level["cli"] for module in COMMANDS.values())
    assert COMMANDS.keys() == {name for name in COMMANDS if cli.get_command(click.Context(cli), name)}


@pytest.mark.parametrize("module", modules())
def test_each_library_has_one_place(module: str) -> None:
    foreign = {name for name in imports(module) if not name.startswith(".") and name not in sys.stdlib_module_names}
    if module in COMMAND_LINE:
        foreign.discard("click")
    assert {name: ONE_PLACE.get(name) for name in foreign} == dict.fromkeys(foreign, module)
    assert module == "stems" or not re.search(
        r"""['"]snowballstemmer\.""", (SOURCES / f"{module}.py").read_text("utf-8")
    )


def test_modules_are_small_enough_to_read() -> None:
    long = {m: n for m in modules() if (n := len((SOURCES / f"{m}.py").read_text("utf-8").splitlines())) > 500}
    assert long == {}


def test_no_module_has_the_name_of_one_of_pythons() -> None:
    assert sorted(set(modules()) & sys.stdlib_module_names) == []


def public(module: str) -> Iterator[tuple[str, ast.AST]]:
    """The module, and its public classes, functions and methods."""
    yield module, tree(module)
    for node in tree(module).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield f"{module}.{node.name}", node
            for inner in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    yield f"{module}.{node.name}.{inner.name}", inner


@pytest.mark.parametrize("module", modules())
def test_everything_public_says_what_it_is(module: str) -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    silent = [name for name, node in public(module) if isinstance(node, kinds) and not ast.get_docstring(node)]
    assert silent == []


# --- what a look-up imports and reads -------------------------------------------------------------------------------

WATCHED = """
import json, os, sys
from pathlib import Path
events = []
def hook(event, args):
    if event in ("open", "os.listdir", "os.scandir"):
        events.append([event, os.fspath(args[0]) if isinstance(args[0], (str, os.PathLike)) else ""])
    elif event.split(".")[0] in ("socket", "subprocess", "urllib", "ftplib", "smtplib") or event in ("os.exec", "os.system"):
        events.append([event, ""])
sys.addaudithook(hook)
from ruleslawyer import cli, places
root = Path(sys.argv[1])
places.corpus_root = lambda: root
status = cli.main(sys.argv[2:])
print(json.dumps({"status": status, "modules": sorted(sys.modules), "events": events}), file=sys.stderr)
"""


def watched(corpus: Path, home: Path, *args: str) -> tuple[set[str], list[tuple[str, str]]]:
    """Run ``rules`` on a corpus: the modules that it imported, and what it opened or did outside its process."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(corpus), *args],
        capture_output=True,
        text=True,
        env=environment(XDG_CACHE_HOME=str(home / "cache"), XDG_DATA_HOME=str(home / "data"), HOME=str(home)),
        timeout=60,
    )
    data = json.loads(done.stderr.splitlines()[-1])
    assert data["status"] == 0, done.stderr
    return set(data["modules"]), [(event, path) for event, path in data["events"]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus and its index."""
    folder = tmp_path_factory.mktemp("place")
    watched(write_corpus(folder / "corpus"), folder, "index")
    return folder


@pytest.mark.parametrize(
    "args", [("trade routes",), ("faq", "--json", "may routes cross"), ("--lang", "zh", "航线"), ("show", "docks")]
)
def test_a_look_up_imports_nothing_it_does_not_need(place: Path, args: tuple[str, ...]) -> None:
    loaded, _ = watched(place / "corpus", place, *args)
    ours = {name.partition(".")[2] or "__init__" for name in loaded if name.split(".")[0] == "ruleslawyer"}
    assert sorted(ours - LOOK_UP) == []
    tops = {name.split(".")[0] for name in loaded}
    assert sorted(tops & (ONE_PLACE.keys() - {"whoosh", "platformdirs"} | HEAVY)) == []
    assert not tops & {"rich", "textual", "prompt_toolkit", "mdurl", "mdit_py_plugins"}


@pytest.mark.parametrize(
    "args", [("trade routes",), ("show", "docks"), ("list", "sources"), ("check",), ("index", "--force")]
)
def test_nothing_is_read_from_outside_and_no_network_is_used(place: Path, args: tuple[str, ...]) -> None:
    _, events = watched(place / "corpus", place, *args)
    repository, python = SOURCES.parents[1], (sys.prefix, sys.base_prefix, sys.exec_prefix)
    inside = tuple(str(Path(p).resolve()) for p in (place, repository, *python)) + tuple(map(str, python))
    allowed = ("/dev/", "/proc/self/", "/usr/lib/", "/usr/share/locale", "/etc/localtime", "/etc/ld.so", "/lib/")
    strange = [
        (event, path)
        for event, path in events
        if event not in ("open", "os.listdir", "os.scandir")
        or (path.startswith("/") and not path.startswith((*inside, *allowed)))
    ]
    assert strange == []


# --- the repository -------------------------------------------------------------------------------------------------


def repository_files() -> list[Path]:
    """Every text file that belongs to the project."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True
    )
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        paths = [path for folder in ("src", "tests", "docs", "corpus", "site") for path in (ROOT / folder).rglob("*")]
    return [path for path in paths if path.is_file() and path.suffix not in (".png", ".gz", ".woff2", ".pyc", ".ico")]


def test_no_path_of_somebodys_machine_is_in_the_repository() -> None:
    homes = "|".join(("root", "home", "Users", "work", "mnt", "data"))
    machine = re.compile(rf"""(?:^|[\s"'`(=:])/(?:{homes})/\w|[A-Z]:\\\\?Users\b""", re.MULTILINE)
    files = repository_files()
    assert len(files) > 50
    found = {str(path.relative_to(ROOT)): m[0] for path in files if (m := machine.search(path.read_text("utf-8")))}
    assert found == {}
