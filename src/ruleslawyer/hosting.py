"""Making the website and serving it until somebody stops it: what ``rules serve`` does."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from ruleslawyer import lan as network
from ruleslawyer import places
from ruleslawyer.answering import File, Site, prepared
from ruleslawyer.errors import CorpusInvalid, RulesError
from ruleslawyer.lan import LOOPBACK, LOOPBACK_HOSTS, web_address
from ruleslawyer.qr import fits, painted, qr_lines
from ruleslawyer.serving import Server, listening
from ruleslawyer.shell import print_text, progress_bar, reader_words, tell
from ruleslawyer.upkeep import corpus_for_site
from ruleslawyer.watching import Watch, stamps
from ruleslawyer.website import SiteInvalid, page_script, site_files
from ruleslawyer.words import Words

EACH = 1.0
"""Seconds between two looks at the files that are watched."""

Make = Callable[[], Mapping[str, File]]


def host(*, lan: bool, port: int | None, watch: bool, private: bool, open_page: bool) -> None:
    """Make the site and serve it until Ctrl-C.

    Args:
        lan: also to the machine's own network.
        port: only on this one; else on the first that is free.
        watch: make it again when the rules have changed.
        private: also the reader's own packs.
        open_page: in the browser, once it is there.

    Raises:
        UsageProblem: the port is taken.
        DataProblem: there is no network, or the rules have a problem.
    """
    words = reader_words()
    own = network.local_interfaces(network.cards(), network.leaving_address()) if lan else []
    hosts = network.host_names(own) if lan else LOOPBACK_HOSTS
    make = partial(made, private, watch)
    with until_stopped(words), listening([LOOPBACK, *(str(one.ip) for one in own)], port) as listeners:
        look = Watch(partial(stamps, [places.corpus_root(), *([places.packs_folder()] if private else [])]))
        tell(words("serve.making"))
        with Server(listeners, Site(make()), hosts, network.admitting(own)) as server:
            here, *others = (listener.getsockname()[:2] for listener in listeners)
            print_text("\n".join(announcement(here[1], [address for address, _ in others], words, private)) + "\n")
            if open_page:
                webbrowser.open(_home(here[1], words))
            while True:
                server.wait(EACH)
                if watch and look.changed():
                    make_again(server, make, words)


@contextmanager
def until_stopped(words: Words) -> Iterator[None]:
    """A block that Ctrl-C, or a request of the system to end, leaves in good order."""
    before = {sign: signal.signal(sign, signal.default_int_handler) for sign in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        tell(words("serve.stopped"))
    finally:
        for sign, handler in before.items():
            signal.signal(sign, handler)


# --- the site ---------------------------------------------------------------------------------------------------------


def made(private: bool, watch: bool) -> dict[str, File]:
    """The site, ready to be sent; with ``watch`` its pages follow the build that is served.

    Raises:
        CorpusInvalid: the bundled rules have a problem.
        SiteInvalid: the pages have one.
    """
    corpus, shards = corpus_for_site(private)
    additions = {**shards, "site.js": page_script("reload")} if watch else shards
    progress = progress_bar()
    return prepared(site_files(corpus, additions=additions, progress=progress), progress)


def make_again(server: Server, make: Make, words: Words) -> None:
    """Replace the site by one of the rules as they are now. Where they have a problem it is told, and the site stays."""
    started = time.monotonic()
    try:
        files = make()
    except (CorpusInvalid, SiteInvalid) as error:
        for problem in error.problems:
            tell(str(problem))
        tell(words("serve.kept"))
    except RulesError as error:
        tell(f"rules: {error.message}")
        tell(words("serve.kept"))
    except OSError as error:  # a file that was moved while it was to be read: the next look finds that
        tell(f"rules: {error.strerror}: {error.filename}")
        tell(words("serve.kept"))
    else:
        server.site = server.site.succeeded_by(files)
        tell(words("serve.made", seconds=f"{time.monotonic() - started:.1f}"))


# --- what is said -----------------------------------------------------------------------------------------------------


def announcement(port: int, near: Sequence[str], words: Words, private: bool) -> list[str]:
    """Where the site is, line by line; for phones with a code to point a camera at.

    Args:
        port: of all addresses.
        near: the machine's addresses in its network, the likeliest first; none without ``--lan``.
        words: of the reader.
        private: whether the reader's own packs are served.
    """
    lines = [words("serve.here", address=_home(port, words))]
    if near:
        first, *others = (web_address(address, port) for address in near)
        lines += ["", *code_lines(first), words("serve.phones", address=first)]
        lines += [words("serve.or", address=other) for other in others]
        lines += [words("serve.everyone.private" if private else "serve.everyone"), ""]
    return [*lines, words("serve.stop")]


def _home(port: int, words: Words) -> str:
    return web_address(LOOPBACK, port, f"{words.lang}/")


def code_lines(address: str) -> list[str]:
    """The QR code of an address for this terminal; nothing where it would not be a picture that a camera can read.

    Its colours are the picture, so ``NO_COLOR`` does not take them away.
    """
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return []
    size, lines = shutil.get_terminal_size(), qr_lines(address)
    return painted(lines) if fits(lines, size.columns, size.lines, sys.stdout.encoding or "ascii") else []
