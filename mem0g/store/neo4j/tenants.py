"""The scopes in a Neo4j database, and the relation types of their tenants."""

from __future__ import annotations

from collections.abc import Sequence

from mem0g.model import Scope
from mem0g.relations.relation_type import RelationType, from_json
from mem0g.relations.tenant_types import TenantTypes, joined_names, still_used
from mem0g.store.neo4j.rows import Row, edge_type, new_version, relation_rows, scope_keys, scope_of
from mem0g.store.neo4j.server.connection import Connection, Run
from mem0g.store.queries import scope_text
from mem0g.text.names import normal_relation


def scope_rows(connection: Connection, scope: Scope | None) -> list[Row]:
    """Return the rows of the scopes that ``scope`` covers; of all scopes without one."""
    return connection.rows("scopes", **scope_keys(scope))


def tenant_scopes(run: Run, tenant: Scope) -> list[str]:
    """Return the ``scope_text`` of each scope of a tenant."""
    return [row["scope"] for row in run("scopes", **scope_keys(tenant)) if scope_of(row).tenant == tenant]


def tenant_types(run: Run, tenant: Scope) -> TenantTypes:
    """Return the relation types that a tenant adds to the seeds or redefines."""
    (row,) = run("relations", tenant=scope_text(tenant))
    return TenantTypes(row["vocabulary"], tuple(map(from_json, row["definitions"])))


def relation_names(run: Run, scopes: Sequence[str], without: Sequence[str] = ()) -> list[str]:
    """Return the relation names that the facts of these scopes use, canonical and as given (normalised).

    Facts with the ids ``without`` do not count.
    """
    rows = run("relation_names", scopes=list(scopes), without=list(without))
    return [name for row in rows for name in (row["relation"], normal_relation(row["given"]))]


def forget_relation_types(run: Run, tenant: Scope, erased: Sequence[str] = ()) -> None:
    """Remove the relation types of a tenant that none of its facts use, but for those that are about to be ``erased``.

    To be called before they are: an index still has what its transaction has deleted.
    """
    name = scope_text(tenant)
    run("lock_tenant", tenant=name)
    left, stored = tenant_scopes(run, tenant), tenant_types(run, tenant).types
    kept = still_used(stored, relation_names(run, left, erased)) if left else ()
    if kept != stored or not left:
        run("keep_relations", tenant=name, relations=relation_rows(kept), vocabulary=new_version())


def save_relation_types(run: Run, tenant: Scope, types: Sequence[RelationType]) -> None:
    """Add or replace relation types of a tenant, and join to them the relations that are their synonyms."""
    name, names = scope_text(tenant), joined_names(types)
    scopes = tenant_scopes(run, tenant)
    if names:
        run("lock_scopes", scopes=scopes)  # else a writer might add a fact of the former name meanwhile
    renamed = [row["relation"] for row in run("relation_counts", scopes=scopes) if row["relation"] in names]
    run("save_relations", tenant=name, relations=relation_rows(types), vocabulary=new_version())
    for before in renamed:
        after = names[before]
        run("rename_relation", scopes=scopes, before=before, after=after, type=edge_type(after))
    stored = tenant_types(run, tenant).types
    kept = [each for each in stored if each.name not in names]
    if len(kept) < len(stored):
        run("keep_relations", tenant=name, relations=relation_rows(kept), vocabulary=new_version())
