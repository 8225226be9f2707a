"""The tests use the server that was given, or say why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.choice import open_server, wanted_version
from tests.servers.container import ContainerServer, docker_answers
from tests.servers.errors import NoServerError, ServerFailedError
from tests.servers.given import version_of
from tests.servers.ports import free_port
from tests.servers.release import LTS, NEWEST
from tests.servers.server import Server


def _environment(server: Server, **more: str) -> dict[str, str]:
    return {
        "NEO4J_URI": server.uri,
        "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password or "",
        "NEO4J_DATABASE": server.database,
        **more,
    }


def test_the_version_comes_from_the_environment() -> None:
    """The newest one, unless MEM0G_TEST_NEO4J_VERSION names another."""
    assert wanted_version({}) == wanted_version({"MEM0G_TEST_NEO4J_VERSION": ""}) == NEWEST
    assert wanted_version({"MEM0G_TEST_NEO4J_VERSION": LTS}) == LTS


def test_a_given_server_is_used(neo4j_server: Server, tmp_path: Path) -> None:
    """NEO4J_URI comes before everything; its version is asked, and stopping it leaves it running."""
    given = open_server(tmp_path, _environment(neo4j_server))
    assert (given.uri, given.database, given.version) == (
        neo4j_server.uri,
        neo4j_server.database,
        neo4j_server.version,
    )
    given.stop()
    assert version_of(given.uri, given.username, given.password, given.database) == neo4j_server.version
    assert list(tmp_path.iterdir()) == []


def test_a_given_server_of_another_version(neo4j_server: Server, tmp_path: Path) -> None:
    """When a version is asked for, a given server of another is no stand-in for it."""
    environment = _environment(neo4j_server, MEM0G_TEST_NEO4J_VERSION="5.0.0")
    with pytest.raises(ServerFailedError, match=r"asks for 5\.0\.0, but the server at .* is"):
        open_server(tmp_path, environment)


def test_a_given_server_that_does_not_answer(tmp_path: Path) -> None:
    """A NEO4J_URI where nothing listens is an error and never a reason to skip."""
    uri = f"bolt://127.0.0.1:{free_port()}"
    with pytest.raises(ServerFailedError, match=f"the Neo4j at {uri} .* does not answer"):
        open_server(tmp_path, {"NEO4J_URI": uri})


def test_nothing_to_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without NEO4J_URI, Docker, and Maven for jars that are not there, the error names all three."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServerError, match="NEO4J_URI is not set, no Docker engine answers, and") as caught:
        open_server(tmp_path, {"MEM0G_TEST_NEO4J_VERSION": "2026.99.0"})
    assert caught.value.hint is not None
    assert "install" in caught.value.hint


def test_a_docker_engine_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a docker command without an engine nor no command at all counts as Docker."""
    monkeypatch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{free_port()}")
    assert not docker_answers()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not docker_answers()


@pytest.mark.neo4j
def test_a_container_serves() -> None:
    """Where Docker is, the image of the version answers at both addresses."""
    if not docker_answers():
        pytest.skip("no Docker engine")
    server = ContainerServer.start(NEWEST)
    try:
        for uri in (server.uri, server.neo4j_uri):
            assert version_of(uri, server.username, server.password, server.database) == NEWEST
    finally:
        server.stop()
