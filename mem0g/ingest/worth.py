"""What facts are worth to a reader who must know who is who and what is going on."""

from __future__ import annotations

from functools import cache
from typing import Final

from mem0g.conflict.passing_states import is_unfinished
from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.resolve.kinds import ANIMAL, GROUP, PERSON, kind_of

_LIVES: Final = (
    "lives_in, moves_to, comes_from, works_at, studies, teaches, marries, engaged_to, dates, divorces, hires, quits, "
    "loses, retires, owns, joins, starts, opens"
).split(", ")
"""Relations of homes, jobs, families and belongings, by their verbs."""

_OPINIONS: Final = (
    "feels, thinks, believes, appreciates, praises, admires, thanks, agrees, supports, encourages, advises, inspires, "
    "motivates, congratulates, compliments"
).split(", ")
"""Relations of moods and opinions, and of what people say to each other, by their verbs."""


LIFE, OTHER, OPINION = 0, 1, 2
"""Ranks of facts: of people, relations, jobs, homes, pets, plans and what is unfinished; others; moods and opinions."""


def rank(fact: Fact) -> int:
    """Return the rank of a fact: the lower, the more it is worth. Judged by English words alone."""
    parsed = parse_relation(fact.relation_given)
    verb = parsed.words[:1]
    finds = verb in _verbs("finds") and (fact.object_is_literal or parsed.tense == "now")
    if finds or verb in _verbs(*_OPINIONS):
        return OPINION
    is_plan = parsed.ahead and not parsed.denied
    if is_plan or verb in _verbs(*_LIVES) or is_unfinished(fact.relation_given, fact.text):
        return LIFE
    return LIFE if kind_of(fact.object_type) in (PERSON, ANIMAL, GROUP) else OTHER


@cache
def _verbs(*relations: str) -> frozenset[tuple[str, ...]]:
    return frozenset(parse_relation(each).words[:1] for each in relations)
