"""A generated store of many scopes: a tenant, a middle and a large one, which are searched, and many others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

from benchmarks.memories import AGENT
from benchmarks.synthetic import FACTS_PER_MESSAGE, START, World, world
from mem0g import Triple
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.extract.protocol import Window
from mem0g.model import Decision, Entity, Fact, Message, Scope, content_id
from mem0g.store.change import Change
from mem0g.text.names import fold, normal_relation

if TYPE_CHECKING:
    from datetime import datetime

    from mem0g.model import Vector

LARGE = 10

MIDDLE = 100
"""The large scope holds one in 10 of all facts, the middle one in 100: of 100,000 facts, 1,000."""

FACTS_AT_ONCE = 500
"""Facts per change of a bulk load, as many as `mem0g copy` reads at once."""


class Keys(TypedDict):
    """The keys of a member's scope."""

    user_id: str
    agent_id: str


@dataclass(frozen=True, slots=True)
class Member:
    """A scope and its contents."""

    name: str
    world: World

    @property
    def scope(self) -> Scope:
        """Its scope; the agent id separates what a benchmark wrote from all other data."""
        return Scope(**self.keys)

    @property
    def keys(self) -> Keys:
        """The scope as keyword arguments of a memory's methods."""
        return {"user_id": self.name, "agent_id": AGENT}

    @property
    def facts(self) -> int:
        """Number of its facts."""
        return len(self.world.triples)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Its messages, in order."""
        return tuple(Message.of(utterance, self.scope) for utterance in self.world.utterances)


@dataclass(frozen=True, slots=True)
class Crowd:
    """All members: those that are searched, ``largest`` if there is one, and the ``others``."""

    tenant: Member
    middle: Member
    large: Member
    others: tuple[Member, ...]
    largest: Member | None = None

    @property
    def asked(self) -> tuple[Member, ...]:
        """The members that are searched, smallest first."""
        return self.tenant, self.middle, self.large, *([self.largest] if self.largest else ())


def crowd(facts: int, scopes: int, tenant: int, questions: int, seed: int, largest: int = 0) -> Crowd:
    """Generate ``facts`` facts over ``scopes`` scopes, and one more scope of ``largest`` facts.

    ``tenant`` of them are the tenant's; each searched scope gets ``questions`` questions.

    Raises InputError when fewer than one fact is left for each of the others.
    """
    middle, large, others = facts // MIDDLE, facts // LARGE, scopes - 3
    rest = facts - tenant - middle - large
    if others < 1 or rest < others or not middle:
        hint = f"a tenth of the facts, and those of the tenant ({tenant}), are in scopes of their own: give more facts"
        raise InputError(f"{facts} facts are too few for {scopes} scopes", hint=hint)
    sizes = [rest // others + (place < rest % others) for place in range(others)]
    return Crowd(
        tenant=Member("tenant", world(tenant, questions, seed)),
        middle=Member("middle", world(middle, questions, seed + 1)),
        large=Member("large", world(large, questions, seed + 2)),
        others=tuple(Member(f"other {place}", world(size, 0, seed + 3 + place)) for place, size in enumerate(sizes)),
        largest=Member("largest", world(largest, questions, seed + 3 + others)) if largest else None,
    )


class WorldExtractor:
    """An extractor that knows what the messages of a member state."""

    name = "world"

    def __init__(self, member: Member) -> None:
        self._triples: dict[str, list[Triple]] = {}
        for triple in member.world.triples:
            self._triples.setdefault(triple.evidence[0], []).append(triple)

    def extract(self, window: Window) -> Sequence[Triple]:
        """See mem0g.extract.protocol.Extractor."""
        return [
            replace(triple, evidence=(message.id,))
            for message in window.messages
            for triple in self._triples[message.source_id or ""]
        ]


def changes(member: Member, embedder: Embedder, messages: int | None = None) -> Iterator[Change]:
    """Yield the changes of the first ``messages`` messages of a member (all by default), 500 facts each."""
    chosen, extractor = member.messages[:messages], WorldExtractor(member)
    step = FACTS_AT_ONCE // FACTS_PER_MESSAGE
    known: set[str] = set()
    for start in range(0, len(chosen), step):
        part = chosen[start : start + step]
        change = _change(member.scope, part, extractor.extract(Window(messages=part)), embedder)
        yield replace(change, entities=tuple(each for each in change.entities if each.id not in known))
        known |= {each.id for each in change.entities}


def _change(scope: Scope, messages: Sequence[Message], triples: Sequence[Triple], embedder: Embedder) -> Change:
    texts = [
        *(message.spoken for message in messages),
        *(text for each in triples for text in (each.subject, each.object, each.text)),
    ]
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    times = {message.id: message.time for message in messages}
    claims = [_claim(scope, triple, times[triple.evidence[0]], vectors[triple.text]) for triple in triples]
    facts = [claim.fact(claim.said_at or START, repeats=0) for claim in claims]
    entities = {end.id: end for claim in claims for end in (claim.subject, claim.object)}
    return Change(
        scope=scope,
        messages=tuple(messages),
        entities=tuple(entities.values()),
        facts=tuple(facts),
        decisions=tuple(_decision(*each) for each in zip(claims, facts, strict=True)),
        vectors={message.id: vectors[message.spoken] for message in messages}
        | {each.id: vectors[each.name] for each in entities.values()}
        | {each.id: vectors[each.text] for each in facts},
    )


def _claim(scope: Scope, triple: Triple, said_at: datetime | None, vector: Vector) -> ResolvedTriple:
    return ResolvedTriple(
        scope=scope,
        triple=triple,
        subject=_entity(scope, triple.subject, triple.subject_type),
        relation=normal_relation(triple.relation),
        object=_entity(scope, triple.object, triple.object_type),
        said_at=said_at,
        vector=vector,
    )


def _entity(scope: Scope, name: str, kind: str) -> Entity:
    known = content_id("e", str(scope), fold(name))
    return Entity(id=known, scope=scope, name=name, type=kind, created_at=START, updated_at=START)


def _decision(claim: ResolvedTriple, fact: Fact) -> Decision:
    triple = claim.triple
    return Decision(
        id=ResolvedTriple.decision_id(claim.scope, triple),
        operation="ADD",
        rule="new",
        reason="nothing known touches it",
        at=fact.recorded_at,
        fact_id=fact.id,
        evidence=triple.evidence,
        triple={"subject": triple.subject, "relation": triple.relation, "object": triple.object, "text": triple.text},
    )
