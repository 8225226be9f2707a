"""A memory into another store or a file, and triples out of a file."""
