"""Makes a file of the newest layout one of an older layout."""

from __future__ import annotations

import sqlite3

from mem0g.store.sqlite.packing import packed_dimensions, unpacked


def index_texts(raw: sqlite3.Connection) -> None:
    """Make a file of version 8 one of version 7: full-text indexes, and vectors of float32."""
    for table in ("message", "passage", "fact"):
        raw.execute(
            f"CREATE VIRTUAL TABLE {table}_terms USING fts5 (keys, terms, tokenize = 'unicode61 remove_diacritics 0')"
        )
        for number, keys, stems in raw.execute(f"SELECT n, keys, stems FROM {table}_stems").fetchall():
            row = (number, " ".join(f"k{key}" for key in range(keys)), stems)
            raw.execute(f"INSERT INTO {table}_terms (rowid, keys, terms) VALUES (?, ?, ?)", row)
        raw.execute(f"DROP TABLE {table}_stems")
    for table in ("message", "passage", "entity", "fact"):
        for number, blob in raw.execute(f"SELECT n, vector FROM {table}_vector").fetchall():
            (vector,) = unpacked([blob], packed_dimensions(len(blob)))
            raw.execute(f"UPDATE {table}_vector SET vector = ? WHERE n = ?", (vector.astype("<f4").tobytes(), number))


def drop_metadata(raw: sqlite3.Connection) -> None:
    """Make a file of version 8 one of version 6."""
    index_texts(raw)
    for table in ("message", "fact"):
        raw.execute(f"DROP INDEX {table}_metadata")
        raw.execute(f"ALTER TABLE {table} DROP COLUMN metadata")


def drop_passages(raw: sqlite3.Connection) -> None:
    """Make a file of version 8 one of version 5."""
    drop_metadata(raw)
    for table in ("passage", "passage_vector", "passage_terms"):
        raw.execute(f"DROP TABLE {table}")
