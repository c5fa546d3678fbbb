"""A Word file, unpacked with care: only the parts that hold text, never more of them than memory bears, no outside entity.

Nothing that a document refers to is ever fetched: addresses of links are text, pictures are not opened.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from pathlib import Path
from typing import IO, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from ruleslawyer.errors import DataProblem

MAX_MEMBERS = 10_000
MAX_TOTAL = 1_000_000_000
"""Bytes of all parts unpacked, by their own account; pictures are most of it and are not unpacked."""

MAX_PART = 64_000_000
MAX_RATIO, RATIO_FROM = 250, 8_000_000
"""How far a part may be packed, once it is larger than this: text packs ten to forty times."""

MAX_DEPTH, MAX_ELEMENTS = 100, 2_000_000

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_SAVE = "open it in Word or LibreOffice and save it as .docx"
_PREFIXES = (
    (re.compile(r"http://(?:schemas\.openxmlformats|purl\.oclc)\.org/(?:ooxml/)?wordprocessingml(?:/2006)?/main"), ""),
    (re.compile(r"http://(?:schemas\.openxmlformats|purl\.oclc)\.org/(?:ooxml/)?officeDocument(?:/2006)?/math"), "m:"),
    (re.compile(r"http://(?:schemas\.openxmlformats|purl\.oclc)\.org/(?:ooxml/)?officeDocument(?:/2006)?/rel.*"), "r:"),
)


class Archive:
    """The parts of a Word file as trees; names of elements and attributes of Word itself bear no prefix.

    Raises:
        DataProblem: the file is no Word document, or one that cannot or must not be read; the hint says what to do.
    """

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._file = _open(path)
        try:
            self._check()
            self.main = self._main_part()
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def part(self, name: str) -> Element | None:
        """The tree of a part, ``None`` if the file has none of this name.

        Raises:
            DataProblem: it is damaged, too large, or not plain XML.
        """
        try:
            info = self._file.getinfo(name)
        except KeyError:
            return None
        return _tree(self._unpacked(info), self._name)

    def beside_main(self, name: str) -> Element | None:
        """A part in the folder of the main one, e.g. ``styles.xml``."""
        return self.part(posixpath.join(posixpath.dirname(self.main), name))

    def addresses(self) -> dict[str, str]:
        """The targets of the main part's links, by the id it uses for them."""
        rels = self.beside_main(f"_rels/{posixpath.basename(self.main)}.rels")
        found = [] if rels is None else [r for r in rels if r.get("TargetMode") == "External"]
        return {r.get("Id", ""): r.get("Target", "") for r in found if r.get("Type", "").endswith("/hyperlink")}

    def _check(self) -> None:
        infos = self._file.infolist()
        total = sum(info.file_size for info in infos)
        if len(infos) > MAX_MEMBERS:
            self._refuse(f"holds {len(infos)} parts, more than any document", "")
        if total > MAX_TOTAL:
            self._refuse(f"would unpack to {total // 1_000_000} MB", "remove the pictures and save it again")
        if any(info.flag_bits & 1 for info in infos):
            self._refuse("is locked with a password", "save it without one")

    def _main_part(self) -> str:
        names = set(self._file.namelist())
        if "mimetype" in names:
            self._refuse("is no Word document, but an OpenDocument file or e-book", _SAVE)
        rels = self.part("_rels/.rels")
        targets = [r.get("Target", "") for r in rels or () if r.get("Type", "").endswith("/officeDocument")]
        main = next((name for target in targets if (name := target.lstrip("/")) in names), "word/document.xml")
        if main not in names:
            self._refuse("is no Word document", f"it is another kind of file; {_SAVE}")
        types = self.part("[Content_Types].xml")
        said = next((t.get("ContentType", "") for t in types or () if t.get("PartName", "").lstrip("/") == main), "")
        if "macroEnabled" in said:
            self._refuse("is a document with macros (.docm)", _SAVE)
        if said and "wordprocessingml" not in said:
            self._refuse("is no Word document", f"it is another kind of file; {_SAVE}")
        return main

    def _unpacked(self, info: zipfile.ZipInfo) -> bytes:
        try:
            with self._file.open(info) as file:
                data = file.read(MAX_PART + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
            raise _damaged(self._name) from error
        packed = max(1, info.compress_size)
        if len(data) > MAX_PART or (len(data) > RATIO_FROM and len(data) // packed > MAX_RATIO):
            self._refuse(f"unpacks to more than any document: {info.filename}", "do not trust this file")
        return data

    def _refuse(self, what: str, hint: str) -> NoReturn:
        raise DataProblem(f"{self._name} {what}", hint)


def _open(path: Path) -> zipfile.ZipFile:
    try:
        with path.open("rb") as file:
            start = file.read(8)
            if start == _OLE:
                _refuse_ole(path.name, file)
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        if start.startswith(b"PK"):
            raise _damaged(path.name) from error
        raise DataProblem(f"{path.name} is no Word document (.docx)", f"if it is an older one, {_SAVE}") from error
    except (OSError, ValueError) as error:
        raise DataProblem(f"cannot read {path.name}: {error}", "look at the file and its permissions") from error


def _refuse_ole(name: str, file: IO[bytes]) -> NoReturn:
    if _ENCRYPTED in file.read(4_000_000):
        raise DataProblem(f"{name} is locked with a password", "open it in Word or LibreOffice and save it without one")
    raise DataProblem(f"{name} is a document of an older Word (.doc)", _SAVE)


def _damaged(name: str) -> DataProblem:
    return DataProblem(f"{name} is damaged or incomplete", f"get the file again, or {_SAVE}")


# --- XML --------------------------------------------------------------------------------------------------------------


class _Forbidden(Exception):
    """What no part of a Word file has."""


class _Parser:
    """Builds a tree from XML without a document type, not nested deeper nor larger than any document is."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()
        self._names: dict[str, str] = {}
        self._depth = self._count = 0
        self._expat = expat.ParserCreate(namespace_separator=" ")
        self._expat.buffer_text = True
        self._expat.StartDoctypeDeclHandler = self._doctype
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._builder.data

    def parse(self, data: bytes) -> Element:
        self._expat.Parse(data, True)
        return self._builder.close()

    def _doctype(self, *_: object) -> None:
        raise _Forbidden("a document type")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > MAX_DEPTH or self._count > MAX_ELEMENTS:
            raise _Forbidden("more elements, or deeper ones, than any document")
        self._builder.start(self._name(name), {self._name(key): value for key, value in attributes.items()})

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._builder.end(self._name(name))

    def _name(self, name: str) -> str:
        if name not in self._names:
            space, _, local = name.rpartition(" ")
            self._names[name] = _prefix(space) + local
        return self._names[name]


def _prefix(space: str) -> str:
    if not space or "/package/" in space:
        return ""
    return next((prefix for pattern, prefix in _PREFIXES if pattern.fullmatch(space)), "x:")


def _tree(data: bytes, name: str) -> Element:
    try:
        return _Parser().parse(data)
    except _Forbidden as error:
        raise DataProblem(f"{name} holds {error}", "do not trust this file") from error
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise _damaged(name) from error
