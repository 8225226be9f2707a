"""Checks and repairs of the Neo4j store: whether the graph agrees with the records in it.

The properties of a fact are authoritative: its links, edges, labels and full-text entries are derived from them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from mem0g.model import covers
from mem0g.store.neo4j.fact_rows import fact_of, fact_row, until
from mem0g.store.neo4j.fulltext import tokens_of
from mem0g.store.neo4j.maintenance.dumping import BATCH
from mem0g.store.neo4j.rows import (
    FAR,
    Row,
    edge_type,
    entity_of,
    entity_row,
    literal_row,
    message_of,
    message_row,
    passage_of,
    passage_row,
    scope_of,
    time_of,
)
from mem0g.store.neo4j.server.connection import Connection
from mem0g.store.protocol import Problem
from mem0g.times import Moment

BACKUP = "restore a backup, or import an export into a new store"


def problems(connection: Connection, states: Mapping[str, str]) -> Iterator[Problem]:
    """Yield everything that is wrong with the graph; ``states`` are the states of the indexes by name."""
    for name, state in states.items():
        if state in ("missing", "failed"):
            yield Problem(kind="index", text=f"the index {name} is {state}", hint="`mem0g init` creates it")
    for row in connection.rows("verify_facts"):
        yield from _of_fact(row)
    for row in connection.rows("verify_edges"):
        text = (
            f"an edge from {row['subject']} to {row['object']} belongs to {row['fact_id']}, which is not between them"
        )
        yield Problem(kind="edge", text=text, ids=(row["fact_id"],), scope=scope_of(row))
    for row in _unfit_messages(connection):
        text = f"the passages of {row['id']} are not those of its text"
        hint = "`mem0g repair` removes them, then `mem0g reindex` recreates them"
        yield Problem(kind="passages", text=text, hint=hint, ids=(row["id"],), scope=row["of"])
    for found in _underived(connection).values():
        for row in found:
            text = f"{row['id']} is indexed with the wrong words or times"
            yield Problem(kind="properties", text=text, ids=(row["id"],), scope=row["of"])
    for row in connection.rows("verify_scopes"):
        scope = scope_of(row)
        yield Problem(kind="counter", text=f"the counters of {scope} are wrong", scope=scope)


def mend(connection: Connection) -> None:
    """Repair links of facts, then derived properties of records, then edges and counters."""
    wrong = [row for row in connection.rows("verify_facts") if row["ends"]]
    linked = [_only(row) for row in wrong if not (row["linked"] and row["labelled"])]
    cited = [{**_only(row), "gone": row["gone"]} for row in wrong if not row["cited"] or row["gone"]]
    connection.write(lambda run: run("mend_links", facts=linked))
    connection.write(lambda run: run("mend_evidence", facts=cited))
    for row in _unfit_messages(connection):
        whole = [{"id": row["id"], "keys": tokens_of(row["of"]), "passages": []}]
        connection.write(lambda run, row=row, whole=whole: run("cut", scope=row["scope"], messages=whole))  # type: ignore[misc]
    derived = {
        kind: [{name: row[name] for name in ("id", "scope", "properties")} for row in rows]
        for kind, rows in _underived(connection).items()
    }
    connection.write(lambda run: run("mend_properties", **derived))
    drawn = [_edge(row) for row in connection.rows("verify_facts") if row["ends"] and not row["drawn"]]
    leftover = [
        {name: row[name] for name in ("fact_id", "subject", "object", "scope")}
        for row in connection.rows("verify_edges")
    ]
    connection.write(lambda run: run("mend_edges", facts=drawn, leftover=leftover))
    scopes = [row["scope"] for row in connection.rows("verify_scopes")]
    connection.write(lambda run: run("mend_scopes", scopes=scopes))
    everywhere = [row["scope"] for row in connection.rows("scopes", user_id=None, agent_id=None, run_id=None)]
    connection.write(lambda run: run("lock_scopes", scopes=everywhere))  # so that rows read before are not kept


def _of_fact(row: Row) -> Iterator[Problem]:
    fact = row["id"]
    given: dict[str, Any] = {"ids": (fact,), "scope": scope_of(row)}
    if not row["ends"]:
        text = f"an end of {fact} is missing, so the fact is never found"
        yield Problem(kind="missing end", text=text, hint=BACKUP, mendable=False, **given)
        return
    if not row["linked"]:
        yield Problem(kind="link", text=f"{fact} is not linked to its subject and object, once each", **given)
    if not row["labelled"]:
        yield Problem(kind="label", text=f"the label Retired of {fact} disagrees with its retirement", **given)
    if not row["drawn"]:
        wrong = "one edge that does not match it" if row["edges"] == 1 else f"{row['edges']} edges"
        yield Problem(kind="edge", text=f"{fact} has {wrong} between its ends", **given)
    if row["gone"]:
        text = f"{fact} cites {', '.join(row['gone'])}, which does not exist"
        yield Problem(kind="missing evidence", text=text, **given)
    elif not row["cited"]:
        yield Problem(kind="evidence link", text=f"{fact} is not linked to the messages that it cites", **given)


def _underived(connection: Connection) -> dict[str, list[Row]]:
    """Return the records whose derived properties differ from what the store would write, with the right values."""
    found: dict[str, list[Row]] = {"messages": [], "passages": [], "entities": [], "facts": []}
    for scope in connection.read(lambda run: run("scopes", user_id=None, agent_id=None, run_id=None)):
        of = scope_of(scope)
        for kind, held, wanted in _records(connection, scope["scope"]):
            properties = {
                name: value
                for name, value in wanted.items()
                if name not in ("n", "embedding") and not _same(held.get(name), value)
            }
            if properties:
                entry = {"id": held["id"], "scope": scope["scope"], "of": of, "properties": properties}
                found[kind].append(entry)
    return found


def _records(connection: Connection, scope: str) -> Iterator[tuple[str, Row, Row]]:
    """Yield the kind, the node and the properties as the store would write them, of each record of a scope."""
    for row in _held(connection, "dump_messages", scope):
        message, of = message_of(row["message"]), scope_of(row["message"])
        yield "messages", row["message"], message_row(of, message, 0, None, row["passages"])["properties"]
        for held in row["passages"]:
            yield "passages", held, passage_row(of, message, passage_of(held), 0, None)["properties"]
    for kind, node in (("entities", "entity"), ("facts", "fact")):
        for row in _held(connection, f"dump_{kind}", scope):
            yield kind, row[node], _derived(kind, row[node])


def _unfit_messages(connection: Connection) -> list[Row]:
    """Return id, scope and owner of the messages whose passages do not cover their text."""
    found = []
    for scope in connection.read(lambda run: run("scopes", user_id=None, agent_id=None, run_id=None)):
        for row in _held(connection, "dump_messages", scope["scope"]):
            passages = tuple(map(passage_of, row["passages"]))
            if passages and not covers(row["message"]["text"], passages):
                found.append({"id": row["message"]["id"], "scope": scope["scope"], "of": scope_of(scope)})
    return found


def _held(connection: Connection, name: str, scope: str) -> Iterator[Row]:
    """Yield the rows of a dump query of a scope, read in batches."""
    after = 0
    while rows := connection.read(lambda run, after=after: run(name, scope=scope, after=after, limit=BATCH)):  # type: ignore[misc]
        yield from rows
        after = rows[-1]["n"]


def _derived(kind: str, held: Row) -> Row:
    """Return the properties of an entity or a fact as the store would write them."""
    if kind == "entities":
        node = entity_of(held)
        made = (literal_row(node, 0) if node.is_literal else entity_row(node, 0, None))["properties"]
    else:
        retired = time_of(held["retired_at"])
        made = fact_row(fact_of({**held, "current": retired == FAR}), 0, None)["properties"]
    properties: Row = made
    return properties


def _same(held: Any, wanted: Any) -> bool:
    return bool((time_of(held) if isinstance(wanted, datetime) else held) == wanted)


def _only(row: Row) -> Row:
    return {"id": row["id"], "scope": row["scope"]}


def _edge(row: Row) -> Row:
    ended = None if row["ended"] is None else Moment.parse(row["ended"])
    caption = row["relation"] + (until(ended) if row["retired"] else "")
    return {**_only(row), "type": edge_type(row["relation"]), "caption": caption}
