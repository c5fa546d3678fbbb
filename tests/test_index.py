"""The index on disk: built when it must be, whole or not there, trusted only where it is the user's own."""

from __future__ import annotations

import os
import pickle
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import shelves
from commands import command, environment, rules
from corpora import Edit, write_corpus
from processes import in_a_child, killed_at, together
from ruleslawyer import building, contents, state
from ruleslawyer.corpus import load
from ruleslawyer.errors import CorpusInvalid, IndexDamaged, IndexUnsafe
from ruleslawyer.index import Index, no_progress, open_index
from ruleslawyer.rebuilding import change
from ruleslawyer.search import search
from ruleslawyer.state import fingerprint, open_state
from ruleslawyer.store import Store
from ruleslawyer.words import Note

RULES = "harbour/rules.en.md"
IS_ROOT = os.geteuid() == 0


class Opened(NamedTuple):
    """An open index, and what was told while opening it."""

    found: Index
    told: list[str]


class Shelf(shelves.Shelf):
    """A corpus and the folder for its indexes."""

    def open(self) -> Opened:
        """Open the index, and see that it answers rightly."""
        found, told = self.opened()
        assert answers(found)
        return Opened(found, told)

    def edit(self, old: str, new: str, file: str = RULES) -> None:
        """Change a file of the corpus."""
        path = self.corpus / file
        path.write_text(Edit(file, old, new).apply(path.read_text("utf-8")), encoding="utf-8")


def answers(opened: Index) -> bool:
    """Whether an index finds what it should, and reads every part of it."""
    found = search(opened, "may routes cross")
    return (
        found.hits[0].record.name == "harbour/crossing-routes"
        and len(opened.records) == 6
        and opened.catalogue["harbour"]["terms"][0]["id"] == "route"
    )


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A corpus without an index."""
    return Shelf(write_corpus(tmp_path / "corpus"), tmp_path / "cache")


@pytest.fixture
def built(shelf: Shelf) -> Shelf:
    """A corpus with a fresh index."""
    shelf.open()
    return shelf


# --- when it is built -----------------------------------------------------------------------------------------------


def test_it_is_built_on_first_use_and_told(shelf: Shelf) -> None:
    assert shelf.open().told == ["building"]
    assert shelf.state.is_dir()


def test_it_is_not_built_again_when_nothing_changed(built: Shelf) -> None:
    before = {path: path.stat().st_mtime_ns for path in (built.home, built.state, *built.state.iterdir())}
    assert built.open().told == []
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_command_tells_that_it_builds_on_stderr_and_in_the_readers_language(shelf: Shelf) -> None:
    env = {"XDG_CACHE_HOME": str(shelf.cache)}
    first = rules("--lang", "es", "rutas", corpus=shelf.corpus, env=env)
    again = rules("--lang", "es", "rutas", corpus=shelf.corpus, env=env)
    assert (first.status, first.err.count("\n"), first.err.split(" (")[0]) == (0, 1, "Creando el índice")
    assert (again.status, again.err) == (0, "")
    assert first.out == again.out


def test_progress_is_told_after_every_run_of_entries(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "SMALLEST_RUN", 4)
    seen: list[tuple[int, int]] = []
    open_index(shelf.corpus, shelf.cache, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(4, 6), (6, 6)]


def changed(corpus: Path) -> None:
    path = corpus / RULES
    path.write_text(path.read_text("utf-8").replace("3 coins", "4 coins"), encoding="utf-8")


def added(corpus: Path) -> None:
    (corpus / "lanterns" / "glossary.toml").write_text("", encoding="utf-8")


def removed(corpus: Path) -> None:
    (corpus / "harbour" / "disputes.toml").unlink()


def renamed(corpus: Path) -> None:
    (corpus / "harbour" / "asks.en.toml").rename(corpus / "harbour" / "asks.fr.toml")


def game_renamed(corpus: Path) -> None:
    (corpus / "lanterns").rename(corpus / "lamps")


def moved_within(corpus: Path) -> None:
    """The same bytes in a row, but the border between two files elsewhere."""
    first, second = corpus / "harbour" / "disputes.toml", corpus / "harbour" / "faq.en.md"
    second.write_bytes(first.read_bytes()[-1:] + second.read_bytes())
    first.write_bytes(first.read_bytes()[:-1])


@pytest.mark.parametrize("change", [changed, added, removed, renamed, game_renamed, moved_within])
def test_every_change_of_the_corpus_makes_another_state(shelf: Shelf, change: Callable[[Path], None]) -> None:
    before = fingerprint(shelf.corpus)
    change(shelf.corpus)
    assert fingerprint(shelf.corpus) != before


@pytest.mark.parametrize("change", [changed, removed])
def test_a_changed_corpus_is_indexed_anew_and_the_change_is_found(built: Shelf, change: Callable[[Path], None]) -> None:
    before = built.state
    change(built.corpus)
    opened = built.open()
    assert opened.told[0] == "building"
    assert opened.found.folder == built.state != before
    if change is changed:
        record = opened.found.find("harbour/trade-routes")
        assert record is not None
        assert "Pay 4 coins." in record.body("en").plain


@pytest.mark.parametrize("name", ["ANALYSIS_VERSION", "INDEX_VERSION", "ENGINE", "__version__"])
def test_another_version_of_what_made_it_makes_another_state(
    built: Shelf, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(state, name, "another")
    assert built.open().told == ["building"]
    assert built.open().told == []


def test_what_is_not_read_does_not_matter(built: Shelf) -> None:
    os.utime(built.corpus / RULES, (1, 1))
    (built.corpus / "NOTICE.md").write_text("x", encoding="utf-8")
    (built.corpus / "harbour" / "notes.txt").write_text("x", encoding="utf-8")
    (built.corpus / ".git").mkdir()
    (built.corpus / ".git" / "x.md").write_text("x", encoding="utf-8")
    (built.corpus / "elsewhere").symlink_to(built.cache)
    (built.corpus / "harbour" / "link.md").symlink_to(built.corpus / RULES)
    assert built.open().told == []


def test_two_corpora_have_indexes_of_their_own(built: Shelf, tmp_path: Path) -> None:
    other = Shelf(write_corpus(tmp_path / "other"), built.cache)
    assert other.open().told == ["building"]
    assert built.open().told == []


def test_a_corpus_with_faults_is_indexed_as_far_as_it_is_sound_and_told(tmp_path: Path) -> None:
    root = write_corpus(tmp_path / "corpus", Edit("lanterns/rules.en.md", "2 spaces", "2 <b>spaces</b>"))
    notes: list[Note] = []
    opened = open_index(root, tmp_path / "cache", notes.append)
    assert [note.key for note in notes] == ["building", "problems"]
    assert opened.find("lanterns/light") is None
    assert opened.find("lanterns/wind") is not None


def test_a_corpus_without_a_sound_entry_is_refused_with_its_problems(tmp_path: Path) -> None:
    (tmp_path / "corpus" / "g").mkdir(parents=True)
    (tmp_path / "corpus" / "g" / "rules.en.md").write_text("nothing", encoding="utf-8")
    with pytest.raises(CorpusInvalid) as caught:
        open_index(tmp_path / "corpus", tmp_path / "cache")
    assert caught.value.problems
    assert not list((tmp_path / "cache").rglob("*.seg"))


# --- whole or not there ---------------------------------------------------------------------------------------------


def kills(shelf: Shelf, stride: int = 1) -> Iterator[int]:
    """Build again and again, each time killed one step later or more, until a build comes through."""
    for step in range(1, 1000, stride):

        def work(step: int = step) -> None:
            killed_at(step, shelf.cache)
            shelf.open()

        status = in_a_child(work)
        assert status in (0, -signal.SIGKILL)
        if not status:
            return
        yield step


def test_a_build_killed_at_any_step_leaves_the_earlier_state_whole_and_the_next_command_works(built: Shelf) -> None:
    old, text = built.state, (built.corpus / RULES).read_text("utf-8")
    changed(built.corpus)
    new = built.state
    for step in kills(built):
        assert open_state(old).store.documents == 6
        if new.exists():  # killed after it was put in place: then it is whole
            assert answers(open_state(new))
            shutil.rmtree(new)
        if step % 5 == 0:
            assert built.open().told == ["building"]
            shutil.rmtree(new)
    assert step > 10, "the build was hardly ever killed"
    (built.corpus / RULES).write_text(text, encoding="utf-8")
    assert built.open().told == []


def test_what_killed_builds_left_is_removed_once_it_is_old(built: Shelf) -> None:
    changed(built.corpus)
    for _ in kills(built, 5):
        pass
    left = [path for path in built.home.iterdir() if path.name.startswith(("new-", "old-"))]
    assert left
    for path in left[1:]:
        os.utime(path, (1, 1))
    built.edit("4 coins", "5 coins")
    built.open()
    assert [path for path in left if path.exists()] == left[:1], "a young one may be at work"


def test_a_repair_killed_at_any_step_leaves_nothing_half(built: Shelf) -> None:
    outcomes = []
    damage(built)
    for _ in kills(built, 2):
        outcomes.append(built.open().told)
        shutil.rmtree(built.state)
        built.open()
        damage(built)
    assert len(outcomes) > 8
    assert outcomes.count(["building"]) >= 1, "killed with the damage taken away and nothing there yet"
    assert outcomes.count(["damaged", "building"]) == len(outcomes) - outcomes.count(["building"])
    assert built.open().told == []


def test_an_earlier_index_that_goes_while_the_next_is_made_of_it_is_done_without(
    built: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another command has found it damaged, say, and put its own in that place: parts not yet read are gone."""
    real = change

    def gone(earlier: Index, *rest: Any) -> Any:
        assert earlier.folder and earlier.outlines
        shutil.rmtree(earlier.folder)
        del earlier.outlines  # it is asked for again, as other parts are for the first time
        return real(earlier, *rest)

    monkeypatch.setattr(building, "change", gone)
    built.edit("3 coins", "4 coins")
    assert built.open().told == ["building"]


def damage(shelf: Shelf) -> None:
    """Change a file of the index behind its seal."""
    (shelf.state / "games.json").write_bytes(b"{}")


@pytest.mark.parametrize("count", [2, 8])
@pytest.mark.parametrize("damaged", [False, True])
def test_commands_that_start_at_once_all_answer(shelf: Shelf, count: int, damaged: bool) -> None:
    if damaged:
        shelf.open()
        damage(shelf)

    def work() -> None:
        assert shelf.open().found.folder == shelf.state, "not in memory"

    assert together(*[work] * count) == [0] * count
    assert [path.name for path in shelf.home.iterdir()] == [shelf.state.name], "nothing else is left"
    assert shelf.open().told == []


def test_two_commands_that_start_at_once_on_an_empty_cache(shelf: Shelf) -> None:
    env = environment(XDG_CACHE_HOME=str(shelf.cache))
    args = [*command(shelf.corpus), "--json", "may", "routes", "cross"]
    both = [subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) for _ in range(2)]
    (out, err), (other, other_err) = (process.communicate(timeout=60) for process in both)
    assert [process.returncode for process in both] == [0, 0], err + other_err
    assert out == other


def test_a_build_that_fails_leaves_nothing(shelf: Shelf) -> None:
    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_index(shelf.corpus, shelf.cache, progress=stop)
    assert not shelf.home.exists()


# --- damage ---------------------------------------------------------------------------------------------------------

DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "truncated": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
    "a bit flipped at the start": lambda data: bytes([data[0] ^ 1]) + data[1:] if data else data,
    "a bit flipped in the middle": lambda data: (
        data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 16]) + data[len(data) // 2 + 1 :] if data else data
    ),
    "emptied": lambda data: b"",
    "garbage": lambda data: b"\x93garbage\0" * (len(data) // 9 + 1),
    "removed": lambda data: None,
}


@pytest.mark.parametrize("how", DAMAGES)
def test_damage_to_any_file_is_noticed_and_mended(built: Shelf, how: str) -> None:
    files = len(list(built.state.iterdir()))
    assert files >= 6
    for number in range(files):
        name = sorted(path.name for path in built.state.iterdir())[number]  # Whoosh names some by chance
        whole = (built.state / name).read_bytes()
        damaged = DAMAGES[how](whole)
        if damaged == whole:
            continue
        (built.state / name).unlink()
        if damaged is not None:
            (built.state / name).write_bytes(damaged)
        assert built.open().told == ["damaged", "building"], name
        assert built.open().told == [], name


@pytest.mark.parametrize("what", ["[]", "{}", "null", "3", '{"games.json": 5}', "[" * 100_000, "\0"])
def test_a_seal_that_is_none(built: Shelf, what: str) -> None:
    (built.state / "seal.json").write_text(what, encoding="utf-8")
    assert built.open().told == ["damaged", "building"]


def test_the_command_tells_of_damage_and_answers(built: Shelf) -> None:
    env = {"XDG_CACHE_HOME": str(built.cache)}
    whole = rules("routes", corpus=built.corpus, env=env)
    for folder in (built.cache / "ruleslawyer" / "index").glob("*/*"):
        (folder / "dictionary.json").write_bytes(b"")
    mended = rules("routes", corpus=built.corpus, env=env)
    assert mended.err.startswith("The index is damaged (dictionary.json); building it again\n")
    assert mended.out == whole.out


def resealed(folder: Path) -> None:
    (folder / "seal.json").unlink()
    state.seal(folder)


@pytest.mark.parametrize("name", ["dictionary.json", "games.json"])
def test_parts_of_another_shape_behind_a_right_seal(built: Shelf, name: str) -> None:
    (built.state / name).write_text("[1]" if name == "dictionary.json" else "{", encoding="utf-8")
    resealed(built.state)
    assert built.open().told == ["damaged", "building"]


def test_an_index_of_a_future_engine_is_built_again(built: Shelf) -> None:
    """The format's number, which stands as four bytes after the check of word sizes, raised far beyond any known."""
    toc = toc_of(built.state)
    data = toc.read_bytes()
    at = next(n for n in range(len(data)) if data[n : n + 4] in (b"\xff\xff\xff\x91", b"\x91\xff\xff\xff"))
    toc.write_bytes(data[:at] + b"\x81\x00\x00\x00" + data[at + 4 :])
    resealed(built.state)
    assert built.open().told == ["damaged", "building"]


@pytest.mark.parametrize("where", ["state", "home"])
def test_a_file_in_place_of_a_folder(built: Shelf, where: str) -> None:
    path = built.state if where == "state" else built.home
    shutil.rmtree(path)
    path.write_text("in the way", encoding="utf-8")
    told = built.open().told
    assert told == (["damaged", "building"] if where == "state" else ["building", "unwritable"])


class Payload:
    """Unpickled, it makes a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.path),)


def toc_of(state: Path) -> Path:
    """The table of contents of an index, which Whoosh unpickles."""
    (toc,) = state.glob("*.toc")
    return toc


def with_payload(toc: bytes, mark: Path) -> bytes:
    """A table of contents whose pickled schema is replaced by the payload, all lengths kept."""
    start = toc.index(b"\x80\x02")
    payload = pickle.dumps(Payload(mark), 2)
    return toc[:start] + payload + toc[start + len(payload) :]


def test_the_payload_would_work(built: Shelf, tmp_path: Path) -> None:
    toc = toc_of(built.state)
    toc.write_bytes(with_payload(toc.read_bytes(), tmp_path / "mark"))
    with pytest.raises(Exception):  # noqa: B017  what Whoosh makes of it does not matter
        Store.open(built.state)
    assert (tmp_path / "mark").exists()


@pytest.mark.parametrize("how", ["in place", "beside", "without a seal", "with an empty seal"])
def test_a_foreign_pickle_is_not_opened(built: Shelf, tmp_path: Path, how: str) -> None:
    toc = toc_of(built.state)
    foreign = with_payload(toc.read_bytes(), tmp_path / "mark")
    (toc.with_name("_MAIN_99.toc") if how == "beside" else toc).write_bytes(foreign)
    if how == "without a seal":
        (built.state / "seal.json").unlink()
    elif how == "with an empty seal":
        (built.state / "seal.json").write_text("{}", encoding="utf-8")
    assert built.open().told == ["damaged", "building"]
    assert not (tmp_path / "mark").exists()


def test_an_index_that_goes_away_while_it_is_read(built: Shelf) -> None:
    opened = open_index(built.corpus, built.cache)
    shutil.rmtree(built.state)
    with pytest.raises(IndexDamaged) as caught:
        _ = opened.catalogue
    assert caught.value.hint == "run the command again"


# --- where nothing can be written -----------------------------------------------------------------------------------


@pytest.mark.parametrize("cache", ["/dev/null", "/dev/full", "/proc/self", "/proc/nothing/here"])
def test_nowhere_to_write_is_told_and_answered_from_memory(shelf: Shelf, cache: str) -> None:
    opened = Shelf(shelf.corpus, Path(cache) / "ruleslawyer").open()
    assert opened.told == ["building", "unwritable"]
    assert opened.found.folder is None


def test_the_command_without_a_place_for_its_index(shelf: Shelf) -> None:
    shelf.cache.write_text("a file", encoding="utf-8")
    env = {"XDG_CACHE_HOME": str(shelf.cache)}
    answer = rules("routes", corpus=shelf.corpus, env=env)
    assert answer.status == 0
    assert "Cannot write to " in answer.err
    assert "(Not a directory)" in answer.err
    assert rules("index", corpus=shelf.corpus, env=env).out.endswith("memory\n")
    assert rules("list", "terms", corpus=shelf.corpus, env=env).status == 0
    assert rules("info", corpus=shelf.corpus, env=env).status == 0


@pytest.mark.parametrize("limit", [0, 100, 3_000])
def test_a_full_disk(shelf: Shelf, limit: int) -> None:
    """No file of this process may grow beyond the limit, which fails as a full disk does: while writing."""

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        opened = shelf.open()
        assert (opened.told, opened.found.folder) == (["building", "unwritable"], None)

    assert in_a_child(work) == 0
    assert list(shelf.home.iterdir()) == [], "no half index is left"


@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_a_folder_that_may_not_be_written_or_entered(mode: int) -> None:
    """As somebody who is not root, since root may do everything."""
    place = Path(tempfile.mkdtemp(prefix="rules-"))
    shelf = Shelf(write_corpus(place / "corpus"), place / "cache")
    place.chmod(0o755)
    shelf.cache.mkdir()
    shelf.cache.chmod(mode)
    building.build_in_memory(load(shelf.corpus).corpus, no_progress)  # imports what it needs while it may

    def work() -> None:
        if IS_ROOT:
            os.setuid(65534)
        opened = shelf.open()
        assert (opened.told, opened.found.folder) == (["building", "unwritable"], None)

    try:
        assert in_a_child(work) == 0
    finally:
        shelf.cache.chmod(0o755)
        shutil.rmtree(place)


# --- whose it is ----------------------------------------------------------------------------------------------------


def test_it_is_the_users_alone(built: Shelf) -> None:
    assert stat.S_IMODE(built.home.stat().st_mode) == 0o700
    assert stat.S_IMODE(built.state.stat().st_mode) == 0o700


@pytest.mark.parametrize("which", ["home", "state"])
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_to_is_refused(built: Shelf, which: str, mode: int) -> None:
    folder = built.home if which == "home" else built.state
    folder.chmod(mode)
    with pytest.raises(IndexUnsafe) as caught:
        built.open()
    assert caught.value.message == f"{folder} can be written to by others"
    assert caught.value.hint == f"run: chmod go-w {folder}"
    folder.chmod(0o700)
    assert built.open().told == []


def test_a_folder_above_that_anybody_may_write_to_is_refused(built: Shelf) -> None:
    above = built.home.parent
    mode = stat.S_IMODE(above.stat().st_mode)
    above.chmod(0o777)
    with pytest.raises(IndexUnsafe, match="can be changed by others"):
        built.open()
    above.chmod(0o1777)
    assert built.open().told == [], "as in /tmp, only owners can rename what is theirs"
    above.chmod(mode)


def test_a_link_in_place_of_an_index_is_refused(built: Shelf, tmp_path: Path) -> None:
    moved = built.state.rename(tmp_path / "elsewhere")
    built.state.symlink_to(moved)
    with pytest.raises(IndexUnsafe, match="is a link"):
        built.open()


def test_a_folder_that_others_may_write_to_is_refused_before_anything_is_built(shelf: Shelf) -> None:
    shelf.home.mkdir(parents=True)
    shelf.home.chmod(0o777)
    notes: list[Note] = []
    with pytest.raises(IndexUnsafe):
        open_index(shelf.corpus, shelf.cache, notes.append)
    assert (notes, list(shelf.home.iterdir())) == ([], [])


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a folder away")
@pytest.mark.parametrize("which", ["home", "state"])
def test_a_folder_of_somebody_else_is_refused(built: Shelf, which: str) -> None:
    folder = built.home if which == "home" else built.state
    os.chown(folder, 12345, -1)
    with pytest.raises(IndexUnsafe, match="belongs to another user") as caught:
        built.open()
    assert "XDG_CACHE_HOME" in caught.value.hint


def test_the_command_refuses_with_the_next_step(shelf: Shelf) -> None:
    env = {"XDG_CACHE_HOME": str(shelf.cache)}
    rules("routes", corpus=shelf.corpus, env=env)
    (home,) = (shelf.cache / "ruleslawyer" / "index").iterdir()
    home.chmod(0o777)
    refused = rules("routes", corpus=shelf.corpus, env=env)
    assert (refused.status, refused.out) == (3, "")
    assert refused.err == f"rules: {home} can be written to by others\nrules: run: chmod go-w {home}\n"
    home.chmod(0o700)
    assert rules("routes", corpus=shelf.corpus, env=env).status == 0


# --- earlier states -------------------------------------------------------------------------------------------------


def test_old_states_are_dropped_and_the_newest_stay(shelf: Shelf) -> None:
    states = []
    for n in range(building.KEEP + 3):
        shelf.edit(f"{n + 3} coins", f"{n + 4} coins")
        shelf.open()
        os.utime(shelf.state, (n + 1, n + 1))
        states.append(shelf.state)
    assert [folder for folder in states if folder.exists()] == states[-1 - building.KEEP :]


def test_going_back_to_an_earlier_state_builds_nothing(built: Shelf) -> None:
    built.edit("3 coins", "4 coins")
    assert built.open().told == ["building"]
    built.edit("4 coins", "3 coins")
    assert built.open().told == []


def test_a_build_on_request(built: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    env = {"XDG_CACHE_HOME": str(built.cache)}
    assert rules("index", corpus=built.corpus, env=env).err.startswith("Building the index")
    assert rules("index", corpus=built.corpus, env=env).err == ""
    forced = rules("index", "--force", corpus=built.corpus, env=env)
    assert forced.err.startswith("Building the index")
    assert forced.out.startswith("6 entries, ")
