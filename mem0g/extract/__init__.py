"""Messages to triples."""
