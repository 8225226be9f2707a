"""Commands that change facts, entities and decisions by hand, and those that show what was changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.options import (
    DATES,
    EMBEDDER,
    MODEL,
    SCOPE,
    STORE,
    EntityArgument,
    ExtractorOption,
    FactArgument,
    JsonOption,
    LimitOption,
    Target,
    YesOption,
    takes,
)
from mem0g.cli.terminal import confirm, print_json, say

if TYPE_CHECKING:
    from mem0g.history.diff import Diff
    from mem0g.ingest.report import Report
    from mem0g.memory import Memory

SubjectOption = Annotated[
    str | None, typer.Option("--subject", help="Subject of the fact, such as Ann; I is the user.")
]
RelationOption = Annotated[str | None, typer.Option("--relation", "-r", help="Relation, such as lives_in.")]
ObjectOption = Annotated[str | None, typer.Option("--object", help="Object of the fact, such as Oslo.")]
FromOption = Annotated[str | None, typer.Option("--valid-from", help=f"When the fact became true: {DATES}.")]
ToOption = Annotated[str | None, typer.Option("--valid-to", help=f"When the fact stopped being true: {DATES}.")]


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def add_fact(
    target: Target,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="The fact as a sentence; or use --subject, --relation and --object."),
    ] = None,
    subject: SubjectOption = None,
    relation: RelationOption = None,
    obj: ObjectOption = None,
    valid_from: FromOption = None,
    valid_to: ToOption = None,
    extractor: ExtractorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a fact by hand, as a sentence or a triple. Facts that it contradicts are retired."""
    from mem0g.lines import outdated_lines

    with target.open(extractor=extractor) as memory:
        report = memory.add_fact(
            text,
            subject=subject,
            relation=relation,
            object=obj,
            valid_from=valid_from,
            valid_to=valid_to,
            **target.keys,
        )
        outdated = [] if as_json else list(outdated_lines(report, partial(memory.possibly_outdated, **target.keys)))
    _print_changes(report, as_json)
    if outdated:
        say("Possibly outdated; `mem0g retire` ends what is no longer true:")
    for line in outdated:
        say(f"  {line}")


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def correct(
    target: Target,
    fact: FactArgument,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="The corrected fact, as a sentence.")] = None,
    subject: SubjectOption = None,
    relation: RelationOption = None,
    obj: ObjectOption = None,
    valid_from: FromOption = None,
    valid_to: ToOption = None,
    extractor: ExtractorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Replace a fact that is wrong. Parts that are not given come from TEXT, else they are kept."""
    with target.open(extractor=extractor, existing=True) as memory:
        report = memory.correct(
            fact,
            text,
            subject=subject,
            relation=relation,
            object=obj,
            valid_from=valid_from,
            valid_to=valid_to,
            **target.keys,
        )
    _print_changes(report, as_json)


@takes(SCOPE, STORE, EMBEDDER)
def retire(
    target: Target,
    fact: FactArgument,
    reason: Annotated[str, typer.Option("--reason", help="Reason to record.")] = "no longer true",
    valid_to: ToOption = None,
    as_json: JsonOption = False,
) -> None:
    """Mark a fact as no longer true. It is kept as history."""
    from mem0g.cli.output import print_decisions

    with target.open_existing() as memory:
        print_decisions([memory.retire(fact, reason=reason, valid_to=valid_to, **target.keys)], as_json)


@takes(SCOPE, STORE, EMBEDDER)
def erase(
    target: Target,
    what: Annotated[
        str, typer.Argument(metavar="ID", help="ID of a fact, a message or an entity, or the start of it.")
    ],
    yes: YesOption = False,
    llm_cache: Annotated[
        Path | None,
        typer.Option(
            "--llm-cache", metavar="FILE", help="With a message, also remove its scope's replies from this reply cache."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Permanently delete a fact, a message or an entity, with everything that comes from it alone.

    The messages that state a fact stay, and can be found; erase them by their IDs, which are printed.
    """
    from mem0g.cli.output import plain
    from mem0g.lookup import MOST_STATING, messages_stating
    from mem0g.model import Scope

    keys = target.keys
    settings = replace(target.settings, llm=replace(target.settings.llm, cache=llm_cache))
    with target.open_existing(settings=settings) as memory:
        if not yes:
            confirm(f"Permanently delete {_described(memory, what, target)}?")
        staying = messages_stating(memory.store, Scope(**keys), what)
        receipt = memory.erase(what, **keys)
    if as_json:
        print_json({**plain(receipt), "stated_by": staying})
        return
    counts = f"{receipt.messages} messages, {receipt.entities} entities, {receipt.facts} facts"
    say(f"erased {counts}, {receipt.decisions} decisions; receipt {receipt.id}")
    for each in staying[:MOST_STATING]:
        say(f"the message {each} stays and still says it; `mem0g erase {each}` removes it and what it alone states")
    if len(staying) > MOST_STATING:
        say(f"and {len(staying) - MOST_STATING} more messages; `mem0g messages` shows them")


@takes(SCOPE, STORE, EMBEDDER)
def merge(
    target: Target,
    entity: EntityArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Name or ID of the entity to merge into it.")],
    as_json: JsonOption = False,
) -> None:
    """Merge two entities: ENTITY takes over the names and facts of OTHER."""
    from mem0g.cli.output import print_decisions

    with target.open_existing() as memory:
        print_decisions([memory.merge(entity, other, **target.keys)], as_json)


@takes(SCOPE, STORE, EMBEDDER)
def unmerge(
    target: Target,
    entity: EntityArgument,
    alias: Annotated[str, typer.Argument(metavar="NAME", help="The name that belongs to another entity.")],
    as_json: JsonOption = False,
) -> None:
    """Split an entity: NAME becomes an entity of its own, with the facts stated under that name."""
    from mem0g.cli.output import print_decisions

    with target.open_existing() as memory:
        print_decisions([memory.unmerge(entity, alias, **target.keys)], as_json)


@takes(SCOPE, STORE, EMBEDDER)
def undo(
    target: Target,
    decision: Annotated[
        str, typer.Argument(metavar="DECISION", help="ID of the decision, or the start of it; see `mem0g log`.")
    ],
    cascade: Annotated[bool, typer.Option("--cascade", help="Also undo later decisions that depend on it.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Undo a decision. The undo is recorded as a decision, which can be undone too."""
    from mem0g.cli.output import print_decisions

    with target.open_existing() as memory:
        print_decisions(memory.undo(decision, cascade=cascade, **target.keys), as_json)


@takes(SCOPE, STORE)
def log(
    target: Target,
    about: Annotated[
        str | None, typer.Argument(metavar="ENTITY|FACT", help="Only decisions about this entity or fact.")
    ] = None,
    since: Annotated[str | None, typer.Option("--since", help=f"Only decisions since this time: {DATES}.")] = None,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List decisions, latest first, with the IDs that `mem0g undo` takes."""
    from mem0g.cli.output import print_decisions

    with target.open_existing() as memory:
        found = memory.decisions(about=about, since=since, limit=limit, **target.keys)
    print_decisions(found, as_json)


@takes(SCOPE, STORE)
def diff(
    target: Target,
    since: Annotated[str, typer.Option("--since", help=f"Changes since this time: {DATES}.")],
    until: Annotated[str | None, typer.Option("--until", help="Changes before this time. [default: now]")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the facts that were added, replaced, retired and deleted, and what was undone, since a time."""
    from mem0g.cli.output import plain

    with target.open_existing() as memory:
        found = memory.diff(since, until=until, **target.keys)
    if as_json:
        print_json(plain(found))
        return
    lines = list(_diff_lines(found))
    nothing = f"nothing changed since {since}" + (f" and before {until}" if until else "")
    for line in lines or [nothing]:
        say(line)


def _diff_lines(found: Diff) -> Iterable[str]:
    for fact in found.learnt:
        yield f"+ {fact.text}  [{fact.id}]"
    for each in found.changed:
        yield f"~ {each.new.text}  [{each.new.id}]"
        yield from (f"    instead of: {old.text}  [{old.id}] ({each.why})" for old in each.old)
    for end in found.ended:
        yield f"- {end.fact.text}  [{end.fact.id}] ({end.why})"
    for decision in found.undone:
        yield f"undone {decision.targets[0]}: {decision.reason}  [{decision.id}]"
    for receipt in found.forgotten:
        what = f"{receipt.messages} messages, {receipt.entities} entities, {receipt.facts} facts"
        yield f"forgotten: {what}  [{receipt.id}]"


def _print_changes(report: Report, as_json: bool) -> None:
    from dataclasses import asdict

    from mem0g.lines import change_lines

    if as_json:
        print_json(asdict(report))
        return
    lines = list(change_lines(report))
    for line in lines or ["nothing changed"]:
        say(line)


def _described(memory: Memory, what: str, target: Target) -> str:
    """Return what the id stands for, for the confirmation prompt."""
    if what.startswith("f_"):
        return f"the fact {memory.fact(what, **target.keys).text!r}"
    if what.startswith("e_"):
        return f"{memory.entity(what, **target.keys).name} and all facts about it"
    return f"{what} and the facts that come from it alone"
