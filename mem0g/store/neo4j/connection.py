"""The way to the server: one driver, managed transactions with bookmarks, errors in our words."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import neo4j
from neo4j import exceptions as raised

from mem0g.errors import StoreError
from mem0g.store.neo4j.address import Address
from mem0g.store.neo4j.queries import parameters, query
from mem0g.store.neo4j.trouble import first_line, meaning, out_of_memory

T = TypeVar("T")

RETRY_SECONDS = 60.0
"""How long the driver tries a transaction again: a server that restarts is back within half of it."""

FIRST_PAUSE = 0.2
LONGER = 1.5
"""Seconds before the first retry, and by how much the next pause is longer: a deadlock needs a moment, a restart is
noticed when it is a third older."""

COMMITS = 3
"""How often a transaction is begun whose commit got no answer."""

CONNECT_SECONDS = 10.0

_log = logging.getLogger(__name__)


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
                initial_retry_delay=FIRST_PAUSE,
                retry_delay_multiplier=LONGER,
                notifications_min_severity="OFF",  # the first search of an empty database is no reason to warn
                user_agent="mem0g",
            )
        except (raised.ConfigurationError, ValueError) as error:
            raise StoreError(f"{address}: {first_line(error)}", hint="see `mem0g doctor`") from error
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
        """Run ``work`` in one writing transaction; again when the server asks for it, or did not answer the commit.

        So ``work`` must find out for itself what is there already.
        """
        with self._translated():
            return self._write(lambda transaction: work(self._run(transaction)), COMMITS)

    @contextmanager
    def hold(self, access: str = neo4j.WRITE_ACCESS) -> Iterator[Run]:
        """One transaction that is rolled back at the end, for reading under a lock; it is not tried again."""
        with self._translated(), self._session(access) as session, session.begin_transaction() as begun:
            yield self._run(begun)  # nobody commits it

    def change_schema(self, statement: str, **given: Any) -> None:
        """Run one statement about indexes or constraints, which Neo4j wants in a transaction of its own."""
        with self._translated():
            self._write(lambda transaction: transaction.run(statement, given).consume(), COMMITS)

    def _write(self, work: Callable[[neo4j.ManagedTransaction], T], times: int) -> T:
        def attempt(transaction: neo4j.ManagedTransaction) -> T:
            if _failed.error is not None and out_of_memory(_failed.error):  # of the commit: it would only fail again
                raise meaning(_failed.error, self.address) from _failed.error
            return work(transaction)

        _failed.error = None
        try:
            with self._session(neo4j.WRITE_ACCESS) as session:
                return session.execute_write(attempt)
        except raised.IncompleteCommit:
            if times == 1:
                raise
        _log.warning("%s did not answer a commit: asking again what it kept", self.address)
        return self._write(work, times - 1)

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(
            database=self.address.database, default_access_mode=access, bookmark_manager=self._bookmarks
        )

    def _run(self, transaction: neo4j.ManagedTransaction | neo4j.Transaction) -> Run:
        def run(name: str, /, **given: Any) -> list[dict[str, Any]]:
            if given.keys() != parameters(name):
                raise TypeError(f"{name}.cypher takes {sorted(parameters(name))}, not {sorted(given)}")
            try:
                return [dict(record) for record in transaction.run(query(name), given)]
            except raised.Neo4jError as error:
                if out_of_memory(error):  # the driver would only try the same again
                    raise meaning(error, self.address) from error
                raise

        return run

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (raised.Neo4jError, raised.DriverError) as error:
            raise meaning(error, self.address) from error


class _Failed(threading.local):
    """Why the driver tries this thread's transaction again."""

    error: raised.Neo4jError | None = None


_failed = _Failed()


class _Retries(logging.Handler):
    """Hears why the driver tries a transaction again, which it tells its log alone, and says it in our words.

    What else it logs comes back as an error, or is well.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Note what the server said; say that there is none, at the first of several tries."""
        match record.args:
            case (float(), raised.Neo4jError() as error) if not isinstance(error, raised.DatabaseUnavailable):
                _failed.error = error
            case (float(pause), raised.ServiceUnavailable() | raised.SessionExpired() | raised.DatabaseUnavailable()):
                if pause < FIRST_PAUSE * 1.2:  # the driver varies it by a fifth
                    _log.warning("Neo4j does not answer: trying again for up to %.0f s", RETRY_SECONDS)


logging.getLogger("neo4j").addHandler(_Retries(logging.WARNING))
