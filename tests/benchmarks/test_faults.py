"""A small run of the faults benchmark, and tests that it detects faults."""

from __future__ import annotations

import json
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from benchmarks.__main__ import main
from benchmarks.faults import writers
from benchmarks.faults.checks import contents_at, problems
from benchmarks.faults.children import Child, journal, watch
from benchmarks.faults.command import on_server
from benchmarks.faults.concurrency import history
from benchmarks.faults.disruptions import Cuts
from benchmarks.faults.inputs import reply, utterances
from benchmarks.faults.places import USER, Place, scope_of
from benchmarks.faults.proxy import proxy
from benchmarks.faults.rounds import Ground, Tally
from benchmarks.pipeline.serving import serving
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from tests.servers.fixtures import StartLocal
from tests.servers.server import Server

pytestmark = pytest.mark.slow

CLEAN = {"lost": 0, "doubled": 0, "torn": 0, "unequal": 0, "errors": 0}


def wrong(tally: Tally) -> tuple[dict[str, object], list[str]]:
    """The problems in a row, by kind, with their descriptions."""
    row = tally.row()
    return {name: row[name] for name in CLEAN}, tally.found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A file with the conversation in it."""
    made = Place(str(tmp_path / "memory.db"))
    with made.memory() as memory:
        memory.add(utterances(20), user_id=USER)
    return made


def test_twenty_kills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is killed, nothing is lost, doubled or torn, and every run ends like an undisturbed one."""
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["faults", "--kills", "20", "--seed", "1", "--out", str(out)])
    said = capsys.readouterr().err
    assert not ended.value.code, said
    rows = json.loads(out.read_text())["rows"]
    assert sum(row["kills"] for row in rows) >= 20
    assert [{name: row[name] for name in CLEAN} for row in rows] == [CLEAN] * len(rows), said
    assert all(row["acknowledged"] for row in rows)
    assert {"ingest, model", "reindex beside a writer", "two writers", "file size limit"} <= {r["method"] for r in rows}


def test_a_server(local_neo4j: StartLocal, tmp_path: Path) -> None:
    """Writers are killed, connections are cut, the server is killed: the same holds."""
    named = ("import", "connections cut", "server killed")
    with local_neo4j() as server, serving(reply, 0.0) as chat:
        ground = Ground(Place(server.uri), tmp_path, chat.address)
        tallies = list(on_server(ground, 4, 2, named, server))
    assert [tally.method for tally in tallies] == list(named)
    assert [wrong(tally) for tally in tallies] == [(CLEAN, [])] * len(named)
    assert all(tally.kills for tally in tallies)


def test_a_history_of_a_file(tmp_path: Path) -> None:
    """Processes and threads add, move and read at once: all is stored once, in order, and never read in part."""
    ran = history(Place(str(tmp_path / "memory.db")), tmp_path, "sqlite", processes=2, threads=3, steps=12, seed=3)
    assert wrong(ran) == (CLEAN, [])
    assert ran.acknowledged


@pytest.mark.alters_schema
def test_a_history_of_a_server(empty: Neo4jStore, neo4j_server: Server, tmp_path: Path) -> None:
    """The same on a server."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    place = Place(neo4j_server.uri, credentials)
    ran = history(place, tmp_path, "neo4j", processes=2, threads=2, steps=5, seed=3)
    assert wrong(ran) == (CLEAN, [])
    assert ran.acknowledged


@pytest.mark.parametrize(
    ("break_it", "problem"),
    [
        ("DELETE FROM message WHERE id = (SELECT message FROM evidence LIMIT 1)", "stands on no message"),
        ("DELETE FROM entity WHERE id = (SELECT object FROM fact LIMIT 1)", "the store counts"),
        ("DELETE FROM message_vector WHERE n = 3", "has no vector"),
        (
            "UPDATE fact_vector SET vector = (SELECT vector FROM fact_vector WHERE n = 1)",
            "is not of hashing",
        ),
        ("DELETE FROM message_stems WHERE n = 2", "a message without full text"),
        ("DELETE FROM fact_stems WHERE n = 2", "a fact without full text"),
        ("DELETE FROM succession", "is retired without a reason"),
        ("DELETE FROM decision", "nothing decided on"),
        ("UPDATE message SET position = 0", "positions up to"),
    ],
)
def test_what_is_torn_is_noticed(place: Place, break_it: str, problem: str) -> None:
    """A store that was corrupted by hand is reported."""
    assert problems(place) == set()
    with closing(sqlite3.connect(place.address)) as connection, connection:
        connection.execute(break_it)
    assert [each for each in problems(place) if problem in each]


def test_contents_tell_runs_apart(place: Place, tmp_path: Path) -> None:
    """Equal runs have equal contents, a shorter one fewer."""
    contents = []
    for count in (20, 18):
        other = Place(str(tmp_path / f"{count}.db"))
        with other.memory() as memory:
            memory.add(utterances(20)[:count], user_id=USER)
        contents.append(contents_at(other, scope_of(USER)))
    mine = contents_at(place, scope_of(USER))
    assert mine == contents[0]
    assert mine - contents[1]


def _acknowledge_and_wait(acknowledge: Callable[..., None]) -> None:
    acknowledge("one", "two")
    time.sleep(600)


def _fail(acknowledge: Callable[..., None]) -> None:
    acknowledge("one")
    raise LookupError("nothing there")


def test_a_killed_child_leaves_what_it_said(tmp_path: Path) -> None:
    """What a child acknowledged before it was killed is in the journal; the error of another one is known."""
    children = [Child(_acknowledge_and_wait), Child(_fail)]
    with journal(tmp_path / "journal") as kept:
        watch(children, kept, [0.2, None])
    lines = (tmp_path / "journal").read_text().splitlines()
    assert sorted(json.loads(line) for line in lines) == [["one"], ["one", "two"]]
    assert [child.killed for child in children] == [True, False]
    assert "LookupError: nothing there" in children[1].error


def _answer(one: socket.socket) -> None:
    with one, suppress(OSError):
        while data := one.recv(4096):
            one.sendall(data)


def _accept(listening: socket.socket) -> None:
    with suppress(OSError):  # closed
        while True:
            threading.Thread(target=_answer, args=(listening.accept()[0],), daemon=True).start()


@pytest.fixture
def echo() -> Iterator[str]:
    """The address of a server that echoes its input."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_accept, args=(listening,))
        thread.start()
        yield f"bolt://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def _sent(port: int) -> int:
    """Return the bytes echoed before the connection ends."""
    sent = 0
    with socket.create_connection(("127.0.0.1", port)) as driver, suppress(ConnectionError):
        while sent < 1_000_000:
            driver.sendall(bytes(100))
            if not driver.recv(4096):
                break
            sent += 100
    return sent


def test_a_line_is_cut(echo: str) -> None:
    """Bytes pass both ways until their number is reached; then nothing more arrives, in each manner of cutting."""
    cuts = Cuts(Random(4))
    with proxy(echo, cuts) as line:
        sent = [_sent(int(line.uri.rpartition(":")[2])) for _ in range(6)]
    assert cuts.count == 6
    assert max(sent) < 200_000
    assert len(set(sent)) > 1


def test_work_that_nobody_kills(tmp_path: Path) -> None:
    """A child that is not killed finishes, and has acknowledged every message."""
    place = Place(str(tmp_path / "memory.db"))
    with journal(tmp_path / "journal") as kept:
        child = Child(writers.add, place, 6, USER)
        watch([child], kept, [None])
    assert child.done
    assert kept.keys == [f"m{number}" for number in range(6)]
