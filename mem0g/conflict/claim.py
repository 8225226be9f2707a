"""A triple whose ends are nodes, and what was decided about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.model import Decision, Entity, Fact, Scope, Triple, content_id
from mem0g.store.change import Retirement, Support
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A triple with its ends resolved and its relation canonical; ``said_at`` is the time of its first evidence."""

    scope: Scope
    triple: Triple
    subject: Entity
    relation: str
    object: Entity
    said_at: datetime | None
    vector: Vector

    @staticmethod
    def told(scope: Scope, triple: Triple) -> str:
        """The id of a decision about ``triple`` from its evidence: where the store knows it, it was taken before."""
        claim = (triple.subject, triple.relation, triple.object, triple.text, str(triple.retracts), *triple.evidence)
        return content_id("d", str(scope), *claim)

    @property
    def start(self) -> datetime | None:
        """Since when it is true, as far as it is told: its own date, else when it was said."""
        return self.triple.valid_from.start if self.triple.valid_from else self.said_at

    @property
    def is_past(self) -> bool:
        """Whether it had ended when it was said."""
        until = self.triple.valid_to
        return until is not None and self.said_at is not None and until.end <= self.said_at

    def shares_an_end(self, subject_id: str, object_id: str) -> bool:
        """Whether a fact between these two has an entity in common with it."""
        return bool({self.subject.id, self.object.id} & {subject_id, object_id})

    def when_known(self) -> Moment | None:
        """The moment from which it replaces what it contradicts."""
        return self.triple.valid_from or (Moment(self.said_at) if self.said_at else None)

    def fact(self, at: datetime, *, repeats: int) -> Fact:
        """The new fact that it makes; ``repeats`` tells it from so many facts of the same edge before it."""
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
            said_at=self.said_at,
            recorded_at=at,
            confidence=triple.confidence,
            evidence=triple.evidence,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What becomes of a claim: the log entry, a new fact or support for a known one, and the facts it retires."""

    decision: Decision
    fact: Fact | None = None
    support: Support | None = None
    retirements: tuple[Retirement, ...] = ()
