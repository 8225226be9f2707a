"""mem0g beside mem0 and graphiti, in one run: calls, tokens, times, and what is stored and found."""
