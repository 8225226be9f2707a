"""States that pass, which something that resembles them little may end: searches, troubles, doubts, moods.

Judged by English words alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.resolve.mentions import ALIAS
from mem0g.text.names import normal_relation

_STATE = re.compile(r"\b(?:is|are|am|has|have|do|does|can|cannot|will|still|now)\b|n['’]t\b", re.IGNORECASE)
"""Words of a sentence about a state."""

_FEELING = re.compile(r"(?:(?:IS|HAS_BEEN)_)?FEEL(?:S|ING)?(?:_|$)")

_IN_PROGRESS = re.compile(r"(?:IS|ARE|HAS_BEEN|HAVE_BEEN)_(?:[^\W_]+_)?[^\W_]+ING(?:_|$)")
"""Relations of what somebody is doing."""

_EFFORTS: Final = (
    "look for, seek, hunt for, research, look into, apply for, save for, try to, struggle, work on, prepare, "
    "rehearse, train for, wait for, consider, doubt, worry about, question, lack, need, have trouble, have problem, "
    "have difficulty"
).split(", ")
"""Verbs of what lasts until something comes of it."""

_HELD_BACK = re.compile(
    r"(?:IS|ARE|HAS_BEEN|HAVE_BEEN)_(?:[^\W_]+_)?(?:SICK|ILL|INJURED|HURT|SIDELINED|STUCK|HOSPITALI[SZ]ED|AWAY|OFF|BUSY|"
    r"SWAMPED|UNEMPLOYED|JOBLESS|HOMELESS|UNSURE|UNDECIDED|TORN)(?:_|$)"
)
"""Relations of what keeps somebody from something for a while."""

_LACKED = re.compile(r"(?:HAS|HAVE)_NOT_")
"""Relations of what somebody has not done or been so far."""

_GOING_ON = re.compile(
    r"\b(?:still|stuck|(?:is|are|(?:has|have) been) (?:\w+ly )?"
    r"(?:looking|searching|trying|struggling|waiting|planning|thinking|considering|working|having trouble))\b",
    re.IGNORECASE,
)
"""Words of a state that lasts until something comes of it."""


def is_passing(fact: Fact) -> bool:
    """Whether the fact is a state that passes: what is going on, a feeling, or what somebody has not or cannot do."""
    return fact.relation != ALIAS and is_passing_state(fact.relation_given, fact.text)


def is_passing_state(relation: str, text: str) -> bool:
    """Whether a relation, as it was given, and a sentence are those of a state that passes; see is_passing."""
    return is_unfinished(relation, text) or (
        _FEELING.match(normal_relation(relation)) is not None and not _is_past_event(relation, text)
    )


def is_unfinished(relation: str, text: str) -> bool:
    """Whether they are those of a state that something may come of: a passing one, but no feeling."""
    name = normal_relation(relation)
    if name == ALIAS or _FEELING.match(name) or _is_past_event(relation, text):
        return False
    parsed = parse_relation(relation)
    if parsed.denied:
        return parsed.tense != "past" or _LACKED.match(name) is not None
    effort = any(parsed.words[: len(each)] == each for each in _effort_stems())
    lasts = effort or _IN_PROGRESS.match(name) is not None or is_going_on(text)
    return _HELD_BACK.match(name) is not None or (parsed.tense != "past" and lasts)


def is_going_on(text: str) -> bool:
    """Whether a sentence has words for what lasts until something comes of it: still, is looking for."""
    return _GOING_ON.search(text) is not None


def is_past_event(fact: Fact) -> bool:
    """Whether the fact is an event of the past, which stays true, and not a state."""
    return _is_past_event(fact.relation_given, fact.text)


def _is_past_event(relation: str, text: str) -> bool:
    parsed = parse_relation(relation)
    return parsed.tense == "past" and not parsed.denied and not _STATE.search(text)


@cache
def _effort_stems() -> frozenset[tuple[str, ...]]:
    return frozenset(parse_relation(each).words for each in _EFFORTS)
