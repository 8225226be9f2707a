"""The nodes of the records outside the graph: a label for each type of mem0g.store.records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from mem0g.model import Receipt, Scope
from mem0g.store.change import Change
from mem0g.store.neo4j.rows import Row, time_of
from mem0g.store.queries import Stats
from mem0g.store.records import (
    DONE,
    FIELDS,
    ConversationSummary,
    Done,
    ModelCall,
    ModelReply,
    PendingWindow,
    R,
    Record,
    RetirementReview,
    retirements_as_text,
    retirements_from_text,
)
from mem0g.times import utc

LABELS: Mapping[type, str] = {
    PendingWindow: "Mem0gPendingWindow",
    ModelCall: "Mem0gModelCall",
    ModelReply: "Mem0gModelReply",
    ConversationSummary: "Mem0gSummary",
    RetirementReview: "Mem0gReview",
    Receipt: "Mem0gReceipt",
}
"""The label of each type; every record also has the label Mem0gRecord, which lists all types together."""


@dataclass(frozen=True, slots=True)
class _Property:
    """Conversions of a field's value to and from its property."""

    store: Callable[[Any], Any]
    read: Callable[[Any], Any]


_LIST = _Property(list, tuple)
_TIME = _Property(utc, time_of)
_PROPERTIES: Mapping[type, Mapping[str, _Property]] = {
    PendingWindow: {"messages": _LIST, "context": _LIST, "speakers": _LIST, "since": _TIME},
    ModelCall: {"at": _TIME},
    ConversationSummary: {"waiting": _LIST},
    RetirementReview: {"at": _TIME, "retirements": _Property(retirements_as_text, retirements_from_text)},
    Receipt: {"at": _TIME},
}
"""The fields of each type that need conversion; all others are stored unchanged."""


def record_properties(record: Record) -> Row:
    """Return the properties of a record, without its scope, id and number."""
    others = _PROPERTIES.get(type(record), {})
    given = {each.name: getattr(record, each.name) for each in fields(record) if each.name not in ("id", "scope")}
    return {name: others[name].store(value) if name in others else value for name, value in given.items()}


def record_of(kind: type[R], node: Mapping[str, Any], scope: Scope) -> R:
    """Return the record of a node, which must not be done."""
    others = _PROPERTIES.get(kind, {})
    given = {each.name: node[each.name] for each in fields(kind) if each.name != "scope"}
    read: Row = {name: others[name].read(value) if name in others else value for name, value in given.items()}
    if kind is not Receipt:
        read["scope"] = scope
    return kind(**read)


def stats_of(row: Row, scopes: Iterable[Scope]) -> Stats:
    """Return the counts of a row, over ``scopes``."""
    return Stats(
        scopes=tuple(scopes),
        **{name: row[name] for name in ("messages", "sessions", "entities", "facts", "retired")},
        decisions=dict(row["decisions"]),
        relations=dict(row["relations"]),
        **{FIELDS[kind]: dict(row["records"]).get(label, 0) for kind, label in LABELS.items()},
        first_message=time_of(row["first"]),
        last_message=time_of(row["last"]),
    )


def record_rows(change: Change, numbers: Iterable[int], *, loaded: bool) -> dict[str, list[Row]]:
    """Return the parameters of ``commit`` for the records of a change: their rows, and those that are done.

    ``numbers`` supplies the number of each new node. With ``loaded``, for a change from a snapshot, records that are
    done are returned as rows too, so that they are inserted.
    """
    following = iter(numbers)
    records = [
        {"label": LABELS[kind], "id": each.id, "n": next(following), "properties": record_properties(each)}
        for kind, field in FIELDS.items()
        for each in getattr(change, field)
    ]
    done = [{"label": LABELS[DONE[each.kind]], "id": each.id} for each in change.done]
    if loaded:
        records += [{**each, "n": next(following), "properties": {"done": True}} for each in done]
    return {"records": records, "done": [] if loaded else done}


def change_of(kind: type[Record], nodes: Sequence[Row], scope: Scope) -> Change:
    """Return the change that writes the records of ``nodes``, including those that are done."""
    done_kind = next((name for name, done in DONE.items() if done is kind), None)
    kept: dict[str, Any] = {FIELDS[kind]: tuple(record_of(kind, node, scope) for node in nodes if not node.get("done"))}
    done = tuple(Done(done_kind, node["id"]) for node in nodes if node.get("done")) if done_kind else ()
    return Change(scope=scope, done=done, **kept)
