"""Opening a store by its address: a file or a Neo4j database."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

from mem0g.errors import NotFoundError, UnknownStoreError
from mem0g.settings import Credentials, FileSettings, Settings
from mem0g.store.protocol import Store
from mem0g.text.redaction import shown_address

SERVERS = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
"""URL schemes of Neo4j databases."""

BOLT_PORT = 7687
"""The port of a server whose address names none."""


def default_path() -> Path:
    """Return the file that is used when no store is named: memory.db in the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("mem0g", appauthor=False)) / "memory.db"


def local_path(address: str | Path | None) -> Path | None:
    """Return the file that ``address`` names; None if it is a database. Raises UnknownStoreError as open_store."""
    if _scheme(str(address or "")) in SERVERS:
        return None
    if address and not str(address).strip():
        raise UnknownStoreError(f"the store's address {str(address)!r} is blank", hint="give a file or neo4j://host")
    return default_path() if not address else _path(str(address))


def is_there(path: Path) -> bool:
    """Whether the file exists. Raises StoreError for a name that cannot be one, and where it may not be looked for."""
    from mem0g.store.sqlite.opening import translated

    with translated(path):
        return path.exists()


def open_store(
    address: str | Path | None = None,
    credentials: Credentials = Credentials(),  # noqa: B008 - frozen
    *,
    otherwise: Credentials = Credentials(),  # noqa: B008 - frozen
    prepare: bool = True,
    file: FileSettings = FileSettings(),  # noqa: B008 - frozen
) -> Store:
    """Open the store at ``address``: a file, or a Neo4j database; None is the user's own file.

    A file is a path, ``sqlite:///path`` or ``sqlite:path``. A database is ``neo4j://user:password@host:port/database``,
    or ``bolt://…``, encrypted ``neo4j+s://…``; ``credentials`` take precedence over the address, the
    address over ``otherwise``. A store that does not exist is created, unless ``prepare`` is False: then a database is
    opened as it is (``info().version`` is 0 if it has no store), and a missing file raises NotFoundError. ``file`` are
    the settings of a file. Raises UnknownStoreError for another scheme, or a StoreError if the store cannot be used.
    """
    path = local_path(address)
    if path is None:
        from mem0g.store.neo4j import Neo4jStore

        return Neo4jStore(str(address), complete_credentials(str(address), credentials, otherwise), prepare=prepare)
    from mem0g.store.sqlite import SqliteStore

    if not prepare and not is_there(path):
        raise _nothing(str(path))

    return SqliteStore(path, file)


def open_existing(
    address: str | Path | None = None,
    credentials: Credentials = Credentials(),  # noqa: B008 - frozen
    *,
    otherwise: Credentials = Credentials(),  # noqa: B008 - frozen
    file: FileSettings = FileSettings(),  # noqa: B008 - frozen
) -> Store:
    """Open the store at ``address`` as ``open_store`` does. Raises NotFoundError instead of creating one."""
    with ExitStack() as stack:
        store = stack.enter_context(
            closing(open_store(address, credentials, otherwise=otherwise, prepare=False, file=file))
        )
        info = store.info()
        if info.version == 0:
            raise _nothing(store.address)
        if info.outdated:
            store.prepare()
        stack.pop_all()
    return store


def store_of(
    store: str | Path | Store | None, settings: Settings, credentials: Credentials, *, existing: bool = False
) -> Store:
    """Return the store given, or open the one at an address, by default that of the settings.

    Raises UnknownStoreError for what is neither.
    """
    if store is None or isinstance(store, str | Path):
        opening = open_existing if existing else open_store
        return opening(store or settings.store, credentials, otherwise=settings.credentials, file=settings.file)
    if not callable(getattr(store, "write", None)):
        hint = "give a file's path, neo4j://host, or a Store"
        raise UnknownStoreError(f"the store is {str(store)[:40]!r} of type {type(store).__name__}", hint=hint)
    return store


def complete_credentials(address: str, credentials: Credentials, otherwise: Credentials) -> Credentials:
    """Return credentials for ``address``, each from ``credentials``, else the address, else ``otherwise``."""
    from mem0g.store.neo4j.server.address import read_address

    read = read_address(address, credentials)
    return Credentials(
        username=read.username or otherwise.username,
        password=read.password or otherwise.password,
        database=read.database or otherwise.database,
    )


def same_store(one: str, other: str, otherwise: Credentials = Credentials()) -> bool:  # noqa: B008 - frozen
    """Whether two addresses name the same store, judged by the addresses alone; ``otherwise`` as for ``open_store``."""
    paths = [local_path(address) for address in (one, other)]
    if paths[0] is not None and paths[1] is not None:
        return paths[0].resolve() == paths[1].resolve()
    return paths == [None, None] and _database(one, otherwise) == _database(other, otherwise)


def _database(address: str, otherwise: Credentials) -> tuple[str, int, str | None]:
    """Return host, port and name of a database."""
    from urllib.parse import urlsplit

    credentials = complete_credentials(address, Credentials(), otherwise)  # which refuses what urlsplit cannot read
    parts = urlsplit(address)
    host = parts.hostname or ""
    return "localhost" if host in ("127.0.0.1", "::1") else host, parts.port or BOLT_PORT, credentials.database


def _nothing(address: str) -> NotFoundError:
    return NotFoundError(f"there is no memory at {address} yet", hint="`mem0g ingest FILE --user NAME` makes one")


def _scheme(address: str) -> str:
    """Return the scheme of a URL; empty for a path, also one with a drive letter."""
    scheme, separator, _ = address.partition(":")
    return "" if not separator or len(scheme) == 1 or "/" in scheme or "\\" in scheme else scheme.lower()


def _path(address: str) -> Path:
    scheme = _scheme(address)
    if address.endswith(":memory:"):  # SQLite would give each of a store's connections a database of its own
        raise UnknownStoreError("a memory is kept in a file, not in ':memory:'", hint="tests take a temporary file")
    if not scheme:
        return _expanded(address)
    path = address[len(scheme) + 1 :].removeprefix("///")  # as SQLAlchemy: three slashes, four for an absolute path
    if scheme == "sqlite" and path:
        return _expanded(path)
    hint = "use a file's path, sqlite:///path, neo4j://host or bolt://host"
    raise UnknownStoreError(f"unknown store {shown_address(address)!r}", hint=hint)


def _expanded(path: str) -> Path:
    """Return the path with a user's folder for ``~``. Raises UnknownStoreError for what no file can be named."""
    if "\0" in path:
        raise UnknownStoreError(f"the store's address {path[:40]!r} has a NUL", hint="remove it")
    try:
        return Path(path).expanduser()
    except RuntimeError as error:  # ~somebody
        raise UnknownStoreError(
            f"there is no user whose folder {path[:40]!r} names", hint="write the path out"
        ) from error
