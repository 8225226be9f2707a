"""The relation registry."""
