"""One window's reads and its write, as one Neo4j transaction: four round trips."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, Protocol, TypeVar

from mem0g.model import Scope
from mem0g.relations.definition import to_json
from mem0g.resolve.protocol import NEIGHBOURS, Candidate
from mem0g.store.change import Change
from mem0g.store.neo4j.connection import Run
from mem0g.store.neo4j.fulltext import within
from mem0g.store.neo4j.rows import (
    Row,
    decision_row,
    ending_row,
    entity_of,
    entity_row,
    fact_of,
    fact_row,
    floats,
    message_row,
    note_row,
    retirement_row,
    scope_row,
    session_row,
    succession_row,
    support_row,
)
from mem0g.store.queries import EntityQuery, FactQuery, RelatedFact

SHARING_TOKENS = 50
STRUCTURE = 200
"""Most entities that share a token, and most facts of one structure, that a query brings: the latest."""

EXACT = 200
"""Vectors of a scope up to which a window compares all: 9 µs each of the server's time, once they are read; the index
needs 1 to 3 ms."""

OVERFETCH = 4
"""By how much more the index is asked for than wanted where it cannot filter and the scope is most of what there is."""


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Identified)


class Neo4jTransaction:
    """See mem0g.store.protocol.Transaction. The first query takes the scope's lock."""

    def __init__(self, run: Run, scope: Scope, *, filters: bool) -> None:
        self._run, self._scope, self._filters = run, scope, filters
        self._begun: Row | None = None

    def known(self, ids: Sequence[str]) -> frozenset[str]:
        """See Transaction."""
        return frozenset(self._begin(ids)["known"])

    def match_entities(self, queries: Sequence[EntityQuery], nearest: int) -> list[tuple[Candidate, ...]]:
        """See Transaction."""
        if not queries:
            return []
        rows = [
            {
                "names": list(query.names),
                "names_query": within(self._scope, "names", query.names),
                "tokens_query": within(self._scope, "tokens", query.tokens),
                "vector": floats(query.vector),
            }
            for query in queries
        ]
        given = {"sharing": SHARING_TOKENS, "around": NEIGHBOURS, **self._near("entities", nearest)}
        (found,) = self._run(self._variant("match_entities"), queries=rows, **given)
        entities = {row["id"]: entity_of(row) for row in found["entities"]}
        around = {row["id"]: frozenset(row["neighbours"]) - {row["id"]} for row in found["entities"]}
        matched: list[list[Candidate]] = [[] for _ in queries]
        for match in found["matches"]:
            matched[match["i"]].append(
                Candidate(entities[match["id"]], match["similarity"] or 0.0, around[match["id"]])
            )
        return [tuple(sorted(each, key=lambda one: (-one.similarity, one.entity.id))) for each in matched]

    def related_facts(self, queries: Sequence[FactQuery], nearest: int) -> list[tuple[RelatedFact, ...]]:
        """See Transaction."""
        if not queries:
            return []
        rows = [
            {
                "subject": query.subject_id,
                "object": query.object_id,
                "relations": list(query.relations),
                "vector": floats(query.vector),
            }
            for query in queries
        ]
        given = {"structure": STRUCTURE, **self._near("facts", nearest)}
        (found,) = self._run(self._variant("related_facts"), queries=rows, **given)
        facts = {row["id"]: fact_of(row) for row in found["facts"]}
        related: list[list[RelatedFact]] = [[] for _ in queries]
        for match in found["matches"]:
            related[match["i"]].append(RelatedFact(facts[match["id"]], match["similarity"] or 0.0))
        return [tuple(sorted(each, key=lambda one: (-one.similarity, one.fact.id))) for each in related]

    def commit(self, change: Change) -> None:
        """See Transaction."""
        begun = self._begin(())
        rows = change_rows(change, begun["n"])
        begun["n"] = rows["n"]
        self._run("commit", **rows)

    def _begin(self, ids: Iterable[str]) -> Row:
        wanted = list(ids)
        if self._begun is None or wanted:
            (self._begun,) = self._run("begin", ids=wanted, **scope_row(self._scope))
        return self._begun

    def _variant(self, name: str) -> str:
        return name if self._filters else f"lts/{name}"

    def _near(self, what: str, nearest: int) -> dict[str, Any]:
        """How the nearest are found: all compared, or the index asked, with filters or for more than wanted."""
        have = self._begin(())[what]
        given = {"nearest": nearest, "exactly": have <= EXACT}
        if self._filters:
            keys = {key: value for key, value in scope_row(self._scope).items() if key != "scope"}
            return {"scope": scope_row(self._scope)["scope"], **keys, **given}
        ask = self._overfetch(what, nearest, have)
        exactly = have <= EXACT or ask is None
        return {"scope": scope_row(self._scope)["scope"], **given, "exactly": exactly, "overfetch": ask or 1}

    def _overfetch(self, what: str, nearest: int, have: int) -> int | None:
        """How many to ask an index for that knows no scopes; None where comparing all of the scope is cheaper."""
        everywhere = self._begin(())[f"all_{what}"]
        ask = math.ceil(OVERFETCH * nearest * everywhere / max(have, 1))
        return ask if nearest and ask <= have else None


def change_rows(change: Change, n: int) -> dict[str, Any]:
    """The parameters of ``commit``; ``n`` is the number given last in the scope, and comes back as it is then."""
    numbers = count(n + 1)
    scope, vectors = change.scope, change.vectors
    messages = _once(change.messages)
    sittings = {(message.source, message.session): message for message in messages}
    successions = (*change.successions, *(each.succession for each in change.retirements))
    rows: dict[str, Any] = {
        "sessions": [session_row(scope, message, next(numbers)) for message in sittings.values()],
        "messages": [message_row(scope, each, next(numbers), vectors.get(each.id)) for each in messages],
        "entities": [entity_row(each, next(numbers), vectors.get(each.id)) for each in _once(change.entities)],
        "facts": [fact_row(each, next(numbers), vectors.get(each.id)) for each in _once(change.facts)],
        "support": [support_row(each) for each in change.support],
        "retirements": [retirement_row(scope, each) for each in change.retirements],
        "merges": [{"loser": loser, "winner": winner} for loser, winner in change.merges],
        "successions": [succession_row(each, next(numbers)) for each in successions if each.successor_id],
        "endings": [ending_row(each, next(numbers)) for each in successions if not each.successor_id],
        "decisions": [decision_row(scope, each, next(numbers)) for each in _once(change.decisions)],
        "relations": [{"name": each.name, "definition": to_json(each)} for each in change.relations],
        "notes": [note_row(each, next(numbers)) for each in change.notes],
    }
    return {"scope": scope_row(scope)["scope"], "n": next(numbers) - 1, "rows": rows}


def _once(given: Sequence[T]) -> list[T]:
    """Each id once: of two the first, as a row that is there already is left as it is."""
    found: dict[str, T] = {}
    for each in given:
        found.setdefault(each.id, each)
    return list(found.values())
