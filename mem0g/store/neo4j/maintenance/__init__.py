"""What concerns a whole Neo4j database: its schema, upgrades, checks, dumps, and forgetting."""
