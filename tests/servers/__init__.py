"""A real Neo4j for tests, benchmarks and `make neo4j`: given, in a container, or from Maven Central."""
