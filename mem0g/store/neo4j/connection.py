"""The way to the server: one driver, managed transactions with bookmarks, errors in our words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import neo4j
from neo4j import exceptions as raised

from mem0g.errors import (
    ChangeTooLargeError,
    ForeignStoreError,
    ReadOnlyStoreError,
    StoreAccessError,
    StoreError,
    UnknownDatabaseError,
    UnreachableStoreError,
)
from mem0g.store.neo4j.address import Address
from mem0g.store.neo4j.queries import parameters, query

T = TypeVar("T")

RETRY_SECONDS = 60.0
"""How long the driver tries a transaction again: a server that restarts is back within half of it."""

CONNECT_SECONDS = 10.0

_OUT_OF_MEMORY = ("MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError", "OutOfMemoryError")
_READ_ONLY = ("ForbiddenOnReadOnlyDatabase", "WriteOnReadOnlyAccessDatabase", "NotALeader", "ReadOnly")


class Run(Protocol):
    """Runs a query file by its name within one transaction."""

    def __call__(self, name: str, /, **given: Any) -> list[dict[str, Any]]:
        """The rows of ``cypher/NAME.cypher`` with these parameters."""
        ...


class Connection:
    """A driver and what is done with it; threads may share one."""

    def __init__(self, address: Address) -> None:
        """Connect. Raises the StoreError that says why it cannot be done."""
        self.address = address
        try:
            self._driver = neo4j.GraphDatabase.driver(
                address.uri,
                auth=address.auth,
                connection_timeout=CONNECT_SECONDS,
                max_transaction_retry_time=RETRY_SECONDS,
                notifications_min_severity="OFF",  # the first search of an empty database is no reason to warn
                user_agent="mem0g",
            )
        except (raised.ConfigurationError, ValueError) as error:
            raise StoreError(f"{address}: {error}", hint="see `mem0g doctor`") from error
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager()
        try:
            with self._translated(), self._session(neo4j.READ_ACCESS) as session:
                session.run("RETURN 1").consume()  # in its own database, which verify_connectivity does not try
        except BaseException:
            self._driver.close()
            raise

    def close(self) -> None:
        """Release the driver; a second call does nothing."""
        self._driver.close()

    def read(self, work: Callable[[Run], T]) -> T:
        """Run ``work`` in one reading transaction."""
        with self._translated(), self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(lambda transaction: work(self._run(transaction)))

    def write(self, work: Callable[[Run], T]) -> T:
        """Run ``work`` in one writing transaction; the driver runs it again when the server asks for it."""
        with self._translated(), self._session(neo4j.WRITE_ACCESS) as session:
            return session.execute_write(lambda transaction: work(self._run(transaction)))

    def change_schema(self, statement: str, **given: Any) -> None:
        """Run one statement about indexes or constraints, which Neo4j wants in a transaction of its own."""
        with self._translated(), self._session(neo4j.WRITE_ACCESS) as session:
            session.execute_write(lambda transaction: transaction.run(statement, given).consume())

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(
            database=self.address.database, default_access_mode=access, bookmark_manager=self._bookmarks
        )

    def _run(self, transaction: neo4j.ManagedTransaction) -> Run:
        def run(name: str, /, **given: Any) -> list[dict[str, Any]]:
            if given.keys() != parameters(name):
                raise TypeError(f"{name}.cypher takes {sorted(parameters(name))}, not {sorted(given)}")
            try:
                return [dict(record) for record in transaction.run(query(name), given)]
            except raised.Neo4jError as error:
                if _ends_with(error, _OUT_OF_MEMORY):  # the driver would only try the same again
                    raise _meaning(error, self.address) from error
                raise

        return run

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (raised.Neo4jError, raised.DriverError) as error:
            raise _meaning(error, self.address) from error


def _ends_with(error: raised.Neo4jError, names: tuple[str, ...]) -> bool:
    return (error.code or "").endswith(names)


def _meaning(error: Exception, address: Address) -> StoreError:
    """What the driver raised, as the StoreError that says it in our words."""
    if isinstance(error, raised.AuthError) or (isinstance(error, raised.Neo4jError) and _is_rate_limit(error)):
        return _refused(error, address)
    if isinstance(error, raised.Neo4jError):
        return _server_says(error, address)
    if isinstance(error, raised.ServiceUnavailable | raised.SessionExpired | OSError):
        hint = "is Neo4j running there? `make neo4j` starts one; see docker-compose.neo4j.yml"
        return UnreachableStoreError(f"no Neo4j answers at {address.uri}: {_first_line(error)}", hint=hint)
    return StoreError(f"{address}: {_first_line(error)}", hint="run `mem0g doctor`")


def _refused(error: Exception, address: Address) -> StoreError:
    if isinstance(error, raised.Forbidden):
        return StoreAccessError(f"{address}: {_first_line(error)}", hint="the user needs the right to do this")
    who = f"the user {address.username or 'neo4j'!r}" if address.auth else "anyone without a password"
    return StoreAccessError(
        f"{address.uri} does not let in {who}: {_first_line(error)}",
        hint="give NEO4J_USERNAME and NEO4J_PASSWORD, or neo4j://user:password@host",
    )


def _is_rate_limit(error: raised.Neo4jError) -> bool:
    return _ends_with(error, ("AuthenticationRateLimit",))


def _server_says(error: raised.Neo4jError, address: Address) -> StoreError:
    if _ends_with(error, ("DatabaseNotFound", "DatabaseUnavailable")):
        hint = "name another with --database or NEO4J_DATABASE; without one it is the user's own"
        return UnknownDatabaseError(f"{address.uri} has no database {address.database!r} to use", hint=hint)
    if _ends_with(error, _OUT_OF_MEMORY):
        hint = "raise dbms.memory.transaction.total.max on the server, or ingest smaller windows"
        return ChangeTooLargeError(f"{address}: a transaction needs more memory than it is given", hint=hint)
    if _ends_with(error, _READ_ONLY):
        return ReadOnlyStoreError(f"{address} cannot be written", hint="it is a read-only database, or a follower")
    if isinstance(error, raised.ConstraintError):
        hint = "another program's constraint is in the way: drop it, or use a database of its own for mem0g"
        return ForeignStoreError(f"{address}: {_first_line(error)}", hint=hint)
    return StoreError(f"{address}: {_first_line(error)}", hint="run `mem0g doctor`; `mem0g init` makes missing indexes")


def _first_line(error: Exception) -> str:
    text = getattr(error, "message", None) or str(error)
    return str(text).strip().splitlines()[0] if str(text).strip() else type(error).__name__
