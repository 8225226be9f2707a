"""A local Neo4j with Browser, for people: `make neo4j` and `make neo4j-stop`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tests.servers.errors import NoServerError, ServerFailedError
from tests.servers.jars import is_fetched
from tests.servers.local import LocalServer
from tests.servers.ports import HOST, free_port
from tests.servers.release import NEWEST

_HOME = Path(__file__).parents[2] / ".neo4j"
_EXAMPLE = "examples/olivia-and-ben.txt"

app = typer.Typer(help=__doc__, add_completion=False, no_args_is_help=True)

Home = Annotated[Path, typer.Option(help="The folder the server keeps everything in.")]


@app.command()
def start(
    version: Annotated[str, typer.Option(help="Which Neo4j.")] = NEWEST,
    home: Home = _HOME,
    password: Annotated[
        str, typer.Option(envvar="NEO4J_PASSWORD", help="Password of user neo4j; none: no authentication.")
    ] = "",
    bolt_port: Annotated[int, typer.Option(help="Port of Bolt; another free one if it is taken.")] = 7687,
    http_port: Annotated[int, typer.Option(help="Port of Browser; another free one if it is taken.")] = 7474,
) -> None:
    """Start Neo4j and say how to use it; nothing when it runs already."""
    if server := LocalServer.running_in(home):
        typer.echo(f"Neo4j {server.version} runs already (process {server.pid}).")
    else:
        server = _started(home, version, password or None, _port("Bolt", bolt_port), _port("Browser", http_port))
        typer.echo(f"Neo4j {server.version} is up, on {HOST} only; {_authentication(server)}.")
    _introduce(server)


@app.command()
def stop(home: Home = _HOME) -> None:
    """Stop Neo4j; nothing when none runs."""
    server = LocalServer.running_in(home)
    if server is None:
        typer.echo(f"No Neo4j runs in {home}.")
        return
    server.stop()
    typer.echo(f"Neo4j {server.version} is stopped; its data stay in {home}.")


@app.command()
def status(home: Home = _HOME) -> None:
    """Say whether Neo4j runs and where; exit code 1 when it does not."""
    server = LocalServer.running_in(home)
    if server is None:
        typer.echo(f"No Neo4j runs in {home}.")
        raise typer.Exit(1)
    typer.echo(f"Neo4j {server.version} runs (process {server.pid}).")
    _introduce(server)


def _started(home: Path, version: str, password: str | None, bolt_port: int, http_port: int) -> LocalServer:
    if not is_fetched(version):
        typer.echo(f"Fetching Neo4j {version} and Browser from Maven Central, 150 MB, once …")
    typer.echo(f"Starting Neo4j {version} in {home} …")
    try:
        return LocalServer.start(home, version, password=password, bolt_port=bolt_port, http_port=http_port)
    except (NoServerError, ServerFailedError) as error:
        typer.secho(str(error), err=True, fg="red")
        typer.echo(error.hint, err=True)
        raise typer.Exit(1) from error


def _port(of: str, wanted: int) -> int:
    port = free_port(wanted)
    if port != wanted:
        typer.echo(f"Port {wanted} is taken by another program: {of} listens on {port} instead.")
    return port


def _authentication(server: LocalServer) -> str:
    if server.password is None:
        return "no password is asked for (set NEO4J_PASSWORD for one)"
    return f"user {server.username}, with the password from NEO4J_PASSWORD"


def _introduce(server: LocalServer) -> None:
    uri = f"bolt://localhost:{server.bolt_port}"
    typer.echo(f"  Bolt     {uri}")
    typer.echo(f"  Browser  {server.http}/browser/")
    typer.echo(f"  next     mem0g ingest {_EXAMPLE} --user demo --store {uri}")


if __name__ == "__main__":
    app(prog_name="python -m tests.servers")
