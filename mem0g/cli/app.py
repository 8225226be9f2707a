"""The program: its commands, and the one place where errors become a line on stderr."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mem0g import __version__
from mem0g.cli import asking, browsing, extracting, keeping, looking, stores, writing
from mem0g.cli.login import with_login
from mem0g.cli.model import with_model
from mem0g.errors import Mem0gError


class Commands(TyperGroup):
    """The group of commands; an error of mem0g ends it with one line, the hint and exit code 1."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except Mem0gError as error:
            typer.secho(f"mem0g: {error}", err=True, fg="red")
            if error.hint:
                typer.echo(f"hint: {error.hint}", err=True)
            ctx.exit(1)
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            ctx.exit(0)


app = typer.Typer(
    cls=Commands,
    help="Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mem0g {__version__}")
        raise typer.Exit


@app.callback()
def mem0g(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out."""


for command in (
    stores.init,
    with_model(writing.ingest),
    with_model(writing.add),
    with_model(extracting.retry),
    asking.search,
    asking.context,
    browsing.facts,
    browsing.entities,
    browsing.show,
    browsing.history,
    browsing.why,
    browsing.graph,
    browsing.stats,
    extracting.costs,
    browsing.relations,
    looking.browser,
    keeping.forget,
    keeping.export,
    keeping.import_,
    stores.copy,
    keeping.reindex,
    with_model(keeping.doctor),
):
    app.command(name=command.__name__.rstrip("_"))(with_login(command))
app.command()(with_model(extracting.prompts))
