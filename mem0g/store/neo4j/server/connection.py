"""The connection to the server: one driver, retried transactions with bookmarks, translated errors.

Transactions are retried here rather than by the driver's ``execute_write``, so that a warning can be logged when the
server does not respond, and a transaction that exceeds the memory limit is not retried.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import uniform
from typing import Any, Protocol, TypeVar

import neo4j
from neo4j import exceptions as raised

from mem0g.errors import StoreError
from mem0g.store.neo4j.server.address import Address
from mem0g.store.neo4j.server.error_translation import first_line, out_of_memory, translate_error
from mem0g.store.neo4j.server.queries import (
    NATIVE_VECTORS,
    AsParameter,
    as_list,
    as_sent,
    as_vector,
    parameters,
)

T = TypeVar("T")

RETRY_SECONDS = 60.0
"""How long to retry a transaction after its first failure; a restarting server is back within half of this time."""

FIRST_PAUSE = 0.2
LONGER = 1.5
"""Seconds before the first retry, and the factor by which each pause grows. Jitter is 20 %, as in the driver."""

COMMITS = 3
"""Maximum attempts of a transaction when the server does not confirm the commit."""

CONNECT_SECONDS = 10.0

_log = logging.getLogger(__name__)


class Run(Protocol):
    """Runs query files by name within one transaction."""

    def __call__(self, name: str, /, **given: Any) -> list[dict[str, Any]]:
        """Return the rows of ``cypher/NAME.cypher`` with these parameters."""
        ...


class Connection:
    """A driver and its transactions. Thread-safe.

    ``as_parameter`` converts a vector to a parameter for this server.
    """

    def __init__(self, address: Address) -> None:
        """Connect. Raises a StoreError if that fails."""
        self.address = address
        try:
            self._driver = neo4j.GraphDatabase.driver(
                address.uri,
                auth=address.auth,
                connection_timeout=CONNECT_SECONDS,
                notifications_min_severity="OFF",  # else searching an empty database warns of unknown labels
                user_agent="mem0g",
            )
        except (raised.ConfigurationError, ValueError) as error:
            raise StoreError(f"{address}: {first_line(error)}", hint="see `mem0g doctor`") from error
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager()
        try:
            with self._translated(), self._session(neo4j.READ_ACCESS) as session:
                # This checks the database as well, unlike verify_connectivity.
                server = session.run("RETURN 1").consume().server
                self.as_parameter: AsParameter = as_vector if server.protocol_version >= NATIVE_VECTORS else as_list
        except BaseException:
            self._driver.close()
            raise

    def close(self) -> None:
        """Close the driver. Closing twice is allowed."""
        self._driver.close()

    def read(self, work: Callable[[Run], T]) -> T:
        """Run ``work``, which reads, and return its result; retry on transient errors.

        Each query is a transaction of its own: one of several would take two more round trips, and Neo4j gives it no
        view of one moment either. Each sees at least what those before it saw.
        """

        def attempt() -> T:
            with self._session(neo4j.READ_ACCESS) as session:
                return work(self._run(session))

        with self._translated():
            return self._retried(attempt)

    def write(self, work: Callable[[Run], T], keeps: Callable[[T], bool] = lambda _: True) -> T:
        """Run ``work`` in a write transaction and return its result; retry transient errors and unconfirmed commits.

        An unconfirmed commit may have succeeded, so ``work`` must be idempotent. What it did is rolled back if
        ``keeps`` says so of its result.
        """
        with self._translated():
            return self._write(lambda transaction: work(self._run(transaction)), keeps)

    def rows(self, name: str, /, **given: Any) -> list[dict[str, Any]]:
        """Return the rows of the query ``cypher/NAME.cypher``, run in its own read transaction."""
        return self.read(lambda run: run(name, **given))

    def write_locked(self, name: str, /, *, scope: str, **given: Any) -> list[dict[str, Any]]:
        """Run a query that writes to ``scope`` (its ``scope_text``) while holding the scope's lock."""

        def work(run: Run) -> list[dict[str, Any]]:
            run("lock_scopes", scopes=[scope])
            return run(name, scope=scope, **given)

        return self.write(work)

    @contextmanager
    def hold(self, access: str = neo4j.WRITE_ACCESS) -> Iterator[Run]:
        """Open a transaction in which locks can be held; it is rolled back on exit and never retried."""
        with self._translated(), self._session(access) as session, session.begin_transaction() as begun:
            yield self._run(begun)  # never committed: leaving the block rolls it back

    def change_schema(self, statement: str, **given: Any) -> None:
        """Run one schema statement."""
        self.change_schema_at_once([(statement, given)])

    def change_schema_at_once(self, changes: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Run schema statements, each with its parameters, in one transaction: all or none takes effect.

        One transaction takes half the server's time of one a statement, and the server makes its plans anew once.
        Neo4j requires that it changes nothing but the schema.
        """

        def work(transaction: neo4j.Transaction) -> None:
            for statement, given in changes:
                transaction.run(statement, given).consume()

        if changes:
            with self._translated():
                self._write(work)

    def _write(self, work: Callable[[neo4j.Transaction], T], keeps: Callable[[T], bool] = lambda _: True) -> T:
        def attempt() -> T:
            with self._session(neo4j.WRITE_ACCESS) as session:
                transaction = session.begin_transaction()
                try:
                    done = work(transaction)
                except BaseException:
                    with suppress(raised.Neo4jError, raised.DriverError):  # the first error is the one that counts
                        transaction.close()
                    raise
                if keeps(done):
                    transaction.commit()
                else:
                    transaction.rollback()
                return done

        for _ in range(COMMITS - 1):
            try:
                return self._retried(attempt)
            except raised.IncompleteCommit:
                _log.warning("%s did not answer a commit: asking again what it kept", self.address)
        return self._retried(attempt)

    def _retried(self, attempt: Callable[[], T]) -> T:
        """Return what ``attempt`` does; repeat it on transient errors for up to ``RETRY_SECONDS``."""
        failed: float | None = None
        pause, warned = FIRST_PAUSE, False
        while True:
            try:
                return attempt()
            except (raised.Neo4jError, raised.DriverError) as error:
                now = time.monotonic()
                failed = failed or now
                hopeless = isinstance(error, raised.Neo4jError) and out_of_memory(error)
                if hopeless or not error.is_retryable() or now - failed > RETRY_SECONDS:
                    raise
                if _is_unavailable(error) and not warned:
                    _log.warning("Neo4j does not answer: trying again for up to %.0f s", RETRY_SECONDS)
                    warned = True
            time.sleep(pause * uniform(0.8, 1.2))  # noqa: S311 - jitter, not a secret
            pause *= LONGER

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(
            database=self.address.database, default_access_mode=access, bookmark_manager=self._bookmarks
        )

    def _run(self, runner: neo4j.Transaction | neo4j.Session) -> Run:
        def run(name: str, /, **given: Any) -> list[dict[str, Any]]:
            if given.keys() != parameters(name):
                raise TypeError(f"{name}.cypher takes {sorted(parameters(name))}, not {sorted(given)}")
            return [dict(record) for record in runner.run(as_sent(name, given), given=_Given(given))]

        return run

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (raised.Neo4jError, raised.DriverError) as error:
            raise translate_error(error, self.address) from error


class _Given(dict[str, Any]):
    """Parameters whose ``repr`` has their names alone.

    The driver makes the ``repr`` of all parameters for its debug log even if nothing is logged, which took 38 of the
    540 µs that a fact takes in a bulk load. It also keeps what people said out of that log.
    """

    def __repr__(self) -> str:
        return f"<{', '.join(self)}>"


def _is_unavailable(error: Exception) -> bool:
    """Whether no server responds, or the database is not ready yet."""
    return isinstance(error, raised.ServiceUnavailable | raised.SessionExpired | raised.DatabaseUnavailable)
