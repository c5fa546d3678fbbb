"""Texts made small for the browser come out as they went in."""

from __future__ import annotations

import gzip

from hypothesis import given
from hypothesis import strategies as st

from ruleslawyer.blocks import Block, Span
from ruleslawyer.textpacking import HAN_CODES, Coder, coder_for, marks, runs

TEXTS = st.lists(st.text(alphabet='aeilnort .,~^{}-áñ占领神殿玩家弃牌\u0370\u0371\n"\\<>', max_size=200), max_size=6)


def unpacked(coder: Coder, text: str) -> str:
    """What a page makes of it."""
    known = dict(zip(coder.codes, coder.pieces, strict=True))
    known |= {chr(HAN_CODES + n): char for n, char in enumerate(coder.han)}
    return "".join(known.get(char, char) for char in text)


@given(TEXTS)
def test_no_text_is_changed(texts: list[str]) -> None:
    texts = [text * 3 for text in texts]
    coder = coder_for(texts)
    assert [unpacked(coder, packed) for packed in coder.packed(texts)] == texts


@given(TEXTS)
def test_no_code_is_a_character_of_the_texts_or_one_that_scripts_escape(texts: list[str]) -> None:
    coder = coder_for(texts)
    codes = {*coder.codes, *(chr(HAN_CODES + n) for n in range(len(coder.han)))}
    assert not codes & set("".join(texts)) and not codes & set('"\\<\u2028\u2029')
    assert len(codes) == len(coder.pieces) + len(coder.han)


def test_chinese_becomes_smaller() -> None:
    sentences = [f"占领中央神殿的玩家可以再掷{n}次骰子，弃牌阶段结束时补满手牌。" for n in range(400, 460)]
    (packed,) = coder_for(sentences).packed(["\n".join(sentences)])
    assert len(packed.encode()) < 0.6 * len("\n".join(sentences).encode())
    assert len(gzip.compress(packed.encode())) < len(gzip.compress("\n".join(sentences).encode()))


def test_marks_count_letters_as_javascript_does() -> None:
    block = Block("p", "🎲🎲 dice", spans=(Span(3, 7, "strong"),))
    assert marks([Block("p", "x"), block], lambda name: "") == "/5.4b"


def test_a_link_that_leads_nowhere_is_left_out_and_what_follows_stays_in_place() -> None:
    spans = (Span(0, 3, "link", "game/gone"), Span(4, 9, "strong"), Span(4, 7, "link", "game/there"))
    block = Block("p", "one two three", spans=spans)
    assert marks([block], lambda name: {"game/there": "7"}.get(name, "")) == "4.5b 0.3l7"


@given(st.sets(st.integers(0, 40)))
def test_runs_hold_every_number(numbers: set[int]) -> None:
    told = runs(sorted(numbers))
    assert {n for at in range(0, len(told), 2) for n in range(told[at], told[at] + told[at + 1])} == numbers
