"""Relation names: which of them are joined as synonyms, and how correctly."""
