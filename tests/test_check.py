"""Every message of the checker: one edit to a sound corpus, and the exact problems it must give."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from corpora import Edit, write_corpus
from ruleslawyer.check import check, levels_of, numbers_of
from ruleslawyer.errors import DataProblem

EN, ES, ZH = "harbour/rules.en.md", "harbour/rules.es.md", "harbour/rules.zh.md"
FAQ, GAME = "harbour/faq.en.md", "harbour/game.toml"
GLOSSARY, DISPUTES, ASKS = "harbour/glossary.toml", "harbour/disputes.toml", "harbour/asks.es.toml"
LIGHT = "lanterns/rules.en.md"
FRONT = '+++\ntitle = "Rules"\nkind = "rule"\nupdated = 2026-11-28\n+++\n'
NO_SOURCES = """say what it rests on: sources="id\""""
FOG = 'title.en = "Fog"\nlanguages = ["en"]\nupdated = 2026-11-29\n'
CLOSING = """end it with {#id sources="..."}"""


def problems(root: Path) -> list[str]:
    return [str(problem) for problem in check(root)]


def test_a_sound_corpus_has_no_problem(tmp_path: Path) -> None:
    assert problems(write_corpus(tmp_path)) == []


# fmt: off
DOCUMENT = [
    ("no front matter", LIGHT, FRONT, "", [
        "1: no front matter (begin with a line +++, then title, kind and updated, then a line +++)",
    ]),
    ("front matter not closed", LIGHT, "updated = 2026-11-28\n+++", "updated = 2026-11-28", [
        "document without entries (write a heading: ## Title {#id sources=\"...\"})",
        "1: front matter is not closed (end it with a line +++)",
    ]),
    ("front matter not TOML", LIGHT, 'kind = "rule"', "kind = rule", [
        "3: broken TOML: Invalid value",
    ]),
    ("front matter with unknown key", LIGHT, 'title = "Rules"', 'titel = "R"\ntitle = "Rules"', [
        "2: unknown key 'titel' (did you mean 'title'?)",
    ]),
    ("front matter without a key", LIGHT, "updated = 2026-11-28\n", "", ["missing key 'updated'"]),
    ("front matter with unknown kind", LIGHT, '"rule"', '"ruel"', ["3: unknown kind 'ruel' (did you mean 'rule'?)"]),
    ("front matter with a date in quotes", LIGHT, "2026-11-28", '"2026-11-28"', [
        "4: 'updated' must be a date (write it as 2026-11-29, without quotes)",
    ]),
    ("kind that does not fit the file", LIGHT, '"rule"', '"faq"', [
        "1: kind 'faq' does not fit the file's name (rules.en.md has kind 'rule')",
    ]),
    ("text before the first heading", LIGHT, "## Light", "Hello.\n\n## Light", [
        "7: text before the first heading (move it under a heading)",
    ]),
    ("single #", LIGHT, "## Light", "# Light", [
        "7: heading begins with a single # (entries begin with ##; the title is in the front matter)",
        "11: heading skips a level: ### under # (write ##)",
    ]),
    ("skipped level", LIGHT, "### Wind", "#### Wind", ["11: heading skips a level: #### under ## (write ###)"]),
    ("heading in a list", LIGHT, "Wind is", "- ## Wind is", [
        "13: heading inside a list or quotation (entries stand on their own)",
    ]),
    ("heading without a title", LIGHT, "### Wind {", "### {", [
        "11: heading without a title (every entry has one, before its {#id})",
    ]),
    ("link in a heading", LIGHT, "### Wind {", "### [Wind](#light) {", [
        "11: link in a heading (links stand in the text below it)",
    ]),
    ("malformed id", LIGHT, "## Light {#light", "## Light {#Light_1", [
        "7: malformed id 'Light_1' (write small letters a-z, digits and single hyphens)",
    ]),
    ("attribute without quotes", LIGHT, '{#wind kind="info"', "{#wind kind=info", [
        "11: malformed attribute 'kind=info' (write #id first, then key=\"value\")",
    ]),
    ("brace not closed", LIGHT, '#wind kind="info" sources="lanterns-book"}', "#wind", [
        "9: unknown entry 'wind' (known: 'light')", f"11: malformed attributes ({CLOSING})",
    ]),
    ("heading without attributes", LIGHT, ' {#wind kind="info" sources="lanterns-book"}', "", [
        "9: unknown entry 'wind' (known: 'light')", f"11: heading without an id ({CLOSING})",
    ]),
    ("attributes without an id", LIGHT, '#wind kind="info"', 'aliases="#1"', [
        "9: unknown entry 'wind' (known: 'light')", f"11: heading without an id ({CLOSING})",
    ]),
    ("attribute given twice", LIGHT, 'kind="info"', 'kind="info" kind="info"', ["11: 'kind' is given twice"]),
    ("unknown attribute", LIGHT, 'kind="info"', 'kinds="info"', [
        "11: unknown attribute 'kinds' (did you mean 'kind'?)",
    ]),
    ("empty attribute", LIGHT, 'kind="info"', 'kind="info" variant=" "', [
        "11: 'variant' is empty (leave it out or give it a value)",
    ]),
    ("inline HTML", LIGHT, "Wind is", "Wind is `<b>` <b>", [
        r"13: raw HTML is not allowed (write \< where the sign itself is meant)",
    ]),
    ("HTML in the second line of a paragraph", LIGHT, "Wind is", "Wind\n</b> is", [
        r"14: raw HTML is not allowed (write \< where the sign itself is meant)",
    ]),
    ("block of HTML", LIGHT, "Wind is", "<div>\n\nWind is", [
        r"13: raw HTML is not allowed (write \< where the sign itself is meant)",
    ]),
    ("comment", LIGHT, "Wind is", "<!-- later -->\n\nWind is", [
        r"13: raw HTML is not allowed (write \< where the sign itself is meant)",
    ]),
    ("image", LIGHT, "Wind is", "![Wind](wind.png) is", ["13: images are not allowed (say in words what it shows)"]),
    ("web link", LIGHT, "(#wind)", "(https://example.org)", [
        "9: link to a web page 'https://example.org' (put it in game.toml as a source and write source:ID)",
    ]),
    ("script link", LIGHT, "(#wind)", "(javascript:alert)", [
        "9: link 'javascript:alert' is not allowed (write #id, game#id or source:id)",
    ]),
    ("data link", LIGHT, "(#wind)", "(data:text/html,x)", [
        "9: link 'data:text/html,x' is not allowed (write #id, game#id or source:id)",
    ]),
    ("link to a file", LIGHT, "(#wind)", "(rules.en.md#wind)", [
        "9: link 'rules.en.md#wind' is not allowed (write #id, game#id or source:id)",
    ]),
    ("link definition", LIGHT, "Wind is", "[x]: #light\n\nWind is", [
        "13: link definition (write [text](#id) where the link stands)",
    ]),
    ("control character", LIGHT, "Wind is", "Wind\x07 is", ["13: control character U+0007 (delete it)"]),
    ("no text", LIGHT, "\nWind is on the card.\n", "", ["11: entry without text (write the ruling below the heading)"]),
    ("no sources", LIGHT, ' kind="info" sources="lanterns-book"', "", [f"11: entry without sources ({NO_SOURCES})"]),
    ("unknown source", LIGHT, 'info" sources="lanterns-book"', 'info" sources="lantern-book"', [
        "11: unknown source 'lantern-book' (did you mean 'lanterns-book'?)",
    ]),
    ("unknown kind", LIGHT, 'kind="info"', 'kind="infos"', ["11: unknown kind 'infos' (did you mean 'info'?)"]),
    ("parent of a rule", LIGHT, 'kind="info"', 'parent="light"', [
        "11: 'parent' is for FAQ only (rules are nested by their headings)",
    ]),
    ("malformed players", LIGHT, 'kind="info"', 'players="two"', [
        "11: malformed players 'two' (write players=\"2\", \"2-3\" or \"5+\")",
    ]),
    ("empty alias", LIGHT, 'kind="info"', 'aliases="breeze; ; gust"', [
        "11: empty alias (aliases are separated by one ;)",
    ]),
    ("id twice in a document", LIGHT, "{#wind", "{#light", [
        "9: unknown entry 'wind' (known: 'light')", "11: id 'light' is already used at rules.en.md:7",
    ]),
    ("link to an unknown entry", LIGHT, "(#wind)", "(#winds)", ["9: unknown entry 'winds' (did you mean 'wind'?)"]),
    ("link to an unknown game", LIGHT, "(#wind)", "(harbor#docks)", [
        "9: unknown game 'harbor' (did you mean 'harbour'?)",
    ]),
    ("link to an unknown entry of a game", LIGHT, "(#wind)", "(harbour#dock)", [
        "9: unknown entry 'dock' of harbour (did you mean 'docks'?)",
    ]),
    ("link to an unknown source", LIGHT, "(#wind)", "(source:lanterns-bok)", [
        "9: unknown source 'lanterns-bok' (did you mean 'lanterns-book'?)",
    ]),
]
# fmt: on


@pytest.mark.parametrize(("file", "old", "new", "expected"), [c[1:] for c in DOCUMENT], ids=[c[0] for c in DOCUMENT])
def test_documents(tmp_path: Path, file: str, old: str, new: str, expected: list[str]) -> None:
    """Problems of the document itself; what follows from them in other files (asks without entry) is left aside."""
    found = [p for p in problems(write_corpus(tmp_path, Edit(file, old, new))) if p.startswith(file)]
    assert found == [located(file, e) for e in expected]


def located(file: str, problem: str) -> str:
    return f"{file}:{problem}" if problem[0].isdigit() else f"{file}: {problem}"


# fmt: off
FAQS = [
    ("resting on an unknown rule", FAQ, "rests-on=\"trade-routes docks\"", "rests-on=\"trade-roues docks\"", [
        "harbour/faq.en.md:7: unknown rule 'trade-roues' (did you mean 'trade-routes'?)",
        "harbour/faq.es.md:7: 'rests-on' differs from English: 'docks trade-roues' there, 'docks trade-routes' here",
        "harbour/faq.zh.md:7: 'rests-on' differs from English: 'docks trade-roues' there, 'docks trade-routes' here",
    ]),
    ("resting on nothing", "harbour/faq.es.md", " rests-on=\"trade-routes docks\"", "", [
        "harbour/faq.es.md:7: 'rests-on' differs from English: 'docks trade-routes' there, '' here",
        "harbour/faq.es.md:7: FAQ without rests-on (name the rules that give the answer: rests-on=\"id\")",
    ]),
    ("under an unknown parent", "harbour/faq.zh.md", 'parent="trade-routes"', 'parent="trade-route"', [
        "harbour/faq.zh.md:7: 'parent' differs from English: 'trade-routes' there, 'trade-route' here",
        "harbour/faq.zh.md:7: unknown parent 'trade-route' (did you mean 'trade-routes'?)",
    ]),
    ("with the id of a rule", "harbour/faq.es.md", "{#crossing-routes", "{#docks", [
        "harbour/faq.es.md: entry 'crossing-routes' is missing (it is at faq.en.md:7)",
        "harbour/faq.es.md:7: id 'docks' is already used at rules.es.md:18",
    ]),
]

LANGUAGES = [
    ("entry missing", EN, "", '\n## Cranes {#cranes sources="harbour-book"}\n\nA crane lifts.\n', [
        "harbour/asks.en.toml: no asks for 'cranes' (write at least 7)",
        "harbour/asks.es.toml: no asks for 'cranes' (write at least 7)",
        "harbour/asks.zh.toml: no asks for 'cranes' (write at least 7)",
        "harbour/rules.es.md: entry 'cranes' is missing (it is at rules.en.md:23)",
        "harbour/rules.zh.md: entry 'cranes' is missing (it is at rules.en.md:23)",
    ]),
    ("nested differently", ES, "### Rutas", "## Rutas", [
        "harbour/rules.es.md:11: 'parent' differs from English: 'turn' there, '' here",
    ]),
    ("other sources", ZH, 'sources="harbour-book harbour-page"', 'sources="harbour-book"', [
        "harbour/rules.zh.md:11: 'sources' differs from English: "
        "'harbour-book harbour-page' there, 'harbour-book' here",
    ]),
    ("other players", ZH, 'players="2-4"', 'players="2-3"', [
        "harbour/rules.zh.md:11: 'players' differs from English: '2-4' there, '2-3' here",
    ]),
    ("other kind", ES, "{#docks", '{#docks kind="info"', [
        "harbour/rules.es.md:18: 'kind' differs from English: 'rule' there, 'info' here",
    ]),
    ("other edition", ES, "{#docks", '{#docks edition="2"', [
        "harbour/rules.es.md:18: 'edition' differs from English: '' there, '2' here",
    ]),
    ("other variant", ES, "{#docks", '{#docks variant="night"', [
        "harbour/rules.es.md:18: 'variant' differs from English: '' there, 'night' here",
    ]),
    ("a number missing", ES, "Paga 3 monedas", "Paga tres monedas", [
        "harbour/rules.es.md:11: numbers differ from English: 3 (1x in en, 0x in es)",
    ]),
    ("numbers wrong and repeated", ZH, "移动1艘船，然后", "移动3艘船，然后2次", [
        "harbour/rules.zh.md:7: numbers differ from English: "
        "1 (1x in en, 0x in zh), 2 (1x in en, 2x in zh), 3 (0x in en, 1x in zh)",
    ]),
    ("a number only in a title", ES, "## Turno", "## Turno 1", [
        "harbour/rules.es.md:7: numbers differ from English: 1 (1x in en, 2x in es)",
    ]),
    ("another level", ES, "nivel II", "nivel III", [
        "harbour/rules.es.md:11: levels differ from English: II only in en, III only in es",
    ]),
]

TOML = [
    ("broken", GAME, "[[sources]]\nid = \"harbour-book\"", "[[sources\nid = \"harbour-book\"", [
        "harbour/game.toml:11: broken TOML: Expected ']]' at the end of an array declaration",
    ]),
    ("broken at its end", GAME, 'about.zh = "关于航线的网页。"\n', "about.zh = [", [
        "harbour/game.toml:29: broken TOML: Invalid value",
    ]),
    ("game with unknown key", GAME, 'age = "10+"', 'ages = "10+"', [
        "harbour/game.toml:9: unknown key 'ages' (did you mean 'age'?)",
    ]),
    ("game with unknown key beyond the arrays", GAME, 'date = "2026-05"', 'dates = "2026-05"', [
        "harbour/game.toml:26: unknown key 'dates' (did you mean 'date'?)",
    ]),
    ("game with a number for a text", GAME, 'minutes = "45"', "minutes = 45", [
        "harbour/game.toml:8: 'minutes' must be a text, not a number",
    ]),
    ("game with a text for a list", GAME, 'aliases = ["HRB"]', 'aliases = "HRB"', [
        "harbour/game.toml:4: 'aliases' must be a list, not a text",
    ]),
    ("game with an empty alias", GAME, '["HRB"]', '[\n  "HRB",\n  " ",\n]', [
        "harbour/game.toml:6: number 2 of 'aliases' is empty",
    ]),
    ("game with a number for an alias", GAME, '["HRB"]', "[5]", [
        "harbour/game.toml:4: number 1 of 'aliases' must be a text",
    ]),
    ("game without a key", GAME, "updated = 2026-11-29\n", "", ["harbour/game.toml: missing key 'updated'"]),
    ("game without languages", GAME, '["en", "es", "zh"]', "[]", ["harbour/game.toml:5: 'languages' is empty"]),
    ("game with unknown language", GAME, '["en", "es", "zh"]', '["en", "es", "zh", "eng"]', [
        "harbour/game.toml:5: unknown language 'eng' (did you mean 'en'?)",
    ]),
    ("game title missing in a language", GAME, 'title.es = "Puerto"\n', "", [
        "harbour/game.toml:1: 'title' is missing in es",
    ]),
    ("game title in an unknown language", GAME, 'title.es = "Puerto"', 'title.es = "Puerto"\ntitle.sp = "P"', [
        "harbour/game.toml:3: unknown key 'title.sp' (known: 'en', 'es', 'zh')",
    ]),
    ("game title empty", GAME, 'title.en = "Harbour"', 'title.en = ""', ["harbour/game.toml:1: 'title.en' is empty"]),
    ("source of unknown kind", GAME, '"public page"', '"publik page"', [
        "harbour/game.toml:22: unknown kind 'publik page' (did you mean 'public page'?)",
    ]),
    ("source at no web address", GAME, "https://example.org/harbour", "javascript:alert(1)", [
        "harbour/game.toml:25: 'javascript:alert(1)' is not a web address (begin with https://)",
    ]),
    ("source twice", GAME, 'id = "harbour-page"', 'id = "harbour-book"', [
        "harbour/game.toml:21: id 'harbour-book' is already used in this file",
    ]),
    ("source with malformed id", GAME, 'id = "harbour-page"', 'id = "Harbour page"', [
        "harbour/game.toml:21: malformed id 'Harbour page' (write small letters a-z, digits and single hyphens)",
    ]),
    ("source without kind", GAME, 'kind = "rulebook"\n', "", ["harbour/game.toml:11: missing key 'kind'"]),
    ("term of an unknown entry", GLOSSARY, '"trade-routes"', '"trade-route"', [
        "harbour/glossary.toml:3: unknown entry 'trade-route' (did you mean 'trade-routes'?)",
    ]),
    ("term with unknown key", GLOSSARY, "definition.en =", "definitions.en =", [
        "harbour/glossary.toml:7: unknown key 'definitions' (did you mean 'definition'?)",
        "harbour/glossary.toml:8: 'definition' is missing in en",
    ]),
    ("term without definition in a language", GLOSSARY, 'definition.es = "Une puertos."\n', "", [
        "harbour/glossary.toml:7: 'definition' is missing in es",
    ]),
    ("term without forms in a language", GLOSSARY, 'forms.zh = ["航线"]\n', "", [
        "harbour/glossary.toml:4: 'forms' is missing in zh",
    ]),
    ("term with no forms", GLOSSARY, 'forms.es = ["ruta"]', "forms.es = []", [
        "harbour/glossary.toml:5: 'forms.es' is empty",
    ]),
    ("term with an empty form", GLOSSARY, '"line"', '""', ["harbour/glossary.toml:4: number 2 of 'forms.en' is empty"]),
    ("term with a mark that is no yes or no", GLOSSARY, 'id = "route"', 'id = "route"\nmarked = "no"', [
        "harbour/glossary.toml:3: 'marked' must be a yes or no, not a text",
    ]),
    ("glossary that is no array", GLOSSARY, "[[terms]]", "[terms]", [
        "harbour/glossary.toml:1: 'terms' must be a list, not a table",
    ]),
    ("glossary of texts", GLOSSARY, "[[terms]]", 'terms = ["route"]\n[[extra]]', [
        "harbour/glossary.toml:1: number 1 of 'terms' must be a table",
        "harbour/glossary.toml:2: unknown key 'extra' (known: 'terms')",
    ]),
    ("dispute about no entry", DISPUTES, '["docks", "turn"]', "[]", ["harbour/disputes.toml:3: 'entries' is empty"]),
    ("dispute without entries", DISPUTES, 'entries = ["docks", "turn"]\n', "", [
        "harbour/disputes.toml:1: missing key 'entries'",
    ]),
    ("dispute about an unknown entry", DISPUTES, '"turn"', '"turns"', [
        "harbour/disputes.toml:3: unknown entry 'turns' (did you mean 'turn'?)",
    ]),
    ("dispute of unknown status", DISPUTES, '"open"', '"opne"', [
        "harbour/disputes.toml:4: unknown status 'opne' (did you mean 'open'?)",
    ]),
    ("dispute of unknown basis", DISPUTES, '"unknown"', '"guess"', [
        "harbour/disputes.toml:5: unknown basis 'guess' (known: 'logic', 'public', 'unknown')",
    ]),
    ("dispute resting on an unknown source", DISPUTES, '["harbour-page"]', '["harbour-pag"]', [
        "harbour/disputes.toml:6: unknown source 'harbour-pag' (did you mean 'harbour-page'?)",
    ]),
    ("dispute without ruling in a language", DISPUTES, 'ruling.zh = "尚无定论。"\n', "", [
        "harbour/disputes.toml:10: 'ruling' is missing in zh",
    ]),
    ("position of an unknown source", DISPUTES, '["harbour-book"]', '["harbour-bok"]', [
        "harbour/disputes.toml:18: unknown source 'harbour-bok' (did you mean 'harbour-book'?)",
    ]),
    ("position with unknown key", DISPUTES, "says.en =", "say.en =", [
        "harbour/disputes.toml:19: unknown key 'say' (did you mean 'says'?)",
        "harbour/disputes.toml:20: 'says' is missing in en",
    ]),
    ("position missing a language", DISPUTES, 'says.es = "Nada."\n', "", [
        "harbour/disputes.toml:19: 'says' is missing in es",
    ]),
    ("asks for an unknown entry", ASKS, "docks = [", "dock = [", [
        "harbour/asks.es.toml: no asks for 'docks' (write at least 7)",
        "harbour/asks.es.toml:19: asks for unknown entry 'dock' (did you mean 'docks'?)",
    ]),
    ("too few asks", ASKS, '  "docks doubt 7",\n', "", [
        "harbour/asks.es.toml:19: only 6 asks for 'docks' (write at least 7)",
    ]),
    ("no asks", ASKS, '"docks doubt 7",\n]', '"docks doubt 7",\n]\nturn2 = []', [
        "harbour/asks.es.toml:28: asks for unknown entry 'turn2' (did you mean 'turn'?)",
    ]),
    ("ask twice", ASKS, '"docks doubt 3"', '"Docks doubt 2 "', [
        "harbour/asks.es.toml:22: ask 'Docks doubt 2 ' is given twice for 'docks'",
    ]),
    ("empty ask", ASKS, '"docks doubt 3"', '""', ["harbour/asks.es.toml:22: number 3 of 'docks' is empty"]),
]

FILES = [
    ("asks of an unknown language", Edit("harbour/asks.sp.toml", "", ""), [
        "harbour/asks.sp.toml: unknown language 'sp' (known: 'en', 'es', 'zh')",
    ]),
    ("document of an unknown language", Edit("harbour/rules.eng.md", "", ""), [
        "harbour/rules.eng.md: unknown language 'eng' (did you mean 'en'?)",
    ]),
    ("file with a slip in its name", Edit("harbour/glosary.toml", "", ""), [
        "harbour/glosary.toml: unexpected file 'glosary.toml' (did you mean 'glossary.toml'?)",
    ]),
    ("folder in a game", Edit("harbour/maps/x.md", "", ""), ["harbour/maps: unexpected file 'maps'"]),
    ("folder named like a file", Edit("lanterns/glossary.toml/x", "", ""), ["lanterns/glossary.toml: not a file"]),
    ("file among the games", Edit("rules.en.md", "", ""), [
        "rules.en.md: unexpected file (every game has a folder of its own)",
    ]),
    ("game with a malformed name", Edit("My Game/game.toml", "", ""), [
        "My Game: malformed id 'My Game' (write small letters a-z, digits and single hyphens)",
    ]),
    ("game without documents", Edit("fog/game.toml", "", FOG), [
        "fog: game without documents (write rules.en.md)", "fog/game.toml: missing key 'sources'",
    ]),
    ("hidden file and notice", Edit(".git/x", "", ""), []),
    ("notice", Edit("NOTICE.md", "", "CC BY 4.0"), []),
]
# fmt: on


@pytest.mark.parametrize(("file", "old", "new", "expected"), [c[1:] for c in FAQS], ids=[c[0] for c in FAQS])
def test_faq(tmp_path: Path, file: str, old: str, new: str, expected: list[str]) -> None:
    assert problems(write_corpus(tmp_path, Edit(file, old, new))) == expected


@pytest.mark.parametrize(("file", "old", "new", "expected"), [c[1:] for c in LANGUAGES], ids=[c[0] for c in LANGUAGES])
def test_languages_must_agree(tmp_path: Path, file: str, old: str, new: str, expected: list[str]) -> None:
    assert problems(write_corpus(tmp_path, Edit(file, old, new))) == expected


@pytest.mark.parametrize(("file", "old", "new", "expected"), [c[1:] for c in TOML], ids=[c[0] for c in TOML])
def test_toml(tmp_path: Path, file: str, old: str, new: str, expected: list[str]) -> None:
    """Problems of the file itself; references to what it no longer says are left aside."""
    found = [p for p in problems(write_corpus(tmp_path, Edit(file, old, new))) if p.startswith(file)]
    assert found == expected


@pytest.mark.parametrize(("edit", "expected"), [c[1:] for c in FILES], ids=[c[0] for c in FILES])
def test_files(tmp_path: Path, edit: Edit, expected: list[str]) -> None:
    assert problems(write_corpus(tmp_path, edit)) == expected


def test_a_document_missing_in_a_language_is_one_problem(tmp_path: Path) -> None:
    root = write_corpus(tmp_path)
    (root / "harbour/faq.es.md").unlink()
    assert problems(root) == ["harbour/faq.es.md: file is missing (the game's languages are en, es, zh)"]


def test_missing_files(tmp_path: Path) -> None:
    root = write_corpus(tmp_path)
    (root / "lanterns/game.toml").unlink()
    (root / "lanterns/asks.zh.toml").unlink()
    assert problems(root) == [
        "lanterns/asks.zh.toml: file is missing (write at least 7 asks for every entry)",
        "lanterns/game.toml: file is missing (every game needs one)",
    ]


def test_no_games_and_no_folder(tmp_path: Path) -> None:
    assert problems(tmp_path) == [".: no games (every game has a folder of its own)"]
    with pytest.raises(DataProblem, match="no corpus folder"):
        check(tmp_path / "elsewhere")


def test_bytes_that_are_not_utf8_are_named_with_line_and_offset(tmp_path: Path) -> None:
    root = write_corpus(tmp_path)
    text = (root / ES).read_bytes()
    (root / ES).write_bytes(text.replace("página".encode(), "página".encode("latin-1")))
    place = text.index("página".encode()) + 1
    assert problems(root) == [f"{ES}:13: not UTF-8: byte 0xe1 at offset {place} (save the file as UTF-8)"]


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    root = write_corpus(tmp_path)
    for file in root.rglob("*.*"):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert problems(root) == []


def test_the_offset_counts_the_byte_order_mark(tmp_path: Path) -> None:
    root = write_corpus(tmp_path)
    (root / GLOSSARY).write_bytes(b"\xef\xbb\xbf# \xff\n")
    assert problems(root) == [f"{GLOSSARY}:1: not UTF-8: byte 0xff at offset 5 (save the file as UTF-8)"]


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights there")
def test_symbolic_links_are_refused(tmp_path: Path) -> None:
    root = write_corpus(tmp_path / "corpus")
    (tmp_path / "secret.toml").write_text(GLOSSARY, encoding="utf-8")
    (root / "lanterns/glossary.toml").symlink_to(tmp_path / "secret.toml")
    (root / "elsewhere").symlink_to(tmp_path, target_is_directory=True)
    assert problems(root) == [
        "elsewhere: symbolic link (the corpus holds plain files only: copy the folder here)",
        "lanterns/glossary.toml: symbolic link (the corpus holds plain files only: copy the file here)",
    ]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    root = write_corpus(tmp_path)
    (root / GLOSSARY).chmod(0)
    assert problems(root) == [f"{GLOSSARY}: cannot be read: Permission denied"]


def test_parents_that_lead_in_a_circle(tmp_path: Path) -> None:
    second = '\n## Again? {#again parent="crossing-routes" rests-on="docks" sources="harbour-book"}\n\nYes.\n'
    edits = [
        edit
        for file in ("harbour/faq.en.md", "harbour/faq.es.md", "harbour/faq.zh.md")
        for edit in (Edit(file, 'parent="trade-routes"', 'parent="again"'), Edit(file, "", second))
    ]
    found = [p for p in problems(write_corpus(tmp_path, *edits)) if "asks" not in p]
    assert found == [
        "harbour/faq.en.md:7: 'crossing-routes' is its own ancestor: crossing-routes > again > crossing-routes "
        "(change one of the parents)",
        "harbour/faq.en.md:11: 'again' is its own ancestor: again > crossing-routes > again "
        "(change one of the parents)",
    ]


def test_problems_come_sorted_and_once(tmp_path: Path) -> None:
    edits = [Edit(LIGHT, "Wind is", "<b>Wind</b> is"), Edit(EN, "3 coins", "4 coins"), Edit(LIGHT, "2 spaces", "<i>")]
    found = check(write_corpus(tmp_path, *edits))
    assert found == sorted(set(found))
    assert [p.file for p in found] == [ES, ZH, LIGHT, LIGHT]


def test_a_broken_heading_hides_no_other_problem_and_is_not_compared(tmp_path: Path) -> None:
    edits = [Edit(ES, "{#docks ", "{#Docks "), Edit(ZH, "3枚", "4枚")]
    assert problems(write_corpus(tmp_path, *edits)) == [
        f"{ES}:18: malformed id 'Docks' (write small letters a-z, digits and single hyphens)",
        f"{ZH}:11: numbers differ from English: 3 (1x in en, 0x in zh), 4 (0x in en, 1x in zh)",
    ]


def test_what_hangs_below_a_broken_heading_is_not_compared(tmp_path: Path) -> None:
    assert problems(write_corpus(tmp_path, Edit(ES, "{#turn ", "{#Turn "))) == [
        f"{ES}:7: malformed id 'Turn' (write small letters a-z, digits and single hyphens)",
    ]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3,15 and 3.15", {"3.15": 2}),
        ("2026-09-27", {"2026": 1, "09": 1, "27": 1}),
        ("2–4, 14+, 4.º, 4th, 第4", {"2": 1, "4": 4, "14": 1}),
        ("第３章", {"3": 1}),
        ("one of them, 其一", {}),
    ],
)
def test_numbers(text: str, numbers: dict[str, int]) -> None:
    assert numbers_of(text) == numbers


@pytest.mark.parametrize(
    ("text", "lang", "levels"),
    [
        ("Level I and II", "en", {"I", "II"}),
        ("Levels I to IIII", "en", {"I", "IIII"}),
        ("I draw III", "en", {"III"}),
        ("nivel I, IV", "es", {"I", "IIII"}),
        ("I级和IV级", "zh", {"I", "IIII"}),
        ("一级、二级、三级、四级", "zh", {"I", "II", "III", "IIII"}),
        ("level 2, 2级", "en", set()),
    ],
)
def test_levels(text: str, lang: str, levels: set[str]) -> None:
    assert levels_of(text, lang) == levels


def test_a_level_may_be_written_as_a_han_numeral_and_yi_ji_may_mean_a_level(tmp_path: Path) -> None:
    edits = [Edit(ZH, "II级", "二级"), Edit(ZH, "每个码头放", "升高一级，每个码头放")]
    assert problems(write_corpus(tmp_path, *edits)) == []


def test_a_numeral_is_no_level_for_the_sake_of_the_block_before_it(tmp_path: Path) -> None:
    assert problems(write_corpus(tmp_path, Edit(ZH, "", "\n- 码头要升级\n- 一艘船\n"))) == []
