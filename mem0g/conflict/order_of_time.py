"""Which of two facts is about the earlier time, and where a fact that is told late belongs between the others.

Of facts that exclude each other, each ends where the next one begins, in whatever order they are told: an older export
may be ingested after a newer one. A fact that is told late ends where the next known one begins, and the end of the one
before it moves to its own beginning. Only an end that the rules took from the beginning of a successor is moved; one
that a message or a user gave stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from mem0g.conflict.cardinality import rivals
from mem0g.conflict.protocol import RULE, EarlierEnd, ResolvedTriple, retirement
from mem0g.model import Decision, Fact, Succession
from mem0g.relations.registry import Registry
from mem0g.store.protocol import Transaction
from mem0g.store.queries import RelatedFact
from mem0g.times import Moment

_MOVED = re.compile(r"(?<!has )(?<!have )(?:moved|relocated|emigrated) ")
_IN_A_YEAR = re.compile(r"\b(?:in|on) (?:\w+ ){0,2}(?:19|20)\d\d\b")
"""Two patterns, as one for both takes a time that grows with the square of a text's length."""

LONG_AGO = timedelta(days=365)
"""How long a move must lie before somebody told where they live for that home to be the later one. A move of last month
is told by people who have moved, whatever they said before."""

TOLD_LATE = "about an earlier time"
"""The rule of a decision that adds a fact as one that has ended where a later one begins."""


def is_earlier(one: ResolvedTriple | Fact, other: Fact) -> bool:
    """Whether one is about a time before the other: by their dates, else by when they were said.

    A state that was observed again holds at least until then.
    """
    ours, theirs = one.valid_from if isinstance(one, Fact) else one.triple.valid_from, other.valid_from
    if ours and theirs:
        return ours.end <= theirs.start
    if ours and other.said_at and other.relation == "LIVES_IN" and _tells_when_moved(_text(one)):
        return ours.end + LONG_AGO <= other.said_at and other.object not in _text(one)
    held = [each for each in (theirs, Moment(other.said_at) if other.said_at else None, other.observed) if each]
    if one.said_at is None or not any(each.begins_after(one.said_at) for each in held):
        return False
    # "since 2020", said after the other was said: the later message counts
    return ours is None or ours.end <= max(each.start for each in held)


def _tells_when_moved(text: str) -> bool:
    """Whether it tells of a move in a year that it names: "moved to Rome in 2010", which may be long over."""
    moves = ((line, _MOVED.search(line)) for line in text.splitlines())
    return any(move and _IN_A_YEAR.search(line, move.end()) for line, move in moves)


def _text(told: ResolvedTriple | Fact) -> str:
    return told.text if isinstance(told, Fact) else told.triple.text


def beginning(fact: Fact) -> Moment | None:
    """Return the moment from which a fact replaces others: its date, the day it was first observed, or when said."""
    if fact.valid_from:
        return fact.valid_from
    if fact.observed and (fact.said_at is None or fact.observed.start <= fact.said_at):
        return fact.observed
    return Moment(fact.said_at) if fact.said_at else None


def later_facts(new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    """Return the facts that exclude the triple and began after it, whether they are current or have ended since."""
    excluded = (each for each in rivals(new, related, registry) if each.current or has_held(each))
    return [each for each in excluded if is_earlier(new, each)]


def end_before(new: ResolvedTriple, later: Iterable[Fact]) -> tuple[Fact, Moment | None]:
    """Return the first of the ``later`` facts, and the moment at which the triple has ended at the latest.

    That is where this fact begins; or, if it began before the triple, the day on which it was observed again.
    """
    starts = [(_first_after(new, each), each) for each in later]
    ended, first = min(starts, key=lambda each: (each[0] is None, each[0] and each[0].start, each[1].id))
    return first, ended


def earlier_ends(
    new: ResolvedTriple,
    made: Fact,
    related: Sequence[RelatedFact],
    registry: Registry,
    ends: Mapping[str, Succession],
    at: datetime,
) -> tuple[EarlierEnd, ...]:
    """Return the ends that move to the beginning of ``made``, the fact of the triple ``new``.

    They are those of facts in ``ends`` (see ResolvedWindow) that began before it and now end after its beginning.
    """
    reason = f"{new.relation} has one at a time, and this one began before it was known to have ended"
    return tuple(
        EarlierEnd(retirement(_unended(fact), new.effective_from, made.id, reason, at), ends[fact.id])
        for fact in _reaching_beyond(new, related, registry, at)
        if fact.id in ends
    )


def rule_ends(
    transaction: Transaction,
    triples: Sequence[ResolvedTriple],
    related: Sequence[Sequence[RelatedFact]],
    registry: Registry,
    at: datetime,
) -> dict[str, Succession]:
    """Return, by fact, how those were retired whose end one of the triples may move: see ResolvedWindow.ends.

    The store is asked only where there are such facts: where a triple is told late.
    """
    found = {
        fact.id
        for new, facts in zip(triples, related, strict=True)
        for fact in _reaching_beyond(new, facts, registry, at)
    }
    if not found:
        return {}
    ids = sorted(found)
    log = transaction.decisions(about=ids)
    links: dict[str, list[Succession]] = {}
    for each in transaction.successions(ids):
        links.setdefault(each.fact_id, []).append(each)
    return {
        fact_id: each[0]
        for fact_id, each in links.items()
        if len(each) == 1 and is_by_rule(each[0]) and _was_open(fact_id, log)
    }


def is_by_rule(link: Succession) -> bool:
    """Whether rules retired a fact for its successor."""
    return link.decided_by == RULE and link.successor_id is not None


def _was_open(fact_id: str, log: Sequence[Decision]) -> bool:
    """Whether the log knows that the fact had no end of its own before it was retired, or when it was told late."""
    images = (image for each in log for image in each.before.get("facts", ()) if image["id"] == fact_id)
    current = [image for image in images if image["retired_at"] is None]
    if current:
        return all(image["valid_to"] is None for image in current)
    return any(each.rule == TOLD_LATE and fact_id in each.before.get("created_facts", ()) for each in log)


def _reaching_beyond(
    new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry, at: datetime
) -> list[Fact]:
    """Return the retired facts that exclude the triple, began before it, and ended after its beginning."""
    since = new.effective_from
    if new.triple.retracts or since is None:
        return []
    ended = [
        each
        for each in related
        if not each.fact.current and each.fact.valid_to and since.start < each.fact.valid_to.start
    ]
    if not ended:
        return []
    made = new.fact(at, repeats=0)
    return [fact for fact in rivals(new, ended, registry) if is_earlier(fact, made) and not is_earlier(new, fact)]


def has_held(fact: Fact) -> bool:
    """Whether a retired fact was true for some time: one that was corrected or undone never was."""
    began = beginning(fact)
    return fact.valid_to is not None and began is not None and began.start < fact.valid_to.start


def held_at(fact: Fact, at: datetime) -> bool:
    """Whether a retired fact was true at a moment, as far as is known."""
    began = beginning(fact)
    return (
        has_held(fact) and began is not None and fact.valid_to is not None and began.start <= at < fact.valid_to.start
    )


def _first_after(new: ResolvedTriple, fact: Fact) -> Moment | None:
    began = beginning(fact)
    if began and new.start and fact.observed and began.start <= new.start < fact.observed.start:
        return fact.observed
    return began


def _unended(fact: Fact) -> Fact:
    return replace(fact, valid_to=None)
