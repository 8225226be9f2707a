"""One window of messages and its triples into the store: resolve, judge, commit, in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

from mem0g.conflict.protocol import ConflictPolicy, OpenQuestion, ResolvedTriple, ResolvedWindow, Verdict
from mem0g.embed.following import FollowingEmbedder
from mem0g.embed.protocol import Embedder
from mem0g.embed.thresholds import thresholds_of
from mem0g.errors import ChangeTooLargeError, EmbedderMismatchError
from mem0g.history.correcting import corrected, fact_to_correct
from mem0g.history.images import USER, with_images
from mem0g.ingest.batch import Batch, FactChange, Named, Report, no_windows
from mem0g.ingest.review import reviews_of
from mem0g.ingest.turns import placed
from mem0g.model import Fact, Message, Scope, Triple
from mem0g.names import fold
from mem0g.relations.registry import Registry
from mem0g.relations.vocabulary import Vocabularies
from mem0g.resolve.nodes import Resolution
from mem0g.resolve.resolver import Resolver
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.store.queries import EntityCandidate, EntityQuery, FactQuery, RelatedFact, StoreState
from mem0g.store.records import Done, PendingWindow, RetirementReview

if TYPE_CHECKING:
    from mem0g.model import Vector


_log = logging.getLogger(__name__)

Matched: TypeAlias = Mapping[str, Sequence[EntityCandidate]]
"""What each name might mean, by folded name."""


@dataclass(frozen=True, slots=True)
class Outdated:
    """Nothing was written: another process changed what the batch was made with. ``found`` is what holds now."""

    found: StoreState


@dataclass(frozen=True, slots=True)
class Remembering:
    """What turns triples into facts: the stages and what they share."""

    store: Store
    embedder: Embedder
    resolver: Resolver
    vocabularies: Vocabularies
    settings: Settings
    policy: ConflictPolicy

    def remember(
        self,
        scope: Scope,
        messages: Sequence[Message],
        triples: Sequence[Triple],
        *,
        times: Mapping[str, datetime | None],
        speakers: Sequence[str],
        at: datetime,
        window: str = "",
        waited: bool = False,
        done: Callable[[], Sequence[Done]] = tuple,
        waits: Callable[[Sequence[Message]], Sequence[PendingWindow]] = no_windows,
        embed: bool = True,
        unembedded: Sequence[Message] = (),
        by_hand: bool = False,
        corrects: str = "",
    ) -> Report:
        """Commit new messages with the facts that ``triples`` make of them, or of messages known before.

        ``times`` are those of the evidence, by message id. What the scope holds already is left as it is. ``window`` is
        the id of the window that the triples are of: they come with its messages, so that of two who extracted the
        same the first one counts; if it ``waited``, its messages are there, and it counts while it is waiting.
        ``done`` gives the records that are done with it, and ``waits`` the windows of new messages that wait.
        Without ``embed`` the messages are stored without vectors; ``unembedded`` are known ones that get theirs now.
        ``by_hand`` and ``corrects``: see Batch.

        Raises ModelError's children when a model has to decide and cannot.
        """
        texts = self._texts((*messages, *unembedded) if embed else (), triples, speakers)
        embedder = (self.embedder.name, self.embedder.dimensions)
        batch = Batch(
            scope=scope,
            messages=tuple(messages),
            triples=tuple(triples),
            texts=texts,
            vectors=self._vectors(texts),
            vocabulary=self.vocabularies.learn(scope.tenant, [triple.relation for triple in triples]),
            embedder=embedder,
            times=times,
            speakers=tuple(speakers),
            at=at,
            window=window,
            waited=waited,
            done=done,
            waits=waits,
            unembedded=tuple(unembedded),
            by_hand=by_hand,
            corrects=corrects,
        )
        report = self._commit(batch)
        if report.held:
            _log.warning("%d retirements in the memory of %s are held for review", report.held, scope)
        return report

    def _commit(self, batch: Batch) -> Report:
        """In one transaction; in two where the store has too little memory for one.

        A model is asked between transactions: with its answer, all is looked up again, and if the question has become
        another meanwhile, it is asked again.
        """
        try:
            outcome = self.store.write(batch.scope, lambda transaction: self._within(transaction, batch))
        except ChangeTooLargeError:
            halves = batch.halves()
            if halves is None:
                raise
            return self._commit(halves[0]) + self._commit(halves[1])
        if isinstance(outcome, Outdated):
            return self._commit(self._renewed(batch, outcome.found))
        if not isinstance(outcome, Report):
            return self._commit(self._decided(outcome, batch))
        if batch.vocabulary.types:
            self.vocabularies.keep(batch.scope.tenant, batch.vocabulary)
        return outcome

    def _renewed(self, batch: Batch, found: StoreState) -> Batch:
        """The batch made again with the vocabulary and the embedder that hold now.

        Raises EmbedderMismatchError where the embedder is another one that this memory cannot open by its name.
        """
        tenant = batch.scope.tenant
        self.vocabularies.refresh(tenant)
        learnt = self.vocabularies.learn(tenant, [triple.relation for triple in batch.triples])
        held, ours = (found.embedder, found.dimensions), batch.embedder
        if held[0] is None or held[1] is None or held == ours or not batch.vectors:
            return replace(batch, vocabulary=learnt)
        if not isinstance(self.embedder, FollowingEmbedder):
            raise EmbedderMismatchError.between(self.store.address, held, ours)
        self.embedder.follow(held[0], held[1])
        vectors = self._vectors(batch.texts)
        return replace(batch, vocabulary=learnt, embedder=(held[0], held[1]), vectors=vectors)

    def _decided(self, question: OpenQuestion, batch: Batch) -> Batch:
        """The batch with the answer to what has to be asked about it."""
        answer = question.ask()
        sentences = {sentence: sentence for sentence in answer.sentences}
        return replace(
            batch,
            answers={**batch.answers, question.key: answer},
            texts={**batch.texts, **sentences},
            vectors={**batch.vectors, **self._vectors(sentences)},
        )

    def _within(self, transaction: Transaction, batch: Batch) -> Report | OpenQuestion | Outdated:
        """What was committed; or with nothing written, what a model has to decide first, or what has changed."""
        ids = [message.id for message in batch.messages]
        told = {triple: ResolvedTriple.decision_id(batch.scope, triple) for triple in batch.triples}
        asked = [*ids, *told.values(), *([batch.window] if batch.waited else [])]
        begun = transaction.begin(asked, learns=bool(batch.vocabulary.types))
        if batch.is_outdated(begun):
            return Outdated(begun)
        known = begun.known
        if batch.waited and batch.window not in known:
            spent = tuple(each for each in batch.done() if each.id != batch.window)
            transaction.commit(Change(scope=batch.scope, done=spent))
            return Report()
        new = placed([message for message in batch.messages if message.id not in known], transaction)
        fresh = tuple(triple for triple in batch.triples if not triple.evidence or told[triple] not in known)
        if batch.window and not batch.waited and not batch.begun:
            ours = {message.id for message in new}
            fresh = tuple(triple for triple in fresh if not ours.isdisjoint(triple.evidence))
        rest = replace(batch, messages=new, triples=fresh)
        decided = self._change(transaction, rest)
        if not isinstance(decided, tuple):
            return decided
        change, report = decided
        transaction.commit(_with_messages(change, rest))
        return replace(report, messages=len(new), known=len(ids) - len(new))

    def _texts(self, messages: Sequence[Message], triples: Sequence[Triple], speakers: Sequence[str]) -> dict[str, str]:
        """All texts that the window needs the vectors of; see Batch."""
        texts = {message.id: message.spoken for message in messages}
        texts |= {triple.text: triple.text for triple in triples}
        return texts | {fold(query.name): query.name for query in self.resolver.queries(triples, speakers)}

    def _vectors(self, texts: Mapping[str, str]) -> dict[str, Vector]:
        """The vectors of texts, computed in one pass."""
        if not texts:
            return {}
        distinct = list(dict.fromkeys(texts.values()))
        rows = dict(zip(distinct, self.embedder.embed(distinct), strict=True))
        return {key: rows[text] for key, text in texts.items()}

    def _change(self, transaction: Transaction, batch: Batch) -> tuple[Change, Report] | OpenQuestion:
        if not batch.triples:
            return Change(scope=batch.scope), Report()
        matched = self._matched(transaction, batch)
        resolution = self._resolved(batch, matched)
        triples = self._claims(batch, matched, resolution)
        registry = batch.vocabulary.registry
        related = transaction.related_facts([_fact_query(new, registry) for new in triples], self.policy.nearest)
        if batch.corrects:
            old = fact_to_correct(transaction, batch.corrects)
            verdicts = [corrected(new, old, batch.at) for new in triples]
            return _changed(batch, matched, [*related, [RelatedFact(old, 1.0)]], resolution, verdicts, transaction)
        window = ResolvedWindow(
            triples=tuple(triples),
            related=tuple(map(tuple, related)),
            registry=registry,
            at=batch.at,
            window=batch.window,
            uncertain=resolution.uncertain,
            thresholds=thresholds_of(self.embedder),
        )
        decided = self.policy.decide(window)
        if not isinstance(decided, Sequence):
            answer = batch.answers.get(decided.key)
            if answer is None:
                return decided
            if answer.same_entities:
                resolution = self._resolved(batch, matched, answer.same_entities)
                triples = self._claims(batch, matched, resolution)
            decided = decided.decide(answer, triples)
        held = reviews_of(decided, batch.scope, batch.window, batch.at)
        return _changed(batch, matched, related, resolution, decided, transaction, held)

    def _matched(self, transaction: Transaction, batch: Batch) -> Matched:
        """What each name of the triples might mean."""
        queries = self.resolver.queries(batch.triples, batch.speakers)
        asked = [
            EntityQuery(names=q.names, tokens=tuple(q.tokens), vector=batch.vectors[fold(q.name)]) for q in queries
        ]
        matched = transaction.match_entities(asked, self.settings.nearest)
        return {fold(query.name): found for query, found in zip(queries, matched, strict=True)}

    def _resolved(self, batch: Batch, matched: Matched, same: Sequence[tuple[str, str]] = ()) -> Resolution:
        return self.resolver.resolve(
            batch.triples,
            scope=batch.scope,
            candidates=matched,
            vectors=batch.vectors,
            speakers=batch.speakers,
            at=batch.at,
            same=same,
            thresholds=thresholds_of(self.embedder),
        )

    def _claims(self, batch: Batch, matched: Matched, resolution: Resolution) -> list[ResolvedTriple]:
        """The triples with the nodes of their ends."""
        nodes = {each.entity.id: each.entity for found in matched.values() for each in found}
        nodes |= {entity.id: entity for entity in (*resolution.updated, *resolution.created)}
        return [
            ResolvedTriple(
                scope=batch.scope,
                triple=triple,
                subject=nodes[subject],
                relation=batch.vocabulary.registry.canonical(triple.relation),
                object=nodes[obj],
                said_at=batch.at if batch.by_hand else _said_at(triple, batch.times),
                vector=batch.vectors[triple.text],
            )
            for triple, (subject, obj) in zip(batch.triples, resolution.ends, strict=True)
        ]


def _fact_query(new: ResolvedTriple, registry: Registry) -> FactQuery:
    relations = (new.relation, *registry.get(new.relation).implies)
    return FactQuery(subject_id=new.subject.id, relations=relations, object_id=new.object.id, vector=new.vector)


def _said_at(triple: Triple, times: Mapping[str, datetime | None]) -> datetime | None:
    return min((time for each in triple.evidence if (time := times.get(each))), default=None)


def _changed(
    batch: Batch,
    matched: Matched,
    related: Sequence[Sequence[RelatedFact]],
    resolution: Resolution,
    verdicts: Sequence[Verdict],
    transaction: Transaction,
    held: Sequence[RetirementReview] = (),
) -> tuple[Change, Report]:
    """The change that the verdicts amount to, with what each decision touched as it was, and its report."""
    if batch.by_hand:
        verdicts = [replace(each, decision=replace(each.decision, decided_by=USER)) for each in verdicts]
    facts = {each.fact.id: each.fact for found in related for each in found}
    nodes = {each.entity.id: each.entity for found in matched.values() for each in found}
    decisions = with_images(resolution, verdicts, facts, nodes, lambda ids: transaction.facts(of=ids))
    change = replace(_change_of(batch, resolution, verdicts), decisions=decisions, reviews=tuple(held))
    return change, _report(change, verdicts, facts)


def _change_of(batch: Batch, resolution: Resolution, verdicts: Sequence[Verdict]) -> Change:
    """What the verdicts add and retire, with the vectors of what is new."""
    vectors, entities = batch.vectors, (*resolution.created, *resolution.updated)
    facts = tuple(verdict.fact for verdict in verdicts if verdict.fact)
    embedded = {entity.id: vectors[fold(entity.name)] for entity in entities if fold(entity.name) in vectors}
    embedded |= {fact.id: vectors[fact.text] for fact in facts}
    return Change(
        scope=batch.scope,
        entities=entities,
        facts=facts,
        support=tuple(verdict.support for verdict in verdicts if verdict.support),
        retirements=tuple(each for verdict in verdicts for each in verdict.retirements),
        merges=resolution.merged,
        vectors=embedded,
    )


def _with_messages(change: Change, batch: Batch) -> Change:
    embedded = {key: vector for key, vector in batch.vectors.items() if key in batch.message_ids}
    return replace(
        change,
        messages=tuple(replace(message, recorded_at=batch.at) for message in batch.messages),
        relations=batch.vocabulary.types,
        vocabulary=batch.vocabulary.version,
        windows=tuple(batch.waits(batch.messages)) if batch.messages else (),
        done=tuple(batch.done()),
        vectors={**change.vectors, **embedded},
    )


def _report(change: Change, verdicts: Sequence[Verdict], known: Mapping[str, Fact]) -> Report:
    """``known`` are the facts that were there, by id."""
    facts = {**known, **{fact.id: fact for fact in change.facts}}
    return Report(
        triples=len(verdicts),
        facts=len(change.facts),
        confirmed=sum(verdict.support is not None for verdict in verdicts),
        retired=len(change.retirements),
        held=sum(len(each.held) for each in verdicts),
        entities=len(change.entities),
        changes=tuple(each for verdict in verdicts for each in _changes(verdict, facts)),
    )


def _changes(verdict: Verdict, facts: Mapping[str, Fact]) -> Iterator[FactChange]:
    """What the verdict did to facts: to the new or the known one, then to those that it retired."""

    def change(kind: Literal["added", "updated", "retired", "confirmed"], fact_id: str, *others: str) -> FactChange:
        named = tuple(Named(each, facts[each].text) for each in others)
        return FactChange(kind=kind, fact_id=fact_id, text=facts[fact_id].text, others=named)

    retired = {each.succession.fact_id: each.succession.successor_id for each in verdict.retirements}
    if verdict.fact:
        replaced = [each for each in retired if each != verdict.fact.id]
        yield change("updated" if replaced else "added", verdict.fact.id, *replaced)
    if verdict.support:
        yield change("confirmed", verdict.support.fact_id)
    for old, successor in retired.items():
        yield change("retired", old, *([successor] if successor else []))
