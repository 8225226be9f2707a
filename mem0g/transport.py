"""HTTP to the server of a model, with bounds: on the time of a whole request, on the size of the answer, on where the
request goes, and on what may come back of the secrets that it carries.
"""

from __future__ import annotations

import importlib
import logging
import os
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from mem0g.errors import InputError
from mem0g.text.redaction import Redactor, basic, shown_address

if TYPE_CHECKING:
    from openai import OpenAI

KEY_VARIABLE = "OPENAI_API_KEY"
ADDRESS_VARIABLE = "OPENAI_BASE_URL"
OPENAI = "https://api.openai.com/v1"

NO_KEY = "none"
"""What a server that needs no key is sent."""

_TOO_LARGE = "mem0g_too_large"
_AT_ONCE = 65_536


class Server:
    """The address of a server that speaks the OpenAI protocol, and the secrets with which it is asked.

    ``url`` may hold user and password, and a query that every request has; ``address`` is without them. Raises
    InputError for a URL that is none.
    """

    def __init__(self, url: str, key: str = "") -> None:
        self.address = address_of(url)
        self._parts = parts = urlsplit(url)
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        self._authorization = f"Basic {basic(user, password)}" if parts.username or parts.password else ""
        if key and not self._authorization:
            self._authorization = f"Bearer {key}"
        values = [part.partition("=")[2] for part in parts.query.split("&")]
        proxy = self._proxy
        secrets = [key if key != NO_KEY else None, parts.password, parts.query, *values, proxy and proxy.password]
        if parts.username or parts.password:
            secrets += [parts.netloc.rpartition("@")[0], basic(user, password)]
        if proxy and proxy.password:
            secrets.append(basic(unquote(proxy.username or ""), unquote(proxy.password)))
        self.redactor = Redactor(secrets)

    @property
    def _proxy(self) -> SplitResult | None:
        """The proxy that the environment names for this server."""
        from urllib.request import getproxies, proxy_bypass  # 20 ms that only a first request needs

        if proxy_bypass(self._parts.hostname or ""):
            return None
        known = getproxies()
        url = known.get(self._parts.scheme) or known.get("all")
        return urlsplit(url if "://" in url else f"http://{url}") if url else None

    def client(self, *, timeout: float, retries: int, most: int) -> OpenAI:
        """A client of the server that follows no redirect.

        ``timeout``: seconds for each of the 1 + ``retries`` times that a request is sent, from its beginning to the
        end of the answer. Of an answer of more than ``most`` bytes, decompressed, ``is_too_large`` is true, and it has
        no body.
        """
        from openai import OpenAI

        http = _library()
        client = http.Client(transport=_Transport(self, most), timeout=timeout, trust_env=False)
        # the library is given no secret: the transport adds them, so that no error and no log of it can hold one
        return OpenAI(base_url=self.address, api_key=NO_KEY, timeout=timeout, max_retries=retries, http_client=client)

    def target(self, raw_path: bytes) -> bytes:
        """The path of a request with the query of the server's URL."""
        query = self._parts.query.encode()
        return raw_path + (b"&" if b"?" in raw_path else b"?") + query if query else raw_path

    def headers(self, raw: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """The headers of a request with who asks."""
        ours = {b"accept-encoding": b"gzip, deflate"}
        if self._authorization:
            ours[b"authorization"] = self._authorization.encode()
        return [each for each in raw if each[0].lower() not in ours] + list(ours.items())

    def pool(self) -> Any:
        """Connections to the server, or to the proxy that leads to it, that keep to the deadline of a request."""
        core, context = _core(), _library().create_ssl_context()
        given: dict[str, Any] = {
            "ssl_context": context,
            "network_backend": _Backend(core),
            "max_connections": 100,
            "keepalive_expiry": 5.0,
        }
        for part in ("http11", "proxy"):
            logging.getLogger(f"{core.__name__}.{part}").addFilter(_without_secrets)
        proxy = self._proxy
        if proxy is None:
            return core.ConnectionPool(**given)
        if proxy.username or proxy.password:
            given["proxy_auth"] = (unquote(proxy.username or "").encode(), unquote(proxy.password or "").encode())
        url = urlunsplit((proxy.scheme, proxy.netloc.rpartition("@")[2], "/", "", ""))
        return (core.SOCKSProxy if proxy.scheme.startswith("socks") else core.HTTPProxy)(proxy_url=url, **given)


def given_server(url: str | None, key: str | None) -> tuple[str | None, str]:
    """URL and key as given, else as OPENAI_BASE_URL and OPENAI_API_KEY say; None and "" where neither does."""
    return url or os.environ.get(ADDRESS_VARIABLE) or None, (key or os.environ.get(KEY_VARIABLE) or "").strip()


def address_of(url: str) -> str:
    """The URL of a server without what is secret in it. Raises InputError when it is none."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # the port is none
        good = False
    if not good or any(character.isspace() or not character.isprintable() for character in url):
        raise InputError(
            f"{shown_address(url)!r} is no server's address", hint="write it like http://localhost:8000/v1"
        )
    return shown_address(url).rstrip("/")


def is_too_large(response: Any) -> bool:
    """Whether an answer was larger than the client takes."""
    return _TOO_LARGE in response.extensions


def redirected_to(response: Any) -> str:
    """Where an answer sends the request, as it may be shown; "" when it is no redirect."""
    return shown_address(response.headers.get("location", "")) if 300 <= response.status_code < 400 else ""


class _Transport:
    """What the HTTP library sends requests with: bounded, and with the secrets of one server."""

    def __init__(self, server: Server, most: int) -> None:
        self._server = server
        self._most = most
        self._pool = server.pool()

    def handle_request(self, request: Any) -> Any:
        """The answer to a request, read to its end. Raises the HTTP library's RequestError."""
        core, http, timeouts = _core(), _library(), request.extensions.get("timeout", {})
        url = core.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=self._server.target(request.url.raw_path),
        )
        try:
            with (
                _in_hand(timeouts.get("read"), self._server.redactor),
                self._pool.stream(
                    request.method,
                    url,
                    headers=self._server.headers(request.headers.raw),
                    content=request.read(),
                    extensions={"timeout": timeouts},
                ) as answer,
            ):
                body = _body(answer, self._most)
        except zlib.error as error:
            raise http.DecodingError(f"the answer cannot be decompressed: {error}", request=request) from None
        except (core.TimeoutException, core.NetworkError, core.ProtocolError, core.ProxyError) as error:
            raise self._translated(error, request) from None
        return self._response(answer, body, request)

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()

    def __enter__(self) -> _Transport:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _translated(self, error: Exception, request: Any) -> Exception:
        """An error of the connection as the HTTP library's error of that name, without secrets."""
        kind = getattr(_library(), type(error).__name__, _library().TransportError)
        translated: Exception = kind(self._server.redactor.text(str(error)), request=request)
        return translated

    def _response(self, answer: Any, body: bytes | None, request: Any) -> Any:
        """The answer without what the server echoes of the secrets."""
        redactor = self._server.redactor
        written = (body or b"").decode("utf-8", "surrogateescape")
        clean = redactor.reply(written) if answer.status < 300 else redactor.text(written)
        dropped = {b"content-encoding", b"content-length", b"transfer-encoding"}
        headers = [
            (name, redactor.text(value.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"))
            for name, value in answer.headers
            if name.lower() not in dropped
        ]
        return _library().Response(
            answer.status,
            headers=headers,
            content=clean.encode("utf-8", "surrogateescape"),
            extensions={"http_version": b"HTTP/1.1"} | ({_TOO_LARGE: True} if body is None else {}),
            request=request,
        )


def _body(answer: Any, most: int) -> bytes | None:
    """The body of an answer, decompressed; None when it has more than ``most`` bytes."""
    encoding = {name.lower(): value for name, value in answer.headers}.get(b"content-encoding", b"").lower()
    parts, size = [], 0
    for part in _decoded(answer.iter_stream(), encoding, most):
        size += len(part)
        if size > most:
            return None
        parts.append(part)
    return b"".join(parts)


def _decoded(chunks: Iterable[bytes], encoding: bytes, most: int) -> Iterator[bytes]:
    """The bytes of a body, never many more than ``most`` at once."""
    if encoding not in (b"gzip", b"x-gzip", b"deflate"):
        yield from chunks
        return
    unpacking = zlib.decompressobj(wbits=47)  # gzip and zlib
    for chunk in chunks:
        yield unpacking.decompress(chunk, most + 1)
        while unpacking.unconsumed_tail:
            yield unpacking.decompress(unpacking.unconsumed_tail, most + 1)
    yield unpacking.flush(_AT_ONCE)


class _InHand(threading.local):
    """The request that the thread has in hand: when its answer must be there, by the monotonic clock, and who removes
    its secrets.
    """

    deadline: float | None = None
    redactor: Redactor = Redactor()


_request = _InHand()


@contextmanager
def _in_hand(seconds: float | None, redactor: Redactor) -> Iterator[None]:
    _request.deadline = None if seconds is None else monotonic() + seconds
    _request.redactor = redactor
    try:
        yield
    finally:
        del _request.deadline, _request.redactor


def _without_secrets(record: logging.LogRecord) -> bool:
    """Remove from a line of the log what a server echoed in its headers."""
    record.msg, record.args = _request.redactor.text(record.getMessage()), ()
    return True


class _Backend:
    """The network as the HTTP library uses it, where every wait ends with the request's deadline."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._inner = core.SyncBackend()

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, **given: Any) -> _Stream:
        """Connect."""
        left = _left(timeout, self._core.ConnectTimeout)
        return _Stream(self._inner.connect_tcp(host, port, timeout=left, **given), self._core)

    def sleep(self, seconds: float) -> None:
        """Wait between two attempts to connect."""
        self._inner.sleep(seconds)


class _Stream:
    """A connection where every wait ends with the request's deadline."""

    def __init__(self, inner: Any, core: Any) -> None:
        self._inner = inner
        self._core = core

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read what has come."""
        found: bytes = self._inner.read(max_bytes, timeout=_left(timeout, self._core.ReadTimeout))
        return found

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send, in parts."""
        for start in range(0, len(buffer), _AT_ONCE):
            left = _left(timeout, self._core.WriteTimeout)
            self._inner.write(buffer[start : start + _AT_ONCE], timeout=left)

    def start_tls(self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> _Stream:
        """Encrypt from here on."""
        left = _left(timeout, self._core.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout=left), self._core)

    def close(self) -> None:
        """Close it."""
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:
        """What is known of the connection."""
        return self._inner.get_extra_info(info)


def _left(timeout: float | None, error: Callable[[str], Exception]) -> float | None:
    """The seconds that a step may take. Raises ``error`` when the deadline is over."""
    if _request.deadline is None:
        return timeout
    left = _request.deadline - monotonic()
    if left <= 0:
        raise error("the answer took too long")
    return left if timeout is None else min(left, timeout)


def _library() -> Any:
    """The HTTP library that the openai library uses: httpx, or httpx2 in its later versions."""
    from openai import DefaultHttpxClient

    bases: Sequence[type] = DefaultHttpxClient.__mro__
    names = (each.__module__.partition(".")[0] for each in bases)
    return importlib.import_module(next(name for name in names if name.startswith("httpx")))


def _core() -> Any:
    """What that library stands on: httpcore, or httpcore2."""
    return importlib.import_module(_library().__name__.replace("httpx", "httpcore"))
