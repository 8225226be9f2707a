"""What a selection of facts and messages means in SQL, and the values that selections are made of."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

from mem0g.metadata import metadata_of
from mem0g.store.in_memory.rows import instant
from mem0g.store.in_memory.searching import Selected
from mem0g.store.queries import NO_METADATA, Period, Selection, ValueField
from mem0g.store.sqlite.reading import Reader, listed

SELECTED = """(
  (:in_relations IS NULL OR fact.relation IN (SELECT value FROM json_each(:in_relations)))
  AND (:types IS NULL OR EXISTS (SELECT 1 FROM entity WHERE entity.id IN (fact.subject, fact.object)
    AND entity.type IN (SELECT value FROM json_each(:types))))
  AND (:not_types IS NULL OR NOT EXISTS (SELECT 1 FROM entity WHERE entity.id IN (fact.subject, fact.object)
    AND entity.type IN (SELECT value FROM json_each(:not_types))))
  AND (:valid_since IS NULL OR fact.valid_from IS NOT NULL AND fact.starts >= :valid_since)
  AND (:valid_until IS NULL OR fact.valid_from IS NOT NULL AND fact.starts < :valid_until)
  AND (:said_since IS NULL OR fact.said_at >= :said_since) AND (:said_until IS NULL OR fact.said_at < :said_until)
  AND (:recorded_since IS NULL OR fact.recorded_at >= :recorded_since)
  AND (:recorded_until IS NULL OR fact.recorded_at < :recorded_until)
  AND (NOT :by_message OR EXISTS (
      SELECT 1 FROM evidence CROSS JOIN message AS stated ON stated.id = evidence.message
      WHERE evidence.fact = fact.n AND +stated.scope = fact.scope
      AND (:roles IS NULL OR stated.role IN (SELECT value FROM json_each(:roles)))
      AND (:speakers IS NULL OR stated.speaker IN (SELECT value FROM json_each(:speakers)))
      AND (:metadata IS NULL OR ifnull(stated.metadata, '') IN (SELECT value FROM json_each(:metadata))))
    OR :by_own_metadata AND (fact.metadata IN (SELECT value FROM json_each(:metadata))
      OR :by_none AND fact.metadata IS NULL AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.fact = fact.n)))
)"""
"""A Selection of facts as an SQL condition; a parameter of NULL is no condition.

The join is crossed and the scope has a plus so that SQLite looks up the evidence of a fact by its id. It would else go
through all messages of the scope for each fact.
"""

SELECTED_MESSAGES = """
  SELECT n FROM message WHERE scope IN (SELECT value FROM json_each(:scopes)) AND NOT :facts_only
    AND (:said_since IS NULL OR time >= :said_since) AND (:said_until IS NULL OR time < :said_until)
    AND (:recorded_since IS NULL OR recorded_at >= :recorded_since)
    AND (:recorded_until IS NULL OR recorded_at < :recorded_until)
    AND (:roles IS NULL OR role IN (SELECT value FROM json_each(:roles)))
    AND (:speakers IS NULL OR speaker IN (SELECT value FROM json_each(:speakers)))
    AND (:metadata IS NULL OR ifnull(metadata, '') IN (SELECT value FROM json_each(:metadata)))
"""
"""The row numbers of a Selection of messages."""

VALUES: dict[ValueField, str] = {
    "relation": "SELECT DISTINCT relation FROM fact WHERE scope IN (SELECT value FROM json_each(?1))",
    "type": "SELECT DISTINCT type FROM entity WHERE scope IN (SELECT value FROM json_each(?1)) AND merged_into IS NULL",
    "speaker": "SELECT DISTINCT speaker FROM message WHERE scope IN (SELECT value FROM json_each(?1))",
    "metadata": """
      SELECT metadata FROM message WHERE scope IN (SELECT value FROM json_each(?1)) AND metadata IS NOT NULL
      UNION SELECT metadata FROM fact WHERE scope IN (SELECT value FROM json_each(?1)) AND metadata IS NOT NULL
    """,
}


def selection_parameters(selection: Selection) -> dict[str, object]:
    """Return the parameters of SELECTED and SELECTED_MESSAGES."""
    texts = {
        "in_relations": selection.relations,
        "types": selection.types,
        "not_types": selection.not_types,
        "roles": selection.roles,
        "speakers": selection.speakers,
        "metadata": selection.metadata,
    }
    periods = {"valid": selection.valid, "said": selection.said, "recorded": selection.recorded}
    return {
        **{name: None if values is None else json.dumps(values) for name, values in texts.items()},
        **{f"{name}_since": instant((period or Period()).since) for name, period in periods.items()},
        **{f"{name}_until": instant((period or Period()).until) for name, period in periods.items()},
        "facts_only": selection.facts_only,
        "by_message": selection.by_message,
        "by_own_metadata": selection.by_own_metadata,
        "by_none": NO_METADATA in (selection.metadata or ()),
    }


def selected(reader: Reader, scopes: Iterable[int], selection: Selection | None) -> Selected:
    """Return the facts and messages of a selection in these scopes: everything, unread, without one."""
    if selection is None:
        return Selected()
    parameters = {"scopes": listed(scopes), **selection_parameters(selection)}
    facts = f"SELECT n FROM fact WHERE scope IN (SELECT value FROM json_each(:scopes)) AND {SELECTED}"  # noqa: S608
    found = (reader.all(sql, parameters) for sql in (facts, SELECTED_MESSAGES))
    return Selected(*(frozenset(row["n"] for row in rows) for rows in found))


def values(reader: Reader, scopes: Collection[int], field: ValueField) -> tuple[str, ...]:
    """Return the different values of a field in these scopes, sorted."""
    rows = reader.all(VALUES[field], (listed(scopes),))
    return tuple(sorted({row[0] for row in rows}))


def metadata(reader: Reader, scopes: Collection[int], ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the metadata of those of these messages that have any, by id."""
    sql = """
      SELECT id, metadata FROM message WHERE metadata IS NOT NULL AND id IN (SELECT value FROM json_each(?1))
        AND scope IN (SELECT value FROM json_each(?2))
    """
    return {row["id"]: metadata_of(row["metadata"]) for row in reader.all(sql, (listed(ids), listed(scopes)))}
