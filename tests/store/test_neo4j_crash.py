"""The server goes away in the middle of an ingest: it resumes, and nothing is there twice.

It goes away behind a proxy: for a driver, a server that was killed is one that ends all connections and accepts no new
ones. One that is killed for real is in tests/benchmarks/test_faults.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import pytest

from benchmarks.faults.proxy import Connection, Proxy, proxy
from mem0g.errors import UnreachableStoreError
from mem0g.ingest.report import Report
from mem0g.settings import Credentials
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.transaction import Neo4jTransaction
from mem0g.store.sqlite import SqliteStore
from tests.servers.server import Server
from tests.store.ingested import TALK, error_text, ingest_result, memory_over

T = TypeVar("T")

AWAY = 1.0
"""Seconds until a server that went away is back: several attempts of a transaction."""


@pytest.fixture(scope="module")
def untroubled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the talk makes where nothing goes wrong."""
    store = SqliteStore(tmp_path_factory.mktemp("untroubled") / "memory.db")
    memory_over(store).add(TALK, user_id="demo")
    made = ingest_result(store)
    store.close()
    return made


def forward(connection: Connection, data: bytes, to_server: bool) -> bool:
    """Forward all data."""
    connection.send(data, to_server=to_server)
    return True


class Line:
    """The way to a server, which ends all connections and accepts no new ones while the server is away."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._proxy = Proxy(server.uri, lambda: forward)
        self.uri = self._proxy.uri

    def die(self) -> None:
        """Take the server away. It rolls back what was not committed, as after a crash."""
        self._proxy.close()

    def come_back(self) -> None:
        """Bring the server back, at the same address."""
        self._proxy = Proxy(self._server.uri, lambda: forward, int(self.uri.rpartition(":")[2]))


@pytest.fixture
def line(empty: Neo4jStore, neo4j_server: Server) -> Iterator[Line]:
    """The way to an empty store."""
    made = Line(neo4j_server)
    yield made
    made.die()


@contextmanager
def coming_back(line: Line) -> Iterator[Callable[[], None]]:
    """A function that takes the server away, which is back after a while."""
    returning = threading.Timer(AWAY, line.come_back)

    def die() -> None:
        line.die()
        returning.start()

    yield die
    returning.join()


def credentials(server: Server) -> Credentials:
    """Who opens the store."""
    return Credentials(username=server.username, password=server.password, database=server.database)


class StruckStore(Neo4jStore):
    """A store to which something happens once, in a transaction: when all is written and nothing committed."""

    blow: Callable[[], None] | None = None

    def write(self, scope: Any, work: Callable[[Neo4jTransaction], T]) -> T:
        """See Store."""
        return super().write(scope, lambda transaction: work(self._struck(transaction)))

    def _struck(self, transaction: Neo4jTransaction) -> Neo4jTransaction:
        commit = transaction.commit

        def struck(change: Change, *, loaded: bool = False) -> None:
            blow, self.blow = self.blow, None
            commit(change, loaded=loaded)
            if blow:
                blow()

        transaction.commit = struck  # type: ignore[method-assign]
        return transaction


@pytest.mark.slow
def test_away_while_it_writes(
    line: Line, neo4j_server: Server, untroubled: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Gone between two windows, the server is waited for, which is said, and the ingest goes on when it is back.

    Gone inside a window that was written and not committed, that window begins anew. All of it is kept once.
    """
    store = StruckStore(line.uri, credentials(neo4j_server))
    reports = memory_over(store).ingest(TALK, user_id="demo")
    total = next(reports) + next(reports)
    with coming_back(line) as die:
        die()
        total += next(reports)
    assert "Neo4j does not answer: trying again" in caplog.text
    with coming_back(line) as die:
        store.blow = die
        total = sum(reports, start=total)
    assert store.blow is None
    assert total.messages == len(TALK)
    assert ingest_result(store) == untroubled
    store.close()


COMMIT = b"\x00\x02\xb0\x12\x00\x00"
"""Bolt's message COMMIT: its length, a structure without fields of signature 0x12, the end of the message."""


class LostAnswers:
    """A relay that lets the next commit through, and breaks the connection when its answer is on the way."""

    def __init__(self) -> None:
        self.next_commit = False
        self.count = 0
        self._committing: Connection | None = None

    def __call__(self, connection: Connection, data: bytes, to_server: bool) -> bool:
        """See Relay."""
        if to_server and self.next_commit and data.endswith(COMMIT):
            self.next_commit, self._committing = False, connection
        if not to_server and connection is self._committing:
            self.count, self._committing = self.count + 1, None
            return False
        connection.send(data, to_server=to_server)
        return True


def test_a_commit_that_got_no_answer(
    empty: Neo4jStore, neo4j_server: Server, untroubled: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The window was kept, but the news of it was lost: it is asked for again, found, and not written twice."""
    lost = LostAnswers()
    with proxy(neo4j_server.uri, lambda: lost) as line:
        store = Neo4jStore(line.uri, credentials(neo4j_server))
        reports = memory_over(store).ingest(TALK, user_id="demo")
        next(reports)
        lost.next_commit = True
        reports_after: list[Report] = list(reports)
        assert lost.count == 1
        assert "did not answer a commit" in caplog.text
        assert ingest_result(store) == untroubled
        assert reports_after[0].known > 0  # kept at the first try, found at the second
        store.close()


def test_a_server_that_stays_away(
    line: Line, neo4j_server: Server, untroubled: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ingest ends with a clear error; the same ingest, later, adds what is missing and nothing else."""
    monkeypatch.setattr("mem0g.store.neo4j.server.connection.RETRY_SECONDS", 0.0)
    with closing(Neo4jStore(line.uri, credentials(neo4j_server))) as store:
        reports = memory_over(store).ingest(TALK, user_id="demo")
        told = next(reports) + next(reports)
        line.die()
        with pytest.raises(UnreachableStoreError) as caught:
            next(reports)
    assert caught.value.retry
    assert f"no Neo4j answers at {line.uri}" in error_text(caught.value)
    line.come_back()
    with closing(Neo4jStore(line.uri, credentials(neo4j_server))) as store:
        again = memory_over(store).add(TALK, user_id="demo")
        assert (again.known, again.messages) == (told.messages, len(TALK) - told.messages)
        assert ingest_result(store) == untroubled
