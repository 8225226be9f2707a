"""Makes files of older layouts, empty ones or of a file of the newest layout."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from mem0g.store.sqlite.maintenance.upgrading import UPGRADES, statements
from mem0g.store.sqlite.opening import APPLICATION_ID
from mem0g.store.sqlite.packing import packed_dimensions, unpacked

FIRST = Path(__file__).with_name("sqlite_1.sql")
"""The schema of version 1."""

TIMES = {
    "message": ("time", "recorded_at"),
    "entity": ("created_at", "updated_at"),
    "fact": ("starts", "ends", "said_at", "recorded_at", "retired_at"),
    "succession": ("at",),
    "decision": ("at",),
}
"""The times of each table that were texts before version 8."""


def create(raw: sqlite3.Connection, version: int) -> None:
    """Create the tables of an older version in an empty file."""
    raw.executescript(FIRST.read_text(encoding="utf-8"))
    for name in UPGRADES[: version - 1]:
        for statement in statements(name):
            raw.execute(statement)
    raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    raw.execute(f"PRAGMA user_version = {version}")


def _write_times(raw: sqlite3.Connection) -> None:
    """Make the times ISO 8601 with microseconds, in columns of texts."""
    for table, times in TIMES.items():
        sql = "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC"
        (create,), *indexes = raw.execute(sql, (table,)).fetchall()
        columns = [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
        for name in times:
            create = re.sub(rf"\b{name} INTEGER", f"{name} TEXT", create)
        raw.execute(re.sub(rf'CREATE TABLE "?{table}"?', f"CREATE TABLE {table}_7", create))
        values = (_written(name) if name in times else name for name in columns)
        raw.execute(f"INSERT INTO {table}_7 ({', '.join(columns)}) SELECT {', '.join(values)} FROM {table}")
        raw.execute(f"DROP TABLE {table}")
        raw.execute(f"ALTER TABLE {table}_7 RENAME TO {table}")
        for (index,) in indexes:
            raw.execute(index)


def _written(name: str) -> str:
    """Return the SQL of a time as text; the remainder is that of a division that rounds down, also before 1970."""
    part = f"(({name} % 1000000 + 1000000) % 1000000)"
    return f"strftime('%Y-%m-%dT%H:%M:%S', ({name} - {part}) / 1000000, 'unixepoch') || printf('.%06d+00:00', {part})"


def drop_offsets(raw: sqlite3.Connection) -> None:
    """Make a file of version 9 one of version 8."""
    raw.execute("ALTER TABLE message DROP COLUMN utc_offset")


def index_texts(raw: sqlite3.Connection) -> None:
    """Make a file of version 9 one of version 7: full-text indexes, vectors of float32, and times as texts."""
    drop_offsets(raw)
    _write_times(raw)
    for table in ("entity_name", "entity_token"):
        raw.execute(f"CREATE INDEX {table}_entity ON {table} (entity)")
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
    """Make a file of version 9 one of version 6."""
    index_texts(raw)
    for table in ("message", "fact"):
        raw.execute(f"DROP INDEX {table}_metadata")
        raw.execute(f"ALTER TABLE {table} DROP COLUMN metadata")


def drop_passages(raw: sqlite3.Connection) -> None:
    """Make a file of version 9 one of version 5."""
    drop_metadata(raw)
    for table in ("passage", "passage_vector", "passage_terms"):
        raw.execute(f"DROP TABLE {table}")
