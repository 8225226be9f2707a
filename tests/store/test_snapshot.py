"""Snapshots, exports, copies and backups that are made while other processes write."""

from __future__ import annotations

import json
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest
from neo4j import WRITE_ACCESS

from mem0g.errors import LockedStoreError, ReadOnlyStoreError, StoreError
from mem0g.memory import Memory
from mem0g.settings import Credentials
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.server.connection import Run
from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from mem0g.transfer.copy import copy
from mem0g.transfer.jsonl import export_lines, import_lines
from tests.making import ANN, EMBEDDER, change, dumped, message
from tests.servers.server import Server
from tests.store.writers import torn, writing

pytestmark = pytest.mark.slow

EXPORTS = 12


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a store that is there."""
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    return tmp_path / "memory.db"


@pytest.fixture
def busy_file(path: Path) -> Iterator[Store]:
    """A file that two processes write to."""
    with closing(SqliteStore(path)) as store, writing(str(path)):
        yield store


@pytest.fixture
def busy_server(empty: Neo4jStore, neo4j_server: Server) -> Iterator[Store]:
    """A Neo4j that two processes write to."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    with writing(neo4j_server.uri, credentials):
        yield empty


@pytest.fixture(params=["busy_file", pytest.param("busy_server", marks=pytest.mark.neo4j)])
def busy(request: pytest.FixtureRequest) -> Store:
    """A file, then a Neo4j, that two processes write to."""
    found: Store = request.getfixturevalue(request.param)
    return found


def test_no_snapshot_is_torn(busy: Store) -> None:
    """Each holds both ends of every fact, all its evidence, and transactions as a whole; and later ones hold more."""
    found = [dumped(busy) for _ in range(EXPORTS)]
    assert [torn(each) for each in found] == [[]] * EXPORTS
    assert _messages(found[-1]) > _messages(found[0])


def test_no_export_is_torn(busy: Store, tmp_path: Path) -> None:
    """The lines of an export make a store in which nothing is missing."""
    lines = list(export_lines(busy))
    with closing(SqliteStore(tmp_path / "imported.db")) as imported:
        import_lines(imported, lines)
        assert torn(dumped(imported)) == []
        assert json.loads(lines[0])["embedder"] == EMBEDDER.name


def test_no_copy_is_torn(busy: Store, tmp_path: Path) -> None:
    """A copy has all that its facts need, and counts what it holds."""
    with closing(SqliteStore(tmp_path / "copied.db")) as target:
        copied = copy(busy, target)
        assert torn(dumped(target)) == []
        assert target.stats().messages == copied.messages


def test_the_store_is_used_while_a_snapshot_is_read(path: Path) -> None:
    """A slow reader of a snapshot keeps neither other threads nor other processes from the file."""
    with closing(SqliteStore(path)) as store:
        write(store, change(messages=[message("first")]))
        with store.snapshot() as snapshot:
            for made in snapshot.changes:
                write(store, change(messages=[message("second", 1)]))
                assert store.stats(ANN).messages == 2
                assert len(made.messages) == 1


def test_a_backup_is_whole(busy_file: Store, tmp_path: Path) -> None:
    """A copy of a file that others write to opens, is sound, and holds transactions as a whole."""
    for number in range(3):
        to = tmp_path / f"{number}.db"
        busy_file.backup(to)
        assert stat.S_IMODE(to.stat().st_mode) == 0o600
        with closing(sqlite3.connect(to)) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        with closing(SqliteStore(to)) as made:
            assert torn(dumped(made)) == []
            assert made.stats().messages > 0
    assert not [each.name for each in tmp_path.iterdir() if each.name.endswith((".part", "-journal"))]


def test_a_backup_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    """A file that is there is named and stays; where the folder cannot be written, nothing is left behind."""
    (tmp_path / "there.db").write_text("mine")
    with Memory.open(path, embedder=EMBEDDER, extractor="none") as memory:
        with pytest.raises(StoreError, match=r"there\.db exists"):
            memory.backup(tmp_path / "there.db")
        with pytest.raises(StoreError, match="cannot write the backup"):
            memory.backup(tmp_path / "there.db" / "deeper.db")
    assert (tmp_path / "there.db").read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["memory.db", "there.db"]


def test_a_backup_that_fails_leaves_nothing(path: Path, tmp_path: Path) -> None:
    """Where the disk takes no more, the error says so and no half copy is left."""
    with closing(SqliteStore(path)) as store:
        write(store, change(messages=[message("x" * 3_000_000)]))
    folder = tmp_path / "full"
    script = (
        "import resource, signal, sys; from pathlib import Path; from mem0g.store.sqlite import SqliteStore\n"
        f"store = SqliteStore(Path({str(path)!r}))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))\n"
        f"store.backup(Path({str(folder / 'copy.db')!r}))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "StoreError" in done.stderr.splitlines()[-1]
    assert list(folder.iterdir()) == []


@pytest.mark.neo4j
def test_a_server_is_not_backed_up(empty: Neo4jStore, tmp_path: Path) -> None:
    """The error for a database says what serves instead."""
    with pytest.raises(StoreError, match="server") as caught:
        empty.backup(tmp_path / "copy.db")
    assert "mem0g export" in (caught.value.hint or "")
    assert "neo4j-admin" in (caught.value.hint or "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.neo4j
def test_writers_wait_for_a_snapshot(empty: Neo4jStore, neo4j_server: Server) -> None:
    """While a scope is read, others commit nothing to it."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    with writing(neo4j_server.uri, credentials):
        with empty.snapshot() as snapshot:
            changes = iter(snapshot.changes)
            first = next(changes)
            assert len({empty.stats(ANN).messages for _ in range(10)}) == 1
            rest = list(changes)
        assert torn([first, *rest]) == []


def _messages(changes: list[Change]) -> int:
    return sum(len(each.messages) for each in changes)


@pytest.mark.neo4j
def test_where_nothing_can_be_locked(empty: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may only read a server gets a snapshot all the same, and an error where somebody wrote meanwhile."""
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    write(empty, change(messages=[message("I live in Oslo.", 0)]))
    hold = empty._connection.hold

    def refused(access: str = WRITE_ACCESS) -> AbstractContextManager[Run]:
        if access == WRITE_ACCESS:
            raise ReadOnlyStoreError("it cannot be written")
        return hold(access)

    monkeypatch.setattr(empty._connection, "hold", refused)
    assert _messages(dumped(empty)) == 1
    with empty.snapshot() as snapshot:
        next(changes := iter(snapshot.changes))
        write(empty, change(messages=[message("I moved to Rome.", 1)]))
        with pytest.raises(LockedStoreError, match="was written to while it was read"):
            list(changes)
