"""Faults other than a killed writer: a disk that is full, connections that are cut, a server that is killed."""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol
from urllib.parse import urlsplit

from benchmarks.faults import work
from benchmarks.faults.children import Child, Journal, watch
from benchmarks.faults.rounds import Rounds, Tally

DISK = 4 << 20
"""Bytes of the small disk."""

SILENCE = 0.5
"""Seconds that a connection which is half open says nothing before it is closed."""


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A disk of 4 MB in ``folder``; None where this user may not mount one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "mem0g-faults", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0  # noqa: S603 - fixed arguments
    except FileNotFoundError:
        mounted = False
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], capture_output=True, check=True)  # noqa: S603, S607 - as above


class FullDisk(Rounds):
    """The place is on a small disk that a ballast fills but for a few bytes; a kill is a writer that found it full."""

    def _work(self, tally: Tally, kept: Journal, seconds: float | None) -> tuple[int, bool]:
        assert self.ground.place.file is not None
        ballast = self.ground.place.file.with_name("ballast")
        if seconds is not None:
            free = shutil.disk_usage(ballast.parent).free
            ballast.write_bytes(bytes(max(0, free - self.random.randrange(0, 900_000))))
        children = self._children()
        watch(children, kept, [None] * len(children))
        ballast.unlink(missing_ok=True)
        return _stopped(children, tally)


class SizeLimit(Rounds):
    """No file may grow beyond a limit, which the system keeps; a kill is a writer that reached it."""

    def _work(self, tally: Tally, kept: Journal, seconds: float | None) -> tuple[int, bool]:
        if seconds is None:
            return super()._work(tally, kept, None)
        limit = self.random.randrange(4096, 700_000)
        children = [Child(work.ingest_within, self.ground.place, work.SAID, limit)]
        watch(children, kept, [None])
        return _stopped(children, tally)


def _stopped(children: list[Child], tally: Tally) -> tuple[int, bool]:
    """How many gave up with an error of mem0g, and whether all came to their end."""
    tally.errors += len([child for child in children if child.error])
    tally.found += [child.error for child in children if child.error]
    refused = len([child for child in children if child.refused])
    return refused, all(child.done for child in children)


class CutConnections(Rounds):
    """The writer reaches the server through a line that is cut after so many bytes; a kill is a cut."""

    def _work(self, tally: Tally, kept: Journal, seconds: float | None) -> tuple[int, bool]:
        if seconds is None:
            return super()._work(tally, kept, None)
        place = self.ground.place
        with cut_line(place.address, self.random) as line:
            self.ground.place = place.elsewhere(line.uri)
            try:
                children = self._children()
            finally:
                self.ground.place = place
            watch(children, kept, [None] * len(children))
        return line.cuts, _stopped(children, tally)[1]


class KilledServer(Rounds):
    """The server is killed at a random moment and started again while the writer goes on; a kill is the server's."""

    server: Restarted

    def _work(self, tally: Tally, kept: Journal, seconds: float | None) -> tuple[int, bool]:
        if seconds is None:
            return super()._work(tally, kept, None)
        moment = threading.Timer(self.random.uniform(0, seconds), self._strike)
        children = self._children()
        moment.start()
        watch(children, kept, [None] * len(children))
        moment.join()
        return 1, _stopped(children, tally)[1]

    def _strike(self) -> None:
        self.server.kill()
        self.server.restart()


class Restarted(Protocol):
    """A server that can be killed and started again."""

    @property
    def uri(self) -> str:
        """Its address."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...

    def restart(self) -> None:
        """Start it again, on the same port and data."""
        ...


@contextmanager
def own_server(folder: Path) -> Iterator[Restarted]:
    """A Neo4j of one's own, started as `make neo4j` does. Raises InputError where the checkout has no tests."""
    from mem0g.errors import InputError

    try:
        from tests.servers.errors import NoServerError
        from tests.servers.local import LocalServer, short_lived
        from tests.servers.release import NEWEST
    except ImportError as error:
        raise InputError("the servers of tests/ are not here", hint="run it in a checkout, or give a URI") from error
    try:
        server = LocalServer.start(folder / "neo4j", NEWEST, password=None, java_options=short_lived(NEWEST))
    except NoServerError as error:
        raise InputError(str(error), hint=error.hint) from error
    with server:
        yield server


@dataclass(slots=True)
class _Budget:
    """What is left of a connection: bytes that still go ``way`` (True: to the server)."""

    way: bool
    left: int
    manner: str
    cut: bool = False


class Line:
    """Forwards bytes between a driver and a server, a thread for each direction, and cuts connections at random."""

    def __init__(self, host: str, port: int, random: Random) -> None:
        self._server = (host, port)
        self._random = random
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listening]
        self._threads: list[threading.Thread] = []
        self.cuts = 0
        self._start(self._accept)

    @property
    def uri(self) -> str:
        """Where a driver connects."""
        return f"bolt://127.0.0.1:{self._listening.getsockname()[1]}"

    def close(self) -> None:
        """End all connections."""
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self._threads:
            thread.join()

    def _start(self, target: object, *given: object) -> None:
        thread = threading.Thread(target=target, args=given, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                driver, _ = self._listening.accept()
                server = socket.create_connection(self._server)
                self._open += [driver, server]
                budget = self._budget()
                self._start(self._forward, driver, server, True, budget)
                self._start(self._forward, server, driver, False, budget)

    def _budget(self) -> _Budget:
        """After how many bytes of which direction a connection is cut, and how: few bytes as often as many."""
        manner = self._random.choice(("closed", "reset", "half open"))
        return _Budget(self._random.random() < 0.5, int(100 * 2 ** self._random.uniform(0, 10)), manner)

    def _forward(self, one: socket.socket, other: socket.socket, way: bool, budget: _Budget) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if way == budget.way:
                    budget.left -= len(data)
                    if budget.left < 0:
                        other.sendall(data[: budget.left])
                        self._cut(*((one, other) if way else (other, one)), budget)
                        return
                other.sendall(data)
        if not budget.cut:
            _shut(one, other)

    def _cut(self, driver: socket.socket, server: socket.socket, budget: _Budget) -> None:
        budget.cut = True
        self.cuts += 1
        if budget.manner == "half open":  # the server has gone, which the driver is not told for a while
            _shut(server)
            threading.Event().wait(SILENCE)
        for each in (driver, server):
            if budget.manner == "reset":
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RD)
                each.close()
        _shut(driver, server)


def _shut(*sockets: socket.socket) -> None:
    for each in sockets:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


@contextmanager
def cut_line(uri: str, random: Random) -> Iterator[Line]:
    """A line to the server at ``uri`` that is cut again and again."""
    parts = urlsplit(uri)
    line = Line(parts.hostname or "127.0.0.1", parts.port or 7687, random)
    try:
        yield line
    finally:
        line.close()
