"""What a conflict policy is given and what it returns.

A policy decides what becomes of each new triple of a window beside the known facts: it is added, it confirms a known
fact, or it retires some. ``RuleDecider`` decides by rules, ``LLMJudge`` asks a language model; pass another one as
``Memory.open(conflict_policy=...)``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from mem0g.embed.protocol import MINILM, Thresholds
from mem0g.model import Decision, Entity, Fact, Operation, Scope, Succession, Triple, content_id
from mem0g.relations.registry import Registry
from mem0g.resolve.nodes import UncertainMatch
from mem0g.store.change import Retirement, Support
from mem0g.store.queries import RelatedFact
from mem0g.times import Moment, utc

if TYPE_CHECKING:
    from mem0g.model import Vector

RULE = "rule"
"""``Decision.decided_by`` where no model and no user decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedTriple:
    """A new triple whose ends are entities of the graph and whose relation is canonical.

    ``said_at`` is the time of the message that first told it, in the zone in which that was said, ``vector`` the
    embedding of its text (a unit vector).
    """

    scope: Scope
    triple: Triple
    subject: Entity
    relation: str
    object: Entity
    said_at: datetime | None
    vector: Vector

    @classmethod
    def of(cls, fact: Fact, vector: Vector) -> ResolvedTriple:
        """Return the triple that a stored fact was made of; ``vector`` is the embedding of its text."""
        at, scope = fact.recorded_at, fact.scope
        subject = Entity(
            id=fact.subject_id, scope=scope, name=fact.subject, type=fact.subject_type, created_at=at, updated_at=at
        )
        thing = Entity(
            id=fact.object_id, scope=scope, name=fact.object, type=fact.object_type, created_at=at, updated_at=at
        )
        triple = Triple(
            subject=fact.subject,
            relation=fact.relation,
            object=fact.object,
            text=fact.text,
            subject_type=fact.subject_type,
            object_type=fact.object_type,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
            evidence=fact.evidence,
            observed=fact.observed,
            planned_for=fact.planned_for,
        )
        return cls(
            scope=scope,
            triple=triple,
            subject=subject,
            relation=fact.relation,
            object=thing,
            said_at=fact.said_at,
            vector=vector,
        )

    @staticmethod
    def decision_id(scope: Scope, triple: Triple) -> str:
        """Return the id of the decision about ``triple``; a store that knows it has taken the decision before."""
        identity = (triple.subject, triple.relation, triple.object, triple.text, str(triple.retracts), *triple.evidence)
        return content_id("d", str(scope), *identity)

    @property
    def start(self) -> datetime | None:
        """The start of its own date, else the time at which it was said."""
        return self.triple.valid_from.start if self.triple.valid_from else self.said_at

    @property
    def is_past(self) -> bool:
        """Whether it had ended when it was said."""
        until = self.triple.valid_to
        return until is not None and self.said_at is not None and until.is_over(self.said_at)

    @property
    def effective_from(self) -> Moment | None:
        """The moment from which it replaces what it contradicts: its date, the day it was observed, or when said."""
        return self.triple.valid_from or self.triple.observed or (Moment(self.said_at) if self.said_at else None)

    def one_lies_ahead(self, fact: Fact) -> bool:
        """Whether either the triple or the fact, not both, is planned for a day after the triple was said."""
        ours, theirs = (
            day is not None and (self.said_at is None or day.begins_after(self.said_at))
            for day in (self.triple.planned_for, fact.planned_for)
        )
        return ours != theirs

    def shares_an_end(self, subject_id: str, object_id: str) -> bool:
        """Whether a fact between these two has an entity in common with the triple; an equal value is none."""
        ours = {self.subject.id} if self.object.is_literal else {self.subject.id, self.object.id}
        return not ours.isdisjoint((subject_id, object_id))

    def has_ends_of(self, fact: Fact) -> bool:
        """Whether a fact is between the same two entities, in either direction."""
        return {fact.subject_id, fact.object_id} == {self.subject.id, self.object.id}

    def fact(self, at: datetime, *, repeats: int) -> Fact:
        """Return the fact that the triple makes, recorded ``at``.

        ``repeats`` is the number of earlier facts with the same edge; it keeps their ids apart.
        """
        triple = self.triple
        first = triple.evidence[0] if triple.evidence else at.isoformat()
        edge = (self.subject.id, self.relation, self.object.id)
        return Fact(
            id=content_id("f", str(self.scope), *edge, triple.text, first, repeats),
            scope=self.scope,
            subject_id=self.subject.id,
            subject=self.subject.name,
            subject_type=self.subject.type,
            relation=self.relation,
            relation_given=triple.relation,
            object_id=self.object.id,
            object=self.object.name,
            object_type=self.object.type,
            text=triple.text,
            valid_from=triple.valid_from,
            valid_to=triple.valid_to,
            said_at=utc(self.said_at) if self.said_at else None,
            recorded_at=at,
            confidence=triple.confidence,
            evidence=triple.evidence,
            brief=triple.brief,
            observed=triple.observed,
            planned_for=triple.planned_for,
            metadata=triple.metadata,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedWindow:
    """The new triples of a window and, for each of them, the known facts that it may touch.

    ``related`` has one sequence per triple: the facts of any status with its subject and relation, or with its two
    entities, and the ``nearest`` most similar current ones; what does not concern a SelectivePolicy may be left out.
    ``at`` is the time of the decisions, ``window`` the id of the window ("" for triples that no extractor made).
    ``uncertain`` are pairs of entities that may be one. ``thresholds`` are those of the embedder that made the vectors.

    Where several windows are decided about together (Settings.together), ``parts`` are the places of the triples of
    each of them, in order; ``window`` is then the id of the first.

    ``ends`` are the successions, by fact, of those retired facts whose end may have to move as a triple is told late: a
    rule retired them, and took their end from the beginning of their successor.
    """

    triples: tuple[ResolvedTriple, ...]
    related: tuple[tuple[RelatedFact, ...], ...]
    registry: Registry
    at: datetime
    window: str = ""
    uncertain: tuple[UncertainMatch, ...] = ()
    thresholds: Thresholds = MINILM
    parts: tuple[range, ...] = ()
    ends: Mapping[str, Succession] = field(default_factory=dict)

    @property
    def windows(self) -> tuple[range, ...]:
        """The places of the triples of each window; all of them where there are no ``parts``."""
        return self.parts or (range(len(self.triples)),)


@dataclass(frozen=True, slots=True)
class EarlierEnd:
    """Another end of a fact that is retired already; it stays retired since when it was.

    ``end`` has the new end and the new successor, ``before`` is the succession that it takes the place of.
    """

    end: Retirement
    before: Succession


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What becomes of one triple: the log entry, a new fact or support for a known one, and the facts it retires.

    ``moved`` are the facts retired before that end at another time than was known, as the triple was told late.
    ``ending`` gives known facts an end that lies ahead: they stay current. ``held`` are retirements that are not made
    but kept for a person to accept or drop (``Memory.review``).
    """

    decision: Decision
    fact: Fact | None = None
    support: Support | None = None
    retirements: tuple[Retirement, ...] = ()
    moved: tuple[EarlierEnd, ...] = ()
    ending: tuple[Support, ...] = ()
    held: tuple[Retirement, ...] = ()

    @property
    def supports(self) -> tuple[Support, ...]:
        """What it adds to known facts."""
        return (*((self.support,) if self.support else ()), *self.ending)

    def without_retirements(self, fact_ids: Collection[str]) -> Verdict:
        """Return the verdict that leaves these facts current; its log entry no longer names them."""
        retirements = tuple(each for each in self.retirements if each.succession.fact_id not in fact_ids)
        if len(retirements) == len(self.retirements):
            return self
        targets = tuple(each for each in self.decision.targets if each not in fact_ids)
        without: Operation = "ADD" if self.fact else "NOOP"
        operation = self.decision.operation if targets else without
        decision = dataclasses.replace(self.decision, operation=operation, targets=targets)
        return dataclasses.replace(self, decision=decision, retirements=retirements)


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyAnswer:
    """The answer to an ``OpenQuestion``.

    ``reply`` is whatever the question needs to decide. ``sentences`` are the texts that its verdicts give to new facts,
    which are embedded before it decides. ``same_entities`` are those pairs (new id, known id) of
    ``ResolvedWindow.uncertain`` that are one entity.
    """

    reply: object
    sentences: tuple[str, ...] = ()
    same_entities: tuple[tuple[str, str], ...] = ()


class OpenQuestion(Protocol):
    """A question that a policy has to ask before it can decide, outside of the window's transaction as it may be
    slow."""

    @property
    def key(self) -> str:
        """An id of what is asked: equal keys have equal answers."""
        ...

    def ask(self) -> PolicyAnswer:
        """Return the answer. Called with no transaction open; what it raises is raised by ``Memory.add``."""
        ...

    def decide(self, answer: PolicyAnswer, triples: Sequence[ResolvedTriple]) -> Sequence[Verdict]:
        """Return one verdict per triple; ``triples`` are resolved again if the answer has ``same_entities``."""
        ...


Decided: TypeAlias = Sequence[Verdict] | OpenQuestion
"""One verdict per triple, in order, or what has to be asked first."""


class ConflictPolicy(Protocol):
    """Decides what the new triples of a window do to the known facts."""

    @property
    def nearest(self) -> int:
        """How many of the most similar current facts to look up for each triple."""
        ...

    def decide(self, window: ResolvedWindow) -> Decided:
        """Return one verdict per triple of the window, in order; a later triple sees what an earlier one did.

        Called inside the transaction that commits the window, perhaps several times: it must be quick, have no side
        effects and ask no server. A policy that has to ask one returns an OpenQuestion: the transaction is given up,
        ``ask`` is called, and ``decide`` again in a new transaction; when it returns a question of the same key,
        that question decides with the answer.
        """
        ...


@runtime_checkable
class SelectivePolicy(ConflictPolicy, Protocol):
    """A policy that never looks at facts of some relations, so that a store need not read them."""

    def concerns(self, new: ResolvedTriple, registry: Registry) -> Callable[[str], bool]:
        """Return whether facts about the triple's subject and another object matter, given their canonical relation.

        Those between the same two entities always do, and those of a relation that has one subject at a time.
        """
        ...


def begun(told: Moment | None, known: Fact) -> Moment | None:
    """Return when what a known fact says began or happened, where a later telling of it gives a time or none.

    The known time stays, unless the one told is a part of it: the day of a known month. What was told before the time
    held then, so it cannot have begun at it: that is when it was told again.
    """
    if told is None or known.valid_from is None:
        return told if told and not (known.said_at and told.begins_after(known.said_at)) else known.valid_from
    is_part = known.valid_from.start <= told.start and told.end <= known.valid_from.end
    return told if is_part else known.valid_from


def support(new: ResolvedTriple, known: Fact, at: datetime) -> Support:
    """Return what the triple adds to a known fact that says the same: evidence, dates, a later day of observation.

    Its end only if that is later than ``at``. The fact's own metadata stays; new keys of the triple's metadata are
    added.
    """
    triple = new.triple
    until = triple.valid_to if known.current and known.valid_to is None else None
    ends = until is not None and until.lies_ahead(at) and triple.planned_for == known.planned_for
    later = triple.observed is not None and str(triple.observed) > str(known.observed or "")
    return Support(
        known.id,
        evidence=tuple(each for each in triple.evidence if each not in known.evidence),
        valid_from=begun(triple.valid_from, known) if known.valid_from is None else None,
        valid_to=until if ends else None,
        observed=triple.observed if later else None,
        planned_for=triple.planned_for if known.planned_for is None else None,
        metadata={**triple.metadata, **known.metadata} if triple.metadata.keys() - known.metadata.keys() else {},
    )


def repeats(new: ResolvedTriple, facts: Iterable[Fact]) -> int:
    """Return how many of ``facts`` have the edge of the triple: see ``ResolvedTriple.fact``."""
    return sum(fact.edge == (new.subject.id, new.relation, new.object.id) for fact in facts)


def retirement(
    fact: Fact, ended: Moment | None, successor: str | None, reason: str, at: datetime, *, decided_by: str = RULE
) -> Retirement:
    """Return the retirement of ``fact``, which ended at ``ended``, by default at ``at``; a known end is kept.

    The known end of a plan is the last day that it is for; it is dropped once the plan is given up or has come true.
    """
    succession = Succession(fact_id=fact.id, successor_id=successor, reason=reason, decided_by=decided_by, at=at)
    known = None if fact.planned_for else fact.valid_to
    return Retirement(succession, known or ended or Moment(at))


def log_entry(
    new: ResolvedTriple,
    operation: Operation,
    rule: str,
    reason: str,
    at: datetime,
    *,
    decided_by: str = RULE,
    fact_id: str | None = None,
    targets: tuple[str, ...] = (),
    score: float | None = None,
) -> Decision:
    """Return the log entry about a triple; ``targets`` are the ids of the facts that it retires."""
    triple = new.triple
    decision_id = ResolvedTriple.decision_id(new.scope, triple)
    given = {"subject": triple.subject, "relation": triple.relation, "object": triple.object, "text": triple.text}
    return Decision(
        id=decision_id if triple.evidence else content_id("d", decision_id, at.isoformat()),
        operation=operation,
        rule=rule,
        reason=reason,
        at=at,
        decided_by=decided_by,
        fact_id=fact_id,
        targets=targets,
        score=score,
        evidence=triple.evidence,
        triple=given,
    )


def retired(fact: Fact, end: Retirement) -> Fact:
    """Return the fact as it is after the retirement ``end``."""
    return dataclasses.replace(fact, retired_at=end.succession.at, valid_to=end.valid_to)


def ended_earlier(fact: Fact, end: Retirement) -> Fact:
    """Return the retired fact as it is once its end has moved: see EarlierEnd."""
    return dataclasses.replace(fact, valid_to=end.valid_to)
