"""What the store needs in the database before anything is written: constraints, indexes, and mem0g's note of both."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mem0g.errors import ForeignStoreError, NewerStoreError, OldServerError, ReadOnlyStoreError, StoreError
from mem0g.store.neo4j.connection import Connection
from mem0g.store.neo4j.queries import query, statements

LAYOUT = 1
"""Version of the graph's layout, as docs/graph.md tells it."""

OLDEST = (5, 26)
"""Dynamic labels and types came with Neo4j 5.26."""

FILTERS_SINCE = (2026, 2)
"""Vector indexes that filter came with Neo4j 2026.02."""

POPULATE_SECONDS = 3600
"""How long to wait for an index to be filled; 100,000 vectors take a minute."""

_NAMED = re.compile(r"(INDEX|CONSTRAINT) (mem0g_\w+)")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Server:
    """The server, and what mem0g noted there: ``layout`` and ``embedder`` are None where it was never."""

    version: tuple[int, ...]
    edition: str
    layout: int | None
    embedder: str | None
    dimensions: int | None

    @property
    def filters(self) -> bool:
        """Whether its vector indexes can filter."""
        return self.version >= FILTERS_SINCE

    @property
    def version_text(self) -> str:
        """The version as people write it."""
        year = len(self.version) > 1 and self.version[0] > 2000
        return ".".join(f"{part:02}" if year and place == 1 else str(part) for place, part in enumerate(self.version))


def look(connection: Connection) -> Server:
    """What the server is. Raises OldServerError for one too old, NewerStoreError for a layout of a newer mem0g."""
    (row,) = connection.read(lambda run: run("server"))
    server = Server(read_version(row["version"]), row["edition"], row["layout"], row["embedder"], row["dimensions"])
    check(server, str(connection.address))
    return server


def read_version(text: str) -> tuple[int, ...]:
    """The numbers of a version: ``5.26.30`` or ``2026.08.1``, whatever is behind them."""
    return tuple(int(part) for part in re.findall(r"\d+", text.split("-")[0].split("+")[0]))


def check(server: Server, address: str) -> None:
    """Raise OldServerError or NewerStoreError when this mem0g cannot use the server."""
    if server.version < OLDEST:
        raise OldServerError(
            f"{address} is Neo4j {server.version_text}; mem0g needs 5.26 or newer", hint="upgrade the server"
        )
    if (server.layout or 0) > LAYOUT:
        raise NewerStoreError(
            f"{address} was made by a newer mem0g (layout {server.layout}, this one knows {LAYOUT})",
            hint="upgrade mem0g",
        )


def prepare(connection: Connection, server: Server) -> list[str]:
    """Make what is missing, upgrade what is old; answers what was made, by name.

    Raises ForeignStoreError naming an index or constraint of someone else that is in the way.
    """
    before = _indexes(connection)
    made = _make(connection, statements("schema"), {}, before)
    if server.dimensions is not None:
        made += prepare_vectors(connection, server, server.dimensions)
    connection.write(lambda run: run("layout", layout=LAYOUT))
    wait(connection)
    return made


def prepare_vectors(connection: Connection, server: Server, dimensions: int) -> list[str]:
    """Make the vector indexes, anew where they are of other dimensions or could filter and do not."""
    file = "vectors" if server.filters else "lts/vectors"
    indexes = _indexes(connection)
    for name in names(file):
        found = indexes.get(name)
        if found and (_dimensions(found) != dimensions or _filters(found) != server.filters):
            connection.change_schema(query("drop_index"), name=name)
            del indexes[name]
    made = _make(connection, statements(file), {"dimensions": dimensions}, indexes)
    wait(connection)
    return made


def filters(connection: Connection) -> bool:
    """Whether the vector indexes that are there filter; a server may have been upgraded since they were made."""
    found = _indexes(connection)
    return all(name in found and _filters(found[name]) for name in names("vectors"))


def drop(connection: Connection) -> None:
    """Remove mem0g's indexes and constraints."""
    for file in ("schema", "vectors"):
        for kind, name in _named(file):
            drop_by = "drop_index" if kind == "INDEX" else "drop_constraint"
            connection.change_schema(query(drop_by), name=name)


def wait(connection: Connection) -> None:
    """Wait until the indexes are filled, and say so when it is not at once."""
    if not _waiting(connection):
        return
    until = time.monotonic() + POPULATE_SECONDS
    while waiting := _waiting(connection):
        shown = ", ".join(f"{name} ({percent:.0f} %)" for name, percent in waiting)
        _log.warning("waiting for %s to be filled: %s", connection.address, shown)
        if time.monotonic() > until:
            raise StoreError(f"{shown} of {connection.address} is not filled yet", hint="try again later")
        _await_some(connection)


def names(file: str) -> list[str]:
    """The names of what a schema file makes."""
    return [name for _, name in _named(file)]


def _named(file: str) -> list[tuple[str, str]]:
    return [(match[1], match[2]) for statement in statements(file) if (match := _NAMED.search(statement))]


def _make(
    connection: Connection, wanted: tuple[str, ...], given: Mapping[str, Any], before: Mapping[str, Any]
) -> list[str]:
    missing = [statement for statement in wanted if _name(statement) not in before]
    for statement in missing:
        try:
            connection.change_schema(statement, **given)
        except (ForeignStoreError, ReadOnlyStoreError):
            raise
        except StoreError as error:
            raise ForeignStoreError(
                f"{_name(statement)} cannot be made in {connection.address}: {error}",
                hint="drop what is in the way, or use a database of its own for mem0g",
            ) from error
    _check_made(connection, wanted)
    return [_name(statement) for statement in missing]


def _check_made(connection: Connection, wanted: tuple[str, ...]) -> None:
    """``IF NOT EXISTS`` makes nothing where someone else's index of the same kind is there."""
    indexes = _indexes(connection)
    for name in map(_name, wanted):
        if name not in indexes:
            raise ForeignStoreError(
                f"an index that is not mem0g's is in the way of {name} in {connection.address}",
                hint="see SHOW INDEXES; drop it, or use a database of its own for mem0g",
            )


def _name(statement: str) -> str:
    match = _NAMED.search(statement)
    if match is None:
        raise ValueError(f"no name of mem0g's in {statement!r}")
    return match[2]


def _indexes(connection: Connection) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in connection.read(lambda run: run("indexes"))}


def _waiting(connection: Connection) -> list[tuple[str, float]]:
    ours = [row for name, row in _indexes(connection).items() if name.startswith("mem0g_")]
    for row in ours:
        if row["state"] == "FAILED":
            raise StoreError(f"the index {row['name']} of {connection.address} failed", hint="drop it; `mem0g init`")
    return [(row["name"], row["percent"]) for row in ours if row["state"] != "ONLINE"]


def _await_some(connection: Connection) -> None:
    """Wait for a few seconds; that they are over is no error, there is more to say then."""
    try:
        connection.read(lambda run: run("await_indexes", seconds=5))
    except StoreError:
        if not _waiting(connection):
            raise


def _dimensions(index: Mapping[str, Any]) -> int:
    return int(index["options"]["indexConfig"]["vector.dimensions"])


def _filters(index: Mapping[str, Any]) -> bool:
    return len(index["properties"]) > 1
