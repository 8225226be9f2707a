"""The operations under /api/v1 for looking through a memory, as the page at / does: a graph, types, days, changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response

from mem0g.lookup import scope_keys
from mem0g.model import Decision, Entity, Fact, Scope
from mem0g.serve.requests import Json, QueryScope, Reader
from mem0g.text.names import fold
from mem0g.transfer.jsonl import plain
from mem0g.views.node_link import json_text

router = APIRouter(prefix="/api/v1")

PAGE = 200
"""Decisions of the log that are read at a time."""

Limit = Annotated[int, Query(ge=1, le=1000)]
Offset = Annotated[int, Query(ge=0)]
Time = Annotated[str | None, Query(description="ISO 8601, may be cut: 2024, 2024-05, 2024-05-17")]


@router.get("/scopes")
def scopes(served: Reader, limit: Limit = 1000, offset: Offset = 0) -> list[Json]:
    """List the scopes that hold anything and that the key opens, by user, agent and run."""
    found = served.memory.store.scopes(served.grant.scope)
    keys = sorted(map(scope_keys, found), key=lambda each: tuple(value or "" for value in each.values()))
    return [dict(each) for each in keys[offset : offset + limit]]


@router.get("/graph")
def graph(
    served: Reader,
    scope: QueryScope,
    entity: str | None = None,
    hops: Annotated[int, Query(ge=1, le=5)] = 1,
    limit: Limit = 200,
    as_of: Time = None,
    include_retired: bool = False,
) -> Response:
    """Return the neighbourhood of an entity, or the best connected part of the memory, as node-link JSON.

    Nodes are entities, edges facts, both with what `mem0g graph -f json` writes of them; the latest ``limit`` facts.
    """
    found = served.memory.subgraph(
        entity, hops=hops, limit=limit, as_of=as_of, include_retired=include_retired, **served.keys(scope)
    )
    return Response(json_text(found), media_type="application/json")


@router.get("/directory")
def directory(
    served: Reader,
    scope: QueryScope,
    kind: Annotated[str | None, Query(description="A type, in any case; empty for entities without one")] = None,
    named: Annotated[str | None, Query(description="Part of a name")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Json:
    """Count entities by type, and list those of one type or with a name, those with the most current facts first."""
    known = served.memory.entities(**served.keys(scope))
    wanted = [(each, facts) for each, facts in known if _is_named(each, named)]
    listed = [(each, facts) for each, facts in wanted if kind is None or _kind(each) == kind.strip().casefold()]
    return {
        "types": _types(each for each, _ in wanted),
        "total": len(listed),
        "entities": [{**plain(each), "facts": facts} for each, facts in listed[offset : offset + limit]],
    }


def _is_named(entity: Entity, part: str | None) -> bool:
    return part is None or any(fold(part) in fold(name) for name in entity.names)


def _kind(entity: Entity) -> str:
    return entity.type.strip().casefold()


def _types(entities: Iterable[Entity]) -> list[Json]:
    """Return the types with their counts, the commonest first; types differ by more than case."""
    found = list(entities)
    shown = {_kind(each): each.type.strip() for each in reversed(found)}
    counts = Counter(map(_kind, found))
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return [{"type": shown[kind], "entities": count} for kind, count in ordered]


@router.get("/days")
def days(served: Reader, scope: QueryScope) -> list[Json]:
    """List the days on which facts begin or end in the world, in order, each with how many.

    A fact begins when it became true, else when it was said; one that is retired ends when it ceased to be true, else
    when it was retired.
    """
    begun: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    for fact in served.memory.facts(include_retired=True, **served.keys(scope)):
        begun[_day(fact.valid_from.start if fact.valid_from else fact.said_at)] += 1
        if fact.retired_at:
            ended[_day(fact.valid_to.start if fact.valid_to else fact.retired_at)] += 1
    return [{"day": day, "begun": begun[day], "ended": ended[day]} for day in sorted((begun | ended).keys() - {""})]


def _day(at: datetime | None) -> str:
    return at.date().isoformat() if at else ""


@router.get("/messages/{message_id}/conversation")
def conversation(
    message_id: str, served: Reader, scope: QueryScope, turns: Annotated[int, Query(ge=0, le=200)] = 3
) -> list[Json]:
    """Return a message with up to ``turns`` messages of its conversation before and after it, in order."""
    found = served.memory.conversation(message_id, turns=turns, **served.keys(scope))
    return [plain(message) for message in found]


@router.get("/changes")
def changes(
    served: Reader, scope: QueryScope, limit: Annotated[int, Query(ge=1, le=200)] = 50, offset: Offset = 0
) -> Json:
    """Return what changed, the latest first: decisions, and the facts and entities that they name, by id.

    Decisions that changed nothing are left out. ``next`` is the ``offset`` of what was decided before, null at the end
    of the log. Facts are as they are now; those that were erased since are missing.
    """
    keys = served.keys(scope)
    found: list[tuple[int, Decision]] = []
    place = offset
    while len(found) <= limit and (page := served.memory.decisions(limit=PAGE, offset=place, **keys)):
        found += [(place + n, each) for n, each in enumerate(page) if each.operation != "NOOP"]
        place += len(page)
    shown = [each for _, each in found[:limit]]
    store = served.memory.store
    return {
        "decisions": [{name: value for name, value in plain(each).items() if name != "before"} for each in shown],
        "facts": _named(store.facts, shown, Scope(**keys)),
        "entities": _named(store.entities, shown, Scope(**keys)),
        "next": found[limit][0] if len(found) > limit else None,
    }


def _named(
    read: Callable[[Scope, Sequence[str]], Sequence[Fact | Entity]], decisions: Iterable[Decision], scope: Scope
) -> dict[str, Json]:
    ids = dict.fromkeys(each for decision in decisions for each in decision.about)
    return {each.id: plain(each) for each in read(scope, list(ids))}
