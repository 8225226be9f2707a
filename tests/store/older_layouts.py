"""Makes a file of the newest layout one of an older layout."""

from __future__ import annotations

import sqlite3


def drop_metadata(raw: sqlite3.Connection) -> None:
    """Make a file of version 7 one of version 6."""
    for table in ("message", "fact"):
        raw.execute(f"DROP INDEX {table}_metadata")
        raw.execute(f"ALTER TABLE {table} DROP COLUMN metadata")


def drop_passages(raw: sqlite3.Connection) -> None:
    """Make a file of version 7 one of version 5."""
    drop_metadata(raw)
    for table in ("passage", "passage_vector", "passage_terms"):
        raw.execute(f"DROP TABLE {table}")
