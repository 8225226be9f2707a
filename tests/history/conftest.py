"""Stores on a real Neo4j, for changes by hand."""

from __future__ import annotations

from tests.store.conftest import cleared_server, connected, empty

__all__ = ["cleared_server", "connected", "empty"]
