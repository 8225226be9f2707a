"""What is left of forgotten words: nothing in the file, its log, the reply cache, or a Neo4j."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import neo4j
import pytest

from mem0g.llm.cache import ReplyCache
from mem0g.memory import Memory
from mem0g.model import Scope, content_id
from mem0g.relations.relation_type import RelationType
from mem0g.settings import LLMSettings, Settings
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore
from mem0g.store.sqlite.maintenance.forgetting import leave_to_sweep, sweep
from mem0g.testing.store_samples import RUN, call, fill_two_scopes, write
from tests.making import ANN, AT, BOB, EMBEDDER, change, dumped, entity, fact, message
from tests.servers.server import Server

PLACES = ("Zanzibar", "Ouagadougou", "Reykjavik", "Vladivostok")
"""Words of Ann's alone, each with its number behind it."""

MANY, FEW = 50, 20
"""Numbers of each place: in a file, so that its words fill many pages, and on a server."""


def words(place: str, count: int = MANY) -> list[str]:
    """The distinctive words that Ann's memory has of a place."""
    return [f"{place}{number}" for number in range(count)]


def fill(store: Store, count: int = MANY) -> None:
    """Ann's and Bob's memories, in many transactions, with all that the store keeps; Ann's in two scopes."""
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    for number in range(count):
        for scope, places in ((ANN, PLACES[:2]), (Scope("ann", run_id="r7"), PLACES[2:]), (BOB, ("Oslo",))):
            for place in places:
                name = f"{place}{number}"
                said = message(f"Nothing beats {name} in spring.", number, scope, session=place)
                ends = [entity("Ann", scope), entity(name, scope, aliases=(f"{name} by the sea",))]
                told = fact(ends[0], "VISITED", ends[1], evidence=(said.id,))
                kept = call(content_id("w", name), scope, problem=f"{name} is no city", key=content_id("k", name))
                write(store, change(scope, messages=[said], entities=ends, facts=[told], calls=(kept,)))


def traces(folder: Path) -> dict[str, int]:
    """How many of Ann's words the files of a folder hold, whatever they are, by file; also as stems, in lower case."""
    found = {}
    for path in sorted(folder.iterdir()):
        content = path.read_bytes().lower()
        found[path.name] = sum(word.lower().encode() in content for place in PLACES for word in words(place))
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is, alone in its folder."""
    (tmp_path / "store").mkdir()
    return tmp_path / "store" / "memory.db"


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    """A reply cache in which a model answered once about Ann and once about Bob."""
    path = tmp_path / "replies.jsonl"
    cache = ReplyCache(path)
    for person in ("ann", "bob"):
        cache.keep(f"key of {person}", "extract", "tiny", json.dumps({"said": f"{person} likes Zanzibar"}), AT)
    return path


@pytest.fixture
def filled(path: Path) -> Iterator[SqliteStore]:
    """A file with the memories of two people."""
    with closing(SqliteStore(path)) as store:
        fill(store)
        yield store


@pytest.mark.slow
def test_no_word_is_left_in_the_file(filled: SqliteStore, path: Path) -> None:
    """Neither while the store is open nor after it was closed; others keep what they have."""
    assert traces(path.parent)["memory.db-wal"] > 0
    bobs = str(dumped(filled, BOB))
    assert filled.forget(Scope("ann")).complete
    assert set(traces(path.parent).values()) == {0}
    assert str(dumped(filled, BOB)) == bobs
    filled.close()
    assert traces(path.parent) == {"memory.db": 0}


@pytest.mark.slow
def test_no_word_is_left_while_others_have_it_open(filled: SqliteStore, path: Path) -> None:
    """Another process that has the file open and has read from it does not keep the words there."""
    script = (
        "import sys; from pathlib import Path\n"
        "from mem0g.store.sqlite import SqliteStore; from tests.making import BOB\n"
        f"store = SqliteStore(Path({str(path)!r})); print(store.stats().facts, flush=True); sys.stdin.readline()\n"
        "print(store.stats().facts, store.stats(BOB).facts, flush=True); sys.stdin.readline()"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline().strip() == str(5 * MANY)
        assert filled.forget(Scope("ann")).complete
        assert set(traces(path.parent).values()) == {0}
        print(file=other.stdin, flush=True)
        assert other.stdout.readline().split() == [str(MANY), str(MANY)]
        filled.close()
        print(file=other.stdin, flush=True)
        other.wait()
    assert traces(path.parent) == {"memory.db": 0}


def test_a_reader_delays_it(filled: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where another reads the file just then, the receipt and the log say so, and the next opening sees to it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM fact").fetchone()
        assert not filled.forget(Scope("ann")).complete
        assert "traces" in caplog.text
        assert sum(traces(path.parent).values()) > 0
        assert dumped(filled, Scope("ann")) == []
        reader.execute("COMMIT")
    with closing(SqliteStore(path)):
        assert set(traces(path.parent).values()) == {0}


@pytest.mark.slow
def test_death_after_the_rows_are_gone(filled: SqliteStore, path: Path) -> None:
    """A process that dies before the file was written anew leaves that to the next one that opens it."""
    filled.close()
    script = (
        "import os; from pathlib import Path; from mem0g.model import Scope\n"
        "from mem0g.store.sqlite import store as module\n"
        f"store = module.SqliteStore(Path({str(path)!r}))\n"
        "module.sweep = lambda *given: os._exit(9)\n"
        "store.forget(Scope('ann'))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    assert sum(traces(path.parent).values()) > 0
    with closing(SqliteStore(path)) as store:
        assert set(traces(path.parent).values()) == {0}
        assert store.stats().facts == MANY


def test_another_forgets_while_a_sweep_ends(path: Path) -> None:
    """What another process forgets after a sweep has written the file anew still waits for its own sweep."""
    with closing(SqliteStore(path)) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        leave_to_sweep(store._connection)

        def interfere(statement: str) -> None:
            if statement.startswith("DELETE FROM meta"):
                store._connection.set_trace_callback(None)
                leave_to_sweep(other)

        store._connection.set_trace_callback(interfere)
        assert sweep(store._connection)
        assert store._connection.execute("SELECT 1 FROM meta WHERE key = 'unswept'").fetchone()
        assert sweep(store._connection)
        assert not store._connection.execute("SELECT 1 FROM meta WHERE key = 'unswept'").fetchone()


def test_words_of_other_scopes_that_stood_on_them(path: Path) -> None:
    """Facts, decisions, names and reasons of a wider scope leave no bytes behind either."""
    with closing(SqliteStore(path)) as store:
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        fill_two_scopes(store)
        store.forget(Scope(user_id="ann"))
        found = {each.name: each.read_bytes().lower() for each in path.parent.iterdir()}
        assert [name for name, held in found.items() if b"zanzibar" in held or b"annika" in held] == []
        assert b"bergen" in found["memory.db"]


def test_old_files_keep_no_words_in_free_pages(path: Path) -> None:
    """What an older mem0g deleted without overwriting it is gone after the next forgetting."""
    with closing(SqliteStore(path)) as store:
        fill(store)
        store._connection.execute("PRAGMA secure_delete = OFF")
        store._connection.execute("DELETE FROM model_call")
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert sum(traces(path.parent).values()) > 0
        store.forget(Scope("ann"))
        assert set(traces(path.parent).values()) == {0}


@pytest.mark.neo4j
@pytest.mark.slow
def test_no_word_is_left_in_neo4j(empty: Neo4jStore, neo4j_server: Server) -> None:
    """No property of any node or relationship of the database holds a word of what was forgotten."""
    fill(empty, FEW)
    empty.save_relation_types(Scope("ann"), [RelationType(name="VISITED", origin="user")])
    fill_two_scopes(empty)
    credentials = (neo4j_server.username, neo4j_server.password) if neo4j_server.password else None
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=credentials) as driver:

        def held() -> str:
            nodes = "MATCH (n) RETURN labels(n) AS kind, properties(n) AS all"
            links = "MATCH ()-[r]->() RETURN type(r) AS kind, properties(r) AS all"
            found = [driver.execute_query(each, database_=neo4j_server.database).records for each in (nodes, links)]
            return json.dumps(
                [[record["kind"], record["all"]] for each in found for record in each], default=str
            ).lower()

        wanted = [word.lower() for place in PLACES for word in words(place, FEW)]
        before = held()
        assert all(word in before for word in wanted)
        receipt = empty.forget(Scope("ann"))
        after = held()
        assert [word for word in (*wanted, "zanzibar", "annika") if word in after] == []
        assert f"oslo{FEW - 1}" in after
        assert "bergen" in after
        assert receipt.facts == 4 * FEW + 1


def test_replies_go_with_the_calls(tmp_path: Path, replies: Path) -> None:
    """Forgetting removes from the reply cache what a model answered for the scope, and nothing else."""
    settings = Settings(llm=LLMSettings(cache=replies))
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="none", settings=settings) as memory:
        for scope, person in ((ANN, "ann"), (BOB, "bob")):
            write(memory.store, change(scope, calls=(call("c_1", scope, key=f"key of {person}"),)))
        receipt = memory.forget(user_id="ann")
    assert (receipt.replies, receipt.notes) == (1, 1)
    assert b"ann" not in replies.read_bytes()
    assert ReplyCache(replies).reply("key of bob") is not None


def test_replies_go_with_an_erased_message(tmp_path: Path, replies: Path) -> None:
    """A reply may quote it, so all of its scope go, as those kept in the store do; with a fact alone none goes."""
    settings = Settings(llm=LLMSettings(cache=replies))
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="none", settings=settings) as memory:
        memory.add("I like Zanzibar.", user_id="ann")
        memory.add_fact(subject="Ann", relation="likes", object="Zanzibar", user_id="ann")
        for scope, person in ((ANN, "ann"), (BOB, "bob")):
            write(memory.store, change(scope, calls=(call("c_1", scope, key=f"key of {person}"),)))
        assert memory.erase(memory.facts(user_id="ann")[0].id, user_id="ann").replies == 0
        assert b"ann" in replies.read_bytes()
        receipt = memory.erase(memory.messages(user_id="ann")[0].id, user_id="ann")
    assert (receipt.messages, receipt.replies) == (1, 1)
    assert b"ann" not in replies.read_bytes()
    assert ReplyCache(replies).reply("key of bob") is not None


def test_forgetting_one_run(filled: SqliteStore) -> None:
    """Forgetting one run leaves the user's other words."""
    filled.forget(Scope("ann", run_id="r7"))
    assert filled.stats(ANN).facts == 2 * MANY
    assert filled.stats(RUN).facts == 0
