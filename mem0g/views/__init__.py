"""The graph drawn in other formats."""
