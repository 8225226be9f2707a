"""Question answering from retrieved contexts, and its scores, as in the Mem0 paper (arXiv 2504.19413, §3)."""
