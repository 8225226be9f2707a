"""The program: its commands, and the one place where errors become a line on stderr."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mem0g import __version__
from mem0g.cli import asking, browsing, changing, checking, extracting, keeping, looking, reviewing, stores, writing
from mem0g.cli.credentials import with_credentials
from mem0g.cli.model import with_model
from mem0g.cli.terminal import Styled, say, visible_line
from mem0g.errors import Mem0gError

_COMMAND_LINE_ERROR: Any = typer.BadParameter.__mro__[2]
"""Click's ClickException, wherever this version of typer has it from."""


class Commands(TyperGroup):
    """The group of commands; an error of mem0g ends it with one line, the hint and exit code 1."""

    def make_context(self, *given: Any, **more: Any) -> Any:
        """Read the options before the command."""
        with _visible_errors():
            return super().make_context(*given, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            with _visible_errors():
                return super().invoke(ctx)
        except UnicodeEncodeError as error:  # an argument or a name whose bytes are not UTF-8
            say(Styled(f"mem0g: {error.object[:200]!r} is not UTF-8", "red"), err=True)
            say("hint: give text as UTF-8", err=True)
            ctx.exit(1)
        except Mem0gError as error:
            say(Styled(f"mem0g: {error}", "red"), err=True)
            if error.hint:
                say(f"hint: {error.hint}", err=True)
            ctx.exit(1)
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            ctx.exit(0)


@contextmanager
def _visible_errors() -> Iterator[None]:
    """Show escapes for hostile characters in what typer says about the command line: it quotes the arguments."""
    try:
        yield
    except _COMMAND_LINE_ERROR as error:
        error.message = visible_line(error.message)
        raise


app = typer.Typer(
    cls=Commands,
    help="Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"mem0g {__version__}")
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
    reviewing.review,
    asking.search,
    asking.context,
    browsing.facts,
    browsing.entities,
    browsing.show,
    browsing.history,
    browsing.why,
    changing.log,
    changing.diff,
    with_model(changing.add_fact),
    with_model(changing.correct),
    changing.retire,
    changing.merge,
    changing.unmerge,
    changing.undo,
    changing.erase,
    browsing.graph,
    browsing.stats,
    extracting.costs,
    browsing.relations,
    looking.browser,
    keeping.forget,
    keeping.backup,
    keeping.export,
    keeping.import_,
    stores.copy,
    keeping.reindex,
    checking.verify,
    checking.repair,
    with_model(keeping.doctor),
):
    app.command(name=command.__name__.rstrip("_").replace("_", "-"))(with_credentials(command))
app.command()(with_model(extracting.prompts))
