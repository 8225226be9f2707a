"""The embedded store: the contract, and what is its own."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest

from mem0g.errors import (
    DamagedStoreError,
    ForeignStoreError,
    LockedStoreError,
    NewerStoreError,
    ReadOnlyStoreError,
    StoreError,
    UnknownStoreError,
)
from mem0g.settings import FileSettings
from mem0g.store.address import open_store
from mem0g.store.protocol import Store
from mem0g.store.queries import SearchQuery
from mem0g.store.records import PendingWindow
from mem0g.store.sqlite import SqliteStore, opening
from mem0g.store.sqlite.maintenance.upgrading import VERSION
from mem0g.store.sqlite.transaction import SqliteTransaction
from mem0g.testing.store_contract import StoreContract
from mem0g.testing.store_samples import write
from tests.making import ANN, EMBEDDER, change, dumped, entity, fact, message
from tests.store.old_notes import NOTES, RECORDS
from tests.store.older_layouts import create, drop_metadata, drop_offsets, drop_passages, index_texts


class TestSqliteStore(StoreContract):
    """The contract on a file."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        opened = SqliteStore(tmp_path / "memory.db")
        yield opened
        opened.close()

    @pytest.fixture
    def another(self, tmp_path: Path) -> Iterator[Callable[[], Store]]:
        opened = SqliteStore(tmp_path / "another.db")
        yield lambda: opened
        opened.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a store that is there, closed."""
    SqliteStore(tmp_path / "memory.db").close()
    return tmp_path / "memory.db"


def test_a_file_of_an_older_layout_is_brought_up(tmp_path: Path) -> None:
    """A file that has the first version's layout gets what later ones added, once, and keeps what it holds."""
    old = tmp_path / "old.db"
    with closing(sqlite3.connect(old)) as raw:
        create(raw, 1)
        raw.execute("INSERT INTO scope (user_id, agent_id, run_id) VALUES ('ann', '', '')")
        raw.commit()
    for _ in range(2):
        with closing(SqliteStore(old)) as store:
            assert store.records(PendingWindow, ANN) == ()
            assert store.info().version == VERSION
            assert store.stats().scopes == (ANN,)


def _tables(path: Path) -> set[tuple[object, ...]]:
    """Every table and index of a file: its SQL without comments, spaces and the quotes that a renaming leaves."""
    with closing(sqlite3.connect(path)) as raw:
        rows = raw.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
        plain = [(kind, name, re.sub(r'--[^\n]*|[\s"]', "", sql or "")) for kind, name, sql in rows]
        return {(*row, *raw.execute(f"PRAGMA table_info({row[1]})").fetchall()) for row in plain}


def test_an_upgraded_file_has_the_tables_of_a_new_one(tmp_path: Path, path: Path) -> None:
    """A file that is upgraded from the first layout gets the same tables and indexes as a new file."""
    old = tmp_path / "old.db"
    with closing(sqlite3.connect(old)) as raw:
        create(raw, 1)
    SqliteStore(old).close()
    assert _tables(old) == _tables(path)


@pytest.mark.parametrize("version", [-1, 0])
def test_a_file_of_no_layout_is_damaged(path: Path, version: int) -> None:
    """A version that no layout has is reported, not upgraded."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(DamagedStoreError, match=f"has no layout {version}"):
        SqliteStore(path)


def test_notes_of_an_older_layout_become_records(tmp_path: Path) -> None:
    """What version 3 kept as notes is in the tables of its types, done ones too; unreadable notes are left out."""
    old = tmp_path / "old.db"
    with closing(sqlite3.connect(old)) as raw:
        create(raw, 3)
        raw.execute("INSERT INTO scope (user_id, agent_id, run_id) VALUES ('ann', '', '')")
        notes = [(kind, key, None if body is None else json.dumps(body)) for kind, key, body in NOTES]
        notes += [("window", "w_3", "{}"), ("mood", "good", "{}"), ("mood", "bad", None)]
        raw.executemany("INSERT INTO note (scope, kind, key, body) VALUES (1, ?, ?, ?)", notes)
        raw.commit()
    for _ in range(2):
        with closing(SqliteStore(old)) as store:
            found: dict[str, list[Any]] = {name: [] for name in RECORDS}
            for made in dumped(store):
                for name, records in found.items():
                    records += getattr(made, name)
            assert {name: tuple(records) for name, records in found.items()} == RECORDS
            assert store.verify() == ()


def test_facts_of_an_older_layout_have_no_states_and_plans(tmp_path: Path) -> None:
    """A file of version 4 keeps its facts, which have no short clause and no days of observation or plan."""
    old = tmp_path / "old.db"
    person, tea = entity("Ann"), entity("tea")
    likes = fact(person, "LIKES", tea)
    with closing(SqliteStore(old)) as store:
        write(store, change(entities=[person, tea], facts=[likes]))
    with closing(sqlite3.connect(old)) as raw:
        drop_passages(raw)
        for column in ("brief", "observed", "planned_for"):
            raw.execute(f"ALTER TABLE fact DROP COLUMN {column}")
        raw.execute("PRAGMA user_version = 4")
        raw.commit()
    for _ in range(2):
        with closing(SqliteStore(old)) as store:
            assert store.facts(ANN, [likes.id]) == (likes,)
            assert store.verify() == ()
            assert store.info().version == VERSION


def test_entities_of_the_type_literal_become_values(tmp_path: Path) -> None:
    """Of version 4, one that is only an object becomes a literal; one that has facts of its own loses the type."""
    old = tmp_path / "old.db"
    person, noted, other = entity("Ann"), entity("no peanuts", type="x"), entity("Bea", type="x")
    facts = [fact(person, "NOTED", noted), fact(other, "LIKES", person)]
    with closing(SqliteStore(old)) as store:
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        write(store, change(entities=[person, noted, other], facts=facts))
    with closing(sqlite3.connect(old)) as raw:
        raw.execute("UPDATE entity SET type = 'literal' WHERE type = 'x'")
        drop_passages(raw)
        for column in ("brief", "observed", "planned_for"):
            raw.execute(f"ALTER TABLE fact DROP COLUMN {column}")
        raw.execute("PRAGMA user_version = 4")
        raw.commit()
    with closing(SqliteStore(old)) as store:
        assert [each.is_literal for each in store.entities(ANN, [noted.id, other.id])] == [True, False]
        assert [each.type for each in store.entities(ANN, [other.id])] == [""]
        assert store.match_names(ANN, ["no peanuts"]) == ()
        assert store.stats(ANN).entities == 2
        assert store.facts(ANN, [facts[0].id])[0].object_is_literal
        assert noted.id not in {key for part in dumped(store) for key in part.vectors}
        assert store.verify() == ()


def test_long_messages_of_an_older_layout_stay_whole_until_a_reindex(tmp_path: Path) -> None:
    """A file of version 5 has no passages; a reindex makes them."""
    old = tmp_path / "old.db"
    long = message("A paragraph of some words about the sea. " * 40)
    with closing(SqliteStore(old)) as store:
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        write(store, change(messages=[long]))
    with closing(sqlite3.connect(old)) as raw:
        drop_passages(raw)
        raw.execute("PRAGMA user_version = 5")
        raw.commit()
    probe = SearchQuery(vectors=tuple(EMBEDDER.embed(["sea"])), terms=("sea",))
    with closing(SqliteStore(old)) as store:
        assert [each.passage for each in store.find(ANN, probe).messages] == [None]
        assert store.verify() == ()
        store.replace_embedder(EMBEDDER.name, EMBEDDER.dimensions, lambda texts: list(EMBEDDER.embed(texts)))
    with closing(SqliteStore(old)) as store:
        assert [each.passage for each in store.find(ANN, probe).messages] == list(long.passages())
        assert store.verify() == ()


def test_messages_and_facts_of_an_older_layout_have_no_metadata(tmp_path: Path) -> None:
    """A file of version 6 keeps its messages and facts, and takes metadata from then on."""
    old = tmp_path / "old.db"
    said, person, tea = message("I like tea."), entity("Ann"), entity("tea")
    likes = fact(person, "LIKES", tea, evidence=(said.id,))
    with closing(SqliteStore(old)) as store:
        write(store, change(messages=[said], entities=[person, tea], facts=[likes]))
    with closing(sqlite3.connect(old)) as raw:
        drop_metadata(raw)
        raw.execute("PRAGMA user_version = 6")
        raw.commit()
    more = message("Still.", 1, metadata={"topic": "tea"})
    for _ in range(2):
        with closing(SqliteStore(old)) as store:
            assert (store.messages(ANN, [said.id]), store.facts(ANN, [likes.id])) == ((said,), (likes,))
            write(store, change(messages=[more]))
            assert store.messages(ANN, [more.id]) == (more,)
            assert store.verify() == ()
            assert store.info().version == VERSION


def test_messages_of_an_older_layout_have_no_offset(tmp_path: Path) -> None:
    """A file of version 8 keeps its messages, and takes the offsets of zones from then on."""
    old, said = tmp_path / "old.db", message("I like tea.")
    with closing(SqliteStore(old)) as store:
        write(store, change(messages=[said]))
    with closing(sqlite3.connect(old)) as raw:
        drop_offsets(raw)
        raw.execute("PRAGMA user_version = 8")
        raw.commit()
    more = replace(message("Still.", 1), utc_offset=3600)
    for _ in range(2):
        with closing(SqliteStore(old)) as store:
            write(store, change(messages=[more]))
            assert [each.utc_offset for each in store.messages(ANN, [said.id, more.id])] == [0, 3600]
            assert (store.verify(), store.info().version) == ((), VERSION)


def _held(store: SqliteStore) -> str:
    """What a store holds, vectors aside."""
    return "\n".join(str(replace(each, vectors={})) for each in dumped(store))


@pytest.fixture
def indexed(tmp_path: Path) -> Path:
    """A file of version 7, with full-text indexes and larger vectors."""
    old = tmp_path / "old.db"
    with closing(SqliteStore(old)) as store:
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        ends = [entity("Ann"), *(entity(f"tea {number}") for number in range(200))]
        early = datetime(1965, 3, 1, 12, 30, 59, 999999, tzinfo=UTC)
        said = [
            message("Tea by the sea.", 1, time=early),
            message("A paragraph of some words about the sea. " * 40, time=early.replace(year=2024)),
        ]
        facts = [fact(ends[0], "LIKES", each, evidence=(said[0].id,)) for each in ends[1:]]
        write(store, change(messages=said, entities=ends, facts=facts))
        store.replace_embedder(EMBEDDER.name, EMBEDDER.dimensions, lambda texts: list(EMBEDDER.embed(texts)))
        (tmp_path / "held").write_text(_held(store))
    with closing(sqlite3.connect(old)) as raw:
        index_texts(raw)
        raw.execute("PRAGMA user_version = 7")
        raw.commit()
    return old


def test_full_text_indexes_of_an_older_layout_go(indexed: Path) -> None:
    """A file of version 7 keeps stems and vectors, in less space, which it gives back at once."""
    probe = SearchQuery(vectors=tuple(EMBEDDER.embed(["sea"])), terms=("sea", "tea"))
    before = indexed.stat().st_size
    for _ in range(2):
        with closing(SqliteStore(indexed)) as store:
            assert store.verify() == ()
            assert _held(store) == (indexed.parent / "held").read_text()
            found = store.find(ANN, probe)
            assert (len(found.facts), {each.passage is None for each in found.messages}) == (200, {True, False})
            assert store.info().version == VERSION
    assert indexed.stat().st_size < before / 1.5
    with closing(sqlite3.connect(indexed)) as raw:
        assert raw.execute("SELECT name FROM sqlite_schema WHERE name LIKE '%_terms%'").fetchall() == []


@pytest.mark.slow
def test_an_upgrade_that_is_killed_is_done_again(indexed: Path) -> None:
    """A process that dies while it upgrades a file leaves it as it was, for the next one to upgrade."""
    script = (
        "import os; from pathlib import Path; from mem0g.store.sqlite import SqliteStore; "
        "from mem0g.store.sqlite.maintenance import upgrading; "
        f"upgrading.packed = lambda matrix: os._exit(9); SqliteStore(Path({str(indexed)!r}))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    with closing(sqlite3.connect(indexed)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (7,)
    with closing(SqliteStore(indexed)) as store:
        assert store.stats(ANN).facts == 200
        assert store.verify() == ()


@pytest.mark.slow
def test_what_was_committed_survives_a_kill(path: Path) -> None:
    """A process that dies right after a commit, without closing, loses nothing."""
    script = (
        "import os; from tests.store.test_sqlite import *; "
        f"write(SqliteStore(Path({str(path)!r})), change(messages=[message('kept')])); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    store = SqliteStore(path)
    assert store.stats(ANN).messages == 1
    store.close()


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be replaced there")
def test_a_file_that_was_replaced(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A store whose file was replaced neither reads nor writes any more, and leaves the new file as it is."""
    store = SqliteStore(path)
    write(store, change(messages=[message("old")]))
    copy = path.with_name("copy.db")
    store.backup(copy)
    copy.replace(path)
    for use in (lambda: write(store, change(messages=[message("new", 1)])), lambda: store.stats(ANN)):
        with pytest.raises(StoreError, match="deleted or replaced"):
            use()
    with pytest.raises(StoreError, match="deleted or replaced"), store.snapshot():
        pass
    with pytest.raises(StoreError, match="deleted or replaced"):
        store.drop()
    store.close()
    assert not caplog.records
    with closing(SqliteStore(path)) as other:
        assert other.stats(ANN).messages == 1


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
def test_a_file_that_is_deleted_during_a_write(path: Path) -> None:
    """A write whose file is gone when it is committed is an error."""

    def work(transaction: SqliteTransaction) -> None:
        transaction.commit(change(messages=[message("lost")]))
        path.unlink()

    store = SqliteStore(path)
    with pytest.raises(StoreError, match="may be lost"):
        store.write(ANN, work)
    store.close()
    assert not path.exists()


def test_a_drop_waits_for_a_writer(path: Path) -> None:
    """A file is dropped between two writes: what is being written is committed before, or refused after."""
    writing, dropped = Event(), SqliteStore(path, FileSettings(lock_timeout=10))

    def work(transaction: SqliteTransaction) -> None:
        transaction.commit(change(messages=[message("first")]))
        writing.set()
        time.sleep(0.3)
        assert path.exists()

    store = SqliteStore(path)
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(store.write, ANN, work)
        assert writing.wait(10)
        dropped.drop()
        written.result()
    store.close()
    assert not list(path.parent.iterdir())


def test_the_current_folder_may_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that was opened by a relative path is the same after a change of the current folder."""
    monkeypatch.chdir(tmp_path)
    with closing(SqliteStore(Path("memory.db"))) as store:
        monkeypatch.chdir("/")
        write(store, change(messages=[message("kept")]))
        assert store.stats(ANN).messages == 1
        (elsewhere := tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(elsewhere)
        with closing(SqliteStore(Path("memory.db"))) as other:
            assert other.stats(ANN).messages == 0
        with store.snapshot() as snapshot:
            assert [one.id for each in snapshot.changes for one in each.messages] == [message("kept").id]
        store.backup(tmp_path / "copy.db")
    with closing(SqliteStore(tmp_path / "copy.db")) as copy:
        assert copy.stats(ANN).messages == 1


def test_another_process_is_seen(path: Path) -> None:
    """What another connection commits is found by the next search of this one."""
    one, other = SqliteStore(path), SqliteStore(path)
    write(one, change(messages=[message("first")]))
    assert len(one.list_messages(ANN, 10)) == 1
    write(other, change(messages=[message("second", 1)]))
    assert len(one.list_messages(ANN, 10)) == 2
    one.close()
    other.close()


def test_a_text_file_is_no_store(tmp_path: Path) -> None:
    """A file that is no database is named, and left as it is."""
    file = tmp_path / "notes.txt"
    file.write_text("hello " * 500)
    with pytest.raises(ForeignStoreError, match=r"notes\.txt"):
        SqliteStore(file)
    assert file.read_text() == "hello " * 500


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    """A database that is not mem0g's is not touched."""
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(ForeignStoreError, match="another program"):
        SqliteStore(file)


def test_many_open_a_new_file_at_once(tmp_path: Path) -> None:
    """Whoever comes while another makes the file finds it made, however far the other is."""
    together = Barrier(8)

    def opened(file: Path) -> str:
        together.wait()
        with closing(opening.connect(file)[0]) as connection:
            return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

    with ThreadPoolExecutor(8) as pool:
        for turn in range(10):
            assert list(pool.map(opened, [tmp_path / f"{turn}.db"] * 8)) == ["wal"] * 8


def test_a_newer_layout_is_refused(path: Path) -> None:
    """A store of a newer mem0g asks for an upgrade."""
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(NewerStoreError, match="layout 99"):
        SqliteStore(path)


def test_a_locked_store_says_so(path: Path) -> None:
    """A writer that another process keeps out gets an error that may be retried."""
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store = SqliteStore(path, FileSettings(lock_timeout=0.05))
    with pytest.raises(LockedStoreError, match="locked") as caught:
        write(store, change(messages=[message("x")]))
    assert caught.value.retry
    holder.close()
    store.close()


def test_a_read_only_store_says_so(path: Path) -> None:
    """Writing to a store opened from a file that cannot be written is refused in our words."""
    store = SqliteStore(path)
    store._connection.execute("PRAGMA query_only = 1")
    with pytest.raises(ReadOnlyStoreError, match="cannot be written"):
        write(store, change(messages=[message("x")]))
    store.close()


def test_a_folder_that_cannot_be_written_is_named(path: Path) -> None:
    """The file is there and can be read, but SQLite has to write beside it: the hint says so."""
    SqliteStore(path).close()
    path.with_name(f"{path.name}-wal").mkdir()  # as on a disk that can only be read, the log cannot be opened
    with pytest.raises(StoreError, match="cannot open") as caught:
        SqliteStore(path)
    assert "a folder that can be written" in str(caught.value.hint)


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    """A folder is refused, and so is a path below a file."""
    with pytest.raises(ForeignStoreError, match="folder"):
        SqliteStore(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "file" / "memory.db")


@pytest.mark.parametrize("address", ["mysql://host/db", "http://x", "sqlite:", "sqlite:///"])
def test_unknown_schemes_are_named(address: str) -> None:
    """An address of another scheme is refused with the ones there are."""
    with pytest.raises(UnknownStoreError, match="unknown store"):
        open_store(address)


def test_addresses(tmp_path: Path) -> None:
    """A path and a URL of the same file open the same store."""
    for address in (str(tmp_path / "a.db"), f"sqlite:///{tmp_path / 'a.db'}"):
        store = open_store(address)
        assert Path(store.address) == tmp_path / "a.db"
        store.close()


def test_embedders_are_remembered_across_openings(path: Path) -> None:
    """The embedder's name is in the file."""
    store = SqliteStore(path)
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    store.close()
    again = SqliteStore(path)
    assert again.info().embedder == EMBEDDER.name
    again.close()
