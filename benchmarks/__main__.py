"""``python -m benchmarks``: every package with a ``command`` module is a subcommand."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import typer

import benchmarks
from mem0g.errors import Mem0gError


def application() -> typer.Typer:
    """Build the command-line program from the ``command`` module of each package."""
    app = typer.Typer(
        help="Measure mem0g; each benchmark prints a table and writes OUT.json.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        add_completion=False,
    )
    app.callback()(_group)
    for found in pkgutil.iter_modules(benchmarks.__path__):
        if found.ispkg:
            module = importlib.import_module(f"{benchmarks.__name__}.{found.name}.command")
            app.command(name=found.name)(getattr(module, found.name))
    return app


def main(arguments: list[str] | None = None) -> None:
    """Run the program; on an error of mem0g print one line and its hint, and exit with code 1."""
    try:
        application()(arguments)
    except Mem0gError as error:
        typer.secho(f"benchmarks: {error}", err=True, fg="red")
        if error.hint:
            typer.echo(f"hint: {error.hint}", err=True)
        sys.exit(1)


def _group() -> None:
    """Define a callback, so that typer keeps the subcommand's name even when there is only one."""


if __name__ == "__main__":
    main()
