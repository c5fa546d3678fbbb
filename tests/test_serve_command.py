"""``rules serve`` from start to stop: what it says, whom it answers, how rules that change come to open pages."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import termios
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from browsers import Watch
from commands import environment, no_traceback, without_styles
from corpora import Edit, write_corpus
from servers import PATIENT, Reply, Running, command, connected, get, port_of, raw, serving
from test_library import FOG_GAME, FOG_RULES

RULES = "/en/harbour/rules/index.html"
STARTED, STOPPED = "Ctrl-C stops it", "Stopped"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The tiny corpus, which a test may change."""
    return write_corpus(tmp_path / "corpus")


def change(corpus: Path, old: str, new: str, file: str = "harbour/rules.en.md") -> None:
    """Replace a text in a file of the corpus, as an editor does: a new file takes the old one's place."""
    path = corpus / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    copy = path.with_name(".new")
    copy.write_text(text.replace(old, new), encoding="utf-8")
    copy.replace(path)


def ended(corpus: Path, *args: str, near: str = "") -> tuple[int, str]:
    """The exit status and the errors of a server that does not start."""
    done = subprocess.run(
        command(corpus, *args, near=near), capture_output=True, text=True, env=environment(), timeout=PATIENT
    )
    no_traceback(done.stderr)
    assert done.stdout == ""
    return done.returncode, done.stderr


# --- starting and stopping --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly_and_gives_its_port_back_at_once(corpus: Path, sign: signal.Signals) -> None:
    with serving(corpus) as running:
        port = port_of(running)
        with connected(port) as idle, connected(port) as asking:
            asking.sendall(b"GET /en/ HTTP/1.1\r\nHost: localhost\r\n")
            idle.settimeout(PATIENT)
            assert get(port, "/en/").status == 200
            assert running.stop(sign) == 0
        running.wait_for(STOPPED)
        assert running.err == ["Making the website ...", "Stopped."]
    with serving(corpus, "--port", str(port)) as again:
        assert port_of(again) == port


def test_it_can_be_stopped_while_it_makes_the_website(corpus: Path) -> None:
    with serving(corpus) as running:
        running.wait_for("Making the website")
        assert running.stop() == 0
        assert running.out == []


def test_it_says_where_in_the_readers_language(corpus: Path) -> None:
    for lang, said in (("es_MX", "En este ordenador"), ("zh_CN", "本机地址")):
        with serving(corpus, LC_ALL=f"{lang}.UTF-8", LANG=f"{lang}.UTF-8") as running:
            assert running.wait_for(said + r".*http://127\.0\.0\.1:\d+/(\w+)/")[1] == lang[:2]
            assert running.stop() == 0


def test_a_taken_port_is_told_with_what_to_do(corpus: Path) -> None:
    with serving(corpus) as running:
        port = port_of(running)
        status, told = ended(corpus, "--port", str(port))
        assert (status, told.splitlines()) == (
            2,
            [f"rules: port {port} is taken by another program", "rules: choose another, or leave --port out"],
        )
        with serving(corpus) as second:
            assert port_of(second) != port


def test_rules_with_a_problem_are_not_served(tmp_path: Path) -> None:
    faulty = write_corpus(tmp_path / "faulty", Edit("harbour/rules.en.md", "](#docks)", "](#dokcs)"))
    status, told = ended(faulty)
    assert status == 3
    assert re.search(r"^harbour/rules\.en\.md:\d+: .*dokcs", told, re.MULTILINE)


# --- who is answered --------------------------------------------------------------------------------------------------


def asked_at(port: int, address: str, host: str) -> Reply:
    """The home page, asked for at an address under a name."""
    return raw(port, f"GET /en/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode(), address)


def test_without_lan_only_this_machine_is_answered(corpus: Path) -> None:
    with serving(corpus, near="127.0.0.2/8") as running:
        port = port_of(running)
        running.wait_for(STARTED)
        assert asked_at(port, "127.0.0.1", "127.0.0.1").status == 200
        assert asked_at(port, "127.0.0.1", "127.0.0.2").status == 421
        assert asked_at(port, "127.0.0.1", f"{socket.gethostname()}.local").status == 421
        with pytest.raises(ConnectionRefusedError):
            connected(port, "127.0.0.2")
        assert running.out == [f"On this computer: http://127.0.0.1:{port}/en/", "Ctrl-C stops it."]


def test_with_lan_the_network_is_answered_and_told_of(corpus: Path) -> None:
    with serving(corpus, "--lan", near="127.0.0.2/8 127.0.0.3/8") as running:
        port = port_of(running)
        running.wait_for(STARTED)
        for address in ("127.0.0.1", "127.0.0.2", "127.0.0.3"):
            assert asked_at(port, address, f"{address}:{port}").status == 200
        assert asked_at(port, "127.0.0.2", f"{socket.gethostname()}.local").status == 200
        assert asked_at(port, "127.0.0.2", "evil.example").status == 421
        assert running.out[1:] == [
            "",
            f"On the phones in your network: http://127.0.0.2:{port}/",
            f"or: http://127.0.0.3:{port}/",
            "Everyone in this network can read it.",
            "",
            "Ctrl-C stops it.",
        ]


def test_without_a_network_lan_says_what_to_do(corpus: Path) -> None:
    status, told = ended(corpus, "--lan")
    assert status == 3
    assert "no local network" in told
    assert "Wi-Fi" in told


@pytest.mark.parametrize(("private", "status"), [([], 404), (["--private"], 200)])
def test_private_packs_are_served_only_if_asked_for(
    corpus: Path, tmp_path: Path, private: list[str], status: int
) -> None:
    pack = tmp_path / "data" / "ruleslawyer" / "packs" / "fog-islands"
    pack.mkdir(parents=True)
    (pack / "game.toml").write_text(FOG_GAME, "utf-8")
    (pack / "rules-book.en.md").write_text(FOG_RULES, "utf-8")
    data = str(tmp_path / "data")
    with serving(corpus, "--lan", *private, near="127.0.0.2/8", XDG_DATA_HOME=data) as running:
        port = port_of(running)
        running.wait_for(STARTED)
        assert get(port, "/en/fog-islands/rules/").status == status
        everything = b"".join(get(port, path).body for path in ("/en/", "/en/entries/", "/rules-site.json"))
        assert (b"fog-islands" in everything) == bool(private)
        assert any("your private packs too" in line for line in running.out) == bool(private)


# --- the code on a terminal -------------------------------------------------------------------------------------------


def on_terminal(corpus: Path, columns: int, lines: int, **env: str) -> str:
    """What a terminal of this size shows once the server is there."""
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen(
        command(corpus, "--lan", near="127.0.0.2/8"), stdin=its, stdout=its, stderr=its, env=environment(**env)
    )
    os.close(its)
    shown = b""
    try:
        while STARTED.encode() not in shown and (chunk := os.read(mine, 65536)):
            shown += chunk
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENT)
        os.close(mine)
    no_traceback(shown.decode())
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_shows_the_code_in_black_on_white_also_without_colours(corpus: Path) -> None:
    for env in ({}, {"NO_COLOR": "1"}):
        shown = on_terminal(corpus, 33, 40, **env)
        assert "▀" in without_styles(shown)
        assert "\x1b[38;5;16;48;5;231m" in shown


def test_a_terminal_without_room_or_colours_shows_the_address_alone(corpus: Path) -> None:
    for columns, lines, env in ((32, 40, {}), (80, 17, {}), (80, 40, {"TERM": "dumb"})):
        shown = on_terminal(corpus, columns, lines, **env)
        assert "▀" not in shown
        assert "48;5;231" not in shown
        assert "http://127.0.0.2:" in shown


# --- rules that change ------------------------------------------------------------------------------------------------


def test_changed_rules_are_served_and_faulty_ones_told_while_the_site_stays(corpus: Path) -> None:
    with serving(corpus, "--watch") as running:
        port = port_of(running)
        assert b"Move 1 ship" in get(port, RULES).body
        change(corpus, "Move 1 ship", "Sail 1 ship")
        running.wait_for("The rules have changed")
        assert b"Sail 1 ship" in get(port, RULES).body

        change(corpus, "Sail 1 ship, then load 2 crates at the [docks](#docks)", "Row 1 ship [there](#dokcs)")
        assert "did you mean 'docks'" in running.wait_for(r"^harbour/rules\.en\.md:\d+: .*dokcs.*").string
        running.wait_for("stays as it was")
        assert b"Sail 1 ship" in get(port, RULES).body

        change(corpus, "Row 1 ship [there](#dokcs)", "Row 1 ship, then load 2 crates at the [docks](#docks)")
        running.wait_for("The rules have changed")
        assert b"Row 1 ship" in get(port, RULES).body
        assert running.stop() == 0


def watched_page(browser: Any, running: Running) -> tuple[Any, Watch]:
    """The rules in a browser, low enough that they must be scrolled, ruled by the service worker."""
    page = browser.new_context(viewport={"width": 700, "height": 260}, reduced_motion="reduce").new_page()
    watch = Watch(page)
    page.goto(f"http://127.0.0.1:{port_of(running)}{RULES}")
    until(page, "Boolean(navigator.serviceWorker.controller)")
    return page, watch


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true on the page, which may be reloading meanwhile."""
    from playwright.sync_api import Error

    for _ in range(10 * PATIENT):
        with suppress(Error):  # its page is just being left
            if page.evaluate(expression):
                return
        page.wait_for_timeout(100)
    pytest.fail(f"not within {PATIENT} s: {expression}")


def top(page: Any) -> float:
    """How far below the upper edge an entry is."""
    return float(page.evaluate("document.getElementById('trade-routes').getBoundingClientRect().top"))


def test_an_open_page_shows_changed_rules_at_the_entry_that_is_read(browser: Any, corpus: Path) -> None:
    with serving(corpus, "--watch") as running:
        page, watch = watched_page(browser, running)
        page.evaluate("document.getElementById('trade-routes').scrollIntoView()")
        page.evaluate("scrollBy(0, 30)")
        before, scrolled = top(page), page.evaluate("scrollY")
        for times in (1, 2):  # the second time the page is one that has reloaded itself
            change(corpus, "Move 1 ship", "Much is said of ships, and most of it twice over. " * 8 + "Move 1 ship")
            until(page, f"document.body.innerText.split('Much is said').length == {8 * times + 1}")
            until(page, "history.scrollRestoration == 'auto' && document.readyState == 'complete'")
            page.wait_for_timeout(100)
            assert abs(top(page) - before) < 2
            assert page.evaluate("scrollY") > scrolled + 50
        page.context.close()
    assert [line for line in watch.complaints if "ERR_CONNECTION" not in line] == []


def test_pages_ask_for_nothing_by_themselves_unless_rules_are_watched(browser: Any, corpus: Path) -> None:
    with serving(corpus) as running:
        page, watch = watched_page(browser, running)
        page.wait_for_timeout(1500)
        assert [url for url in watch.requests if url.endswith("rules-site.json")] == []
        assert watch.complaints == []
        page.context.close()


def test_the_search_and_the_missing_page_work_where_they_are_served(browser: Any, corpus: Path) -> None:
    with serving(corpus) as running:
        page, watch = watched_page(browser, running)
        address = page.url.removesuffix(RULES)
        page.goto(f"{address}/en/search/index.html?q=docks")
        page.wait_for_selector("[data-entry='harbour/docks']")
        assert watch.complaints == []
        page.goto(f"{address}/en/harbour/nowhere/at/all")
        assert page.evaluate("getComputedStyle(document.querySelector('.band')).display") != ""
        assert [url for url in page.evaluate("[...document.styleSheets].map(one => one.href)") if "/en/" in url] == []
        page.click("main a[hreflang='es']")
        assert page.url == f"{address}/es/index.html"
        page.context.close()
