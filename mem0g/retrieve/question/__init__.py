"""What a question asks about, and what it wants to know."""
