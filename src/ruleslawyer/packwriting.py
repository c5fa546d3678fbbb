"""Drafts -> a sheet of a private pack in our Markdown, with ids that stay put; and what differs from the sheet before."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleslawyer.collation import romanised
from ruleslawyer.drafting import Draft
from ruleslawyer.escaping import escape_markdown, one_line
from ruleslawyer.manuscript import Piece
from ruleslawyer.markdown import Section, parse

LONGEST_ID = 48
"""Characters of an id made from a title."""

DEEPEST_LIST = 8
"""Levels of lists within lists; the parser bears some more."""

LIKENESS = 0.5
"""Share of their words that two texts must have in common to be one entry under another title."""


# --- ids --------------------------------------------------------------------------------------------------------------


def slug(text: str, longest: int = LONGEST_ID) -> str:
    """A text as an id: ASCII kebab-case, Chinese by its sound, section numbers left out; empty where nothing is left.

    >>> slug("3.1 ¿Quién gana?"), slug("占领神殿"), slug("../../etc/passwd"), slug("🚀")
    ('quien-gana', 'zhan-ling-shen-dian', 'etc-passwd', '')
    """
    text = re.sub(r"^\s*\d+(?:\.\d+)*[.)]?\s+(?=\S)", "", text)
    folded = unicodedata.normalize("NFKD", romanised(text)).casefold().replace("ß", "ss")
    plain = re.sub(r"['’]", "", "".join(c for c in folded if unicodedata.category(c) != "Mn"))
    words = re.findall(r"[a-z0-9]+", plain)
    made = ""
    for word in words:
        longer = f"{made}-{word}" if made else word[:longest]
        if len(longer) > longest:
            break
        made = longer
    return made


def ids_for(drafts: Sequence[Draft], before: Sequence[Section], taken: Collection[str]) -> list[str]:
    """An id for every draft: that of the same entry in the sheet before, else a new one that nothing ever had.

    Args:
        drafts: in order.
        before: the entries of the earlier sheet.
        taken: ids of other entries of the game, and of entries that are gone.
    """
    known = _matched(drafts, before)
    used = {*taken, *(section.id for section in before)}
    tried: Counter[str] = Counter()
    ids: list[str] = []
    for n, draft in enumerate(drafts):
        if n not in known:
            known[n] = _free(slug(draft.title) or "entry", used, tried)
            used.add(known[n])
        ids.append(known[n])
    return ids


def _free(base: str, used: Collection[str], tried: Counter[str]) -> str:
    """The id itself if it is free, else with the next number."""
    while True:
        tried[base] += 1
        made = base if tried[base] == 1 else f"{base}-{tried[base]}"
        if made not in used:
            return made


def _matched(drafts: Sequence[Draft], before: Sequence[Section]) -> dict[int, str]:
    """Which drafts are entries of the earlier sheet: by their titles in order, then those whose texts are most alike."""
    free = dict(enumerate(before))
    found: dict[int, str] = {}
    by_title: dict[str, list[int]] = defaultdict(list)
    for m, section in free.items():
        by_title[_key(section.title)].append(m)
    for n, draft in enumerate(drafts):
        if same := by_title[_key(draft.title)]:
            found[n] = free.pop(same.pop(0)).id
    left = {n: _words_of(piece.text for piece in d.blocks) for n, d in enumerate(drafts) if n not in found}
    for n, m in _most_alike(left, {m: _words_of(b.text for b in s.blocks) for m, s in free.items()}):
        found[n] = free[m].id
    return found


def _key(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", title).casefold().split())


def _words_of(texts: Iterable[str]) -> Counter[str]:
    text = re.sub(r"[\\*`]", "", " ".join(texts)).casefold()
    return Counter(re.findall(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+", text))


def _most_alike(left: Mapping[int, Counter[str]], right: Mapping[int, Counter[str]]) -> Iterator[tuple[int, int]]:
    """Pairs of texts that share at least ``LIKENESS`` of their words, the most alike first, each text once."""
    having: dict[str, list[int]] = defaultdict(list)
    for m, words in right.items():
        for word in words:
            having[word].append(m)
    rare = {word: found for word, found in having.items() if len(found) <= max(8, len(right) // 20)}
    pairs: list[tuple[float, int, int]] = []
    for n, words in left.items():
        for m in {m for word in words for m in rare.get(word, ())}:
            shared = (words & right[m]).total()
            likeness = 2 * shared / (words.total() + right[m].total())
            if likeness >= LIKENESS:
                pairs.append((-likeness, n, m))
    done_left, done_right = set[int](), set[int]()
    for _, n, m in sorted(pairs):
        if n not in done_left and m not in done_right:
            done_left.add(n)
            done_right.add(m)
            yield n, m


# --- the sheet --------------------------------------------------------------------------------------------------------

_RETIRED = re.compile(r"^# ids of entries that are gone: (?P<ids>[a-z0-9 -]*)$", re.MULTILINE)


def sheet(
    drafts: Sequence[Draft],
    *,
    title: str,
    source: str,
    updated: datetime.date,
    before: str = "",
    taken: Collection[str] = (),
) -> str:
    """The drafts as a document that ``markdown.parse`` reads without a problem.

    Args:
        drafts: at least one, in order.
        title: of the document.
        source: the id of the imported file among the game's sources.
        updated: the date in the front matter, unless nothing but it would change.
        before: the sheet as it was imported before, or empty.
        taken: ids of the game's entries in other sheets.
    """
    earlier = parse(before, "")[0].sections if before else ()
    gone = retired(before)
    ids = ids_for(drafts, earlier, {*taken, *gone})
    left = sorted({*gone, *(section.id for section in earlier)} - {*ids})
    entries = [_entry(draft, name, source) for draft, name in zip(drafts, ids, strict=True)]
    text = "\n".join([*_front(title, updated, left), "", "\n".join(entries)])
    return before if _undated(text) == _undated(before) else text


def retired(text: str) -> tuple[str, ...]:
    """The ids that a sheet keeps from being given to other entries."""
    found = _RETIRED.search(text)
    return tuple(found["ids"].split()) if found else ()


def _undated(text: str) -> str:
    return re.sub(r"^updated = .*$", "", text, count=1, flags=re.MULTILINE)


def _front(title: str, updated: datetime.date, gone: Sequence[str]) -> Iterator[str]:
    yield "+++"
    yield f"title = {toml_text(title)}"
    yield 'kind = "rule"'
    yield f"updated = {updated.isoformat()}"
    if gone:
        yield f"# ids of entries that are gone: {' '.join(gone)}"
    yield "+++"


def toml_text(text: str) -> str:
    r"""A text as a basic string of TOML.

    >>> print(toml_text('The "Big" Box\\'))
    "The \"Big\" Box\\"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", " ", escaped) + '"'


def _entry(draft: Draft, name: str, source: str) -> str:
    attributes = {"sources": source}
    if draft.pages[0]:
        first, last = draft.pages
        attributes["pages"] = str(first) if first == last else f"{first}-{last}"
    if draft.kind != "rule":
        attributes["kind"] = draft.kind
    if aliases := [alias for text in draft.aliases if (alias := _alias(text))]:
        attributes["aliases"] = "; ".join(dict.fromkeys(aliases))
    given = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    title = re.sub(r"^(\d{1,9})\\(?=[.)])", r"\1", escape_markdown(draft.title))  # in a heading it begins no list
    head = f"{'#' * (draft.level + 1)} {title} {{#{name} {given}}}\n"
    body = "\n".join(_body(draft.blocks))
    return f"{head}\n{body}\n" if body else head


def _alias(text: str) -> str:
    """A text as one alias of a heading attribute."""
    return one_line(text).replace('"', "”").replace(";", ",").strip()


def _body(blocks: Sequence[Piece]) -> Iterator[str]:
    """The lines of an entry: blank lines between paragraphs, lists and tables."""
    last = ""
    n = 0
    while n < len(blocks):
        end = next((m for m in range(n, len(blocks)) if blocks[m].kind != blocks[n].kind), len(blocks))
        if last:
            yield ""
        last = blocks[n].kind
        match last:
            case "item":
                yield from _list(blocks[n:end])
            case "row":
                yield from _table([piece.text for piece in blocks[n:end]])
            case _:
                yield from "\n\n".join(piece.text for piece in blocks[n:end]).split("\n")
        n = end


def _list(items: Sequence[Piece]) -> Iterator[str]:
    """The lines of a list; an item without a marker is a further paragraph of the one before."""
    indents = [0]
    for n, item in enumerate(items):
        if not item.marker and n:
            del indents[min(max(item.level, 1), len(indents) - 1) + 1 :]
            yield ""
            yield " " * indents[-1] + item.text
            continue
        marker = item.marker if re.fullmatch(r"[0-9]{1,9}\.", item.marker) else "-"
        depth = min(max(item.level, 1), len(indents), DEEPEST_LIST)
        if n and not items[n - 1].marker:
            yield ""
        del indents[depth:]
        yield f"{' ' * indents[-1]}{marker} {item.text}"
        indents.append(indents[-1] + len(marker) + 1)


def _table(rows: Sequence[str]) -> Iterator[str]:
    """The lines of a table: the first row heads it, and the widest row says how many columns there are."""
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().removeprefix("|"))] for row in rows]
    cells = [row[:-1] if len(row) > 1 and not row[-1] else row for row in cells]
    columns = max(map(len, cells))
    for n, row in enumerate(cells):
        yield "| " + " | ".join([*row, *[""] * (columns - len(row))]) + " |"
        if n == 0:
            yield "|" + " --- |" * columns


# --- what changed -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Changes:
    """How a sheet differs from the one before, by the titles of entries; ``renamed`` pairs old and new."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.renamed)


def changes(old: str, new: str) -> Changes:
    """What differs between two sheets; entries are told apart by their ids.

    >>> front = '+++\\ntitle = "R"\\nkind = "rule"\\nupdated = 2026-11-29\\n+++\\n'
    >>> changes(front + "## A {#a}\\none\\n", front + "## B {#a}\\none\\n\\n## C {#c}\\n")
    Changes(added=('C',), removed=(), changed=(), renamed=(('A', 'B'),))
    """
    earlier = {section.id: section for section in parse(old, "")[0].sections} if old else {}
    later = {section.id: section for section in parse(new, "")[0].sections}
    both = [(earlier[name], later[name]) for name in later if name in earlier]
    return Changes(
        added=tuple(section.title for name, section in later.items() if name not in earlier),
        removed=tuple(section.title for name, section in earlier.items() if name not in later),
        changed=tuple(b.title for a, b in both if a.title == b.title and _content(a) != _content(b)),
        renamed=tuple((a.title, b.title) for a, b in both if a.title != b.title),
    )


def _content(section: Section) -> tuple[object, ...]:
    return section.level, section.parent, dict(section.attributes), section.markdown
