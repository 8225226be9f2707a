"""Several processes write to one database at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from mem0g.errors import StoreError
from mem0g.model import Scope
from mem0g.settings import Settings
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.rows import Row, scope_row
from mem0g.store.neo4j.server.connection import Run
from mem0g.store.queries import scope_text
from mem0g.store.sqlite import SqliteStore
from tests.servers.server import Server
from tests.store.fixtures import open_neo4j
from tests.store.ingested import DEMO, ROOT, TALK, ingest_result, memory_over

INGEST = """
import sys
from tests.store.test_neo4j_together import ingest
ingest(sys.argv[1], sys.argv[2])
"""


def ingest(uri: str, user: str) -> None:
    """What each process does: say that it is ready, wait for a word, open the store, and ingest."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    with memory_over(Neo4jStore(uri, Settings.from_environment().credentials)) as memory:
        memory.add(TALK, user_id=user)


def at_once(server: Server, users: Sequence[str]) -> None:
    """Ingest the talk for these users, each in a process of its own, all at once."""
    environment = {**os.environ, "NEO4J_USERNAME": server.username, "NEO4J_PASSWORD": server.password or ""}
    pipe = subprocess.PIPE
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", INGEST, server.uri, user],
                    cwd=ROOT,
                    env=environment,
                    stdin=pipe,
                    stdout=pipe,
                    stderr=pipe,
                    text=True,
                )
            )
            for user in users
        ]
        for each in running:
            assert each.stdout is not None
            assert each.stdout.readline() == "ready\n"
        for each in running:
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        told = [each.communicate() for each in running]
    assert [each.returncode for each in running] == [0] * len(users), told
    assert all("Traceback" not in each[1] for each in told)


@pytest.mark.slow
def test_one_scope(empty: Neo4jStore, neo4j_server: Server, tmp_path: Path) -> None:
    """Two processes that ingest one talk into one scope make what one makes: nothing twice, no window torn."""
    alone = SqliteStore(tmp_path / "alone.db")
    memory_over(alone).add(TALK, user_id="demo")
    at_once(neo4j_server, ["demo", "demo"])
    assert ingest_result(empty) == ingest_result(alone)
    alone.close()


@pytest.mark.slow
@pytest.mark.alters_schema
def test_scopes_of_a_new_database(empty: Neo4jStore, neo4j_server: Server, tmp_path: Path) -> None:
    """Processes that make the database ready at once, and then ingest, keep out of each other's way."""
    users = ("demo", "other", "third", "fourth")
    empty.drop()
    at_once(neo4j_server, users)
    empty.prepare()
    alone = SqliteStore(tmp_path / "alone.db")
    for user in users:
        memory_over(alone).add(TALK, user_id=user)
        scope = Scope(user_id=user)
        assert ingest_result(empty, scope) == ingest_result(alone, scope)
    alone.close()


@pytest.mark.slow
@pytest.mark.alters_schema
def test_constraints_are_created_by_one_process_at_a_time(empty: Neo4jStore, neo4j_server: Server) -> None:
    """Of two that create the same one at once, the server would end one, and leave an index that is never filled."""
    empty.drop()
    for _ in range(3):
        with ThreadPoolExecutor(6) as pool:
            stores = list(pool.map(lambda _: open_neo4j(neo4j_server), range(6)))
        assert [store.info().problems for store in stores] == [()] * len(stores)
        stores[0].drop()
        for store in stores:
            store.close()
    empty.prepare()


def take(run: Run, scope: Scope) -> list[Row]:
    """Take the lock of a scope."""
    asked = {"ids": [], "learns": False, "held": "", "sessions": [], "tenant": scope_text(scope.tenant)}
    return run("begin", **asked, **scope_row(scope))


def test_a_deadlock_is_tried_again(empty: Neo4jStore, caplog: pytest.LogCaptureFixture) -> None:
    """Two transactions that each wait for a scope the other has: the server ends one, which is begun anew."""
    scopes = [Scope(user_id="one"), Scope(user_id="two")]
    met, tries = threading.Barrier(2), [0, 0]

    def cross(place: int) -> None:
        def work(run: Run) -> list[Row]:
            tries[place] += 1
            take(run, scopes[place])
            if tries[place] == 1:
                met.wait()
            return take(run, scopes[1 - place])

        empty._connection.write(work)

    for scope in scopes:
        empty._connection.write(lambda run, scope=scope: take(run, scope))  # type: ignore[misc]
    threads = [threading.Thread(target=cross, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(tries) == [1, 2]
    assert not [each for each in caplog.records if each.name.startswith("mem0g")]
    assert set(empty.stats().scopes) == set(scopes)


def test_a_transaction_that_fails_leaves_the_scope_to_others(empty: Neo4jStore) -> None:
    """An error within a window undoes it, and lets go of the scope."""

    def work(run: Run) -> None:
        take(run, DEMO)
        raise StoreError("no more", hint="stop")

    with pytest.raises(StoreError, match="no more"):
        empty._connection.write(work)
    assert scope_text(DEMO) not in [
        row["scope"] for row in empty.run("scopes", user_id=None, agent_id=None, run_id=None)
    ]
    memory_over(empty).add("I live in Oslo.", user_id="demo")
    assert empty.stats(DEMO).messages == 1
