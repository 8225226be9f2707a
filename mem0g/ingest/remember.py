"""One window of messages and its triples into the store: resolve, judge, commit, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from mem0g.conflict.candidates import NEAREST
from mem0g.conflict.case import Case, case_of
from mem0g.conflict.claim import Claim, Verdict
from mem0g.conflict.judged import judged
from mem0g.conflict.window import decide
from mem0g.embed.protocol import Embedder
from mem0g.errors import ChangeTooLargeError
from mem0g.ingest.batch import Batch, Report, no_notes
from mem0g.model import Message, Scope, Triple
from mem0g.names import fold
from mem0g.relations.registry import Registry
from mem0g.relations.vocabulary import Vocabulary
from mem0g.resolve.protocol import Candidate, Resolution
from mem0g.resolve.resolver import Resolver
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.protocol import Store, Transaction
from mem0g.store.queries import EntityQuery, FactQuery

if TYPE_CHECKING:
    from mem0g.conflict.model import ModelJudge
    from mem0g.model import Vector


Matched: TypeAlias = Mapping[str, Sequence[Candidate]]
"""What each name might mean, by folded name."""


@dataclass(frozen=True, slots=True)
class Remembering:
    """What turns triples into facts: the stages and what they share."""

    store: Store
    embedder: Embedder
    resolver: Resolver
    registry: Registry
    vocabulary: Vocabulary
    settings: Settings
    judge: ModelJudge | None = None

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
        notes: Callable[[], Sequence[Note]] = tuple,
        waits: Callable[[Sequence[Message]], Sequence[Note]] = no_notes,
    ) -> Report:
        """Commit new messages with the facts that ``triples`` make of them, or of messages known before.

        ``times`` are those of the evidence, by message id. What the scope holds already is left as it is. ``window`` is
        the id of the window that the triples are of: they come with its messages, so that of two who extracted the
        same the first one counts; if it ``waited``, its messages are there, and it counts while it is waiting.
        ``notes`` gives what is committed along, and ``waits`` that the messages which are new wait to be extracted.

        Raises ModelError's children when a model has to decide and cannot.
        """
        batch = Batch(
            scope=scope,
            messages=tuple(messages),
            triples=tuple(triples),
            vectors=self._vectors(messages, triples, speakers),
            relations=self.vocabulary.learn([triple.relation for triple in triples]),
            times=times,
            speakers=tuple(speakers),
            at=at,
            window=window,
            waited=waited,
            notes=notes,
            waits=waits,
        )
        return self._commit(batch)

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
        return self._commit(self._decided(outcome, batch)) if isinstance(outcome, Case) else outcome

    def _decided(self, case: Case, batch: Batch) -> Batch:
        """The batch with the model's answer to what is open in it."""
        assert self.judge is not None
        answer = self.judge.ask(case, batch.window)
        given = (each.sentence.strip() for each in answer.decisions if each.sentence)
        sentences = [sentence for sentence in given if sentence]
        vectors = dict(zip(sentences, self.embedder.embed(sentences), strict=True)) if sentences else {}
        return replace(batch, answers={**batch.answers, case.key: answer}, vectors={**batch.vectors, **vectors})

    def _within(self, transaction: Transaction, batch: Batch) -> Report | Case:
        """What was committed; or what a model has to decide first, with nothing written."""
        ids = [message.id for message in batch.messages]
        told = {triple: Claim.told(batch.scope, triple) for triple in batch.triples}
        known = transaction.known([*ids, *told.values(), *([batch.window] if batch.waited else [])])
        if batch.waited and batch.window not in known:
            spent = tuple(note for note in batch.notes() if note.key != batch.window)
            transaction.commit(Change(scope=batch.scope, notes=spent))
            return Report()
        new = tuple(message for message in batch.messages if message.id not in known)
        fresh = tuple(triple for triple in batch.triples if not triple.evidence or told[triple] not in known)
        if batch.window and not batch.waited:
            ours = {message.id for message in new}
            fresh = tuple(triple for triple in fresh if not ours.isdisjoint(triple.evidence))
        rest = replace(batch, messages=new, triples=fresh)
        decided = self._change(transaction, rest)
        if isinstance(decided, Case):
            return decided
        change, verdicts = decided
        transaction.commit(_with_messages(change, rest))
        return _report(change, verdicts, new=len(new), known=len(ids) - len(new))

    def _vectors(
        self, messages: Sequence[Message], triples: Sequence[Triple], speakers: Sequence[str]
    ) -> dict[str, Vector]:
        """All vectors the window needs, in one pass: of messages by id, of sentences and folded names by themselves."""
        texts = {message.id: spoken(message) for message in messages}
        texts |= {triple.text: triple.text for triple in triples}
        texts |= {fold(query.name): query.name for query in self.resolver.queries(triples, speakers)}
        if not texts:
            return {}
        distinct = list(dict.fromkeys(texts.values()))
        rows = dict(zip(distinct, self.embedder.embed(distinct), strict=True))
        return {key: rows[text] for key, text in texts.items()}

    def _change(self, transaction: Transaction, batch: Batch) -> tuple[Change, list[Verdict]] | Case:
        if not batch.triples:
            return Change(scope=batch.scope), []
        matched = self._matched(transaction, batch)
        resolution = self._resolved(batch, matched)
        claims = self._claims(batch, matched, resolution)
        most = self.settings.candidates
        nearest = max(NEAREST, most) if self.judge else most
        related = transaction.related_facts(list(map(self._fact_query, claims)), nearest)
        case = case_of(claims, related, self.registry, most, resolution.doubts) if self.judge else None
        if self.judge is None or case is None or not case.is_open:
            verdicts = decide(claims, related, self.registry, batch.at)
            return _change_of(batch, resolution, verdicts), verdicts
        answer = batch.answers.get(case.key)
        if answer is None:
            return case
        if same := self.judge.same_nodes(answer, case):
            resolution = self._resolved(batch, matched, same)
            case = replace(case, claims=tuple(self._claims(batch, matched, resolution)))
        verdicts = judged(case, answer, self.judge.model.name, batch.at)
        return _change_of(batch, resolution, verdicts), verdicts

    def _fact_query(self, claim: Claim) -> FactQuery:
        relations = (claim.relation, *self.registry.get(claim.relation).implies)
        return FactQuery(
            subject_id=claim.subject.id, relations=relations, object_id=claim.object.id, vector=claim.vector
        )

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
        )

    def _claims(self, batch: Batch, matched: Matched, resolution: Resolution) -> list[Claim]:
        """The triples with the nodes of their ends."""
        nodes = {each.entity.id: each.entity for found in matched.values() for each in found}
        nodes |= {entity.id: entity for entity in (*resolution.updated, *resolution.created)}
        return [
            Claim(
                scope=batch.scope,
                triple=triple,
                subject=nodes[subject],
                relation=self.registry.canonical(triple.relation),
                object=nodes[obj],
                said_at=_said_at(triple, batch.times),
                vector=batch.vectors[triple.text],
            )
            for triple, (subject, obj) in zip(batch.triples, resolution.ends, strict=True)
        ]


def spoken(message: Message) -> str:
    """A message as it is embedded: with its speaker."""
    return f"{message.speaker}: {message.text}"


def embedded_texts(store: Store) -> Iterator[tuple[str, str]]:
    """All texts of the store that have a vector, by id."""
    for change in store.dump():
        yield from ((message.id, spoken(message)) for message in change.messages)
        yield from ((entity.id, entity.name) for entity in change.entities if entity.merged_into is None)
        yield from ((fact.id, fact.text) for fact in change.facts)


def _said_at(triple: Triple, times: Mapping[str, datetime | None]) -> datetime | None:
    return min((time for each in triple.evidence if (time := times.get(each))), default=None)


def _change_of(batch: Batch, resolution: Resolution, verdicts: Sequence[Verdict]) -> Change:
    """The change that the verdicts amount to, with the vectors of what is new."""
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
        decisions=(*resolution.decisions, *(verdict.decision for verdict in verdicts)),
        vectors=embedded,
    )


def _with_messages(change: Change, batch: Batch) -> Change:
    embedded = {message.id: batch.vectors[message.id] for message in batch.messages}
    vectors = {**change.vectors, **embedded}
    notes = (*batch.notes(), *(batch.waits(batch.messages) if batch.messages else ()))
    return replace(change, messages=batch.messages, relations=batch.relations, notes=notes, vectors=vectors)


def _report(change: Change, verdicts: Sequence[Verdict], *, new: int, known: int) -> Report:
    return Report(
        messages=new,
        known=known,
        triples=len(verdicts),
        facts=len(change.facts),
        confirmed=sum(verdict.support is not None for verdict in verdicts),
        retired=len(change.retirements),
        entities=len(change.entities),
    )
