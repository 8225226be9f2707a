"""Conversations through the whole pipeline with a model, without one: a server of this machine says what is known."""
