"""The scopes in a Neo4j database, and the relation types of their tenants."""

from __future__ import annotations

from collections.abc import Sequence

from mem0g.model import Scope
from mem0g.relations.relation_type import from_json
from mem0g.relations.tenant_types import TenantTypes
from mem0g.store.neo4j.rows import Row, scope_keys, scope_of
from mem0g.store.neo4j.server.connection import Connection, Run
from mem0g.store.queries import scope_text
from mem0g.text.names import normal_relation


def scope_rows(connection: Connection, scope: Scope | None) -> list[Row]:
    """Return the rows of the scopes that ``scope`` covers; of all scopes without one."""
    return connection.rows("scopes", **scope_keys(scope))


def tenant_scopes(connection: Connection, tenant: Scope) -> list[str]:
    """Return the ``scope_text`` of each scope of a tenant."""
    return [row["scope"] for row in scope_rows(connection, tenant) if scope_of(row).tenant == tenant]


def tenant_types(connection: Connection, tenant: Scope) -> TenantTypes:
    """Return the relation types that a tenant adds to the seeds or redefines."""
    (row,) = connection.rows("relations", tenant=scope_text(tenant))
    return TenantTypes(row["vocabulary"], tuple(map(from_json, row["definitions"])))


def relation_names(run: Run, scopes: Sequence[str]) -> list[str]:
    """Return the relation names that the facts of these scopes use, canonical and as given (normalised)."""
    rows = run("relation_names", scopes=list(scopes))
    return [name for row in rows for name in (row["relation"], normal_relation(row["given"]))]
