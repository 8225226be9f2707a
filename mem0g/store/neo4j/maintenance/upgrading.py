"""Migrations of data from older graph layouts. Each step can be repeated after a failure."""

from __future__ import annotations

import json

from mem0g.relations.relation_type import from_json
from mem0g.relations.tenant_types import share_of
from mem0g.store.neo4j.records import LABELS, record_properties
from mem0g.store.neo4j.rows import Row, edge_type, new_version, relation_rows, scope_keys, scope_of
from mem0g.store.neo4j.server.connection import Connection, Run
from mem0g.store.queries import scope_text
from mem0g.store.records import DONE, FIELDS
from mem0g.store.upgrading import change_of_note

NOTES_AT_ONCE = 500


def share_relation_types(connection: Connection) -> None:
    """Copy the relation types, one list for all tenants before layout 3, to the tenants that use them."""
    stored = [from_json(row["definition"]) for row in connection.read(lambda run: run("old_relations"))]
    scopes: dict[str, list[str]] = {}
    for row in connection.read(lambda run: run("scopes", **scope_keys(None))):
        scopes.setdefault(scope_text(scope_of(row).tenant), []).append(row["scope"])

    def work(run: Run, tenant: str) -> None:
        used = [(row["relation"], row["given"]) for row in run("relation_names", scopes=scopes[tenant], without=[])]
        share = share_of(stored, used)
        for before, after in share.renamed.items():
            run("rename_relation", scopes=scopes[tenant], before=before, after=after, type=edge_type(after))
        if share.types:
            run("save_relations", tenant=tenant, relations=relation_rows(share.types), vocabulary=new_version())

    for tenant in scopes:
        connection.write(lambda run, tenant=tenant: work(run, tenant))  # type: ignore[misc]
    connection.write(lambda run: run("drop_old_relations"))


def split_notes(connection: Connection) -> None:
    """Convert the notes, one label for all types of records before layout 4, to one label per type."""

    def work(run: Run) -> int:
        rows = run("old_notes", limit=NOTES_AT_ONCE)
        moved = [moved for row in rows if (moved := _moved(row)) is not None]
        run("move_notes", rows=moved, ids=[row["id"] for row in rows])
        return len(rows)

    while connection.write(work):
        pass


def part_literals(connection: Connection) -> None:
    """Make literals of the entities of that type, which meant nothing before layout 5.

    One that is the subject of a fact, has aliases or was merged stays an entity, without a type.
    """
    scopes = [row["scope"] for row in connection.read(lambda run: run("scopes", **scope_keys(None)))]
    connection.write(lambda run: run("part_literals", scopes=scopes))


def part_passages(connection: Connection) -> None:
    """Rename the label Passage of entities of that type, which was nothing of mem0g's before layout 6.

    Long messages stay as they are until a reindex.
    """
    scopes = [row["scope"] for row in connection.read(lambda run: run("scopes", **scope_keys(None)))]
    connection.write(lambda run: run("part_passages", scopes=scopes))


def _moved(row: Row) -> Row | None:
    """Return the label and properties of the node that replaces a note; None if the note is invalid."""
    note, scope = row["note"], scope_of(row)
    body = None if note.get("body") is None else json.loads(note["body"])
    change = change_of_note(scope, note["kind"], note["key"], body)
    if change is None:
        return None
    kept: Row = {"scope": note["scope"], "id": note["key"], "n": note["n"]}
    for each in change.done:
        return {"label": LABELS[DONE[each.kind]], "properties": {**kept, "done": True}}
    for kind, label in LABELS.items():
        for each in getattr(change, FIELDS[kind]):
            return {"label": label, "properties": {**record_properties(each), **kept}}
    return None
