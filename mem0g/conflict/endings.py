"""Which known facts a deed ends, and an end without the name that a fact has: the Skoda that was sold, "the job"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from mem0g.conflict.order_of_time import is_earlier
from mem0g.conflict.outcomes import DOSED, UNMARRIED_COUPLES
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Fact
from mem0g.relations.registry import Registry
from mem0g.resolve.names import parse
from mem0g.store.queries import RelatedFact
from mem0g.text.names import fold
from mem0g.times import Moment

JOBS: Final = frozenset({"WORKS_AT", "WORKS_AS"})
_UNNAMED: Final = {
    ("WORKS_AT", "job"): JOBS,
    ("WORKS_AS", "job"): JOBS,
    ("DATING", "partner"): UNMARRIED_COUPLES,
    ("ENGAGED_TO", "partner"): frozenset({"ENGAGED_TO"}),
}
"""The relations that a triple takes back of its subject, whatever the other end is called."""
_GROUPS: Final = frozenset({"MEMBER_OF"})
"""Relations to a group, which may be called by the last word of its name: the choir."""
_HOME: Final = "LIVES_IN"


def may_be_ended(new: ResolvedTriple, relation: str, registry: Registry) -> bool:
    """Whether the triple can end a fact of this relation between its subject and another entity."""
    return relation in _unnamed(new) or relation in _by_short_name(new, registry)


def ended_by(new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    """Return the current facts whose relation the triple's relation ends.

    They are between the same entities, or with a thing that the triple calls by a part of its name.
    """
    ends = registry.get(new.relation).ends
    named = [
        each.fact for each in related if each.fact.current and each.fact.relation in ends and new.has_ends_of(each.fact)
    ]
    return [
        fact
        for fact in named or named_longer(new, related, registry)
        if not (is_earlier(new, fact) or _is_of_another(new, fact) or (fact.relation == _HOME and _is_for_a_while(new)))
    ]


def named_longer(new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    """Return the current facts of the triple's subject about the one thing of whose name the triple has a part.

    That is about the Skoda Fabia where the Skoda or the Fabia was sold.
    """
    relations, short = _by_short_name(new, registry), parse(new.object.name).words
    fitting = [
        each.fact
        for each in related
        if each.fact.current
        and each.fact.relation in relations
        and each.fact.subject_id == new.subject.id
        and (_is_part(each.fact, short) or each.fact.relation == f"HAS_{'_'.join(short).upper()}")
    ]
    return fitting if len({fact.object_id for fact in fitting}) == 1 else []


def unnamed(new: ResolvedTriple, related: Sequence[RelatedFact]) -> list[Fact]:
    """Return the current jobs, or couples, of the subject of a triple that takes back "the job", or a partner."""
    relations = _unnamed(new)
    return [
        each.fact
        for each in related
        if each.fact.current
        and each.fact.relation in relations
        and (
            each.fact.subject_id == new.subject.id
            or (each.fact.relation in UNMARRIED_COUPLES and each.fact.object_id == new.subject.id)
        )
    ]


def _unnamed(new: ResolvedTriple) -> frozenset[str]:
    return _UNNAMED.get((new.relation, fold(new.triple.object)), frozenset()) if new.triple.retracts else frozenset()


def _by_short_name(new: ResolvedTriple, registry: Registry) -> frozenset[str]:
    """Return the relations to things that the triple may end under a part of their name."""
    if new.triple.retracts:
        return _owned(registry) if new.relation == "OWNS" else (_GROUPS | DOSED) & {new.relation}
    ends = registry.get(new.relation).ends
    return _owned(registry) & frozenset(ends) if "OWNS" in ends else frozenset()


def _owned(registry: Registry) -> frozenset[str]:
    """Return the relations to what is somebody's: those that its sale ends."""
    return frozenset(registry.get("SOLD").ends)


def _is_part(fact: Fact, short: tuple[str, ...]) -> bool:
    name, words = fact.object, parse(fact.object).words
    if not 0 < len(short) < len(words) or short not in (words[: len(short)], words[-len(short) :]):
        return False
    if fact.relation in _GROUPS:
        return short == words[-len(short) :]
    if fact.relation in DOSED:
        return short == words[: len(short)]
    capitals = {word.casefold() for word in name.split() if word[:1].isupper()}
    return name[:1].isupper() or capitals.issuperset(short)


def _is_of_another(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether a thing without a name was one before that of the fact: the car sold last year, and the one of today."""
    return fact.object == fact.object.lower() and ends_before(new.triple.valid_from, fact)


_FOR_GOOD = re.compile(r"\bfor good\b", re.IGNORECASE)


def _is_for_a_while(new: ResolvedTriple) -> bool:
    """Whether somebody may have left a place for a trip only: it is not said for good, nor told as of a month."""
    if new.relation != "LEFT" or _FOR_GOOD.search(new.triple.text):
        return False
    begun = new.triple.valid_from
    return begun is None or "week of" in new.triple.text or begun.precision not in ("month", "year")


def ends_before(ended: Moment | None, fact: Fact) -> bool:
    """Whether the end is before the fact began; a plan begins when it is said, and may be given up before its day."""
    start = _start(fact)
    if start and fact.said_at:
        start = min(start, fact.said_at)
    return ended is not None and start is not None and ended.end <= start


def _start(fact: Fact) -> datetime | None:
    return fact.valid_from.start if fact.valid_from else fact.said_at
