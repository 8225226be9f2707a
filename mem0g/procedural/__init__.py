"""Procedural memory: what agents did in their runs, step by step, and the results."""
