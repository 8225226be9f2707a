"""The `browser` command, which shows a memory in Neo4j Browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.files import folder_made, written
from mem0g.cli.options import SCOPE_OR_ALL, STORE, Target, takes
from mem0g.cli.terminal import say

if TYPE_CHECKING:
    from mem0g.browser.contents import Contents, Graph
    from mem0g.browser.link import Place
    from mem0g.browser.server import FileServer

USUAL_PORT = 7475
"""Next to Neo4j's own 7474; any free port if it is taken and ``--port`` is not given."""


@takes(SCOPE_OR_ALL, STORE)
def browser(
    target: Target,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the style, queries and tour to this folder instead of serving them."
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port to serve on. [default: 7475 if it is free]"),
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the link in a web browser.")] = False,
    browser_url: Annotated[
        str | None,
        typer.Option("--browser-url", help="URL of Neo4j Browser. [default: as the server says]"),
    ] = None,
) -> None:
    """Show a scope, or with --all the whole store, in Neo4j Browser, with a style, queries and a tour.

    They are served from this computer until Ctrl-C.
    """
    from mem0g.browser.contents import read_contents

    _ = target.scope
    with _graph(target) as graph:
        contents = read_contents(graph, user_id=target.user, agent_id=target.agent, run_id=target.run)
        place = _place(graph, target, browser_url)
    if output is not None:
        _write(contents, place, output)
        return
    with _server(port, place.browser_url) as server:
        _serve(server, contents, place, open_it=open_it)


@contextmanager
def _graph(target: Target) -> Iterator[Graph]:
    """Open the memory as a Neo4j store. Raises InputError when it is a file."""
    from mem0g.browser.contents import Graph
    from mem0g.errors import InputError
    from mem0g.store.address import local_path

    file = local_path(target.store)
    if file is None:
        with target.open_existing() as memory:
            if isinstance(memory.store, Graph):
                yield memory.store
                return
    raise InputError(
        f"{file or target.store} is not in Neo4j, which Neo4j Browser needs",
        hint="copy it there with `mem0g copy --all`; then give --store bolt://localhost:7687, or set MEM0G_STORE",
    )


def _place(graph: Graph, target: Target, browser_url: str | None) -> Place:
    from mem0g.browser.link import Place, browser_at, requires_password, settings
    from mem0g.store.address import complete_credentials
    from mem0g.store.neo4j.server.address import read_address

    uri = read_address(str(target.store)).uri
    credentials = complete_credentials(str(target.store), target.credentials, target.settings.credentials)
    known = settings(graph)
    return Place(
        uri=uri,
        browser_url=browser_url or browser_at(known, uri),
        password=requires_password(known),
        username=credentials.username,
        database=credentials.database,
    )


def _server(port: int | None, browser_url: str) -> FileServer:
    from mem0g.browser.server import FileServer
    from mem0g.errors import InputError

    try:
        return FileServer(USUAL_PORT if port is None else port, browser_url)
    except OSError as error:
        if port is None:
            return FileServer(0, browser_url)
        raise InputError(f"cannot listen on port {port}: {error.strerror}", hint="choose another --port") from error


def _serve(server: FileServer, contents: Contents, place: Place, *, open_it: bool) -> None:
    from mem0g.browser.bundle import GUIDE, QUERIES, STYLE, served_files

    base = server.address
    server.files = served_files(contents, place, base)
    link = place.link(f"{base}/{GUIDE}")
    _introduce(contents)
    say(f"Open     {link}")
    say(f"By hand  {place.browser_url} and connect to {place.uri} {_credentials(place)}")
    say(f"Style    :style {base}/{STYLE}")
    say(f"Tour     :guide {base}/{GUIDE}")
    say(f"Queries  {base}/{QUERIES} to be dropped on Browser")
    say()
    with suppress(KeyboardInterrupt):  # which may come as soon as it says so
        say(f"Serving {base} until Ctrl-C")
        if open_it:
            typer.launch(link)
        server.wait()


def _write(contents: Contents, place: Place, folder: Path) -> None:
    from mem0g.browser.bundle import QUERIES, STYLE, bundle_files

    folder_made(folder)
    for name, content in bundle_files(contents).items():
        with written(folder / name) as file:
            file.write(content)
    _introduce(contents)
    say(f"Written  {', '.join(bundle_files(contents))} in {folder}")
    say(f"Open     {place.link()}")
    say(f"Then     drop {STYLE} and {QUERIES} on Browser")


def _introduce(contents: Contents) -> None:
    counts = contents.counts
    say(
        f"The memory of {contents.owner}: {counts.facts} facts, {counts.retired} of them true no longer, "
        f"about {counts.entities} people, places and other things"
    )
    say()


def _credentials(place: Place) -> str:
    if not place.password:
        return "without a password"
    return f"as {place.username} with the password" if place.username else "with user and password"
