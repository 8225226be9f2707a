"""The connection to the server: one driver, retried transactions with bookmarks, translated errors.

Transactions are retried here and not by the driver's ``execute_write``, so that a warning can be logged when a server
does not answer, and a commit that needs too much memory is not retried.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import uniform
from typing import Any, Protocol, TypeVar

import neo4j
from neo4j import exceptions as raised

from mem0g.errors import StoreError
from mem0g.store.neo4j.address import Address
from mem0g.store.neo4j.queries import parameters, query
from mem0g.store.neo4j.trouble import first_line, meaning, out_of_memory

T = TypeVar("T")

RETRY_SECONDS = 60.0
"""How long a transaction is retried after its first failure: a server that restarts is back within half of it."""

FIRST_PAUSE = 0.2
LONGER = 1.5
"""Seconds before the first retry, and the factor of each further pause; each varies by a fifth, as the driver's."""

COMMITS = 3
"""How often a transaction is attempted whose commit got no answer."""

CONNECT_SECONDS = 10.0

_log = logging.getLogger(__name__)


class Run(Protocol):
    """Runs a query file by its name within one transaction."""

    def __call__(self, name: str, /, **given: Any) -> list[dict[str, Any]]:
        """Return the rows of ``cypher/NAME.cypher`` with these parameters."""
        ...


class Connection:
    """A driver and its transactions; may be shared by threads."""

    def __init__(self, address: Address) -> None:
        """Connect. Raises a StoreError if that fails."""
        self.address = address
        try:
            self._driver = neo4j.GraphDatabase.driver(
                address.uri,
                auth=address.auth,
                connection_timeout=CONNECT_SECONDS,
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
        """Run ``work`` in one reading transaction; again if the server asks for a retry."""
        with self._translated():
            return self._retried(neo4j.READ_ACCESS, lambda transaction: work(self._run(transaction)))

    def write(self, work: Callable[[Run], T]) -> T:
        """Run ``work`` in one writing transaction; again if the server asks for a retry or did not answer the commit.

        In the latter case the first attempt may have been committed, so ``work`` has to check what is there already.
        """
        with self._translated():
            return self._write(lambda transaction: work(self._run(transaction)))

    def rows(self, name: str, /, **given: Any) -> list[dict[str, Any]]:
        """Return the rows of the query ``cypher/NAME.cypher``, run in a reading transaction of its own."""
        return self.read(lambda run: run(name, **given))

    def write_locked(self, name: str, /, *, scope: str, **given: Any) -> list[dict[str, Any]]:
        """Run a query that writes to ``scope`` (its ``scope_text``) while holding the scope's lock."""

        def work(run: Run) -> list[dict[str, Any]]:
            run("lock_scopes", scopes=[scope])
            return run(name, scope=scope, **given)

        return self.write(work)

    @contextmanager
    def hold(self, access: str = neo4j.WRITE_ACCESS) -> Iterator[Run]:
        """Open a transaction for reading under a lock; it is rolled back at the end and never retried."""
        with self._translated(), self._session(access) as session, session.begin_transaction() as begun:
            yield self._run(begun)  # nobody commits it

    def change_schema(self, statement: str, **given: Any) -> None:
        """Run one schema statement, which needs a transaction of its own in Neo4j."""
        with self._translated():
            self._write(lambda transaction: transaction.run(statement, given).consume())

    def _write(self, work: Callable[[neo4j.Transaction], T]) -> T:
        for _ in range(COMMITS - 1):
            try:
                return self._retried(neo4j.WRITE_ACCESS, work)
            except raised.IncompleteCommit:
                _log.warning("%s did not answer a commit: asking again what it kept", self.address)
        return self._retried(neo4j.WRITE_ACCESS, work)

    def _retried(self, access: str, work: Callable[[neo4j.Transaction], T]) -> T:
        """Run ``work`` in a transaction and commit it; retry errors that may pass, for up to RETRY_SECONDS."""
        failed: float | None = None
        pause, warned = FIRST_PAUSE, False
        while True:
            try:
                with self._session(access) as session, session.begin_transaction() as transaction:
                    done = work(transaction)
                    transaction.commit()
                    return done
            except (raised.Neo4jError, raised.DriverError) as error:
                now = time.monotonic()
                failed = failed or now
                hopeless = isinstance(error, raised.Neo4jError) and out_of_memory(error)
                if hopeless or not error.is_retryable() or now - failed > RETRY_SECONDS:
                    raise
                if _is_unavailable(error) and not warned:
                    _log.warning("Neo4j does not answer: trying again for up to %.0f s", RETRY_SECONDS)
                    warned = True
            time.sleep(pause * uniform(0.8, 1.2))  # noqa: S311 - no secret depends on it
            pause *= LONGER

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(
            database=self.address.database, default_access_mode=access, bookmark_manager=self._bookmarks
        )

    def _run(self, transaction: neo4j.Transaction) -> Run:
        def run(name: str, /, **given: Any) -> list[dict[str, Any]]:
            if given.keys() != parameters(name):
                raise TypeError(f"{name}.cypher takes {sorted(parameters(name))}, not {sorted(given)}")
            return [dict(record) for record in transaction.run(query(name), given)]

        return run

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (raised.Neo4jError, raised.DriverError) as error:
            raise meaning(error, self.address) from error


def _is_unavailable(error: Exception) -> bool:
    """Whether no server answers, or the database is not ready yet."""
    return isinstance(error, raised.ServiceUnavailable | raised.SessionExpired | raised.DatabaseUnavailable)
