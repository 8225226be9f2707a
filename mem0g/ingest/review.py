"""Retirements held back because a model decided on suspiciously many at once: kept in the store until a person accepts
or drops them.

A model that reads messages can be talked into obeying them. What it may touch is bounded by what it is shown, and how
much of that it may retire within one window is bounded here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mem0g.conflict.case import Case
from mem0g.conflict.claim import Verdict
from mem0g.errors import NotFoundError
from mem0g.history.images import USER, fact_image, image
from mem0g.model import Decision, Fact, Operation, Scope, Succession, content_id
from mem0g.store.change import Change, Retirement
from mem0g.store.note import Note
from mem0g.store.protocol import Store, Transaction
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.conflict.replies import Judgements

KIND = "review"
"""The kind of note."""

USUAL = 3
"""Known facts that a model may always retire in one window: of 169 windows of 20 messages in five LOCOMO conversations
18 retire a fact, and none more than 3.
"""

SHARE = 1 / 3
"""Of the facts shown for a window, the share that a model may retire: in the densest window of the example transcript,
where a move, a job and a cancelled journey came to 7 of 27, it is a quarter.
"""

STRAY_SHARE = 0.1
"""The share that it may name for a new fact for which they were not shown: each new fact is shown with those that it
may touch, and a model that keeps to its task names no other. One that obeys a message names all it sees.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRetirement:
    """A fact that the model would have retired at ``since``; ``successor`` is the fact it named instead, if any."""

    fact: Fact
    successor: Fact | None
    reason: str
    since: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The retirements of one window, decided by ``model`` at the time ``at``, that wait to be accepted or dropped."""

    id: str
    scope: Scope
    window: str
    at: datetime
    model: str
    retirements: tuple[HeldRetirement, ...]


def held_back(
    verdicts: Sequence[Verdict], case: Case, reply: Judgements, window: str, at: datetime, model: str
) -> tuple[list[Verdict], tuple[Note, ...]]:
    """The verdicts without their retirements, and a note of these, when the model retires too many of the facts shown,
    or names too many beside the question.

    Else the verdicts as they are, and no note.
    """
    ends = [each for verdict in verdicts for each in verdict.retirements]
    known = {fact.id for fact in case.known.values()}
    touched = {each.succession.fact_id for each in ends} & known
    too_many = len(touched) > max(USUAL, SHARE * len(known))
    strays = len(_strays(case, reply)) > max(USUAL, STRAY_SHARE * len(known))
    if not touched or not (too_many or strays):
        return list(verdicts), ()
    scope = case.claims[0].scope
    key = content_id("r", str(scope), window, at.isoformat(), *sorted(touched))
    body = {"window": window, "at": at.isoformat(), "model": model, "retirements": list(map(_plain, ends))}
    return list(map(_without_end, verdicts)), (Note(scope=scope, kind=KIND, key=key, body=body),)


def count_held(notes: Sequence[Note]) -> int:
    """The retirements that notes hold back."""
    return sum(len(note.body["retirements"]) for note in notes if note.kind == KIND and note.body)


def held_retirements(store: Store, scope: Scope) -> tuple[Held, ...]:
    """What is held back in the scopes covered, in the order in which it came; facts that are gone are left out."""
    notes = [note for note in store.notes(KIND, scope) if note.body is not None]
    return tuple(_held(store.facts(note.scope, _ids(note)), note) for note in notes)


def accept(store: Store, scope: Scope, wanted: str, at: datetime) -> int:
    """Retire the facts of one entry that are still current, as decided by the user; answers how many.

    Raises NotFoundError when nothing of that id is held in the scopes covered.
    """
    place = _note(store, scope, wanted).scope

    def work(transaction: Transaction) -> int:
        transaction.begin()  # from here on no other writer changes the scope
        note = _found(transaction.note(KIND, wanted), wanted, place)
        held = _held(transaction.facts(_ids(note)), note)
        due = [each for each in held.retirements if each.fact.current]
        ends = tuple(_retirement(each, at) for each in due)
        decisions = tuple(_decision(held, each, at) for each in due)
        struck = (replace(note, body=None),)
        transaction.commit(Change(scope=place, retirements=ends, decisions=decisions, notes=struck))
        return len(due)

    return store.write(place, work)


def drop(store: Store, scope: Scope, wanted: str) -> None:
    """Strike out one entry: its facts stay as they are. Raises NotFoundError as ``accept``."""
    place = _note(store, scope, wanted).scope

    def work(transaction: Transaction) -> None:
        transaction.begin()
        note = _found(transaction.note(KIND, wanted), wanted, place)
        transaction.commit(Change(scope=place, notes=(replace(note, body=None),)))

    store.write(place, work)


def _note(store: Store, scope: Scope, wanted: str) -> Note:
    return _found(next(iter(store.notes(KIND, scope, [wanted])), None), wanted, scope)


def _found(note: Note | None, wanted: str, scope: Scope) -> Note:
    if note is None or note.body is None:
        raise NotFoundError(f"nothing is held for review as {wanted!r} in {scope}", hint="`mem0g review` lists it")
    return note


def _ids(note: Note) -> list[str]:
    """The ids of the facts that a note names."""
    rows = (note.body or {})["retirements"]
    return list(dict.fromkeys(each for row in rows for each in (row["fact"], row["successor"]) if each))


def _held(known: Sequence[Fact], note: Note) -> Held:
    """What a note holds back of the facts that are still known."""
    body: Mapping[str, Any] = note.body or {}
    facts = {fact.id: fact for fact in known}
    return Held(
        id=note.key,
        scope=note.scope,
        window=body["window"],
        at=datetime.fromisoformat(body["at"]),
        model=body["model"],
        retirements=tuple(
            HeldRetirement(
                fact=facts[row["fact"]],
                successor=facts.get(row["successor"] or ""),
                reason=row["reason"],
                since=Moment.parse(row["since"]) if row["since"] else None,
            )
            for row in body["retirements"]
            if row["fact"] in facts
        ),
    )


def _plain(end: Retirement) -> dict[str, str | None]:
    link = end.succession
    since = str(end.valid_to) if end.valid_to else None
    return {"fact": link.fact_id, "successor": link.successor_id, "reason": link.reason, "since": since}


def _strays(case: Case, reply: Judgements) -> set[int]:
    """The numbers of known facts that the model would end for a new fact that they were not shown for."""
    ending = [each for each in reply.decisions if each.operation in ("UPDATE", "DELETE")]
    beside = (set(each.facts) - set(case.touches(case.asked[each.number])) for each in ending)
    return {number for numbers in beside for number in numbers if number in case.known}


def _without_end(verdict: Verdict) -> Verdict:
    """The verdict without what it retires; its log entry says so."""
    if not verdict.retirements:
        return verdict
    reason = f"the end of {', '.join(verdict.decision.targets)} is held for review: {verdict.decision.reason}"
    operation: Operation = "ADD" if verdict.fact else "NOOP"
    decision = replace(verdict.decision, operation=operation, rule="held", reason=reason, targets=())
    return replace(verdict, decision=decision, retirements=())


def _retirement(each: HeldRetirement, at: datetime) -> Retirement:
    successor = each.successor.id if each.successor else None
    link = Succession(fact_id=each.fact.id, successor_id=successor, reason=each.reason, decided_by=USER, at=at)
    return Retirement(link, each.since)


def _decision(held: Held, each: HeldRetirement, at: datetime) -> Decision:
    return Decision(
        id=content_id("d", held.id, each.fact.id),
        operation="DELETE",
        rule="review",
        reason=each.reason,
        at=at,
        decided_by=USER,
        fact_id=each.successor.id if each.successor else None,
        targets=(each.fact.id,),
        before=image(facts=[fact_image(each.fact)]),
    )
