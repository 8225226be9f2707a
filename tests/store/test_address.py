"""From addresses to stores: who opens them, whether two are one, what is made."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mem0g.errors import NotFoundError, StoreError, UnknownStoreError
from mem0g.settings import Credentials
from mem0g.store.address import complete_credentials, local_path, open_existing, open_store, same_store
from mem0g.store.protocol import Store

ALL = Credentials(username="u", password="p", database="d")


@pytest.mark.parametrize(
    ("address", "credentials", "otherwise", "expected"),
    [
        ("bolt://h", Credentials(), Credentials(), Credentials()),
        ("bolt://h", Credentials(), ALL, ALL),
        ("bolt://a:b@h/c", Credentials(), ALL, Credentials(username="a", password="b", database="c")),
        ("bolt://a:b@h/c", ALL, Credentials(), ALL),
        ("bolt://a@h", Credentials(database="x"), ALL, Credentials(username="a", password="p", database="x")),
        ("bolt://a:%40%2F@h", Credentials(), Credentials(), Credentials(username="a", password="@/")),
    ],
)
def test_who_opens_it(address: str, credentials: Credentials, otherwise: Credentials, expected: Credentials) -> None:
    """What is given counts more than the address, the address more than what holds otherwise."""
    assert complete_credentials(address, credentials, otherwise) == expected


def test_schemes_in_capitals_are_servers() -> None:
    """The case of a scheme means nothing."""
    assert local_path("BOLT://host") is None
    assert local_path("Neo4j+S://host") is None


def test_a_file_that_must_exist(tmp_path: Path) -> None:
    """Opening what should be there makes no file, and opens the one that is."""
    path = tmp_path / "memory.db"
    with pytest.raises(NotFoundError, match=r"memory\.db"):
        open_existing(path)
    with pytest.raises(NotFoundError, match=r"memory\.db"):
        open_store(path, prepare=False)
    assert not path.exists()
    open_store(path).close()
    store = open_existing(path)
    assert store.info().version > 0
    store.close()


@pytest.mark.parametrize("other", ["file.db", "bolt://h", "bolt://h:7688", "neo4j://other", "bolt://h:7687/x"])
def test_different_stores(other: str) -> None:
    """A file and a server, two ports, two hosts, two databases are different stores."""
    assert not same_store("bolt://h/y", other)
    assert not same_store("memory.db", other)


def test_an_unknown_scheme_is_named_without_the_password() -> None:
    """An address that cannot be used may still hold a password."""
    with pytest.raises(UnknownStoreError, match="unknown store 'mysql://host/db'") as caught:
        open_store("mysql://ann:s3cret@host/db")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("opening", [open_store, open_existing])
def test_a_nul_in_a_name(opening: Callable[[str], Store]) -> None:
    """No file can have it."""
    with pytest.raises(UnknownStoreError, match="has a NUL"):
        opening("memory\0.db")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may look everywhere")
def test_a_folder_that_may_not_be_searched(tmp_path: Path) -> None:
    """Whether the store is there cannot be told, which is no traceback."""
    tmp_path.chmod(0)
    try:
        for opening in (open_store, open_existing):
            with pytest.raises(StoreError, match="Permission denied"):
                opening(tmp_path / "memory.db")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("address", [":memory:", "sqlite:///:memory:", "sqlite::memory:"])
def test_a_memory_is_kept_in_a_file(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's name for a database without a file is refused, and no file of that name is made."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownStoreError, match="kept in a file"):
        open_store(address)
    assert not list(tmp_path.iterdir())
