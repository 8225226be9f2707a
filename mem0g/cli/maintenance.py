"""Commands that look after a store: create, check and repair it, embed it again, and delete a scope from it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.options import EMBEDDER, MODEL, SCOPE, STORE, JsonOption, Target, YesOption, takes
from mem0g.cli.terminal import Styled, confirm, print_json, say, table

if TYPE_CHECKING:
    from mem0g.doctor import Calibration
    from mem0g.model import Receipt
    from mem0g.store.protocol import Problem, Store


@takes(STORE, EMBEDDER)
def init(
    target: Target,
    drop: Annotated[bool, typer.Option("--drop", help="Remove everything that mem0g created there.")] = False,
    yes: YesOption = False,
) -> None:
    """Create or upgrade a store: a SQLite file, or the constraints and indexes of a Neo4j database."""
    if drop:
        _drop(target, yes=yes)
        return
    from mem0g.doctor import described

    opened, made = _prepared(target)
    with closing(opened):
        made += _embedder_claimed(opened, target)
        info = opened.info()
    for name in made:
        say(f"made {name}")
    if not made:
        say("nothing to do")
    say(described(info))


def _prepared(target: Target) -> tuple[Store, tuple[str, ...]]:
    """Return the store with all that it needs, and the names of what was created."""
    from mem0g.errors import NotFoundError
    from mem0g.store.address import open_store

    address, credentials = target.store or None, target.credentials
    try:
        opened = open_store(address, credentials, otherwise=target.settings.credentials, prepare=False)
    except NotFoundError:  # of a file
        opened = open_store(address, credentials, otherwise=target.settings.credentials)
        return opened, (opened.address,)
    with ExitStack() as stack:
        stack.callback(opened.close)
        made = opened.prepare()
        stack.pop_all()
    return opened, made


def _embedder_claimed(opened: Store, target: Target) -> tuple[str, ...]:
    """Claim the store for the embedder, as the first ingest would, unless it has one and none is asked for."""
    from mem0g.embed import open_embedder

    before = opened.info().embedder
    if before is not None and target.embedder is None:
        return ()
    chosen = open_embedder(target.embedder, weights=target.settings.weights, thresholds=target.settings.thresholds)
    opened.claim_embedder(chosen.name, chosen.dimensions)
    return () if before else (f"room for the vectors of {chosen.name}, {chosen.dimensions} dimensions",)


def _drop(target: Target, *, yes: bool) -> None:
    from mem0g.errors import NotFoundError
    from mem0g.store.address import open_existing

    try:
        opened = open_existing(target.store or None, target.credentials, otherwise=target.settings.credentials)
    except NotFoundError as error:
        say(f"nothing to do: {error}")
        return
    with closing(opened):
        held = opened.stats()
        what = (
            f"{held.messages} messages, {held.entities} entities and {held.facts} facts of {len(held.scopes)} scopes, "
            f"and everything else that mem0g created at {opened.address}"
        )
        if not yes:
            confirm(f"Permanently remove {what}?")
        opened.drop()
    say(f"removed {what}")


@takes(SCOPE, STORE)
def forget(
    target: Target,
    yes: YesOption = False,
    llm_cache: Annotated[
        Path | None,
        typer.Option("--llm-cache", metavar="FILE", help="Also remove the scope's replies from this reply cache."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Permanently delete everything in a scope, messages included, and print a receipt.

    Nothing of it is left in the store, in the files next to it or, with --llm-cache, in the reply cache.
    """
    from mem0g.cli.output import plain

    settings = replace(target.settings, llm=replace(target.settings.llm, cache=llm_cache))
    keys, scope = target.keys, target.scope
    with target.open_existing(settings=settings) as memory:
        held = memory.stats(**keys)
        what = f"{held.messages} messages, {held.entities} entities and {held.facts} facts of {scope}"
        if not yes:
            confirm(f"Permanently delete {what}?")
        receipt = memory.forget(**keys)
    if as_json:
        print_json(plain(receipt))
        return
    say(_receipt_line(receipt))
    if not receipt.complete:
        say("traces are left in the file while another process reads it; they go when it is next opened or closed")


def _receipt_line(receipt: Receipt) -> str:
    """Return the receipt as a line of counts; it has no personal text, so it can be kept."""
    names = ("messages", "entities", "facts", "decisions", "notes", "replies")
    counts = ", ".join(f"{getattr(receipt, name)} {name}" for name in names)
    retired = f" ({receipt.retired} retired)" if receipt.retired else ""
    counts = counts.replace(" facts", f" facts{retired}")
    return f"forgot {counts}; receipt {receipt.id}, {receipt.at:%Y-%m-%dT%H:%M:%SZ}"


@takes(STORE, EMBEDDER)
def reindex(target: Target) -> None:
    """Compute all embeddings again, with another embedder than the one that filled the store."""
    with target.open_existing() as memory:
        count = memory.reindex()
        say(f"{count} texts embedded with {memory.embedder.name}")


@takes(STORE)
def verify(target: Target, as_json: JsonOption = False) -> None:
    """Check the integrity of the store. The exit code is 1 if there are problems."""
    with target.open_existing() as memory:
        found = memory.verify()
    _print_problems(found, as_json=as_json)
    if not as_json and not found:
        say("no problems found")
    if found:
        raise typer.Exit(1)


@takes(STORE)
def repair(target: Target, as_json: JsonOption = False) -> None:
    """Repair the problems that `mem0g verify` finds. No fact is deleted; the exit code is 1 if problems are left."""
    with target.open_existing() as memory:
        repaired, left = memory.repair(), memory.verify()
    if as_json:
        _print_problems(repaired, left, as_json=True)
    else:
        for problem in repaired:
            say(f"mended: {problem.text}")
        _print_problems(left, as_json=False)
        say(f"{len(repaired)} problems mended, {len(left)} left")
    if left:
        raise typer.Exit(1)


def _print_problems(*lists: Sequence[Problem], as_json: bool) -> None:
    """Print a line for each problem, with what to do; as JSON one list, or two by name."""
    from mem0g.cli.output import plain

    if as_json:
        rows = [[plain(problem) for problem in problems] for problems in lists]
        print_json(rows[0] if len(rows) == 1 else {"mended": rows[0], "left": rows[1]})
        return
    for problem in lists[0]:
        say(f"{problem.kind}: {problem.text} ({problem.hint})")


@takes(STORE, EMBEDDER, MODEL)
def doctor(
    target: Target,
    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Instead, estimate the cosine thresholds of the embedder on your own texts."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check the store, the versions, the embedder and the language model, with a hint for each problem."""
    from mem0g.doctor import calibrated, examine

    if calibrate:
        _print_calibration(calibrated(target.store, target.embedder, target.credentials), as_json=as_json)
        return
    checks = examine(target.store, target.embedder, target.credentials, target.settings.llm)
    if as_json:
        print_json([{"name": check.name, "ok": check.ok, "detail": check.detail} for check in checks])
    else:
        for check in checks:
            mark = Styled("✓", "green") if check.ok else Styled("✗", "red")
            say(mark, f" {check.name}: {check.detail}")
    if not all(check.ok for check in checks):
        raise typer.Exit(1)


def _print_calibration(found: Calibration, *, as_json: bool) -> None:
    """Print the thresholds as a table beside MiniLM's; as JSON, the file that MEM0G_THRESHOLDS names."""
    from dataclasses import asdict

    from mem0g.embed.protocol import MINILM

    if as_json:
        print_json(asdict(found.thresholds))
        return
    texts = found.texts
    counts = f"{len(texts.names)} names, {len(texts.relations)} relations and {len(texts.sentences)} sentences"
    say(f"estimated for {found.thresholds.embedder} on {counts} of the store; where they are few, on built-in ones too")
    usual = MINILM.values
    lines = [(name, f"{usual[name]:g}", f"{value:g}") for name, value in found.thresholds.values.items()]
    table(["threshold", "MiniLM", "this embedder"], lines)
    say("To use them: mem0g doctor --calibrate --json > thresholds.json, and set MEM0G_THRESHOLDS=thresholds.json")
