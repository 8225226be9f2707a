"""A conversation with a language model that remembers."""
