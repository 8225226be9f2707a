"""Memories to look at, on a real Neo4j with the real Neo4j Browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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

EXAMPLE = Path(__file__).parents[2] / "examples" / "olivia-and-ben.txt"


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
