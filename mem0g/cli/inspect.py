"""Commands that show what is in a memory: facts, entities, messages, why a fact is there, relations and counts."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from mem0g.cli.conditions import FilterOption, filters_of
from mem0g.cli.options import (
    SCOPE,
    SCOPE_OR_ALL,
    STORE,
    AsOfOption,
    EntityOrFactArgument,
    FactArgument,
    JsonOption,
    KnownAtOption,
    LimitOption,
    OffsetOption,
    RetiredOption,
    Target,
    takes,
)


@takes(SCOPE, STORE)
def facts(
    target: Target,
    entity: Annotated[
        str | None, typer.Option("--entity", "-e", help="Only facts about this entity: its name or ID.")
    ] = None,
    relation: Annotated[
        str | None, typer.Option("--relation", "-r", help="Only facts with this relation, such as lives_in.")
    ] = None,
    filters: FilterOption = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    include_retired: RetiredOption = False,
    limit: LimitOption = 1000,
    as_json: JsonOption = False,
) -> None:
    """List facts in the order they were recorded."""
    from mem0g.cli.output import asked_at, plain, print_facts
    from mem0g.cli.terminal import print_json
    from mem0g.lookup import check_relation
    from mem0g.model import Scope

    keys, wanted = target.keys, filters_of(filters)
    with target.open_existing() as memory:
        found = memory.facts(
            entity=entity,
            relation=relation,
            filters=wanted,
            as_of=as_of,
            known_at=known_at,
            include_retired=include_retired,
            limit=limit,
            **keys,
        )
        if relation and not found:
            check_relation(memory.store, Scope(**keys), memory.relation(relation, **keys), memory.relations(**keys))
    if as_json:
        print_json([plain(fact, asked_at(as_of)) for fact in found])
    else:
        print_facts(found, asked_at(as_of))


@takes(SCOPE, STORE)
def instructions(
    target: Target,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    include_retired: RetiredOption = False,
    as_json: JsonOption = False,
) -> None:
    """List what the user told an assistant to do from then on, and what the user prefers."""
    from mem0g.cli.output import asked_at, plain, print_facts
    from mem0g.cli.terminal import print_json

    keys = target.keys
    with target.open_existing() as memory:
        found = memory.instructions(as_of=as_of, known_at=known_at, include_retired=include_retired, **keys)
    if as_json:
        print_json([plain(fact, asked_at(as_of)) for fact in found])
    else:
        print_facts(found, asked_at(as_of))


@takes(SCOPE, STORE)
def contradictions(target: Target, as_json: JsonOption = False) -> None:
    """List messages of the user, and facts, that exclude each other, to ask which is right."""
    from mem0g.cli.output import plain, print_contradiction
    from mem0g.cli.terminal import print_json, say

    keys = target.keys
    with target.open_existing() as memory:
        found = memory.contradictions(**keys)
    if as_json:
        print_json([plain(each) for each in found])
        return
    for each in found:
        print_contradiction(each)
    if not found:
        say("no contradictions found")


@takes(SCOPE, STORE)
def entities(target: Target, limit: LimitOption = 1000, as_json: JsonOption = False) -> None:
    """List entities, those with the most current facts first."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import print_json, table

    keys = target.keys
    with target.open_existing() as memory:
        found = memory.entities(limit=limit, **keys)
    if as_json:
        print_json([{**plain(entity), "facts": count} for entity, count in found])
        return
    rows = [(entity.id, str(count), entity.type, ", ".join(entity.names)) for entity, count in found]
    table(("id", "facts", "type", "names"), rows)


@takes(SCOPE, STORE)
def messages(
    target: Target,
    message: Annotated[
        str | None,
        typer.Argument(metavar="[MESSAGE]", help="ID of a message to show with those around it, or the start of it."),
    ] = None,
    turns: Annotated[int, typer.Option("--turns", min=0, help="Number of messages before and after it.")] = 3,
    limit: LimitOption = 1000,
    offset: OffsetOption = 0,
    as_json: JsonOption = False,
) -> None:
    """List messages by source, session and position; or show one in its conversation."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import print_json, table

    if message:
        _conversation(target, message, turns, as_json)
        return
    keys = target.keys
    with target.open_existing() as memory:
        found = memory.messages(limit=limit, offset=offset, **keys)
    if as_json:
        print_json([plain(each) for each in found])
        return
    rows = [
        (each.id, f"{each.time:%Y-%m-%d %H:%M}" if each.time else "", each.speaker, " ".join(each.text[:400].split()))
        for each in found
    ]
    table(("id", "when (UTC)", "speaker", "text"), rows)


def _conversation(target: Target, message: str, turns: int, as_json: bool) -> None:
    from mem0g.cli.output import plain, print_conversation
    from mem0g.cli.terminal import print_json

    keys = target.keys
    with target.open_existing() as memory:
        found = memory.conversation(message, turns=turns, **keys)
    if as_json:
        print_json([plain(each) for each in found])
    else:
        print_conversation(found, message)


@takes(STORE)
def users(target: Target, limit: LimitOption = 1000, offset: OffsetOption = 0, as_json: JsonOption = False) -> None:
    """List the scopes of the store, with counts of what a read of each covers."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import print_json, table
    from mem0g.lookup import scope_keys

    with target.open_existing() as memory:
        found = memory.users(limit=limit, offset=offset)
    if as_json:
        print_json([{**scope_keys(scope), **plain(stats)} for scope, stats in found])
        return
    rows = [
        (
            *(str(key or "") for key in scope_keys(scope).values()),
            *(str(count) for count in (stats.messages, stats.entities, stats.facts, stats.retired)),
            f"{stats.last_message:%Y-%m-%d}" if stats.last_message else "",
        )
        for scope, stats in found
    ]
    table(("user", "agent", "run", "messages", "entities", "facts", "retired", "last message"), rows)


@takes(SCOPE, STORE)
def show(
    target: Target,
    what: Annotated[
        str,
        typer.Argument(
            metavar="ENTITY|ID", help="Name of an entity, or ID of an entity, a fact, a message or a decision."
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Show an entity with its facts, a fact with its history, a message in its conversation, or a decision."""
    if what.startswith("f_"):
        _why(target, what, as_json)
        if not as_json:
            _history(target, what, as_json)
    elif what.startswith("m_"):
        _conversation(target, what, 3, as_json)
    elif what.startswith("d_"):
        _decision(target, what, as_json)
    else:
        _entity(target, what, as_json)


def _entity(target: Target, what: str, as_json: bool) -> None:
    from mem0g.cli.output import plain, print_facts
    from mem0g.cli.terminal import print_json, say
    from mem0g.lines import named

    keys = target.keys
    with target.open_existing() as memory:
        entity = memory.entity(what, **keys)
        found = memory.facts(entity=what, include_retired=True, **keys)  # of its name in every scope covered
    if as_json:
        print_json({**plain(entity), "facts": [plain(fact) for fact in found]})
        return
    say(f"{named(entity)}  [{entity.id}]")
    print_facts(found)


def _decision(target: Target, what: str, as_json: bool) -> None:
    from mem0g.cli.output import plain, print_decisions
    from mem0g.cli.terminal import print_json, say
    from mem0g.lines import said

    keys = target.keys
    with target.open_existing() as memory:
        decision = memory.decision(what, **keys)
        cited = memory.messages(ids=list(decision.evidence), **keys)
    if as_json:
        print_json(plain(decision))
        return
    print_decisions([decision], as_json)
    say(f"rule {decision.rule}; about {', '.join(decision.about) or 'nothing'}")
    for message in cited:
        say(f"  said by {said(message)}  [{message.id}]")


@takes(SCOPE, STORE)
def history(target: Target, what: EntityOrFactArgument, as_json: JsonOption = False) -> None:
    """Show all facts of an entity, or those that a fact replaced and was replaced by, and why."""
    _history(target, what, as_json)


def _history(target: Target, what: str, as_json: bool) -> None:
    from mem0g.cli.output import plain, print_facts
    from mem0g.cli.terminal import print_json, say

    keys = target.keys
    with target.open_existing() as memory:
        found, links = memory.history(what, **keys)
    if as_json:
        print_json({"facts": [plain(each) for each in found], "successions": [plain(link) for link in links]})
        return
    print_facts(found)
    for link in links:
        successor = f"replaced by {link.successor_id}" if link.successor_id else "retired"
        say(f"{link.fact_id} {successor}: {link.reason} (decided by {link.decided_by})")


@takes(SCOPE, STORE)
def why(target: Target, fact: FactArgument, as_json: JsonOption = False) -> None:
    """Show the messages that a fact comes from, and the decisions about it."""
    _why(target, fact, as_json)


def _why(target: Target, fact: str, as_json: bool) -> None:
    from mem0g.cli.output import asked_at, plain
    from mem0g.cli.terminal import print_json, say
    from mem0g.lines import said, times

    keys = target.keys
    with target.open_existing() as memory:
        found = memory.why(fact, **keys)
    if as_json:
        print_json(plain(found))
        return
    say(f"{found.fact.text}  [{times(found.fact, asked_at(None))}{found.fact.id}]")
    say(f"  {found.fact.subject} → {found.fact.relation} → {found.fact.object}")
    for message in found.evidence:
        say(f"  {said(message)}  [{message.id}]")
    for decision in found.decisions:
        score = f", score {decision.score:.2f}" if decision.score is not None else ""
        about = (
            " → ".join(decision.triple.values()) if decision.operation == "MERGE" else decision.triple.get("text", "")
        )
        say(f"  {decision.operation} by {decision.decided_by}, {decision.rule}{score}: {decision.reason} ({about})")


@takes(SCOPE_OR_ALL, STORE)
def stats(target: Target, as_json: JsonOption = False) -> None:
    """Count the messages, entities, facts, decisions and waiting windows."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import print_json, table

    keys = target.keys_or_all
    with target.open_existing() as memory:
        found, waiting = memory.stats(**keys), memory.pending(**keys)
    if as_json:
        print_json(plain(found) | {"pending": [plain(each) for each in waiting]})
        return
    counts = ("messages", "sessions", "entities", "facts", "retired")
    rows = [("scopes", str(len(found.scopes)))] + [(name, str(getattr(found, name))) for name in counts]
    if found.first_message and found.last_message:
        rows.append(("from, to", f"{found.first_message:%Y-%m-%d}, {found.last_message:%Y-%m-%d}"))
    rows.append(("decisions", ", ".join(f"{name} {count}" for name, count in found.decisions.items())))
    most = list(found.relations.items())[:8]
    rows.append(("relations", ", ".join(f"{name} {count}" for name, count in most)))
    for each in waiting:
        size = f"{len(each.messages)} messages since {each.since:%Y-%m-%d %H:%M}"
        rows.append((f"{each.state} {each.id}", f"{size}: {each.problem}" if each.problem else size))
    table(("", ""), rows)


@takes(SCOPE, STORE)
def relations(
    target: Target,
    define: Annotated[str | None, typer.Option("--define", help="Name of a relation to add or to redefine.")] = None,
    one_object: Annotated[
        bool | None, typer.Option(help="With --define: whether a subject has one object at a time.")
    ] = None,
    synonym: Annotated[
        list[str] | None,
        typer.Option(help="With --define: another name of it, whose facts become its own; can be repeated."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the relations in use in a scope, or define one."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import print_json, table

    keys = target.keys
    with target.open_existing() as memory:
        types = []
        if define:
            types = [memory.define_relation(define, one_object=one_object, synonyms=tuple(synonym or ()), **keys)]
        used = Counter[str]()
        for name, facts in memory.stats(**keys).relations.items():
            kind = memory.relation(name, **keys)
            used[kind.name] += facts
            types += [] if define or kind in types else [kind]
    if as_json:
        print_json([{**plain(kind), "facts": used[kind.name]} for kind in types])
        return
    rows = [
        (
            kind.name,
            str(used[kind.name]),
            "one" if kind.one_object else "many",
            kind.origin,
            ", ".join(kind.synonyms),
        )
        for kind in types
    ]
    table(("relation", "facts", "objects at a time", "origin", "synonyms"), rows)
