"""Plain Neo4j driver queries on the data of a store: the cost of the server itself, without mem0g."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from benchmarks.timing import Task
from mem0g.model import Scope
from mem0g.settings import Settings
from mem0g.store.neo4j.server.address import read_address
from mem0g.store.queries import StoreInfo, key_token, scope_text

if TYPE_CHECKING:
    import neo4j

    from mem0g.model import Vector

TOP = 50
"""Number of nearest facts requested."""

VECTOR, FULL_TEXT, TWO_HOPS = f"vector, top {TOP}", f"full text, top {TOP}", "two hops"
"""The queries that make up a search."""

FEW, MANY = 5, 500
"""Facts in a small commit and in a bulk commit."""

_OWN = "mem0g-benchmark-bare"
"""Scope of the data written here, with which their ids begin."""

_TRIP = "RETURN 1"

_NEAREST = """
CALL db.index.vector.queryNodes('mem0g_fact_embedding', $top, $vector) YIELD node, score
RETURN node.id AS id, node.text AS text, score
"""

_NEAREST_FILTERED = """
CYPHER 25
MATCH (f:Fact) SEARCH f IN (VECTOR INDEX mem0g_fact_embedding FOR $vector
  WHERE f.user_id = $user_id AND f.agent_id = $agent_id AND f.current = true LIMIT $top) SCORE AS score
RETURN f.id AS id, f.text AS text, score
"""

_EXACT = """
MATCH (f:Fact) WHERE f.scope = $scope AND f.n IS NOT NULL
WITH f, vector.similarity.cosine(f.embedding, $vector) AS score ORDER BY score DESC LIMIT $top
RETURN f.id AS id, f.text AS text, score
"""

_FULL_TEXT = """
CALL db.index.fulltext.queryNodes('mem0g_fact_terms', $words, {limit: $top}) YIELD node, score
RETURN node.id AS id, node.text AS text, score
"""

_TWO_HOPS = """
MATCH (e:Entity {id: $id, scope: $scope})-[near]-(other:Entity) WHERE near.current
WITH other LIMIT $top
MATCH (other)-[far]-(end:Entity) WHERE far.current
RETURN other.name AS name, type(far) AS relation, end.name AS far LIMIT $top
"""

_COMMIT = """
UNWIND $rows AS row
MATCH (a:Entity {id: $id, scope: $scope})
CREATE (b:Entity {id: row.id, scope: $scope, name: row.text})
CREATE (a)<-[:SUBJECT]-(f:Fact)-[:OBJECT]->(b) SET f = row
CREATE (a)-[:$(row.relation) {fact_id: row.id}]->(b)
"""

_BEGIN = "MERGE (:Entity {id: $id, scope: $scope})"

_REMOVE = """
MATCH (n:Entity|Fact) WHERE n.id STARTS WITH $scope AND n.scope = $scope
WITH n LIMIT $limit DETACH DELETE n RETURN count(*) AS removed
"""


class Bare:
    """A driver session on the database of a store; a context manager that removes what it wrote."""

    def __init__(self, address: str, info: StoreInfo) -> None:
        import neo4j

        read = read_address(address, Settings.from_environment().credentials)
        self._driver = neo4j.GraphDatabase.driver(read.uri, auth=read.auth, notifications_min_severity="OFF")
        self._session: neo4j.Session = self._driver.session(database=read.database)
        self._filters = info.details["vector filters"] == "in the index"
        self._written = 0

    def __enter__(self) -> Self:
        self._clear()  # what a killed run left
        self._run(_BEGIN, id=_OWN, scope=_OWN)
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()
        self._session.close()
        self._driver.close()

    def reading(
        self, name: str, scope: Scope, anchors: Sequence[str], terms: Sequence[str], vectors: Sequence[Vector]
    ) -> dict[str, Task]:
        """Return the queries that make up a search in a scope, called ``name``; each takes the number of the question.

        ``anchors`` (entity ids), ``terms`` (one stem each) and ``vectors`` belong to the questions, in order. The one
        by vector finds what is in the scope if the server's index can filter, else what is in any.
        """
        floats = [vector.tolist() for vector in vectors]
        keys = " ".join(f"+keys:{key_token(*key)}^0" for key in scope.keys.items())
        nearest, given = (_NEAREST_FILTERED, dict(scope.keys)) if self._filters else (_NEAREST, {})
        return {
            f"{VECTOR}, {name}": lambda n: self._run(nearest, top=TOP, vector=floats[n], **given),
            f"{FULL_TEXT}, {name}": lambda n: self._run(_FULL_TEXT, top=TOP, words=f"{keys} +terms:{terms[n]}"),
            f"{TWO_HOPS}, {name}": lambda n: self._run(_TWO_HOPS, top=2 * TOP, id=anchors[n], scope=scope_text(scope)),
        }

    def others(self, middle: Scope, vectors: Sequence[Vector]) -> dict[str, Task]:
        """Return a query that reads nothing, and one that compares a question with all vectors of a small scope."""
        floats = [vector.tolist() for vector in vectors]
        return {
            "round trip": lambda _: self._run(_TRIP),
            f"exact, top {TOP}, middle scope": lambda n: self._run(
                _EXACT, top=TOP, vector=floats[n], scope=scope_text(middle)
            ),
        }

    def writing(self, facts: int, vectors: Sequence[Vector]) -> dict[str, Task]:
        """Return a task that commits ``facts`` facts, each with two links, a typed edge and its other end."""
        floats = [vector.tolist() for vector in vectors]
        return {f"commit of {facts} facts": lambda _: self._commit(facts, floats)}

    def _commit(self, count: int, floats: Sequence[list[float]]) -> None:
        ids = [f"{_OWN}-{number}" for number in range(self._written, self._written + count)]
        self._written += count
        rows = [
            {
                "id": each,
                "scope": _OWN,
                "relation": "BARE",
                "text": f"fact {each}",
                "current": True,
                "embedding": floats[place % len(floats)],
            }
            for place, each in enumerate(ids)
        ]
        self._run(_COMMIT, rows=rows, id=_OWN, scope=_OWN)

    def _clear(self) -> None:
        """Remove what was written here."""
        while self._run(_REMOVE, scope=_OWN, limit=MANY)[0]["removed"]:
            pass

    def _run(self, text: str, **given: Any) -> list[Any]:
        return self._session.execute_write(lambda transaction: list(transaction.run(text, given)))
