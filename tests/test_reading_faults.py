"""Files at fault in rare ways, and texts of rare shapes, are told or read by whatever reads them; nothing is lost unsaid."""

from __future__ import annotations

import io
import sys
import zipfile
from functools import partial
from pathlib import Path

import pytest

from corpora import write_corpus
from processes import in_a_child
from rulebooks import files_in
from ruleslawyer import pdfreading, sitefolder
from ruleslawyer.corpus import load
from ruleslawyer.docxreading import read_docx
from ruleslawyer.errors import DataProblem
from ruleslawyer.htmlreading import read_html
from ruleslawyer.listlevels import han
from ruleslawyer.manuscript import Unread
from ruleslawyer.markdownreading import read_markdown
from ruleslawyer.pdfreading import read_pdf
from ruleslawyer.rejoining import Rejoiner
from ruleslawyer.textreading import read_text_file

PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>"
FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
TEXT = "BT /F 12 Tf 40 200 Td (A lantern may not move in the fog of the harbour.) Tj ET"


def pdf(kids: str, count: int) -> bytes:
    """A PDF with these pages, of which object 3 is a sound one."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        PAGE,
        f"<< /Length {len(TEXT)} >>\nstream\n{TEXT}\nendstream",
        FONT,
    ]
    out, at = b"%PDF-1.4\n", []
    for n, content in enumerate(objects, 1):
        at.append(len(out))
        out += f"{n} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in at)
    start = f"xref\n0 6\n0000000000 65535 f \n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + start.encode()


def written(folder: Path, content: bytes, name: str = "rules.pdf") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(("kids", "count"), [("", 0), ("", 1), ("9 0 R", 1)])
def test_a_pdf_with_no_page_that_can_be_read_is_told_to_be_damaged(tmp_path: Path, kids: str, count: int) -> None:
    with pytest.raises(DataProblem, match="is cut off or damaged") as caught:
        read_pdf(written(tmp_path, pdf(kids, count)))
    assert caught.value.hint


def test_a_page_that_cannot_be_read_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    manuscript = read_pdf(written(tmp_path, pdf("3 0 R 9 0 R 3 0 R", 3)))
    assert manuscript.unread == (Unread(2, "broken_page", {}),)
    assert [(piece.text.split()[1], piece.page) for piece in manuscript.pieces] == [("lantern", 1), ("lantern", 3)]


def test_a_page_with_more_characters_than_are_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdfreading, "MAX_CHARS", 9)
    assert Unread(1, "cut_page", {"count": "9"}) in read_pdf(written(tmp_path, pdf("3 0 R", 1))).unread


def test_a_word_file_whose_parts_are_locked_is_told(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    content = bytearray(file.getvalue())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(DataProblem, match="locked with a password") as caught:
        read_docx(written(tmp_path, bytes(content), "rules.docx"))
    assert "without one" in caught.value.hint


def test_a_pack_that_cannot_be_read_is_told_and_the_bundled_games_are_read(tmp_path: Path) -> None:
    root, fog = write_corpus(tmp_path / "corpus"), tmp_path / "packs" / "fog"
    fog.mkdir(parents=True)
    (fog / "game.toml").symlink_to("game.toml")  # a link to itself
    loaded = load(root, tmp_path / "packs")
    assert [problem.file for problem in loaded.skipped["fog"]]
    assert set(loaded.corpus.games) == {"harbour", "lanterns"}


def test_where_a_new_site_cannot_take_its_place_the_old_one_is_put_back(tmp_path: Path) -> None:
    """As on a system that cannot exchange folders, where the second of the two renames fails."""
    target = tmp_path / "site"

    def site(text: bytes) -> dict[str, bytes]:
        return {"index.html": text, sitefolder.MARKER: sitefolder.marker(text.decode(), ["index.html"])}

    def fail(event: str, args: tuple[object, ...]) -> None:
        if event == "os.rename" and ".site-new-" in str(args[0]) and str(args[1]) == str(target):
            raise OSError(5, "Input/output error")

    def work() -> None:
        sys.platform = "other"
        sys.addaudithook(fail)
        with pytest.raises(DataProblem, match="Input/output error") as caught:
            sitefolder.write_folder(site(b"new"), target, lambda: None)
        assert caught.value.hint

    sitefolder.write_folder(site(b"old"), target, lambda: None)
    before = files_in(target)
    assert in_a_child(work) == 0
    assert files_in(target) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"], "nothing half is left"


def test_lines_that_end_in_a_dash_are_joined_without_a_space_and_keep_it() -> None:
    join = partial(Rejoiner(()).join)
    assert join(["the harbour—", "and the fog"]) == "the harbour—and the fog"
    assert join(["boats/", "ships"]) == "boats/ships"


def test_numbers_of_lists_that_have_no_numeral_are_digits() -> None:
    assert (han(99), han(100), han(0)) == ("九十九", "100", "0")
    shown = [piece.text for piece in read_html('<ol start="-1"><li>Fog<li>Sun</ol>').pieces]
    assert shown == ["-1. Fog", "Sun"]


def test_a_table_of_one_column_is_paragraphs() -> None:
    pieces = read_markdown("| Fog |\n| --- |\n| No boat moves. |\n| |\n").pieces
    assert [(piece.kind, piece.text) for piece in pieces] == [("p", "Fog"), ("p", "No boat moves.")]


def test_an_empty_list_item_and_a_blank_end_of_a_text_file_add_nothing() -> None:
    pieces = read_text_file("Fog\n\nNo boat moves.\n\n\n   \n\f\n").pieces
    assert [piece.text for piece in pieces] == ["Fog", "No boat moves."]
