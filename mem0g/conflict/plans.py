"""What becomes of a plan or a wish: it comes true, or it is given up."""

from __future__ import annotations

from typing import Final

from mem0g.conflict.claim import Claim
from mem0g.model import Fact
from mem0g.relations.reading import read
from mem0g.relations.registry import Registry
from mem0g.resolve.names import parse
from mem0g.text.stemming import token_set

_CALLED_OFF: Final = frozenset({"cancel", "abandon"})
"""Stems of verbs that give up whatever was planned with their object."""

_PLANNING: Final = frozenset({"plan", "organiz", "organis", "arrang", "prepar"})
"""Stems of verbs whose object is what is planned."""


def came_true(claim: Claim, plan: Fact, registry: Registry) -> bool:
    """Whether the claim says that what was planned is done, with the same ends or an object of nearly the same name.

    A plan for a later day is another one, and so is what was done before there was a plan.
    """
    if claim.subject.id != plan.subject_id or _is_for_later(plan, claim) or _is_from_before(plan, claim):
        return False
    if claim.object.id == plan.object_id:
        return registry.fulfils(claim.relation, plan.relation)
    return _is_done(claim, plan) and _is_same_thing(claim.object.name, plan.object)


def given_up(claim: Claim, plan: Fact) -> bool:
    """Whether the claim takes back a plan or a wish of its subject: "cancelled", "does not want", "will not visit"."""
    intended, said = read(plan.relation), read(claim.relation)
    if claim.subject.id != plan.subject_id or intended.denied or _is_from_before(plan, claim):
        return False
    if not said.denied and not _CALLED_OFF.isdisjoint(said.words[:1]):
        planned = intended.ahead or not _PLANNING.isdisjoint(intended.words[:1])
        return planned and _is_part_of(plan.object, claim.object.name)
    if not (said.denied and intended.ahead and claim.object.id == plan.object_id):
        return False
    return said.words == ("want",) or (said.ahead and said.words == intended.words)


def _is_done(claim: Claim, plan: Fact) -> bool:
    """Whether it tells that somebody did what the verb of the plan says."""
    intended, done = read(plan.relation), read(claim.relation)
    if not intended.ahead or intended.denied or done.denied or done.tense != "past":
        return False
    return bool(done.words) and done.words[:1] == intended.words[:1]


def _is_same_thing(done: str, planned: str) -> bool:
    """Whether two names have one head, and that of what was done says no more: "festival" for "nearby festival"."""
    return token_set(parse(done).head) == token_set(parse(planned).head) and _is_part_of(done, planned)


def _is_part_of(one: str, other: str) -> bool:
    """Whether the words of a name, its owner aside, are among those of another."""
    words = token_set(" ".join(parse(one).words))
    return bool(words) and words <= token_set(" ".join(parse(other).words))


def _is_for_later(plan: Fact, claim: Claim) -> bool:
    done = claim.when_known()
    return plan.valid_from is not None and done is not None and plan.valid_from.start >= done.end


def _is_from_before(plan: Fact, claim: Claim) -> bool:
    done, told = claim.triple.valid_from, plan.valid_from
    since = min((time for time in (plan.said_at, told and told.start) if time), default=None)
    return done is not None and since is not None and done.end <= since
