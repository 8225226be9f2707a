"""The address of a Neo4j store: ``neo4j://user:password@host:port/database``."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from mem0g.errors import UnknownStoreError
from mem0g.settings import Credentials
from mem0g.text.redaction import shown_address


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address; ``uri`` is what the driver takes, without user, password and database."""

    uri: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    database: str | None = None

    def __str__(self) -> str:
        """Return the address without user and password."""
        return f"{self.uri}/{self.database}" if self.database else self.uri

    @property
    def auth(self) -> tuple[str, str] | None:
        """User and password; None for a server that asks for neither."""
        return (self.username or "neo4j", self.password or "") if self.username or self.password else None


def read_address(text: str, credentials: Credentials = Credentials()) -> Address:  # noqa: B008 - frozen
    """Return the address in ``text``; ``credentials`` take precedence.

    Raises UnknownStoreError when no host can be read.
    """
    shown = shown_address(text)
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise UnknownStoreError(
            f"cannot read the store {shown!r}", hint=_HINT
        ) from None  # the original may quote a password
    path = parts.path.strip("/")
    if not host or "/" in path or parts.query or parts.fragment:
        raise UnknownStoreError(f"cannot read the store {shown!r}", hint=_HINT)
    place = f"[{host}]" if ":" in host else host
    return Address(
        uri=f"{parts.scheme}://{place}" + (f":{port}" if port else ""),
        username=credentials.username or _plain(parts.username),
        password=credentials.password or _plain(parts.password),
        database=credentials.database or _plain(path),
    )


_HINT = "write neo4j://host:7687, or with a database neo4j://host:7687/name; quote / ? # in a password: %2F %3F %23"


def _plain(part: str | None) -> str | None:
    return unquote(part) if part else None
