"""A store whose vector indexes do not filter, on any server: as one that was filled before the server could."""

from __future__ import annotations

from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.maintenance.schema import names, wait
from mem0g.store.neo4j.server.queries import query, statements

FILTERED, UNFILTERED = "in the index", "after it"
"""Where vectors are filtered by scope, as the store's info says it."""


def without_filters(store: Neo4jStore, dimensions: int) -> None:
    """Make the vector indexes of ``store`` as an old server would; until an embedder is claimed, it asks them so."""
    connection = store._connection
    for name in names("lts/vectors"):
        connection.change_schema(query("drop_index"), name=name)
    for statement in statements("lts/vectors"):
        connection.change_schema(statement, dimensions=dimensions)
    wait(connection)
    assert store.info().details["vector filters"] == UNFILTERED
