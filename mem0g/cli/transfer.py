"""Commands that copy a memory: to another store, a backup or a file of JSON Lines, and back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.files import text_of, written
from mem0g.cli.options import SCOPE_OR_ALL, SERVER, STORE, OutputOption, Target, takes
from mem0g.cli.progress import INTERRUPTED, interruptible, progress
from mem0g.cli.terminal import document, say

if TYPE_CHECKING:
    from mem0g.model import Scope
    from mem0g.store.protocol import Store
    from mem0g.store.queries import Stats
    from mem0g.transfer.copy import Copied


@takes(SCOPE_OR_ALL, SERVER)
def copy(
    target: Target,
    source: Annotated[str, typer.Argument(metavar="SRC", help="Store to copy from: a file, or neo4j://host.")],
    destination: Annotated[str, typer.Argument(metavar="DST", help="Store to copy to; created if it does not exist.")],
) -> None:
    """Copy a scope, or with --all the whole store, to another store. Records that are there already are kept.

    Each address can name its own user, password and database, as in neo4j://user:password@host/database; the options
    apply to addresses that do not.
    """
    from mem0g.errors import InputError
    from mem0g.settings import Credentials
    from mem0g.store.address import open_existing, open_store, same_store

    scope = target.scope
    given, usual = target.credentials, target.settings.credentials
    credentials = Credentials(
        username=given.username or usual.username,
        password=given.password or usual.password,
        database=given.database or usual.database,
    )
    if same_store(source, destination, credentials):
        raise InputError("both addresses are of the same store", hint="name another one to copy to")
    with closing(open_existing(source, otherwise=credentials)) as old:
        held = _held(old, scope)
        with closing(open_store(destination, otherwise=credentials, file=target.settings.file)) as new:
            before = new.stats()
            copied, finished = _followed(old, new, scope, held)
            known = "" if new.stats() != before else "; all of it was there already"
            say(f"{_counts(copied)} copied to {new.address}{known}")
    if not finished:
        say("stopped before the end; run the command again to continue", err=True)
        raise typer.Exit(INTERRUPTED)


def _held(store: Store, scope: Scope | None) -> Stats:
    """Return the counts of what there is to copy. Raises NotFoundError when the scope holds nothing."""
    from mem0g.errors import NotFoundError

    held = store.stats(scope)
    if scope is not None and not held.scopes:
        raise NotFoundError(f"{store.address} has no data of {scope}", hint="`mem0g stats --all` counts everything")
    return held


def _followed(old: Store, new: Store, scope: Scope | None, held: Stats) -> tuple[Copied, bool]:
    """Copy with a progress bar; return the counts, and False if Ctrl-C stopped it."""
    from mem0g.transfer import copy

    total = held.messages + held.entities + held.facts + sum(held.decisions.values())
    with interruptible() as interrupted, progress(total, "copy") as show:

        def go_on(copied: Copied) -> bool:
            show(copied.records, _counts(copied))
            return not interrupted

        copied = copy.copy(old, new, scope, go_on=go_on)
        return copied, not interrupted


def _counts(copied: Copied) -> str:
    return f"{copied.messages} messages, {copied.entities} entities, {copied.facts} facts"


@takes(STORE)
def backup(target: Target, file: Annotated[Path, typer.Argument(metavar="FILE", help="New file to write.")]) -> None:
    """Copy a SQLite store to a new file, as of one moment, even while others write to it."""
    with target.open_existing() as memory:
        memory.backup(file)
        address = memory.store.address
    say(f"copied {address} to {file}")


@takes(SCOPE_OR_ALL, STORE)
def export(target: Target, output: OutputOption = None) -> None:
    """Write a scope, or with --all the whole store, as JSON Lines, without loss."""
    from mem0g.transfer.jsonl import export_lines

    scope = target.scope
    with target.open_existing() as memory:
        lines = export_lines(memory.store, scope)
        if output is None:
            for line in lines:
                document(line)
        else:
            with written(output) as file:
                file.writelines(f"{line}\n".encode() for line in lines)


@takes(STORE)
def import_(
    target: Target,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="File made by `mem0g export`; - is standard input.")],
) -> None:
    """Add the records of an export. Records that are there already are kept."""
    from mem0g.transfer.jsonl import import_lines

    text = text_of(file, hint="give a file made by `mem0g export`")
    with target.open() as memory:
        count = import_lines(memory.store, text.split("\n"))  # not splitlines: JSON may hold U+2028
    say(f"{count} records imported")
