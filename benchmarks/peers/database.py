"""The Neo4j that all systems use in turn: emptied between them, and the time of a round trip."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, LiteralString, Self

from mem0g.errors import InputError, StoreError
from mem0g.settings import Settings
from mem0g.store.neo4j.server.address import read_address

if TYPE_CHECKING:
    import neo4j

AT_ONCE = 2000
"""Nodes deleted in a transaction: with their edges and vectors more than that might not fit into its memory."""

_COUNT = "MATCH (n) RETURN count(n) AS count"
_DELETE = "MATCH (n) WITH n LIMIT $limit DETACH DELETE n RETURN count(*) AS count"
_CONSTRAINTS = "SHOW CONSTRAINTS YIELD name RETURN 'DROP CONSTRAINT `' + name + '` IF EXISTS' AS drop"
_INDEXES = "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN 'DROP INDEX `' + name + '` IF EXISTS' AS drop"
_CPU = """
CALL dbms.queryJmx('java.lang:type=OperatingSystem') YIELD attributes
RETURN attributes.ProcessCpuTime.value AS nanoseconds
"""
_VERSION = "CALL dbms.components() YIELD name, versions, edition RETURN versions[0] + ' ' + edition AS version"


class Database:
    """A whole database; a context manager that closes the driver."""

    def __init__(self, address: str) -> None:
        import neo4j

        read = read_address(address, Settings.from_environment().credentials)
        self.uri, auth, self._database = read.uri, read.auth, read.database
        self.user, self.password = auth or ("", "")
        self._driver = neo4j.GraphDatabase.driver(read.uri, auth=auth, notifications_min_severity="OFF")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._driver.close()

    @property
    def version(self) -> str:
        """The server's version and edition."""
        return str(self._value(_VERSION))

    def require_empty(self) -> None:
        """Raise InputError when the database holds something."""
        if count := self._value(_COUNT):
            hint = "name an empty database, or give --drop to lose all that is in it, not only mem0g's"
            raise InputError(f"{self.uri} holds {count} nodes", hint=hint)

    def wipe(self) -> None:
        """Delete everything: nodes, constraints and indexes. Raises StoreError when something is left."""
        while self._value(_DELETE, limit=AT_ONCE):
            pass
        for statements in (_CONSTRAINTS, _INDEXES):
            for record in self._run(statements):
                self._run(record["drop"])
        if left := self._value(_COUNT):
            raise StoreError(f"{left} nodes are left in {self.uri}", hint="does another program write to it?")

    def cpu_seconds(self) -> float:
        """Return the CPU seconds of the server so far, in all its threads."""
        return float(str(self._value(_CPU))) / 1e9

    def round_trip(self) -> float:
        """Return the milliseconds of a query that does nothing."""
        start = perf_counter()
        self._run("RETURN 1")
        return 1000 * (perf_counter() - start)

    def _value(self, query: LiteralString, **given: object) -> object:
        return self._run(query, **given)[0].value()

    def _run(self, query: LiteralString, **given: object) -> list[neo4j.Record]:
        with self._driver.session(database=self._database) as session:
            return list(session.run(query, given))
