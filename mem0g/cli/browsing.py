"""Commands that look at what a memory holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mem0g.cli.options import (
    AgentOption,
    AllOption,
    AsOfOption,
    JsonOption,
    KnownAtOption,
    LimitOption,
    RetiredOption,
    RunOption,
    StoreOption,
    UserOption,
    open_existing,
    scope_keys,
    scope_or_all_keys,
)

FactArgument = Annotated[str, typer.Argument(metavar="FACT", help="A fact's id, or the start of it.")]


def facts(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    entity: Annotated[str | None, typer.Option("--entity", "-e", help="Of this entity: a name or an id.")] = None,
    relation: Annotated[str | None, typer.Option("--relation", "-r", help="Of this relation, as lives_in.")] = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    include_retired: RetiredOption = False,
    limit: LimitOption = 1000,
    as_json: JsonOption = False,
) -> None:
    """List facts in the order in which they were recorded."""
    from mem0g.cli.output import FACT_COLUMNS, fact_rows, plain
    from mem0g.cli.terminal import print_json, table

    keys = scope_keys(user, agent, run)
    with open_existing(store) as memory:
        found = memory.facts(
            entity=entity,
            relation=relation,
            as_of=as_of,
            known_at=known_at,
            include_retired=include_retired,
            limit=limit,
            **keys,
        )
    if as_json:
        print_json([plain(fact) for fact in found])
    else:
        table(FACT_COLUMNS, fact_rows(found))


def entities(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    limit: LimitOption = 1000,
    as_json: JsonOption = False,
) -> None:
    """List entities, those with most current facts first."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import print_json, table

    keys = scope_keys(user, agent, run)
    with open_existing(store) as memory:
        found = memory.entities(limit=limit, **keys)
    if as_json:
        print_json([{**plain(entity), "facts": count} for entity, count in found])
        return
    rows = [(entity.id, str(count), entity.type, ", ".join(entity.names)) for entity, count in found]
    table(("id", "facts", "type", "names"), rows)


def show(
    what: Annotated[str, typer.Argument(metavar="ENTITY|FACT", help="A name, or an id.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show an entity with its edges, past ones too, or a fact with its history and evidence."""
    keys = scope_keys(user, agent, run)
    if what.startswith("f_"):
        why(what, user, agent, run, store, as_json)
        if not as_json:
            history(what, user, agent, run, store)
        return
    from mem0g.cli.output import FACT_COLUMNS, fact_rows, named, plain
    from mem0g.cli.terminal import print_json, say, table

    with open_existing(store) as memory:
        entity = memory.entity(what, **keys)
        found = memory.facts(entity=what, include_retired=True, **keys)  # of its name in every scope covered
    if as_json:
        print_json({**plain(entity), "facts": [plain(fact) for fact in found]})
        return
    say(f"{named(entity)}  [{entity.id}]")
    table(FACT_COLUMNS, fact_rows(found))


def history(
    what: Annotated[str, typer.Argument(metavar="ENTITY|FACT", help="A name, or an id.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a fact replaced and what replaced it, or all facts of an entity, retired ones too; and why."""
    from mem0g.cli.output import FACT_COLUMNS, fact_rows, plain
    from mem0g.cli.terminal import print_json, say, table

    keys = scope_keys(user, agent, run)
    with open_existing(store) as memory:
        found, links = memory.history(what, **keys)
    if as_json:
        print_json({"facts": [plain(each) for each in found], "successions": [plain(link) for link in links]})
        return
    table(FACT_COLUMNS, fact_rows(found))
    for link in links:
        successor = f"replaced by {link.successor_id}" if link.successor_id else "retired"
        say(f"{link.fact_id} {successor}: {link.reason} (decided by {link.decided_by})")


def why(
    fact: FactArgument,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the turns that say a fact, and what was decided about it."""
    from mem0g.cli.output import plain, said, times
    from mem0g.cli.terminal import print_json, say

    keys = scope_keys(user, agent, run)
    with open_existing(store) as memory:
        found = memory.why(fact, **keys)
    if as_json:
        print_json(plain(found))
        return
    say(f"{found.fact.text}  [{times(found.fact)}{found.fact.id}]")
    say(f"  {found.fact.subject} → {found.fact.relation} → {found.fact.object}")
    for message in found.evidence:
        say(f"  {said(message)}  [{message.id}]")
    for decision in found.decisions:
        score = f", score {decision.score:.2f}" if decision.score is not None else ""
        about = (
            " → ".join(decision.triple.values()) if decision.operation == "MERGE" else decision.triple.get("text", "")
        )
        say(f"  {decision.operation} by {decision.decided_by}, {decision.rule}{score}: {decision.reason} ({about})")


def graph(
    entity: Annotated[str, typer.Argument(help="In the centre: a name or an id.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    form: Annotated[str, typer.Option("--format", "-f", help="tree, graphml, json, mermaid, dot or html.")] = "tree",
    hops: Annotated[int, typer.Option("--hops", min=1, max=5, help="Edges to walk.")] = 2,
    limit: LimitOption = 200,
    include_retired: RetiredOption = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
) -> None:
    """Draw an entity's neighbourhood: a tree, a format for another program, or a page to look at."""
    from mem0g.cli.files import written
    from mem0g.cli.terminal import document, show, xml_escape
    from mem0g.errors import InputError
    from mem0g.views import FORMATS, tree

    if form not in ("tree", *FORMATS):
        raise InputError(f"unknown format {form!r}", hint=f"one of tree, {', '.join(FORMATS)}")
    keys = scope_keys(user, agent, run)
    with open_existing(store) as memory:
        # A page has its own switch for what is no longer true.
        everything = include_retired or form == "html"
        drawn = memory.subgraph(entity, hops=hops, limit=limit, include_retired=everything, **keys)
    if form == "tree":
        show(tree(drawn))
    elif output is not None:
        with written(output) as file:
            file.write(FORMATS[form](drawn).encode())
    else:
        document(FORMATS[form](drawn), escape=xml_escape if form == "graphml" else None)


def stats(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    everything: AllOption = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count what a scope holds, or with --all the whole store."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import print_json, table

    keys = scope_or_all_keys(user, agent, run, everything=everything)
    with open_existing(store) as memory:
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
        told = f"{len(each.messages)} messages since {each.since:%Y-%m-%d %H:%M}"
        rows.append((f"{each.state} {each.id}", f"{told}: {each.problem}" if each.problem else told))
    table(("", ""), rows)


def relations(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    define: Annotated[str | None, typer.Option("--define", help="A relation to add, or to redefine.")] = None,
    one_object: Annotated[bool | None, typer.Option(help="With --define: one object at a time, or many.")] = None,
    synonym: Annotated[list[str] | None, typer.Option(help="With --define: another name of it.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the relations in use in a scope, with what its tenant knows of them; or define one for the tenant."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import print_json, table

    keys = scope_keys(user, agent, run)
    with open_existing(store) as memory:
        used = memory.stats(**keys).relations
        if define:
            types = [memory.define_relation(define, one_object=one_object, synonyms=tuple(synonym or ()), **keys)]
        else:
            types = [memory.relation(name, **keys) for name in used]
    if as_json:
        print_json([{**plain(kind), "facts": used.get(kind.name, 0)} for kind in types])
        return
    rows = [
        (
            kind.name,
            str(used.get(kind.name, 0)),
            "one" if kind.one_object else "many",
            kind.origin,
            ", ".join(kind.synonyms),
        )
        for kind in types
    ]
    table(("relation", "facts", "objects at a time", "origin", "synonyms"), rows)
