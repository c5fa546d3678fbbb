"""A tiny corpus for tests: two invented games, Harbour in three languages and Lanterns in English only.

``write_corpus(folder)`` writes it as it is below, without a fault; each ``Edit`` changes one place of one file. Line
numbers matter: the texts of a file are alike, line by line, in all languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HARBOUR_GAME = """\
title.en = "Harbour"
title.es = "Puerto"
title.zh = "海港"
aliases = ["HRB"]
languages = ["en", "es", "zh"]
updated = 2026-11-29
players = "2-4"
minutes = "45"
age = "10+"

[[sources]]
id = "harbour-book"
kind = "rulebook"
language = "en"
title = "Harbour rules"
about.en = "The printed rules."
about.es = "Las reglas impresas."
about.zh = "印刷的规则。"

[[sources]]
id = "harbour-page"
kind = "public page"
language = "es"
title = "Puerto"
address = "https://example.org/harbour"
date = "2026-05"
about.en = "A page about routes."
about.es = "Una página sobre rutas."
about.zh = "关于航线的网页。"
"""

HARBOUR_RULES_EN = """\
+++
title = "Rules"
kind = "rule"
updated = 2026-11-29
+++

## Turn {#turn sources="harbour-book" aliases="round; go"}

Move 1 ship, then load 2 crates at the [docks](#docks).

### Trade routes {#trade-routes sources="harbour-book harbour-page" players="2-4"}

A route joins 2 harbours of Level II ([page](source:harbour-page)).

1. Pay 3 coins.
2. Place a ship.

## Docks {#docks sources="harbour-book"}

Each dock holds 1.5 crates,
or 1 [lantern](lanterns#light).
"""

HARBOUR_RULES_ES = """\
+++
title = "Reglas"
kind = "rule"
updated = 2026-11-29
+++

## Turno {#turn sources="harbour-book" aliases="ronda"}

Mueve 1 barco y carga 2 cajas en los [muelles](#docks).

### Rutas comerciales {#trade-routes sources="harbour-page harbour-book" players="2-4"}

Una ruta une 2 puertos de nivel II ([página](source:harbour-page)).

1. Paga 3 monedas.
2. Pon un barco.

## Muelles {#docks sources="harbour-book"}

En cada muelle caben 1,5 cajas
o 1 [farol](lanterns#light).
"""

HARBOUR_RULES_ZH = """\
+++
title = "规则"
kind = "rule"
updated = 2026-11-29
+++

## 回合 {#turn sources="harbour-book"}

移动1艘船，然后在[码头](#docks)装2个箱子。

### 航线 {#trade-routes sources="harbour-book harbour-page" players="2-4"}

一条航线连接2个II级海港（[网页](source:harbour-page)）。

1. 支付3枚硬币。
2. 放一艘船。

## 码头 {#docks sources="harbour-book"}

每个码头放1.5个箱子，
或者1盏[灯笼](lanterns#light)。
"""

HARBOUR_FAQ_EN = """\
+++
title = "Questions"
kind = "faq"
updated = 2026-11-29
+++

## May routes cross? {#crossing-routes parent="trade-routes" rests-on="trade-routes docks" sources="harbour-book"}

Yes, a [route](#trade-routes) may cross 1 other.
"""

HARBOUR_FAQ_ES = """\
+++
title = "Preguntas"
kind = "faq"
updated = 2026-11-29
+++

## ¿Se cruzan las rutas? {#crossing-routes parent="trade-routes" rests-on="trade-routes docks" sources="harbour-book"}

Sí, una [ruta](#trade-routes) puede cruzar 1 más.
"""

HARBOUR_FAQ_ZH = """\
+++
title = "问答"
kind = "faq"
updated = 2026-11-29
+++

## 航线可以交叉吗？ {#crossing-routes parent="trade-routes" rests-on="trade-routes docks" sources="harbour-book"}

可以，一条[航线](#trade-routes)能与1条交叉。
"""

HARBOUR_GLOSSARY = """\
[[terms]]
id = "route"
entry = "trade-routes"
forms.en = ["route", "line"]
forms.es = ["ruta"]
forms.zh = ["航线"]
definition.en = "A link between harbours."
definition.es = "Une puertos."
definition.zh = "连接海港。"
"""

HARBOUR_DISPUTES = """\
[[disputes]]
id = "empty-docks"
entries = ["docks", "turn"]
status = "open"
basis = "unknown"
basis-sources = ["harbour-page"]
title.en = "Empty docks"
title.es = "Muelles vacíos"
title.zh = "空码头"
ruling.en = "Not settled."
ruling.es = "Sin resolver."
ruling.zh = "尚无定论。"
reason.en = "No text says it."
reason.es = "Ningún texto lo dice."
reason.zh = "没有文本说明。"

[[disputes.positions]]
sources = ["harbour-book"]
says.en = "Nothing."
says.es = "Nada."
says.zh = "没有说。"
"""

LANTERNS_GAME = """\
title.en = "Lanterns"
languages = ["en"]
updated = 2026-11-28

[[sources]]
id = "lanterns-book"
kind = "rulebook"
language = "en"
title = "Lanterns rules"
about.en = "The printed rules."
"""

LANTERNS_RULES = """\
+++
title = "Rules"
kind = "rule"
updated = 2026-11-28
+++

## Light {#light sources="lanterns-book"}

A lantern lights 2 spaces, see [wind](#wind).

### Wind {#wind kind="info" sources="lanterns-book"}

Wind is on the card.
"""


def asks(*entries: str) -> str:
    """An asks file: seven asks for each entry, its key on lines 1, 10, 19 ..."""
    return "".join(
        f"{entry} = [\n" + "".join(f'  "{entry} doubt {n}",\n' for n in range(1, 8)) + "]\n" for entry in entries
    )


VALID: dict[str, str] = {
    "harbour/game.toml": HARBOUR_GAME,
    "harbour/rules.en.md": HARBOUR_RULES_EN,
    "harbour/rules.es.md": HARBOUR_RULES_ES,
    "harbour/rules.zh.md": HARBOUR_RULES_ZH,
    "harbour/faq.en.md": HARBOUR_FAQ_EN,
    "harbour/faq.es.md": HARBOUR_FAQ_ES,
    "harbour/faq.zh.md": HARBOUR_FAQ_ZH,
    "harbour/glossary.toml": HARBOUR_GLOSSARY,
    "harbour/disputes.toml": HARBOUR_DISPUTES,
    **{f"harbour/asks.{x}.toml": asks("turn", "trade-routes", "docks", "crossing-routes") for x in ("en", "es", "zh")},
    "lanterns/game.toml": LANTERNS_GAME,
    "lanterns/rules.en.md": LANTERNS_RULES,
    **{f"lanterns/asks.{x}.toml": asks("light", "wind") for x in ("en", "es", "zh")},
}
"""The corpus without a fault: file -> text."""


@dataclass(frozen=True)
class Edit:
    """A change to one file: ``old``, which stands in it once, becomes ``new``; an empty ``old`` appends."""

    file: str
    old: str
    new: str

    def apply(self, text: str) -> str:
        if not self.old:
            return text + self.new
        assert text.count(self.old) == 1, f"{self.old!r} stands {text.count(self.old)} times in {self.file}"
        return text.replace(self.old, self.new)


def write_corpus(root: Path, *edits: Edit) -> Path:
    """Write the corpus into a folder, changed by the edits, and return it. A new file needs an empty ``old``."""
    files = dict(VALID)
    for edit in edits:
        files[edit.file] = edit.apply(files.get(edit.file, ""))
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
