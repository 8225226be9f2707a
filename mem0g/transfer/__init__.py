"""Copy a memory to another store, export it to a file and import it, and read triples from a file."""
