"""What is installed beside the project: listed with its licence, locked, and the engine the very one that was audited."""

from __future__ import annotations

import base64
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PAGE, LOCK = ROOT / "docs" / "licences.md", ROOT / "uv.lock"

PERMISSIVE = {"MIT", "MIT-CMU", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "PSF-2.0", "ISC"}
FOR_TOOLS = PERMISSIVE | {"MPL-2.0", "LGPL-3.0"}

SAID_AS = {
    "BSD license": {"BSD-3-Clause"},
    "BSD License": {"BSD-2-Clause", "BSD-3-Clause"},
    "MIT License": {"MIT"},
    "Apache License 2.0": {"Apache-2.0"},
    "Apache 2.0": {"Apache-2.0"},
    "Apache Software License": {"Apache-2.0"},
    "Mozilla Public License 2.0": {"MPL-2.0"},
    "GNU Lesser General Public License v3": {"LGPL-3.0"},
    "BSD-3-Clause, Apache-2.0, dependency licenses": {"BSD-3-Clause AND Apache-2.0"},
}
"""What packages say that give no licence expression, and what it can mean."""

MENDED = {
    "jinja2": (3, 1, 6),  # CVE-2025-27516: a way out of the sandbox
    "markdown-it-py": (2, 2, 0),  # CVE-2023-26302, CVE-2023-26303: crashes on hostile text
    "pygments": (2, 15, 1),  # CVE-2022-40896: hours on hostile text
    "reportlab": (3, 6, 13),  # CVE-2023-33733: runs what a colour's name says
    "pillow": (11, 3, 0),  # CVE-2025-48379: writes beyond a buffer
    "filelock": (3, 20, 1),  # CVE-2025-68146: follows a link put in place of a lock
}
"""The first releases without the faults that were published of what we use."""

AUDITED_WHEEL = "fb9656781a8f42a6ddc273e6e9e456edd0ad8976f4899d9593c424b59a445539"
AUDITED_FILES = "77be73cc242f54737531331791f6765ffeb382cd5ba1e6ceccc2547c61d37252"
"""SHA-256 of the audited wheel of the engine, and of the sorted lines of its RECORD that name files of the package."""

pytestmark = pytest.mark.skipif(not LOCK.exists(), reason="the source archive has no lock file")


class Row(NamedTuple):
    """A line of the page."""

    group: str
    licence: str


def rows() -> dict[str, Row]:
    """The page by package."""
    found = re.findall(r"^\| ([a-z0-9-]+) \| ([a-z]+) \| ([^|]+) \| [^|]+ \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {name: Row(group, licence.strip()) for name, group, licence in found if name != "package"}


def locked() -> dict[str, Mapping[str, Any]]:
    """The packages of the lock file by name."""
    return {package["name"]: package for package in tomllib.loads(LOCK.read_text("utf-8"))["package"]}


def closure(names: list[str], packages: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The packages and all that they need."""
    found: set[str] = set()
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            names += [needed["name"] for needed in packages[name].get("dependencies", [])]
    return found


def test_every_locked_package_is_listed_under_what_brings_it() -> None:
    packages, page = locked(), rows()
    ours = packages["ruleslawyer"]
    groups = {"always": ours.get("dependencies", []), **ours.get("optional-dependencies", {})}
    seen: dict[str, str] = {}
    for group in sorted(groups, key=lambda name: (name != "always", name == "dev", name)):
        for name in closure([needed["name"] for needed in groups[group]], packages):
            seen.setdefault(name, group)
    assert {name: row.group for name, row in page.items()} == seen


def test_every_licence_fits() -> None:
    for name, row in rows().items():
        allowed = FOR_TOOLS if row.group == "dev" else PERMISSIVE
        assert set(re.split(r" AND | OR ", row.licence)) <= allowed, name


def installed() -> Iterator[tuple[str, Distribution]]:
    for name in rows():
        try:
            yield name, distribution(name)
        except PackageNotFoundError:
            continue


def said(found: Distribution) -> str:
    """The licence that a package states: an expression, a field, a classifier, or the first line of its licence file."""
    metadata = found.metadata
    classifiers = [c.split(" :: ")[-1] for c in metadata.get_all("Classifier", []) if c.startswith("License ::")]
    (expression, *_), (field, *_) = (metadata.get_all(key) or [""] for key in ("License-Expression", "License"))
    files = [file for file in found.files or [] if re.search(r"dist-info/(?:licenses/)?LICENSE", str(file))]
    text = Path(str(files[0].locate())).read_text("utf-8").split("\n")[0] if files else ""
    return str(expression or (field if field and "\n" not in field else "") or next(iter(classifiers), text.strip()))


def test_every_installed_package_states_the_licence_that_is_listed() -> None:
    page, checked = rows(), 0
    for name, found in installed():
        stated = said(found).split(" (")[0]
        assert page[name].licence in SAID_AS.get(stated, {stated}), f"{name} says {stated!r}"
        checked += 1
    assert checked > 10


def version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def test_nothing_locked_or_installed_has_a_published_fault() -> None:
    packages = locked()
    for name, first in MENDED.items():
        if name in packages:
            assert version(packages[name]["version"]) >= first, name
    for name, found in installed():
        assert version(found.version) >= MENDED.get(name, ()), name


def test_the_lock_file_pins_the_audited_engine() -> None:
    engine = locked()["whoosh3"]
    assert engine["version"] == "3.54.0"
    assert [wheel["hash"] for wheel in engine["wheels"]] == [f"sha256:{AUDITED_WHEEL}"]


def test_every_installed_file_of_the_engine_is_the_audited_one() -> None:
    try:
        engine = distribution("whoosh3")
    except PackageNotFoundError:
        pytest.skip("another fork of Whoosh is installed")
    record = engine.read_text("RECORD") or ""
    lines = sorted(line for line in record.splitlines() if line.startswith("whoosh/") and ".pyc," not in line)
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == AUDITED_FILES
    for line in lines:
        name, digest, _size = line.rsplit(",", 2)
        content = Path(str(engine.locate_file(name))).read_bytes()
        found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert digest == f"sha256={found}", name


def test_every_locked_file_has_a_hash() -> None:
    for name, package in locked().items():
        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        assert name == "ruleslawyer" or files
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", file["hash"]) for file in files), name
