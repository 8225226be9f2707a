"""A local server for the files that Neo4j Browser loads, from another origin."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

HOST: Final = "127.0.0.1"
NAME: Final = "localhost"
"""The host from which Browser loads guides and styles by default; 127.0.0.1 is not allowed."""

_LOCAL_HOSTS: Final = frozenset({NAME, HOST, "::1"})
_CONTENT_SECURITY_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_HEADER_NAME: Final = re.compile(r"[\w-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class File:
    """The response to a path: its content and media type."""

    content: bytes
    type: str


_NO_FILE: Final = File(b"no such file\n", "text/plain; charset=utf-8")


class _Server(ThreadingHTTPServer):
    """A server that ignores clients which close the connection early."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the error, unless the client closed the connection."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class FileServer:
    """Serves files on http://localhost:PORT, to this machine and to pages of Browser's origin.

    ``files`` are by path ("/style.grass"). They contain parts of a memory: only pages of Browser's origin and of this
    machine may read them, and a request for another host is refused.
    Raises OSError when the port is in use; 0 is any free port.
    """

    def __init__(self, port: int, browser_url: str) -> None:
        self.files: Mapping[str, File] = {}
        self._browser_origin = origin_of(browser_url)
        self._server = _Server((HOST, port), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, name="mem0g browser", daemon=True)

    @property
    def address(self) -> str:
        """``http://localhost:PORT``."""
        return f"http://{NAME}:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def wait(self) -> None:
        """Serve until the server is closed, or KeyboardInterrupt is raised."""
        self._thread.join()

    def allows(self, origin: str) -> bool:
        """Whether pages of this origin may read the files: those of Browser and of this machine."""
        return origin == self._browser_origin or _host(origin) in _LOCAL_HOSTS

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        files = self

        class Handler(_Handler):
            served = files

        return Handler


class _Handler(BaseHTTPRequestHandler):
    """Responds to GET and HEAD with the files, and to the CORS preflight (OPTIONS) of a page of Browser."""

    served: FileServer
    protocol_version = "HTTP/1.1"
    server_version = "mem0g"
    sys_version = ""

    def do_GET(self) -> None:
        """Send the file of the path, or 404."""
        if self._names_this_machine():
            file = self.served.files.get(urlsplit(self.path).path)
            self._answer(HTTPStatus.OK if file else HTTPStatus.NOT_FOUND, file or _NO_FILE)

    def do_HEAD(self) -> None:
        """Send the headers that GET would."""
        self.do_GET()

    def do_OPTIONS(self) -> None:
        """Answer the preflight: Browser sends headers of its own (pragma, cache-control, sentry-trace)."""
        if self._names_this_machine():
            self._answer(HTTPStatus.NO_CONTENT, File(b"", ""))

    def log_message(self, *_: object) -> None:
        """Print nothing: the terminal shows the link, not every request."""

    def _names_this_machine(self) -> bool:
        """Whether the request names this machine as its host; any other name may be DNS rebinding. Sends 421 if not."""
        if _host(f"//{self.headers.get('Host', '')}") in _LOCAL_HOSTS:
            return True
        self._answer(HTTPStatus.MISDIRECTED_REQUEST, _NO_FILE)
        return False

    def _answer(self, status: HTTPStatus, file: File) -> None:
        self.send_response(status)
        for name, value in self._cors():
            self.send_header(name, value)
        if file.type:
            self.send_header("Content-Type", file.type)
            self.send_header("Content-Length", str(len(file.content)))
            self.send_header("Content-Security-Policy", _CONTENT_SECURITY_POLICY)
            self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(file.content)

    def _cors(self) -> list[tuple[str, str]]:
        origin = self.headers.get("Origin", "")
        if not self.served.allows(origin):
            return [("Vary", "Origin")]
        requested = self.headers.get("Access-Control-Request-Headers", "")
        headers = [
            ("Vary", "Origin"),
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
            ("Access-Control-Allow-Headers", ", ".join(_HEADER_NAME.findall(requested))),
            ("Access-Control-Max-Age", "600"),
        ]
        if self.headers.get("Access-Control-Request-Private-Network"):
            headers.append(("Access-Control-Allow-Private-Network", "true"))
        return headers


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address, as a browser gives the origin of its pages."""
    parts = urlsplit(url.lower())
    default_port = {"http": ":80", "https": ":443"}.get(parts.scheme, "")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].removesuffix(default_port)}"


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
