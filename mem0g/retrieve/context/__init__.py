"""Hits to the text that a prompt is given."""
