"""The terms of a text by position, found piece by piece: the very terms that ``analyse`` finds."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from ruleslawyer import cells
from ruleslawyer.analysis import WRITTEN, analyse, is_han, is_word_char, normalise
from ruleslawyer.cells import cells_of
from ruleslawyer.stems import simplified_characters, stemmer

PIECES = st.sampled_from(
    [
        "re-roll", "3-4", "3.1.2", "3.10", "4.", "Level", "II", "i", "and", "two", "Primero", "séptimo", "players'", "it's",
        "两", "人", "第", "十", "二十", "级", "殿", "棄", "乾", "々", "金币", "12", "3", "２", "año", "an\u0303o", "İ",
        "ß", "ŉ", "'", "’", "-", "–", ".", "，", "。", "¿", "…", "\u00ad", "½", "Ⅱ", "か", "ж", "፩", "\u0301", " ", " ", "\n",
    ]
)  # fmt: skip
ANY_TEXT = st.lists(PIECES | st.text(max_size=2), max_size=20).map("".join) | st.text(
    st.characters(exclude_categories=[]), max_size=40
)
ANY_LANGUAGE = st.sampled_from(["en", "es", "zh", "fr", ""])


@given(ANY_TEXT, ANY_LANGUAGE)
@example("第二十个3人3.5级", "zh")
@example("第第二十二十两2nd人", "zh")
@example("支付12.5金币，二级、III and I", "en")
@example("players' re-roll-3.5.a 2-殿-2", "en")
def test_every_position_has_the_terms_and_the_key_that_analysing_gives(text: str, lang: str) -> None:
    tokens = analyse(text, lang, simplified_characters())
    found = cells_of(text, lang, simplified_characters())
    terms = [(place, term) for place, cell in enumerate(found) for term in cell.terms]
    assert sorted(terms) == sorted((t.pos, t.term) for t in tokens)
    keys = {t.pos: t.term if t.kind == "han" else stemmer(lang)(t.term) for t in tokens if t.kind in WRITTEN}
    assert [cell.key for cell in found] == [keys[place] for place in range(len(found))]


def test_what_parts_pieces_is_neither_a_letter_nor_han_and_what_makes_them_is() -> None:
    for code in range(0x110000):
        char = chr(code)
        if normalise(char, {})[0] == char and not cells._OTHER(char):
            assert bool(cells._WORDS(char)) == is_word_char(char)
            assert bool(cells._OTHER_OR_HAN(char)) == is_han(char)
