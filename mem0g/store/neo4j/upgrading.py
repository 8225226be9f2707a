"""What a graph of an older layout needs beside new indexes; each step can be done again after a failure."""

from __future__ import annotations

from mem0g.relations.relation_type import from_json
from mem0g.relations.tenant_types import share_of
from mem0g.store.keys import scope_text
from mem0g.store.neo4j.connection import Connection, Run
from mem0g.store.neo4j.rows import edge_type, new_version, relation_rows, scope_keys, scope_of


def share_relation_types(connection: Connection) -> None:
    """Give each tenant its own relation types, which were one list for all before layout 3."""
    stored = [from_json(row["definition"]) for row in connection.read(lambda run: run("old_relations"))]
    scopes: dict[str, list[str]] = {}
    for row in connection.read(lambda run: run("scopes", **scope_keys(None))):
        scopes.setdefault(scope_text(scope_of(row).tenant), []).append(row["scope"])

    def work(run: Run, tenant: str) -> None:
        used = [(row["relation"], row["given"]) for row in run("relation_names", scopes=scopes[tenant])]
        share = share_of(stored, used)
        for before, after in share.renamed.items():
            run("rename_relation", scopes=scopes[tenant], before=before, after=after, type=edge_type(after))
        if share.types:
            run("save_relations", tenant=tenant, relations=relation_rows(share.types), vocabulary=new_version())

    for tenant in scopes:
        connection.write(lambda run, tenant=tenant: work(run, tenant))  # type: ignore[misc]
    connection.write(lambda run: run("drop_old_relations"))
