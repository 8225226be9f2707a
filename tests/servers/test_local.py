"""A local server really serves, keeps its data and its password, and says why it does not start."""

from __future__ import annotations

import re
import socket
import urllib.request
from collections.abc import Iterator

import neo4j
import pytest
from neo4j.exceptions import ClientError, ServiceUnavailable

from tests.servers.errors import ServerFailedError
from tests.servers.fixtures import StartLocal
from tests.servers.local import LocalServer

PASSWORD = "not a secret: ümlaut"


@pytest.fixture(scope="module")
def server(local_neo4j: StartLocal) -> Iterator[LocalServer]:
    """One server with a password and a setting of its own; every test leaves it running."""
    with local_neo4j(password=PASSWORD, settings={"db.transaction.timeout": "77s"}) as server:
        yield server


def _ask(server: LocalServer, query: str, password: str | None = PASSWORD) -> list[object]:
    auth = (server.username, password) if password else None
    with neo4j.GraphDatabase.driver(server.uri, auth=auth, max_transaction_retry_time=0) as driver:
        return [record.value() for record in driver.execute_query(query, database_=server.database).records]


def test_it_is_the_version_asked_for(server: LocalServer) -> None:
    """What answers is that version, as Community edition."""
    found = _ask(server, "CALL dbms.components() YIELD name, versions, edition RETURN versions + edition")
    assert [server.version, "community"] in found


@pytest.mark.parametrize("wrong", ["", None, "not the password"])
def test_a_wrong_password_is_refused(server: LocalServer, wrong: str | None) -> None:
    """Only the password that was given opens the server."""
    with pytest.raises(ClientError):  # an AuthError, but for no password at all
        _ask(server, "RETURN 1", password=wrong)
    assert _ask(server, "RETURN 1") == [1]


def test_the_password_is_told_to_nobody(server: LocalServer) -> None:
    """It is in no file of the home folder and not in what prints the server."""
    for path in server.home.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path
    assert PASSWORD not in repr(server)


def test_a_routing_table_leads_to_the_server(server: LocalServer) -> None:
    """A neo4j:// address works as well as bolt://, for the advertised address is right."""
    with neo4j.GraphDatabase.driver(server.neo4j_uri, auth=(server.username, PASSWORD)) as driver:
        assert driver.execute_query("RETURN 1 AS one", database_=server.database).records[0]["one"] == 1


def test_browser_is_served(server: LocalServer) -> None:
    """Neo4j Browser is below /browser/."""
    with urllib.request.urlopen(f"{server.http}/browser/") as reply:
        assert b"<title>Neo4j Browser</title>" in reply.read()


def test_it_listens_on_this_machine_only(server: LocalServer) -> None:
    """The ports are closed on every other address of this machine."""
    for address in {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}:
        for port in (server.bolt_port, server.http_port):
            if not str(address).startswith("127."):
                assert socket.socket().connect_ex((str(address), port)) != 0


def test_settings_of_ones_own_win(server: LocalServer) -> None:
    """A given setting is in force."""
    query = "SHOW SETTINGS YIELD name, value WHERE name = 'db.transaction.timeout' RETURN value"
    assert _ask(server, query) == ["1m17s"]


def test_data_survive_a_crash(server: LocalServer) -> None:
    """What was committed is there after a kill and a restart, on the same ports and with the same password.

    In between, the database is not opened with another password: that is said at once, and nothing runs on.
    """
    before = (server.uri, server.http)
    _ask(server, "CREATE (:Survivor {name: 'Ben'})")
    server.kill()
    assert server.pid is None
    with pytest.raises(ServiceUnavailable):
        _ask(server, "RETURN 1")
    with pytest.raises(ServerFailedError, match="was made with another password"):
        LocalServer.start(server.home, server.version, password="another one", java_options=server.java_options)
    assert server.pid is None
    server.restart()
    assert _ask(server, "MATCH (s:Survivor) RETURN s.name") == ["Ben"]
    assert (server.uri, server.http) == before


def test_it_is_found_by_its_home(server: LocalServer) -> None:
    """Another program finds the running server by its folder, without its password."""
    found = LocalServer.running_in(server.home)
    assert found is not None
    assert (found.pid, found.uri, found.http, found.version) == (server.pid, server.uri, server.http, server.version)
    assert found.password is None


def test_two_do_not_share_a_home(server: LocalServer) -> None:
    """A second start in the same folder is refused, and does no harm to the first."""
    with pytest.raises(ServerFailedError, match=r"runs in .* already"):
        LocalServer.start(server.home, server.version, password=PASSWORD)
    assert _ask(server, "RETURN 1") == [1]


def test_a_start_that_fails_is_loud(local_neo4j: StartLocal) -> None:
    """A server that ends while starting fails with the words of its log, which name what is wrong."""
    with pytest.raises(ServerFailedError, match=re.compile(r"ended while starting.*no\.such\.setting", re.DOTALL)):
        local_neo4j(settings={"no.such.setting": "1"})
