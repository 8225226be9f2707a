"""Candidates to hits in the order of their scores."""
