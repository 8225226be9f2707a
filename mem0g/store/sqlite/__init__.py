"""The embedded store: one SQLite file (WAL, FTS5), vectors in blobs and exact search in memory."""

from mem0g.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
