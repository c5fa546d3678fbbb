"""The commands that look after the data: ``check``, ``index``, ``info``, ``site``, ``completion``."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import click

from ruleslawyer import listings, places, present
from ruleslawyer.errors import CorpusInvalid, IndexUnsafe, UsageProblem
from ruleslawyer.index import Index, home_of, open_index
from ruleslawyer.model import Corpus
from ruleslawyer.shell import (
    CONTEXT,
    json_option,
    print_json,
    print_lines,
    print_text,
    progress_bar,
    reader_words,
    rules_index,
    tell,
    tell_skipped,
)
from ruleslawyer.state import fingerprint
from ruleslawyer.terminal import without_escapes


@click.command("check", context_settings=CONTEXT)
@click.argument("path", required=False, type=click.Path(path_type=Path))
@json_option
def check_command(path: Path | None, as_json: bool) -> None:
    """Check a corpus folder (by default the bundled one and the private packs) and list every problem."""
    from ruleslawyer.check import check, check_packs

    root = path or places.corpus_root()
    if not root.is_dir():
        raise UsageProblem(f"there is no folder {root}", "give the folder that holds one folder per game")
    packs = places.packs_folder()
    if path and path.resolve() == packs.resolve():
        problems = check_packs(packs, places.corpus_root())
    else:
        problems = check(root, None if path else packs)
    if as_json:
        rows = [{"file": p.file, "line": p.line, "message": p.message, "hint": p.hint} for p in problems]
        print_json({"schema": present.SCHEMA, "problems": rows})
    else:
        print_text("".join(f"{without_escapes(str(problem))}\n" for problem in problems))
        tell(f"{len(problems)} problem(s)") if problems else print_text(f"{root}: no problem\n")
    sys.exit(3 if problems else 0)


@click.command("index", context_settings=CONTEXT)
@click.option("--force", is_flag=True, help="Build it even if it is fresh.")
def index_command(force: bool) -> None:
    """Build the index now. It is otherwise built when first needed, and again when the rules have changed."""
    if force:
        from ruleslawyer.building import forget

        forget(places.corpus_root(), places.cache_folder())
    started = time.monotonic()
    index = rules_index("")
    place = index.folder or "memory"
    click.echo(f"{index.store.documents} entries, {time.monotonic() - started:.2f} s, {place}")


@click.command("info", context_settings=CONTEXT)
@json_option
def info_command(as_json: bool) -> None:
    """Versions, dates, counts and paths: what to quote in a report."""
    index = rules_index("")
    data = listings.info(index, places.corpus_root(), home_of(places.corpus_root(), places.cache_folder()))
    if as_json:
        print_json({"schema": present.SCHEMA, **data})
    else:
        print_lines([f"{key}: {value}" for key, value in listings.flat(data)])


@click.command("site", context_settings=CONTEXT)
@click.option(
    "-o",
    "target",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default="rules-site",
    show_default=True,
    help="The folder to make; a site that is there is replaced.",
)
@click.option("--base-url", metavar="URL", default="", help="The site's public address, for sitemap and previews.")
@click.option("--private", is_flag=True, help="Also your own packs, which are left out otherwise.")
def site_command(target: Path, base_url: str, private: bool) -> None:
    """Make the website: a folder that opens by double-click and that any web host can serve."""
    from ruleslawyer.sitefolder import Written
    from ruleslawyer.website import build_site

    refuse_among_rules(target)
    words = reader_words()

    def told(written: Written) -> None:
        tell(words("site.made", **written._asdict()) if written.new else words("site.unchanged"))

    corpus, shards = corpus_for_site(private)
    click.echo(build_site(corpus, target, base_url=base_url, additions=shards, progress=progress_bar(), told=told))


def refuse_among_rules(target: Path) -> None:
    """Refuse a place for a site in the folder of the corpus or of the packs, or around one: it would be read as a game.

    Raises:
        UsageProblem: the place is one of them, in one of them or holds one, by whatever links it is named.
    """
    place = Path(os.path.realpath(target))
    for rules in (places.corpus_root(), places.packs_folder()):
        folder = Path(os.path.realpath(rules))
        hint = "name another place with -o"
        if _lies_in(place, folder):
            raise UsageProblem(f"{target} lies in {rules}, where rules are read from", hint)
        if _lies_in(folder, place):
            raise UsageProblem(f"{target} holds {rules}, where rules are read from", hint)


def _lies_in(path: Path, folder: Path) -> bool:
    """Whether a path is a folder or leads into it; also where a disk knows the folder by another spelling."""
    above = (path, *path.parents)
    return folder in above or (folder.exists() and any(one.exists() and one.samefile(folder) for one in above))


def corpus_for_site(private: bool) -> tuple[Corpus, dict[str, bytes]]:
    """The corpus that a website shows, with the private packs if asked for, and its search data.

    Raises:
        CorpusInvalid: the bundled rules have a problem.
    """
    from ruleslawyer.browserindex import browser_files
    from ruleslawyer.corpus import load
    from ruleslawyer.website import with_private_marked

    root, packs = places.corpus_root(), places.packs_folder() if private else None
    state = fingerprint(root, packs)
    loaded = load(root, packs)
    if loaded.problems:
        raise CorpusInvalid(loaded.problems)
    for pack, problems in loaded.skipped.items():
        tell_skipped(pack, len(problems))
    shown = with_private_marked(loaded.corpus)
    index = index_of(loaded.corpus, root, packs, state)
    try:
        return shown, browser_files(shown, index)
    finally:
        index.store.close()


def index_of(corpus: Corpus, root: Path, packs: Path | None, state: str) -> Index:
    """The index of a corpus that has just been loaded: the one on disk where that is of the same files, else one in memory.

    Args:
        corpus: what was loaded.
        root: the corpus folder.
        packs: the folder of private packs, if they were loaded too.
        state: the fingerprint of both, taken before.
    """
    from ruleslawyer.building import build_in_memory

    is_whole = state == fingerprint(root, places.packs_folder())  # an index on disk holds the private packs as well
    if is_whole and corpus.entries:
        with suppress(IndexUnsafe):
            index = open_index(root, progress=progress_bar(), packs=packs)
            # Of a pack that came and went nobody shall read on the website; nor may a file have changed meanwhile.
            if index.games.keys() == corpus.games.keys() and fingerprint(root, packs) == state:
                return index
            index.store.close()
    return build_in_memory(corpus, progress_bar())


@click.command("completion", context_settings=CONTEXT)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script of a shell, e.g. for bash: eval "$(rules completion bash)"."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise UsageProblem(f"there is no completion for {shell}")
    click.echo(kind(click.get_current_context().find_root().command, {}, "rules", "_RULES_COMPLETE").source())
