"""Tests of mem0g.chat."""
