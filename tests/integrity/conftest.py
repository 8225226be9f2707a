"""Stores on a real Neo4j, as tests/store has them."""

from __future__ import annotations

from tests.store.conftest import connected, dropped, empty

__all__ = ["connected", "dropped", "empty"]
