"""What ``rules list`` and ``rules info`` show: rows of games, entries, terms, disputes and sources; versions and counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ruleslawyer import __version__
from ruleslawyer.index import Index
from ruleslawyer.present import Page, is_private, localised
from ruleslawyer.store import ENGINE
from ruleslawyer.words import Words


def rows_of(what: str, index: Index, lang: str, game: str, kind: str) -> list[dict[str, Any]]:
    """What ``rules list`` lists, as JSON data: ``id`` and ``title`` of each, and what tells it apart."""
    games = {g: {**data, **index.catalogue[g]} for g, data in index.games.items() if not game or g == game}
    if what == "games":
        counts = {g: sum(1 for r in index.records.values() if r.game == g) for g in games}
        return [
            {
                "id": g,
                "title": localised(d["title"], lang),
                "private": is_private(index, g),
                "languages": d["languages"],
                "entries": counts[g],
                "updated": d["updated"],
            }
            for g, d in games.items()
        ]
    if what == "entries":
        records = [r for r in index.records.values() if r.game in games and (not kind or r.head["kind"] == kind)]
        return [
            {"id": r.name, "title": r.title(lang), "kind": r.head["kind"], "depth": len(r.head["path"])}
            for r in records
        ]
    if what == "terms":
        return [
            {
                "id": f"{g}/{t['id']}",
                "title": _first_form(t, lang),
                "definition": localised(t["definition"], lang),
                "entry": f"{g}/{t['entry']}",
            }
            for g, d in games.items()
            for t in d["terms"]
        ]
    if what == "disputes":
        return [
            {
                "id": f"{g}/{x['id']}",
                "title": localised(x["title"], lang),
                "status": x["status"],
                "entries": [f"{g}/{e}" for e in x["entries"]],
            }
            for g, d in games.items()
            for x in d["disputes"]
        ]
    return [
        {
            "id": f"{g}/{s['id']}",
            "title": s["title"],
            "language": s["language"],
            "date": s["date"],
            "address": s["address"],
        }
        for g, d in games.items()
        for s in d["sources"]
    ]


def _first_form(term: Mapping[str, Any], lang: str) -> str:
    forms = term["forms"]
    return str((forms.get(lang) or forms.get("en") or next(iter(forms.values())))[0])


def row_lines(what: str, rows: Sequence[Mapping[str, Any]], page: Page) -> Iterator[str]:
    """The rows of a list, a line each where they fit."""
    for row in rows:
        indent = 2 * row.get("depth", 0)
        yield from page.line(f"{row['title']}  [{row['id']}]  {_details(what, row, page.words)}", indent, indent + 4)


def _details(what: str, row: Mapping[str, Any], words: Words) -> str:
    """What tells a row of a list apart from the others, beside title and id."""
    match what:
        case "games":
            private = f"{words('private')}; " if row["private"] else ""
            return f"{private}{', '.join(row['languages'])}; {row['entries']}; {row['updated']}"
        case "disputes":
            return words(f"dispute.{row['status']}")
        case "terms":
            return str(row["definition"])
        case "entries":
            return words(f"kind.{row['kind']}")
    return " ".join(row[key] for key in ("language", "date", "address") if row[key])


def info(index: Index, corpus: Path, home: Path) -> dict[str, Any]:
    """Versions, dates, counts and paths."""
    import platform  # only here

    return {
        "version": __version__,
        "python": platform.python_version(),
        "whoosh": ENGINE,
        "corpus": {
            "path": str(corpus),
            "updated": max(data["updated"] for data in index.games.values()),
            "games": len(index.games),
            "entries": index.store.documents,
            "texts": sum(len(r.titles) for r in index.records.values()),
            "terms": sum(len(d["terms"]) for d in index.catalogue.values()),
            "disputes": sum(len(d["disputes"]) for d in index.catalogue.values()),
            "sources": sum(len(d["sources"]) for d in index.games.values()),
        },
        "index": {"path": str(index.folder or ""), "cache": str(home)},
    }


def flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Nested data as ``("corpus.entries", 162)`` rows."""
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
