"""What the room needs of a store in Neo4j: its queries, run by name."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Graph(Protocol):
    """A memory that lies in Neo4j."""

    def run(self, name: str, /, **given: Any) -> list[dict[str, Any]]:
        """The rows that the query ``cypher/<name>.cypher`` answers; it only reads."""
        ...
