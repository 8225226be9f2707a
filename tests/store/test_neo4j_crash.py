"""The server goes away in the middle of an ingest: it resumes, and nothing is there twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from benchmarks.faults.proxy import Connection, proxy
from mem0g.errors import ReadOnlyStoreError, UnreachableStoreError
from mem0g.ingest.report import Report
from mem0g.settings import Credentials
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.transaction import Neo4jTransaction
from mem0g.store.sqlite import SqliteStore
from tests.servers.fixtures import StartLocal
from tests.servers.local import LocalServer
from tests.servers.server import Server
from tests.store.ingested import DEMO, TALK, error_text, ingest_result, memory_over, said

T = TypeVar("T")


@pytest.fixture(scope="module")
def server(local_neo4j: StartLocal) -> Iterator[LocalServer]:
    """A server that these tests may kill."""
    with local_neo4j() as started:
        yield started


@pytest.fixture(scope="module")
def untroubled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the talk makes where nothing goes wrong."""
    store = SqliteStore(tmp_path_factory.mktemp("untroubled") / "memory.db")
    memory_over(store).add(TALK, user_id="demo")
    made = ingest_result(store)
    store.close()
    return made


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver waits as long as a slow machine needs to start a server again."""
    monkeypatch.setattr("mem0g.store.neo4j.connection.RETRY_SECONDS", 600.0)


@contextmanager
def coming_back(server: LocalServer) -> Iterator[Callable[[], None]]:
    """A function that kills the server, which begins to start again at once."""
    starting = threading.Thread(target=server.restart)

    def die() -> None:
        server.kill()
        starting.start()

    yield die
    starting.join()


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


def emptied(store: Neo4jStore) -> None:
    """Forget what another test left."""
    store.forget(DEMO)


def test_killed_while_it_writes(
    server: LocalServer, patient: None, untroubled: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Killed between two windows, the ingest waits, which it says, and goes on when the server is back.

    Killed inside a window that was written and not committed, it begins that window anew. All of it is kept once.
    """
    store = StruckStore(server.uri)
    emptied(store)
    reports = memory_over(store).ingest(TALK, user_id="demo")
    total = next(reports) + next(reports)
    with coming_back(server) as die:
        die()
        total += next(reports)
    assert "Neo4j does not answer: trying again" in caplog.text
    with coming_back(server) as die:
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
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    lost = LostAnswers()
    with proxy(neo4j_server.uri, lambda: lost) as line:
        store = Neo4jStore(line.uri, credentials)
        emptied(store)
        reports = memory_over(store).ingest(TALK, user_id="demo")
        next(reports)
        lost.next_commit = True
        reports_after: list[Report] = list(reports)
        assert lost.count == 1
        assert "did not answer a commit" in caplog.text
        assert ingest_result(store) == untroubled
        assert reports_after[0].known > 0  # kept at the first try, found at the second
        emptied(store)
        store.close()


def test_a_server_that_stays_away(
    server: LocalServer, untroubled: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The ingest ends with a clear error; the same ingest, later, adds what is missing and nothing else."""
    monkeypatch.setattr("mem0g.store.neo4j.connection.RETRY_SECONDS", 0.0)
    store = Neo4jStore(server.uri)
    emptied(store)
    reports = memory_over(store).ingest(TALK, user_id="demo")
    told = next(reports) + next(reports)
    server.kill()
    with pytest.raises(UnreachableStoreError) as caught:
        next(reports)
    assert caught.value.retry
    assert f"no Neo4j answers at {server.uri}" in error_text(caught.value)
    store.close()
    assert "no Neo4j answers" in said("add", "I live in Rome.", "-u", "demo", "--store", server.uri)
    server.restart()
    store = Neo4jStore(server.uri)
    again = memory_over(store).add(TALK, user_id="demo")
    assert (again.known, again.messages) == (told.messages, len(TALK) - told.messages)
    assert ingest_result(store) == untroubled
    store.close()


def test_a_server_that_comes_back_read_only(server: LocalServer, untroubled: dict[str, Any]) -> None:
    """What a database held before it became read-only is read and searched; every write says that it cannot be done."""
    if not server.pid:
        server.restart()
    with memory_over(Neo4jStore(server.uri)) as memory:
        memory.add(TALK, user_id="demo")
    server.settings = {**server.settings, "server.databases.default_to_read_only": "true"}
    server.restart()
    with memory_over(Neo4jStore(server.uri)) as memory:
        assert ingest_result(memory.store) == untroubled
        assert memory.search("Where does Olivia live?", user_id="demo")
        writes: tuple[Callable[[], object], ...] = (
            lambda: memory.add("I live in Rome.", user_id="ann"),
            lambda: memory.forget(user_id="demo"),
            lambda: memory.define_relation("mentored by", user_id="demo"),
            memory.reindex,
            memory.store.prepare,
            memory.store.drop,
        )
        for write in writes:
            with pytest.raises(ReadOnlyStoreError) as caught:
                write()
            assert "cannot be written" in error_text(caught.value)
        assert ingest_result(memory.store) == untroubled
    assert "cannot be written" in said("forget", "-u", "demo", "--yes", "--store", server.uri)
