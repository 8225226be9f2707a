"""A real HTTP server on this machine, which answers with what a test tells it and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Request:
    """What the server was asked."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """What it answers; ``size`` is the Content-Length it claims, by default the true one."""

    body: bytes = b""
    status: int = 200
    size: int | None = None
    content_type: str = "application/octet-stream"

    @classmethod
    def of(cls, value: object, status: int = 200) -> Reply:
        return cls(json.dumps(value).encode(), status, content_type="application/json")


@dataclass
class Server:
    """Where it listens, and the requests so far."""

    url: str
    requests: list[Request] = field(default_factory=list)


@contextmanager
def serving(answer: Callable[[Request], Reply]) -> Iterator[Server]:
    """Serve ``answer`` on a free port of 127.0.0.1 until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def respond(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = Request(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
            server.requests.append(request)
            reply = answer(request)
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(reply.body) if reply.size is None else reply.size))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = respond  # noqa: N815 - http.server's names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server = Server(f"http://127.0.0.1:{http.server_address[1]}")
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
