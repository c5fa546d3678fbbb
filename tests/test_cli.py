"""The command ``rules``: what it prints, how it ends, and what it does with everything that can go wrong."""

from __future__ import annotations

import codecs
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import Result, cells, command, environment, no_traceback, on_terminal, rules, script, without_styles
from corpora import Edit, write_corpus
from ruleslawyer import __version__, cli, places
from ruleslawyer.index import Index

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny corpus, its index built."""
    root = write_corpus(tmp_path_factory.mktemp("harbour") / "corpus")
    assert rules("index", corpus=root).status == 0
    return root


@pytest.fixture
def run(harbour: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run ``rules`` on the tiny corpus, in this process: quick, for what needs no process of its own."""
    monkeypatch.setattr(places, "corpus_root", lambda: harbour)
    for name in ("COLUMNS", "NO_COLOR", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(*args: str) -> Result:
        status = cli.main(list(args))
        out, err = capfd.readouterr()
        no_traceback(out + err)
        return Result(status, out, err)

    return run


def data(result: Result) -> Any:
    """The JSON that a run printed."""
    return json.loads(result.out)


# --- exit status ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (["trade", "routes"], 0),
        (["search", "trade routes"], 0),
        (["faq", "may routes cross"], 0),
        (["show", "docks"], 0),
        (["list", "games"], 0),
        (["index"], 0),
        (["info"], 0),
        (["check"], 0),
        (["completion", "zsh"], 0),
        (["--help"], 0),
        (["--version"], 0),
        ([], 0),
        (["search", "--help"], 0),
        (["xyzzy"], 1),
        (["faq", "wind", "--json"], 1),
        (["search"], 2),
        ([""], 2),
        (["  "], 2),
        (["--gmae", "x", "docks"], 2),
        (["docks", "--gmae=x"], 2),
        (["docks", "--limit", "0"], 2),
        (["docks", "--limit", "many"], 2),
        (["docks", "--kind", "rules"], 2),
        (["docks", "--lang", "xx"], 2),
        (["docks", "--game", "chess"], 2),
        (["show"], 2),
        (["show", "nothing-like-it"], 2),
        (["list"], 2),
        (["list", "boats"], 2),
        (["list", "games", "--kind", "faq"], 2),
        (["check", "no-such-folder"], 2),
        (["completion", "csh"], 2),
        (["info", "more"], 2),
    ],
)
def test_exit_status(run: Run, args: list[str], status: int) -> None:
    result = run(*args)
    assert result.status == status, result
    if status == 2:
        assert result.out == ""
        assert result.err


def test_the_process_ends_with_the_status(bundled: Index) -> None:
    assert rules("tie breaker").status == 0
    assert rules("xyzzyx").status == 1
    assert rules("--nope").status == 2
    assert rules("check", str(Path(__file__).parent)).status == 3


def test_version_and_help(run: Run) -> None:
    assert run("--version").out == f"rules, version {__version__}\n"
    assert run().out == run("--help").out
    for name in cli.COMMANDS:
        assert f"  {name} " in run("--help").out
        assert run(name, "--help").out.startswith(f"Usage: rules {name}")


# --- search ---------------------------------------------------------------------------------------------------------


def test_the_first_hit_whole_the_others_a_line_each(run: Run) -> None:
    assert run("may routes cross").out == (
        "May routes cross?\n"
        "Harbour > Turn > Trade routes\n"
        "harbour/crossing-routes\n"
        "\n"
        "Yes, a route may cross 1 other.\n"
        "\n"
        "Sources: Harbour rules (en)\n"
        "\n"
        "More results\n"
        "  Trade routes  harbour/trade-routes\n"
    )


def test_disputes_and_what_an_entry_is_limited_to_stand_with_the_answer(run: Run) -> None:
    assert "\nWhere sources differ: Empty docks (open). Not settled.\n" in run("docks").out
    assert "harbour/trade-routes\nPlayers: 2-4\n\nA route joins" in run("id:trade-routes").out


def test_hits_beyond_the_limit_are_counted(run: Run) -> None:
    assert run("may routes cross", "--limit", "1").out.endswith("\n1 more: --limit 2 shows them\n")
    assert len(data(run("may routes cross", "--limit", "1", "--json"))["hits"]) == 1


def test_nothing_found_is_said_with_what_is_nearest(run: Run) -> None:
    answer = run("docks of gibraltar fortress")
    assert answer.status == 1
    assert answer.out.startswith(
        "Nothing found for: docks of gibraltar fortress\n\nNearest entries, which may not answer"
    )
    assert "\n  Docks  harbour/docks\n" in answer.out
    assert answer.out.endswith("\nTry other words, fewer words, or: rules list entries\n")
    assert "“gibraltar” is not in the rules\n" in answer.err


def test_what_was_corrected_or_not_understood_is_told_on_stderr(run: Run) -> None:
    assert run("lantren").err == "“lantren” is not in the rules; searched for “lantern”\n"
    assert run("crates", "kind:rulez").err.startswith("There is no kind “rulez”; it was searched as text\n")
    assert run("-docks").err == "Words to leave out need at least one word to look for\n"
    assert run("--exact", "lantren").status == 1


@pytest.mark.parametrize("word", ["z" * 5000, "kind:" + "ñ" * 900])
def test_a_word_without_end_is_repeated_as_far_as_it_can_be_known_again(run: Run, word: str) -> None:
    answer = run("crates", word)
    assert word[5:40] in answer.err and len(answer.err) < 250 and "...”" in answer.err


def test_words_are_left_out_and_phrases_kept_together(run: Run) -> None:
    assert [hit["id"] for hit in data(run("docks", "--json"))["hits"]] == ["harbour/docks", "harbour/turn"]
    assert [hit["id"] for hit in data(run("docks", "-lantern", "--json"))["hits"]] == ["harbour/turn"]
    assert [hit["id"] for hit in data(run("-lantern", "docks", "--json"))["hits"]] == ["harbour/turn"]
    assert run('"cross may"').status == 1
    assert run('"may cross"').status == 0


def test_faq_is_search_among_questions_only(run: Run) -> None:
    found = data(run("faq", "trade", "routes", "--json"))
    assert {hit["kind"] for hit in found["hits"] + found["nearest"]} == {"faq"}
    kind = data(run("search", "--kind", "faq", "trade", "routes", "--json"))
    assert [hit["id"] for hit in kind["hits"]] == [hit["id"] for hit in found["hits"]]


def test_faq_on_the_bundled_corpus(bundled: Index) -> None:
    found = data(rules("faq", "--json", "--limit", "100", "tie"))
    assert found["hits"]
    assert all(bundled.records[hit["id"]].head["kind"] == "faq" for hit in found["hits"])


@pytest.mark.parametrize("game", ["harbour", "HARBOUR", "Puerto", "海港", "HRB", "harb"])
def test_a_game_by_id_title_alias_or_part(run: Run, game: str) -> None:
    assert {hit["game"] for hit in data(run("lantern", "--game", game, "--json"))["hits"]} == {"harbour"}


def test_explain_shows_how_the_question_was_read(run: Run) -> None:
    explained = run("--explain", "docks").out
    assert "lang=en" in explained
    assert "harbour/docks: docks" in explained
    assert isinstance(data(run("--explain", "--json", "docks"))["explain"], list)


# --- JSON -----------------------------------------------------------------------------------------------------------

HIT = {
    "id": str, "game": str, "private": bool, "kind": str, "lang": str, "title": str, "path": list, "score": float,
    "excerpt": str, "text": str, "languages": list, "sources": list, "pages": str, "disputes": list, "url": str,
}  # fmt: skip
FOUND = {
    "schema": int, "query": str, "lang": str, "confident": bool, "notes": list, "total": int, "hits": list, "nearest": list,
}  # fmt: skip


def shape(value: dict[str, Any]) -> dict[str, type]:
    """The keys of a JSON object with the types of their values."""
    return {key: type(item) for key, item in value.items()}


def test_json_of_an_answer(run: Run) -> None:
    found = data(run("may", "routes", "cross", "--json"))
    assert shape(found) == FOUND
    assert [shape(hit) for hit in found["hits"]] == [HIT, HIT]
    score = found["hits"][0].pop("score")
    assert score > found["hits"][1]["score"] > 0
    assert {**found, "hits": found["hits"][:1]} == {
        "schema": 1,
        "query": "may routes cross",
        "lang": "en",
        "confident": True,
        "notes": [],
        "total": 2,
        "hits": [
            {
                "id": "harbour/crossing-routes",
                "game": "harbour",
                "private": False,
                "kind": "faq",
                "lang": "en",
                "title": "May routes cross?",
                "path": ["harbour/turn", "harbour/trade-routes"],
                "excerpt": "Yes, a route may cross 1 other.",
                "text": "Yes, a route may cross 1 other.",
                "languages": ["en", "es", "zh"],
                "sources": ["harbour-book"],
                "pages": "",
                "disputes": [],
                "url": "en/harbour/faq/index.html#crossing-routes",
            }
        ],
        "nearest": [],
    }


def test_json_of_no_answer(run: Run) -> None:
    found = data(run("--json", "docks of gibraltar fortress"))
    assert shape(found) == FOUND
    assert (found["confident"], found["total"], found["hits"]) == (False, 0, [])
    assert shape(found["nearest"][0]) == HIT
    assert found["nearest"][0]["id"] == "harbour/docks"
    assert found["nearest"][0]["disputes"] == ["empty-docks"]
    assert any("gibraltar" in note for note in found["notes"])


def test_the_query_is_given_back_as_typed(run: Run) -> None:
    assert data(run("--json", "¿Cruzan", "las rutas?"))["query"] == "¿Cruzan las rutas?"


def test_json_has_nothing_else_on_stdout_and_notes_stay_off_stderr(run: Run) -> None:
    result = run("--json", "lantren")
    assert data(result)["notes"] == ["“lantren” is not in the rules; searched for “lantern”"]
    assert result.err == ""


def test_json_of_an_entry(run: Run) -> None:
    entry = data(run("show", "crossing-routes", "--json"))
    assert {**entry, "asks": len(entry["asks"]["en"])} == {
        "schema": 1,
        "id": "harbour/crossing-routes",
        "game": "harbour",
        "private": False,
        "pages": "",
        "kind": "faq",
        "lang": "en",
        "title": "May routes cross?",
        "path": ["harbour/turn", "harbour/trade-routes"],
        "text": "Yes, a route may cross 1 other.",
        "languages": ["en", "es", "zh"],
        "sources": [
            {
                "id": "harbour-book",
                "kind": "rulebook",
                "language": "en",
                "title": "Harbour rules",
                "address": "",
                "date": "",
                "about": "The printed rules.",
            }
        ],
        "disputes": [],
        "url": "en/harbour/faq/index.html#crossing-routes",
        "rests_on": ["harbour/trade-routes", "harbour/docks"],
        "faq": [],
        "children": [],
        "referred_by": [],
        "asks": 7,
    }
    assert data(run("show", "docks", "--json", "--lang", "zh"))["disputes"] == [
        {
            "id": "empty-docks",
            "status": "open",
            "basis": "unknown",
            "title": "空码头",
            "ruling": "尚无定论。",
            "reason": "没有文本说明。",
            "positions": [{"sources": ["harbour-book"], "says": "没有说。"}],
        }
    ]
    assert [entry["id"] for entry in data(run("show", "docks", "wind", "--json"))] == ["harbour/docks", "lanterns/wind"]


def test_json_of_lists(run: Run) -> None:
    def rows(what: str, *args: str) -> Any:
        listed = data(run("list", what, "--json", *args))
        assert listed.keys() == {"schema", what}
        assert all({"id", "title"} <= row.keys() for row in listed[what])
        return listed[what]

    assert rows("games")[1] == {
        "id": "lanterns",
        "title": "Lanterns",
        "private": False,
        "languages": ["en"],
        "entries": 2,
        "updated": "2026-11-28",
    }
    assert rows("entries")[1] == {"id": "harbour/trade-routes", "title": "Trade routes", "kind": "rule", "depth": 1}
    assert [row["id"] for row in rows("entries", "--kind", "info")] == ["lanterns/wind"]
    assert [row["id"] for row in rows("entries", "--game", "lanterns")] == ["lanterns/light", "lanterns/wind"]
    assert rows("terms", "--lang", "es") == [
        {"id": "harbour/route", "title": "ruta", "definition": "Une puertos.", "entry": "harbour/trade-routes"}
    ]
    assert rows("disputes") == [
        {
            "id": "harbour/empty-docks",
            "title": "Empty docks",
            "status": "open",
            "entries": ["harbour/docks", "harbour/turn"],
        }
    ]
    assert rows("sources")[1] == {
        "id": "harbour/harbour-page",
        "title": "Puerto",
        "language": "es",
        "date": "2026-05",
        "address": "https://example.org/harbour",
    }


def test_json_of_info_and_check(run: Run, harbour: Path, tmp_path: Path) -> None:
    info = data(run("info", "--json"))
    assert info.keys() == {"schema", "version", "python", "whoosh", "corpus", "index"}
    assert {**info["corpus"], "path": Path(info["corpus"]["path"])} == {
        "path": harbour,
        "updated": "2026-11-29",
        "games": 2,
        "entries": 6,
        "texts": 14,
        "terms": 1,
        "disputes": 1,
        "sources": 3,
    }
    assert Path(info["index"]["path"]).parent == Path(info["index"]["cache"])
    assert data(run("check", "--json")) == {"schema": 1, "problems": []}
    broken = run("check", "--json", str(broken_corpus(tmp_path)))
    assert broken.status == 3
    assert data(broken)["problems"][0] == {
        "file": "harbour/faq.en.md",
        "line": 7,
        "message": "unknown rule 'trade-roues'",
        "hint": "did you mean 'trade-routes'?",
    }


# --- show and list --------------------------------------------------------------------------------------------------


def test_show_everything_known_of_a_rule(run: Run) -> None:
    assert run("show", "harbour/docks").out == (
        "Docks\n"
        "Harbour\n"
        "harbour/docks\n"
        "\n"
        "Each dock holds 1.5 crates, or 1 lantern.\n"
        "\n"
        "Sources\n"
        "  - Harbour rules (en)\n"
        "    The printed rules.\n"
        "\n"
        "Where sources differ: Empty docks (open)\n"
        "  - Harbour rules says: Nothing.\n"
        "  Ruling: Not settled.\n"
        "  Why: No text says it.\n"
        "  Basis: not known\n"
        "\n"
        "Questions about it\n"
        "  - May routes cross?  [harbour/crossing-routes]\n"
        "\n"
        "Mentioned in\n"
        "  - Turn  [harbour/turn]\n"
        "\n"
        "Also in: español (Muelles); 简体中文 (码头)\n"
    )


def test_show_parents_children_and_what_a_question_rests_on(run: Run) -> None:
    assert "In detail\n  - Trade routes  [harbour/trade-routes]\n" in run("show", "turn").out
    question = run("show", "crossing-routes").out
    assert question.startswith("May routes cross?\nHarbour > Turn > Trade routes\n")
    assert "\nRests on\n  - Trade routes  [harbour/trade-routes]\n  - Docks  [harbour/docks]\n" in question
    assert "doubt" not in question
    assert "\nHow players ask\n  - en: crossing-routes doubt 1\n" in run("show", "crossing-routes", "--asks").out


def test_show_says_the_same_however_narrow(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = run("show", "docks", "turn").out
    monkeypatch.setenv("COLUMNS", "24")
    narrow = run("show", "docks", "turn").out
    assert max(map(cells, narrow.splitlines())) <= 24
    assert re.sub(r"\s+", "", narrow) == re.sub(r"\s+", "", wide)


def test_show_several_and_by_id_alone(run: Run) -> None:
    both = run("show", "docks", "lanterns/wind").out
    assert both.startswith("Docks\n")
    assert "\n\nWind\nLanterns > Light\n" in both
    assert run("show", "wind", "--game", "Lanterns").status == 0
    assert run("show", "wind", "--game", "harbour").status == 2


def test_an_id_that_two_games_have(tmp_path: Path) -> None:
    edit = Edit("lanterns/rules.en.md", "", '\n## Docks {#docks sources="lanterns-book"}\n\nNone here.\n')
    corpus = write_corpus(tmp_path / "corpus", edit)
    result = rules("show", "docks", corpus=corpus)
    assert result.status == 2
    assert result.err.endswith("choose one: harbour/docks, lanterns/docks\n")
    assert rules("show", "docks", "--game", "lanterns", corpus=corpus).out.startswith("Docks\nLanterns\n")


@pytest.mark.parametrize(
    ("what", "lines"),
    [
        ("games", ["Harbour  [harbour]  en, es, zh; 4; 2026-11-29", "Lanterns  [lanterns]  en; 2; 2026-11-28"]),
        (
            "entries",
            [
                "Turn  [harbour/turn]  rule",
                "  Trade routes  [harbour/trade-routes]  rule",
                "Docks  [harbour/docks]  rule",
                "    May routes cross?  [harbour/crossing-routes]  question",
                "Light  [lanterns/light]  rule",
                "  Wind  [lanterns/wind]  information",
            ],
        ),
        ("terms", ["route  [harbour/route]  A link between harbours."]),
        ("disputes", ["Empty docks  [harbour/empty-docks]  open"]),
        (
            "sources",
            [
                "Harbour rules  [harbour/harbour-book]  en",
                "Puerto  [harbour/harbour-page]  es 2026-05 https://example.org/harbour",
                "Lanterns rules  [lanterns/lanterns-book]  en",
            ],
        ),
    ],
)
def test_list(run: Run, what: str, lines: list[str]) -> None:
    assert run("list", what).out.splitlines() == lines


# --- check ----------------------------------------------------------------------------------------------------------


def broken_corpus(folder: Path) -> Path:
    """The tiny corpus with two faults."""
    return write_corpus(
        folder / "broken",
        Edit("harbour/faq.en.md", 'rests-on="trade-routes', 'rests-on="trade-roues'),
        Edit("lanterns/rules.en.md", "[wind](#wind)", "[wind](#wnd)"),
    )


def test_check_names_file_line_and_the_nearest_right_name(run: Run, tmp_path: Path) -> None:
    result = run("check", str(broken_corpus(tmp_path)))
    assert result.status == 3
    lines = result.out.splitlines()
    assert lines[0] == "harbour/faq.en.md:7: unknown rule 'trade-roues' (did you mean 'trade-routes'?)"
    assert any(line.startswith("lanterns/rules.en.md:9: ") and "did you mean 'wind'?" in line for line in lines)
    assert result.err == f"{len(lines)} problem(s)\n"


def test_a_search_on_a_corpus_with_faults_answers_and_says_so(tmp_path: Path) -> None:
    result = rules("docks", corpus=broken_corpus(tmp_path))
    assert result.status == 0
    assert re.search(r"^The rules have \d problem\(s\); run: rules check$", result.err, re.MULTILINE)


def test_a_search_on_a_corpus_without_a_sound_entry(tmp_path: Path) -> None:
    (tmp_path / "corpus" / "g").mkdir(parents=True)
    (tmp_path / "corpus" / "g" / "game.toml").write_text("= \x1b[31m", encoding="utf-8")
    result = rules("docks", corpus=tmp_path / "corpus")
    assert (result.status, result.out) == (3, "")
    assert "g/game.toml:1: " in result.err
    assert result.err.endswith("rules: run `rules check` to see them all\n")
    assert "\x1b" not in result.err


def test_the_bundled_corpus_has_no_problem(bundled: Index) -> None:
    assert rules("check").status == 0


# --- the nearest right name -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["docks", "--game", "harbor"], ["there is no game 'harbor'", "did you mean: harbour?"]),
        (["docks", "--game", "a"], ["'a' could be several games", "choose one: harbour, lanterns"]),
        (["docks", "--game", "chess"], ["there is no game 'chess'", "known: harbour, lanterns"]),
        (["docks", "--lang", "fr"], ["there is no language 'fr'", "known: en, es, zh"]),
        (["show", "dosck"], ["there is no entry 'dosck'", "did you mean: harbour/docks?"]),
        (["show", "harbour/trade-rotues"], ["there is no entry", "did you mean: harbour/trade-routes"]),
        (["show", "qqqqqq"], ["there is no entry 'qqqqqq'", "see them with: rules list entries"]),
        (["--gmae", "harbour", "docks"], ["there is no option --gmae", "did you mean: --game"]),
        (["docks", "--jsno"], ["there is no option --jsno", "did you mean: --json"]),
        (["docks", "--kind", "faqs"], ["'faqs' is not one of 'rule', 'faq', 'info'"]),
        (["list", "entires"], ["'entires' is not one of 'games', 'entries', 'terms', 'disputes', 'sources'"]),
        (["list", "games", "--lnag", "es"], ["No such option", "--lang"]),
        (["check", "nowhere"], ["there is no folder nowhere", "the folder that holds one folder per game"]),
        (
            ["list", "terms", "--kind", "faq"],
            ["--kind tells entries apart, not terms", "rules list entries --kind faq"],
        ),
        ([""], ["there is no word to search for", "rules tie breaker"]),
    ],
)
def test_what_does_not_exist_is_told_with_what_does(run: Run, args: list[str], told: list[str]) -> None:
    result = run(*args)
    assert (result.status, result.out) == (2, "")
    assert all(part in result.err for part in told), result.err


# --- anything may be typed ------------------------------------------------------------------------------------------

ODD = [
    '"unclosed', "((", "*", "what?", "a AND", "NOT", "-", "--", "-x", "-docks", 'docks "', "“", "docks:", "game:", ":", "\\",
    "%s", "{docks}", "<b>docks</b>", "docks\r\ndocks", "\x1b[31mdocks", "docks\u202e", "🚀", "é" * 500, "docks " * 2_000,
    "x" * 10_000, "平" * 10_000, "-" * 10_000, '"' * 10_000, "id:", "id:x y", "lang:xx docks", "'; DROP TABLE docks",
    "../../etc",
    "\ufffe", "kind:faq", "game:harbour", "lang:es", '"" docks', "-\"\" docks", "-game:harbour docks",
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda text: repr(text[:12]))
@pytest.mark.parametrize("options", [[], ["--json"], ["--explain"]], ids=["plain", "json", "explain"])
def test_no_question_is_an_error(run: Run, odd: str, options: list[str]) -> None:
    result = run("search", *options, odd)
    assert result.status in ((0, 1) if any(c.isalnum() for c in odd) else (2,)), result
    assert "\x1b" not in result.out + result.err
    if result.status != 2 and options == ["--json"]:
        assert data(result)["confident"] is (result.status == 0)


@pytest.mark.parametrize("odd", [b"\xff\xfe", b"docks\xff", b"\xed\xa0\x80", b"docks\x01\x02"])
def test_bytes_that_are_no_text(harbour: Path, odd: bytes) -> None:
    assert rules(odd, corpus=harbour).status in (0, 1, 2)
    assert rules("--json", b"docks " + odd, corpus=harbour).status in (0, 1)
    wrong: list[list[str | bytes]] = [
        ["show", odd],
        ["show", b"harbour/" + odd],
        ["docks", "--game", odd],
        ["docks", "--lang", odd],
    ]
    for args in wrong:
        assert rules(*args, corpus=harbour).status == 2
    assert rules("list", odd, corpus=harbour).status == 2
    assert rules("check", odd, corpus=harbour).status == 2


def test_an_escape_sequence_in_an_argument_is_not_obeyed(harbour: Path) -> None:
    for args in (["--\x1b[31mx"], ["show", "\x1b[31m"], ["docks", "--game", "\x1b[31m"], ["check", "\x1b[31m"]):
        result = rules(*args, corpus=harbour)
        assert result.status == 2
        assert "\x1b" not in result.err


def test_a_long_question_is_cut_and_told(run: Run) -> None:
    assert "The question is long" in run("docks " * 500).err


# --- streams --------------------------------------------------------------------------------------------------------


def shell(line: str, **env: str) -> tuple[list[int], str]:
    """Run a line in a shell, with ``$rules`` for the command on the bundled corpus; all exit statuses and all output."""
    rules_command = shlex.join(command())
    script_text = line.replace("$rules", rules_command) + '; echo "statuses ${PIPESTATUS[*]}"'
    done = subprocess.run(
        ["bash", "-c", script_text], capture_output=True, text=True, env=environment(**env), timeout=60
    )
    no_traceback(done.stdout + done.stderr)
    out, _, statuses = (done.stdout + done.stderr).rpartition("statuses ")
    return [int(status) for status in statuses.split()], out


@pytest.mark.parametrize(
    "args", ["tie", "--json tie", "list entries", "list entries --json", "show control-ties", "info"]
)
def test_a_closed_pipe_is_no_error(bundled: Index, args: str) -> None:
    statuses, out = shell(f"$rules {args} 2>&1 | head -1")
    assert statuses == [0, 0]
    assert out.count("\n") == 1
    assert shell(f"$rules {args} 2>&1 | true")[0] == [0, 0]


def test_a_closed_pipe_keeps_the_status(bundled: Index) -> None:
    assert shell("$rules xyzzyx 2>&1 | true")[0] == [1, 0]


def test_output_that_cannot_be_written(bundled: Index) -> None:
    statuses, out = shell("$rules tie 2>&1 >/dev/full")
    assert statuses == [3]
    assert out == "rules: No space left on device: output\n"


def test_closed_streams(bundled: Index) -> None:
    assert shell("$rules tie >&-")[0] == [0]
    assert shell("$rules tie 2>&- | head -1")[0] == [0, 0]
    assert shell("$rules --nope 2>&-") == ([2], "")
    assert shell("$rules tie <&- | head -1")[0] == [0, 0]


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "ascii:strict", "latin-1", "utf-8", "utf-16"])
def test_a_terminal_of_any_encoding(harbour: Path, encoding: str) -> None:
    codec = encoding.split(":")[0]

    def out(*args: str) -> tuple[int, str]:
        env = environment(PYTHONIOENCODING=encoding)
        done = subprocess.run([*command(harbour), *args], capture_output=True, env=env, timeout=60)
        no_traceback(done.stderr.decode(codec, "replace"))
        return done.returncode, done.stdout.decode(codec)

    status, text = out("--lang", "zh", "航线")
    shown = "航线\n" if codec in ("gbk", "utf-8", "utf-16") else "??\n"
    assert (status, text[: len(shown)]) == (0, shown)
    status, text = out("--lang", "zh", "--json", "航线")
    assert (status, json.loads(text)["hits"][0]["title"]) == (0, "航线")
    status, text = out("show", "--json", "--lang", "es", "crossing-routes")
    assert (status, json.loads(text)["title"]) == (0, "¿Se cruzan las rutas?")
    assert out("--lang", "zh", "甲乙丙丁")[0] == 1
    assert codecs.lookup(codec)


@pytest.mark.parametrize(
    "env", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}]
)
def test_the_plain_locale(harbour: Path, env: dict[str, str]) -> None:
    result = rules("--json", "--lang", "zh", "航线", corpus=harbour, env=env)
    assert data(result)["hits"][0]["title"] == "航线"
    assert rules("航线", corpus=harbour, env=env).status == 0
    assert rules("xyzzyx", corpus=harbour, env=env).status == 1


def test_piped_output_is_plain_and_not_broken(bundled: Index) -> None:
    for args in (["tie"], ["show", "control-ties"], ["list", "entries"], ["xyzzyx"]):
        result = rules(*args)
        assert "\x1b" not in result.out + result.err
    assert max(map(len, rules("show", "control-ties").out.splitlines())) > 120


def test_columns_break_piped_lines(bundled: Index) -> None:
    assert max(map(cells, rules("show", "control-ties", env={"COLUMNS": "50"}).out.splitlines())) <= 50


# --- on a terminal --------------------------------------------------------------------------------------------------


def test_matches_are_highlighted(harbour: Path) -> None:
    out = on_terminal("lantern", corpus=harbour).out
    assert "\x1b[1mDocks\x1b[0m\n" in out
    assert "or 1 \x1b[1;33mlantern\x1b[0m.\n" in out
    assert "\x1b[1;33m航线\x1b[0m连接2个" in on_terminal("航线", corpus=harbour).out


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_none_is_wanted(harbour: Path, env: dict[str, str]) -> None:
    plain = on_terminal("lantern", corpus=harbour, env=env).out
    assert "\x1b" not in plain
    assert plain == without_styles(on_terminal("lantern", corpus=harbour).out)


def test_an_empty_no_color_means_nothing(harbour: Path) -> None:
    assert "\x1b[1m" in on_terminal("lantern", corpus=harbour, env={"NO_COLOR": ""}).out


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
@pytest.mark.parametrize(
    "args",
    [
        ["tie"],
        ["--lang", "es", "empate"],
        ["平手怎么办"],
        ["xyzzyx tie"],
        ["show", "control-ties", "--asks"],
        ["show", "control-ties", "--lang", "zh"],
        ["list", "entries"],
        ["list", "sources"],
        ["list", "terms", "--lang", "zh"],
        ["list", "disputes", "--lang", "es"],
    ],
    ids=" ".join,
)
def test_no_line_is_wider_than_the_terminal(bundled: Index, columns: int, args: list[str]) -> None:
    result = on_terminal(*args, columns=columns)
    lines = without_styles(result.out).splitlines()
    assert result.status in (0, 1)
    assert max(map(cells, lines)) <= min(columns, 100)
    if columns < 100 and args[0] == "show":
        assert max(map(cells, lines)) >= columns - 2, "and the width is used"


def test_what_a_terminal_shows_is_what_a_pipe_gets(bundled: Index) -> None:
    for args in (["tie"], ["show", "control-ties", "--lang", "zh"], ["xyzzyx"]):
        shown, piped = without_styles(on_terminal(*args, columns=60).out), rules(*args)
        assert re.sub(r"\s+", "", shown) == re.sub(r"\s+", "", piped.err + piped.out)


def test_escape_sequences_of_a_corpus_are_not_obeyed(tmp_path: Path) -> None:
    corpus = write_corpus(
        tmp_path / "corpus",
        Edit("harbour/rules.en.md", "Pay 3 coins.", "Pay \x1b]0;owned\x07 3 \x9b31m coins \x1b[31m red."),
        Edit("harbour/game.toml", 'about.en = "A page about routes."', r'about.en = "\u001b[31mred \u009b1m\u202e"'),
        Edit("harbour/game.toml", 'title.en = "Harbour"', r'title.en = "Har\u001b[2Jbour"'),
        Edit("harbour/disputes.toml", 'title.en = "Empty docks"', r'title.en = "Empty\u001b[31mdocks\u0007"'),
        Edit("harbour/glossary.toml", "A link between", r"A \u001b[5m link\r between"),
        Edit("lanterns/game.toml", 'title = "Lanterns rules"', r'title = "Lan\u001b[31mterns"'),
        Edit("lanterns/rules.en.md", "{#wind kind", "{#w\x1b[31mnd kind"),
    )
    for args in (
        ["trade routes"],
        ["light"],
        ["show", "trade-routes", "docks", "light"],
        ["list", "games"],
        ["list", "terms"],
        ["list", "disputes"],
        ["list", "sources"],
        ["check", str(corpus)],
        ["--json", "trade routes"],
        ["show", "trade-routes", "docks", "--json"],
        ["list", "sources", "--json"],
        ["check", "--json", str(corpus)],
    ):
        piped = rules(*args, corpus=corpus)
        shown = without_styles(on_terminal(*args, corpus=corpus).out).replace("\n", "")
        for text in (piped.out, piped.err, shown):
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text), args
    sources = data(rules("show", "trade-routes", "--json", corpus=corpus))["sources"]
    assert "\x1b[31mred \x9b1m\u202e" in [source["about"] for source in sources], "JSON escapes and loses nothing"


# --- pager ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def pager(tmp_path: Path) -> dict[str, str]:
    """A pager that says it ran, and with which options, before it shows what it gets."""
    path = script(tmp_path, "pager", ['echo "PAGER LESS=$LESS"', "cat"])
    return {"PAGER": str(path)}


def test_long_output_goes_through_the_pager_that_quits_on_one_screen(harbour: Path, pager: dict[str, str]) -> None:
    out = on_terminal("show", "docks", corpus=harbour, lines=10, env=pager).out
    assert out.startswith("PAGER LESS=-FRX\n")
    assert "\x1b[1mDocks\x1b[0m\n" in out


def test_the_readers_own_options_for_less_stay(harbour: Path, pager: dict[str, str]) -> None:
    out = on_terminal("show", "docks", corpus=harbour, lines=10, env={**pager, "LESS": "-i"}).out
    assert out.startswith("PAGER LESS=-i\n")


def test_output_that_fits_is_printed_at_once(harbour: Path, pager: dict[str, str]) -> None:
    lines = on_terminal("show", "docks", corpus=harbour, env=pager).out.count("\n")
    assert "PAGER" not in on_terminal("show", "docks", corpus=harbour, lines=lines + 1, env=pager).out
    assert "PAGER" in on_terminal("show", "docks", corpus=harbour, lines=lines, env=pager).out


def test_json_and_piped_output_go_through_no_pager(harbour: Path, pager: dict[str, str]) -> None:
    assert "PAGER" not in on_terminal("show", "docks", "--json", corpus=harbour, lines=5, env=pager).out
    assert "PAGER" not in rules("show", "docks", corpus=harbour, env=pager).out


def test_less_is_the_pager_where_none_is_named(harbour: Path, tmp_path: Path) -> None:
    script(tmp_path, "less", ['echo "FAKE LESS=$LESS"', "cat"])
    path = f"{tmp_path}:{environment()['PATH']}"
    assert on_terminal("show", "docks", corpus=harbour, lines=10, env={"PATH": path}).out.startswith("FAKE LESS=-FRX\n")


@pytest.mark.parametrize("lines", [["exit 0"], ["head -1"], ["exit 7"]])
def test_a_pager_that_leaves_early_is_no_error(bundled: Index, tmp_path: Path, lines: list[str]) -> None:
    path = script(tmp_path, "pager", lines)
    assert on_terminal("list", "entries", lines=10, env={"PAGER": str(path)}).status == 0


def test_a_pager_that_does_not_exist(harbour: Path, tmp_path: Path) -> None:
    script(tmp_path, "less", ["cat"])
    env = {"PAGER": str(tmp_path / "nothing"), "PATH": f"{tmp_path}:{environment()['PATH']}"}
    assert "Docks" in on_terminal("show", "docks", corpus=harbour, lines=10, env=env).out


# --- the reader's language ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "locale", "lang"),
    [
        (["--lang", "es", "航线"], "en_GB.UTF-8", "es"),
        (["--lang", "zh-TW", "routes"], "en_GB.UTF-8", "zh"),
        (["lang:zh", "routes"], "en_GB.UTF-8", "zh"),
        (["--lang", "es", "lang:zh", "routes"], "en_GB.UTF-8", "es"),
        (["航线"], "es_ES.UTF-8", "zh"),
        (["se cruzan las rutas"], "zh_CN.UTF-8", "es"),
        (["may routes cross"], "zh_CN.UTF-8", "en"),
        (["2"], "es_ES.UTF-8", "es"),
        (["2"], "zh_CN.UTF-8", "zh"),
        (["2"], "fr_FR.UTF-8", "en"),
        (["2"], "C.UTF-8", "en"),
    ],
)
def test_the_readers_language_is_that_of_the_option_then_the_question_then_the_locale(
    run: Run, monkeypatch: pytest.MonkeyPatch, args: list[str], locale: str, lang: str
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    found = data(run("--json", *args))
    assert found["lang"] == lang
    assert {hit["lang"] for hit in found["hits"] if hit["game"] == "harbour"} <= {lang}


def test_entries_and_lists_are_in_the_language_of_the_option_then_the_locale(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "es_AR.UTF-8")
    assert run("show", "docks").out.startswith("Muelles\nPuerto\nharbour/docks\n")
    assert run("show", "docks", "--lang", "zh").out.startswith("码头\n海港\nharbour/docks\n")
    assert run("list", "games").out.startswith("Puerto  [harbour]")
    assert run("list", "games", "--lang", "zh").out.startswith("海港  [harbour]")


def test_the_interface_speaks_the_readers_language(run: Run) -> None:
    assert "\nFuentes: " in run("muelles").out
    assert "\n出处：Harbour rules（en）\n说法不一之处：空码头（尚无定论）。尚无定论。\n" in run("码头").out
    assert run("--lang", "es", "xyzzyx").out.startswith("Sin resultados para: xyzzyx\n")


def test_a_spanish_reader_of_a_rule_that_is_english_only_is_told(run: Run) -> None:
    answer = run("--lang", "es", "lantern lights").out
    assert answer.startswith("Light\nLanterns\nlanterns/light\nNo hay texto en español; este es el texto en inglés.\n")
    hit = data(run("--lang", "es", "--json", "lantern lights"))["hits"][0]
    assert (hit["lang"], hit["languages"], hit["url"][:3]) == ("en", ["en"], "es/")
    assert "No hay texto en español" in run("show", "light", "--lang", "es").out
    assert "No hay texto" not in run("show", "docks", "--lang", "es").out


# --- completion -----------------------------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment with ``rules`` on the path."""
    script(tmp_path, "rules", [f'exec {sys.executable} -m ruleslawyer "$@"'])
    return {"PATH": f"{tmp_path}:{environment()['PATH']}"}


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, tmp_path: Path, name: str) -> None:
    text = run("completion", name).out
    assert f"_RULES_COMPLETE={name}_complete" in text
    path = tmp_path / "script"
    path.write_text(text, encoding="utf-8")
    try:
        checked = subprocess.run([name, "-n", str(path)], capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip(f"no {name} on this machine")
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rules", "show", "beyond-the-sun/control-t"], ["beyond-the-sun/control-ties"]),
        (["rules", "show", "control-t"], ["control-ties"]),
        (["rules", "show", "nothing-like"], []),
        (["rules", "sh"], ["show"]),
        (["rules", "list", "ga"], ["games"]),
        (["rules", "search", "--ki"], ["--kind"]),
        (["rules", "tie", "--ga"], ["--game"]),
        (["rules", "search", "--kind", "f"], ["faq"]),
    ],
)
def test_bash_completes(bundled: Index, installed: dict[str, str], words: list[str], expected: list[str]) -> None:
    """What bash does when a person presses the tab key."""
    line = (
        'eval "$(rules completion bash)"; '
        f"COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; "
        '_rules_completion rules; echo "${COMPREPLY[*]}"'
    )
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, env=environment(**installed), timeout=60
    )
    assert (done.stdout.split(), done.stderr) == (expected, "")


def test_completion_where_nothing_can_be_read_is_silent(tmp_path: Path, installed: dict[str, str]) -> None:
    empty = tmp_path / "corpus"
    empty.mkdir()
    env = environment(_RULES_COMPLETE="bash_complete", COMP_WORDS="rules show d", COMP_CWORD="2")
    done = subprocess.run(command(empty), capture_output=True, text=True, env=env, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("", "")
