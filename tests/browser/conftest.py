"""Memories to look at, on a real Neo4j, and the real Neo4j Browser in Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mem0g.browser.bundle import GUIDE, served_files
from mem0g.browser.contents import Contents, read_contents
from mem0g.browser.link import Place
from mem0g.browser.server import File, FileServer
from mem0g.memory import Memory
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from mem0g.transcripts.reading import read_files
from tests.browser.worlds import HOSTILE_SCOPE, hostile
from tests.servers.fixtures import StartLocal
from tests.servers.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EXAMPLE = Path(__file__).parents[2] / "examples" / "olivia-and-ben.txt"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
LAUNCH = (
    "--no-sandbox",  # tests run as root in containers
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",  # Browser reports to its makers
)

_REQUIRED = "MEM0G_REQUIRE_NEO4J"
_MISSING = pytest.StashKey[str]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say loudly that Neo4j Browser was not tested, and why."""
    if reason := config.stash.get(_MISSING, None):
        terminalreporter.write_line(f"NEO4J BROWSER WAS NOT TESTED: {reason}", red=True, bold=True)


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Chromium, driven by Playwright; nothing that is not on this machine can be reached from it."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path, missing = None, "Playwright is not installed (pip install playwright)"
    else:
        missing = "there is no Chromium (Debian: apt-get install chromium)"
    if path is None:
        if os.environ.get(_REQUIRED) == "1":
            pytest.fail(f"{_REQUIRED}=1, but {missing}", pytrace=False)
        request.config.stash[_MISSING] = missing
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(LAUNCH))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def store(neo4j_server: Server) -> Iterator[Neo4jStore]:
    """A store on a real Neo4j; what a test writes there is forgotten after the module."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    opened = Neo4jStore(neo4j_server.uri, credentials)
    before = opened.stats().scopes
    yield opened
    for scope in set(opened.stats().scopes) - set(before):
        opened.forget(scope)
    opened.close()


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory that `mem0g browser` shows: where it is, what it holds, the files served_files, and the link to open."""

    place: Place
    contents: Contents
    files: dict[str, File]
    base: str

    @property
    def link(self) -> str:
        """What opens Browser with the tour."""
        return self.place.link(f"{self.base}/{GUIDE}")


@contextmanager
def shown(store: Neo4jStore, place: Place, user: str) -> Iterator[Shown]:
    """Serve a user's memory as `mem0g browser --user` does."""
    contents = read_contents(store, user_id=user)
    with FileServer(0, place.browser_url) as server:
        server.files = served_files(contents, place, server.address)
        yield Shown(place, contents, dict(server.files), server.address)


@pytest.fixture(scope="session")
def open_place(local_neo4j: StartLocal, minilm: None) -> Iterator[tuple[Neo4jStore, Place]]:
    """A server of its own that asks for no password, with Neo4j Browser: the example's memory and a hostile one."""
    server = local_neo4j()
    uri = f"bolt://localhost:{server.bolt_port}"
    with Memory.open(uri) as memory:
        memory.add(read_files([EXAMPLE]).utterances, user_id="demo")
    store = Neo4jStore(uri)
    store.load(iter([hostile(HOSTILE_SCOPE)]))
    yield store, Place(uri=uri, browser_url=f"{server.http}/browser/", password=False)
    store.close()
    server.stop()


@pytest.fixture(scope="session")
def example(open_place: tuple[Neo4jStore, Place]) -> Iterator[Shown]:
    """The example's memory, shown."""
    with shown(*open_place, "demo") as files:
        yield files
