"""Files that are damaged, full disks, and what stays private."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from mem0g.doctor import examine
from mem0g.errors import DamagedStoreError, EmbedderMismatchError, ForeignStoreError, InputError, StoreError
from mem0g.llm.cache import ReplyCache
from mem0g.llm.openai_forms import RequestForm, ServerCapabilities
from mem0g.settings import FileSettings, Settings
from mem0g.store.sqlite import SqliteStore
from mem0g.store.sqlite.opening import PAGE_SIZE as PAGE
from mem0g.testing.store_samples import write
from mem0g.transfer.copy import copy
from tests.making import ANN, AT, EMBEDDER, change, dumped, entity, fact, message


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a store with a hundred messages and facts, closed."""
    file = tmp_path / "memory.db"
    with closing(SqliteStore(file)) as store:
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        ends = [entity(f"city {number}") for number in range(100)]
        said = [message(f"I saw city {number}. " * 20, number) for number in range(100)]
        facts = [fact(ends[0], "SAW", end) for end in ends]
        write(store, change(messages=said, entities=ends, facts=facts))
    return file


def read_all(path: Path) -> None:
    """Open the store and read everything."""
    with closing(SqliteStore(path)) as store:
        dumped(store)
        store.stats()


def overwrite(path: Path, start: int, end: int) -> None:
    """Replace a part of the file by bytes that mean nothing."""
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * (end - start))


def test_damaged_pages_are_named_as_damage(path: Path) -> None:
    """A store with overwritten pages is mem0g's own, and the hint says what to do."""
    overwrite(path, 2 * PAGE, path.stat().st_size)
    with pytest.raises(DamagedStoreError, match=r"memory\.db is damaged") as caught:
        read_all(path)
    assert "mem0g verify" in (caught.value.hint or "")
    assert "backup" in (caught.value.hint or "")


def test_a_truncated_file_is_damaged(path: Path) -> None:
    """A file of which the end is missing is damaged, in the middle of a page as well."""
    for size in (path.stat().st_size // 2 // PAGE * PAGE, 5 * PAGE + 17):
        os.truncate(path, size)
        with pytest.raises(DamagedStoreError):
            read_all(path)


def test_damage_found_later(path: Path) -> None:
    """Damage that only some reads and a snapshot come upon is named as such by each of them."""
    with closing(SqliteStore(path)) as store:
        (page,) = store._connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'message'").fetchone()
    overwrite(path, (page - 1) * PAGE, page * PAGE)
    with closing(SqliteStore(path)) as store:
        with pytest.raises(DamagedStoreError):
            store.list_messages(ANN, 10)
        with pytest.raises(DamagedStoreError):
            dumped(store)


def test_text_that_is_no_text(path: Path) -> None:
    """Bytes that are no UTF-8 where text should be are damage, not a traceback."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE message SET text = CAST(x'ff80fe' AS TEXT) WHERE n = 7")
        raw.commit()
    with pytest.raises(DamagedStoreError, match="UTF-8"):
        read_all(path)


def test_a_damaged_header_is_not_recognised(path: Path) -> None:
    """A file whose first page is gone could be anybody's."""
    overwrite(path, 0, PAGE)
    with pytest.raises(ForeignStoreError):
        read_all(path)


@pytest.mark.slow
def test_a_full_database_keeps_what_it_had(path: Path) -> None:
    """Where the file can grow no more, the error says so, nothing of the change is there, and others go on."""
    with closing(SqliteStore(path)) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        before = str(dumped(store))
        more = [message("too much " * 500, number, session="2") for number in range(50)]
        for _ in range(2):
            with pytest.raises(StoreError, match="the disk is full") as caught:
                write(store, change(messages=more))
        assert "free some disk space" in (caught.value.hint or "")
        assert str(dumped(store)) == before
        store._connection.execute("PRAGMA max_page_count = 1000000")
        write(store, change(messages=more))
        assert store.stats(ANN).messages == 150


@pytest.mark.slow
def test_a_disk_that_takes_no_more(path: Path) -> None:
    """Where writing fails, the error is a StoreError, and the file holds what it held."""
    script = (
        "import resource, signal; from pathlib import Path; from tests.store.test_damage import *\n"
        f"store = SqliteStore(Path({str(path)!r}))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "write(store, change(messages=[message('too much ' * 200_000, session='2')]))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "mem0g.errors.StoreError" in done.stderr.splitlines()[-1]
    with closing(SqliteStore(path)) as store:
        assert store.stats(ANN).messages == 100


def test_the_second_claim_does_not_win(tmp_path: Path) -> None:
    """Of two that claim an empty store for different embedders, one is refused, however close they come."""
    with closing(SqliteStore(tmp_path / "memory.db")) as one, closing(SqliteStore(tmp_path / "memory.db")) as other:
        begun = one._file._begin

        def overtaken() -> None:
            other.claim_embedder("another", 3)
            begun()

        one._file._begin = overtaken  # type: ignore[method-assign] # what another process does between look and lock
        with pytest.raises(EmbedderMismatchError, match="another"):
            one.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        assert one.info().embedder == "another"


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_what_is_made_is_private(tmp_path: Path) -> None:
    """The file, those beside it, the folders, a reply cache and the abilities can be read by their owner only."""
    before = os.umask(0o022)
    try:
        folder = tmp_path / "new" / "deeper"
        with closing(SqliteStore(folder / "memory.db")) as store:
            write(store, change(messages=[message("private")]))
            files = {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}
        assert files == dict.fromkeys(("memory.db", "memory.db-wal", "memory.db-shm"), 0o600)
        cache, abilities = tmp_path / "replies" / "a.jsonl", tmp_path / "known" / "models.json"
        ReplyCache(cache).keep("k", "extract", "tiny", "{}", AT)
        ServerCapabilities(abilities).remember("http://host", "tiny", RequestForm("JSON mode"))
        assert [stat.S_IMODE(each.stat().st_mode) for each in (cache, abilities)] == [0o600, 0o600]
        made = (folder, folder.parent, cache.parent, abilities.parent)
        assert [stat.S_IMODE(each.stat().st_mode) for each in made] == [0o700] * 4
        ReplyCache(cache).forget(["k"])
        assert stat.S_IMODE(cache.stat().st_mode) == 0o600
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_doctor_tells_of_open_files(path: Path) -> None:
    """A file of before that others can read stays as it is, and `mem0g doctor` says so."""
    assert "readable by others" not in _store_check(path)
    path.chmod(0o644)
    assert f"chmod 600 {path}" in _store_check(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def _store_check(path: Path) -> str:
    (found,) = [each for each in examine(str(path), "hashing") if each.name == "store"]
    assert found.ok
    return found.detail


def test_commits_reach_the_disk_unless_told_otherwise(tmp_path: Path) -> None:
    """Each commit is flushed by default; a setting leaves that to the system."""
    for settings, level in ((FileSettings(), 2), (FileSettings(synchronous="normal"), 1)):
        with closing(SqliteStore(tmp_path / "memory.db", settings)) as store:
            assert store._connection.execute("PRAGMA synchronous").fetchone()[0] == level
            assert store.info().details["synchronous"] == settings.synchronous


def test_settings_of_the_environment() -> None:
    """Both settings are read from the environment, and a value that is none is refused."""
    assert Settings.from_environment({}).file == FileSettings(synchronous="full", lock_timeout=60)
    given = {"MEM0G_SYNCHRONOUS": "NORMAL", "MEM0G_LOCK_TIMEOUT": "2.5"}
    assert Settings.from_environment(given).file == FileSettings(synchronous="normal", lock_timeout=2.5)
    for name, value in (("MEM0G_SYNCHRONOUS", "off"), ("MEM0G_LOCK_TIMEOUT", "long"), ("MEM0G_LOCK_TIMEOUT", "-1")):
        with pytest.raises(InputError, match=name):
            Settings.from_environment({name: value})


def test_damage_of_the_source_is_not_the_copys(path: Path, tmp_path: Path) -> None:
    """Where a damaged file is copied, the error names that file, and the copy holds nothing."""
    with closing(SqliteStore(path)) as store:
        (page,) = store._connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'message'").fetchone()
    overwrite(path, (page - 1) * PAGE, page * PAGE)
    with closing(SqliteStore(path)) as store, closing(SqliteStore(tmp_path / "copy.db")) as target:
        with pytest.raises(DamagedStoreError, match=r"memory\.db is damaged"):
            copy(store, target)
        assert target.stats().scopes == ()


def test_a_store_whose_notes_are_damaged(path: Path) -> None:
    """Damage of the store's own notes is found when it is opened, and keeps no open store from being closed."""
    with closing(SqliteStore(path)) as store:
        (page,) = store._connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'").fetchone()
    opened = SqliteStore(path)
    opened._connection.execute("PRAGMA cache_size = 0")
    overwrite(path, (page - 1) * PAGE, page * PAGE)
    opened._connection.execute("PRAGMA shrink_memory")
    opened.close()
    opened.close()
    with pytest.raises(DamagedStoreError):
        SqliteStore(path)
