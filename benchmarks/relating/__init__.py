"""Relation names: how far they are folded, and how rightly."""
