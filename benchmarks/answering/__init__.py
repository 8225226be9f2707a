"""Answers to questions from what a memory gives back, and their marks, as in the Mem0 paper (arXiv 2504.19413, §3)."""
