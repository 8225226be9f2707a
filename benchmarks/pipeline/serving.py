"""A local server that speaks the OpenAI protocol with function calling, with delayed replies."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter, sleep
from typing import Any

from mem0g.errors import InputError

Replying = Callable[[str, str], str]
"""Returns the arguments, as JSON, of a function call in reply to a prompt; InputError if it cannot."""

HOST = "127.0.0.1"


@dataclass(slots=True)
class Chat:
    """A model behind a server: each reply is sent ``seconds`` after its request was read, many in parallel.

    ``refused`` are the errors of the requests that it could not answer, which got status 400.
    """

    reply: Replying
    seconds: float
    address: str = ""
    refused: list[InputError] = field(default_factory=list)

    def answer(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the status and the body that answer a request; no usage is reported."""
        started = perf_counter()
        try:
            completion = self._completion(body)
        except InputError as error:
            self.refused.append(error)
            return 400, {"error": {"message": str(error), "type": "invalid_request_error"}}
        sleep(max(0.0, self.seconds - (perf_counter() - started)))
        return 200, completion

    def _completion(self, body: Mapping[str, Any]) -> dict[str, Any]:
        if not body.get("tools"):
            raise InputError("a request names no function to call", hint="this server knows function calling only")
        function = body["tools"][0]["function"]["name"]
        prompt = next(each["content"] for each in body["messages"] if each["role"] == "user")
        called = {"name": function, "arguments": self.reply(function, prompt)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": called}],
        }
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        return {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}


@contextmanager
def serving(reply: Replying, seconds: float) -> Iterator[Chat]:
    """Serve a model on a free port until the block ends; ``address`` is its base URL, reached without a proxy."""
    chat = Chat(reply, seconds)
    with _Listening((HOST, 0), _Exchange) as http, _directly():
        http.chat = chat
        chat.address = f"http://{HOST}:{http.server_address[1]}/v1"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, name="benchmark-model")
        thread.start()
        try:
            yield chat
        finally:
            http.shutdown()
            thread.join()


class _Listening(ThreadingHTTPServer):
    request_queue_size = 128
    chat: Chat

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
        body = json.loads(read)
        status, answer = self.server.chat.answer(body)
        sent = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        """Log nothing, as the ledger records all calls."""


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
