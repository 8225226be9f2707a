"""Conversations through the whole pipeline, with a local server of known replies in place of a language model."""
