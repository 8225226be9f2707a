"""What a model extracts from conversations, beside the triples that a strong model wrote of them."""
