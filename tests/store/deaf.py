"""A line to a server on which the answer to a commit is lost, as when a network fails at the wrong moment."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

COMMIT = b"\x00\x02\xb0\x12\x00\x00"
"""Bolt's message COMMIT: its length, a structure without fields of signature 0x12, the end of the message."""


class Line:
    """Forwards bytes between a driver and a server, one thread for each direction of each connection."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._losing = threading.Event()
        self._open: list[socket.socket] = [self._listening]
        self.lost = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def uri(self) -> str:
        """Where a driver connects."""
        return f"bolt://127.0.0.1:{self._listening.getsockname()[1]}"

    def lose_the_answer_to_a_commit(self) -> None:
        """The next commit reaches the server; when its answer is on the way, the connection breaks."""
        self._losing.set()

    def close(self) -> None:
        """Cut everything."""
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                driver, _ = self._listening.accept()
                server = socket.create_connection(self._server)
                self._open += [driver, server]
                committing = threading.Event()
                for one, other, ask in ((driver, server, True), (server, driver, False)):
                    threading.Thread(target=self._forward, args=(one, other, committing, ask), daemon=True).start()

    def _forward(self, one: socket.socket, other: socket.socket, committing: threading.Event, ask: bool) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if ask and self._losing.is_set() and data.endswith(COMMIT):
                    self._losing.clear()
                    committing.set()
                if not ask and committing.is_set():
                    self.lost += 1
                    break
                other.sendall(data)
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def deaf(uri: str) -> Iterator[Line]:
    """A line to the server at ``uri``."""
    parts = urlsplit(uri)
    line = Line(parts.hostname or "127.0.0.1", parts.port or 7687)
    yield line
    line.close()
