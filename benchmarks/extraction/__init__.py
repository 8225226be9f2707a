"""What a model extracts from conversations, compared with a strong model's reference triples."""
