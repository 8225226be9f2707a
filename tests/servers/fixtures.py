"""The fixtures that give tests a Neo4j, and what pytest says when there is none.

A test that uses one of them is marked `neo4j`, one that starts servers of its own also `own_neo4j`. Without a server
such tests are skipped, which the last lines of the run say; MEM0G_REQUIRE_NEO4J=1 makes it a failure.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn, Protocol

import pytest

from tests.servers.choice import open_server, wanted_version
from tests.servers.errors import NoServerError
from tests.servers.local import KEPT_PLANS, LocalServer, short_lived
from tests.servers.server import Server

_REQUIRED = "MEM0G_REQUIRE_NEO4J"
_MISSING = pytest.StashKey[str]()
_RUNNING = pytest.StashKey[pytest.Item]()
_FIXTURES = {"neo4j_server", "local_neo4j"}


class StartLocal(Protocol):
    """Starts a server of a test's own, which can be stopped, killed and restarted; it ends with the session."""

    def __call__(
        self, *, password: str | None = None, settings: Mapping[str, str] | None = None, version: str | None = None
    ) -> LocalServer:
        """A new server on new ports; use it in a `with` block to be done with it sooner."""


@pytest.fixture(scope="session")
def neo4j_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The one server of the session: NEO4J_URI, or a container, or a local one, with a password where it is ours."""
    _refuse_misuse(request.config)
    with ExitStack() as stack:
        try:
            server = open_server(_new_home(stack), os.environ)
        except NoServerError as error:
            _do_without(request.config, error)
        stack.callback(server.stop)
        yield server


@pytest.fixture(scope="session")
def local_neo4j(request: pytest.FixtureRequest) -> Iterator[StartLocal]:
    """Start servers with settings of a test's own, which it may also kill."""
    with ExitStack() as stack:

        def start(
            *, password: str | None = None, settings: Mapping[str, str] | None = None, version: str | None = None
        ) -> LocalServer:
            wanted = version or wanted_version(os.environ)
            try:
                home = _new_home(stack)
                server = LocalServer.start(
                    home,
                    wanted,
                    password=password,
                    settings=KEPT_PLANS | dict(settings or {}),
                    java_options=short_lived(wanted),
                )
            except NoServerError as error:
                _do_without(request.config, error)
            stack.callback(server.stop)
            return server

        yield start


def pytest_configure(config: pytest.Config) -> None:
    """End in order when asked to terminate, as on Ctrl-C, so that no server stays behind."""
    signal.signal(signal.SIGTERM, _terminated)


@pytest.hookimpl(tryfirst=True)  # before -m is looked at
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that uses a server, so that none can be forgotten."""
    for item in items:
        if _FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.neo4j)
        if "local_neo4j" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.own_neo4j)


@pytest.hookimpl(tryfirst=True)  # before fixtures are set up
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Remember which test runs, for the fixture of the session to know who asks for it."""
    item.config.stash[_RUNNING] = item


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say loudly that tests with Neo4j were skipped, and why."""
    if reason := config.stash.get(_MISSING, None):
        terminalreporter.write_line(f"NEO4J TESTS WERE SKIPPED: {reason}", red=True, bold=True)


def _refuse_misuse(config: pytest.Config) -> None:
    """Fail where a server would start that nobody wants, or that nobody would stop."""
    if config.stash[_RUNNING].get_closest_marker("neo4j") is None:  # got by `getfixturevalue`, which marks nothing
        pytest.fail("give this test, or its parameter, the mark neo4j: it uses a server", pytrace=False)
    if hasattr(config, "workerinput"):  # each process would have its own, which outlives it when the run is ended
        pytest.fail("run tests that use Neo4j without --numprocesses (-n)", pytrace=False)


def _terminated(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt(f"ended from outside by {signal.Signals(number).name} (a time limit?)")


def _new_home(stack: ExitStack) -> Path:
    memory = os.environ.get("PYTEST_DEBUG_TEMPROOT")  # where the tests' own files are, too: see tests/conftest.py
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mem0g-neo4j-", dir=memory)))


def _do_without(config: pytest.Config, error: NoServerError) -> NoReturn:
    reason = f"{error} ({error.hint})"
    if os.environ.get(_REQUIRED) == "1":
        pytest.fail(f"{_REQUIRED}=1, but there is no Neo4j: {reason}", pytrace=False)
    config.stash[_MISSING] = reason
    pytest.skip(f"no Neo4j: {reason}")
