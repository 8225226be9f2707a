"""The program: its commands, and the one place where errors become lines on standard error."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.models import CommandInfo

from mem0g import __version__
from mem0g.cli import (
    chat,
    draw,
    edit,
    ingest,
    inspect,
    llm,
    maintenance,
    mcp,
    neo4j_browser,
    review,
    runs,
    search,
    serve,
    transfer,
)
from mem0g.cli.terminal import Styled, drop_output, say, visible_line
from mem0g.errors import Mem0gError

_COMMAND_LINE_ERROR: Any = typer.BadParameter.__mro__[2]
"""Click's ClickException; typer vendors click in some versions."""


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a disk, a quota or a file that takes no more."""


class Commands(TyperGroup):
    """The group of commands. An error of mem0g is printed as one line with a hint; the exit code is 1."""

    def make_context(self, *given: Any, **more: Any) -> Any:
        """Parse the options before the command; --help and --version print here."""
        with _errors_on_one_line(), _visible_errors():
            return super().make_context(*given, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _errors_on_one_line(), _visible_errors():
            return super().invoke(ctx)


@contextmanager
def _errors_on_one_line() -> Iterator[None]:
    """Print an error of mem0g, or a full disk, as one line with a hint, and end with exit code 1."""
    try:
        yield
    except UnicodeEncodeError as error:  # an argument or a name whose bytes are not UTF-8
        _print_error(f"{error.object[:200]!r} is not UTF-8", "use UTF-8")
        raise typer.Exit(1) from error
    except Mem0gError as error:
        _print_error(str(error), error.hint)
        raise typer.Exit(1) from error
    except BrokenPipeError as error:  # what reads our output was closed, as `head` does
        raise typer.Exit(0) from error
    except OSError as error:
        if error.errno not in _FULL:
            raise
        drop_output()
        _print_error(f"cannot write: {error.strerror}", "make room where the output or the store is written")
        raise typer.Exit(1) from error


def _print_error(problem: str, hint: str | None) -> None:
    say(Styled(f"mem0g: {problem}", "red"), err=True)
    if hint:
        say(f"hint: {hint}", err=True)


@contextmanager
def _visible_errors() -> Iterator[None]:
    """Escape hostile characters in typer's errors, which quote the arguments; without arguments it is the help."""
    try:
        yield
    except _COMMAND_LINE_ERROR as error:
        context = getattr(error, "ctx", None)
        if context is None or error.message != context.get_help():
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
    version: Annotated[  # noqa: ARG001 - its callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out."""
    driver = logging.getLogger("neo4j")
    if not driver.handlers:  # else logging prints the driver's errors above the one line that says the same
        driver.addHandler(logging.NullHandler())


for command in (
    maintenance.init,
    ingest.ingest,
    ingest.add,
    ingest.retry,
    review.review,
    search.search,
    search.context,
    search.ask,
    runs.runs,
    chat.chat,
    inspect.facts,
    inspect.instructions,
    inspect.contradictions,
    inspect.entities,
    inspect.messages,
    inspect.users,
    inspect.show,
    inspect.history,
    inspect.why,
    edit.log,
    edit.diff,
    edit.add_fact,
    edit.correct,
    edit.retire,
    edit.merge,
    edit.unmerge,
    edit.undo,
    edit.erase,
    draw.graph,
    serve.view,
    inspect.stats,
    llm.costs,
    inspect.relations,
    neo4j_browser.browser,
    maintenance.forget,
    transfer.backup,
    transfer.export,
    transfer.import_,
    transfer.copy,
    maintenance.reindex,
    maintenance.verify,
    maintenance.repair,
    maintenance.doctor,
    llm.prompts,
):
    app.command(name=command.__name__.rstrip("_").replace("_", "-"))(command)

app.add_typer(mcp.mcp_app, name="mcp")
app.add_typer(serve.serve_app, name="serve")


def program(arguments: Collection[str]) -> typer.Typer:
    """Return the program, with the options of those commands alone that the command line names.

    Reading the options of all commands takes as long as loading typer. For the completion of a shell, which hands the
    command line over in the environment, they are all there.
    """
    if any(name.endswith("_COMPLETE") for name in os.environ):
        return app
    called = copy(app)
    called.registered_commands = [
        each if each.name in arguments else _without_options(each) for each in app.registered_commands
    ]
    return called


def _without_options(command: CommandInfo) -> CommandInfo:
    """Return the command as the list of commands shows it."""

    def described() -> None:
        pass

    described.__doc__ = command.callback.__doc__
    named = copy(command)
    named.callback = described
    return named
