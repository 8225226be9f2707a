"""From the address of a store to the store."""

from __future__ import annotations

from pathlib import Path

from mem0g.errors import UnknownStoreError
from mem0g.store.protocol import Store


def default_path() -> Path:
    """The file used when no store is named: memory.db in the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("mem0g", appauthor=False)) / "memory.db"


def local_path(address: str | Path | None) -> Path | None:
    """The file that ``address`` names; None for a store that is not a file. Raises UnknownStoreError as open_store."""
    return default_path() if not address else _path(str(address))


def open_store(address: str | Path | None = None) -> Store:
    """Open the store at ``address``: a path, ``sqlite:///path`` or ``sqlite:path``; None is the user's own file.

    The file is made when it is not there. Raises UnknownStoreError for another scheme, else the StoreError that says
    why the store cannot be used.
    """
    from mem0g.store.sqlite import SqliteStore

    return SqliteStore(default_path() if not address else _path(str(address)))


def _path(address: str) -> Path:
    scheme, separator, rest = address.partition(":")
    if not separator or len(scheme) == 1 or "/" in scheme or "\\" in scheme:  # a path, perhaps with a drive letter
        return Path(address).expanduser()
    path = rest.removeprefix("///")  # as in SQLAlchemy: three slashes before a relative path, four before an absolute
    if scheme == "sqlite" and path:
        return Path(path).expanduser()
    hint = "use a file's path or sqlite:///path"
    raise UnknownStoreError(f"unknown store {address!r}", hint=hint)
