"""What the server of a site answers: pure functions from the head of a request and a site in memory to an answer.

A path is looked up among the files of the site and nowhere else. No name ever reaches the disk, so there is no path out of
a folder, no link, no hidden file and no listing to guard against.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from ruleslawyer import urls

LONGEST_TARGET = 2048
"""Characters that the path and query of a request may have."""

MOST_HEADERS = 100

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'"
)
"""What a page may load: the policy that our pages carry themselves."""

SAFETY = (
    ("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'"),
    ("Cross-Origin-Resource-Policy", "same-origin"),  # no website can load the search data, which are scripts
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
)
"""Headers of every answer."""

KINDS = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json; charset=utf-8",
    "xml": "application/xml; charset=utf-8",
}
"""Content types by the ending of a name."""

_START = re.compile(rb"([A-Z]{1,16}) ([!-~]+) HTTP/([0-9])\.([0-9])")
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(rb"[\t -~\x80-\xff]*")
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(?::[0-9]{1,5})?")
_ENCODED = re.compile(r"(?:[^%]|%[0-9A-Fa-f]{2})*")
_REFERENCE = re.compile(rb'( (?:href|src|action|data-root|data-assets|data-manifest)=")(?![#/]|[a-z]+:)')


Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do."""


class File(NamedTuple):
    """A file as it is sent. ``packed``: the body in gzip, empty where that saves nothing; ``lasting``: never changes."""

    kind: str
    body: bytes
    packed: bytes
    digest: str
    lasting: bool


class Site(NamedTuple):
    """The files of a build by site path, and those of the build before that its open pages may still ask for."""

    files: Mapping[str, File]
    earlier: Mapping[str, File] = {}

    def find(self, path: str) -> File | None:
        """The file at a site path."""
        return self.files.get(path) or self.earlier.get(path)

    def succeeded_by(self, files: Mapping[str, File]) -> Site:
        """The next build. The address of a shared file is that of its content, so nothing is mixed."""
        return Site(files, {path: file for path, file in self.files.items() if file.lasting})


class Request(NamedTuple):
    """The head of a request. ``headers``: by name in small letters; ``keep``: the connection is to stay open."""

    method: str
    target: str
    headers: Mapping[str, str]
    keep: bool = True


class Answer(NamedTuple):
    """What is sent back; the connection ends after it unless ``keep``."""

    status: HTTPStatus
    headers: tuple[tuple[str, str], ...] = SAFETY
    body: bytes = b""
    keep: bool = False


class BadRequest(Exception):
    """A request that is refused before anything is looked up."""

    def __init__(self, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(status.phrase)
        self.status = status


# --- a site, ready to be sent -----------------------------------------------------------------------------------------


def prepared(files: Mapping[str, bytes], progress: Progress = lambda done, total: None) -> dict[str, File]:
    """The files of a site, compressed and named by their content, once for all answers.

    Args:
        files: content by site path, as from ``website.site_files``.
        progress: told of every file; as making the files was the first half, it goes on from there.
    """
    ready: dict[str, File] = {}
    for done, (path, body) in enumerate(files.items(), 1):
        ready[path] = _file(path, _anywhere(body) if path == urls.missing("") else body)
        progress(len(files) + done, 2 * len(files))
    return ready


def _file(path: str, body: bytes) -> File:
    kind = KINDS.get(path.rpartition(".")[2], "application/octet-stream")
    packed = b"" if kind == KINDS["png"] else gzip.compress(body, 6, mtime=0)
    digest = hashlib.sha256(body).hexdigest()[:32]
    return File(kind, body, packed if len(packed) < len(body) else b"", digest, path.startswith(f"{urls.ASSETS}/"))


def _anywhere(page: bytes) -> bytes:
    """The page for what does not exist, right at whatever depth it is shown: its links begin at the root.

    >>> _anywhere(b'<a href="en/index.html"> <a href="#_main">')
    b'<a href="/en/index.html"> <a href="#_main">'
    """
    return _REFERENCE.sub(rb"\1/", page)


# --- reading a request ------------------------------------------------------------------------------------------------


def read_request(head: bytes) -> Request:
    r"""The first line and the headers of a request, up to the empty line.

    >>> read_request(b"GET /en/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    Request(method='GET', target='/en/', headers={'host': 'localhost'}, keep=True)

    Raises:
        BadRequest: it is not HTTP as RFC 9112 has it, or more than a site needs.
    """
    start, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    found = _START.fullmatch(start)
    if not found:
        raise BadRequest
    method, target, major, minor = (part.decode("ascii") for part in found.groups())
    if major != "1":
        raise BadRequest(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
    if len(target) > LONGEST_TARGET:
        raise BadRequest(HTTPStatus.REQUEST_URI_TOO_LONG)
    headers = _headers(lines)
    wishes = {wish.strip() for wish in headers.get("connection", "").lower().split(",")}
    return Request(method, target, headers, minor != "0" and "close" not in wishes and not _has_body(headers))


def _headers(lines: list[bytes]) -> dict[str, str]:
    if len(lines) > MOST_HEADERS:
        raise BadRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise BadRequest
        key, text = name.decode("ascii").lower(), value.strip(b" \t").decode("latin-1")
        if key in headers and key in ("host", "content-length", "transfer-encoding"):
            raise BadRequest
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _has_body(headers: Mapping[str, str]) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _host(value: str) -> str:
    """The name or address in a ``Host`` header, without the port; empty where it is none.

    >>> _host("LocalHost:8000"), _host("[fd00::2]:8000"), _host("a@b")
    ('localhost', 'fd00::2', '')
    """
    found = _HOST.fullmatch(value.lower())
    return found[1] or found[2] if found else ""


def site_path(target: str) -> str:
    """The site path that the target of a request means.

    >>> site_path("/en/harbour/?q=tie"), site_path("/%65n/index.html")
    ('en/harbour/', 'en/index.html')

    Raises:
        BadRequest: it is a whole address, is wrongly encoded, or has what no path of a site has.
    """
    path = target.partition("?")[0]
    if not path.startswith("/") or "#" in target or not _ENCODED.fullmatch(path):
        raise BadRequest
    try:
        text = unquote_to_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest from error
    if "\\" in text or not text.isprintable() or {".", ".."} & set(text.split("/")):
        raise BadRequest
    return text[1:]


# --- answering --------------------------------------------------------------------------------------------------------


def answer(request: Request, site: Site, hosts: Collection[str]) -> Answer:
    """What a request gets.

    Args:
        request: as read.
        site: what is served.
        hosts: names and addresses, in small letters and without brackets, under which the server may be asked. A page of
            another name that was made to lead here (DNS rebinding) thus reads nothing.
    """
    host = request.headers.get("host")
    if host is None:
        return plain(HTTPStatus.BAD_REQUEST)
    if _host(host) not in hosts:
        return plain(HTTPStatus.MISDIRECTED_REQUEST)
    if request.method not in ("GET", "HEAD"):
        return plain(HTTPStatus.METHOD_NOT_ALLOWED, ("Allow", "GET, HEAD"))
    if _has_body(request.headers):
        return plain(HTTPStatus.BAD_REQUEST)
    try:
        found = _found(request, site, site_path(request.target))
    except BadRequest as error:
        found = plain(error.status)
    return found._replace(keep=request.keep, body=b"" if request.method == "HEAD" else found.body)


def _found(request: Request, site: Site, path: str) -> Answer:
    if not path or path.endswith("/"):
        path += "index.html"
    file = site.find(path)
    if file:
        return _sent(request, file, HTTPStatus.OK)
    if site.find(f"{path}/index.html"):
        query = request.target.partition("?")
        place = f"/{path}/{query[1]}{query[2]}"
        return plain(HTTPStatus.TEMPORARY_REDIRECT, ("Location", place))
    missing = site.find(urls.missing(""))
    return _sent(request, missing, HTTPStatus.NOT_FOUND) if missing else plain(HTTPStatus.NOT_FOUND)


def _sent(request: Request, file: File, status: HTTPStatus) -> Answer:
    packed = bool(file.packed) and takes_gzip(request.headers.get("accept-encoding", ""))
    tag = f'"{file.digest}{"-gzip" if packed else ""}"'
    headers = [("Cache-Control", "max-age=31536000, immutable" if file.lasting else "no-cache"), ("ETag", tag)]
    if file.packed:
        headers.append(("Vary", "Accept-Encoding"))
    if status == HTTPStatus.OK and _has(request.headers.get("if-none-match", ""), tag):
        return Answer(HTTPStatus.NOT_MODIFIED, (*headers, *SAFETY))
    body = file.packed if packed else file.body
    headers += [("Content-Type", file.kind), ("Content-Length", str(len(body)))]
    if packed:
        headers.append(("Content-Encoding", "gzip"))
    return Answer(status, (*headers, *SAFETY), body)


def plain(status: HTTPStatus, *more: tuple[str, str]) -> Answer:
    """An answer that only names its status."""
    body = f"{status} {status.phrase}\n".encode()
    own = (("Content-Type", KINDS["txt"]), ("Content-Length", str(len(body))), ("Cache-Control", "no-store"))
    return Answer(status, (*own, *more, *SAFETY), body)


def _has(tags: str, tag: str) -> bool:
    known = {one.strip().removeprefix("W/") for one in tags.split(",")}
    return tag in known or "*" in known


def takes_gzip(accepted: str) -> bool:
    """Whether an ``Accept-Encoding`` header allows gzip.

    >>> [takes_gzip(header) for header in ("br, gzip", "gzip;q=0, *", "*;q=0.5", "")]
    [True, False, True, False]
    """
    weights = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        weights[name.strip()] = weight.replace(" ", "")
    weight = weights.get("gzip", weights.get("*", "q=0"))
    return not re.fullmatch(r"q=0(?:\.0*)?", weight)


def written(answer: Answer, date: str) -> bytes:
    """An answer as bytes; ``date`` as HTTP writes it."""
    lines = [f"HTTP/1.1 {answer.status.value} {answer.status.phrase}", f"Date: {date}"]
    lines += [f"{name}: {value}" for name, value in answer.headers]
    if not answer.keep:
        lines.append("Connection: close")
    return "\r\n".join((*lines, "", "")).encode("latin-1") + answer.body
