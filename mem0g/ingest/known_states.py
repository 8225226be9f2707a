"""The states that were going on when they were last told, which an extractor is shown so that it can end them.

What ends a search, a doubt or a mood seldom resembles it: an opening night ends "is looking for a place". The messages
themselves show it best. A state that a later one has replaced, and a plan whose day is long over, are left out: nobody
ends them by what is said now.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from mem0g.conflict.passing_states import is_passing, is_passing_state, is_unfinished
from mem0g.extract.protocol import KnownState, Window
from mem0g.ingest.nearby import Nearby
from mem0g.model import Fact, Triple
from mem0g.relations.parsing import parse_relation
from mem0g.store.candidates import FactCandidate
from mem0g.text.names import fold, normal_relation, statement_key
from mem0g.text.stemming import token_set

UNFINISHED, FEELINGS, LATEST = 12, 2, 2
"""States that an extractor is shown: so many that something may come of, plans and wishes among them, and so many
feelings, those first that matter most to the window; and of windows ahead so many that something may come of."""

SIMILAR, NAMED, RECENT, SETTLED = 1.0, 0.5, 0.6, 0.4
"""Weights of what makes a state matter: the cosine of the fact with the window; its words in the window; that it was
told lately; that something was begun or settled, which is no mere wish."""

HALF_LIFE = timedelta(days=30)
"""Time in which what was told loses half of its weight."""

MOOD = timedelta(days=30)
"""Time for which a feeling is shown: people seldom tell that it is over."""

MAX_WORDS = 20
"""Words of the value of a state that is shown: it has to be repeated word for word."""

STALE = timedelta(days=90)
"""Time after which a state is shown only where the window has a word of it."""

ANSWERED = timedelta(days=14)
"""Time after the day of a plan for which it is still shown: what came of it is told in the next conversations."""

_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)

_ADDITION = re.compile(r"\s(?:for|of|in|at|to|with|from|about|near|by|on)\s.*", re.IGNORECASE | re.DOTALL)
"""What a name says besides its head: "for the shop" of "investors for the shop"."""

SAME_OBJECT = 0.6
"""Share of the words of the shorter of two objects that the other has to have to be the same."""


def known_states(window: Window, near: Nearby, ahead: Sequence[Triple]) -> tuple[KnownState, ...]:
    """Return the passing states and plans of the speakers and of what the window names, in exactly its scope.

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
    said = frozenset(stem for message in window.messages for stem in token_set(message.text))
    found = [each for each in found if (_age(each.fact, now) or timedelta()) <= STALE or _named(each.fact, said)]
    found.sort(key=lambda each: (-_weight(each, said, now), each.fact.id))
    coming = _of_windows_ahead(window, ahead)
    shown = _chosen(found, now)
    taken_back = {statement_key(triple.subject, triple.relation, triple.object) for triple in ahead if triple.retracts}
    states = {_key(each): each for each in map(_state, shown)}  # of equal ones the latest
    states |= {_key(each): each for each in coming if each.day or _key(each) not in states}
    return tuple(each for key, each in states.items() if key not in taken_back)


def _chosen(first: Sequence[FactCandidate], now: datetime | None) -> list[FactCandidate]:
    """Return the states to be shown of those sorted by their weight, the oldest first."""
    unfinished, feelings = list[FactCandidate](), list[FactCandidate]()
    for each in first:
        if _may_come_true(each.fact.relation_given, each.fact.text):
            unfinished.append(each)
        elif (_age(each.fact, now) or timedelta()) <= MOOD:
            feelings.append(each)
    chosen = [*unfinished[:UNFINISHED], *feelings[:FEELINGS]]
    return sorted(chosen, key=lambda each: (_last_told(each.fact) or _EARLIEST, each.fact.id))


def _weight(each: FactCandidate, said: frozenset[str], now: datetime | None) -> float:
    """Return how much a state matters to a window that has ``said`` these stems ``now``."""
    age = _age(each.fact, now)
    recent = 0.5 ** (age / HALF_LIFE) if age is not None else 0.0
    settled = each.fact.planned_for is not None or parse_relation(each.fact.relation_given).tense in ("plan", "now")
    similar = max(each.similarities, default=0.0)
    return SIMILAR * similar + NAMED * _named(each.fact, said) + RECENT * recent + SETTLED * settled


def _named(fact: Fact, said: frozenset[str]) -> float:
    """Return the share of the words of a state's value, its subject aside, that were said."""
    stems = token_set(fact.object) - token_set(fact.subject)
    return len(stems & said) / (len(stems) or 1)


def _age(fact: Fact, now: datetime | None) -> timedelta | None:
    """Return how long before this time the fact was last told, None if either time is not known."""
    last = _last_told(fact)
    return None if now is None or last is None else max(now - last, timedelta())


def _last_told(fact: Fact) -> datetime | None:
    return max((time for time in (fact.said_at, fact.observed and fact.observed.start) if time), default=None)


def _may_come_true(relation: str, text: str) -> bool:
    """Whether it is a plan or a wish, or another state that something may come of."""
    parsed = parse_relation(relation)
    return (parsed.ahead and not parsed.denied) or is_unfinished(relation, text)


def _of_windows_ahead(window: Window, ahead: Sequence[Triple]) -> list[KnownState]:
    """Return the latest passing states of the window's speakers in triples that are not committed yet; one feeling."""
    speakers = set(map(fold, window.speakers))
    told = [
        triple
        for triple in ahead
        if fold(triple.subject) in speakers and not triple.retracts and _is_short(triple.object)
    ]
    unfinished = [each for each in told if _may_come_true(each.relation, each.text)]
    feelings = [each for each in told if each not in unfinished and is_passing_state(each.relation, each.text)]
    return [
        KnownState(
            subject=triple.subject,
            relation=normal_relation(triple.relation).lower(),
            object=triple.object,
            subject_type=triple.subject_type,
            object_type=triple.object_type,
            day=str(triple.observed or triple.valid_from or ""),
        )
        for triple in (*feelings[-1:], *unfinished[-LATEST:])
    ]


def _is_shown(fact: Fact) -> bool:
    passing = is_passing(fact) or _may_come_true(fact.relation_given, fact.text)
    return fact.current and passing and _is_short(fact.object)


def _is_over(fact: Fact, now: datetime | None) -> bool:
    """Whether the state had ended, or the day of what lay ahead when it was said has long passed, at this time."""
    if now is None:
        return False
    starts_later = fact.valid_from and fact.said_at and fact.valid_from.begins_after(fact.said_at)
    day = fact.planned_for or (fact.valid_from if starts_later else None)
    answered = now - min(ANSWERED, now - _EARLIEST)
    return any(end is not None and end.is_over(at) for end, at in ((fact.valid_to, now), (day, answered)))


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
    """Whether two names mean one thing: most words, and some of the heads. A place for a shop is no investor for it."""
    ours, theirs = token_set(one), token_set(other)
    heads = token_set(_ADDITION.sub("", one)) & token_set(_ADDITION.sub("", other))
    most = len(ours & theirs) >= max(1, SAME_OBJECT * min(len(ours), len(theirs)))
    return fold(one) == fold(other) or (bool(heads) and most)


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
