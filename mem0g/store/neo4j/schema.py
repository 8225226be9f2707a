"""What the store needs in the database before anything is written: constraints, indexes, and mem0g's note of both."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mem0g.errors import ForeignStoreError, NewerStoreError, OldServerError, StoreError
from mem0g.store.neo4j.connection import Connection
from mem0g.store.neo4j.queries import query, statements
from mem0g.store.neo4j.upgrading import share_relation_types, split_notes

LAYOUT = 4
"""Version of the graph's layout, as docs/graph.md tells it."""

OLDEST = (5, 26)
"""Dynamic labels and types came with Neo4j 5.26."""

FILTERS_SINCE = (2026, 2)
"""Vector indexes that filter came with Neo4j 2026.02."""

POPULATE_SECONDS = 3600
"""How long to wait for an index to be filled; 100,000 vectors take a minute."""

QUIET_SECONDS = 0.3
"""How long to wait without a word: indexes of an empty database are filled by then."""

LONGEST_PAUSE = 5.0
"""Seconds between two looks at indexes that take long."""

OLD_RELATION = "mem0g_relation"
"""The constraint that layouts before 3 had on the names of relation types, which were one list for all tenants."""

OLD_NOTE, OLD_NOTE_ORDER = "mem0g_note", "mem0g_note_order"
"""The constraint and the index on the notes that layouts before 4 had."""

_NAMED = re.compile(r"(INDEX|CONSTRAINT) (mem0g_\w+)")
_FORM = re.compile(
    r"CREATE (?:(FULLTEXT|VECTOR) )?(?:INDEX|CONSTRAINT) .*? FOR \((\w+):(\w+)\)(.*?)(?:OPTIONS.*)?$", re.DOTALL
)

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
    if server.layout in (1, 2):
        connection.change_schema(query("drop_constraint"), name=OLD_RELATION)
    made = _make(connection, statements("schema"), {})
    if server.layout in (1, 2):
        share_relation_types(connection)
    if server.layout is not None and server.layout < 4:
        split_notes(connection)
        connection.change_schema(query("drop_constraint"), name=OLD_NOTE)
        connection.change_schema(query("drop_index"), name=OLD_NOTE_ORDER)
    if server.dimensions is not None:
        made += prepare_vectors(connection, server, server.dimensions)
    wait(connection)
    connection.write(lambda run: run("layout", layout=LAYOUT))  # last: who finds it finds all the rest
    return made


def prepare_vectors(connection: Connection, server: Server, dimensions: int) -> list[str]:
    """Make the vector indexes, anew where they are of other dimensions or could filter and do not."""
    file = "vectors" if server.filters else "lts/vectors"
    indexes = _indexes(connection)
    for statement in statements(file):
        found = indexes.get(_name(statement))
        if found and _is_of(found, statement) and not _fits(found, dimensions, filters=server.filters):
            connection.change_schema(query("drop_index"), name=_name(statement))
    made = _make(connection, statements(file), {"dimensions": dimensions})
    wait(connection)
    return made


def vectors_are_ready(connection: Connection, server: Server, dimensions: int) -> bool:
    """Whether the vector indexes are there as ``prepare_vectors`` makes them, and filled."""
    found = _indexes(connection)
    ours = [found[name] for name in names("vectors") if name in found and found[name]["state"] == "ONLINE"]
    return len(ours) == len(names("vectors")) and all(
        _fits(index, dimensions, filters=server.filters) for index in ours
    )


def filters(connection: Connection) -> bool:
    """Whether the vector indexes that are there filter; a server may have been upgraded since they were made."""
    found = _indexes(connection)
    return all(name in found and _filters(found[name]) for name in names("vectors"))


def index_states(connection: Connection, server: Server) -> dict[str, str]:
    """The state of each index that should be there: online, populating, failed, or missing."""
    found = _indexes(connection)
    wanted = [] if server.layout is None else names("schema")
    if server.dimensions is not None:
        wanted += names("vectors")
    return {name: found[name]["state"].lower() if name in found else "missing" for name in wanted}


def drop(connection: Connection) -> None:
    """Remove mem0g's indexes and constraints."""
    old = (("CONSTRAINT", OLD_RELATION), ("CONSTRAINT", OLD_NOTE), ("INDEX", OLD_NOTE_ORDER))
    for file in ("schema", "vectors"):
        for kind, name in (*_named(file), *old):
            drop_by = "drop_index" if kind == "INDEX" else "drop_constraint"
            connection.change_schema(query(drop_by), name=name)


def wait(connection: Connection) -> None:
    """Wait until the indexes are filled, and say so when that takes longer than a moment."""
    began, pause = time.monotonic(), QUIET_SECONDS / 3
    while waiting := _waiting(connection):
        waited = time.monotonic() - began
        shown = ", ".join(f"{name} ({percent:.0f} %)" for name, percent in waiting)
        if waited > POPULATE_SECONDS:
            raise StoreError(f"{shown} of {connection.address} is not filled yet", hint="try again later")
        if waited > QUIET_SECONDS:
            _log.warning("waiting for %s to fill its indexes: %s", connection.address, shown)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def names(file: str) -> list[str]:
    """The names of what a schema file makes."""
    return [name for _, name in _named(file)]


def _named(file: str) -> list[tuple[str, str]]:
    return [(match[1], match[2]) for statement in statements(file) if (match := _NAMED.search(statement))]


def _make(connection: Connection, wanted: tuple[str, ...], given: Mapping[str, Any]) -> list[str]:
    before = _indexes(connection)
    _refuse_foreign(connection, wanted, before)
    missing = [statement for statement in wanted if _name(statement) not in before]
    for statement in missing:
        try:
            connection.change_schema(statement, **given)
        except ForeignStoreError:
            if _name(statement) not in _indexes(connection):  # else another process made it at the same moment
                raise
    if missing:
        _refuse_foreign(connection, wanted, _indexes(connection))  # of one made meanwhile, IF NOT EXISTS says nothing
    return [_name(statement) for statement in missing]


def _refuse_foreign(connection: Connection, wanted: tuple[str, ...], indexes: Mapping[str, Mapping[str, Any]]) -> None:
    """Neo4j has one index of a form, and one of a name: raise ForeignStoreError where it is not mem0g's."""
    forms = {_form_of(index): name for name, index in indexes.items()}
    for statement in wanted:
        name, form = _name(statement), _form(statement)
        there = name if name in indexes else forms.get(form)
        if there is not None and (there != name or _form_of(indexes[name]) != form):
            raise ForeignStoreError(
                f"the index {there} of {connection.address} is in the way of mem0g's {name}",
                hint="SHOW INDEXES tells what it is; drop it, or use a database of its own for mem0g",
            )


def _form(statement: str) -> tuple[str, ...]:
    """What a statement makes: the type of the index, its label, its properties."""
    match = _FORM.search(statement)
    if match is None:
        raise ValueError(f"no index and no constraint in {statement!r}")
    kind, variable, label, properties = match.groups()
    return (kind or "RANGE", label, *re.findall(rf"\b{variable}\.(\w+)", properties))


def _form_of(index: Mapping[str, Any]) -> tuple[str, ...]:
    return (index["type"], *(index["labels"] or ()), *(index["properties"] or ()))


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


def _is_of(index: Mapping[str, Any], statement: str) -> bool:
    """Whether it indexes the vectors that ``statement`` is about, whatever it filters by."""
    return _form_of(index)[:3] == _form(statement)[:3]


def _fits(index: Mapping[str, Any], dimensions: int, *, filters: bool) -> bool:
    return int(index["options"]["indexConfig"]["vector.dimensions"]) == dimensions and _filters(index) == filters


def _filters(index: Mapping[str, Any]) -> bool:
    return len(index["properties"]) > 1
