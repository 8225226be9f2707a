"""The schema of the store: constraints, indexes, and the version of the layout."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mem0g.errors import ForeignStoreError, NewerStoreError, OldServerError, StoreError
from mem0g.store.neo4j.maintenance.upgrading import part_literals, part_passages, share_relation_types, split_notes
from mem0g.store.neo4j.server.connection import Connection
from mem0g.store.neo4j.server.queries import query, statements

LAYOUT = 7
"""Version of the graph's layout, which docs/graph.md describes."""

OLDEST = (5, 26)
"""Dynamic labels and types came with Neo4j 5.26."""

FILTERS_SINCE = (2026, 2)
"""Vector indexes that filter came with Neo4j 2026.02."""

POPULATE_SECONDS = 3600
"""How long to wait for an index to be filled; 100,000 vectors take a minute."""

QUIET_SECONDS = 0.3
"""How long to wait before logging it: indexes of an empty database are filled by then."""

MAX_PAUSE = 5.0
"""Maximum seconds between two checks of indexes that are being filled."""

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
    """The server and the store in it: ``layout`` and ``embedder`` are None in a database without a store.

    ``made``: when the store was created, which tells it from one that is created after it was dropped; "" for an old
    one that does not say, None without a store.
    """

    version: tuple[int, ...]
    edition: str
    layout: int | None
    embedder: str | None
    dimensions: int | None
    made: str | None = None

    @property
    def filters(self) -> bool:
        """Whether its vector indexes can filter."""
        return self.version >= FILTERS_SINCE

    @property
    def version_text(self) -> str:
        """The version in Neo4j's notation, such as ``2026.02.1``."""
        year = len(self.version) > 1 and self.version[0] > 2000
        return ".".join(f"{part:02}" if year and place == 1 else str(part) for place, part in enumerate(self.version))


def look(connection: Connection) -> Server:
    """Read the state of the server. Raises OldServerError or NewerStoreError if this mem0g cannot use it."""
    (row,) = connection.read(lambda run: run("server"))
    of_store = (row["layout"], row["embedder"], row["dimensions"], row["made"])
    server = Server(read_version(row["version"]), row["edition"], *of_store)
    check(server, str(connection.address))
    return server


def read_version(text: str) -> tuple[int, ...]:
    """Return the numbers of a version such as ``5.26.30`` or ``2026.08.1``, without a suffix."""
    return tuple(int(part) for part in re.findall(r"\d+", text.split("-")[0].split("+")[0]))


def check(server: Server, address: str) -> None:
    """Raise OldServerError or NewerStoreError when this mem0g cannot use the server."""
    if server.version < OLDEST:
        raise OldServerError(
            f"{address} is Neo4j {server.version_text}; mem0g needs 5.26 or newer", hint="upgrade the server"
        )
    if (server.layout or 0) > LAYOUT:
        raise NewerStoreError(
            f"{address} was made by a newer mem0g (layout {server.layout}, this version supports {LAYOUT})",
            hint="upgrade mem0g",
        )


def check_kept(made: str | None, opened: str | None, address: str) -> None:
    """Raise StoreError unless the store that was ``made`` is there and is the one that was ``opened``."""
    if made is None or made != opened:
        raise StoreError(
            f"{address} was dropped while it was open; nothing was written",
            hint="close this memory and open it again; a store that does not exist is created then",
        )


def prepare(connection: Connection, server: Server) -> list[str]:
    """Create what is missing and upgrade what is old; return the names of what was created.

    Waits while another process does so. Raises ForeignStoreError if an index or constraint of another program
    conflicts with mem0g's.
    """
    with _schema_lock(connection):
        made = _upgrade(connection, server)
    wait(connection)
    connection.write(
        lambda run: run("layout", layout=LAYOUT)
    )  # last, so that a stored version means that the rest is complete
    return made


def _upgrade(connection: Connection, server: Server) -> list[str]:
    if server.layout in (1, 2):
        connection.change_schema(query("drop_constraint"), name=OLD_RELATION)
    made = _make(connection, statements("schema"), {})
    if server.layout in (1, 2):
        share_relation_types(connection)
    if server.layout is not None and server.layout < 4:
        split_notes(connection)
        connection.change_schema(query("drop_constraint"), name=OLD_NOTE)
        connection.change_schema(query("drop_index"), name=OLD_NOTE_ORDER)
    if server.layout is not None and server.layout < 5:
        part_literals(connection)
    if server.layout is not None and server.layout < 6:
        part_passages(connection)
    if server.dimensions is not None:
        made += _make_vectors(connection, server, server.dimensions)
    return made


def prepare_vectors(connection: Connection, server: Server, dimensions: int) -> list[str]:
    """Create the vector indexes; replace those of other dimensions and those that lack possible filters.

    Waits while another process does so.
    """
    with _schema_lock(connection):
        made = _make_vectors(connection, server, dimensions)
    wait(connection)
    return made


def _make_vectors(connection: Connection, server: Server, dimensions: int) -> list[str]:
    file = "vectors" if server.filters else "lts/vectors"
    indexes = _indexes(connection)
    unfit = [
        _name(statement)
        for statement in statements(file)
        if (found := indexes.get(_name(statement)))
        and _is_of(found, statement)
        and not _fits(found, dimensions, filters=server.filters)
    ]
    connection.change_schema_at_once([(query("drop_index"), {"name": name}) for name in unfit])
    return _make(connection, statements(file), {"dimensions": dimensions})


def vectors_are_ready(connection: Connection, server: Server, dimensions: int) -> bool:
    """Whether the vector indexes exist as ``prepare_vectors`` creates them and are filled."""
    found = _indexes(connection)
    ours = [found[name] for name in names("vectors") if name in found and found[name]["state"] == "ONLINE"]
    return len(ours) == len(names("vectors")) and all(
        _fits(index, dimensions, filters=server.filters) for index in ours
    )


def filters(connection: Connection) -> bool:
    """Whether the existing vector indexes can filter; the server may have been upgraded since they were created."""
    found = _indexes(connection)
    return all(name in found and _filters(found[name]) for name in names("vectors"))


def index_states(connection: Connection, server: Server) -> dict[str, str]:
    """Return the state of each required index: online, populating, failed, or missing."""
    found = _indexes(connection)
    remnants = _remnants(found)
    wanted = [] if server.layout is None else names("schema")
    if server.dimensions is not None:
        wanted += names("vectors")
    missing = remnants.union(name for name in wanted if name not in found)
    return {name: "missing" if name in missing else found[name]["state"].lower() for name in wanted}


def drop(connection: Connection) -> None:
    """Remove mem0g's indexes and constraints. Waits while another process creates them."""
    old = (("CONSTRAINT", OLD_RELATION), ("CONSTRAINT", OLD_NOTE), ("INDEX", OLD_NOTE_ORDER))
    with _schema_lock(connection):
        found = _indexes(connection)
        remnants = _remnants(found)
        connection.change_schema_at_once(
            [
                (query("drop_index" if kind == "INDEX" or name in remnants else "drop_constraint"), {"name": name})
                for kind, name in (*_named("schema"), *_named("vectors"), *old)
                if name in found
            ]
        )


def wait(connection: Connection) -> None:
    """Wait until the indexes are filled; log a warning if that takes longer than QUIET_SECONDS."""
    began, pause = time.monotonic(), QUIET_SECONDS / 3
    while waiting := _waiting(connection):
        waited = time.monotonic() - began
        shown = ", ".join(f"{name} ({percent:.0f} %)" for name, percent in waiting)
        if waited > POPULATE_SECONDS:
            raise StoreError(f"{shown} of {connection.address} is not filled yet", hint="try again later")
        if waited > QUIET_SECONDS:
            _log.warning("waiting for %s to fill its indexes: %s", connection.address, shown)
        time.sleep(pause)
        pause = min(2 * pause, MAX_PAUSE)


def names(file: str) -> list[str]:
    """Return the names of the indexes and constraints that a schema file creates."""
    return [name for _, name in _named(file)]


def _named(file: str) -> list[tuple[str, str]]:
    return [(match[1], match[2]) for statement in statements(file) if (match := _NAMED.search(statement))]


@contextmanager
def _schema_lock(connection: Connection) -> Iterator[None]:
    """Let one process at a time change the schema; others wait, but not for indexes to be filled.

    Of two transactions that create the same constraint Neo4j ends one as a deadlock, and may leave its index behind:
    without a constraint, never filled, and in the way of another. Two processes may each create a node to lock; both
    lock the first of those.
    """
    connection.write(lambda run: run("create_schema_lock"))
    with connection.hold() as run:
        run("lock_schema")
        yield


def _remnants(indexes: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the constraints that failed, or are just being created: those that have an index and are not there."""
    constraints = [name for kind, name in _named("schema") if kind == "CONSTRAINT"]
    return {name for name in constraints if name in indexes and indexes[name]["constraint"] is None}


def _make(connection: Connection, wanted: tuple[str, ...], given: dict[str, Any]) -> list[str]:
    made: list[str] = []
    while True:
        before = _indexes(connection)
        _refuse_foreign(connection, wanted, before)
        remnants = _remnants(before) & {_name(statement) for statement in wanted}
        connection.change_schema_at_once([(query("drop_index"), {"name": name}) for name in remnants])
        missing = [statement for statement in wanted if _name(statement) not in before.keys() - remnants]
        if not missing:
            return made
        try:
            connection.change_schema_at_once([(statement, given) for statement in missing])
            made += map(_name, missing)
        except ForeignStoreError:
            if not {_name(statement) for statement in missing} & _indexes(connection).keys():
                raise  # else another process made some of them at the same moment


def _refuse_foreign(connection: Connection, wanted: tuple[str, ...], indexes: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ForeignStoreError if another program's index has the name or the definition of one of mem0g's."""
    forms = {_form_of(index): name for name, index in indexes.items()}
    for statement in wanted:
        name, form = _name(statement), _form(statement)
        there = name if name in indexes else forms.get(form)
        if there is not None and (there != name or _form_of(indexes[name]) != form):
            raise ForeignStoreError(
                f"the index {there} of {connection.address} conflicts with mem0g's {name}",
                hint="SHOW INDEXES shows it; drop it, or use a separate database for mem0g",
            )


def _form(statement: str) -> tuple[str, ...]:
    """Return what a statement creates: the type of the index, its label, its properties."""
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
    """Whether the index has the vectors of ``statement``, whatever its filters."""
    return _form_of(index)[:3] == _form(statement)[:3]


def _fits(index: Mapping[str, Any], dimensions: int, *, filters: bool) -> bool:
    return int(index["options"]["indexConfig"]["vector.dimensions"]) == dimensions and _filters(index) == filters


def _filters(index: Mapping[str, Any]) -> bool:
    return len(index["properties"]) > 1
