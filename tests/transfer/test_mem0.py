"""A graph of mem0's becomes a memory: names, scopes, times, and the second import adds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import neo4j
import pytest

from mem0g.compat.mem0_import import import_edges
from mem0g.errors import NotFoundError
from mem0g.ingest.report import Report
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.transfer.mem0_graph import clean_name, graph_of
from tests.cli.conftest import Shell
from tests.servers.server import Server

SPRING, SUMMER = datetime(2025, 3, 1, 9, tzinfo=UTC), datetime(2025, 7, 9, 18, 30, tzinfo=UTC)
ANN = Scope("ann")


def node(name: object, kind: str = "person", **more: object) -> dict[str, Any]:
    """A node as the query returns it."""
    labels = ["__Entity__", kind]
    return {"name": name, "labels": labels, "user_id": "ann", "agent_id": None, "run_id": None, **more}


def row(source: dict[str, Any], relation: str, target: dict[str, Any], **more: object) -> dict[str, Any]:
    """A relationship as the query returns it, created in spring."""
    created = int(SPRING.timestamp() * 1000)
    times = {"created_at": created, "updated_at": created, "invalidated_at": None, "valid": True}
    return {"source": source, "target": target, "relation": relation, **times, **more}


ANN_NODE, ROME, PARIS = node("ann"), node("rome", "city"), node("paris", "city")
ROWS = [
    row(ANN_NODE, "lives_in", ROME, valid=False, invalidated_at=int(SUMMER.timestamp() * 1000)),
    row(ANN_NODE, "lives_in", PARIS, created_at=int(SUMMER.timestamp() * 1000)),
    row(ANN_NODE, "likes", node("trail_running", "activity")),
    row(node("bob_o'neil"), "is_friend_of", ANN_NODE),
]


def imported(memory: Memory, rows: list[dict[str, Any]]) -> Report:
    """Import rows; answers what was done."""
    return sum(import_edges(memory, graph_of(rows, "neo4j://host").edges), start=Report())


@pytest.mark.parametrize(
    ("name", "kind", "clean"),
    [
        ("alice_smith", "person", "Alice Smith"),
        ("new_york", "city", "New York"),
        ("lord_of_the_rings", "book", "Lord of the Rings"),
        ("toby", "dog", "Toby"),
        ("golden_retriever", "dog", "golden retriever"),
        ("sister", "person", "sister"),
        ("her_sister", "person", "her sister"),
        ("trail_running", "activity", "trail running"),
        ("NASA_hq", "organization", "NASA hq"),
        ("ann_lee", "person", "Ann Lee"),
        ("user_id:_ann.lee", "person", "ann.lee"),
        ("ann.lee", "", "ann.lee"),
        ("居住_北京", "city", "居住 北京"),
        ("élodie", "person", "Élodie"),
    ],
)
def test_names(name: str, kind: str, clean: str) -> None:
    """What has a name of its own gets capitals, the user of the scope its id; what is called by a noun does not."""
    assert clean_name(name, kind, Scope("ann.lee")) == clean


def test_facts_as_mem0_has_them(memory: Memory) -> None:
    """Names, sentences, types and times are kept; what mem0 invalidated is history; the second import adds nothing."""
    report = imported(memory, ROWS)
    assert (report.facts, report.retired, report.known) == (4, 1, 0)
    facts = {fact.text: fact for fact in memory.facts(user_id="ann", include_retired=True)}
    assert facts.keys() == {
        "ann lives in Rome.", "ann lives in Paris.", "ann likes trail running.", "Bob O'neil is friend of ann."
    }  # fmt: skip
    rome, paris = facts["ann lives in Rome."], facts["ann lives in Paris."]
    assert (rome.recorded_at, rome.said_at, rome.retired_at) == (SPRING, SPRING, SUMMER)
    assert (rome.subject_type, rome.object_type, str(rome.valid_to)) == ("person", "city", "2025-07-09")
    assert (paris.relation, paris.current, paris.subject_id) == ("LIVES_IN", True, rome.subject_id)
    assert memory.history(rome.id, user_id="ann")[1][0].reason == "invalidated in mem0's graph"
    assert memory.search("Where does Ann live?", user_id="ann")[0].fact == paris
    before = memory.decisions(user_id="ann"), memory.stats(user_id="ann")
    assert imported(memory, ROWS) == Report(known=4)
    assert (memory.decisions(user_id="ann"), memory.stats(user_id="ann")) == before
    assert memory.verify() == ()


def test_beside_what_is_known(tmp_path: Path) -> None:
    """A fact that the memory has is confirmed; one that a user has retired since the import does not come back."""
    with Memory.open(tmp_path / "memory.db", extractor="rules") as memory:
        memory.add_fact(subject="ann", relation="lives_in", object="Paris", user_id="ann")
        first = imported(memory, ROWS)
        assert (first.facts, first.confirmed) == (3, 1)
        likes = next(fact for fact in memory.facts(user_id="ann") if fact.relation == "LIKES")
        memory.retire(likes.id, user_id="ann")
        more = [*ROWS, row(ANN_NODE, "works_at", node("acme", "company"))]
        assert imported(memory, more) == Report(known=4, triples=1, facts=1, entities=1)
        assert {fact.relation for fact in memory.facts(user_id="ann")} == {"LIVES_IN", "HAS_FRIEND", "WORKS_AT"}


def test_scopes(tmp_path: Path) -> None:
    """A fact is of the ids that both ends have; one without a common id, or with an unusable name, is left out."""
    shared = {"agent_id": "coach"}
    rows = [
        row(node("ann", **shared), "likes", node("tea", "drink", **shared)),
        row(node("ann", **shared), "likes", node("chess", "game")),
        row(node("ann"), "likes", node("go", "game", user_id="bob")),
        row(node("ann"), "likes", node("", "game")),
        row(node("ann"), "likes", node(7, "game")),
        row(node("ann"), "likes", node("x" * 1001, "game")),
    ]
    graph = graph_of(rows, "neo4j://host")
    assert (graph.scopes, graph.unusable) == ((ANN, Scope("ann", "coach")), 4)
    assert [edge.triple.object for edge in graph.within(Scope("ann", "coach")).edges] == ["tea"]
    with pytest.raises(NotFoundError, match="user_id=zoe") as caught:
        graph.within(Scope("zoe"))
    assert "user_id=ann" in str(caught.value.hint)


def test_times_and_doubles() -> None:
    """Times may be missing, of Neo4j's own type or absurd; of two nodes of one name, the current fact counts."""
    ended = neo4j.time.DateTime(2025, 7, 9, tzinfo=UTC)
    rows = [
        row(ANN_NODE, "likes", ROME, valid=False, created_at=None, updated_at=None, invalidated_at=ended),
        row(ANN_NODE, "likes", PARIS, created_at=10**18, updated_at=True, valid=None),
        row(ANN_NODE, "hates", ROME, valid=False),
        row(ANN_NODE, "hates", node("rome", "place")),
    ]  # fmt: skip
    edges = {edge.triple.text: edge for edge in graph_of(rows, "neo4j://host").edges}
    liked_rome, liked_paris, hated = (edges[f"ann {each}."] for each in ("likes Rome", "likes Paris", "hates Rome"))
    assert (liked_rome.created_at, liked_rome.ended_at) == (None, datetime(2025, 7, 9, tzinfo=UTC))
    assert (liked_paris.created_at, liked_paris.updated_at, liked_paris.current) == (None, None, True)
    assert hated.current


WRITTEN = """
UNWIND $facts AS fact
MERGE (source:`__Entity__` {name: fact[0], user_id: fact[3]})
ON CREATE SET source.created = timestamp(), source.mentions = 1, source:person
MERGE (destination:`__Entity__` {name: fact[2], user_id: fact[3]})
ON CREATE SET destination.created = timestamp(), destination.mentions = 1, destination:city
SET source.embedding = [0.5, 0.5], destination.embedding = [0.5, 0.5]
MERGE (source)-[r:$(fact[1])]->(destination)
ON CREATE SET r.created_at = timestamp(), r.updated_at = timestamp(), r.mentions = 1, r.valid = true
"""
"""What MemoryGraph._add_entities of mem0 1.0.11 runs for a fact between two new nodes."""

INVALIDATED = """
MATCH (n:`__Entity__` {name: $name, user_id: $user})-[r]->(m:`__Entity__`)
WHERE r.valid IS NULL OR r.valid = true
SET r.valid = false, r.invalidated_at = datetime()
"""
"""What MemoryGraph._delete_entities runs."""


@pytest.fixture
def mem0_graph(cleared_server: Server) -> Iterator[Server]:
    """A server with a graph as mem0 writes it."""
    server = cleared_server
    auth = (server.username, server.password) if server.password else None
    facts = [
        ["ann_mem0", "lives_in", "rome", "ann_mem0"],
        ["carla_diaz", "works_in", "paris", "ann_mem0"],
        ["bob", "lives_in", "oslo", "bob_mem0"],
    ]
    with neo4j.GraphDatabase.driver(server.uri, auth=auth, notifications_min_severity="OFF") as driver:
        driver.execute_query(WRITTEN, {"facts": facts}, database_=server.database)
        driver.execute_query(INVALIDATED, {"name": "carla_diaz", "user": "ann_mem0"}, database_=server.database)
        yield server
        driver.execute_query("MATCH (n:`__Entity__`) DETACH DELETE n", database_=server.database)


@pytest.mark.neo4j
def test_the_command(mem0_graph: Server, tmp_path: Path, minilm: None) -> None:
    """A dry run counts and writes nothing; the import writes a scope, or all; a second one says that all was there."""
    shell, server = Shell(tmp_path), mem0_graph
    login = ["--username", server.username, *(["--password", server.password] if server.password else [])]
    command = ("import", "mem0-neo4j", server.uri, *login, "--database", server.database)
    assert "3 facts, 1 of them no longer true, about 6 names in 2 scopes" in shell.ok(*command, "--dry-run")
    assert not shell.store.exists()
    assert "2 facts added, 1 of them retired" in shell.ok(*command, "--user", "ann_mem0")
    assert "1 facts added, 0 of them retired, about 2 entities; 2 were imported before" in shell.ok(*command)
    assert "0 facts added, 0 of them retired, about 0 entities; 3 were imported before" in shell.ok(*command)
    (carla,) = [each for each in shell.json("facts", "--user", "ann_mem0", "--include-retired") if not each["current"]]
    assert carla["text"] == "Carla Diaz works in Paris."
    assert "has no facts of user_id=zoe" in shell.fails(*command, "--user", "zoe")
    if server.password:
        assert "rejects the user 'nobody'" in shell.fails(*command[:3], "--username", "nobody", "--password", "hush")


@pytest.mark.neo4j
def test_no_graph_of_mem0(cleared_server: Server, tmp_path: Path) -> None:
    """A database without one is refused, and no store is made."""
    shell, server = Shell(tmp_path), cleared_server
    login = ["--username", server.username, *(["--password", server.password] if server.password else [])]
    said = shell.fails("import", "mem0-neo4j", server.uri, *login, "--database", server.database)
    assert "holds no graph of mem0's" in said or "is empty" in said
    assert not shell.store.exists()


def test_what_is_refused(tmp_path: Path, nowhere: str) -> None:
    """An address of another kind, a server that is not there, and options of the one kind with the other."""
    shell = Shell(tmp_path)
    assert "not the address of a Neo4j database" in shell.fails("import", "mem0-neo4j", str(tmp_path / "x.db"))
    assert "no Neo4j answers" in shell.fails("import", "mem0-neo4j", nowhere.replace("http", "bolt"))
    assert "'zep' is not a graph that can be imported" in shell.fails("import", "zep", "neo4j://host")
    assert "mem0-neo4j URI" in shell.fails("import", shell.file("export.jsonl", "{}"), "--user", "ann")
    assert "mem0-neo4j URI" in shell.fails("import", "-", "--dry-run", stdin="{}")
