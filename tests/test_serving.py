"""What the server answers, whatever it is sent, and that nobody can keep it from answering others."""

from __future__ import annotations

import gzip
import os
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpora import write_corpus
from ruleslawyer.answering import (
    KINDS,
    POLICY,
    Answer,
    BadRequest,
    Request,
    Site,
    answer,
    prepared,
    read_request,
    written,
)
from ruleslawyer.corpus import load
from ruleslawyer.errors import UsageProblem
from ruleslawyer.lan import LOOPBACK, LOOPBACK_HOSTS
from ruleslawyer.places import site_folder
from ruleslawyer.serving import CONNECTIONS, Patience, Server, listening
from servers import (
    PATIENT,
    connected,
    get,
    open_files_allowed,
    port_of,
    raw,
    read_all,
    reply_of,
    reset,
    serving,
)
from sites import searchable_files

PICTURE = os.urandom(20_000)
FILES = {
    "404.html": b'<link href="assets/b1/site.css"><a href="en/index.html">English</a><a href="#_main">' + b" " * 500,
    "index.html": b"<p>the root</p>" * 40,
    "en/index.html": "<p>航线 and español</p>".encode() * 40,
    "en/harbour/index.html": b"<p>Harbour</p>",
    "assets/b1/site.css": b"p { color: black; }" * 40,
    "assets/b1/icon.png": PICTURE,
    "service-worker.js": b'"use strict";',
}
SITE = Site(prepared(FILES))


def ask(target: str, method: str = "GET", site: Site = SITE, **headers: str) -> Answer:
    """What the site answers; ``if_none_match="x"`` for a header of that name."""
    sent = {"host": "localhost:8000", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return answer(Request(method, target, sent), site, LOOPBACK_HOSTS)


def header(said: Answer, name: str) -> str:
    """A header of an answer, which may have it once."""
    values = [value for key, value in said.headers if key == name]
    assert len(values) <= 1
    return values[0] if values else ""


# --- what is there ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("/", "index.html"),
        ("/?q=tie", "index.html"),
        ("/en/", "en/index.html"),
        ("/en/index.html?q=%E8%88%AA", "en/index.html"),
        ("/%65n/index%2ehtml", "en/index.html"),
        ("/assets/b1/icon.png", "assets/b1/icon.png"),
    ],
)
def test_a_file_of_the_site_is_sent_as_it_is(target: str, path: str) -> None:
    said = ask(target)
    assert (said.status, said.body) == (200, FILES[path])
    assert header(said, "Content-Length") == str(len(FILES[path]))


def test_texts_say_their_charset_and_pictures_what_they_are() -> None:
    assert header(ask("/en/"), "Content-Type") == "text/html; charset=utf-8"
    assert header(ask("/assets/b1/site.css"), "Content-Type") == "text/css; charset=utf-8"
    assert header(ask("/assets/b1/icon.png"), "Content-Type") == "image/png"


def test_a_folder_without_its_slash_leads_to_the_one_with_it_and_keeps_the_query() -> None:
    said = ask("/en/harbour?q=tie&x=%0d%0aSet-Cookie")
    assert (said.status, header(said, "Location")) == (307, "/en/harbour/?q=tie&x=%0d%0aSet-Cookie")


@pytest.mark.parametrize("target", ["//en", "//localhost/en", "//evil.example/%2e%2e/en", "/en//harbour", "///"])
def test_no_address_leads_to_another_host(target: str) -> None:
    said = ask(target)
    assert said.status in (400, 404)
    assert header(said, "Location") == ""


@pytest.mark.parametrize("target", ["/assets/", "/assets/b1/", "/assets", "/en/harbour/rules/"])
def test_no_folder_is_listed(target: str) -> None:
    said = ask(target)
    assert said.status == 404
    assert b"site.css</a>" not in said.body


def test_the_page_for_what_does_not_exist_is_right_at_any_depth() -> None:
    said = ask("/en/harbour/nowhere/at/all")
    assert said.status == 404
    assert b'href="/assets/b1/site.css"' in said.body
    assert b'href="/en/index.html"' in said.body
    assert b'href="#_main"' in said.body
    assert header(said, "Cache-Control") == "no-cache"


def test_head_has_the_headers_of_get_and_no_body() -> None:
    got, head = ask("/en/"), ask("/en/", "HEAD")
    assert head.headers == got.headers
    assert head.body == b""
    assert ask("/nowhere", "HEAD").body == b""


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_only_get_and_head_are_answered(method: str) -> None:
    said = ask("/en/", method)
    assert (said.status, header(said, "Allow")) == (405, "GET, HEAD")


# --- saving bytes -----------------------------------------------------------------------------------------------------


def test_texts_are_sent_compressed_to_who_takes_that() -> None:
    said = ask("/en/", accept_encoding="gzip, deflate, br")
    assert (header(said, "Content-Encoding"), gzip.decompress(said.body)) == ("gzip", FILES["en/index.html"])
    assert header(said, "Content-Length") == str(len(said.body))
    assert header(said, "Vary") == header(ask("/en/"), "Vary") == "Accept-Encoding"


@pytest.mark.parametrize(
    ("target", "accepted"), [("/en/", ""), ("/en/", "gzip;q=0"), ("/en/", "br"), ("/assets/b1/icon.png", "gzip")]
)
def test_else_they_are_sent_as_they_are(target: str, accepted: str) -> None:
    said = ask(target, accept_encoding=accepted)
    assert header(said, "Content-Encoding") == ""
    assert said.body in FILES.values()


def test_a_file_with_the_same_bytes_is_not_sent_again() -> None:
    tag = header(ask("/en/"), "ETag")
    for sent in (tag, f'"other", W/{tag}', "*"):
        said = ask("/en/", if_none_match=sent)
        assert (said.status, said.body, header(said, "ETag")) == (304, b"", tag)
    assert ask("/en/", if_none_match='"other"').status == 200
    assert ask("/nowhere", if_none_match="*").status == 404


def test_a_tag_names_the_bytes_that_are_sent() -> None:
    plain, packed = ask("/en/"), ask("/en/", accept_encoding="gzip")
    assert header(plain, "ETag") != header(packed, "ETag")
    assert ask("/en/", accept_encoding="gzip", if_none_match=header(packed, "ETag")).status == 304
    changed = Site(prepared({**FILES, "en/index.html": b"other"}))
    assert ask("/en/", site=changed, if_none_match=header(plain, "ETag")).status == 200


def test_pages_are_asked_for_each_time_and_what_belongs_to_a_build_is_kept() -> None:
    kept = {
        target: header(ask(target), "Cache-Control") for target in ("/", "/service-worker.js", "/assets/b1/site.css")
    }
    assert kept == {
        "/": "no-cache",
        "/service-worker.js": "no-cache",
        "/assets/b1/site.css": "max-age=31536000, immutable",
    }


def test_a_page_that_is_open_finds_the_files_of_its_build_once_there_is_a_newer() -> None:
    second = SITE.succeeded_by(prepared({"index.html": b"2", "assets/b2/site.css": b"2"}))
    assert ask("/", site=second).body == b"2"
    assert ask("/assets/b1/site.css", site=second).body == FILES["assets/b1/site.css"]
    assert ask("/en/", site=second).status == 404
    third = second.succeeded_by(prepared({"index.html": b"3", "assets/b3/site.css": b"3"}))
    assert ask("/assets/b2/site.css", site=third).status == 200
    assert ask("/assets/b1/site.css", site=third).status == 404


# --- what is refused --------------------------------------------------------------------------------------------------

OUTSIDE = [
    "/../etc/passwd",
    "/en/../../etc/passwd",
    "/en/../index.html",
    "/./index.html",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/%2E%2E%2Fetc%2Fpasswd",
    "/%252e%252e/etc/passwd",
    "/..%252f..%252fetc/passwd",
    "/..\\..\\etc\\passwd",
    "/..%5c..%5cetc%5cpasswd",
    "/%c0%ae%c0%ae/etc/passwd",
    "/%e0%80%ae%e0%80%ae/etc/passwd",
    "/%u002e%u002e/etc/passwd",
    "/....//....//etc/passwd",
    "/..;/etc/passwd",
    "/en/..%00/etc/passwd",
    "/index.html%00.png",
    "/%00",
    "/en/%0d%0aX-Header:%201",
    "//etc/passwd",
    "///etc/passwd",
    "/C:/Windows/win.ini",
    "/C:%5cWindows%5cwin.ini",
    "/en/index.html::$DATA",
    "/en/index.html.",
    "/en./index.html",
    "/en/index.html%20",
    "/EN/INDEX.HTML",
    "/en/index.html/",
    "/.git/config",
    "/.env",
    "/en/.hidden",
    "/%2egit/HEAD",
    "/proc/self/environ",
    "/dev/stdin",
    "/~root/",
    "/con",
    "/%zz",
    "/%",
    "/%f",
    "http://localhost/en/",
    "http://evil.example/en/",
    "file:///etc/passwd",
    "*",
    "en/",
    "localhost:8000",
    "/en/#part",
    "/%EF%BC%8E%EF%BC%8E/etc/passwd",
    "/" + "a/" * 1000,
]
"""Targets that mean, or could be taken to mean, something outside the site."""


@pytest.mark.parametrize("target", OUTSIDE)
def test_what_leads_out_of_the_site_is_refused(target: str) -> None:
    said = ask(target)
    assert said.status in (400, 404)
    assert said.body == ask("/nowhere").body or said.body == b"400 Bad Request\n"


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60))
@example("404.html")
def test_whatever_is_asked_for_only_the_site_is_sent(target: str) -> None:
    """The page for what is gone with its links from the root, since it stands for any address."""
    said = ask("/" + target)
    assert said.status in (200, 307, 400, 404)
    assert said.status != 200 or said.body in {**FILES, "404.html": ask("/nowhere").body}.values()


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "evil.example:8000", "localhost.", "127.0.0.1.nip.io"),
        *("192.168.1.20", "", "[::1", "::1", "a@localhost", "localhost:8000:1", "localhost/", "local host"),
        "localhost,evil.example",
    ],
)
def test_no_other_name_that_leads_here_is_answered(host: str) -> None:
    said = ask("/en/", host=host)
    assert said.status == 421
    assert said.body not in FILES.values()


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1", "127.0.0.1:8000", "[::1]:8000", "[::1]"])
def test_the_machines_own_names_are(host: str) -> None:
    assert ask("/en/", host=host).status == 200


def test_every_answer_keeps_other_sites_and_guesses_about_types_out() -> None:
    for said in (ask("/en/"), ask("/nowhere"), ask("/%00"), ask("/", host="x"), ask("/", "PUT"), ask("/en")):
        assert header(said, "X-Content-Type-Options") == "nosniff"
        assert header(said, "Referrer-Policy") == "no-referrer"
        assert header(said, "Cross-Origin-Resource-Policy") == "same-origin"
        assert header(said, "Content-Security-Policy") == f"{POLICY}; frame-ancestors 'none'"


def test_the_policy_is_the_one_that_pages_carry() -> None:
    page = (site_folder() / "templates" / "base.html").read_text("utf-8")
    assert f'http-equiv="Content-Security-Policy" content="{POLICY}"' in page


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"GET",
        b"GET /",
        b"GET / HTTP",
        b"GET  / HTTP/1.1",
        b"GET / HTTP/1.1 ",
        b"get / HTTP/1.1",
        b"GET / HTTP/2.0",
        b"GET / HTTP/0.9",
        b"GET /a b HTTP/1.1",
        b"GET /\x00 HTTP/1.1",
        b"GET /\xff HTTP/1.1",
        b"GET /" + b"a" * 3000 + b" HTTP/1.1",
        b"GET / HTTP/1.1\r\nHost",
        b"GET / HTTP/1.1\r\nHost : localhost",
        b"GET / HTTP/1.1\r\n Host: localhost",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n folded",
        b"GET / HTTP/1.1\r\nHost: local\x00host",
        b"GET / HTTP/1.1\r\nHost: localhost\nX: y",
        b"GET / HTTP/1.1\nHost: localhost",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example",
        b"GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 5",
        b"GET / HTTP/1.1" + b"\r\nX: y" * 200,
        b"\x16\x03\x01\x02\x00",
    ],
)
def test_what_is_not_http_is_refused(head: bytes) -> None:
    with pytest.raises(BadRequest):
        read_request(head + b"\r\n\r\n")


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_make_it_stumble(data: bytes, begun: bool) -> None:
    try:
        request = read_request((b"GET / HTTP/1.1\r\n" if begun else b"") + data)
    except BadRequest:
        return
    assert written(answer(request, SITE, LOOPBACK_HOSTS), "").startswith(b"HTTP/1.1 ")


def test_a_request_without_a_host_or_with_a_body_is_refused() -> None:
    assert answer(Request("GET", "/", {}), SITE, LOOPBACK_HOSTS).status == 400
    assert ask("/", content_length="5").status == 400
    assert ask("/", transfer_encoding="chunked").status == 400
    assert ask("/", content_length="0").status == 200


# --- over the wire, from the command ----------------------------------------------------------------------------------


SECRETS = ("secret.txt", ".secret", ".git/config", "corpus/.env", "corpus/harbour/.env", "link.txt", "etc/hosts")
"""What nobody may see: files and links in the folder where the server is started and among the rules."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus and secrets."""
    folder = tmp_path_factory.mktemp("place")
    write_corpus(folder / "corpus")
    (folder / ".git").mkdir()
    for name in SECRETS[:5]:
        (folder / name).write_text("TOP SECRET", encoding="utf-8")
    (folder / "link.txt").symlink_to(folder / "secret.txt")
    (folder / "etc").symlink_to("/etc")
    return folder


@pytest.fixture(scope="module")
def port(place: Path) -> Iterator[int]:
    """The port of a server on that corpus, started in that folder."""
    with serving(place / "corpus", cwd=place) as running:
        yield port_of(running)


@pytest.fixture(scope="module")
def built(place: Path) -> dict[str, bytes]:
    """The site of that corpus."""
    corpus = load(place / "corpus").corpus
    return searchable_files(corpus)


def test_the_whole_site_is_served_byte_for_byte(port: int, built: dict[str, bytes]) -> None:
    for path, content in built.items():
        reply = get(port, f"/{path}")
        assert reply.status == 200, path
        assert reply.body == content or path == "404.html", path
        assert reply.headers["content-type"] in (kind.lower() for kind in KINDS.values()), path


@pytest.mark.parametrize(
    "target", [*OUTSIDE, *(f"/{name}" for name in SECRETS), "/../secret.txt", "/corpus/harbour/game.toml"]
)
def test_nothing_outside_the_site_is_ever_sent(port: int, built: dict[str, bytes], target: str) -> None:
    reply = get(port, target)
    assert reply.status in (400, 404)
    assert b"SECRET" not in reply.body
    assert b"root:" not in reply.body
    assert reply.headers["connection"] == "close"


def test_bytes_that_are_no_request_get_an_error_and_the_end(port: int) -> None:
    assert raw(port, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40_000 + b"\r\n\r\n").status == 431
    assert raw(port, b"GET /" + b"a" * 4000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 414
    assert (
        raw(port, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n" + b"x" * 9000).status == 405
    )
    assert raw(port, bytes.fromhex("1603010200010001fc0303")).status == 400  # a browser that tries https first
    assert raw(port, b"GET / HTTP/1.0\r\n\r\n").status == 400
    assert get(port, "/en/").status == 200


def test_a_connection_serves_several_requests_in_order(port: int) -> None:
    asked = [("/en/", 200), ("/nowhere", 404), ("/en", 307), ("/es/", 200)]
    requests = [f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n" for target, _ in asked]
    requests[-1] = requests[-1].replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    with connected(port) as client:
        client.sendall("".join(requests).encode())
        found = re.findall(rb"HTTP/1\.1 (\d+) ", read_all(client))
    assert [int(status) for status in found] == [status for _, status in asked]


# --- slow clients -----------------------------------------------------------------------------------------------------


def drip(clients: list[socket.socket], stop: threading.Event) -> None:
    """Send each client's request byte by byte, until told to stop."""
    request = b"GET /en/ HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 10_000
    for byte in request:
        if stop.wait(0.2):
            return
        for client in clients:
            try:
                client.send(bytes([byte]))
            except OSError:
                continue


def deaf(port: int, path: str) -> socket.socket:
    """A client that asks for a lot and reads nothing."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(PATIENT)
    client.connect((LOOPBACK, port))
    client.sendall(f"GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 200)
    return client


def half_open(port: int) -> socket.socket:
    """A client that says half a sentence and that it will say no more, or nothing at all."""
    client = connected(port)
    client.sendall(b"GET /en/ HT")
    return client


def test_under_200_slow_clients_50_fast_ones_are_served_and_the_slow_ones_cut_off(
    place: Path, built: dict[str, bytes]
) -> None:
    open_files_allowed(600)
    largest = max(built, key=lambda path: len(built[path]))
    stop = threading.Event()
    with serving(place / "corpus") as running, ExitStack() as stack:
        port = port_of(running)
        dripping = [stack.enter_context(connected(port)) for _ in range(70)]
        silent = [stack.enter_context(half_open(port)) for _ in range(35)]
        silent += [stack.enter_context(connected(port)) for _ in range(35)]
        for _ in range(60):
            stack.enter_context(deaf(port, largest))
        dripper = threading.Thread(target=drip, args=(dripping, stop))
        dripper.start()
        try:
            with ThreadPoolExecutor(50) as pool:
                replies = list(pool.map(lambda n: get(port, f"/{largest}"), range(300)))
            assert {reply.status for reply in replies} == {200}
            assert {reply.body for reply in replies} == {built[largest]}
            assert all(reset(client) for client in (*dripping, *silent))
        finally:
            stop.set()
            dripper.join()
        assert get(port, "/en/").status == 200
        assert running.stop() == 0


def read_until_end(client: socket.socket, enough: int = 1_000_000) -> bytes:
    """What is still to be had from a connection, however it ends."""
    got = b""
    with suppress(ConnectionError):
        while len(got) < enough and (chunk := client.recv(65536)):
            got += chunk
    return got


@contextmanager
def server(files: dict[str, bytes], patience: Patience) -> Iterator[int]:
    """A server in this process; its port."""
    with (
        listening([LOOPBACK], None) as listeners,
        Server(listeners, Site(prepared(files)), LOOPBACK_HOSTS, patience=patience),
    ):
        yield listeners[0].getsockname()[1]


def test_a_client_that_drips_is_cut_off_however_busy_it_is() -> None:
    stop = threading.Event()
    with server(FILES, Patience(head=1)) as port, connected(port) as client:
        dripper = threading.Thread(target=drip, args=([client], stop))
        dripper.start()
        try:
            assert reset(client)
            assert dripper.is_alive()
        finally:
            stop.set()
            dripper.join()


def test_a_client_that_does_not_read_is_cut_off() -> None:
    big = os.urandom(30_000_000)  # more than the buffers of both ends hold
    patience = Patience(head=1, answer=1, slowest=1_000_000_000)
    with server({"big.png": big}, patience) as port, deaf(port, "big.png") as client:
        for _ in range(3):  # each is cut off after a second for saying nothing
            with connected(port) as silent:
                assert reset(silent)
        assert len(read_until_end(client, len(big))) < len(big)


def test_a_slow_reader_who_reads_gets_everything() -> None:
    big = os.urandom(3_000_000)
    with server({"big.png": big}, Patience(answer=PATIENT)) as port, connected(port) as client:
        client.sendall(b"GET /big.png HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        got, pause = b"", threading.Event()
        while chunk := client.recv(200_000):
            got += chunk
            pause.wait(0.01)
    assert reply_of(got).body == big


def test_the_oldest_connection_makes_way_for_a_new_one() -> None:
    open_files_allowed(2 * CONNECTIONS + 200)
    with server(FILES, Patience(head=10 * PATIENT)) as port, ExitStack() as stack:
        first = stack.enter_context(connected(port))
        for _ in range(CONNECTIONS):
            stack.enter_context(connected(port))
        assert reset(first)
        assert get(port, "/en/").status == 200


def test_strangers_are_not_spoken_to() -> None:
    nobody = partial(Server, admits=lambda peer: False)
    with listening([LOOPBACK], None) as listeners, nobody(listeners, SITE, LOOPBACK_HOSTS):
        client = connected(listeners[0].getsockname()[1])
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert read_until_end(client) == b""
        client.close()


def test_a_new_build_is_served_at_once_and_whole() -> None:
    builds = [prepared({"index.html": b"%d" % n * 200_000}) for n in range(5)]
    with listening([LOOPBACK], None) as listeners, Server(listeners, Site(builds[0]), LOOPBACK_HOSTS) as running:
        port = listeners[0].getsockname()[1]
        for build in builds:
            running.site = running.site.succeeded_by(build)
            with ThreadPoolExecutor(4) as pool:
                replies = list(pool.map(lambda n: get(port, "/"), range(4)))
            assert {reply.body for reply in replies} == {build["index.html"].body}


# --- ports ------------------------------------------------------------------------------------------------------------


def test_a_taken_port_is_a_problem_if_asked_for_and_else_passed_over() -> None:
    with listening([LOOPBACK], None) as first:
        taken = first[0].getsockname()[1]
        with pytest.raises(UsageProblem, match=f"port {taken} is taken"), listening([LOOPBACK], taken):
            pass
        with listening([LOOPBACK], None) as second:
            assert second[0].getsockname()[1] > taken
    with listening([LOOPBACK], taken) as again:
        assert again[0].getsockname()[1] == taken


def test_all_addresses_share_a_port_or_none_is_taken() -> None:
    one, another = "127.0.0.3", "127.0.0.4"
    with listening([another], None) as other:
        taken = other[0].getsockname()[1]
        with pytest.raises(UsageProblem), listening([one, another], taken):
            pass
        with listening([one], taken):
            pass


def test_an_address_that_has_just_vanished_is_passed_over() -> None:
    with listening([LOOPBACK, "198.51.100.77"], None) as listeners:
        assert [one.getsockname()[0] for one in listeners] == [LOOPBACK]
