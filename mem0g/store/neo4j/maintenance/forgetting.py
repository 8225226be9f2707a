"""Forgetting in Neo4j: the scopes themselves, and what other scopes hold on the evidence of their messages alone."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mem0g.errors import ChangeTooLargeError
from mem0g.model import Receipt, Scope
from mem0g.store.forgetting import ERASED, SUCCESSOR_FORGOTTEN, names_left, unlinked, wider_scopes
from mem0g.store.neo4j.fact_rows import decision_of
from mem0g.store.neo4j.rows import Row, scope_keys, scope_of
from mem0g.store.neo4j.server.connection import Connection, Run
from mem0g.store.neo4j.tenants import forget_relation_types, scope_rows
from mem0g.store.queries import scope_text
from mem0g.text.names import fold, name_tokens
from mem0g.times import now

FORGOTTEN_AT_ONCE = 1000
"""Nodes removed in one transaction."""


def forget(connection: Connection, scope: Scope) -> Receipt:
    """Remove all that the scopes covered by ``scope`` hold, in several transactions; see Store.forget."""
    rows = scope_rows(connection, scope)
    counts = _forget_elsewhere(connection, rows)
    (held,) = connection.rows("forgettable", scopes=[each["scope"] for each in rows])
    for each in rows:
        forget_scope(connection, each)
    for tenant in {scope_of(row).tenant for row in (*rows, *_wider(connection, rows))}:
        connection.write(lambda run, tenant=tenant: forget_relation_types(run, tenant))  # type: ignore[misc]
    counts.update(held)
    return Receipt(id=f"r_{secrets.token_hex(8)}", at=now(), complete=True, **counts)


def _wider(connection: Connection, rows: Sequence[Row]) -> list[Row]:
    """Return the other scopes of the store whose reads cover one of these."""
    wider = {scope_text(each) for each in wider_scopes(map(scope_of, rows))}
    return [row for row in scope_rows(connection, None) if row["scope"] in wider] if wider else []


def _forget_elsewhere(connection: Connection, forgotten: Sequence[Row]) -> Counter[str]:
    """Remove from the wider scopes what has only messages of the ``forgotten`` ones as evidence, scope by scope."""
    known = [row["scope"] for row in forgotten]
    counts: Counter[str] = Counter()
    for row in _wider(connection, forgotten):
        counts += connection.write(lambda run, row=row: forget_citing(run, row, known))  # type: ignore[misc]
    return counts


def forget_scope(connection: Connection, scope: Row) -> None:
    """Remove a scope and all that it holds, in batches."""
    while _forget_batch(connection, scope["scope"], FORGOTTEN_AT_ONCE):
        pass
    connection.write_locked("forget_scope", scope=scope["scope"])


def _forget_batch(connection: Connection, scope: str, limit: int) -> int:
    """Remove up to ``limit`` nodes, fewer where the server has too little memory; return how many."""
    try:
        removed: int = connection.write_locked("forget", limit=limit, scope=scope)[0]["removed"]
    except ChangeTooLargeError:
        if limit == 1:
            raise
        return _forget_batch(connection, scope, limit // 2)
    return removed


def forget_citing(run: Run, scope: Row, forgotten: Sequence[str]) -> Counter[str]:
    """Remove from ``scope`` what has only messages of the scopes ``forgotten`` as evidence.

    Returns the counts of Receipt.
    """
    within = {"scope": scope["scope"]}
    run("lock_scopes", scopes=[scope["scope"]])
    (found,) = run("citing", forgotten=list(forgotten), **within)
    facts, citing = found["facts"], found["decisions"]
    if not facts and not citing:
        return Counter()
    gone = [fact for fact in facts if not fact["left"]]
    ids = [fact["id"] for fact in gone]
    about = [row["decision"] for row in run("decisions", ids=ids, **scope_keys(scope_of(scope)))]
    decisions = {row["id"]: decision_of(row) for row in (*about, *citing) if row["scope"] == scope["scope"]}
    messages = {each for row in (*facts, *citing) for each in row["evidence"] if each not in row["left"]}
    lost, kept = unlinked(decisions.values(), messages, ids)
    run(
        "forget_citing",
        facts=ids,
        links=[{"id": fact["id"], "evidence": fact["left"]} for fact in facts if fact["left"]],
        decisions=[each.id for each in lost],
        unlinked=[
            {"id": each.id, "evidence": list(each.evidence), "targets": list(each.targets), "reason": each.reason}
            for each in kept
        ],
        reason=SUCCESSOR_FORGOTTEN,
        **within,
    )
    ends = {fact[end] for fact in facts for end in ("subject_id", "object_id")}
    ends |= {each for decision in lost if decision.operation == "MERGE" for each in decision.targets}
    _rename(run, within, sorted(ends), [decision.triple for decision in lost])
    (unused,) = run("forget_unused", ids=sorted(ends), **within)
    retired = sum(not fact["current"] for fact in gone)
    return Counter(facts=len(gone), retired=retired, decisions=len(lost)) + Counter(unused)


def _rename(run: Run, within: Row, entities: Sequence[str], forgotten: Iterable[Mapping[str, str]]) -> None:
    """Remove from entities the names that only forgotten triples use."""
    triples, renamed = list(forgotten), []
    for row in run("triples_about", ids=list(entities), **within):
        names = (row["name"], *row["aliases"])
        left = names_left(names, triples, map(json.loads, row["triples"]))
        if left != names:
            folded = sorted({fold(name) for name in left})
            tokens = sorted({token for name in left for token in name_tokens(name)})
            renamed.append(
                {"id": row["id"], "name": left[0], "aliases": list(left[1:]), "names": folded, "tokens": tokens}
            )
    if renamed:
        run("rename", renamed=renamed, before=json.dumps(ERASED), **within)
