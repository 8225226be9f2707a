"""HTTP to a model's server, with a deadline for each request and a limit on the size of the response.

Redirects are not followed, and secrets of the request are removed from responses, errors and logs.
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
"""The key that is sent to a server that needs none."""

_TOO_LARGE = "mem0g_too_large"
_CHUNK = 65_536


class Server:
    """An OpenAI-compatible server: its address, and the secrets that requests to it carry.

    ``url`` may have a user and password, and a query that is added to every request; ``address`` is without them.
    Raises InputError if the URL is invalid.
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
        """The proxy for this server that the environment variables name."""
        from urllib.request import getproxies, proxy_bypass  # takes 20 ms, needed by the first request only

        if proxy_bypass(self._parts.hostname or ""):
            return None
        known = getproxies()
        url = known.get(self._parts.scheme) or known.get("all")
        return urlsplit(url if "://" in url else f"http://{url}") if url else None

    def client(self, *, timeout: float, retries: int, max_bytes: int) -> OpenAI:
        """Return a client of the server that does not follow redirects.

        ``timeout``: seconds for each of the 1 + ``retries`` attempts, from the beginning of the request to the end of
        the response. A response of more than ``max_bytes`` bytes, decompressed, has no body; see `is_too_large`.
        """
        from openai import OpenAI

        http = _library()
        client = http.Client(transport=_Transport(self, max_bytes), timeout=timeout, trust_env=False)
        # the transport adds the secrets, so that errors and logs of the library cannot contain them
        return OpenAI(base_url=self.address, api_key=NO_KEY, timeout=timeout, max_retries=retries, http_client=client)

    def target(self, raw_path: bytes) -> bytes:
        """Return the path of a request with the query of the server's URL."""
        query = self._parts.query.encode()
        return raw_path + (b"&" if b"?" in raw_path else b"?") + query if query else raw_path

    def headers(self, raw: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return the headers of a request with the authorization."""
        ours = {b"accept-encoding": b"gzip, deflate"}
        if self._authorization:
            ours[b"authorization"] = self._authorization.encode()
        return [each for each in raw if each[0].lower() not in ours] + list(ours.items())

    def pool(self) -> Any:
        """Return a pool of connections to the server, or to its proxy, that observe the deadline of a request."""
        core = _core()
        given: dict[str, Any] = {
            # Reading the certificates takes 20 ms, which a server in the local network is spared.
            "ssl_context": _library().create_ssl_context() if self._parts.scheme == "https" else None,
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
    """Return URL and key, by default those of OPENAI_BASE_URL and OPENAI_API_KEY; None and "" if not set."""
    return url or os.environ.get(ADDRESS_VARIABLE) or None, (key or os.environ.get(KEY_VARIABLE) or "").strip()


def address_of(url: str) -> str:
    """Return the URL of a server without its secrets. Raises InputError if it is invalid."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # invalid port
        good = False
    if not good or any(character.isspace() or not character.isprintable() for character in url):
        raise InputError(
            f"{shown_address(url)!r} is not the address of a server", hint="write it like http://localhost:8000/v1"
        )
    return shown_address(url).rstrip("/")


def is_too_large(response: Any) -> bool:
    """Whether a response was larger than the client's limit."""
    return _TOO_LARGE in response.extensions


def redirected_to(response: Any) -> str:
    """Return the address that a response redirects to, without secrets; "" if it is not a redirect."""
    return shown_address(response.headers.get("location", "")) if 300 <= response.status_code < 400 else ""


class _Transport:
    """The transport of the HTTP client: enforces the limits, and adds and removes the secrets of one server."""

    def __init__(self, server: Server, max_bytes: int) -> None:
        self._server = server
        self._max_bytes = max_bytes
        self._pool = server.pool()

    def handle_request(self, request: Any) -> Any:
        """Send a request and return the response, fully read. Raises the HTTP library's RequestError."""
        core, http, timeouts = _core(), _library(), request.extensions.get("timeout", {})
        url = core.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=self._server.target(request.url.raw_path),
        )
        try:
            with (
                _current_request(timeouts.get("read"), self._server.redactor),
                self._pool.stream(
                    request.method,
                    url,
                    headers=self._server.headers(request.headers.raw),
                    content=request.read(),
                    extensions={"timeout": timeouts},
                ) as answer,
            ):
                body = _body(answer, self._max_bytes)
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
        """Return the HTTP library's error for an error of the connection, without secrets."""
        kind = getattr(_library(), type(error).__name__, _library().TransportError)
        translated: Exception = kind(self._server.redactor.text(str(error)), request=request)
        return translated

    def _response(self, answer: Any, body: bytes | None, request: Any) -> Any:
        """Return the HTTP library's response, without secrets that the server echoes."""
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


def _body(answer: Any, max_bytes: int) -> bytes | None:
    """Return the body of a response, decompressed; None if it has more than ``max_bytes`` bytes."""
    encoding = {name.lower(): value for name, value in answer.headers}.get(b"content-encoding", b"").lower()
    parts, size = [], 0
    for part in _decoded(answer.iter_stream(), encoding, max_bytes):
        size += len(part)
        if size > max_bytes:
            return None
        parts.append(part)
    return b"".join(parts)


def _decoded(chunks: Iterable[bytes], encoding: bytes, max_bytes: int) -> Iterator[bytes]:
    """Yield the decompressed chunks of a body, each of about ``max_bytes`` bytes at most."""
    if encoding not in (b"gzip", b"x-gzip", b"deflate"):
        yield from chunks
        return
    unpacking = zlib.decompressobj(wbits=47)  # gzip and zlib
    for chunk in chunks:
        yield unpacking.decompress(chunk, max_bytes + 1)
        while unpacking.unconsumed_tail:
            yield unpacking.decompress(unpacking.unconsumed_tail, max_bytes + 1)
    yield unpacking.flush(_CHUNK)


class _CurrentRequest(threading.local):
    """The request of the current thread: its deadline, by the monotonic clock, and the redactor of its secrets."""

    deadline: float | None = None
    redactor: Redactor = Redactor()


_request = _CurrentRequest()


@contextmanager
def _current_request(seconds: float | None, redactor: Redactor) -> Iterator[None]:
    _request.deadline = None if seconds is None else monotonic() + seconds
    _request.redactor = redactor
    try:
        yield
    finally:
        del _request.deadline, _request.redactor


def _without_secrets(record: logging.LogRecord) -> bool:
    """Remove secrets from a log record, such as headers that a server echoed; always True."""
    record.msg, record.args = _request.redactor.text(record.getMessage()), ()
    return True


class _Backend:
    """A network backend of the HTTP library whose waits end at the request's deadline."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._inner = core.SyncBackend()

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, **given: Any) -> _Stream:
        """Return a new connection."""
        left = _remaining(timeout, self._core.ConnectTimeout)
        return _Stream(self._inner.connect_tcp(host, port, timeout=left, **given), self._core)

    def sleep(self, seconds: float) -> None:
        """Wait between two attempts to connect."""
        self._inner.sleep(seconds)


class _Stream:
    """A connection whose waits end at the request's deadline."""

    def __init__(self, inner: Any, core: Any) -> None:
        self._inner = inner
        self._core = core

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return the bytes received, at most ``max_bytes``."""
        found: bytes = self._inner.read(max_bytes, timeout=_remaining(timeout, self._core.ReadTimeout))
        return found

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send the buffer in chunks."""
        for start in range(0, len(buffer), _CHUNK):
            left = _remaining(timeout, self._core.WriteTimeout)
            self._inner.write(buffer[start : start + _CHUNK], timeout=left)

    def start_tls(self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> _Stream:
        """Return the connection with TLS."""
        left = _remaining(timeout, self._core.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout=left), self._core)

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:
        """Return a property of the connection."""
        return self._inner.get_extra_info(info)


def _remaining(timeout: float | None, error: Callable[[str], Exception]) -> float | None:
    """Return the seconds that a step may take. Raises ``error`` after the deadline."""
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
    """The library beneath it: httpcore, or httpcore2."""
    return importlib.import_module(_library().__name__.replace("httpx", "httpcore"))
