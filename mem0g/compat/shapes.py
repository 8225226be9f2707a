"""Facts, messages, reports and decisions of mem0g in the shapes of mem0, and mem0's filters as a scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mem0g.errors import InputError, NotFoundError
from mem0g.history.corrections import CORRECTED
from mem0g.ingest.report import Report
from mem0g.model import Decision, Fact, Message, Scope
from mem0g.reader import with_metadata
from mem0g.store.protocol import Store

EVENTS = {"added": "ADD", "updated": "UPDATE", "retired": "DELETE", "confirmed": "NOOP"}
"""What became of a fact, in mem0's words."""

SCOPE_FIELDS = ("user_id", "agent_id", "run_id")


OPERATORS = {
    "eq": "$eq",
    "ne": "$ne",
    "gt": "$gt",
    "gte": "$gte",
    "lt": "$lt",
    "lte": "$lte",
    "in": "$in",
    "nin": "$nin",
}
"""mem0g's operators by mem0's."""

REFUSED = ("OR", "NOT", "app_id", "actor_id", "categories", "keywords", "memory_ids", "updated_at")
"""Fields of mem0's filters that mem0g has nothing for; any other is a field of a memory or of its metadata."""


def scope_of(given: Mapping[str, str | None], filters: Mapping[str, Any] | None) -> Scope | None:
    """Return the scope of the arguments ``given`` and of mem0's ``filters``, None where neither names one.

    Filters are {"user_id": "ann", …}, or {"AND": [{"user_id": "ann"}, …]}. Raises InputError for a scope that is given
    twice, or by an operator.
    """
    found = {name: value for name, value in given.items() if value}
    for name, value in _parts(filters):
        if name in SCOPE_FIELDS:
            if not isinstance(value, str):
                raise InputError(f"the filter {name!r} is not supported with operators", hint="give one id as text")
            if found.setdefault(name, value) != value:
                raise InputError(f"{name} is given twice, as {found[name][:80]!r} and {value[:80]!r}")
    return Scope(**found) if found else None


def conditions_of(filters: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the rest of mem0's ``filters`` as mem0g's: created_at, role, and fields of the metadata.

    Raises InputError for what is not supported: to ignore a condition would answer with what was to be kept out.
    """
    conditions: dict[str, dict[str, Any]] = {}
    for name, value in _parts(filters):
        if name in SCOPE_FIELDS:
            continue
        field = name if name in ("created_at", "role") or name.startswith("metadata.") else f"metadata.{name}"
        for operator, wanted in (_operators(name, value) if isinstance(value, Mapping) else {"$eq": value}).items():
            if operator in conditions.setdefault(field, {}):
                raise InputError(f"the filter {name[:80]!r} has {operator} twice")
            conditions[field][operator] = wanted
    return conditions


def _parts(filters: object) -> Iterator[tuple[str, Any]]:
    """Yield the conditions of filters, which all have to hold, field by field."""
    if not isinstance(filters, Mapping | None):
        raise InputError("the filters are not an object", hint='such as {"user_id": "ann"}')
    for name, value in (filters or {}).items():
        if name == "AND" and isinstance(value, list | tuple):
            for part in value:
                yield from _parts(part)
        elif name == "metadata" and isinstance(value, Mapping):
            yield from ((f"metadata.{key}", each) for key, each in value.items())
        elif name in REFUSED or name in ("AND", "metadata") or value == "*":
            hint = "filter by user_id, agent_id, run_id, created_at, role and fields of the metadata, joined by AND"
            raise InputError(f"the filter {str(name)[:80]!r} is not supported", hint=hint)
        else:
            yield str(name), value


def _operators(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [each for each in given if each not in OPERATORS]
    if unknown or not given:
        problem = f"the operator {str(unknown[0])[:80]!r}" if unknown else "no operator"
        raise InputError(f"the filter {name[:80]!r} has {problem}", hint=f"one of {', '.join(OPERATORS)}")
    return {OPERATORS[each]: wanted for each, wanted in given.items()}


def refuse(given: Mapping[str, Any], *, known: Iterable[str] = ()) -> None:
    """Raise InputError for an argument that mem0g has no place for, unless it is empty or one of ``known``."""
    ignored = frozenset(known)
    for name, value in given.items():
        if name not in ignored and value not in (None, False, "", [], {}):
            raise InputError(f"{name[:80]!r} is not supported", hint="leave it out; docs/from-mem0.md says what is")


def find_record(store: Store, within: Scope | None, record_id: str) -> tuple[Scope, Fact | Message]:
    """Return the fact or message of an id as it is now and its exact scope; ``within`` as in ``find_versions``.

    Raises NotFoundError where there is none.
    """
    scope, versions = find_versions(store, within, record_id)
    return scope, versions[-1]


def find_versions(store: Store, within: Scope | None, record_id: str) -> tuple[Scope, tuple[Fact | Message, ...]]:
    """Return the fact or message of an id, followed by its corrections in order, and their exact scope.

    A correction is a fact of its own, while a memory of mem0's keeps its id: so the id stands for what it was corrected
    to. A fact that another one contradicts is no version of it. ``within`` are the scopes covered, None the whole
    store. Raises NotFoundError where there is none.
    """
    home = store.homes(within, [record_id]).get(record_id)
    if home:
        for fact in store.facts(home, [record_id]):
            return home, (*_corrected(store, home, fact),)
        for message in store.messages(home, [record_id]):
            return home, (message,)
    raise NotFoundError(f"no memory {record_id[:80]!r}")


def _corrected(store: Store, scope: Scope, fact: Fact) -> Iterator[Fact]:
    """Yield a fact and its corrections, with their metadata."""
    following: Fact | None = fact
    while following:
        yield with_metadata(store, scope, [following])[0]
        links = store.successions(scope, [following.id])
        after = [each.successor_id for each in links if each.fact_id == following.id and each.reason == CORRECTED]
        following = next(iter(store.facts(scope, [each for each in after if each])), None)


def memory_of(record: Fact | Message, scope: Scope | None = None) -> dict[str, Any]:
    """Return a fact or a message as a memory of mem0's."""
    fact = record if isinstance(record, Fact) else None
    created = fact.recorded_at if fact else record.time if isinstance(record, Message) else None
    updated = (fact.retired_at or fact.recorded_at) if fact else created
    owner = fact.scope if fact else scope
    return {
        "id": record.id,
        "memory": record.text,
        "hash": record.id.partition("_")[2],
        "metadata": dict(record.metadata) or None,
        "created_at": created.isoformat() if created else None,
        "updated_at": updated.isoformat() if updated else None,
        **({name: owner.keys.get(name) for name in SCOPE_FIELDS} if owner else {}),
    }


def relation_of(fact: Fact, *, end: str) -> dict[str, str]:
    """Return a fact as a relation of mem0's graph; ``end`` is the name that mem0 gives its object there."""
    return {"source": fact.subject, "relationship": fact.relation.lower(), end: fact.object}


def events_of(report: Report) -> list[dict[str, str]]:
    """Return what became of each fact, in mem0's words."""
    return [{"id": each.fact_id, "memory": each.text, "event": EVENTS[each.kind]} for each in report.changes]


def history_of(store: Store, scope: Scope, versions: Iterable[Fact | Message]) -> list[dict[str, Any]]:
    """Return the decisions about the versions of a memory as mem0's history of it, the first first."""
    events: dict[str, dict[str, Any]] = {}
    for each in versions:
        if isinstance(each, Fact):
            for decision in store.decisions(scope, [each.id]):
                events.setdefault(decision.id, event_of(decision, each))
    return list(events.values())


def event_of(decision: Decision, record: Fact | Message) -> dict[str, Any]:
    """Return a decision about a fact as an entry of mem0's history."""
    deleted = decision.operation == "DELETE" and decision.fact_id is None
    return {
        "id": decision.id,
        "memory_id": record.id,
        "old_memory": None if decision.operation == "ADD" else record.text,
        "new_memory": None if deleted else decision.triple.get("text") or record.text,
        "event": decision.operation,
        "created_at": decision.at.isoformat(),
        "updated_at": decision.at.isoformat(),
        "is_deleted": deleted,
    }
