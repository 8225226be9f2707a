"""The `serve` commands: the memory over HTTP, and the keys that open it; and `view`, a page to look at one memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.options import EMBEDDER, MODEL, SCOPE, SCOPE_OR_ALL, STORE, ExtractorOption, JsonOption, Target, takes
from mem0g.cli.terminal import print_json, say, table

if TYPE_CHECKING:
    from mem0g.serve.keys import KeyFile

THIS_COMPUTER = ("127.0.0.1", "localhost", "::1")

VIEW_PORT = 8767
"""Next to that of `mem0g serve`; any free port if it is taken and ``--port`` is not given."""

KeysOption = Annotated[
    Path | None, typer.Option("--keys", help="File of keys. [default: keys.json in your data folder, if it exists]")
]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of the key, such as the program that uses it.")]

serve_app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@serve_app.callback(invoke_without_command=True)
@takes(SCOPE_OR_ALL, STORE, EMBEDDER, MODEL)
def serve(
    target: Target,
    context: typer.Context,
    extractor: ExtractorOption = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")] = 8766,
    keys: KeysOption = None,
) -> None:
    """Serve memories over HTTP: a page, an API, the endpoints of mem0's client, and MCP.

    With a file of keys, each request is in the scope of its key. Without, requests of this computer may do everything
    in the scope given here, or with --all in the whole store.
    """
    from mem0g.errors import InputError

    if context.invoked_subcommand:
        return
    _require_serve()
    opened = _key_file(keys)
    if keys is not None and not len(opened):
        raise InputError(f"{opened.path} has no keys", hint="make one with `mem0g serve add-key`")
    named = target.everything or any(each is not None for each in (target.user, target.agent, target.run))
    if len(opened) and named:
        hint = "leave out the scope, or name another file with --keys"
        raise InputError(f"each key of {opened.path} opens its own scope", hint=hint)
    if not len(opened):
        if host not in THIS_COMPUTER:
            raise InputError(f"{host} can be reached from elsewhere, and there are no keys", hint=_HINT)
        if not named:
            hint = f"{_HINT}, or name what requests of this computer open (--user, --agent, --run, --all)"
            raise InputError("there are no keys, and no scope given", hint=hint)
        _ = target.scope
    from mem0g.cli.listening import listening, run

    with target.open(extractor=extractor) as memory, listening(host, port) as sockets:
        from mem0g.serve.app import create_app

        app = create_app(memory, opened if len(opened) else None, scope=None if len(opened) else target.scope)
        say(f"serving http://{host}:{port} until Ctrl-C: a page; the API is described at /docs", err=True)
        run(app, sockets, stopping=app.state.jobs.stop)
        if memory.writer.extracting:
            say("finishing what is being extracted; whatever is left undone waits for `mem0g retry`", err=True)


@takes(SCOPE, STORE, EMBEDDER)
def view(
    target: Target,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port to listen on. [default: 8767 if it is free]"),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the address, and do not open it.")] = False,
) -> None:
    """Look at a memory in a web browser: search, the graph, what changed. Nothing can be changed.

    Without a scope the page shows all scopes of the store, one at a time. It is served to programs of this computer
    until Ctrl-C.
    """
    from mem0g.cli.listening import LOOPBACK, listening, run
    from mem0g.lookup import scope_or_all

    _require_serve()
    ports = (VIEW_PORT, 0) if port is None else (port,)
    keys = (target.user, target.agent, target.run)
    scope = scope_or_all(*keys, all_scopes=keys == (None, None, None))
    with target.open_existing() as memory, listening(LOOPBACK, *ports) as sockets:
        from mem0g.serve.app import create_app

        app = create_app(memory, scope=scope, read_only=True)
        address = f"http://{LOOPBACK}:{sockets[0].getsockname()[1]}/"
        say(f"serving {address} until Ctrl-C")
        if not no_open:
            typer.launch(address)  # what it asks waits until the server runs
        run(app, sockets)


_HINT = "make a key with `mem0g serve add-key NAME --user USER`"


@serve_app.command(name="add-key")
@takes(SCOPE_OR_ALL)
def add_key(
    target: Target,
    name: NameArgument,
    read_only: Annotated[bool, typer.Option("--read-only", help="The key does not write.")] = False,
    keys: KeysOption = None,
) -> None:
    """Make a key that opens a scope, or with --all the whole store, and print it. It is shown only once."""
    from mem0g.serve.keys import Grant

    say(_key_file(keys).add(name, Grant(scope=target.scope, read_only=read_only)))


@serve_app.command(name="list-keys")
def list_keys(
    keys: KeysOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the names of the keys and what they open."""
    found = list(_key_file(keys))
    if as_json:
        scopes = [key.grant.scope.keys if key.grant.scope else None for key in found]
        print_json(
            [
                {"name": key.name, "scope": scope, "read_only": key.grant.read_only}
                for key, scope in zip(found, scopes, strict=True)
            ]
        )
        return
    rows = [
        (key.name, str(key.grant.scope or "the whole store"), "reads" if key.grant.read_only else "reads, writes")
        for key in found
    ]
    table(("name", "opens", "may"), rows)


@serve_app.command(name="remove-key")
def remove_key(name: NameArgument, keys: KeysOption = None) -> None:
    """Remove a key. A running server goes on with the keys it has read."""
    _key_file(keys).remove(name)
    say(f"removed {name}")


def _key_file(path: Path | None) -> KeyFile:
    from mem0g.serve.keys import KeyFile
    from mem0g.store.address import default_path

    return KeyFile(path or default_path().with_name("keys.json"))


def _require_serve() -> None:
    """Raise InputError unless the extra is installed."""
    from importlib.util import find_spec

    from mem0g.errors import InputError

    missing = [name for name in ("fastapi", "uvicorn", "mcp") if find_spec(name) is None]
    if missing:
        raise InputError(f"`mem0g serve` needs the package {missing[0]}", hint='pip install "mem0g[serve]"')
