"""Bytes -> text: nothing is read in the wrong encoding; what is not certain is asked."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from ruleslawyer.decoding import decode
from ruleslawyer.errors import DataProblem, RulesError, UsageProblem

opencc = pytest.importorskip("opencc")

CORPUS = Path(__file__).parents[1] / "corpus"
SEED = 20261130
_MARKUP = re.compile(r"\{#.*?\}|\]\([^)]*\)|^[#\-\s\d.>]+|[*`|\[\]]", re.MULTILINE)


def lines_of(lang: str) -> tuple[list[str], list[str]]:
    """All titles and all lines of the bundled rules in a language, without their marks."""
    texts = [path.read_text("utf-8").split("+++\n", 2)[2] for path in sorted(CORPUS.glob(f"*/*.{lang}.md"))]
    titles = [_MARKUP.sub("", line).strip() for text in texts for line in text.split("\n") if line.startswith("##")]
    every = [_MARKUP.sub("", line).strip() for text in texts for line in text.split("\n")]
    return titles, [line for line in every if line]


def snippets(lang: str, count: int = 120) -> list[str]:
    """Titles, and stretches of one to twenty lines, chosen at random but always the same."""
    chance = random.Random(SEED)
    titles, lines = lines_of(lang)
    found = chance.sample(titles, count // 2)
    for length in chance.choices((1, 1, 2, 5, 20), k=count // 2):
        start = chance.randrange(len(lines) - length)
        found.append("\n".join(lines[start : start + length]))
    return found


def outcome(data: bytes, meant: str) -> str:
    try:
        return "right" if decode(data, "rules.txt") == meant else "wrong"
    except UsageProblem:
        return "asked"
    except DataProblem:
        return "refused"


def measured(texts: list[str], encoding: str) -> Counter[str]:
    coded = ((text.encode(encoding, "ignore"), encoding) for text in texts)
    return Counter(outcome(data, data.decode(code)) for data, code in coded if not data.isascii())


def test_simplified_chinese_in_gb18030_is_recognised() -> None:
    found = measured(snippets("zh"), "gb18030")
    assert found.total() >= 60
    assert found["right"] >= 0.98 * found.total()
    assert found["wrong"] == 0


@pytest.mark.parametrize("encoding", ["big5", "gb18030"])
def test_traditional_chinese_is_recognised(encoding: str) -> None:
    convert = opencc.OpenCC("s2t").convert
    found = measured([convert(text) for text in snippets("zh")], encoding)
    assert found.total() >= 60
    assert found["right"] >= 0.98 * found.total()
    assert found["wrong"] == 0


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_spanish_in_latin_1_is_recognised(encoding: str) -> None:
    found = measured(snippets("es"), encoding)
    assert found.total() >= 60
    assert found["right"] >= 0.95 * found.total()
    assert found["wrong"] == found["refused"] == 0


def test_english_with_curly_quotes_in_windows_1252_is_recognised() -> None:
    texts = [re.sub(r"\b'|'\b", "’", text) for text in snippets("en", 240)]
    found = measured(texts, "cp1252")
    assert found.total() >= 15
    assert found["right"] >= 0.9 * found.total()
    assert found["wrong"] == 0


def test_spanish_from_an_old_macintosh_is_recognised_or_asked_about() -> None:
    found = measured(snippets("es"), "mac-roman")
    assert found["wrong"] <= 0.01 * found.total()


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_utf_8_is_never_taken_for_anything_else(lang: str) -> None:
    found = measured(snippets(lang), "utf-8")
    assert found["right"] == found.total()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("弃牌阶段", "gb18030"),
        ("骰子", "gb18030"),
        ("联通", "gb18030"),
        ("第3章 回合结束", "gb18030"),
        ("超越太陽", "big5"),
        ("遊戲結束時，分數最高的玩家獲勝。", "big5"),
        ("¿Quién gana el empate?", "latin-1"),
        ("ACCIÓN: 1ª fase, 2º jugador, «coste» 5 €", "cp1252"),
        ("The player’s turn – “pass” ends it…", "cp1252"),
        ("Sí", "cp1252"),
    ],
)
def test_short_texts_are_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), "r.txt") == text


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides(codec: str) -> None:
    assert decode("Sí, 弃牌\r\n".encode(codec), "r.txt") == "Sí, 弃牌\n"


def test_big_endian_marks_decide_too() -> None:
    assert decode("\ufeffSí".encode("utf-16-be"), "r.txt") == "Sí"
    assert decode("\ufeffSí".encode("utf-32-be"), "r.txt") == "Sí"


def test_where_two_readings_are_plausible_both_are_shown_and_the_choice_is_asked_for() -> None:
    with pytest.raises(UsageProblem) as caught:
        decode("ñ".encode("cp1252"), "r.txt")
    assert "windows-1252 reads “ñ”" in caught.value.message
    assert "cp850 reads “±”" in caught.value.message
    assert caught.value.hint.startswith("say which: --encoding ")


def test_every_encoding_in_a_question_can_be_answered_with() -> None:
    with pytest.raises(UsageProblem) as caught:
        decode("ñ".encode("cp1252"), "r.txt")
    for encoding in re.findall(r"([\w-]+) reads", caught.value.message):
        assert decode("ñ".encode("cp1252"), "r.txt", encoding)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("各プレイヤーは手札から1枚を捨て、山札から2枚引きます。", "shift_jis"),
        ("各プレイヤーは手札から1枚を捨て、山札から2枚引きます。", "euc-jp"),
        ("각 플레이어는 카드 한 장을 버리고 두 장을 뽑습니다.", "euc-kr"),
        ("Каждый игрок сбрасывает одну карту и берёт две.", "cp1251"),
        ("Κάθε παίκτης παίρνει δύο κάρτες και παίζει μία.", "cp1253"),
    ],
)
def test_other_languages_are_not_guessed_at_but_read_when_told(text: str, encoding: str) -> None:
    with pytest.raises(RulesError, match=r"encoding") as caught:
        decode(text.encode(encoding), "r.txt")
    assert "--encoding" in caught.value.hint
    assert decode(text.encode(encoding), "r.txt", encoding) == text


@pytest.mark.parametrize("declaration", ['<meta charset="shift_jis">', "<?xml version='1.0' encoding='Shift_JIS'?>"])
def test_a_page_is_believed_that_says_its_encoding(declaration: str) -> None:
    page = f"{declaration}<p>各プレイヤーは手札から1枚を捨てます。"
    assert decode(page.encode("cp932"), "r.html") == page


@pytest.mark.parametrize("said", ["iso-8859-1", "gb2312", "no-such"])
def test_a_page_that_is_wrong_about_its_encoding_is_not_believed(said: str) -> None:
    page = f'<meta http-equiv="Content-Type" content="text/html; charset={said}"><p>¿Quién gana? La acción más rápida.'
    assert decode(page.encode(), "r.html") == page


def test_an_unknown_encoding_names_the_nearest() -> None:
    with pytest.raises(UsageProblem, match=r"unknown encoding 'bog5'") as caught:
        decode(b"x", "r.txt", "bog5")
    assert "big5" in caught.value.hint


@pytest.mark.parametrize("encoding", ["hex", "rot13", "idna", "undefined", "unicode_escape", "x" * 200, "é", "a\0b"])
def test_what_is_no_encoding_of_files_is_unknown(encoding: str) -> None:
    with pytest.raises(UsageProblem, match="unknown encoding"):
        decode(b"x", "r.txt", encoding)


def test_bytes_that_are_not_of_the_encoding_given_name_the_line() -> None:
    with pytest.raises(DataProblem, match=r"r\.txt:2: not utf-8: byte 0xe9 at offset 4"):
        decode(b"one\n\xe9", "r.txt", "utf-8")


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (b"one\ntwo\0three", "understood are"),
        ("Regla 1".encode("utf-16-le"), "--encoding utf-16-le"),
        ("Regla 1".encode("utf-16-be"), "--encoding utf-16-be"),
        (random.Random(SEED).randbytes(5000), "understood are"),
    ],
)
def test_nul_bytes_are_no_text(data: bytes, hint: str) -> None:
    with pytest.raises(DataProblem, match="not a text") as caught:
        decode(data, "r.txt")
    assert hint in caught.value.hint


def test_high_bytes_at_random_are_no_text() -> None:
    data = bytes(random.Random(SEED).choices(range(160, 255), k=300))
    with pytest.raises(DataProblem, match="cannot be recognised"):
        decode(data, "r.txt")


def test_a_control_character_names_its_line() -> None:
    with pytest.raises(DataProblem, match=r"r\.txt:3: control character U\+0007"):
        decode(b"one\r\ntwo\r\nthr\x07ee", "r.txt")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029", "\x0b"])
def test_every_line_end_is_a_line_end(end: str) -> None:
    assert decode(f"one{end}two".encode(), "r.txt") == "one\ntwo"


@pytest.mark.parametrize("text", ["Каждый игрок", "Gain 1 🎲", "★", "a\ue001b", "Κάθε παίκτης παίρνει δύο κάρτες"])
def test_utf_8_is_read_in_any_language(text: str) -> None:
    assert decode(text.encode(), "r.txt") == text


def test_a_long_line_is_judged_by_its_beginning() -> None:
    text = "Acción de colonización, " * 100_000
    assert decode(text.encode("cp1252"), "r.txt") == text


def test_a_form_feed_ends_the_page_and_the_paragraph() -> None:
    assert decode(b"one\n\x0c\ntwo\x1a", "r.txt") == "one\n\ntwo"


def test_an_empty_file_is_an_empty_text() -> None:
    assert decode(b"", "r.txt") == ""
