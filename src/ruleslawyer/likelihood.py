"""How likely a text is to be rules in English, Spanish or Chinese rather than the same bytes misread: a small model.

Characters come in classes. A class has a share of all characters in real text and a number of members among which it is
divided; a run of one script is likelier than a mixture. That is all that telling encodings apart takes.
"""

from __future__ import annotations

import math
import re
import unicodedata

_COMMON = frozenset(
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得"
    "经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平"
    "形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程"
    "展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必"
    "战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打"
    "白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫"
    "且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往历市克何除消构府称太准精值"
    "号率族维划选标写存候毛亲快效院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严"
    "牌骰玩卡游戏轮弃掷抽胜负盘拥词源堆翻洗束触额飞船星球探索殖版块区域移相邻支付奖励叠顺序令"
    # the same in traditional characters, where they differ
    "這為個國時來們於對會發動說產種後學經進著實電裡現體機當點從業還應開無變條沒結問題質氣係軍黨員總設長頭資邊級圖統較將組見計別論運"
    "農幾區強決戰則據處隊給門規熱領東導壓爭濟階術極聯認權證轉單風帶場車務萬達積議聲報鬥類離華確張馬節話況溫傳許廣記觀織裝眾書復兒際"
    "須驗連斷難礦備辦習響約勞團歷構稱準號維劃選標寫親層專狀識適屬圓調滿縣參紅細聽該鐵價嚴遊戲輪棄擲勝負盤擁詞疊順飛獎勵翻觸額樣與關"
    "線內數麼兩長專業義愛讓歡請麗隻幣勝誰顆張擇換"
)
"""Frequent Han characters, simplified and traditional, and some of games."""

_HAN_SIGNS = frozenset("，。、；：？！「」『』（）《》【】〈〉“”‘’—…·～　" + "０１２３４５６７８９")
_SPANISH = frozenset("áéíóúñüÁÉÍÓÚÑÜ")
_WESTERN = frozenset("àèìòùâêîôûäëïöçãõåæøœßÀÈÂÊÎÔÛÄÖÇÃÅÆØ")
_OPENING = frozenset("¿¡“‘«")
_CLOSING = frozenset("”’»ºª°™®")
_BETWEEN = frozenset("–—…•")
_APART = frozenset("·×€£½¼¾±§©²³")

_SHARES = {
    "ascii": (0.97, 40),
    "spanish": (0.02, 14),
    "western": (0.003, 40),
    "sign": (0.01, 30),
    "common": (0.72, 900),
    "level": (0.20, 3500),
    "han sign": (0.15, 30),
    "rare": (0.01, 18000),
    "odd": (0.0005, 4000),
}
"""Class -> share of the text of its script, members."""

_COST = {name: math.log(share / members) for name, (share, members) in _SHARES.items()}
_ACCENTED = frozenset(("spanish", "western"))
_FEW_LETTERS = 10
_HAN = frozenset(("common", "level", "rare"))
_ALONE = _HAN | {"han sign"}
_JUMP = math.log(0.01)
_OUT_OF_PLACE = math.log(0.01)
_APOSTROPHE = 5.0
_ENGLISH_END = re.compile(r"(?:s|t|d|m|re|ve|ll)\b")
_WORST_MEAN = -9.0


def log_likelihood(text: str) -> float:
    """The natural logarithm of how likely the text is; only differences between readings of the same bytes mean much.

    >>> log_likelihood("¿Quién gana?") > log_likelihood("縬ui閚 gana?")
    True
    >>> log_likelihood("游戏结束") > log_likelihood("蚔牁賦旰")
    True
    """
    score = 0.0
    before, kind_before = " ", "ascii"
    for n, char in enumerate(text):
        kind = kind_of(char)
        after = text[n + 1] if n + 1 < len(text) else " "
        score += _COST[kind]
        if (kind in _HAN and _is_letter(before)) or (kind_before in _HAN and _is_letter(char)):
            score += _JUMP
        if kind in _ALONE and before.isascii() and after.isascii():
            score += _alone(kind, before, after)
        if char == "’" and before.isalpha() and _ENGLISH_END.match(text, n + 1):
            score += _APOSTROPHE
        if not char.isascii() and not _in_place(char, kind, before, after):
            score += _OUT_OF_PLACE
        before, kind_before = char, kind
    return score


def worst_mean(text: str) -> bool:
    """Whether a text is too strange to be one in a language that is known here.

    >>> worst_mean("¿Quién?"), worst_mean("ÓÎÏ·½áÊø")
    (False, True)
    """
    kinds = [kind_of(char) for char in text]
    costs = [_COST[kind] for kind in kinds if kind != "ascii"]
    around = zip(" " + text, text, text[1:] + " ", kinds, strict=False)
    odd = sum(not _in_place(char, kind, before, after) for before, char, after, kind in around)
    accented = sum(kind in _ACCENTED for kind in kinds)
    letters = accented + sum(char.isascii() and char.isalpha() for char in text)
    if not costs or (letters > _FEW_LETTERS and accented > letters / 2):
        return bool(costs)
    return sum(costs) / len(costs) < _WORST_MEAN or odd > max(2, len(costs) / 3)


def kind_of(char: str) -> str:
    """The class of a character.

    >>> [kind_of(c) for c in "añ的齉、•"]
    ['ascii', 'spanish', 'common', 'rare', 'han sign', 'sign']
    """
    if char.isascii():
        return "ascii"
    if char in _COMMON:
        return "common"
    if char in _SPANISH:
        return "spanish"
    if char in _OPENING or char in _CLOSING or char in _BETWEEN or char in _APART:
        return "sign"
    if char in _HAN_SIGNS:
        return "han sign"
    if (
        unicodedata.category(char) == "Lo"
        and unicodedata.east_asian_width(char) == "W"
        and not "\u3040" <= char < "\u3400"
    ):
        return "level" if _is_of_first_level(char) else "rare"
    return "western" if char in _WESTERN else "odd"


def _is_of_first_level(char: str) -> bool:
    """Whether one of the two national standards counts a Han character among those in use."""
    for codec, first, last in (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6)):
        code = char.encode(codec, "ignore")
        if code and first <= code[0] <= last:
            return True
    return False


def _alone(kind: str, before: str, after: str) -> float:
    """What it costs that a Han character has none beside it; in a word of Latin letters none ever stands."""
    in_word = _is_letter(before) or _is_letter(after)
    return _JUMP * (in_word + (kind == "rare"))


def _is_letter(char: str) -> bool:
    return char.isalpha() and (char.isascii() or char in _SPANISH or char in _WESTERN)


def _in_place(char: str, kind: str, before: str, after: str) -> bool:
    """Whether a sign or accented letter stands where such signs stand in real text."""
    if kind in _ACCENTED:
        return _case_fits(char, before, after)
    wide = not before.isascii() and unicodedata.east_asian_width(before) in "WA"
    if char in _OPENING:
        return wide or not before.isalnum()
    if char in _CLOSING:
        return wide or not before.isspace()
    return char not in _APART or not (_is_letter(before) and _is_letter(after))


def _case_fits(char: str, before: str, after: str) -> bool:
    """An accented letter stands in a word: a capital at its beginning or among capitals, a small one never before one."""
    if not (before.isalpha() or after.isalpha()) and (before != " " or after != " "):
        return False
    if char.isupper():
        return not (before.isalpha() and before.islower())
    return not (after.isalpha() and after.isupper())
