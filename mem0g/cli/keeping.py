"""Commands that keep a memory: forget, export and import, reindex, and whether all is well."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.credentials import given_credentials
from mem0g.cli.files import text_of, written
from mem0g.cli.model import given_settings
from mem0g.cli.options import (
    AgentOption,
    AllOption,
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
from mem0g.cli.terminal import Styled, confirm, document, print_json, say

if TYPE_CHECKING:
    from mem0g.model import Receipt


def forget(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    yes: YesOption = False,
    llm_cache: Annotated[
        Path | None,
        typer.Option("--llm-cache", metavar="FILE", help="Remove its replies of a model from this file too."),
    ] = None,
) -> None:
    """Remove for good all that a scope covers, messages included, and print a receipt.

    No word of it stays in the store, in the files beside it or in the reply cache (--llm-cache).
    """
    from mem0g.model import Scope
    from mem0g.settings import Settings

    keys = scope_keys(user, agent, run)
    scope = Scope(**keys)
    settings = Settings.from_environment()
    settings = replace(settings, llm=replace(settings.llm, cache=llm_cache))
    with open_existing(store, settings=settings) as memory:
        held = memory.stats(**keys)
        what = f"{held.messages} messages, {held.entities} entities and {held.facts} facts of {scope}"
        if not yes:
            confirm(f"Forget {what}, for good?")
        receipt = memory.forget(**keys)
    say(_as_text(receipt))


def _as_text(receipt: Receipt) -> str:
    """The receipt on a line; it names nobody, so that it may be kept."""
    names = ("messages", "entities", "facts", "decisions", "notes", "replies")
    counts = ", ".join(f"{getattr(receipt, name)} {name}" for name in names)
    retired = f" ({receipt.retired} retired)" if receipt.retired else ""
    text = (
        f"forgot {counts.replace(' facts', f' facts{retired}')}; receipt {receipt.id}, {receipt.at:%Y-%m-%dT%H:%M:%SZ}"
    )
    if receipt.complete:
        return text
    return (
        f"{text}\ntraces are left in the file while another process reads it; they go when it is next opened or closed"
    )


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Write the copy to this new file.")],
    store: StoreOption = None,
) -> None:
    """Copy a store that is a file, complete and of one moment, while others go on writing to it."""
    with open_existing(store) as memory:
        memory.backup(file)
        address = memory.store.address
    say(f"copied {address} to {file}")


def export(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    everything: AllOption = False,
    store: StoreOption = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
) -> None:
    """Write a scope, or with --all the whole store, as JSON Lines, without loss."""
    from mem0g.lookup import scope_or_all
    from mem0g.transfer.jsonl import export_lines

    scope = scope_or_all(user, agent, run, all_scopes=everything)
    with open_existing(store) as memory:
        lines = export_lines(memory.store, scope)
        if output is None:
            for line in lines:
                document(line)
        else:
            with written(output) as file:
                file.writelines(f"{line}\n".encode() for line in lines)


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Made by `mem0g export`; - is standard input.")],
    store: StoreOption = None,
) -> None:
    """Add what an export holds; what is there already stays as it is."""
    from mem0g.transfer.jsonl import import_lines

    text = text_of(file, hint="give a file made by `mem0g export`")
    with open_memory(store) as memory:
        count = import_lines(memory.store, text.split("\n"))  # not splitlines: JSON may hold U+2028
    say(f"{count} records imported")


def reindex(store: StoreOption = None, embedder: EmbedderOption = None) -> None:
    """Embed everything anew, with another embedder than the one that filled the store."""
    with open_existing(store, embedder) as memory:
        count = memory.reindex()
        say(f"{count} texts embedded with {memory.embedder.name}")


def doctor(store: StoreOption = None, embedder: EmbedderOption = None, as_json: JsonOption = False) -> None:
    """Check the store, the versions, the embedder and its weights: each with a tick, or what to do."""
    from mem0g.doctor import examine

    checks = examine(store, embedder, given_credentials(), given_settings().llm)
    if as_json:
        print_json([{"name": check.name, "ok": check.ok, "detail": check.detail} for check in checks])
    else:
        for check in checks:
            mark = Styled("✓", "green") if check.ok else Styled("✗", "red")
            say(mark, f" {check.name}: {check.detail}")
    if not all(check.ok for check in checks):
        raise typer.Exit(1)
