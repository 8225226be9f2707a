"""Change a memory by hand and undo decisions; every change keeps what was before it."""
