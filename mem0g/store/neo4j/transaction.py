"""The Neo4j store's transaction: the reads and the write of one window, in two to four round trips."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mem0g.errors import LockedStoreError
from mem0g.model import Decision, Entity, Fact, Scope, Succession
from mem0g.store.change import Change
from mem0g.store.in_memory.matching import SHARING_TOKENS, STRUCTURE
from mem0g.store.neo4j.change_rows import change_rows, erased_rows, known_vectors_of, once
from mem0g.store.neo4j.fact_rows import (
    decision_of,
    fact_of,
    succession_of,
)
from mem0g.store.neo4j.fulltext import within
from mem0g.store.neo4j.held import HeldScopes
from mem0g.store.neo4j.holding import Holder
from mem0g.store.neo4j.maintenance.schema import check_kept
from mem0g.store.neo4j.matching import match_entities, related_facts
from mem0g.store.neo4j.records import LABELS, record_of
from mem0g.store.neo4j.rows import (
    Row,
    entity_of,
    scope_keys,
    scope_row,
    session_id,
)
from mem0g.store.neo4j.server.connection import Run
from mem0g.store.neo4j.server.queries import AsParameter
from mem0g.store.neo4j.tenants import forget_relation_types
from mem0g.store.queries import (
    MAX_NEIGHBOURS,
    EntityCandidate,
    EntityQuery,
    FactQuery,
    RelatedFact,
    StoreState,
    scope_text,
)
from mem0g.store.records import R
from mem0g.times import Moment

EXACT = 200
"""Maximum vectors in a scope for exhaustive comparison instead of the vector index. Comparing costs the server 1 µs per
vector once they are in memory; an index query costs 0.3 to 1.5 ms."""

OVERFETCH = 4
"""How many times the wanted number to request from an index that cannot filter; see ``_overfetch``."""


class Neo4jTransaction:
    """See mem0g.store.protocol.Transaction. The first query takes the scope's lock.

    Entities and facts are looked up in memory where ``holder`` holds the scope, else by the server.
    ``committed``: whether anything was written; else it is to be rolled back, or a new scope's keys would appear in the
    store, and of a known one a version of which nobody knows what has changed. ``unrecorded``: whether more was
    replaced or removed than what is recorded for those who hold the scope in memory.

    ``made`` is that of the Server when the store was opened: a store that was dropped since is refused.
    """

    def __init__(
        self,
        run: Run,
        scope: Scope,
        holder: Holder,
        *,
        filters: bool,
        as_parameter: AsParameter,
        address: str,
        made: str | None,
    ) -> None:
        self._run, self._scope, self._filters, self._as_parameter = run, scope, filters, as_parameter
        self._address, self._made = address, made
        self._holder, self._asks_server = holder, False
        self._begun: Row | None = None
        self._found: Row = {}  # what was begun with, before anything was written
        self._positions: dict[str, int] = {}
        self.committed = self.unrecorded = False

    def begin(
        self, ids: Sequence[str] = (), *, learns: bool = False, sessions: Collection[tuple[str, str]] = ()
    ) -> StoreState:
        """See Transaction."""
        row = self._begin(ids, learns=learns, sessions=[session_id(self._scope, *each) for each in sessions])
        return StoreState(
            known=frozenset(row["known"]),
            embedder=row["embedder"],
            dimensions=row["dimensions"],
            vocabulary=row["vocabulary"],
        )

    def next_position(self, source: str, session: str) -> int:
        """See Transaction."""
        self._begin()
        place = session_id(self._scope, source, session)
        if place not in self._positions:
            (row,) = self._run("last_position", session_id=place)
            return 0 if row["position"] is None else int(row["position"]) + 1
        return self._positions[place]

    def match_entities(self, queries: Sequence[EntityQuery], nearest: int) -> list[tuple[EntityCandidate, ...]]:
        """See Transaction."""
        if not queries:
            return []
        with self._held() as held:
            if held is not None:
                return match_entities(held, queries, nearest)
        rows = [
            {
                "names": list(query.names),
                "names_query": within(self._scope, "names", query.names),
                "tokens_query": within(self._scope, "tokens", query.tokens),
                "vector": self._as_parameter(query.vector),
                "around": query.around,
            }
            for query in queries
        ]
        given = {"sharing": SHARING_TOKENS, "around": MAX_NEIGHBOURS, **self._near("entities", nearest)}
        (found,) = self._run(self._variant("match_entities"), queries=rows, **given)
        matched: list[list[EntityCandidate]] = [[] for _ in queries]
        for row in found["entities"]:
            entity, around = entity_of(row), frozenset(row["neighbours"]) - {row["id"]}
            dates = frozenset((relation, Moment.parse(date)) for relation, date in row["dates"])
            roles = frozenset((relation, subject) for relation, subject in row["roles"])
            for i, similarity in row["matches"]:
                matched[i].append(EntityCandidate(entity, similarity or 0.0, around, dates, roles))
        return [tuple(sorted(each, key=lambda one: (-one.similarity, one.entity.id))) for each in matched]

    def related_facts(self, queries: Sequence[FactQuery], nearest: int) -> list[tuple[RelatedFact, ...]]:
        """See Transaction."""
        if not queries:
            return []
        with self._held() as held:
            if held is not None:
                return related_facts(held, queries, nearest)
        rows = [
            {
                "subject": query.subject_id,
                "object": query.object_id,
                "relations": list(query.relations),
                "of_either_end": list(query.of_either_end),
                "vector": self._as_parameter(query.vector),
            }
            for query in queries
        ]
        given = {"structure": STRUCTURE, **self._near("facts", nearest)}
        (found,) = self._run(self._variant("related_facts"), queries=rows, **given)
        related: list[list[RelatedFact]] = [[] for _ in queries]
        for row in found["facts"]:
            fact = fact_of(row)
            for i, similarity in row["matches"]:
                related[i].append(RelatedFact(fact, similarity or 0.0))
        return [tuple(sorted(each, key=lambda one: (-one.similarity, one.fact.id))) for each in related]

    @contextmanager
    def _held(self) -> Iterator[HeldScopes | None]:
        """Keep what is held of the scope within the block: None if nothing is, or more is written than committed."""
        self._begin()
        if self.committed:
            yield None
            return
        with self._holder.in_transaction(self._run, self._scope, self._found) as held:
            if held is None and not self._asks_server:
                self._asks_server = True
                self._holder.count(self._scope, self._found)
            yield held

    def entities(self, ids: Sequence[str], *, merged_into: Sequence[str] = ()) -> tuple[Entity, ...]:
        """See Transaction."""
        rows = self._exactly("touching_entities", ids=list(ids), merged_into=list(merged_into))
        return tuple(entity_of(row["entity"]) for row in rows)

    def facts(self, ids: Sequence[str] = (), *, of: Sequence[str] = (), citing: Sequence[str] = ()) -> tuple[Fact, ...]:
        """See Transaction."""
        rows = self._exactly("touching_facts", ids=list(ids), of=list(of), citing=list(citing))
        return tuple(fact_of(row["fact"]) for row in rows)

    def successions(self, fact_ids: Sequence[str], *, by: Sequence[str] = ()) -> tuple[Succession, ...]:
        """See Transaction."""
        here = {fact.id for fact in self.facts([*fact_ids, *by])}
        retired, successors = here & set(fact_ids), here & set(by)
        rows = self._run("successions", ids=sorted(here), **scope_keys(self._scope))
        found = map(succession_of, rows)
        return tuple(each for each in found if each.fact_id in retired or each.successor_id in successors)

    def decisions(
        self, ids: Sequence[str] = (), *, about: Sequence[str] = (), citing: Sequence[str] = ()
    ) -> tuple[Decision, ...]:
        """See Transaction."""
        rows = self._exactly("touching_decisions", ids=list(ids), about=list(about), citing=list(citing))
        return tuple(decision_of(row["decision"]) for row in rows)

    def records(self, kind: type[R], ids: Sequence[str] | None = None) -> tuple[R, ...]:
        """See Transaction."""
        self._begin()
        given = {"label": LABELS[kind], "ids": None if ids is None else list(ids)}
        rows = self._run("records", scopes=[scope_text(self._scope)], **given)
        return tuple(record_of(kind, row["record"], self._scope) for row in rows)

    def commit(self, change: Change, *, loaded: bool = False) -> None:
        """See Transaction. With ``loaded``, for a change from a snapshot, existing records outside the graph stay."""
        begun = self._begin()
        if begun["n"] == 0 and not (change.adds or (loaded and change.done)):
            return
        self.committed = True
        self._positions = {}
        rows = change_rows(change, begun["n"], loaded=loaded, as_parameter=self._as_parameter)
        begun["n"] = rows["n"]
        rarely = {name: rows.pop(name) for name in ("merges", "known_vectors", "rewritten")}
        (done,) = self._run("commit", changed=self._changed(change), **rows)
        if change.vectors and done["embedder"] != begun["embedder"]:  # a reindex has begun since
            raise LockedStoreError("the store is being re-embedded", hint="try again when `mem0g reindex` is done")
        self._commit_rarely(change, done["remerged"], **rarely)

    def _changed(self, change: Change) -> Row:
        """Return what is recorded of a change, for those who hold the scope in memory."""
        known = known_vectors_of(once(change.messages), change.vectors)
        if change.merges or change.rewritten or change.erased or any(known.values()):
            self.unrecorded = True
            return {"version": None, "ids": []}
        ids = [each.succession.fact_id for each in change.retirements] + [each.fact_id for each in change.support]
        return {"version": self._found["version"], "ids": ids}

    def _commit_rarely(
        self, change: Change, remerged: Sequence[str], *, merges: list[Row], known_vectors: Row, rewritten: Row
    ) -> None:
        """Write what few changes have, each by a query of its own."""
        scope = scope_text(self._scope)
        if merges or remerged:
            ends = {each.id: each.merged_into for each in once(change.entities)}
            entities = [{"id": each, "merged_into": ends[each]} for each in remerged]
            self._run("merge", scope=scope, rows={"entities": entities, "merges": merges})
        if any(known_vectors.values()):
            self._run("known_vectors", scope=scope, **known_vectors)
        if change.rewritten or change.reworded:
            self._run("rewrite", scope=scope, rows=rewritten)
        if change.erased:
            forget_relation_types(self._run, self._scope.tenant, change.erased)
            self._run("erase", scope=scope, **erased_rows(change.erased))

    def _exactly(self, name: str, **given: Any) -> list[Row]:
        """Take the scope's lock, then return the rows of a query of exactly this scope."""
        self._begin()
        return self._run(name, scope=scope_text(self._scope), **given)

    def _begin(self, ids: Iterable[str] = (), *, learns: bool = False, sessions: Sequence[str] = ()) -> Row:
        """Return the row of ``begin``, which runs before every other query, and again when ids are given."""
        wanted = list(ids)
        if self._begun is None or wanted or learns or sessions:
            tenant = scope_text(self._scope.tenant)
            again = self._begun is not None
            given = {"held": self._holder.version(self._scope), "sessions": list(sessions), **scope_row(self._scope)}
            (self._begun,) = self._run("begin", ids=wanted, tenant=tenant, learns=learns, **given)
            check_kept(self._begun["made"], self._made, self._address)
            self._found = self._found if again else dict(self._begun)
            self._positions |= dict.fromkeys(sessions, 0) | {each: last + 1 for each, last in self._begun["positions"]}
        return self._begun

    def _variant(self, name: str) -> str:
        return name if self._filters else f"lts/{name}"

    def _near(self, what: str, nearest: int) -> dict[str, Any]:
        """Return the parameters of a nearest-neighbour query.

        Small scopes are compared exhaustively. Otherwise the index is queried, with filters where the server supports
        them, else with overfetching. The filter of a user's only scope is the user alone, which takes half the time.
        """
        begun = self._begin()
        have = begun[what]
        given = {"nearest": nearest, "exactly": have <= EXACT}
        if self._filters:
            row = scope_row(self._scope)
            return (row | {"agent_id": None, "run_id": None} if begun["alone"] else row) | given
        ask = self._overfetch(what, nearest, have)
        exactly = have <= EXACT or ask is None
        return {"scope": scope_row(self._scope)["scope"], **given, "exactly": exactly, "overfetch": ask or 1}

    def _overfetch(self, what: str, nearest: int, have: int) -> int | None:
        """Return how many results to request from an index of all scopes; None if exhaustive comparison is cheaper."""
        everywhere = self._begin()[f"all_{what}"]
        ask = math.ceil(OVERFETCH * nearest * everywhere / max(have, 1))
        return ask if nearest and ask <= have else None
