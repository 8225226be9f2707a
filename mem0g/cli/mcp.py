"""The `mcp` commands: serve a memory to AI assistants, and print what to write into their configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mem0g.cli.options import EMBEDDER, MODEL, SCOPE, STORE, ExtractorOption, Target, takes
from mem0g.cli.terminal import page, say

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from mem0g.model import Scope

ReadOnlyOption = Annotated[bool, typer.Option("--read-only", help="Offer only the tools that read.")]

mcp_app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@mcp_app.callback(invoke_without_command=True)
@takes(SCOPE, STORE, EMBEDDER, MODEL)
def mcp(
    target: Target,
    context: typer.Context,
    extractor: ExtractorOption = None,
    read_only: ReadOnlyOption = False,
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP on this computer instead of standard input.")
    ] = False,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port for --http.")] = 8765,
) -> None:
    """Serve a memory to AI assistants by the Model Context Protocol (MCP), on standard input and output.

    The scope is the one given here; no request can name another.
    """
    from mem0g.errors import InputError
    from mem0g.model import Scope

    if context.invoked_subcommand:
        if target.user or target.agent or target.run:
            raise InputError("the scope comes before `config`", hint="write `mem0g mcp config CLIENT --user NAME`")
        return

    _require_mcp()
    scope = Scope(**target.keys)
    with target.open_existing() if read_only else target.open(extractor=extractor) as memory:
        from mem0g.mcp.server import mcp_server

        server = mcp_server(memory, lambda: scope, read_only=read_only)
        if http:
            _serve_http(server, scope, port)
        else:
            server.run("stdio")


def _serve_http(server: MCPServer[Any], scope: Scope, port: int) -> None:
    from mem0g.cli.listening import LOOPBACK, listening, run

    with listening(LOOPBACK, port) as sockets:
        say(f"serving {scope} at http://{LOOPBACK}:{port}/mcp until Ctrl-C", err=True)
        run(server.streamable_http_app(stateless_http=True, host=LOOPBACK), sockets)


@mcp_app.command(name="config")
@takes(SCOPE, STORE)
def config(
    target: Target,
    client: Annotated[str, typer.Argument(metavar="CLIENT", help="claude-desktop, claude-code, cursor or vscode.")],
    read_only: ReadOnlyOption = False,
) -> None:
    """Print the configuration with which an MCP client starts `mem0g mcp` for a scope."""
    from mem0g.errors import InputError
    from mem0g.mcp.client_config import CLIENTS, client_config

    if client not in CLIENTS:
        raise InputError(f"unknown client {client!r}", hint=f"use {', '.join(CLIENTS)}")
    given = {"--user": target.user, "--agent": target.agent, "--run": target.run}
    _ = target.keys
    options = [part for name, value in given.items() if value for part in (name, value)]
    page(client_config(client, [*options, *(["--read-only"] if read_only else [])], _environment(target)))


def _environment(target: Target) -> dict[str, str]:
    """Return the variables that name the store; a file's path is absolute, as a client starts programs anywhere."""
    from mem0g.settings import STORE_VARIABLE
    from mem0g.store.address import local_path

    file = local_path(target.store)
    return {STORE_VARIABLE: str(file.resolve()) if file else str(target.store)}


def _require_mcp() -> None:
    """Raise InputError unless the extra is installed."""
    from importlib.util import find_spec

    from mem0g.errors import InputError

    if find_spec("mcp") is None:
        raise InputError("`mem0g mcp` needs the package mcp", hint='pip install "mem0g[mcp]"')
