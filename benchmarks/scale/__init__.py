"""Neo4j with a hundred thousand facts of many scopes: times of searches and commits."""
