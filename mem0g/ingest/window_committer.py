"""Commit a window: resolve the ends of its triples, decide about conflicts and write, in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mem0g.conflict.cardinality import relation_types
from mem0g.conflict.lying_ahead import as_planned, later_of
from mem0g.conflict.order_of_time import rule_ends
from mem0g.conflict.outcomes import relations_ended_by_death
from mem0g.conflict.protocol import (
    ConflictPolicy,
    OpenQuestion,
    ResolvedTriple,
    ResolvedWindow,
    SelectivePolicy,
)
from mem0g.conflict.told_late import deaths_that_end
from mem0g.embed import FollowingEmbedder
from mem0g.embed.protocol import Embedder, thresholds_of
from mem0g.errors import ChangeTooLargeError, EmbedderMismatchError
from mem0g.history.corrections import correction, fact_to_correct, replaced_by
from mem0g.ingest.commit_request import CommitRequest, PreparedWindow
from mem0g.ingest.input_messages import added_sessions, placed
from mem0g.ingest.report import Report
from mem0g.ingest.window_change import Decided, NameCandidates, change_of, with_messages
from mem0g.model import INSTRUCTS, Triple
from mem0g.relations.registry import Registry
from mem0g.relations.vocabulary import Vocabularies
from mem0g.resolve.nodes import Resolution
from mem0g.resolve.resolver import Resolver
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.store.queries import INSTRUCTION_STEM, EntityQuery, FactQuery, RelatedFact, StoreState
from mem0g.text.names import fold
from mem0g.text.stemming import token_set

if TYPE_CHECKING:
    from mem0g.model import Vector

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outdated:
    """Nothing was written, as another process has changed what the window was prepared with; ``found`` is the current
    state."""

    found: StoreState


@dataclass(frozen=True, slots=True)
class WindowCommitter:
    """Writes windows: the stages from triples to facts, and what they share."""

    store: Store
    embedder: Embedder
    resolver: Resolver
    vocabularies: Vocabularies
    settings: Settings
    policy: ConflictPolicy

    def commit(self, request: CommitRequest) -> Report:
        """Commit new messages with the facts that the triples make.

        Raises what the embedder raises and, where a language model has to decide, ModelError's children.
        """
        report = self._commit(self._prepared(request))
        if report.held:
            _log.warning("%d retirements in the memory of %s are held for review", report.held, request.scope)
        return report

    def _prepared(self, request: CommitRequest) -> PreparedWindow:
        """Return the request with the vectors and relation types that it needs."""
        registry = self.vocabularies.registry(request.scope.tenant)
        triples = (as_planned(each, later_of(request.said_at(each), request.at)) for each in request.triples)
        request = replace(request, triples=tuple(_findable(each, registry) for each in triples))
        messages = (*request.messages, *request.unembedded) if request.embed else ()
        texts = {key: text for message in messages for key, text in message.embedded_texts().items()}
        texts |= {triple.text: triple.text for triple in request.triples}
        queries = self.resolver.queries(request.triples, request.speakers)
        texts |= {fold(query.name): query.name for query in queries}
        embedder = (self.embedder.name, self.embedder.dimensions)
        return PreparedWindow(
            request=request,
            texts=texts,
            vectors=self._vectors(texts),
            embedder=embedder,
            vocabulary=self.vocabularies.learn(request.scope.tenant, [each.relation for each in request.triples]),
        )

    def _vectors(self, texts: Mapping[str, str]) -> dict[str, Vector]:
        """Return the vectors of texts, computed in one pass."""
        if not texts:
            return {}
        distinct = list(dict.fromkeys(texts.values()))
        rows = dict(zip(distinct, self.embedder.embed(distinct), strict=True))
        return {key: rows[text] for key, text in texts.items()}

    def _commit(self, window: PreparedWindow) -> Report:
        """Commit in one transaction, or in two if the store has too little memory for one.

        A question of the conflict policy is asked between two transactions. The second one looks everything up again;
        if the question has changed meanwhile, it is asked again.
        """
        scope = window.request.scope
        try:
            outcome = self.store.write(scope, lambda transaction: self._transact(transaction, window))
        except ChangeTooLargeError:
            halves = window.halves()
            if halves is None:
                raise
            return self._commit(halves[0]) + self._commit(halves[1])
        if isinstance(outcome, Outdated):
            return self._commit(self._renewed(window, outcome.found))
        if not isinstance(outcome, Report):
            return self._commit(self._answered(window, outcome))
        if window.vocabulary.types:
            self.vocabularies.keep(scope.tenant, window.vocabulary)
        return outcome

    def _renewed(self, window: PreparedWindow, found: StoreState) -> PreparedWindow:
        """Return the window prepared again with the store's current vocabulary and embedder.

        Raises EmbedderMismatchError if the store has another embedder that cannot be opened by its name.
        """
        tenant = window.request.scope.tenant
        self.vocabularies.refresh(tenant)
        vocabulary = self.vocabularies.learn(tenant, [triple.relation for triple in window.request.triples])
        held, ours = (found.embedder, found.dimensions), window.embedder
        if held[0] is None or held[1] is None or held == ours or not window.vectors:
            return replace(window, vocabulary=vocabulary)
        if not isinstance(self.embedder, FollowingEmbedder):
            raise EmbedderMismatchError.between(self.store.address, held, ours)
        self.embedder.follow(held[0], held[1])
        vectors = self._vectors(window.texts)
        return replace(window, vocabulary=vocabulary, embedder=(held[0], held[1]), vectors=vectors)

    def _answered(self, window: PreparedWindow, question: OpenQuestion) -> PreparedWindow:
        """Return the window with the answer to a question of the conflict policy."""
        answer = question.ask()
        sentences = {sentence: sentence for sentence in answer.sentences}
        return replace(
            window,
            answers={**window.answers, question.key: answer},
            texts={**window.texts, **sentences},
            vectors={**window.vectors, **self._vectors(sentences)},
        )

    def _transact(self, transaction: Transaction, window: PreparedWindow) -> Report | OpenQuestion | Outdated:
        """Return the report of what was committed; or, with nothing written, the question to ask first, or what has
        changed."""
        request = window.request
        state = self._begin(transaction, window)
        if window.is_outdated(state):
            return Outdated(state)
        if request.pending and request.pending not in state.known:  # another process has committed it
            spent = tuple(each for each in request.done() if each.id != request.pending)
            transaction.commit(Change(scope=request.scope, done=spent))
            return Report()
        new = self._without_known(transaction, window, state)
        change, report = Change(scope=request.scope), Report()
        if new.request.triples:
            candidates = self._candidates(transaction, new)
            decided = self._decided(transaction, new, candidates)
            if not isinstance(decided, Decided):
                return decided
            change, report = change_of(transaction, new, candidates, decided)
        transaction.commit(with_messages(change, new, transaction))
        stored = len(new.request.messages)
        return replace(report, messages=stored, known=len(request.messages) - stored)

    def _begin(self, transaction: Transaction, window: PreparedWindow) -> StoreState:
        """Begin, and ask which messages, decisions and windows of the request the store knows."""
        request = window.request
        messages = (message.id for message in request.messages)
        decisions = (ResolvedTriple.decision_id(request.scope, triple) for triple in request.triples)
        pending = [request.pending] if request.pending else []
        ids = [*messages, *decisions, *pending]
        return transaction.begin(ids, learns=bool(window.vocabulary.types), sessions=added_sessions(request.messages))

    def _without_known(self, transaction: Transaction, window: PreparedWindow, state: StoreState) -> PreparedWindow:
        """Return the window with its new messages at their positions, and the triples not decided about before.

        Where a window's messages are known, another process has extracted them: its triples count.
        """
        request = window.request
        messages = placed([message for message in request.messages if message.id not in state.known], transaction)

        def is_new(triple: Triple) -> bool:
            return not triple.evidence or ResolvedTriple.decision_id(request.scope, triple) not in state.known

        triples = [triple for triple in request.triples if is_new(triple)]
        if request.window and not request.pending and not window.continued:
            ours = {message.id for message in messages}
            triples = [triple for triple in triples if not ours.isdisjoint(triple.evidence)]
        return window.with_parts(messages, triples)

    def _candidates(self, transaction: Transaction, window: PreparedWindow) -> NameCandidates:
        """Return the entities that each name of the triples may mean."""
        queries = self.resolver.queries(window.request.triples, window.request.speakers)
        asked = [
            EntityQuery(names=q.names, tokens=tuple(q.tokens), vector=window.vectors[fold(q.name)], around=q.around)
            for q in queries
        ]
        matched = transaction.match_entities(asked, self.settings.nearest)
        if window.request.corrects:  # what somebody is to another may be what is corrected
            matched = [tuple(replace(each, roles=frozenset()) for each in found) for found in matched]
        return {fold(query.name): found for query, found in zip(queries, matched, strict=True)}

    def _decided(
        self, transaction: Transaction, window: PreparedWindow, candidates: NameCandidates
    ) -> Decided | OpenQuestion:
        """Resolve the triples and decide about them; or return what the policy has to ask first."""
        request, registry = window.request, window.vocabulary.registry
        resolution = self._resolved(window, candidates)
        triples = _resolved_triples(window, candidates, resolution)
        queries = [_fact_query(new, window, self.policy) for new in triples]
        related = tuple(map(tuple, transaction.related_facts(queries, self.policy.nearest)))
        if request.corrects:
            old = fact_to_correct(transaction, request.corrects)
            same = thresholds_of(self.embedder).same_sentence
            verdicts = [
                correction(new, old, others, replaced_by(transaction, old, others), registry, same, request.at)
                for new, others in zip(triples, related, strict=True)
            ]
            return Decided(resolution, triples, (*related, (RelatedFact(old, 1.0),)), verdicts)
        decided = self.policy.decide(
            ResolvedWindow(
                triples=triples,
                related=related,
                registry=registry,
                at=request.at,
                window=request.window,
                uncertain=resolution.uncertain,
                thresholds=thresholds_of(self.embedder),
                parts=tuple(request.parts().values()),
                ends=rule_ends(transaction, triples, related, registry, request.at),
            )
        )
        if not isinstance(decided, Sequence):
            answer = window.answers.get(decided.key)
            if answer is None:
                return decided
            if answer.same_entities:
                resolution = self._resolved(window, candidates, answer.same_entities)
                triples = _resolved_triples(window, candidates, resolution)
            decided = decided.decide(answer, triples)
        return Decided(resolution, triples, related, decided)

    def _resolved(
        self, window: PreparedWindow, candidates: NameCandidates, same: Sequence[tuple[str, str]] = ()
    ) -> Resolution:
        return self.resolver.resolve(
            window.request.triples,
            scope=window.request.scope,
            candidates=candidates,
            vectors=window.vectors,
            speakers=window.request.speakers,
            at=window.request.at,
            same=same,
            thresholds=thresholds_of(self.embedder),
        )


def _findable(triple: Triple, registry: Registry) -> Triple:
    """Return a triple whose sentence has the stem by which a search finds instructions, if it is one."""
    if not triple.object_is_literal or registry.canonical(triple.relation) != INSTRUCTS:
        return triple
    if INSTRUCTION_STEM in token_set(triple.text):
        return triple
    return replace(triple, text=f"{triple.subject} instructs: {triple.text}", brief=triple.brief or triple.text)


def _resolved_triples(
    window: PreparedWindow, candidates: NameCandidates, resolution: Resolution
) -> tuple[ResolvedTriple, ...]:
    """Return the triples with the nodes of their ends."""
    request = window.request
    nodes = {each.entity.id: each.entity for found in candidates.values() for each in found}
    nodes |= {entity.id: entity for entity in (*resolution.updated, *resolution.created)}
    return tuple(
        ResolvedTriple(
            scope=request.scope,
            triple=triple,
            subject=nodes[subject],
            relation=window.vocabulary.registry.canonical(triple.relation),
            object=nodes[obj],
            said_at=request.at if request.by_hand else request.said_at(triple),
            vector=window.vectors[triple.text],
        )
        for triple, (subject, obj) in zip(request.triples, resolution.ends, strict=True)
    )


def _fact_query(new: ResolvedTriple, window: PreparedWindow, policy: ConflictPolicy) -> FactQuery:
    registry = window.vocabulary.registry
    types = relation_types(new, registry)
    shared = {each.name for each in types if each.one_subject or (each.symmetric and each.one_object)}
    return FactQuery(
        subject_id=new.subject.id,
        relations=tuple(each.name for each in types),
        object_id=new.object.id,
        vector=new.vector,
        of_either_end=tuple(sorted(shared | relations_ended_by_death(new) | deaths_that_end(new))),
        concerns=policy.concerns(new, registry) if isinstance(policy, SelectivePolicy) else None,
    )
