"""Stores on a real Neo4j, for changes by hand."""

from __future__ import annotations

from tests.store.conftest import connected, dropped, empty

__all__ = ["connected", "dropped", "empty"]
