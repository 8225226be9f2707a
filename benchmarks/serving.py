"""A local HTTP server that answers requests with JSON, reached without a proxy."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answering = Callable[[str, Mapping[str, Any]], tuple[int, bytes]]
"""Returns the status and the JSON that answer the body of a request to a path."""

HOST = "127.0.0.1"


@contextmanager
def answering(answer: Answering) -> Iterator[str]:
    """Serve ``answer`` on a free port until the block ends, many requests in parallel; yield the base URL, with /v1."""
    with _Listening((HOST, 0), _Exchange) as http, _directly():
        http.answer = answer
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, name="benchmark-server")
        thread.start()
        try:
            yield f"http://{HOST}:{http.server_address[1]}/v1"
        finally:
            http.shutdown()
            thread.join()


class _Listening(ThreadingHTTPServer):
    request_queue_size = 128
    answer: Answering

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that have disconnected."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keep connections open, as real servers do
    wbufsize = -1  # send a reply at once: in small packets it would wait for the client to acknowledge the first
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        assert isinstance(self.server, _Listening)
        length = int(self.headers["Content-Length"])
        read = self.rfile.read(length)
        if len(read) < length:  # the client has disconnected
            self.close_connection = True
            return
        status, sent = self.server.answer(self.path, json.loads(read))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        """Log nothing: each benchmark keeps its own record of the requests."""


@contextmanager
def _directly() -> Iterator[None]:
    """Exclude this machine from the proxies of the environment, for clients created in the meantime."""
    before = os.environ.get("no_proxy")
    others = before or os.environ.get("NO_PROXY")
    # where both spellings are set, the lower-case one counts
    os.environ["no_proxy"] = f"{others},{HOST}" if others else HOST
    try:
        yield
    finally:
        if before is None:
            del os.environ["no_proxy"]
        else:
            os.environ["no_proxy"] = before
