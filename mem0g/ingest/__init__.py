"""From messages to facts: windows, extraction ahead of the commit, what waits, summaries, and what calls cost."""
