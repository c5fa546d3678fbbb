"""What the search knows about each language, as plain data. Adding a language is adding a row here."""

import os
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Language(NamedTuple):
    """A language of rules and readers.

    Args:
        code: two letters, as in file names.
        name: its own name for itself.
        stemmer: module and class of the Snowball stemmer, or empty (Chinese).
        numbers: words that mean a number: ``{"two": "2"}``.
        level_words: words that make the number beside them a level (``Level II``, ``nivel 2``, ``二级``).
        question_words: words that a question begins with.
        function_words: words that hold a sentence together and say little of what is asked, without accents. They are
            searched like all others and count less.
    """

    code: str
    name: str
    stemmer: str = ""
    numbers: Mapping[str, str] = {}
    level_words: frozenset[str] = frozenset()
    question_words: frozenset[str] = frozenset()
    function_words: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _numbers(*words: str, start: int) -> dict[str, str]:
    return {word: str(n) for n, group in enumerate(words, start) for word in group.split()}


LANGUAGES: Mapping[str, Language] = {
    "en": Language(
        "en",
        "English",
        stemmer="english_stemmer.EnglishStemmer",
        numbers=_numbers(
            "one 1st first", "two 2nd second twice", "three 3rd third thrice", "four 4th fourth", "five 5th fifth",
            "six 6th sixth", "seven 7th seventh", "eight 8th eighth", "nine 9th ninth", "ten 10th tenth", start=1,
        ),
        level_words=frozenset({"level", "levels", "lvl", "lv", "tier", "tiers"}),
        question_words=_words(
            """
            can could may must do does did is are am was were what when where which who whom whose why how if should
            shall will would has have
            """
        ),
        function_words=_words(
            """
            a about after again all also am an and any are as at be been being but by can could did do does doing
            done dont each else elses ever every for from get gets go goes got had has have having he her here him
            his how i if im in into is isnt it its just like let lets make many may me mean means might more much
            must my need not now of off on one ones only onto or other our out over own really same shall she should
            so some someone still such take than that thats the their them then there these they thing things this
            those to too under up us use used using very want was way we well went were what whats when where which
            while who whom whose why will with without would yet you your yours ok okay pls plz please u ur r n w thx thanks hey
            hi hello gonna wanna gotta lol btw idk cos cuz also quick question
            """
        ),
    ),
    "es": Language(
        "es",
        "Español",
        stemmer="spanish_stemmer.SpanishStemmer",
        numbers=_numbers(
            "uno primer primero primera", "dos segundo segunda", "tres tercer tercero tercera", "cuatro cuarto cuarta",
            "cinco quinto quinta", "seis sexto sexta", "siete septimo", "ocho octavo", "nueve noveno", "diez decimo",
            start=1,
        ),
        level_words=frozenset({"nivel", "niveles"}),
        question_words=_words(
            """
            que quien quienes cuando donde cual cuales como cuanto cuanta cuantos cuantas por puedo puede pueden
            podemos debo debe tengo hay si se es
            """
        ),
        function_words=_words(
            """
            a al algo alguien alguna algunas algun alguno algunos ahi alli ante antes aqui asi aun aunque bien cada
            como con cosa cosas cual cuales cualquier cuando cuanta cuantas cuanto cuantos da de debe deben debo del
            desde despues donde dos el ella ellas ellos en entonces entre era es esa esas ese eso esos esta estan
            estas este esto estos estoy fue ha hace hacen hacer hacia hago han hasta hay he la las le les lo los mas
            me mi mia mio mis mismo misma mucho muy nada ni no nos nosotros o os otra otras otro otros para pasa
            pero poco pone poner por porque pueda puede pueden puedo pues que quien quienes quiere quiero se sea ser
            si sin sirve sobre solo son soy su sus tambien tan te tener tengo tiene tienen tienes todas todavia todo
            todos tu tus tuya tuyo u un una unas uno unos usa usar uso va vale van vez voy y ya yo
            q k ke xq pq xk tb tmb pa cn x d hola gracias porfa oye bueno duda pregunta
            """
        ),
    ),
    "zh": Language(
        "zh",
        "简体中文",
        level_words=frozenset({"级"}),
        function_words=_words(
            """
            的 了 吗 呢 吧 啊 是 在 有 和 与 跟 或 也 都 就 还 又 很 才 再 要 会 能 可 以 个 这 那 哪 么 什 怎
            样 多 少 几 谁 我 你 他 她 它 们 把 被 给 到 从 对 为 于
            之 其 如 何 果 后 前 里 上 下 时 候 没 不 只 可以 能不 不能 是不 是否 什么 怎么 怎样 么样 如何
            多少 几个 哪个 哪些 这个 那个 我的 你的 他的 我们 他们 有没 没有 的时 时候
            还是 或者 如果 之后 之前 以后 以前 一个 需要 要不 吗不 上面 里面 下面 么办 么时 要求 应该 直接
            还能 还要 就能 才能 不可 可不 请 问 请问 谢 谢谢 你好
            """
        ),
        question_words=_words(
            """
            吗 呢 什么 怎么 怎样 几 多少 谁 哪 能 可以 是否 如何 么
            """
        ),
    ),
}  # fmt: skip

HAN_NUMBERS: Mapping[str, str] = {
    "一": "1", "二": "2", "两": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9", "十": "10",
}  # fmt: skip
LEVEL_NUMERALS: Mapping[str, str] = {
    "i": "1", "ii": "2", "iii": "3", "iiii": "4", "iv": "4", "1": "1", "2": "2", "3": "3", "4": "4",
    "一": "1", "二": "2", "三": "3", "四": "4",
}  # fmt: skip
"""Level IIII is what the cards print, IV what most people type."""


def reader_language(available: Iterable[str], environ: Mapping[str, str] | None = None) -> str:
    """The reader's language by the locale, or English where the locale names none we have.

    >>> reader_language(["en", "es"], {"LANG": "es_AR.UTF-8"})
    'es'
    >>> reader_language(["en", "es"], {"LANG": "C"})
    'en'
    """
    env = os.environ if environ is None else environ
    known = set(available)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = env.get(name, "")
        if value:
            code = re.split(r"[_.@-]", value)[0].lower()
            return code if code in known else "en"
    return "en"
