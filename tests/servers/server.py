"""What a test may ask of a server, wherever it runs."""

from __future__ import annotations

from typing import Protocol


class Server(Protocol):
    """A Neo4j that answers: how to reach it, and how to be done with it."""

    @property
    def uri(self) -> str:
        """Where Bolt listens, for a direct connection (as given, for a server of the user's)."""

    @property
    def neo4j_uri(self) -> str:
        """Where Bolt listens, for a connection that asks for a routing table (as given, for the user's)."""

    @property
    def http(self) -> str | None:
        """Where HTTP listens; Browser is below it at /browser/. None when not known."""

    @property
    def username(self) -> str:
        """The user to connect as."""

    @property
    def password(self) -> str | None:
        """The user's password; None when the server asks for none."""

    @property
    def database(self) -> str:
        """The database to use."""

    @property
    def version(self) -> str:
        """The server's version, such as "5.26.30"."""

    def stop(self) -> None:
        """End the server in order; a server of the user's is left alone."""
