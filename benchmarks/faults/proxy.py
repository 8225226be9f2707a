"""A proxy between a driver and a server that can break connections, for benchmarks and tests."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(slots=True, eq=False)
class Connection:
    """Both ends of a connection; ``broken`` once a relay has ended it in its own way."""

    driver: socket.socket
    server: socket.socket
    broken: bool = False

    def send(self, data: bytes, *, to_server: bool) -> None:
        """Forward data."""
        (self.server if to_server else self.driver).sendall(data)


Relay = Callable[[Connection, bytes, bool], bool]
"""Forwards data of a connection with ``Connection.send``, to the server if the flag is set, else to the driver.

Returns whether the connection stays open.
"""


class Proxy:
    """Forwards bytes between drivers and a server, with one thread for each direction of each connection.

    ``relay`` is called once per connection and returns the function that forwards its data. A ``port`` of 0 is any
    free one.
    """

    def __init__(self, uri: str, relay: Callable[[], Relay], port: int = 0) -> None:
        parts = urlsplit(uri)
        self._server = (parts.hostname or "127.0.0.1", parts.port or 7687)
        self._relay = relay
        self._listening = socket.create_server(("127.0.0.1", port))
        self._open: list[socket.socket] = [self._listening]
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    @property
    def uri(self) -> str:
        """The address for drivers to connect to."""
        return f"bolt://127.0.0.1:{self._listening.getsockname()[1]}"

    def close(self) -> None:
        """Close all connections, and wait for the threads."""
        for each in self._open:
            shut(each)
            each.close()
        for thread in self._threads:
            thread.join()

    def _start(self, target: Callable[..., None], *given: Any) -> None:
        thread = threading.Thread(target=target, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                driver, _ = self._listening.accept()
                connection, relay = Connection(driver, socket.create_connection(self._server)), self._relay()
                self._open += [connection.driver, connection.server]
                for to_server in (True, False):
                    self._start(_forward, connection, relay, to_server)


def _forward(connection: Connection, relay: Relay, to_server: bool) -> None:
    sender = connection.driver if to_server else connection.server
    with suppress(OSError):
        while (data := sender.recv(65536)) and relay(connection, data, to_server):
            pass
    if not connection.broken:
        shut(connection.driver, connection.server)


def shut(*sockets: socket.socket) -> None:
    """Shut sockets down in both directions; already closed ones are ignored."""
    for each in sockets:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy(uri: str, relay: Callable[[], Relay]) -> Iterator[Proxy]:
    """Open a proxy to the server at ``uri``; it is closed afterwards."""
    opened = Proxy(uri, relay)
    try:
        yield opened
    finally:
        opened.close()
