"""Two members of a cluster, as a driver sees them: a writer and a reader, which both lead to one real server."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from socketserver import BaseRequestHandler, ThreadingTCPServer

_BEGIN = re.compile(rb"\xb1\x11[\xa0-\xaf]")
_READS = re.compile(rb"\x84mode\x81r")
_MEMBER = re.compile(rb"\x89addresses\x91\x8f(.{15})\x84role(\x84READ|\x85WRITE|\x85ROUTE)", re.DOTALL)
_ROLE_FIRST = re.compile(rb"\x84role(\x84READ|\x85WRITE|\x85ROUTE)\x89addresses\x91\x8f(.{15})", re.DOTALL)


@dataclass
class Member:
    """An address, and how many transactions were begun there: to read, of one query each or of more, and to write."""

    port: int
    reads: int = 0
    writes: int = 0
    bookmarked: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def heard(self, data: bytes) -> None:
        """Count the transactions that a client begins."""
        begun = [data[found.start() : found.start() + 400] for found in _BEGIN.finditer(data)]
        reading = [data[found.start() : found.start() + 400] for found in _READS.finditer(data)]
        writing = [each for each in begun if not _READS.search(each)]
        with self.lock:
            self.reads, self.writes = self.reads + len(reading), self.writes + len(writing)
            self.bookmarked += sum(b"bookmarks" in each for each in (*reading, *writing))


@dataclass(frozen=True)
class Cluster:
    """A writer, which is also the router, and a reader."""

    writer: Member
    reader: Member

    @property
    def uri(self) -> str:
        """The address for a driver that routes."""
        return f"neo4j://127.0.0.1:{self.writer.port}"

    def rewritten(self, data: bytes) -> bytes:
        """Return what the server says, with the members' addresses in a routing table; they are as long as its own."""

        def address(role: bytes) -> bytes:
            member = self.reader if role.endswith(b"READ") else self.writer
            return f"127.0.0.1:{member.port}".encode()

        data = _MEMBER.sub(lambda found: found[0].replace(found[1], address(found[2])), data)
        return _ROLE_FIRST.sub(lambda found: found[0].replace(found[2], address(found[1])), data)


@contextmanager
def cluster_of(host: str, port: int) -> Iterator[Cluster]:
    """Listen at two addresses that lead to the server at ``host`` and ``port``."""
    with ExitStack() as stack:
        listening = [stack.enter_context(_Listening(("127.0.0.1", 0), _Relay)) for _ in range(2)]
        members = [Member(each.server_address[1]) for each in listening]
        cluster = Cluster(*members)
        for server, member in zip(listening, members, strict=True):
            server.leads_to, server.member, server.cluster = (host, port), member, cluster
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
            stack.callback(server.shutdown)
        yield cluster


class _Listening(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    leads_to: tuple[str, int]
    member: Member
    cluster: Cluster


class _Relay(BaseRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, _Listening)
        with socket.create_connection(self.server.leads_to) as there:
            back = threading.Thread(
                target=_pump, args=(there, self.request, self.server.cluster.rewritten), daemon=True
            )
            back.start()
            _pump(self.request, there, self._counted)
            back.join()

    def _counted(self, data: bytes) -> bytes:
        assert isinstance(self.server, _Listening)
        self.server.member.heard(data)
        return data


def _pump(here: socket.socket, there: socket.socket, changed: Callable[[bytes], bytes]) -> None:
    """Send on what comes until one side closes."""
    try:
        while data := here.recv(1 << 20):
            there.sendall(changed(data))
        there.shutdown(socket.SHUT_WR)
    except OSError:
        return
