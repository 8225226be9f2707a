"""Change a memory by hand and undo decisions; every change records the state before it."""
