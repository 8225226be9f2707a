"""Undo decisions: restore what a decision changed, by a new decision that can itself be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from mem0g.errors import NotFoundError, UndoError, quoted
from mem0g.history.images import (
    USER,
    Embedding,
    decision_by_hand,
    embedded,
    ends_image,
    entity_as,
    entity_image,
    fact_as,
    fact_image,
    image,
    successions_of,
)
from mem0g.history.merging import between, may_move, parted_ends
from mem0g.model import Decision, Entity, Fact, Scope, Succession, content_id
from mem0g.store.change import Change
from mem0g.store.protocol import Transaction

ALTERNATIVES = "use correct, retire, erase or unmerge instead"
"""The hint for a decision that cannot be undone."""

UNDONE = "undone"
"""The reason of a succession that retired what an undone decision had added."""


def undo(
    transaction: Transaction, scope: Scope, decision_id: str, *, cascade: bool, at: datetime, embed: Embedding
) -> tuple[Decision, ...]:
    """Undo a decision of ``scope``; with ``cascade``, first undo the later ones that touch the same records.

    Return the new decisions in the order in which they were taken. Undoing an undo restores the original decision.
    Raises NotFoundError for an unknown decision, and UndoError, with nothing changed, for one that was undone already,
    changed nothing, was partly erased, or (without ``cascade``) has later ones that build on it.
    """
    if found := transaction.decisions([_id_of(decision_id, at)]):
        return found  # a repeated try: the first one was committed
    (decision,) = transaction.decisions([decision_id]) or (None,)
    if decision is None:
        raise NotFoundError(f"no decision {quoted(decision_id)} in {scope}", hint="`mem0g log` lists them")
    order = _order(transaction, decision)
    if len(order) > 1 and not cascade:
        later = tuple(each.id for each in order[:-1])
        raise UndoError(
            f"{len(later)} later decisions build on {decision_id}: {', '.join(later)}",
            hint="undo them first, the latest first, or all at once with --cascade (cascade=True)",
            decisions=later,
        )
    return tuple(_UndoStep(transaction, scope, each, at, embed).apply() for each in order)


def touched(decision: Decision) -> frozenset[str]:
    """Return the ids of the facts and entities that a decision added or changed."""
    kept = (each["id"] for kind in ("facts", "entities") for each in decision.before.get(kind, ()))
    return frozenset((*kept, *decision.before.get("created_facts", ())))


def in_force(log: Sequence[Decision]) -> dict[str, bool]:
    """Return for each decision of a log, by id, whether it is in force: not undone, or undone and done again."""
    by_id = {each.id: each for each in log}
    state: dict[str, bool] = {}
    for each in log:
        state[each.id] = on = True
        undone, passed = _undone(each), {each.id}
        while undone is not None and undone not in passed:  # an imported log may go in a circle
            state[undone] = on = not on
            passed.add(undone)
            undone = _undone(by_id[undone]) if undone in by_id else None
    return state


def _undone(decision: Decision) -> str | None:
    """Return the id of the decision that this one undid; None where it undid none."""
    return decision.targets[0] if decision.operation == "UNDO" and decision.targets else None


def _order(transaction: Transaction, decision: Decision) -> list[Decision]:
    """Return the decision and the later ones that must be undone before it, in the order to undo them."""
    found, waiting = {decision.id: decision}, [decision]
    while waiting:
        for each in _builders(transaction, waiting.pop(), named=decision):
            if each.id not in found:
                found[each.id] = each
                waiting.append(each)
    return list(reversed(transaction.decisions(list(found))))


def _builders(transaction: Transaction, decision: Decision, *, named: Decision) -> list[Decision]:
    """Return the later decisions in force that touch what this one touched, without pairs that cancel each other out.

    Raises UndoError where the decision cannot be undone.
    """
    mine = touched(decision)
    log = transaction.decisions([decision.id], about=sorted(mine))
    force = in_force(log)
    _refuse(decision, named, log, force)
    later = log[[each.id for each in log].index(decision.id) :]
    ids = {each.id for each in later}
    return [each for each in later[1:] if force[each.id] and mine & touched(each) and _undone(each) not in ids]


def _refuse(decision: Decision, named: Decision, log: Sequence[Decision], force: Mapping[str, bool]) -> None:
    which = decision.id if decision is named else f"{decision.id}, which builds on {named.id},"
    if decision.before.get("erased"):
        raise UndoError(f"{which} cannot be undone: a part of what it changed was erased", hint=ALTERNATIVES)
    if not decision.before:
        raise UndoError(
            f"{which} cannot be undone: {decision.operation} changed nothing, or is older than the record of what it "
            "changed",
            hint=ALTERNATIVES,
        )
    if not force[decision.id]:
        by = next(each.id for each in reversed(log) if _undone(each) == decision.id)
        raise UndoError(f"{which} was undone already, by {by}", hint=f"undo {by} to do it again")


def _id_of(decision_id: str, at: datetime) -> str:
    return content_id("d", "undo", decision_id, at.isoformat())


@dataclass(frozen=True, slots=True)
class _UndoStep:
    """A decision to undo, and the transaction to undo it in."""

    transaction: Transaction
    scope: Scope
    decision: Decision
    at: datetime
    embed: Embedding

    def apply(self) -> Decision:
        """Commit the state before the decision; return the new decision."""
        before = self.decision.before
        entities = {each.id: each for each in self.transaction.entities(_ids(before.get("entities", ())))}
        facts = {each.id: each for each in self.transaction.facts(self._fact_ids())}
        gone = touched(self.decision) - entities.keys() - facts.keys()
        if gone:
            raise UndoError(
                f"{self.decision.id} cannot be undone: {', '.join(sorted(gone))} was erased", hint=ALTERNATIVES
            )
        restored = [entity_as(entities[each["id"]], each, self.at) for each in before.get("entities", ())]
        rewritten, successions = self._facts(facts)
        ends = self._ends(entities, restored)
        moved = self.transaction.facts(list(ends))
        held = self.transaction.successions([*rewritten, *ends])
        decision = self._decision(
            image(
                facts=[fact_image(facts[each], held) for each in rewritten],
                entities=[entity_image(each) for each in entities.values()],
                moved=ends_image(moved),
            )
        )
        successions += [each for each in held if each.fact_id not in rewritten]
        rewritten |= {each.id: between(rewritten.get(each.id, each), ends[each.id]) for each in moved}
        self.transaction.commit(
            Change(
                scope=self.scope,
                entities=tuple(restored),
                rewritten=tuple(rewritten.values()),
                successions=tuple(successions),
                decisions=(decision,),
                vectors=embedded([each for each in restored if each.merged_into is None], self.embed),
            )
        )
        return decision

    def _fact_ids(self) -> list[str]:
        before = self.decision.before
        return [*_ids(before.get("facts", ())), *before.get("created_facts", ())]

    def _facts(self, facts: Mapping[str, Fact]) -> tuple[dict[str, Fact], list[Succession]]:
        """Return the changed facts as they were, the added ones as retired, and the successions of both.

        An added fact is retired without a validity interval, so that no query as of any date returns it.
        """
        rewritten: dict[str, Fact] = {}
        successions: list[Succession] = []
        for each in self.decision.before.get("facts", ()):
            rewritten[each["id"]] = fact_as(facts[each["id"]], each)
            successions += successions_of(each)
        for fact_id in self.decision.before.get("created_facts", ()):
            retired_at = facts[fact_id].retired_at or self.at
            rewritten[fact_id] = replace(facts[fact_id], retired_at=retired_at, valid_to=None)
            successions.append(
                Succession(fact_id=fact_id, successor_id=None, reason=UNDONE, decided_by=USER, at=self.at)
            )
        return rewritten, successions

    def _ends(self, entities: Mapping[str, Entity], restored: Sequence[Entity]) -> dict[str, tuple[str, str]]:
        """Return the new subject and object ids of the facts whose entities are merged or split by undoing."""
        ends: dict[str, tuple[str, str]] = {}
        for each in restored:
            into = entities[each.id].merged_into
            if into is not None and each.merged_into is None:
                facts = [fact for fact in self._at(into, ends) if may_move(fact, self.decision)]
                (rest,) = [one for one in restored if one.id == into] or self.transaction.entities([into])
                ends |= parted_ends(self.transaction, rest, each, facts, self.decision.before.get("moved", ()))
            elif into is None and each.merged_into is not None:
                for fact in self._at(each.id, ends):
                    subject, obj = (each.merged_into if end == each.id else end for end in _ends_of(fact))
                    ends[fact.id] = (subject, obj)
        return ends

    def _at(self, entity_id: str, ends: Mapping[str, tuple[str, str]]) -> list[Fact]:
        """Return the facts of an entity, with the ends that were found for them so far."""
        facts = self.transaction.facts(of=[entity_id])
        return [between(fact, ends.get(fact.id, _ends_of(fact))) for fact in facts]

    def _decision(self, before: Mapping[str, Any]) -> Decision:
        undone = self.decision
        reason = f"{undone.operation} of {undone.at:%Y-%m-%d} undone"
        if again := _undone(undone):
            reason = f"{again} holds again"
        return decision_by_hand(
            _id_of(undone.id, self.at), "UNDO", reason, self.at, targets=(undone.id,), before=before
        )


def _ids(images: Sequence[Mapping[str, Any]]) -> list[str]:
    return [each["id"] for each in images]


def _ends_of(fact: Fact) -> tuple[str, str]:
    return fact.subject_id, fact.object_id
