"""The saved queries, on a real Neo4j, and the zip that is dropped on Browser."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from mem0g.browser.contents import Contents, read_contents
from mem0g.browser.saved import SavedQuery, parameters, saved_queries, zip_queries
from mem0g.model import Scope
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.server.queries import query as query_text
from tests.browser.worlds import hostile, town
from tests.making import ANN, BOB
from tests.servers.server import Server

QUERIES = {query.path: query for query in saved_queries()}
VALUES = {"scopes", "person", "people", "relation", "day", "words"}


@pytest.fixture(scope="module")
def driver(neo4j_server: Server) -> Iterator[neo4j.Driver]:
    """Runs the text that a person runs, past the store."""
    auth = (neo4j_server.username, neo4j_server.password) if neo4j_server.password else None
    with neo4j.GraphDatabase.driver(
        neo4j_server.uri, auth=auth, notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF
    ) as opened:
        opened.verify_connectivity()
        yield opened


@pytest.fixture(scope="module")
def memories(store: Neo4jStore) -> dict[str, Contents]:
    """A town of Ann's and a hostile memory of Bob's."""
    store.load(iter([town(ANN), hostile(BOB)]))
    return {"town": read_contents(store, user_id="ann"), "hostile": read_contents(store, user_id="bob")}


def graph(driver: neo4j.Driver, server: Server, text: str) -> neo4j.graph.Graph:
    """What a query draws."""
    return driver.execute_query(text, database_=server.database, result_transformer_=neo4j.Result.graph)


def test_the_queries_there_are() -> None:
    """What one may want to ask is there, in folders."""
    assert QUERIES.keys() >= {
        "people/everything-known-about-a-person",
        "people/who-knows-whom",
        "changes/what-changed-and-why",
        "changes/conflicts-decided-by-the-model",
        "changes/merges",
        "evidence/a-fact-with-its-evidence",
        "time/the-memory-as-of-a-date",
        "time/this-week",
    }


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_each_is_a_file_that_browser_takes(query: SavedQuery) -> None:
    """A title first; a bounded result; one statement; values that a memory has."""
    assert query.text.startswith(f"// {query.title}\n")
    assert "LIMIT" in query.text
    assert ";" not in query.text
    assert parameters(query.text) <= VALUES
    assert "scopes" in parameters(query.text)


def test_titles_differ() -> None:
    """Browser shows nothing else of a query, and no more than 24 letters of it."""
    assert len({query.title[:24] for query in saved_queries()}) == len(saved_queries())
    assert max(len(query.title) for query in saved_queries()) <= 24


@pytest.mark.parametrize("path", QUERIES)
@pytest.mark.parametrize("memory", ["town", "hostile"])
def test_each_draws_a_graph(
    driver: neo4j.Driver, neo4j_server: Server, memories: dict[str, Contents], memory: str, path: str
) -> None:
    """Nodes and relationships, of this memory alone; only the hostile memory has no merge."""
    contents = memories[memory]
    text = QUERIES[path].with_values(contents.values)
    assert text is not None
    drawn = graph(driver, neo4j_server, text)
    if (memory, path) == ("hostile", "changes/merges"):
        assert not drawn.nodes
        return
    assert drawn.nodes
    assert drawn.relationships
    assert {node["scope"] for node in drawn.nodes} == set(contents.scopes)


def test_what_they_answer(driver: neo4j.Driver, neo4j_server: Server, memories: dict[str, Contents]) -> None:
    """Each answers what its title asks."""

    def names(path: str, **more: str) -> set[str]:
        text = QUERIES[path].with_values({**memories["town"].values, **more})
        found = graph(driver, neo4j_server, text or "").nodes
        return {each.get("name") or each.get("text") or each.get("operation") for each in found}

    now, before = "Ann moved to Lisbon.", "Ann lives in Porto."
    assert {"Ann", now, before} <= names("people/everything-known-about-a-person")
    assert {"Ann", "Lisbon", "Porto", "Ben"} <= names("people/a-person-at-a-glance")
    assert {"Ann", "Porto"} <= names("people/a-person-at-a-glance", person="Annie")
    assert names("people/who-knows-whom") == {"Ann", "Ben", "Cho", "Rex"}
    assert names("changes/what-changed-and-why") == {"Ann", now, before, "Ben likes tea.", "Ben"}
    assert names("changes/merges") == {"MERGE", "Ann", "Annie"}
    assert "UPDATE" in names("changes/conflicts-decided-by-the-model")
    assert {now, before, "I moved to Lisbon!", "Ann", "Lisbon"} <= names("evidence/a-fact-with-its-evidence")
    assert before in names("time/the-memory-as-of-a-date", day="2024-03-04")
    assert now not in names("time/the-memory-as-of-a-date", day="2024-03-04")
    assert {now} == {now, before} & names("time/the-memory-as-of-a-date", day="2024-03-05")
    assert {now, before} <= names("time/this-week")
    assert "Ann has the dog Rex." not in names("time/this-week")
    assert names("overview/one-relation") == {"Ann", "Lisbon", "Porto"}
    assert "Porto" not in names("overview/everything-at-a-glance")


@pytest.fixture(scope="module")
def crowd(store: Neo4jStore, driver: neo4j.Driver, neo4j_server: Server) -> None:
    """Memories of others, and a planner that knows how many: for a few nodes it would as well look at all."""
    store.load(town(Scope(user_id=f"one-of-many-{number}")) for number in range(30))
    driver.execute_query("CALL db.prepareForReplanning()", database_=neo4j_server.database)


BROWSE = ("counts", "labels", "types", "entities", "changes", "sentence")


@pytest.mark.parametrize("name", [*(f"browser/{path}" for path in QUERIES), *(f"browse_{name}" for name in BROWSE)])
def test_none_looks_at_all_there_is(
    driver: neo4j.Driver, neo4j_server: Server, memories: dict[str, Contents], crowd: None, name: str
) -> None:
    """In a database of many memories each query looks at its own scopes alone, found through an index."""
    given = {**memories["town"].values, "limit": 5}
    done = driver.execute_query("EXPLAIN " + query_text(name), given, database_=neo4j_server.database)
    scans = [step for step in steps(done.summary.plan) if "Scan" in step]
    assert scans == []


def steps(plan: Any) -> Iterator[str]:
    """The operators of a plan, with what they look at."""
    yield f"{plan['operatorType'].partition('@')[0]} {plan['args'].get('Details', '')}"
    for child in plan.get("children", ()):
        yield from steps(child)


def test_the_zip(memories: dict[str, Contents]) -> None:
    """Folders of queries with the values in them, the same bytes each time; what lacks a value is left out."""
    values = memories["town"].values
    content = zip_queries(values)
    assert content == zip_queries(values)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert set(archive.namelist()) == {f"mem0g/{path}.cypher" for path in QUERIES}
        text = archive.read("mem0g/people/everything-known-about-a-person.cypher").decode()
    assert 'UNWIND ["user_id=ann"] AS scope\nWITH scope, "Ann" AS name' in text
    with zipfile.ZipFile(io.BytesIO(zip_queries({"scopes": []}))) as archive:
        assert "mem0g/changes/merges.cypher" in archive.namelist()
        assert "mem0g/people/who-knows-whom.cypher" not in archive.namelist()
