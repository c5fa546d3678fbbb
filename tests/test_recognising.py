"""What kind a file is and what language its text is in: recognised, or asked about."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from rulebooks import REGLAS, RULES
from ruleslawyer.errors import RulesError, UsageProblem
from ruleslawyer.recognising import kind_of, language_of


def archive(path: Path, *names: str) -> Path:
    """A ZIP file with empty members."""
    with zipfile.ZipFile(path, "w") as file:
        for name in names:
            file.writestr(name, "")
    return path


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("rules.txt", b"Move 1 boat.", "text"),
        ("RULES", b"Move 1 boat.", "text"),
        ("rules.txt", b"%PDF-1.7\n", "pdf"),
        ("rules.pdf", b"not one", "pdf"),
        ("rules.txt", b"\xef\xbb\xbf<!DOCTYPE html><p>Move", "html"),
        ("rules.html", b"<p>Move 1 boat.", "html"),
        ("rules.md", b"# Moving\n", "markdown"),
        ("rules.txt", b"# Fog Harbour\n\n## Moving\n\nMove.\n", "markdown"),
        ("rules.log", b"Move 1 boat.", "text"),
        ("rules.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "docx"),
    ],
)
def test_the_kind_of_a_file_is_told_by_its_content_first(tmp_path: Path, name: str, content: bytes, kind: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert kind_of(path) == kind


def test_archives_are_told_apart(tmp_path: Path) -> None:
    assert kind_of(archive(tmp_path / "rules.bin", "[Content_Types].xml", "word/document.xml")) == "docx"
    for name, member in (("book.epub", "mimetype"), ("things.zip", "rules.txt")):
        with pytest.raises(UsageProblem, match=name):
            kind_of(archive(tmp_path / name, member))


@pytest.mark.parametrize("content", [b"\x89PNG\r\n", b"{\\rtf1 Move", b"GIF89a", b"Rar!\x1a", b"\x00\x01\x02\x03"])
def test_a_kind_that_cannot_be_read_says_what_can(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rules.bin"
    path.write_bytes(content)
    with pytest.raises(UsageProblem) as refused:
        kind_of(path)
    assert "PDF" in refused.value.hint


def test_what_is_no_file_or_too_large_is_refused_unread(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty.txt").touch()
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(2_000_000_000)
    for name, message in {
        "pipe": "not a file",
        "none.txt": "no file",
        "empty.txt": "empty",
        "huge.txt": "2000 MB",
    }.items():
        with pytest.raises(RulesError, match=message) as refused:
            kind_of(tmp_path / name)
        assert refused.value.hint
    with pytest.raises(UsageProblem, match="not a file"):
        kind_of(tmp_path)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        (RULES, "en"),
        (REGLAS, "es"),
        ("占领中央神殿的玩家可以再掷一次骰子。", "zh"),
        ("《Beyond the Sun》由 Dennis K. Chan 设计，支持 2–4 人，每位玩家轮流行动。", "zh"),
        ("Der Spieler mit den meisten Laternen gewinnt, und bei Gleichstand der mit den meisten Booten.", ""),
        ("Le joueur qui a le plus de lanternes gagne la partie et les autres joueurs perdent.", ""),
        ("O jogador com mais lanternas ganha a partida, não importa a posição dos barcos.", ""),
        ("灯りをともすプレイヤーがゲームに勝ちます。", ""),
        ("Setup", ""),
        ("123 !!", ""),
    ],
)
def test_the_language_of_a_text_is_recognised_or_left_open(text: str, lang: str) -> None:
    assert language_of(text) == lang
