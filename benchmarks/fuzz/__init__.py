"""Mutated inputs for every reader of files: none may fail with an unexpected error."""
