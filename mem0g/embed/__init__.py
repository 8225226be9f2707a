"""Texts to vectors."""
