"""The connection to a Neo4j server: its address, errors and queries."""
