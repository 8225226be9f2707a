"""A Neo4j of the user's, named by NEO4J_URI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from tests.servers.errors import ServerFailedError


@dataclass(frozen=True)
class GivenServer:
    """A server that was there before the tests and stays after them."""

    uri: str
    username: str
    password: str | None = field(repr=False)
    database: str
    version: str
    http: None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self | None:
        """The server that NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE name; None without NEO4J_URI.

        ServerFailedError when it does not answer.
        """
        uri = environment.get("NEO4J_URI")
        if not uri:
            return None
        username = environment.get("NEO4J_USERNAME") or "neo4j"
        password = environment.get("NEO4J_PASSWORD") or None
        database = environment.get("NEO4J_DATABASE") or "neo4j"
        version = version_of(uri, username, password, database)
        return cls(uri, username, password, database, version)

    @property
    def neo4j_uri(self) -> str:
        """The address as given: whether it can be asked for a routing table is the user's to know."""
        return self.uri

    def stop(self) -> None:
        """Nothing: the server is not ours to stop."""


def version_of(uri: str, username: str, password: str | None, database: str) -> str:
    """The version that a server says it has; ServerFailedError when it does not answer or refuses."""
    auth = (username, password) if password else None
    try:
        with neo4j.GraphDatabase.driver(uri, auth=auth, max_transaction_retry_time=0) as driver:
            found = driver.execute_query(
                "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version",
                database_=database,
                routing_=neo4j.RoutingControl.READ,
            )
    except (DriverError, Neo4jError) as error:
        raise ServerFailedError(
            f"the Neo4j at {uri} (user {username}, database {database}) does not answer: {error}",
            hint="check NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE",
        ) from error
    return str(found.records[0]["version"])
