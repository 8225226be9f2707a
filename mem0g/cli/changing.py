"""Commands that change single things by hand, and show what was changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.browsing import FactArgument
from mem0g.cli.model import given_settings
from mem0g.cli.options import (
    AgentOption,
    EmbedderOption,
    ExtractorOption,
    JsonOption,
    LimitOption,
    RunOption,
    StoreOption,
    UserOption,
    YesOption,
    open_existing,
    open_memory,
    scope_keys,
)
from mem0g.cli.terminal import confirm, print_json, say, table

if TYPE_CHECKING:
    from mem0g.history.differing import Diff
    from mem0g.ingest.batch import Report
    from mem0g.memory import Memory
    from mem0g.model import Decision

SubjectOption = Annotated[str | None, typer.Option("--subject", help="Of whom or what it is said.")]
RelationOption = Annotated[str | None, typer.Option("--relation", "-r", help="What is said, as lives_in.")]
ObjectOption = Annotated[str | None, typer.Option("--object", help="What is said of the subject, as Oslo.")]
FromOption = Annotated[
    str | None, typer.Option("--valid-from", help="Since when it is true: 2023, 2023-05, 2023-05-07.")
]
UntilOption = Annotated[str | None, typer.Option("--valid-to", help="Until when it was true.")]
EntityArgument = Annotated[str, typer.Argument(metavar="ENTITY", help="A name, or an id.")]


def add_fact(
    text: Annotated[
        str | None, typer.Argument(help="What is so, in a line; or name subject, relation and object.")
    ] = None,
    subject: SubjectOption = None,
    relation: RelationOption = None,
    obj: ObjectOption = None,
    valid_from: FromOption = None,
    valid_to: UntilOption = None,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    extractor: ExtractorOption = None,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a fact by hand: a line of text, or a triple; what it contradicts is retired."""
    with open_memory(store, embedder, extractor=extractor, settings=given_settings()) as memory:
        report = memory.add_fact(
            text,
            subject=subject,
            relation=relation,
            object=obj,
            valid_from=valid_from,
            valid_to=valid_to,
            **scope_keys(user, agent, run),
        )
    _print_changes(report, as_json)


def correct(
    fact: FactArgument,
    text: Annotated[str | None, typer.Argument(help="What is so instead, in a line.")] = None,
    subject: SubjectOption = None,
    relation: RelationOption = None,
    obj: ObjectOption = None,
    valid_from: FromOption = None,
    valid_to: UntilOption = None,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    extractor: ExtractorOption = None,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Replace a fact that is wrong; what is not given stays as it was."""
    with open_memory(store, embedder, extractor=extractor, existing=True, settings=given_settings()) as memory:
        report = memory.correct(
            fact,
            text,
            subject=subject,
            relation=relation,
            object=obj,
            valid_from=valid_from,
            valid_to=valid_to,
            **scope_keys(user, agent, run),
        )
    _print_changes(report, as_json)


def retire(
    fact: FactArgument,
    reason: Annotated[str, typer.Option("--reason", help="Why it is true no longer.")] = "no longer true",
    valid_to: UntilOption = None,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """End a fact that is true no longer; it stays as history."""
    with open_existing(store, embedder) as memory:
        keys = scope_keys(user, agent, run)
        _print_log([memory.retire(fact, reason=reason, valid_to=valid_to, **keys)], as_json)


def erase(
    what: Annotated[str, typer.Argument(metavar="ID", help="The id of a fact, a message or an entity, or its start.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    embedder: EmbedderOption = None,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Remove a fact, a message or an entity for good, with what stands on it alone."""
    from mem0g.cli.output import plain

    keys = scope_keys(user, agent, run)
    with open_existing(store, embedder) as memory:
        if not yes:
            confirm(f"Erase {_described(memory, what, user, agent, run)}, for good?")
        receipt = memory.erase(what, **keys)
    if as_json:
        print_json(plain(receipt))
        return
    counts = f"{receipt.messages} messages, {receipt.entities} entities, {receipt.facts} facts"
    say(f"erased {counts}, {receipt.decisions} decisions; receipt {receipt.id}")


def merge(
    entity: EntityArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The entity that is the same one: a name, or an id.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make two entities one: names and facts of OTHER become ENTITY's."""
    with open_existing(store, embedder) as memory:
        _print_log([memory.merge(entity, other, **scope_keys(user, agent, run))], as_json)


def unmerge(
    entity: EntityArgument,
    alias: Annotated[str, typer.Argument(metavar="NAME", help="The name that is another one's.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make an entity two: NAME is another one, with what was said under that name."""
    with open_existing(store, embedder) as memory:
        _print_log([memory.unmerge(entity, alias, **scope_keys(user, agent, run))], as_json)


def undo(
    decision: Annotated[
        str, typer.Argument(metavar="DECISION", help="A decision's id, or the start of it: `mem0g log`.")
    ],
    cascade: Annotated[bool, typer.Option("--cascade", help="Undo later decisions that build on it, too.")] = False,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put back what was before a decision; undoing that does it again."""
    with open_existing(store, embedder) as memory:
        _print_log(memory.undo(decision, cascade=cascade, **scope_keys(user, agent, run)), as_json)


def log(
    about: Annotated[str | None, typer.Argument(metavar="ENTITY|FACT", help="Only what was decided about it.")] = None,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    since: Annotated[str | None, typer.Option("--since", help="From this time on: 2023, 2023-05, 2023-05-07.")] = None,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List decisions, the latest first, with the ids that `mem0g undo` takes."""
    with open_existing(store) as memory:
        found = memory.decisions(about=about, since=since, limit=limit, **scope_keys(user, agent, run))
    _print_log(found, as_json)


def diff(
    since: Annotated[str, typer.Option("--since", help="From this time on: 2023, 2023-05, 2023-05-07.")],
    until: Annotated[str | None, typer.Option("--until", help="Before this time. [default: now]")] = None,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was learnt, changed, ended, undone and forgotten since a time."""
    from mem0g.cli.output import plain

    with open_existing(store) as memory:
        found = memory.diff(since, until=until, **scope_keys(user, agent, run))
    if as_json:
        print_json(plain(found))
        return
    lines = list(_diff_lines(found))
    for line in lines or [f"nothing changed since {since}"]:
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

    from mem0g.cli.reporting import change_lines

    if as_json:
        print_json(asdict(report))
        return
    lines = list(change_lines(report))
    for line in lines or ["nothing changed"]:
        say(line)


def _print_log(decisions: Iterable[Decision], as_json: bool) -> None:
    from mem0g.cli.output import plain

    if as_json:
        print_json([plain(each) for each in decisions])
        return
    rows = [(each.id, f"{each.at:%Y-%m-%d %H:%M}", each.operation, each.decided_by, _about(each)) for each in decisions]
    table(("id", "when (UTC)", "operation", "by", "what and why"), rows)


def _about(decision: Decision) -> str:
    said = decision.triple.get("text", "")
    return f"{said} ({decision.reason})" if said else decision.reason


def _described(memory: Memory, what: str, user: str | None, agent: str | None, run: str | None) -> str:
    """What has this id, in words that the one who is asked can judge by."""
    keys = scope_keys(user, agent, run)
    if what.startswith("f_"):
        return f"the fact {memory.fact(what, **keys).text!r}"
    if what.startswith("e_"):
        entity = memory.entity(what, **keys)
        return f"{entity.name} and all facts about it"
    return f"{what} and the facts that stand on it alone"
