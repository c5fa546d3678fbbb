"""Which forms are one word, and which characters are one character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleslawyer.stems import simplified_characters, stemmer

SPANISH = """
acción acciones, investigación investigaciones, producción producciones, puntuación puntuaciones, ficha fichas,
carta cartas, dado dados, nave naves, sistema sistemas, jugador jugadores, jugador jugadora, color colores,
nivel niveles, ruta rutas, logro logros, empate empates, turno turnos,
peón peones, colono colonos, puesto puestos, tecnología tecnologías, evento eventos, mineral minerales,
mover moviendo, mover movido, jugar jugando, jugar jugado, colonizar colonizando, colonizar colonizado,
gana ganar, ganan ganar, investigar investigado, investigar investigando, robar robado, pagar pagado,
puede pueden, tiene tienen, cuesta cuestan, mueve mueven, cambia cambian, termina terminan, vale valen,
rojo roja, rojos rojas, obligatorio obligatoria, azul azules, gratis gratis, mismo mismas, último últimas,
inicial iniciales, adicional adicionales, neutral neutrales
"""


ENGLISH = """
ship ships, die die, tie ties, card cards, colony colonies, move moving, move moved, move moves, player players,
player's players, research researching, retreat retreating, city cities, victory victories, outpost outposts,
upgrade upgraded, discard discarded, roll rolling, trade traded, achievement achievements
"""


def pairs(text: str) -> list[tuple[str, str]]:
    return [(a, b) for a, b in (pair.split() for pair in text.replace("\n", " ").split(","))]


def plain(word: str) -> str:
    return word.translate(str.maketrans("áéíóúüñ", "aeiouun"))


@pytest.mark.parametrize(("one", "other"), pairs(SPANISH))
def test_spanish_forms_are_one_word_with_accents_and_without(one: str, other: str) -> None:
    stem = stemmer("es")
    assert stem(one) == stem(other)
    assert stem(one) == stem(plain(one)) == stem(plain(other))


@pytest.mark.parametrize(("one", "other"), pairs(ENGLISH))
def test_english_forms_are_one_word(one: str, other: str) -> None:
    assert stemmer("en")(one) == stemmer("en")(other)


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("es", "nave", "navegar"),
        ("es", "carta", "cartera"),
        ("es", "empate", "empezar"),
        ("es", "dado", "dar"),
        ("en", "planet", "plane"),
        ("en", "turn", "return"),
        ("en", "not", "note"),
        ("en", "ore", "or"),
    ],
)
def test_other_words_stay_apart(lang: str, one: str, other: str) -> None:
    assert stemmer(lang)(one) != stemmer(lang)(other)


@pytest.mark.parametrize("lang", ["en", "es", "zh", "fr", "tlh", ""])
@pytest.mark.parametrize("term", ["3", "3.1.2", "3.", "2人", "神殿", "殿", "level:2", "3x1", "1st"])
def test_numbers_and_han_stay_as_they_are(lang: str, term: str) -> None:
    assert stemmer(lang)(term) == term


@pytest.mark.parametrize("lang", ["zh", "tlh", "", "../x"])
def test_a_language_without_a_stemmer_only_folds(lang: str) -> None:
    assert stemmer(lang)("acciones") == "acciones"
    assert stemmer(lang)("acción") == "accion"


@given(st.text(max_size=20), st.sampled_from(["en", "es", "zh"]))
def test_every_term_has_one_stem(term: str, lang: str) -> None:
    assert stemmer(lang)(term) == stemmer(lang)(term)


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("棄牌階段", "弃牌阶段"),
        ("規則書", "规则书"),
        ("遊戲結束", "游戏结束"),
        ("殖民艦隊", "殖民舰队"),
        ("軍事實力", "军事实力"),
        ("發現", "发现"),
        ("頭髮", "头发"),
        ("太陽之外", "太阳之外"),
        ("雙人局", "双人局"),
        ("擲骰", "掷骰"),
        ("獲勝", "获胜"),
    ],
)
def test_traditional_characters_become_simplified(traditional: str, simplified: str) -> None:
    table = simplified_characters()
    assert "".join(table.get(c, c) for c in traditional) == simplified


def test_the_table_maps_single_characters() -> None:
    table = simplified_characters()
    assert len(table) > 3_000
    assert all(len(a) == len(b) == 1 and a != b for a, b in table.items())


@pytest.mark.parametrize("char", [*"弃牌阶段神殿的一二三级人口土木", "a", "か"])
def test_simplified_and_common_characters_stay(char: str) -> None:
    assert char not in simplified_characters()
