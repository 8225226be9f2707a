"""Commands that copy a memory: to another store, a backup or a file of JSON Lines, and back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.files import text_of, written
from mem0g.cli.options import EMBEDDER, SCOPE, SCOPE_OR_ALL, SERVER, STORE, OutputOption, Target, takes
from mem0g.cli.progress import INTERRUPTED, interruptible, progress
from mem0g.cli.terminal import document, say
from mem0g.settings import Credentials

if TYPE_CHECKING:
    from mem0g.ingest.report import Report
    from mem0g.memory import Memory
    from mem0g.model import Scope
    from mem0g.store.protocol import Store
    from mem0g.store.queries import Stats
    from mem0g.transfer.copy import Copied
    from mem0g.transfer.mem0_graph import Mem0Graph

MEM0 = "mem0-neo4j"
"""What `mem0g import` calls a graph of mem0's."""


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
    from mem0g.store.address import open_existing, open_store, same_store

    scope = target.scope
    credentials = target.otherwise
    if same_store(source, destination, credentials):
        raise InputError("both addresses are of the same store", hint="name another one to copy to")
    with closing(open_existing(source, otherwise=credentials)) as old:
        held = _held(old, scope)
        with closing(open_store(destination, otherwise=credentials, file=target.settings.file)) as new:
            copied, finished = _followed(old, new, scope, held)
            say(f"{_counts(copied)} copied to {new.address}{_known(copied)}")
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


def _known(copied: Copied) -> str:
    """Say how many records were there already, decisions of the log included, and how many stay other than given."""
    if not copied.known:
        return ""
    known = "all of it was" if copied.known == copied.records else f"{copied.known} were"
    kept = f", {copied.differing} of them in another state, which they keep" if copied.differing else ""
    return f"; {known} there already{kept}"


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


@takes(SCOPE, STORE, EMBEDDER)
def import_(
    target: Target,
    source: Annotated[
        str,
        typer.Argument(
            metavar=f"FILE|-|{MEM0}", help="File made by `mem0g export`; - is standard input; or a graph of mem0's."
        ),
    ],
    address: Annotated[
        str | None, typer.Argument(metavar="[URI]", help=f"With {MEM0}: the database, as neo4j://host.")
    ] = None,
    part: Annotated[
        bool, typer.Option("--part", help="Import a part of an export, from which records are missing.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help=f"With {MEM0}: only count what would be imported.")
    ] = False,
) -> None:
    """Add the records of an export, or the facts of a graph that mem0 1.x keeps in Neo4j.

    What is there already is kept. An export is imported whole, and refused if its end is missing, unless --part is
    given; of a graph, a scope takes the facts that it covers.
    The Neo4j options apply to addresses that do not name a user, a password and a database themselves.
    """
    from mem0g.errors import InputError

    if source == MEM0 and part:
        raise InputError("--part is for an export", hint=f"`mem0g import {MEM0} URI --user NAME` imports one scope")
    if source == MEM0 and address is not None:
        _import_mem0(target, address, dry_run=dry_run)
        return
    if address is not None:
        raise InputError(f"{source!r} is not a graph that can be imported", hint=f"write `mem0g import {MEM0} URI`")
    if dry_run or _names_scope(target):
        hint = "an export is imported whole; `mem0g export --user NAME` writes a scope"
        raise InputError(f"--dry-run and scopes are for `mem0g import {MEM0} URI`", hint=hint)
    _import_export(target, source, part=part)


def _names_scope(target: Target) -> bool:
    """Whether a key of a scope was given, even an empty one."""
    return any(each is not None for each in (target.user, target.agent, target.run))


def _import_export(target: Target, file: str, *, part: bool) -> None:
    """Import an export. A store is created only for one that can be imported."""
    from mem0g.errors import NotFoundError
    from mem0g.transfer.jsonl import check_names, import_export, read_export

    text = text_of(file, hint="give a file made by `mem0g export`")
    export = read_export(text.split("\n"), part=part)  # not splitlines: JSON may hold U+2028
    try:
        memory = target.open_existing()
    except NotFoundError:
        check_names(None, export)
        memory = target.open(extractor="none")
    with memory:
        copied = import_export(memory.store, export)
    say(f"{_counts(copied)} imported{_known(copied)}")


def _import_mem0(target: Target, address: str, *, dry_run: bool) -> None:
    from mem0g.model import Scope
    from mem0g.store.address import complete_credentials, local_path
    from mem0g.transfer.mem0_graph import read_mem0_graph

    scope = Scope(target.user, target.agent, target.run) if _names_scope(target) else None
    given = Credentials() if local_path(address) else complete_credentials(address, Credentials(), target.otherwise)
    graph = read_mem0_graph(address, given)
    graph = graph.within(scope) if scope else graph
    if graph.unusable:
        say(f"{graph.unusable} relationships are left out: they join two scopes, or have no usable name", err=True)
    if dry_run:
        ended = sum(not edge.current for edge in graph.edges)
        names = {(edge.scope, end) for edge in graph.edges for end in (edge.triple.subject, edge.triple.object)}
        counted = f"{len(graph.edges)} facts, {ended} of them no longer true, about {len(names)} names"
        say(f"{counted} in {len(graph.scopes)} scopes at {graph.address}; nothing was imported")
        return
    with target.for_addresses().open(extractor="none") as memory:
        report, finished = _imported(memory, graph)
        kept = f"; {report.known} were imported before" if report.known else ""
        known = f", {report.confirmed} known already" if report.confirmed else ""
        added = f"{report.facts} facts added, {report.retired} of them retired, about {report.entities} entities"
        say(f"{added}{known}{kept}")
    if not finished:
        say("stopped before the end; run the command again to continue", err=True)
        raise typer.Exit(INTERRUPTED)


def _imported(memory: Memory, graph: Mem0Graph) -> tuple[Report, bool]:
    """Import with a progress bar; return the report, and False if Ctrl-C stopped it."""
    from mem0g.compat.mem0_import import import_edges
    from mem0g.ingest.report import Report

    total = Report()
    with interruptible() as interrupted, progress(len(graph.edges), "import") as show:
        for report in import_edges(memory, graph.edges):
            total += report
            show(total.triples + total.known, f"{total.facts} facts")
            if interrupted:
                break
        return total, not interrupted
