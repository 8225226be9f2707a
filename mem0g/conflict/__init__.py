"""Decide what the new triples of a window do to the known facts."""
