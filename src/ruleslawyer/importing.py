"""A rulebook's file -> a private pack: read, cut into entries, and written so that no moment leaves it half done.

First ``game.toml`` gets the new source, then the sheet takes its place; each file is written beside its place, made safe on
disk and renamed. A new pack is made in a hidden folder first.
"""

from __future__ import annotations

import datetime
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import NamedTuple

from ruleslawyer.corpus import load
from ruleslawyer.drafting import Draft, drafts
from ruleslawyer.errors import DataProblem, Problem, UsageProblem, nearest
from ruleslawyer.gamewriting import NewSource, game_file, sources_of, title_of
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.library import refuse_id, tidy_title
from ruleslawyer.manuscript import Manuscript, Unread
from ruleslawyer.markdown import parse
from ruleslawyer.packfiles import write_pack
from ruleslawyer.packlock import locked
from ruleslawyer.packwriting import Changes, changes, retired, sheet, slug
from ruleslawyer.questions import plain
from ruleslawyer.recognising import kind_of, language_of
from ruleslawyer.textfile import MOST_BYTES
from ruleslawyer.words import words_in

Progress = Callable[[int, int], None]
"""Is told ``(pages done, pages in all)``."""

LONGEST_SOURCE = 40
"""Characters of a source's id."""


@dataclass(frozen=True)
class Order:
    """What a person asks for beside the file; empty: to be found out.

    ``game``: id of the pack; ``lang``: of the text; ``title``: of the game; ``encoding``: of a text file; ``force``: whether
    an earlier import of the file may be replaced.
    """

    game: str = ""
    lang: str = ""
    title: str = ""
    encoding: str = ""
    force: bool = False


@dataclass(frozen=True)
class Imported:
    """What an import made.

    ``state``: ``new`` (a new pack), ``added`` (to a pack there was), ``changed`` or ``unchanged`` (a file imported before);
    ``source``: the id of the file among the pack's sources; ``rules`` and ``faq`` count entries; ``earlier``: where the
    sheet before is kept; ``problems``: what is wrong with the pack as it is now, by whomever.
    """

    state: str
    game: str
    title: str
    lang: str
    source: str
    sheet: Path
    rules: int
    faq: int
    changes: Changes
    unread: tuple[Unread, ...]
    earlier: Path | None = None
    problems: tuple[Problem, ...] = ()


def import_file(
    path: Path,
    packs: Path,
    root: Path,
    order: Order,
    progress: Progress = lambda done, total: None,
    today: datetime.date | None = None,
) -> Imported:
    """Import a file into a private pack.

    Args:
        path: a PDF, Word, HTML, Markdown or text file.
        packs: the folder of the packs, made if it is missing.
        root: the corpus folder, whose games no pack may be named like.
        order: what the person said.
        progress: is told the pages of a PDF as they are read.
        today: the date to write down.

    Raises:
        UsageProblem: the file, the id or the language is none, or the file was imported before and would change.
        DataProblem: the file cannot be read, or the pack cannot be written; what was there is still there.
    """
    manuscript = read_manuscript(path, order.encoding, progress)
    lang = _language(path, manuscript, order.lang)
    title = tidy_title(order.title) or tidy_title(manuscript.title) or _name(path)
    game = order.game or slug(title) or slug(_name(path)) or "rulebook"
    refuse_id(game, root)
    made = drafts(manuscript, lang)
    if not made:
        raise DataProblem(f"there is no text in {path}", "nothing was changed")
    day = today or datetime.date.today()
    task = _Task(path, packs / game, lang, title, bool(order.title.strip()), made, manuscript.unread, day)
    with locked(packs, f"importing {path.name}"), _told(packs):
        imported = task.carry_out(order.force)
    return _checked(imported, packs, root)


def read_manuscript(path: Path, encoding: str = "", progress: Progress = lambda done, total: None) -> Manuscript:
    """Read a file by the reader for its kind; each brings its library only now.

    Raises:
        UsageProblem, DataProblem: as ``import_file``; also where that library is not installed.
    """
    kind = kind_of(path)
    try:
        return _read(path, kind, encoding, progress)
    except ModuleNotFoundError as error:
        hint = "install it: pip install pypdfium2"
        raise DataProblem(f"to read {path.name} {error.name} is needed, which is not installed", hint) from error


def _read(path: Path, kind: str, encoding: str, progress: Progress) -> Manuscript:
    if kind == "pdf":
        from ruleslawyer.pdfreading import read_pdf

        return read_pdf(path, progress)
    if kind == "docx":
        from ruleslawyer.docxreading import read_docx

        return read_docx(path)
    text = _decoded(path, encoding)
    if kind == "html":
        from ruleslawyer.htmlreading import read_html

        return read_html(text)
    if kind == "markdown":
        from ruleslawyer.markdownreading import read_markdown

        return read_markdown(text)
    from ruleslawyer.textreading import read_text_file

    return read_text_file(text)


def _decoded(path: Path, encoding: str) -> str:
    from ruleslawyer.decoding import decode

    try:
        return decode(path.read_bytes(), path.name, encoding)
    except OSError as error:
        raise DataProblem(f"cannot read {path}: {error.strerror}", "look at its permissions") from error


def _language(path: Path, manuscript: Manuscript, given: str) -> str:
    if given:
        if given not in LANGUAGES:
            raise UsageProblem(f"there is no language {given!r}", nearest(given, LANGUAGES))
        return given
    found = language_of("\n".join(plain(piece.text) for piece in manuscript.pieces))
    if not found:
        raise UsageProblem(
            f"the language of {path.name} cannot be told", f"say it: --lang {', --lang '.join(LANGUAGES)}"
        )
    return found


def _name(path: Path) -> str:
    """A file's name as a title."""
    name = path.stem.replace("_", " ")
    return tidy_title(name if " " in name else name.replace("-", " ")) or "rulebook"


def _checked(imported: Imported, packs: Path, root: Path) -> Imported:
    """With what the loader finds wrong in the pack as it is now."""
    return replace(imported, problems=load(root, packs).skipped.get(imported.game, ()))


@contextmanager
def _told(packs: Path) -> Iterator[None]:
    """An error in writing says that nothing was lost."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataProblem(
            f"cannot write to {packs}: {reason}", "free some space and try again; your packs are as before"
        ) from error


# --- one import -------------------------------------------------------------------------------------------------------


class _Written(NamedTuple):
    """What an import makes of the pack's files: the sheet's place, and the text of it and of ``game.toml`` before and after."""

    source: str
    sheet: Path
    before: str
    after: str
    game_before: str
    game: str


@dataclass(frozen=True)
class _Task:
    """An import whose file is read; ``named`` says that the person gave the title."""

    path: Path
    folder: Path
    lang: str
    title: str
    named: bool
    drafts: tuple[Draft, ...]
    unread: tuple[Unread, ...]
    today: datetime.date

    def carry_out(self, force: bool) -> Imported:
        """Write the pack; the lock is held."""
        if self.folder.is_symlink() or (self.folder.exists() and not self.folder.is_dir()):
            raise UsageProblem(f"{self.folder} is not a plain folder", "move it away, or choose another --game")
        made = self._made()
        state = self._state(made)
        differ = changes(made.before, made.after)
        if state == "changed" and not force:
            self._refuse(differ)
        earlier = _free(made.sheet) if state == "changed" else None
        if state != "unchanged" or made.game_before != made.game:
            kept = {earlier: made.before} if earlier else {}
            write_pack({self.folder / "game.toml": made.game, **kept, made.sheet: made.after}, self.folder)
        return self._imported(state, made, differ, earlier)

    def _imported(self, state: str, made: _Written, differ: Changes, earlier: Path | None) -> Imported:
        faq = sum(draft.kind == "faq" for draft in self.drafts)
        return Imported(
            state=state,
            game=self.folder.name,
            title=title_of(made.game, self.lang),
            lang=self.lang,
            source=made.source,
            sheet=made.sheet,
            rules=len(self.drafts) - faq,
            faq=faq,
            changes=differ,
            unread=self.unread,
            earlier=earlier,
        )

    def _made(self) -> _Written:
        game_before = _text(self.folder / "game.toml")
        source = self._source(game_before)
        place = self.folder / self._sheet_name(source)
        before = _text(place)
        game = game_file(game_before, self.title, self._new_source(source), self.today)
        return _Written(source, place, before, self._sheet(source, place, before), game_before, game)

    def _state(self, made: _Written) -> str:
        if not self.folder.exists():
            return "new"
        if not made.before:
            return "added"
        return "unchanged" if made.before == made.after else "changed"

    def _sheet_name(self, source: str) -> str:
        return f"rules-{source}.{self.lang}.md"

    def _source(self, game: str) -> str:
        """The id of this file among the sources: that of its earlier import, or a new one."""
        base = slug(self.path.stem, LONGEST_SOURCE) or "file"
        known = sources_of(game)
        candidates = (base if n == 1 else f"{base}-{n}" for n in count(1))
        return next(c for c in candidates if c not in known or (self.folder / self._sheet_name(c)).exists())

    def _new_source(self, source: str) -> NewSource:
        about = {lang: words_in(lang)("import.about", file=tidy_title(self.path.name)) for lang in LANGUAGES}
        return NewSource(source, "rulebook", self.lang, self.title, about)

    def _sheet(self, source: str, place: Path, before: str) -> str:
        taken: set[str] = set()
        for other in sorted(self.folder.glob("*.md")):
            if other != place and not other.name.startswith("."):
                text = _text(other)
                taken |= {section.id for section in parse(text, other.name)[0].sections} | {*retired(text)}
        front = parse(before, place.name)[0].front if before and not self.named else None
        title = front.title if front else self.title
        text = sheet(self.drafts, title=title, source=source, updated=self.today, before=before, taken=taken)
        for problem in parse(text, place.name)[1]:
            raise DataProblem(
                f"{self.path} makes a document with a fault: {problem}", "please report this; nothing was changed"
            )
        if len(text.encode()) > MOST_BYTES:
            raise DataProblem(
                f"{self.path.name} gives more than {MOST_BYTES // 1_000_000} MB of rules",
                "divide it; nothing was changed",
            )
        return text

    def _refuse(self, differ: Changes) -> None:
        counts = (
            f"{len(differ.added)} entries added, {len(differ.removed)} removed, {len(differ.changed)} changed, "
            f"{len(differ.renamed)} renamed"
        )
        raise UsageProblem(
            f"{self.path.name} was imported before and would change: {counts}",
            "--force replaces it and keeps the earlier text beside; to keep both, rename the file",
        )


# --- writing ----------------------------------------------------------------------------------------------------------


def _text(path: Path) -> str:
    """The text of a file of the pack, empty where there is none."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise DataProblem(f"{path} is not a plain file", "move it away; nothing was changed")
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise DataProblem(f"{path} is not UTF-8", "save it as UTF-8, or remove it") from error


def _free(sheet: Path) -> Path:
    """Where the earlier text of a sheet is kept: beside it, and never over one that is kept already."""
    names = (f".{sheet.name}.earlier" + (f"-{n}" if n > 1 else "") for n in count(1))
    return next(place for name in names if not (place := sheet.with_name(name)).exists())
