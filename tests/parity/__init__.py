"""Comparisons with other programs, each in an environment of its own; not part of the usual run of the tests."""
