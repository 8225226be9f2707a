"""The reading half of a memory: searches, listings, histories and explanations. Nothing here writes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from mem0g.errors import QueryError
from mem0g.filters import read_filters, selection_of
from mem0g.history.explaining import Explanation, explain, fact_history, start
from mem0g.lookup import find_entities, find_fact, find_message, read_decision, scope_keys
from mem0g.model import (
    INSTRUCTS,
    PREFERS,
    Context,
    Contradiction,
    Decision,
    Entity,
    Fact,
    Hit,
    Hits,
    Message,
    Scope,
    Succession,
)
from mem0g.relations.relation_type import RelationType
from mem0g.relations.vocabulary import Vocabularies
from mem0g.retrieve.context.requests import answering, requests_before
from mem0g.retrieve.ranking.known import is_known
from mem0g.retrieve.ranking.signals import Signal
from mem0g.retrieve.search import search
from mem0g.retrieve.subgraph import to_graph
from mem0g.store.protocol import Store
from mem0g.store.queries import EVERYTHING, FactFilter, Selection, Stats, View
from mem0g.store_embedder import StoreEmbedder
from mem0g.times import first_instant, last_instant, now

if TYPE_CHECKING:
    import networkx as nx

    from mem0g.history.diff import Diff
    from mem0g.retrieve.ranking.ranking import Ranking

MAX_ROWS = 1_000_000
"""Maximum of rows listed, also without a limit: more than the rows of any scope."""

MOST_CONNECTED = 20
"""Entities of which an overview of a large memory shows the latest facts, the same number of each."""


def view_of(
    as_of: datetime | date | str | None = None,
    known_at: datetime | date | str | None = None,
    *,
    include_retired: bool = False,
) -> View:
    """Return the view that a caller asks for; see mem0g.times.last_instant for the times.

    Raises TimeError for a datetime without a time zone and for text that is not a time.
    """
    return View(
        as_of=None if as_of is None else last_instant(as_of),
        known_at=None if known_at is None else last_instant(known_at),
        include_retired=include_retired,
    )


class MemoryReader:
    """The reading half of a memory. Every method takes the scope to read; Memory documents what they return."""

    def __init__(
        self, store: Store, embedder: StoreEmbedder, vocabularies: Vocabularies, signals: Sequence[Signal]
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._vocabularies = vocabularies
        self._signals = tuple(signals)

    def search(
        self,
        scope: Scope,
        query: str,
        view: View,
        *,
        limit: int,
        filters: object = None,
        exclude: Collection[str] = (),
    ) -> Hits:
        """Return the best ``limit`` hits with their reasons."""
        if limit < 1:
            raise QueryError(f"limit is {limit}", hint="ask for at least 1")
        ranking = self._rank(scope, query, view, filters, exclude)
        hits = ranking.explained(ranking.hits[:limit])
        requests = requests_before((hit.message for hit in hits), scope, self._store)
        return Hits(self._noted(scope, answering(hits, requests), ranking), known=is_known(ranking))

    def context(
        self,
        scope: Scope,
        query: str,
        view: View,
        *,
        tokens: int,
        fill: bool,
        filters: object = None,
        exclude: Collection[str] = (),
        regardless: bool = False,
    ) -> Context:
        """Return the best hits as text of at most ``tokens``; ``regardless`` as for ``build_context``."""
        if tokens < 1:
            raise QueryError(f"the budget is {tokens} tokens", hint="ask for at least 1")
        from mem0g.retrieve.context.building import build_context  # a search needs none of it

        ranking = self._rank(scope, query, view, filters, exclude)
        requests = partial(requests_before, scope=scope, store=self._store)
        made = build_context(
            ranking,
            tokens,
            now=view.as_of or now(),
            fill=fill,
            regardless=regardless,
            requests=requests,
            contradicting=partial(self._contradicting, scope),
        )
        return replace(made, hits=self._noted(scope, made.hits, ranking))

    def _rank(self, scope: Scope, query: str, view: View, filters: object, exclude: Collection[str] = ()) -> Ranking:
        selection = self._selection(scope, filters)

        def attempt() -> Ranking:
            embedder = self._embedder.embedder
            return search(
                query,
                scope,
                self._store,
                embedder,
                now=now(),
                view=view,
                signals=self._signals,
                selection=selection,
                exclude=exclude,
            )

        return self._embedder.run(attempt)

    def _selection(self, scope: Scope, filters: object) -> Selection | None:
        """Return what filters select in the scope. Raises QueryError for filters that cannot be read."""
        return selection_of(read_filters(filters), scope, self._store, partial(self._canonical, scope))

    def _noted(self, scope: Scope, hits: tuple[Hit, ...], ranking: Ranking) -> tuple[Hit, ...]:
        """Return hits whose facts have the metadata of the messages that state them; read only if they have any."""
        turns = ranking.found.turns
        bare = set(turns.ids) - set(turns.noted)
        facts = [hit.fact for hit in hits if hit.fact and not bare.issuperset(hit.fact.evidence)]
        noted = {fact.id: fact for fact in with_metadata(self._store, scope, facts)}
        return tuple(replace(hit, fact=noted.get(hit.fact.id, hit.fact)) if hit.fact else hit for hit in hits)

    def subgraph(self, scope: Scope, entity: str | None, view: View, *, hops: int, limit: int) -> nx.MultiDiGraph[str]:
        """Return the facts within ``hops`` edges of the entity as a graph, or those of the best connected entities."""
        limit, hops = _bounded(limit, "limit"), _bounded(hops, "hops")
        named = [] if entity is None else list(find_entities(self._store, scope, entity))
        starts = [each.id for each in named]
        facts = self._store.walk(scope, starts, hops, limit, view) if named else self._overview(scope, view, limit)
        ids = {each for fact in facts for each in (fact.subject_id, fact.object_id)} | set(starts)
        evidence = self._store.messages(scope, sorted({each for fact in facts for each in fact.evidence}))
        successions = self._store.successions(scope, [fact.id for fact in facts])
        return to_graph(
            self._store.entities(scope, sorted(ids)),
            facts,
            {message.id: message for message in evidence},
            successions,
            at=view.as_of or now(),
            root=named[0].id if entity else "",
            title=named[0].name if entity else str(scope),
        )

    def _overview(self, scope: Scope, view: View, limit: int) -> tuple[Fact, ...]:
        """Return all facts of a small memory; of a large one, the same number for each of the best connected
        entities."""
        best = [each.id for each, _ in self._store.list_entities(scope, limit)]
        latest = self._store.walk(scope, best, 1, limit, view)
        if len(latest) < limit:
            return latest
        share = -(-limit // MOST_CONNECTED)
        found = [self._store.walk(scope, [each], 1, share, view) for each in best[:MOST_CONNECTED]]
        each_once = {fact.id: fact for facts in (*found, latest) for fact in facts}
        return tuple(each_once.values())[:limit]

    def facts(
        self,
        scope: Scope,
        view: View,
        *,
        entity: str | None,
        relation: str | None,
        limit: int,
        offset: int,
        filters: object = None,
    ) -> tuple[Fact, ...]:
        """Return the facts of an entity and of a relation, in the order in which they were recorded."""
        selection = self._selection(scope, filters)
        ids = tuple(each.id for each in find_entities(self._store, scope, entity)) if entity else ()
        relations = self._canonical(scope, relation) if relation else ()
        if relation and not relations:  # the scope is empty; an empty tuple would mean every relation
            return ()
        wanted = FactFilter(entity_ids=ids, relations=relations, view=view, selection=selection)
        found = self._store.list_facts(scope, wanted, _bounded(limit, "limit"), _bounded(offset, "offset"))
        return with_metadata(self._store, scope, found)

    def fact(self, scope: Scope, fact: str) -> Fact:
        """Return the fact of an id or the start of one."""
        return with_metadata(self._store, scope, [find_fact(self._store, scope, fact)])[0]

    def instructions(self, scope: Scope, view: View) -> tuple[Fact, ...]:
        """Return the standing instructions, then the preferences, each in the order in which they were recorded."""
        wanted = FactFilter(relations=(INSTRUCTS, PREFERS), view=view)
        found = self._store.list_facts(scope, wanted, MAX_ROWS)
        instructions = tuple(fact for fact in found if fact.is_instruction)
        return (*instructions, *(fact for fact in found if fact.relation == PREFERS))

    def contradictions(self, scope: Scope) -> tuple[Contradiction, ...]:
        """Return the pairs of messages that exclude each other, then those of facts that none of these pairs has."""
        from mem0g.retrieve.context.contradictions import contradictions, without_repeats  # a search needs none of it

        said = tuple(contradictions(self._store.list_messages(scope, MAX_ROWS)))
        facts = self._store.list_facts(scope, FactFilter(), MAX_ROWS)
        return (*said, *without_repeats(self._contradicting(scope, facts), said))

    def possibly_outdated(self, scope: Scope, facts: Sequence[str]) -> tuple[Fact, ...]:
        """Return current facts that facts, given by ids or the starts of ids, may have made untrue."""
        from mem0g.conflict.possibly_outdated import possibly_outdated  # a search needs none of it

        found = [find_fact(self._store, scope, each) for each in facts]
        return self._embedder.run(lambda: possibly_outdated(found, self._store, self._embedder.embedder))

    def _contradicting(self, scope: Scope, facts: Sequence[Fact]) -> tuple[Contradiction, ...]:
        """Return the pairs of current ``facts`` that exclude each other."""
        if len(facts) < 2:
            return ()
        from mem0g.conflict.live_conflicts import contradicting_facts  # few searches need it

        registry = self._vocabularies.registry(scope.tenant)
        return tuple(contradicting_facts(facts, registry, partial(self._store.messages, scope)))

    def _canonical(self, scope: Scope, relation: str) -> tuple[str, ...]:
        """Return the canonical names of a relation, one for each tenant whose facts the scope covers."""
        tenants = dict.fromkeys(each.tenant for each in self._store.scopes(scope))
        return tuple(dict.fromkeys(self._vocabularies.refresh(each).canonical(relation) for each in tenants))

    def entities(self, scope: Scope, *, limit: int, offset: int) -> tuple[tuple[Entity, int], ...]:
        """Return entities with the number of their current facts, most facts first."""
        return self._store.list_entities(scope, _bounded(limit, "limit"), _bounded(offset, "offset"))

    def messages(self, scope: Scope, *, ids: Sequence[str] | None, limit: int, offset: int) -> tuple[Message, ...]:
        """Return messages by source, session and position; or those with these ids, in their order."""
        if ids is not None:
            return self._store.messages(scope, ids)
        return self._store.list_messages(scope, _bounded(limit, "limit"), _bounded(offset, "offset"))

    def conversation(self, scope: Scope, message: str, turns: int) -> tuple[Message, ...]:
        """Return a message with up to ``turns`` of its session before and after it, in order."""
        found, turns = find_message(self._store, scope, message), _bounded(turns, "turns")
        return self._store.messages_around(scope, [found.id], turns, turns).get(found.id, (found,))

    def decision(self, scope: Scope, decision: str) -> Decision:
        """Return the decision of an id or the start of one."""
        return read_decision(self._store, scope, decision)

    def users(self, *, limit: int, offset: int) -> tuple[tuple[Scope, Stats], ...]:
        """Return the scopes that hold anything with counts of what a read of each covers, by their keys."""
        scopes = sorted(self._store.scopes(), key=lambda each: tuple(key or "" for key in scope_keys(each).values()))
        offset = _bounded(offset, "offset")
        wanted = scopes[offset : offset + _bounded(limit, "limit")]
        return tuple((each, self._store.stats(each)) for each in wanted)

    def history(self, scope: Scope, wanted: str) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
        """Return the history of a fact (its id or the start of one) or of an entity (its id or a name)."""
        if wanted.startswith("f_"):
            return fact_history(self._store, scope, find_fact(self._store, scope, wanted))
        return self._entity_history(scope, find_entities(self._store, scope, wanted))

    def _entity_history(
        self, scope: Scope, entities: Sequence[Entity]
    ) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
        """Return all facts of ``entities``, retired ones too, in order of validity, and what replaced which."""
        wanted = FactFilter(entity_ids=tuple(each.id for each in entities), view=EVERYTHING)
        found = self._store.list_facts(scope, wanted, MAX_ROWS)
        facts = sorted(found, key=lambda each: (start(each), each.recorded_at))
        return tuple(facts), self._store.successions(scope, [fact.id for fact in facts])

    def decisions(
        self,
        scope: Scope,
        *,
        about: str | None,
        since: datetime | date | str | None,
        until: datetime | date | str | None,
        limit: int,
        offset: int,
    ) -> tuple[Decision, ...]:
        """Return the log of decisions, the latest first."""
        limit, offset = _bounded(limit, "limit"), _bounded(offset, "offset")
        begin, end = (None if each is None else first_instant(each) for each in (since, until))
        if about is None:
            return self._store.log(scope, limit, offset, since=begin, until=end)
        if about.startswith("f_"):
            ids = [find_fact(self._store, scope, about).id]
        else:
            entities = find_entities(self._store, scope, about)
            facts, _ = self._entity_history(scope, entities)
            ids = [*(each.id for each in entities), *(each.id for each in facts)]
        found = [
            each
            for each in reversed(self._store.decisions(scope, ids))
            if (begin is None or each.at >= begin) and (end is None or each.at < end)
        ]
        return tuple(found[offset : offset + limit])

    def diff(self, scope: Scope, since: datetime | date | str, until: datetime | date | str | None) -> Diff:
        """Return what changed from ``since`` on and before ``until``."""
        from mem0g.history.diff import diff

        start, end = first_instant(since), None if until is None else first_instant(until)
        if end is not None and end < start:
            raise QueryError(f"nothing lies between {since} and {until}", hint="give the earlier one as since")
        return diff(self._store, scope, start, end)

    def why(self, scope: Scope, fact: str) -> Explanation:
        """Return the evidence of a fact and the decisions about it."""
        return explain(self._store, scope, find_fact(self._store, scope, fact))

    def relation(self, scope: Scope, name: str) -> RelationType:
        """Return the relation type that the scope's tenant uses for any spelling or synonym of ``name``."""
        return self._vocabularies.refresh(scope.tenant).get(name)

    def relations(self, scope: Scope) -> tuple[RelationType, ...]:
        """Return the relation types of the scope's tenant."""
        return self._vocabularies.refresh(scope.tenant).types


def with_metadata(store: Store, scope: Scope, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts with the metadata of the messages that state them.

    Where keys collide, later messages win over earlier ones, and a fact's own metadata over that of messages.
    """
    cited = list(dict.fromkeys(each for fact in facts for each in fact.evidence))
    noted = store.metadata(scope, cited) if cited else {}
    if not noted:
        return tuple(facts)

    def merged(fact: Fact) -> Mapping[str, Any]:
        given = [noted[each] for each in fact.evidence if each in noted]
        return {key: value for each in (*given, fact.metadata) for key, value in each.items()}

    return tuple(replace(fact, metadata=merged(fact)) for fact in facts)


def _bounded(value: int, name: str) -> int:
    """Return a limit or an offset, at most MAX_ROWS. Raises QueryError for a negative one."""
    if value < 0:
        raise QueryError(f"{name} is {value}", hint="0 or more")
    return min(value, MAX_ROWS)
