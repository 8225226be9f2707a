"""One window of messages and its triples into the store: resolve, judge, commit, in one transaction."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.conflict.claim import Claim, Verdict
from mem0g.conflict.window import decide
from mem0g.embed.protocol import Embedder
from mem0g.model import Entity, Message, Scope, Triple
from mem0g.names import fold
from mem0g.relations.registry import Registry, RelationType
from mem0g.relations.vocabulary import Vocabulary
from mem0g.resolve.protocol import Resolution
from mem0g.resolve.resolver import Resolver
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.store.queries import EntityQuery, FactQuery

if TYPE_CHECKING:
    from mem0g.model import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an ingest did: counts. ``known`` messages were there already; ``confirmed`` triples said what was known."""

    messages: int = 0
    known: int = 0
    triples: int = 0
    facts: int = 0
    confirmed: int = 0
    retired: int = 0
    entities: int = 0

    def __add__(self, other: Report) -> Report:
        return Report(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in dataclasses.fields(Report)}
        )


@dataclass(frozen=True, slots=True)
class Remembering:
    """What turns triples into facts: the stages and what they share."""

    store: Store
    embedder: Embedder
    resolver: Resolver
    registry: Registry
    vocabulary: Vocabulary
    settings: Settings

    def remember(
        self,
        scope: Scope,
        messages: Sequence[Message],
        triples: Sequence[Triple],
        *,
        times: Mapping[str, datetime | None],
        speakers: Sequence[str],
        at: datetime,
    ) -> Report:
        """Commit new messages with the facts that ``triples`` make of them, or of messages known before.

        ``times`` are those of the evidence, by message id. What the scope holds already is left as it is.
        """
        vectors = self._vectors(messages, triples)
        relations = self.vocabulary.learn([triple.relation for triple in triples])

        def work(transaction: Transaction) -> Report:
            ids = [message.id for message in messages]
            known = transaction.known([*ids, *(Claim.told(scope, triple) for triple in triples)])
            new = [message for message in messages if message.id not in known]
            fresh = [triple for triple in triples if not triple.evidence or Claim.told(scope, triple) not in known]
            change, verdicts = self._change(transaction, scope, fresh, vectors, times, speakers, at)
            transaction.commit(_with_messages(change, new, relations, vectors))
            return _report(change, verdicts, new=len(new), known=len(ids) - len(new))

        return self.store.write(scope, work)

    def _vectors(self, messages: Sequence[Message], triples: Sequence[Triple]) -> dict[str, Vector]:
        """All vectors the window needs, in one pass: of messages by id, of sentences and folded names by themselves."""
        texts = {message.id: spoken(message) for message in messages}
        texts |= {triple.text: triple.text for triple in triples}
        texts |= {fold(query.name): query.name for query in self.resolver.queries(triples)}
        if not texts:
            return {}
        distinct = list(dict.fromkeys(texts.values()))
        rows = dict(zip(distinct, self.embedder.embed(distinct), strict=True))
        return {key: rows[text] for key, text in texts.items()}

    def _change(
        self,
        transaction: Transaction,
        scope: Scope,
        triples: Sequence[Triple],
        vectors: Mapping[str, Vector],
        times: Mapping[str, datetime | None],
        speakers: Sequence[str],
        at: datetime,
    ) -> tuple[Change, list[Verdict]]:
        if not triples:
            return Change(scope=scope), []
        resolution, nodes = self._resolve(transaction, scope, triples, vectors, speakers, at)
        claims = [
            Claim(
                scope=scope,
                triple=triple,
                subject=nodes[subject],
                relation=self.registry.canonical(triple.relation),
                object=nodes[obj],
                said_at=_said_at(triple, times),
                vector=vectors[triple.text],
            )
            for triple, (subject, obj) in zip(triples, resolution.ends, strict=True)
        ]
        queries = [self._fact_query(claim) for claim in claims]
        related = transaction.related_facts(queries, self.settings.candidates)
        verdicts = decide(claims, related, self.registry, at)
        return _change_of(scope, resolution, claims, verdicts, vectors), verdicts

    def _fact_query(self, claim: Claim) -> FactQuery:
        relations = (claim.relation, *self.registry.get(claim.relation).implies)
        return FactQuery(
            subject_id=claim.subject.id, relations=relations, object_id=claim.object.id, vector=claim.vector
        )

    def _resolve(
        self,
        transaction: Transaction,
        scope: Scope,
        triples: Sequence[Triple],
        vectors: Mapping[str, Vector],
        speakers: Sequence[str],
        at: datetime,
    ) -> tuple[Resolution, dict[str, Entity]]:
        """The nodes of the triples' ends, by id."""
        queries = self.resolver.queries(triples)
        asked = [EntityQuery(names=q.names, tokens=tuple(q.tokens), vector=vectors[fold(q.name)]) for q in queries]
        matched = transaction.match_entities(asked, self.settings.nearest)
        candidates = {fold(query.name): found for query, found in zip(queries, matched, strict=True)}
        resolution = self.resolver.resolve(
            triples, scope=scope, candidates=candidates, vectors=vectors, speakers=speakers, at=at
        )
        nodes = {each.entity.id: each.entity for found in matched for each in found}
        nodes |= {entity.id: entity for entity in (*resolution.updated, *resolution.created)}
        return resolution, nodes


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


def _change_of(
    scope: Scope,
    resolution: Resolution,
    claims: Sequence[Claim],
    verdicts: Sequence[Verdict],
    vectors: Mapping[str, Vector],
) -> Change:
    """The change that the verdicts amount to, with the vectors of what is new."""
    entities = (*resolution.created, *resolution.updated)
    facts = tuple(verdict.fact for verdict in verdicts if verdict.fact)
    embedded = {entity.id: vectors[fold(entity.name)] for entity in entities if fold(entity.name) in vectors}
    embedded |= {verdict.fact.id: claim.vector for claim, verdict in zip(claims, verdicts, strict=True) if verdict.fact}
    return Change(
        scope=scope,
        entities=entities,
        facts=facts,
        support=tuple(verdict.support for verdict in verdicts if verdict.support),
        retirements=tuple(each for verdict in verdicts for each in verdict.retirements),
        merges=resolution.merged,
        decisions=(*resolution.decisions, *(verdict.decision for verdict in verdicts)),
        vectors=embedded,
    )


def _with_messages(
    change: Change,
    messages: Sequence[Message],
    relations: tuple[RelationType, ...],
    vectors: Mapping[str, Vector],
) -> Change:
    embedded = {message.id: vectors[message.id] for message in messages}
    return dataclasses.replace(
        change, messages=tuple(messages), relations=relations, vectors={**change.vectors, **embedded}
    )


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
