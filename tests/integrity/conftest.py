"""Stores on a real Neo4j, as tests/store has them."""

from __future__ import annotations

from tests.store.conftest import empty, opened

__all__ = ["empty", "opened"]
