"""Stores on a real Neo4j, as tests/store has them."""

from __future__ import annotations

from tests.store.conftest import cleared_server, connected, empty

__all__ = ["cleared_server", "connected", "empty"]
