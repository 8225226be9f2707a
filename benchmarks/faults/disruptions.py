"""Faults other than killed writers: a full disk, cut connections, a killed server."""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Protocol

from benchmarks.faults import writers
from benchmarks.faults.children import Child, Journal, watch
from benchmarks.faults.proxy import Connection, Relay, proxy, shut
from benchmarks.faults.rounds import Rounds, Tally

DISK = 4 << 20
"""Size of the small disk in bytes."""

SILENCE = 0.5
"""Seconds for which a half-open connection stays silent before it is closed."""


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a disk of 4 MB in ``folder``; None if this user may not mount one."""
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
    """Writes to a small disk that is nearly full; a kill is a writer that ran out of space."""

    def _run_writers(self, tally: Tally, log: Journal, seconds: float | None) -> tuple[int, bool]:
        assert self.ground.place.file is not None
        ballast = self.ground.place.file.with_name("ballast")
        if seconds is not None:
            free = shutil.disk_usage(ballast.parent).free
            ballast.write_bytes(bytes(max(0, free - self.random.randrange(0, 900_000))))
        children = self._children()
        watch(children, log, [None] * len(children))
        ballast.unlink(missing_ok=True)
        return _stopped(children, tally)


class SizeLimit(Rounds):
    """Writes under the system's limit on file sizes; a kill is a writer that reached it."""

    def _run_writers(self, tally: Tally, log: Journal, seconds: float | None) -> tuple[int, bool]:
        if seconds is None:
            return super()._run_writers(tally, log, None)
        limit = self.random.randrange(4096, 700_000)
        children = [Child(writers.ingest_within, self.ground.place, writers.MESSAGE_COUNT, limit)]
        watch(children, log, [None])
        return _stopped(children, tally)


def _stopped(children: list[Child], tally: Tally) -> tuple[int, bool]:
    """Return how many gave up with an error of mem0g, and whether all finished."""
    tally.errors += len([child for child in children if child.error])
    tally.found += [child.error for child in children if child.error]
    refused = len([child for child in children if child.refused])
    return refused, all(child.done for child in children)


class CutConnections(Rounds):
    """Connects the writer through a proxy that cuts connections; a kill is a cut."""

    def _run_writers(self, tally: Tally, log: Journal, seconds: float | None) -> tuple[int, bool]:
        if seconds is None:
            return super()._run_writers(tally, log, None)
        place = self.ground.place
        cuts = Cuts(self.random)
        with proxy(place.address, cuts) as line:
            self.ground.place = place.elsewhere(line.uri)
            try:
                children = self._children()
            finally:
                self.ground.place = place
            watch(children, log, [None] * len(children))
        return cuts.count, _stopped(children, tally)[1]


class KilledServer(Rounds):
    """Kills the server at a random moment and restarts it while the writer continues; a kill is the server's."""

    server: Restarted

    def _run_writers(self, tally: Tally, log: Journal, seconds: float | None) -> tuple[int, bool]:
        if seconds is None:
            return super()._run_writers(tally, log, None)
        moment = threading.Timer(self.random.uniform(0, seconds), self._strike)
        children = self._children()
        moment.start()
        watch(children, log, [None] * len(children))
        moment.join()
        return 1, _stopped(children, tally)[1]

    def _strike(self) -> None:
        self.server.kill()
        self.server.restart()


class Restarted(Protocol):
    """A server that can be killed and restarted."""

    @property
    def uri(self) -> str:
        """Its address."""
        ...

    def kill(self) -> None:
        """Kill it at once."""
        ...

    def restart(self) -> None:
        """Start it again, on the same port and data."""
        ...


@contextmanager
def own_server(folder: Path) -> Iterator[Restarted]:
    """Start a Neo4j server as `make neo4j` does. Raises InputError if the checkout has no tests."""
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


class Cuts:
    """Relays of a proxy that cut every connection after a random number of bytes, and count the cuts."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.count = 0

    def __call__(self) -> Relay:
        """Return a relay that cuts after few or many bytes with equal probability, in either direction."""
        manner = self._random.choice(("closed", "reset", "half open"))
        direction, left = self._random.random() < 0.5, int(100 * 2 ** self._random.uniform(0, 10))

        def relay(connection: Connection, data: bytes, to_server: bool) -> bool:
            nonlocal left
            if to_server == direction:
                left -= len(data)
                if left < 0:
                    connection.send(data[:left], to_server=to_server)
                    self.count += 1
                    _cut(connection, manner)
                    return False
            connection.send(data, to_server=to_server)
            return True

        return relay


def _cut(connection: Connection, manner: str) -> None:
    connection.broken = True
    if manner == "half open":  # the server has gone, but the driver does not notice for a while
        shut(connection.server)
        threading.Event().wait(SILENCE)
    if manner == "reset":
        for each in (connection.driver, connection.server):
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            with suppress(OSError):
                each.shutdown(socket.SHUT_RD)
            each.close()
    shut(connection.driver, connection.server)
