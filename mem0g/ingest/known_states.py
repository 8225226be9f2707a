"""The states that were going on when they were last told, which an extractor is shown so that it can end them.

What ends a search, a doubt or a mood seldom resembles it: an opening night ends "is looking for a place". The messages
themselves show it best. A state that a later one has replaced, and a plan whose day is long over, are left out: nobody
ends them by what is said now.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from mem0g.conflict.passing_states import is_passing, is_passing_state, is_unfinished
from mem0g.extract.protocol import KnownState, Window
from mem0g.ingest.nearby import Nearby
from mem0g.model import Fact, Triple
from mem0g.relations.parsing import parse_relation
from mem0g.store.candidates import FactCandidate
from mem0g.text.names import fold, normal_relation, statement_key
from mem0g.text.stemming import token_set

UNFINISHED, FEELINGS, LATEST = 12, 2, 2
"""States that an extractor is shown: so many that something may come of and so many feelings, the most similar to the
window, and of the latest others. People tell of more feelings than of anything else, and few of them end."""

MAX_WORDS = 20
"""Words of the value of a state that is shown: it has to be repeated word for word."""

ANSWERED = timedelta(days=14)
"""Time after the day of a plan for which it is still shown: what came of it is told in the next conversations."""

SAME_OBJECT = 0.6
"""Share of the words of the shorter of two objects that the other has to have to be the same."""


def known_states(window: Window, near: Nearby, ahead: Sequence[Triple]) -> tuple[KnownState, ...]:
    """Return the passing states of the speakers and of what the window names, in exactly its scope.

    ``near`` is what was read for the window, ``ahead`` are triples of windows that are not committed yet: the latest
    states are theirs. Oldest first.
    """
    subjects = {entity.id for entity in near.named}
    found = [
        each
        for each in near.facts
        if each.fact.scope == window.scope and each.fact.subject_id in subjects and _is_shown(each.fact)
    ]
    now = window.messages[0].local_time
    later = [each.fact for each in found]
    found = [each for each in found if not _is_over(each.fact, now) and not _is_replaced(each.fact, later)]
    found.sort(key=lambda each: (-max(each.similarities, default=0.0), each.fact.id))
    coming = _of_windows_ahead(window, ahead)[-LATEST:]
    shown = _chosen(found, LATEST - len(coming))
    taken_back = {statement_key(triple.subject, triple.relation, triple.object) for triple in ahead if triple.retracts}
    states = {_key(each): each for each in map(_state, shown)}  # of equal ones the latest
    states |= {_key(each): each for each in coming if each.day or _key(each) not in states}
    return tuple(each for key, each in states.items() if key not in taken_back)


def _chosen(nearest: Sequence[FactCandidate], latest: int) -> list[FactCandidate]:
    """Return the states to be shown, and ``latest`` others; the oldest first."""
    unfinished, feelings = list[FactCandidate](), list[FactCandidate]()
    for each in nearest:
        (unfinished if is_unfinished(each.fact.relation_given, each.fact.text) else feelings).append(each)
    chosen = [*unfinished[:UNFINISHED], *feelings[:FEELINGS]]
    others = [*unfinished[UNFINISHED:], *feelings[FEELINGS:]]
    others.sort(key=lambda each: (_said(each.fact), each.fact.id), reverse=True)
    return sorted([*chosen, *others[:latest]], key=lambda each: (_said(each.fact), each.fact.id))


def _of_windows_ahead(window: Window, ahead: Sequence[Triple]) -> list[KnownState]:
    """Return the passing states of the window's speakers in triples that are not committed yet."""
    speakers = set(map(fold, window.speakers))
    return [
        KnownState(
            subject=triple.subject,
            relation=normal_relation(triple.relation).lower(),
            object=triple.object,
            subject_type=triple.subject_type,
            object_type=triple.object_type,
            day=str(triple.observed or triple.valid_from or ""),
        )
        for triple in ahead
        if fold(triple.subject) in speakers
        and not triple.retracts
        and is_passing_state(triple.relation, triple.text)
        and _is_short(triple.object)
    ]


def _is_shown(fact: Fact) -> bool:
    return fact.current and is_passing(fact) and _is_short(fact.object)


def _is_over(fact: Fact, now: datetime | None) -> bool:
    """Whether the state had ended, or the day of what lay ahead when it was said has long passed, at this time."""
    if now is None:
        return False
    starts_later = fact.valid_from and fact.said_at and fact.valid_from.begins_after(fact.said_at)
    day = fact.planned_for or (fact.valid_from if starts_later else None)
    return any(end is not None and end.is_over(at) for end, at in ((fact.valid_to, now), (day, now - ANSWERED)))


def _is_replaced(fact: Fact, others: Sequence[Fact]) -> bool:
    """Whether another was said later of the same subject with the same verb and object, or the opposite of the object.

    "Is still looking for a flat in Graz" replaces "is looking for a flat", "does not want pets" "is considering pets".
    """
    told = parse_relation(fact.relation_given)
    for other in others:
        if other.subject_id != fact.subject_id or _said(other) <= _said(fact):
            continue
        later = parse_relation(other.relation_given)
        if later.denied != told.denied:
            if other.object_id == fact.object_id:
                return True
        elif later.words == told.words and _is_same_object(other.object, fact.object):
            return True
    return False


def _is_same_object(one: str, other: str) -> bool:
    ours, theirs = token_set(one), token_set(other)
    return fold(one) == fold(other) or len(ours & theirs) >= max(1, SAME_OBJECT * min(len(ours), len(theirs)))


def _is_short(name: str) -> bool:
    return len(name.split()) <= MAX_WORDS


def _said(fact: Fact) -> float:
    return fact.said_at.timestamp() if fact.said_at else 0.0


def _state(each: FactCandidate) -> KnownState:
    fact = each.fact
    day = fact.observed or fact.valid_from or _day(fact.said_at)
    return KnownState(
        subject=fact.subject,
        relation=normal_relation(fact.relation_given).lower(),
        object=fact.object,
        subject_type=fact.subject_type,
        object_type=fact.object_type,
        day=str(day or ""),
    )


def _day(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d}" if time else ""


def _key(state: KnownState) -> tuple[str, str, str]:
    return statement_key(state.subject, state.relation, state.object)
