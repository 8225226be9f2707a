"""What is made for one memory in Neo4j Browser: a style, saved queries, a tour; and a server for them."""
