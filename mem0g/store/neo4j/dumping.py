"""Everything in the Neo4j store, as changes that make an equal one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mem0g.model import Fact, Scope, Succession
from mem0g.store.change import Change
from mem0g.store.neo4j.connection import Run
from mem0g.store.neo4j.records import LABELS, change_of
from mem0g.store.neo4j.rows import (
    Row,
    decision_of,
    entity_of,
    fact_of,
    message_of,
    scope_keys,
    succession_of,
    vector_of,
)

if TYPE_CHECKING:
    from mem0g.model import Vector

BATCH = 500
"""Rows in a change: a megabyte or two with their vectors."""


def dump(run: Run, scope: str, of: Scope) -> Iterator[Change]:
    """One scope: messages, entities, facts, successions, decisions, records beside the graph."""
    for rows in _batches(run, "dump_messages", scope):
        told = [row["message"] for row in rows]
        yield Change(scope=of, messages=tuple(map(message_of, told)), vectors=_vectors(told))
    for rows in _batches(run, "dump_entities", scope):
        nodes = [row["entity"] for row in rows]
        yield Change(scope=of, entities=tuple(map(entity_of, nodes)), vectors=_vectors(nodes))
    for rows in _batches(run, "dump_facts", scope):
        made = [row["fact"] for row in rows]
        facts = tuple(map(fact_of, made))
        yield Change(scope=of, facts=facts, successions=_successions(run, of, facts), vectors=_vectors(made))
    for rows in _batches(run, "dump_decisions", scope):
        yield Change(scope=of, decisions=tuple(decision_of(row["decision"]) for row in rows))
    for kind, label in LABELS.items():
        for rows in _batches(run, "dump_records", scope, label=label):
            yield change_of(kind, [row["record"] for row in rows], of)


def _successions(run: Run, of: Scope, facts: Sequence[Fact]) -> tuple[Succession, ...]:
    """Those by which the facts were retired."""
    ids = sorted(fact.id for fact in facts)
    rows = run("successions", ids=ids, **scope_keys(of))
    return tuple(succession_of(row) for row in rows if row["fact_id"] in ids)


def _batches(run: Run, name: str, scope: str, **given: str) -> Iterator[list[Row]]:
    after = 0
    while rows := run(name, scope=scope, after=after, limit=BATCH, **given):
        yield rows
        after = rows[-1]["n"]


def _vectors(nodes: list[Row]) -> dict[str, Vector]:
    return {node["id"]: vector_of(node["embedding"]) for node in nodes if node.get("embedding") is not None}
