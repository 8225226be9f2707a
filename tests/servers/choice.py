"""Which server the tests use: the user's, one in a container, or one from Maven Central."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

from tests.servers.container import ContainerServer, docker_answers
from tests.servers.errors import NoServerError, ServerFailedError
from tests.servers.given import GivenServer
from tests.servers.local import KEPT_PLANS, LocalServer, short_lived
from tests.servers.release import NEWEST
from tests.servers.server import Server

VERSION = "MEM0G_TEST_NEO4J_VERSION"


def wanted_version(environment: Mapping[str, str]) -> str:
    """The version to test with: MEM0G_TEST_NEO4J_VERSION, or the newest that is known to work."""
    return environment.get(VERSION) or NEWEST


def open_server(home: Path, environment: Mapping[str, str]) -> Server:
    """A server that answers, with a password if it is ours; `home` is where a local one lives.

    NoServerError, with the reason, when there is none to be had; ServerFailedError when one should run and does not.
    """
    if given := GivenServer.from_environment(environment):
        return _of_wanted_version(given, environment)
    version = wanted_version(environment)
    if docker_answers():
        return ContainerServer.start(version)
    try:
        password = secrets.token_urlsafe(12)
        return LocalServer.start(
            home, version, password=password, settings=KEPT_PLANS, java_options=short_lived(version)
        )
    except NoServerError as error:
        raise NoServerError(f"NEO4J_URI is not set, no Docker engine answers, and {error}", hint=error.hint) from error


def _of_wanted_version(given: GivenServer, environment: Mapping[str, str]) -> GivenServer:
    wanted = environment.get(VERSION)
    if wanted and wanted != given.version:
        raise ServerFailedError(
            f"{VERSION} asks for {wanted}, but the server at {given.uri} is {given.version}",
            hint=f"unset NEO4J_URI or {VERSION}",
        )
    return given
