"""A server that is not there, does not let one in, or cannot be written: what the user then reads."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from urllib.parse import quote

import neo4j
import pytest

from mem0g.errors import (
    ReadOnlyStoreError,
    StoreAccessError,
    StoreError,
    UnknownDatabaseError,
    UnreachableStoreError,
)
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from tests.servers.fixtures import StartLocal
from tests.servers.local import LocalServer
from tests.servers.ports import HOST, free_port
from tests.store.ingested import error_text, said

PASSWORD = "open-sesame-1001"
WRONG = "open-barley-1001"
ODD = "p@ss:/w?#%20 é`'\"1"


@pytest.fixture(scope="module")
def server(local_neo4j: StartLocal) -> Iterator[LocalServer]:
    """A server with a password and some users; its database holds nothing and is read-only."""
    with local_neo4j(password=PASSWORD) as started:
        started.settings = {**started.settings, "server.databases.default_to_read_only": "true"}
        started.restart()
        with neo4j.GraphDatabase.driver(started.uri, auth=("neo4j", PASSWORD)) as driver:
            for user, password in (("new", PASSWORD), ("odd", ODD), ("mistaken", PASSWORD), ("barred", PASSWORD)):
                made = "CREATE USER $user SET PASSWORD $password " + ("" if user == "new" else "CHANGE NOT REQUIRED")
                driver.execute_query(made, user=user, password=password, database_="system")
        yield started


def refused(kind: type[StoreError], address: str, *, prepare: bool = True, **credentials: str) -> str:
    """What the user reads who opens a store that cannot be opened."""
    with pytest.raises(StoreError) as caught:
        Neo4jStore(address, Credentials(**credentials), prepare=prepare)
    assert type(caught.value) is kind
    return error_text(caught.value, PASSWORD, WRONG, ODD, quote(ODD, safe=""))


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_nothing_listens(scheme: str, caplog: pytest.LogCaptureFixture) -> None:
    """The address is named, with what the system says and what to do; at once, and with nothing else on the screen."""
    address = f"{scheme}://{HOST}:{free_port()}"
    read = refused(UnreachableStoreError, address, password=PASSWORD)
    assert read.startswith(f"no Neo4j answers at {address}: ")
    assert "make neo4j" in read
    assert scheme == "neo4j" or "Connection refused" in read
    assert not [each for each in caplog.records if each.name.startswith("mem0g")]


@pytest.mark.slow
def test_nothing_listens_on_the_command_line() -> None:
    """The program says so in one line and a hint."""
    store = f"neo4j://neo4j:{PASSWORD}@{HOST}:{free_port()}"
    read = said("stats", "--all", "--store", store, secrets=(PASSWORD,))
    assert "mem0g: no Neo4j answers at neo4j://127.0.0.1:" in read


def test_a_host_that_does_not_exist() -> None:
    """The name is said to be unknown."""
    assert "not known" in refused(UnreachableStoreError, "bolt://nowhere.invalid:7687")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_the_port_of_the_browser(server: LocalServer, scheme: str) -> None:
    """Whoever gives the port that Browser has is told which one is meant."""
    read = refused(UnreachableStoreError, f"{scheme}://{HOST}:{server.http_port}", password=PASSWORD)
    assert "HTTP" in read
    assert "7687" in read


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+ssc"])
def test_a_server_without_encryption(server: LocalServer, scheme: str) -> None:
    """Whoever asks for encryption where there is none is told so."""
    read = refused(UnreachableStoreError, f"{scheme}://{HOST}:{server.bolt_port}", password=PASSWORD)
    assert "TLS" in read


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_wrong_password(server: LocalServer, scheme: str) -> None:
    """The user is named, the password is not, and it is told where to give it."""
    address = f"{scheme}://{HOST}:{server.bolt_port}"
    read = refused(StoreAccessError, address, username="mistaken", password=WRONG)
    assert "rejects the user 'mistaken' with this password" in read
    assert "NEO4J_PASSWORD" in read


def test_too_many_wrong_passwords(server: LocalServer) -> None:
    """A server that counts them is not said to be wrong about the password, but to want a pause."""
    for _ in range(8):
        read = refused(StoreAccessError, server.uri, username="barred", password=WRONG)
    assert "too many wrong passwords" in read
    assert "wait" in read


def test_a_wrong_password_on_the_command_line(server: LocalServer) -> None:
    """The program says it in one line and a hint, wherever the password was given."""
    secrets = (PASSWORD, WRONG)
    address = f"bolt://mistaken:{WRONG}@{HOST}:{server.bolt_port}"
    assert "rejects the user 'mistaken'" in said("stats", "--all", "--store", address, secrets=secrets)
    credentials = {"NEO4J_USERNAME": "nobody", "NEO4J_PASSWORD": WRONG}
    assert "rejects the user 'nobody'" in said(
        "stats", "--all", "--store", server.uri, secrets=secrets, credentials=credentials
    )


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_no_password_where_one_is_needed(server: LocalServer, scheme: str) -> None:
    """It is said that a password is needed, rather than that one was wrong."""
    read = refused(StoreAccessError, f"{scheme}://{HOST}:{server.bolt_port}")
    assert "requires a user name and a password" in read
    assert "NEO4J_PASSWORD" in read


def test_a_password_that_must_be_changed(server: LocalServer) -> None:
    """Neo4j's first password must be changed before anything else, which is said with the statement that does it."""
    read = refused(StoreAccessError, server.uri, username="new", password=PASSWORD)
    assert "change the password first" in read
    assert "ALTER CURRENT USER" in read


def test_a_password_of_any_characters(server: LocalServer) -> None:
    """Whatever is in a password, it opens the store from the address, quoted as in any URL, and by itself."""
    address = f"bolt://odd:{quote(ODD, safe='')}@{HOST}:{server.bolt_port}"
    for store in (
        Neo4jStore(address, prepare=False),
        Neo4jStore(server.uri, Credentials(username="odd", password=ODD), prepare=False),
    ):
        assert ODD not in store.address + repr(store.info())
        store.close()


@pytest.mark.parametrize("name", ["nowhere", "no where", "`; DROP DATABASE neo4j", "käse", "x" * 300])
@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_wrong_database(server: LocalServer, scheme: str, name: str) -> None:
    """The name is said to be unknown, and where another one is given."""
    address = f"{scheme}://{HOST}:{server.bolt_port}"
    read = refused(UnknownDatabaseError, address, password=PASSWORD, database=name)
    assert f"has no database {name!r}" in read
    assert "NEO4J_DATABASE" in read


def test_a_wrong_database_on_the_command_line(server: LocalServer) -> None:
    """The program says it in one line and a hint."""
    address = f"neo4j://neo4j:{PASSWORD}@{HOST}:{server.bolt_port}/nowhere"
    assert "has no database 'nowhere'" in said("stats", "--all", "--store", address, secrets=(PASSWORD,))


def test_the_database_of_the_system(server: LocalServer) -> None:
    """The database in which Neo4j keeps users is not one to keep a memory in."""
    read = refused(UnknownDatabaseError, server.uri, password=PASSWORD, database="system")
    assert "'system'" in read


def test_a_read_only_database_where_mem0g_never_was(server: LocalServer, caplog: pytest.LogCaptureFixture) -> None:
    """What must be made cannot be: it is said at once, not tried for a minute; and that nothing is there."""
    read = refused(ReadOnlyStoreError, server.uri, password=PASSWORD)
    assert "cannot be written" in read
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
    credentials = {"NEO4J_PASSWORD": PASSWORD}
    assert "cannot be written" in said(
        "add", "I live in Oslo.", "-u", "ann", "--store", server.uri, credentials=credentials
    )
    assert "no memory" in said("search", "Oslo", "-u", "ann", "--store", server.uri, credentials=credentials)
