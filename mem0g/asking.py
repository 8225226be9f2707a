"""What can be asked of a memory: the half of the facade that changes nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, TypeVar

from mem0g.embed.following import FollowingEmbedder
from mem0g.embed.protocol import Embedder
from mem0g.errors import EmbedderMismatchError, QueryError
from mem0g.history.differing import Diff, diff
from mem0g.ingest.ledger import Cost, costs
from mem0g.ingest.pending import pending_windows
from mem0g.ingest.review import Held, held_retirements
from mem0g.lookup import (
    Explanation,
    explain,
    find_entities,
    find_entity,
    find_fact,
    history,
    history_of_entities,
    scope_or_all,
    view_of,
)
from mem0g.model import Context, Decision, Entity, Fact, Hit, Message, Scope, Succession
from mem0g.relations.registry import RelationType
from mem0g.relations.vocabulary import Vocabularies
from mem0g.retrieve.packing import pack
from mem0g.retrieve.search import search
from mem0g.retrieve.subgraph import to_graph
from mem0g.retrieve.thrift import enough
from mem0g.store.protocol import Store
from mem0g.store.queries import CURRENT, EVERYTHING, FactFilter, Stats, StoreInfo, View
from mem0g.store.records import PendingWindow
from mem0g.times import first_instant, now

if TYPE_CHECKING:
    import networkx as nx

    from mem0g.retrieve.ranking import Ranking

T = TypeVar("T")

MOST = 1_000_000
"""Rows listed when no limit is given: all of them."""


class Asking:
    """A store, and the embedder for questions to it."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self.store = store
        self.embedder = embedder
        self._vocabularies = Vocabularies(store.vocabulary, embedder)
        self._claimed = False

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 10,
        as_of: datetime | date | str | None = None,
        known_at: datetime | date | str | None = None,
        include_retired: bool = False,
    ) -> list[Hit]:
        """The ``limit`` facts and messages that answer ``query`` best, best first; no model is called.

        A question about the past ("where did she live before?", "in May 2023") sees retired facts too, each with its
        interval and ``current`` False; any other question sees them with ``include_retired`` alone.
        ``as_of``: as the world was then (facts retired later are seen again); ``known_at``: as mem0g knew it then.
        Raises QueryError for an empty query or a limit under 1, TimeError for an unreadable time.
        """
        if limit < 1:
            raise QueryError(f"limit is {limit}", hint="ask for at least 1")
        view = view_of(as_of, known_at, include_retired)
        ranking = self._ranked(query, Scope(user_id, agent_id, run_id), view)
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
        as_of: datetime | date | str | None = None,
        known_at: datetime | date | str | None = None,
        include_retired: bool = False,
    ) -> Context:
        """What answers ``query`` as text to paste into a prompt, at most ``tokens`` (words × 1.3), and the hits in it.

        An easy question gets a shorter text; ``fill`` uses the whole budget for any question. A question about the past
        sees retired facts as in ``search``; in the text they are marked as no longer true, with their interval.
        Raises QueryError for an empty query or a budget under 1, TimeError for an unreadable time.
        """
        if tokens < 1:
            raise QueryError(f"the budget is {tokens} tokens", hint="ask for at least 1")
        view = view_of(as_of, known_at, include_retired)
        ranking = self._ranked(query, Scope(user_id, agent_id, run_id), view)
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

        A name starts from its entities in every scope covered; the graph's root is the one that ``entity`` returns.
        Nodes are entity ids, edges are keyed by fact id; mem0g.views describes the attributes.
        """
        scope = Scope(user_id, agent_id, run_id)
        start = find_entities(self.store, scope, entity)
        starts, most, steps = [each.id for each in start], _count(limit, "limit"), _count(hops, "hops")
        facts = self.store.walk(scope, starts, steps, most, EVERYTHING if include_retired else CURRENT)
        ids = {*starts, *(each for fact in facts for each in (fact.subject_id, fact.object_id))}
        evidence = self.store.messages(scope, sorted({each for fact in facts for each in fact.evidence}))
        successions = self.store.successions(scope, [fact.id for fact in facts])
        return to_graph(
            self.store.entities(scope, sorted(ids)),
            facts,
            {message.id: message for message in evidence},
            successions,
            root=start[0].id,
            title=start[0].name,
        )

    def facts(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        entity: str | None = None,
        relation: str | None = None,
        as_of: datetime | date | str | None = None,
        known_at: datetime | date | str | None = None,
        include_retired: bool = False,
        limit: int = MOST,
        offset: int = 0,
    ) -> tuple[Fact, ...]:
        """Facts in the order in which they were recorded: of an entity (id or name), of a relation (any spelling).

        Of a name, the facts of its entities in every scope covered. Raises NotFoundError for an unknown entity.
        """
        scope = Scope(user_id, agent_id, run_id)
        ids = tuple(each.id for each in find_entities(self.store, scope, entity)) if entity else ()
        names = self._canonical(scope, relation) if relation else ()
        if relation and not names:  # nothing is stored in the scope, and no relation to list stands for all
            return ()
        wanted = FactFilter(entity_ids=ids, relations=names, view=view_of(as_of, known_at, include_retired))
        return self.store.list_facts(scope, wanted, _count(limit, "limit"), _count(offset, "offset"))

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
        scope = Scope(user_id, agent_id, run_id)
        return self.store.list_entities(scope, _count(limit, "limit"), _count(offset, "offset"))

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
        scope = Scope(user_id, agent_id, run_id)
        return self.store.list_messages(scope, _count(limit, "limit"), _count(offset, "offset"))

    def entity(
        self, entity: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Entity:
        """The entity of an id, the start of an id, or a name. Raises NotFoundError when there is none.

        Of several of one name, such as in several scopes: the one by that very name, not by an alias, that was updated
        last. ``facts`` and ``subgraph`` take those of every scope.
        """
        return find_entity(self.store, Scope(user_id, agent_id, run_id), entity)

    def fact(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Fact:
        """The fact of an id or the start of one. Raises NotFoundError when there is none, or several."""
        return find_fact(self.store, Scope(user_id, agent_id, run_id), fact)

    def history(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
        """Facts in order of validity, retired ones too, and what replaced which.

        Of a fact (its id or the start of one): what it replaced, what replaced it, and other intervals of the same
        edge. Of an entity (its id or a name): all its facts. ``decisions(about=…)`` gives the log about either.
        """
        scope = Scope(user_id, agent_id, run_id)
        if fact.startswith("f_"):
            return history(self.store, scope, find_fact(self.store, scope, fact))
        return history_of_entities(self.store, scope, find_entities(self.store, scope, fact))

    def decisions(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        about: str | None = None,
        since: datetime | date | str | None = None,
        until: datetime | date | str | None = None,
        limit: int = MOST,
        offset: int = 0,
    ) -> tuple[Decision, ...]:
        """The log of decisions, the latest first; their ids are what ``undo`` takes.

        ``about``: those about a fact (an id or the start of one), or about an entity (its id or a name) and its facts.
        ``since`` and ``until``: from the start of the one to before the start of the other.
        """
        scope = Scope(user_id, agent_id, run_id)
        begin, end = (None if each is None else first_instant(each) for each in (since, until))
        if about is None:
            return self.store.log(scope, limit, offset, since=begin, until=end)
        if about.startswith("f_"):
            known = [find_fact(self.store, scope, about).id]
        else:
            named = find_entities(self.store, scope, about)
            facts, _ = history_of_entities(self.store, scope, named)
            known = [*(each.id for each in named), *(each.id for each in facts)]
        found = [
            each
            for each in reversed(self.store.decisions(scope, known))
            if (begin is None or each.at >= begin) and (end is None or each.at < end)
        ]
        return tuple(found[offset : offset + limit])

    def diff(
        self,
        since: datetime | date | str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        until: datetime | date | str | None = None,
    ) -> Diff:
        """What was learnt, changed, ended, undone and forgotten from ``since`` on, and before ``until`` if given."""
        begin, end = first_instant(since), None if until is None else first_instant(until)
        return diff(self.store, Scope(user_id, agent_id, run_id), begin, end)

    def why(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Explanation:
        """The turns that say a fact and the log of what was decided about it and its ends."""
        scope = Scope(user_id, agent_id, run_id)
        return explain(self.store, scope, find_fact(self.store, scope, fact))

    def relation(
        self, name: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> RelationType:
        """What is known of a relation, by any spelling or synonym of its name.

        Relation types belong to a tenant: the user of the scope, else its agent, else its run.
        """
        return self._vocabularies.refresh(Scope(user_id, agent_id, run_id).tenant).get(name)

    def relations(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[RelationType, ...]:
        """The relation types of the scope's tenant: the seeds, and those it learnt or a user defined for it."""
        return self._vocabularies.refresh(Scope(user_id, agent_id, run_id).tenant).types

    def pending(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
    ) -> tuple[PendingWindow, ...]:
        """Return the windows that are not extracted yet, and why, in the order in which they came.

        ``all_scopes`` asks about the whole store. Raises ScopeError unless either it or a scope is given.
        """
        return pending_windows(self.store, scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes))

    def review(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[Held, ...]:
        """The retirements that were held back because a model decided on too many at once, in the order they came."""
        return held_retirements(self.store, Scope(user_id, agent_id, run_id))

    def costs(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
    ) -> tuple[Cost, ...]:
        """Return what the calls of language models cost, by purpose and model.

        ``all_scopes`` asks about the whole store. Raises ScopeError unless either it or a scope is given.
        """
        return costs(self.store, scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes))

    def stats(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
    ) -> Stats:
        """Return the counts of the scopes covered.

        ``all_scopes`` asks about the whole store. Raises ScopeError unless either it or a scope is given.
        """
        return self.store.stats(scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes))

    def info(self) -> StoreInfo:
        """What the store is."""
        return self.store.info()

    def _ranked(self, query: str, scope: Scope, view: View) -> Ranking:
        """Every candidate for ``query``; with the embedder that the store has by now, if this memory may follow it."""
        self._claim()
        return self._following(lambda: search(query, scope, self.store, self.embedder, now=now(), view=view))

    def _following(self, attempt: Callable[[], T]) -> T:
        """Make the attempt; where the store was embedded anew, once more with its embedder, if this memory may follow.

        Raises EmbedderMismatchError if it may not.
        """
        try:
            return attempt()
        except EmbedderMismatchError:
            info = self.store.info()
            if not isinstance(self.embedder, FollowingEmbedder) or info.embedder is None or info.dimensions is None:
                raise
            self.embedder.follow(info.embedder, info.dimensions)
        return attempt()

    def _canonical(self, scope: Scope, relation: str) -> tuple[str, ...]:
        """The canonical names of a relation, one for each tenant whose facts the scope covers."""
        tenants = dict.fromkeys(each.tenant for each in self.store.scopes(scope))
        return tuple(dict.fromkeys(self._vocabularies.refresh(each).canonical(relation) for each in tenants))

    def _claim(self) -> None:
        if not self._claimed:
            self.store.claim_embedder(self.embedder.name, self.embedder.dimensions)
            self._claimed = True


def _count(given: int, name: str) -> int:
    """A limit or an offset, at most MOST, which no store passes. Raises QueryError for a negative one."""
    if given < 0:
        raise QueryError(f"{name} is {given}", hint="0 or more")
    return min(given, MOST)
