"""What is handed out: the wheel and the source archive hold all that is needed, and the installed command works.

The build needs the build backend from the package index. Where there is no network the tests are skipped, in CI they fail.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

import pytest

from commands import environment, no_traceback
from ruleslawyer import __version__

ROOT = Path(__file__).parents[1]
NAME = f"ruleslawyer-{__version__}"
NOT_COPIED = shutil.ignore_patterns(
    ".*cache*", ".venv", ".ci-*", ".git", "__pycache__", "dist", "build", ".hypothesis", "node_modules"
)


class Built(NamedTuple):
    """The archives that were built."""

    wheel: Path
    sdist: Path


def bin_of(folder: Path) -> Path:
    """Where a virtual environment keeps its commands."""
    return folder / ("Scripts" if os.name == "nt" else "bin")


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the build backend."""
    folder = tmp_path_factory.mktemp("backend")
    venv.create(folder, with_pip=True)
    python = bin_of(folder) / "python"
    got = subprocess.run(
        [python, "-m", "pip", "install", "-q", "hatchling>=1.27"], capture_output=True, text=True, timeout=300
    )
    if got.returncode:
        message = f"the build backend cannot be had here: {got.stderr.strip()[-300:]}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    return python


def build(backend: Path, source: Path, target: Path, *kinds: str) -> None:
    """Build a source folder into archives."""
    wanted = [argument for kind in kinds for argument in ("-t", kind)]
    done = subprocess.run(
        [backend, "-m", "hatchling", "build", "-d", str(target), *wanted],
        cwd=source,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(backend: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Wheel and source archive, built from a copy of the repository."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(ROOT, folder / "copy", ignore=NOT_COPIED)
    build(backend, folder / "copy", folder / "dist", "sdist", "wheel")
    return Built(folder / "dist" / f"{NAME}-py3-none-any.whl", folder / "dist" / f"{NAME}.tar.gz")


def wheel_files(wheel: Path) -> dict[str, bytes]:
    """Everything in a wheel but the list of its own contents."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


def test_the_wheel_holds_the_package_its_data_and_the_licences(built: Built) -> None:
    files = wheel_files(built.wheel)
    info = f"{NAME}.dist-info"
    for folder, target in (("corpus", "ruleslawyer/corpus"), ("site/locales", "ruleslawyer/site/locales")):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                assert files[f"{target}/{path.relative_to(ROOT / folder).as_posix()}"] == path.read_bytes()
    for path in (ROOT / "src" / "ruleslawyer").glob("*.py"):
        assert files[f"ruleslawyer/{path.name}"] == path.read_bytes()
    assert files[f"{info}/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    assert files[f"{info}/licenses/corpus/NOTICE.md"] == (ROOT / "corpus" / "NOTICE.md").read_bytes()
    assert "ruleslawyer/py.typed" in files


def test_the_wheel_holds_nothing_else(built: Built) -> None:
    files = wheel_files(built.wheel)
    assert {name.split("/")[0] for name in files} == {"ruleslawyer", f"{NAME}.dist-info"}
    assert [name for name in files if "__pycache__" in name or "/test" in name or "/." in name] == []
    assert sum(map(len, files.values())) < 20_000_000


def test_the_wheel_says_what_it_is_and_needs(built: Built) -> None:
    files = wheel_files(built.wheel)
    metadata = Parser().parsestr(files[f"{NAME}.dist-info/METADATA"].decode())
    assert (metadata["Name"], metadata["Version"]) == ("ruleslawyer", __version__)
    assert metadata["Requires-Python"] == ">=3.11"
    assert "whoosh3==3.54.0" in metadata.get_all("Requires-Dist", [])
    assert files[f"{NAME}.dist-info/entry_points.txt"].decode().split("\n")[:2] == [
        "[console_scripts]",
        "rules = ruleslawyer.__main__:run",
    ]


def test_the_source_archive_builds_the_same_wheel(built: Built, backend: Path, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    source = tmp_path / NAME
    for name in (
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "docs/corpus.md",
        "tests/test_packaging.py",
        "site/locales/en.json",
        "tests/fuzz/data/a-key-of-17-parts.toml",
    ):
        assert (source / name).is_file(), name
    build(backend, source, tmp_path / "dist", "wheel")
    assert wheel_files(tmp_path / "dist" / built.wheel.name) == wheel_files(built.wheel)


def test_the_same_sources_give_the_same_bytes_wherever_and_whenever_they_are_built(
    built: Built, backend: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment that archives bear is ``SOURCE_DATE_EPOCH``; nothing else of the machine is in them."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    first, results = shutil.copytree(ROOT, tmp_path / "first", ignore=NOT_COPIED), []
    for place, moment, mask, zone in (
        ("one", 981_173_106, 0o022, "UTC"),
        ("an other/place", 1, 0o077, "Asia/Shanghai"),
    ):
        source = Path(shutil.copytree(first, tmp_path / place / "copy"))
        for path in source.rglob("*"):
            os.utime(path, (moment, moment))
            path.chmod((0o777 if path.is_dir() or os.access(path, os.X_OK) else 0o666) & ~mask)
        monkeypatch.setenv("TZ", zone)
        before = os.umask(mask)
        try:
            build(backend, source, tmp_path / place / "dist", "sdist", "wheel")
        finally:
            os.umask(before)
        results.append([(tmp_path / place / "dist" / path.name).read_bytes() for path in built])
    assert results[0] == results[1]


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel, and the libraries of the one that runs the tests."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=True)
    python = bin_of(folder) / "python"
    done = subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(built.wheel)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (own,) = folder.glob("lib/python*/site-packages") if os.name == "posix" else [folder / "Lib" / "site-packages"]
    (own / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def installed_rules(folder: Path, place: Path, *args: str) -> str:
    """Run the installed command in a folder that has nothing to do with the project."""
    done = subprocess.run(
        [bin_of(folder) / "rules", *args],
        cwd=place,
        capture_output=True,
        text=True,
        env=environment(XDG_CACHE_HOME=str(place / "cache"), PYTHONPATH=""),
        timeout=60,
    )
    no_traceback(done.stderr)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_installed_command_answers_from_another_folder(installed: Path, tmp_path: Path) -> None:
    assert "beyond-the-sun/tie-break" in installed_rules(installed, tmp_path, "tie", "breaker")
    info = json.loads(installed_rules(installed, tmp_path, "info", "--json"))
    assert Path(info["corpus"]["path"]).is_relative_to(installed.resolve())
    assert info["version"] == __version__
    assert installed_rules(installed, tmp_path, "check").endswith(": no problem\n")
    assert "Fuentes" in installed_rules(installed, tmp_path, "--lang", "es", "empate")
    assert sys.executable != str(bin_of(installed) / "python")
