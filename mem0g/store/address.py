"""From the address of a store to the store."""

from __future__ import annotations

from pathlib import Path

from mem0g.errors import UnknownStoreError
from mem0g.settings import Login
from mem0g.store.protocol import Store

SERVERS = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
"""Schemes of a store that is a server's."""


def default_path() -> Path:
    """The file used when no store is named: memory.db in the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("mem0g", appauthor=False)) / "memory.db"


def local_path(address: str | Path | None) -> Path | None:
    """The file that ``address`` names; None for a store that is not a file. Raises UnknownStoreError as open_store."""
    if _scheme(str(address or "")) in SERVERS:
        return None
    return default_path() if not address else _path(str(address))


def open_store(address: str | Path | None = None, login: Login = Login()) -> Store:  # noqa: B008 - frozen
    """Open the store at ``address``: a file, or a Neo4j database; None is the user's own file.

    A file is a path, ``sqlite:///path`` or ``sqlite:path``, and is made when it is not there. A database is
    ``neo4j://user:password@host:port/database``, or ``bolt://…``, encrypted ``neo4j+s://…``; what ``login`` gives
    counts more. Raises UnknownStoreError for another scheme, else the StoreError that says why the store cannot be
    used.
    """
    if _scheme(str(address or "")) in SERVERS:
        from mem0g.store.neo4j import Neo4jStore

        return Neo4jStore(str(address), login)
    from mem0g.store.sqlite import SqliteStore

    return SqliteStore(default_path() if not address else _path(str(address)))


def _scheme(address: str) -> str:
    """The scheme of a URL; empty for a path, perhaps with a drive letter."""
    scheme, separator, _ = address.partition(":")
    return "" if not separator or len(scheme) == 1 or "/" in scheme or "\\" in scheme else scheme


def _path(address: str) -> Path:
    scheme = _scheme(address)
    if not scheme:
        return Path(address).expanduser()
    path = address[len(scheme) + 1 :].removeprefix("///")  # as SQLAlchemy: three slashes, four for an absolute path
    if scheme == "sqlite" and path:
        return Path(path).expanduser()
    hint = "use a file's path, sqlite:///path, neo4j://host or bolt://host"
    raise UnknownStoreError(f"unknown store {address!r}", hint=hint)
