"""A real HTTP server on this machine that speaks the OpenAI protocol and answers as scripted, well and badly."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}


@dataclass(frozen=True)
class Asked:
    """A request that came in: the path, the headers in lower case, the body's JSON (None where there is none)."""

    method: str
    path: str
    headers: Mapping[str, str]
    json: Any

    @property
    def texts(self) -> list[tuple[str, str]]:
        """The messages of a chat: role and content."""
        return [(each["role"], each["content"]) for each in self.json["messages"]]


@dataclass(frozen=True)
class Reply:
    """What is answered, ``delay`` seconds late; ``size`` is the length that it claims; ``drop``: hang up instead.

    ``pace`` is the time in seconds between two bytes of the body, with ``slow_headers`` of the headers too.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    size: int | None = None
    drop: bool = False
    reason: str | None = None
    pace: float = 0.0
    slow_headers: bool = False


Script = Callable[[Asked], Reply] | Sequence[Reply]
"""What is answered to a chat completion: a function of the request, or the replies in order, the last for ever."""


@dataclass
class Server:
    """Where it listens (``url``; ``base_url`` with /v1), and the chat completions asked of it, in order."""

    url: str
    script: Script
    models: Sequence[str]
    refusing: Mapping[str, str]
    everywhere: bool = False
    requests: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def answer(self, asked: Asked) -> Reply:
        """What it says to a request."""
        place = asked.path.partition("?")[0]
        if self.everywhere:
            place = "/chat/completions"
        if place.endswith("/models"):
            return of({"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]})
        if not place.endswith("/chat/completions"):
            return refused(404, f"Unknown request URL: {asked.path}")
        with self.lock:
            self.requests.append(asked)
            number = len(self.requests)
        for part, words in self.refusing.items():
            if asked.json and part in asked.json:
                return refused(400, words)
        if callable(self.script):
            return self.script(asked)
        return self.script[min(number, len(self.script)) - 1]


def of(value: object, status: int = 200, **headers: str) -> Reply:
    """JSON; ``retry_after_ms="5"`` is the header retry-after-ms."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(json.dumps(value).encode(), status, {"Content-Type": "application/json", **named})


def message(finish: str = "stop", usage: object = USAGE, **said: object) -> Reply:
    """A chat completion whose message says this."""
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **said}, "finish_reason": finish}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice]}
    return of(body | ({"usage": usage} if usage else {}))


def call(arguments: object, name: str = "answer", finish: str = "tool_calls", usage: object = USAGE) -> Reply:
    """A call of the function ``name``; ``arguments`` are JSON's values, or text, which goes out as it is."""
    return calls((name, arguments), finish=finish, usage=usage)


def calls(*made: tuple[str, object], finish: str = "tool_calls", usage: object = USAGE) -> Reply:
    """Several calls at once: names and arguments."""
    tools = [
        {"id": f"call_{i}", "type": "function", "function": {"name": name, "arguments": _text(arguments)}}
        for i, (name, arguments) in enumerate(made)
    ]
    return message(finish, usage, tool_calls=tools)


def content(text: str | None, finish: str = "stop", usage: object = USAGE) -> Reply:
    """Text instead of a call."""
    return message(finish, usage, content=text)


def declined(words: str) -> Reply:
    """The model refuses to answer."""
    return message(refusal=words)


def refused(status: int, words: str, *, code: str | None = None, param: str | None = None, **headers: str) -> Reply:
    """An error as OpenAI words it; ``headers`` as of `of`."""
    return of(
        {"error": {"message": words, "type": "invalid_request_error", "param": param, "code": code}}, status, **headers
    )


def dropped() -> Reply:
    """No answer: the connection is closed."""
    return Reply(drop=True)


def late(reply: Reply, seconds: float) -> Reply:
    """The same, after a while."""
    return replace(reply, delay=seconds)


@contextmanager
def serving(
    script: Script,
    *,
    models: Sequence[str] = ("tiny",),
    refusing: Mapping[str, str] | None = None,
    everywhere: bool = False,
) -> Iterator[Server]:
    """Serve ``script`` at /v1/chat/completions and the names of ``models`` at /v1/models, until the block ends.

    A chat completion whose body has a member that ``refusing`` names is answered with 400 and these words; it is among
    the requests all the same. ``everywhere``: the script answers at every path.
    """
    with _Listening(("127.0.0.1", 0), _Handler) as http:
        server = Server(f"http://127.0.0.1:{http.server_address[1]}", script, models, refusing or {}, everywhere)
        http.scripted = server
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            http.shutdown()
            thread.join()


class _Listening(ThreadingHTTPServer):
    scripted: Server


class _Handler(BaseHTTPRequestHandler):
    def respond(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        assert isinstance(self.server, _Listening)
        server = self.server.scripted
        reply = server.answer(Asked(self.command, self.path, headers, json.loads(body) if body else None))
        if reply.delay:
            server.ended.wait(reply.delay)
        if reply.drop:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        with suppress(ConnectionError):  # who has waited too long may be gone
            self.send(reply)

    do_GET = do_POST = respond  # noqa: N815 - http.server's names

    def send(self, reply: Reply) -> None:
        if reply.pace and reply.slow_headers:
            self.slow_down(reply.pace)
        self.send_response(reply.status, reply.reason)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body) if reply.size is None else reply.size))
        self.end_headers()
        if reply.pace and not reply.slow_headers:
            self.slow_down(reply.pace)
        self.wfile.write(reply.body)

    def slow_down(self, pace: float) -> None:
        assert isinstance(self.server, _Listening)
        write, ended = self.wfile.write, self.server.scripted.ended

        def slowly(data: Any) -> int:
            for byte in bytes(data):
                if not ended.wait(pace):
                    write(bytes([byte]))
            return len(data)

        self.wfile.write = slowly  # type: ignore[method-assign]

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        pass


def _text(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)
