"""What a Word file says of its styles and its lists: which styles are headings, which number an item bears."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.etree.ElementTree import Element

from ruleslawyer.listlevels import han, letters, roman

_HEADING = re.compile(
    r"(?:heading|título|titulo|titre|überschrift|标题|標題|encabezado|titolo)\s*([1-9])", re.IGNORECASE
)
_TITLE = re.compile(r"title|título|titulo|标题|標題", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:toc|tdc|目录|目錄)\s*[1-9]", re.IGNORECASE)
_CYCLES = {"ideographTraditional": "甲乙丙丁戊己庚辛壬癸", "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥"}
_LETTERED = 780
"""Word doubles the letters after ``z``, and so on; items after thirty of them bear digits."""

_MOST_ANCESTORS = 20
_LONGEST_LABEL = 60


class Style(NamedTuple):
    """A style with what it takes from those it is based on; ``None`` where nothing is said.

    ``outline``: 1-9 of a heading, 10 of none; ``numbering``: id of a list and level; ``indent``: in twentieths of a point;
    ``size``: in half points; ``title``, ``contents``: whether it is that of the title or of a table of contents.
    """

    outline: int | None = None
    numbering: tuple[str, int | None] | None = None
    indent: int | None = None
    size: int | None = None
    strong: bool | None = None
    em: bool | None = None
    hidden: bool | None = None
    title: bool | None = None
    contents: bool | None = None


def value(element: Element | None, path: str, key: str = "val") -> str | None:
    """An attribute of an element below, ``None`` if either is missing."""
    found = None if element is None else element.find(path)
    return None if found is None else found.get(key)


def number(text: str | None) -> int | None:
    """A whole number as written, ``None`` if it is none.

    >>> number("720"), number("x"), number(None)
    (720, None, None)
    """
    return int(text) if text and re.fullmatch(r"-?\d{1,9}", text) else None


def switch(properties: Element | None, name: str) -> bool | None:
    """Whether a property such as ``b`` is on; ``None`` if it is not mentioned."""
    found = None if properties is None else properties.find(name)
    return None if found is None else found.get("val", "1") not in ("0", "false", "off", "none")


def described(element: Element) -> Style:
    """What the ``pPr`` and ``rPr`` of a style, list level or paragraph say by themselves."""
    paragraph, run = element.find("pPr"), element.find("rPr")
    outline = number(value(paragraph, "outlineLvl"))
    list_id = value(paragraph, "numPr/numId")
    indent = value(paragraph, "ind", "left") or value(paragraph, "ind", "start")
    return Style(
        outline=None if outline is None else outline + 1,
        numbering=None if list_id is None else (list_id, number(value(paragraph, "numPr/ilvl"))),
        indent=number(indent),
        size=number(value(run, "sz")),
        strong=switch(run, "b"),
        em=switch(run, "i"),
        hidden=switch(run, "vanish"),
    )


def over(upper: Style, lower: Style) -> Style:
    """The upper style with what it leaves open taken from the lower."""
    return upper._replace(**{name: said for name, said in lower._asdict().items() if getattr(upper, name) is None})


def read_styles(root: Element | None) -> dict[str, Style]:
    """The styles of ``styles.xml`` by their id."""
    elements = {} if root is None else {e.get("styleId", ""): e for e in root.iter("style")}
    return {name: _resolved(name, elements) for name in elements}


def _resolved(name: str, elements: dict[str, Element]) -> Style:
    style, seen = Style(), 0
    based: str | None = name
    while based in elements and seen < _MOST_ANCESTORS:
        style = over(style, _with_name(elements[based], based))
        based, seen = value(elements[based], "basedOn"), seen + 1
    return style


def _with_name(element: Element, style_id: str) -> Style:
    """A style, its name heard: programs that set no outline level still name it Heading 1 in some language."""
    style = described(element)
    names = [text for text in (value(element, "name"), style_id) if text]
    if style.outline is None:
        levels = [int(found[1]) for text in names if (found := _HEADING.fullmatch(text))]
        style = style._replace(outline=levels[0] if levels else None)
    title = any(_TITLE.fullmatch(text) for text in names)
    return style._replace(title=title, contents=any(_CONTENTS.fullmatch(text) for text in names))


# --- numbers ----------------------------------------------------------------------------------------------------------


class Level(NamedTuple):
    """A level of a list: how its items are numbered, from where, how that is written (``%1.%2``), and its indent.

    ``digits``: whether all numbers of its label are digits, whatever the levels above are; ``after``: it counts anew after an
    item of a level below this number, counted from 0.
    """

    kind: str
    start: int
    text: str
    indent: int | None
    style: str = ""
    digits: bool = False
    after: int = 9


class Label(NamedTuple):
    """What stands before an item: the marker of a plain list, or a label that belongs to the text; both may be empty."""

    marker: str
    prefix: str


@dataclass
class Numbering:
    """The lists of a document and how far each has counted; items must be asked for in order."""

    abstract: dict[str, dict[int, Level]] = field(default_factory=dict)
    lists: dict[str, tuple[str, dict[int, int]]] = field(default_factory=dict)
    counts: dict[str, dict[int, int]] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)

    def level_of_style(self, list_id: str, style: str) -> int:
        """The level of a list that belongs to a paragraph style, the first if none does."""
        levels = self.abstract.get(self.lists.get(list_id, ("", {}))[0], {})
        return next((n for n, level in levels.items() if style and level.style == style), 0)

    def level(self, list_id: str, depth: int) -> Level | None:
        """A level of a list, counted from 0; ``None`` if there is no such list."""
        levels = self.abstract.get(self.lists.get(list_id, ("", {}))[0], {})
        return levels.get(depth)

    def label(self, list_id: str, depth: int) -> Label:
        """Count one more item of a list and give what stands before it."""
        abstract, starts = self.lists.get(list_id, ("", {}))
        level = self.abstract.get(abstract, {}).get(depth)
        if level is None or level.kind == "bullet":
            return Label("-", "")
        counts = self.counts.setdefault(abstract, {})
        if list_id not in self.begun:
            self.begun.add(list_id)
            counts.update({n: start - 1 for n, start in starts.items()})
        counts[depth] = counts.get(depth, starts.get(depth, level.start) - 1) + 1
        levels = self.abstract[abstract]
        for deeper in [n for n in counts if n > depth and (n not in levels or depth < levels[n].after)]:
            del counts[deeper]
        return self._written(abstract, depth, level, counts)

    def _written(self, abstract: str, depth: int, level: Level, counts: dict[int, int]) -> Label:
        if level.kind == "none":
            return Label("", level.text)
        if level.kind in ("decimal", "decimalZero") and re.fullmatch(rf"[^%\w]*%{depth + 1}[^%\w]*", level.text):
            return Label(f"{counts[depth]}.", "")

        def numeral(found: re.Match[str]) -> str:
            n = int(found[1]) - 1
            of = self.abstract[abstract].get(n, level)
            kind = "decimal" if level.digits and not of.kind.startswith("decimal") else of.kind
            return numeral_of(kind, counts.get(n, of.start))

        return Label("-", re.sub(r"%([1-9])", numeral, level.text).strip())


def numeral_of(kind: str, count: int) -> str:
    """A number in one of Word's kinds of numerals.

    >>> numeral_of("lowerLetter", 2), numeral_of("upperRoman", 4), numeral_of("chineseCounting", 11)
    ('b', 'IV', '十一')
    """
    if kind.endswith("Letter"):
        letter = letters((count - 1) % 26 + 1) * ((count + 25) // 26) if 0 < count <= _LETTERED else str(count)
        return letter.upper() if kind.startswith("upper") else letter
    if kind.endswith("Roman"):
        return roman(count).upper() if kind.startswith("upper") else roman(count)
    if kind == "decimalZero":
        return f"{count:02}"
    if kind in _CYCLES and 0 < count <= len(_CYCLES[kind]):
        return _CYCLES[kind][count - 1]
    if kind.startswith(("chinese", "ideograph", "taiwanese", "japanese")):
        return han(count)
    return str(count)


def read_numbering(root: Element | None) -> Numbering:
    """The lists of ``numbering.xml``."""
    numbering = Numbering()
    if root is None:
        return numbering
    links: dict[str, str] = {}
    for element in root.iter("abstractNum"):
        name = element.get("abstractNumId", "")
        numbering.abstract[name] = dict(_levels(element))
        if style := value(element, "styleLink"):
            links[style] = name
    for element in root.iter("abstractNum"):
        linked = links.get(value(element, "numStyleLink") or "")
        if linked:
            numbering.abstract[element.get("abstractNumId", "")] = numbering.abstract[linked]
    for element in root.iter("num"):
        _add_list(element, numbering)
    return numbering


def _add_list(element: Element, numbering: Numbering) -> None:
    name, abstract = element.get("numId", ""), value(element, "abstractNumId") or ""
    starts: dict[int, int] = {}
    for override in element.iter("lvlOverride"):
        depth, start = number(override.get("ilvl")), number(value(override, "startOverride"))
        if depth is not None and start is not None:
            starts[depth] = start
        if own := dict(_levels(override)):
            numbering.abstract[f"{abstract}/{name}"] = {**numbering.abstract.get(abstract, {}), **own}
            abstract = f"{abstract}/{name}"
    numbering.lists[name] = (abstract, starts)


def _levels(element: Element) -> Iterator[tuple[int, Level]]:
    for level in element.iter("lvl"):
        depth = number(level.get("ilvl"))
        if depth is not None:
            kind, start = value(level, "numFmt") or "decimal", number(value(level, "start"))
            text = (value(level, "lvlText") or "")[:_LONGEST_LABEL]
            restart = number(value(level, "lvlRestart"))
            yield (
                depth,
                Level(
                    kind,
                    1 if start is None else start,
                    text,
                    described(level).indent,
                    value(level, "pStyle") or "",
                    bool(switch(level, "isLgl")),
                    9 if restart is None else restart,
                ),
            )
