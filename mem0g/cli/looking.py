"""The command that shows a memory in Neo4j Browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.credentials import given_credentials
from mem0g.cli.files import folder_made, written
from mem0g.cli.options import (
    AgentOption,
    AllOption,
    RunOption,
    StoreOption,
    UserOption,
    open_existing,
    scope_or_all_keys,
)
from mem0g.cli.terminal import say

if TYPE_CHECKING:
    from mem0g.browser.contents import Contents
    from mem0g.browser.link import Place
    from mem0g.browser.protocol import Graph
    from mem0g.browser.server import FileServer

USUAL_PORT = 7475
"""Beside Neo4j's own 7474; any free one when it is taken and none was asked for."""


def browser(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    everything: AllOption = False,
    store: StoreOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write style, queries and tour to this folder; serve nothing.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Serve on this port. [default: 7475 if it is free]"),
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the link in a web browser.")] = False,
    browser_url: Annotated[
        str | None,
        typer.Option("--browser-url", help="Where Neo4j Browser is. [default: where the server says it is]"),
    ] = None,
) -> None:
    """Show a scope, or with --all the whole store, in Neo4j Browser: with colours, queries and a tour, until Ctrl-C."""
    from mem0g.browser.contents import read

    scope_or_all_keys(user, agent, run, everything=everything)
    with _graph(store) as graph:
        contents = read(graph, user_id=user, agent_id=agent, run_id=run)
        place = _place(graph, store, browser_url)
    if output is not None:
        _write(contents, place, output)
        return
    with _server(port, place.browser_url) as server:
        _serve(server, contents, place, open_it=open_it)


@contextmanager
def _graph(store: str | None) -> Iterator[Graph]:
    """The memory that ``--store`` names, if it lies in Neo4j."""
    from mem0g.browser.protocol import Graph
    from mem0g.errors import InputError
    from mem0g.store.address import local_path

    file = local_path(store)
    if file is None:
        with open_existing(store) as memory:
            if isinstance(memory.store, Graph):
                yield memory.store
                return
    raise InputError(
        f"{file or store} is not in Neo4j, and Neo4j Browser shows nothing else",
        hint="`mem0g copy --all` moves it there; then give --store bolt://localhost:7687, or set MEM0G_STORE",
    )


def _place(graph: Graph, store: str | None, browser_url: str | None) -> Place:
    from mem0g.browser.link import Place, asks_for_password, browser_at, settings
    from mem0g.settings import Settings
    from mem0g.store.address import complete_credentials
    from mem0g.store.neo4j.address import read_address

    uri = read_address(str(store)).uri
    credentials = complete_credentials(str(store), given_credentials(), Settings.from_environment().credentials)
    known = settings(graph)
    return Place(
        uri=uri,
        browser_url=browser_url or browser_at(known, uri),
        password=asks_for_password(known),
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
    from mem0g.browser.making import GUIDE, QUERIES, STYLE, served

    base = server.address
    server.files = served(contents, place, base)
    link = place.link(f"{base}/{GUIDE}")
    _introduce(contents)
    say(f"Open     {link}")
    say(f"By hand  {place.browser_url} and connect to {place.uri} {_credentials(place)}")
    say(f"Style    :style {base}/{STYLE}")
    say(f"Tour     :guide {base}/{GUIDE}")
    say(f"Queries  {base}/{QUERIES} to be dropped on Browser")
    say()
    say(f"Serving {base} until Ctrl-C")
    if open_it:
        typer.launch(link)
    server.wait()


def _write(contents: Contents, place: Place, folder: Path) -> None:
    from mem0g.browser.making import QUERIES, STYLE, made

    folder_made(folder)
    for name, content in made(contents).items():
        with written(folder / name) as file:
            file.write(content)
    _introduce(contents)
    say(f"Written  {', '.join(made(contents))} in {folder}")
    say(f"Open     {place.link()}")
    say(f"Then     drop {STYLE} and {QUERIES} on Browser")


def _introduce(contents: Contents) -> None:
    counts = contents.counts
    say(
        f"The memory of {contents.whose}: {counts.facts} facts, {counts.retired} of them true no longer, "
        f"about {counts.entities} people, places and other things"
    )
    say()


def _credentials(place: Place) -> str:
    if not place.password:
        return "without a password"
    return f"as {place.username} with the password" if place.username else "with user and password"
