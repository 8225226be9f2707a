"""The server, asked over real sockets as Browser and others ask it."""

from __future__ import annotations

import http.client
from collections.abc import Iterator

import pytest

from mem0g.browser.server import File, FileServer, origin_of

BROWSER = "https://browser.example:7473/browser/"


@pytest.fixture
def server() -> Iterator[FileServer]:
    """A server with one file."""
    with FileServer(0, BROWSER) as running:
        running.files = {"/style.grass": File(b"node {}\n", "text/plain; charset=utf-8")}
        yield running


def ask(server: FileServer, method: str, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """One request; a header's name is written with ``_``."""
    connection = http.client.HTTPConnection("127.0.0.1", int(server.address.rpartition(":")[2]))
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def test_the_address_is_localhost(server: FileServer) -> None:
    """Browser takes guides and styles from localhost by default, not from 127.0.0.1."""
    assert server.address.startswith("http://localhost:")


def test_a_file(server: FileServer) -> None:
    """A file is answered with its type, and is not kept by a cache; HEAD gives the same without the content."""
    answer, content = ask(server, "GET", "/style.grass?again")
    assert (answer.status, content) == (200, b"node {}\n")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    head, nothing = ask(server, "HEAD", "/style.grass")
    assert (head.status, nothing, head.headers["Content-Length"]) == (200, b"", "8")


def test_what_is_not_there(server: FileServer) -> None:
    """Only the files given are served, whatever the path; nothing can be written."""
    for path in ("/", "/other", "/../etc/passwd", "/%2e%2e/etc/passwd"):
        assert ask(server, "GET", path)[0].status == 404, path
    assert ask(server, "POST", "/style.grass")[0].status == 501


@pytest.mark.parametrize("origin", ["https://browser.example:7473", "http://localhost:7474", "http://127.0.0.1:7474"])
def test_the_preflight_of_browser(server: FileServer, origin: str) -> None:
    """A page of Browser may ask with the headers it wants, from its own origin and from this machine."""
    wanted = "cache-control,pragma,sentry-trace"
    answer, _ = ask(
        server,
        "OPTIONS",
        "/guide.html",
        Origin=origin,
        Access_Control_Request_Method="GET",
        Access_Control_Request_Headers=wanted,
        Access_Control_Request_Private_Network="true",
    )
    assert answer.status == 204
    assert answer.headers["Access-Control-Allow-Origin"] == origin
    assert set(answer.headers["Access-Control-Allow-Headers"].split(", ")) == set(wanted.split(","))
    assert "GET" in answer.headers["Access-Control-Allow-Methods"]
    assert answer.headers["Access-Control-Allow-Private-Network"] == "true"
    assert ask(server, "GET", "/style.grass", Origin=origin)[0].headers["Access-Control-Allow-Origin"] == origin


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example", "http://[", ""])
def test_other_pages_may_not_read(server: FileServer, origin: str) -> None:
    """A page of another site gets no leave to read what the memory holds."""
    for method in ("GET", "OPTIONS"):
        answer, _ = ask(server, method, "/style.grass", Origin=origin)
        assert answer.headers["Access-Control-Allow-Origin"] is None
        assert answer.headers["Vary"] == "Origin"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "[", ""])
def test_another_host_name_is_refused(server: FileServer, host: str) -> None:
    """A name of another site that leads to this machine is no way in."""
    for method in ("GET", "HEAD", "OPTIONS"):
        answer, content = ask(server, method, "/style.grass", Host=host)
        assert answer.status == 421
        assert b"node" not in content


def test_headers_cannot_be_forged(server: FileServer) -> None:
    """What a request asks for is given back as names of headers, and as nothing else."""
    asked = "x-one, x:two; evil=1"
    answer, _ = ask(server, "OPTIONS", "/", Origin="http://localhost", Access_Control_Request_Headers=asked)
    assert answer.headers["Access-Control-Allow-Headers"] == "x-one, x, two, evil, 1"


def test_origins() -> None:
    """An address's origin has no user, no path and no usual port, and is in lower case."""
    assert origin_of("HTTPS://me:secret@Browser.Example:7473/browser/?a=b") == "https://browser.example:7473"
    assert origin_of("https://browser.example:443/") == "https://browser.example"


def test_a_port_that_is_taken(server: FileServer) -> None:
    """It is said at once."""
    with pytest.raises(OSError, match="in use"):
        FileServer(int(server.address.rpartition(":")[2]), BROWSER)
