"""A question to the facts and messages that answer it."""
