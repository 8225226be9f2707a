"""Commands that keep a memory: forget, export and import, reindex, and whether all is well."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mem0g.cli.login import given_login
from mem0g.cli.model import given_settings
from mem0g.cli.options import (
    AgentOption,
    EmbedderOption,
    JsonOption,
    RunOption,
    StoreOption,
    UserOption,
    YesOption,
    open_existing,
    open_memory,
    scope_keys,
)


def forget(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    yes: YesOption = False,
) -> None:
    """Remove for good all that a scope covers, messages included."""
    from mem0g.model import Scope

    keys = scope_keys(user, agent, run)
    scope = Scope(**keys)
    with open_existing(store) as memory:
        held = memory.stats(**keys)
        what = f"{held.messages} messages, {held.entities} entities and {held.facts} facts of {scope}"
        if not yes:
            typer.confirm(f"Forget {what}, for good?", abort=True, err=True)
        memory.forget(**keys)
    typer.echo(f"forgot {what}")


def export(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
) -> None:
    """Write a memory as JSON Lines, without loss: a scope, or the whole store."""
    from mem0g.exchange import export_lines
    from mem0g.model import Scope

    scope = Scope(user, agent, run) if user or agent or run else None
    with open_existing(store) as memory:
        lines = export_lines(memory.store, scope)
        if output is None:
            for line in lines:
                typer.echo(line)
        else:
            with output.open("w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Made by `mem0g export`; - is standard input.")],
    store: StoreOption = None,
) -> None:
    """Add what an export holds; what is there already stays as it is."""
    from mem0g.errors import InputError
    from mem0g.exchange import import_lines

    if file != "-" and not Path(file).is_file():
        raise InputError(f"no such file: {file}", hint="give a file made by `mem0g export`")
    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    with open_memory(store) as memory:
        count = import_lines(memory.store, text.split("\n"))  # not splitlines: JSON may hold U+2028
    typer.echo(f"{count} records imported")


def reindex(store: StoreOption = None, embedder: EmbedderOption = None) -> None:
    """Embed everything anew, with another embedder than the one that filled the store."""
    with open_existing(store, embedder) as memory:
        count = memory.reindex()
        typer.echo(f"{count} texts embedded with {memory.embedder.name}")


def doctor(store: StoreOption = None, embedder: EmbedderOption = None, as_json: JsonOption = False) -> None:
    """Check the store, the versions, the embedder and its weights: each with a tick, or what to do."""
    from mem0g.cli.output import print_json
    from mem0g.doctor import examine

    checks = examine(store, embedder, given_login(), given_settings().llm)
    if as_json:
        print_json([{"name": check.name, "ok": check.ok, "detail": check.detail} for check in checks])
    else:
        for check in checks:
            mark = typer.style("✓", fg="green") if check.ok else typer.style("✗", fg="red")
            typer.echo(f"{mark} {check.name}: {check.detail}")
    if not all(check.ok for check in checks):
        raise typer.Exit(1)
