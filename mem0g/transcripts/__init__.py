"""Readers of transcript formats."""
