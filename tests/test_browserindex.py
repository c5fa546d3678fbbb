"""The data that the website's search loads: small, always the same, safe as a script."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping

import pytest

from ruleslawyer.browserindex import (
    SCRIPTS,
    browser_files,
    search_script,
    shard_script,
    weights,
    without_comments,
)
from ruleslawyer.building import build_in_memory
from ruleslawyer.corpus import load
from ruleslawyer.index import Index, no_progress
from ruleslawyer.places import corpus_root, site_folder
from ruleslawyer.wordpacking import packed_uses, packed_vocabulary
from tiny import Line, corpus_of

KIB = 1024
HOSTILE = '</script><script>alert(1)</script><!-- --> \u2028 \u2029 ]]> " \\ \x00 \x7f'


@pytest.fixture(scope="module")
def files(bundled: Index) -> Mapping[str, bytes]:
    return browser_files(load(corpus_root()).corpus, bundled)


def _zipped(files: Mapping[str, bytes], *names: str) -> int:
    return sum(len(gzip.compress(files[f"search/{name}.js"], 9)) for name in names)


def _own(files: Mapping[str, bytes], lang: str) -> list[str]:
    names = [name.removeprefix("search/").removesuffix(".js") for name in files]
    return ["core", f"language-{lang}", f"words-{lang}", *(n for n in names if n.startswith(f"texts-{lang}-"))]


@pytest.mark.parametrize("lang", ["en", "es", "zh"])
def test_what_a_reader_needs_is_at_most_100_kib(files: Mapping[str, bytes], bundled: Index, lang: str) -> None:
    """His own language, and what is written in another only."""
    untranslated = {(other, r.game) for r in bundled.records.values() for other in r.titles if lang not in r.titles}
    more = [f"texts-{other}-{game}" for other, game in untranslated] + [f"dictionary-{o}" for o, _ in untranslated]
    size = _zipped(files, *_own(files, lang), *sorted(set(more)))
    print(f"{lang}: {size} bytes of gzip, {_zipped(files, *_own(files, lang))} of them in the language itself")
    assert size <= 100 * KIB


def test_everything_is_at_most_250_kib(files: Mapping[str, bytes]) -> None:
    sizes = {name: len(gzip.compress(content, 9)) for name, content in files.items()}
    print(*(f"{size:7} {name}" for name, size in sizes.items()), sep="\n")
    assert sum(sizes.values()) <= 250 * KIB


def test_the_program_is_small() -> None:
    assert len(gzip.compress(search_script(), 9)) <= 25 * KIB


def test_the_same_index_gives_the_same_bytes(files: Mapping[str, bytes]) -> None:
    corpus = load(corpus_root()).corpus
    assert browser_files(corpus, build_in_memory(corpus, no_progress)) == files


def test_hostile_text_stays_text() -> None:
    corpus = corpus_of(Line(HOSTILE, title=HOSTILE, aliases=(HOSTILE,), asks={"en": [HOSTILE]}))
    for name, content in browser_files(corpus, build_in_memory(corpus, no_progress)).items():
        text = content.decode()
        assert not re.search("[<\u2028\u2029]", text), name
        assert text.count("\n") == 1 and text.startswith("RulesLawyer.shards.register("), name


def test_a_shard_holds_its_data_whatever_they_are() -> None:
    data = {"a": HOSTILE, "__proto__": ["<", 1.5, None, True]}
    script = shard_script("core", data).decode()
    call = re.fullmatch(r'RulesLawyer\.shards\.register\("core",(.*)\);\n', script)
    assert call and json.loads(call[1]) == data


def test_every_weight_that_the_script_reads_is_exported() -> None:
    known = set(weights())
    read = set(re.findall(r"weights\.([A-Z][A-Z0-9_]*)", search_script().decode()))
    for names in re.findall(r"const \{ ([A-Z0-9_, ]+) \} = (?:this\.|scoring\.)?weights", search_script().decode()):
        read |= set(names.split(", "))
    assert len(read) > 20
    assert read <= known


def test_a_packed_vocabulary_has_every_form(bundled: Index) -> None:
    for lang in ("en", "es"):
        vocabulary = bundled.dictionary.vocabularies[lang]
        forms = len(vocabulary.single) + sum(len(group) for group in vocabulary.groups.values())
        assert packed_vocabulary(vocabulary).count("|") == forms
        assert packed_uses(vocabulary).count(" ") == forms - 1


@pytest.mark.parametrize("name", SCRIPTS)
def test_stripping_comments_takes_no_code(name: str) -> None:
    """Neither sign of a comment stands in a string or a pattern."""
    script = (site_folder() / "static" / "search" / f"{name}.js").read_text(encoding="utf-8")
    code = [line for line in without_comments(script).splitlines() if not re.search(r'https?:|"/|`/', line)]
    assert not [line for line in code if "/*" in line or "*/" in line or re.search(r"(^|\s)//", line)]
