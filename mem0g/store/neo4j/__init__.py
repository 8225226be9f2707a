"""The store in a Neo4j database: docs/graph.md describes its layout, ``cypher/`` holds its queries."""

from mem0g.store.neo4j.store import Neo4jStore

__all__ = ["Neo4jStore"]
