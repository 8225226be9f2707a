"""Time and memory of searches in a scope of generated facts."""
