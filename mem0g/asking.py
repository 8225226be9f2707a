"""What can be asked of a memory: the half of the facade that changes nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.embed.protocol import Embedder
from mem0g.errors import QueryError
from mem0g.ingest.ledger import Cost, costs
from mem0g.ingest.pending import Pending, pending_windows
from mem0g.lookup import Explanation, explain, find_entity, find_fact, history, view_of
from mem0g.model import Context, Entity, Fact, Hit, Message, Scope, Succession
from mem0g.relations.registry import Registry, RelationType
from mem0g.retrieve.packing import pack
from mem0g.retrieve.search import search
from mem0g.retrieve.subgraph import to_graph
from mem0g.retrieve.thrift import enough
from mem0g.store.protocol import Store
from mem0g.store.queries import CURRENT, EVERYTHING, FactFilter, Stats, StoreInfo

if TYPE_CHECKING:
    import networkx as nx

MOST = 1_000_000
"""Rows listed when no limit is given: all of them."""


class Asking:
    """A store, and the embedder for questions to it; its relation types are read when it is made."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self.store = store
        self.embedder = embedder
        self._registry = Registry()
        for relation in store.relation_types():
            self._registry.add(relation)
        self._claimed = False

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 10,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_retired: bool = False,
    ) -> list[Hit]:
        """The ``limit`` facts and messages that answer ``query`` best, best first; no model is called.

        A question about the past ("where did she live before?", "in May 2023") sees retired facts too.
        ``as_of``: as the world was then (facts retired later are seen again); ``known_at``: as mem0g knew it then.
        Raises QueryError for an empty query or a limit under 1, TimeError for an unreadable time.
        """
        if limit < 1:
            raise QueryError(f"limit is {limit}", hint="ask for at least 1")
        view = view_of(as_of, known_at, include_retired)
        self._claim()
        ranking = search(query, Scope(user_id, agent_id, run_id), self.store, self.embedder, view=view)
        return list(ranking.explained(ranking.hits[:limit]))

    def context(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tokens: int = 500,
        fill: bool = False,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_retired: bool = False,
    ) -> Context:
        """What answers ``query`` as text to paste into a prompt, at most ``tokens`` (words × 1.3), and the hits in it.

        An easy question gets a shorter text; ``fill`` uses the whole budget for any question.
        Raises QueryError for an empty query or a budget under 1, TimeError for an unreadable time.
        """
        if tokens < 1:
            raise QueryError(f"the budget is {tokens} tokens", hint="ask for at least 1")
        view = view_of(as_of, known_at, include_retired)
        self._claim()
        ranking = search(query, Scope(user_id, agent_id, run_id), self.store, self.embedder, view=view)
        budget = tokens if fill else enough(ranking.question, ranking.hits, tokens)
        packed = pack(ranking.hits, ranking.question.terms, budget)
        return dataclasses.replace(packed, hits=ranking.explained(packed.hits))

    def subgraph(
        self,
        entity: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        hops: int = 1,
        limit: int = 200,
        include_retired: bool = False,
    ) -> nx.MultiDiGraph[str]:
        """The neighbourhood of an entity (its id or a name): at most ``limit`` facts, up to ``hops`` edges away.

        Nodes are entity ids, edges are keyed by fact id; mem0g.views describes the attributes.
        """
        scope = Scope(user_id, agent_id, run_id)
        centre = find_entity(self.store, scope, entity)
        facts = self.store.walk(scope, [centre.id], hops, limit, EVERYTHING if include_retired else CURRENT)
        ids = {centre.id, *(each for fact in facts for each in (fact.subject_id, fact.object_id))}
        evidence = self.store.messages(scope, sorted({each for fact in facts for each in fact.evidence}))
        successions = self.store.successions(scope, [fact.id for fact in facts])
        return to_graph(
            self.store.entities(scope, sorted(ids)),
            facts,
            {message.id: message for message in evidence},
            successions,
            root=centre.id,
            title=centre.name,
        )

    def facts(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        entity: str | None = None,
        relation: str | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_retired: bool = False,
        limit: int = MOST,
        offset: int = 0,
    ) -> tuple[Fact, ...]:
        """Facts in the order in which they were recorded: of an entity (id or name), of a relation (any spelling)."""
        scope = Scope(user_id, agent_id, run_id)
        ids = (find_entity(self.store, scope, entity).id,) if entity else ()
        name = self._registry.canonical(relation) if relation else None
        wanted = FactFilter(entity_ids=ids, relation=name, view=view_of(as_of, known_at, include_retired))
        return self.store.list_facts(scope, wanted, limit, offset)

    def entities(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = MOST,
        offset: int = 0,
    ) -> tuple[tuple[Entity, int], ...]:
        """Entities with the number of their current facts, most facts first."""
        return self.store.list_entities(Scope(user_id, agent_id, run_id), limit, offset)

    def messages(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        ids: Sequence[str] | None = None,
        limit: int = MOST,
        offset: int = 0,
    ) -> tuple[Message, ...]:
        """Messages by source, session and position; or those of these ids, in their order."""
        if ids is not None:
            return self.store.messages(Scope(user_id, agent_id, run_id), ids)
        return self.store.list_messages(Scope(user_id, agent_id, run_id), limit, offset)

    def entity(
        self, entity: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Entity:
        """The entity of an id, the start of an id, or a name. Raises NotFoundError when there is none."""
        return find_entity(self.store, Scope(user_id, agent_id, run_id), entity)

    def fact(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Fact:
        """The fact of an id or the start of one. Raises NotFoundError when there is none, or several."""
        return find_fact(self.store, Scope(user_id, agent_id, run_id), fact)

    def history(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
        """What a fact replaced and what replaced it, and other intervals of the same edge, in order of validity."""
        scope = Scope(user_id, agent_id, run_id)
        return history(self.store, scope, find_fact(self.store, scope, fact))

    def why(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Explanation:
        """The turns that say a fact and the log of what was decided about it and its ends."""
        scope = Scope(user_id, agent_id, run_id)
        return explain(self.store, scope, find_fact(self.store, scope, fact))

    def relation(self, name: str) -> RelationType:
        """What is known of a relation, by any spelling or synonym of its name."""
        return self._registry.get(name)

    def relations(self) -> tuple[RelationType, ...]:
        """The relation types known: the seeds and what this database adds or says otherwise."""
        return self._registry.types

    def pending(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[Pending, ...]:
        """The windows that are not extracted yet, and why, in the order in which they came."""
        return pending_windows(self.store, _any_scope(user_id, agent_id, run_id))

    def costs(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[Cost, ...]:
        """What the calls of language models came to, by purpose and model."""
        return costs(self.store, _any_scope(user_id, agent_id, run_id))

    def stats(self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None) -> Stats:
        """Counts of the scopes covered; of the whole store when no key is given."""
        return self.store.stats(_any_scope(user_id, agent_id, run_id))

    def info(self) -> StoreInfo:
        """What the store is."""
        return self.store.info()

    def _claim(self) -> None:
        if not self._claimed:
            self.store.claim_embedder(self.embedder.name, self.embedder.dimensions)
            self._claimed = True


def _any_scope(user_id: str | None, agent_id: str | None, run_id: str | None) -> Scope | None:
    """The scope of the keys; None, which is the whole store, without any."""
    return Scope(user_id, agent_id, run_id) if user_id or agent_id or run_id else None
