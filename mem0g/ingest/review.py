"""Retirements held back because a model decided on suspiciously many at once: kept in the store until a person accepts
or drops them.

A model that reads messages can be talked into obeying them. What it may touch is bounded by what it is shown, and how
much of that it may retire within one window is bounded here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from mem0g.conflict.protocol import Verdict
from mem0g.errors import NotFoundError
from mem0g.history.images import USER, fact_image, image
from mem0g.model import Decision, Fact, Scope, Succession, content_id
from mem0g.store.change import Change, Retirement
from mem0g.store.note import Note
from mem0g.store.protocol import Store, Transaction
from mem0g.times import Moment

KIND = "review"
"""The kind of note."""


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


def held_notes(verdicts: Sequence[Verdict], scope: Scope, window: str, at: datetime) -> tuple[Note, ...]:
    """Return the note that keeps the retirements held by the verdicts of one window; empty where none are held."""
    held = [each for verdict in verdicts for each in verdict.held]
    if not held:
        return ()
    added = {verdict.fact.id for verdict in verdicts if verdict.fact}
    known = {each.succession.fact_id for each in held} - added
    key = content_id("r", str(scope), window, at.isoformat(), *sorted(known))
    model = held[0].succession.decided_by
    body = {"window": window, "at": at.isoformat(), "model": model, "retirements": list(map(_plain, held))}
    return (Note(scope=scope, kind=KIND, key=key, body=body),)


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
