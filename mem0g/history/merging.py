"""Merge two entities by hand, and split them again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from mem0g.errors import InputError, NotFoundError, quoted
from mem0g.history.corrections import CORRECTED
from mem0g.history.images import Embedding, decision_by_hand, embedded, ends_image, entity_image, image
from mem0g.model import Decision, Entity, Fact, Scope, content_id
from mem0g.store.change import Change
from mem0g.store.protocol import Transaction
from mem0g.text.names import fold


def merge(transaction: Transaction, scope: Scope, winner_id: str, loser_id: str, *, at: datetime) -> Decision:
    """Merge two entities of ``scope``: the names and facts of the loser become the winner's.

    Raises InputError when they are merged already, NotFoundError when one was erased meanwhile.
    """
    decision_id = content_id("d", "merge", winner_id, loser_id, at.isoformat())
    if done := transaction.decisions([decision_id]):  # a repeated try: the first one was committed
        return done[0]
    winner, loser = _entity(transaction, winner_id), _entity(transaction, loser_id)
    if winner_id == loser_id or winner.merged_into or loser.merged_into:
        raise InputError(f"{winner.name} and {loser.name} are one entity already", hint="name two entities")
    known = set(map(fold, winner.names))
    new = tuple(name for name in loser.names if fold(name) not in known)
    moved = ends_image(transaction.facts(of=[loser.id]))
    before = image(entities=[entity_image(winner), entity_image(loser)], moved=moved)
    reason = f"{loser.name} is {winner.name}"
    decision = decision_by_hand(decision_id, "MERGE", reason, at, targets=(winner.id, loser.id), before=before)
    joined = replace(winner, aliases=(*winner.aliases, *new), type=winner.type or loser.type, updated_at=at)
    merges = ((loser.id, winner.id),)
    transaction.commit(Change(scope=scope, entities=(joined,), merges=merges, decisions=(decision,)))
    return decision


def unmerge(
    transaction: Transaction, scope: Scope, entity_id: str, alias: str, *, at: datetime, embed: Embedding
) -> Decision:
    """Split a name, and the facts stated under it, from an entity of ``scope``.

    The entity that was merged under that name is restored with its names; without one, a new entity is created. It
    gets the facts that it had before the merge, and those whose triple names it. Raises NotFoundError when the entity
    has no such name or was erased meanwhile, InputError when it has no other name or was merged meanwhile.
    """
    decision_id = content_id("d", "unmerge", entity_id, fold(alias), at.isoformat())
    if done := transaction.decisions([decision_id]):  # a repeated try: the first one was committed
        return done[0]
    whole = _entity(transaction, entity_id)
    if whole.merged_into:
        raise InputError(f"{whole.name} was merged into another entity meanwhile", hint="name that one")
    part, others = _part(whole, alias, absorbed(transaction, entity_id), at)
    merge = _last_merge(transaction, part)
    merged = merge.before if merge else {}
    rest = _rest(whole, part, alias, merged, at)
    facts = [fact for fact in transaction.facts(of=[whole.id]) if merge is None or may_move(fact, merge)]
    ends = parted_ends(transaction, rest, part, facts, merged.get("moved", ()))
    moving = [fact for fact in facts if fact.id in ends]
    touched = [whole, replace(part, merged_into=part.merged_into or whole.id), *others]
    before = image(entities=[*map(entity_image, touched)], moved=ends_image(moving))
    reason = f"{alias} is not {rest.name}"
    decision = decision_by_hand(decision_id, "UNMERGE", reason, at, targets=(whole.id, part.id), before=before)
    parted = replace(part, merged_into=None, updated_at=at)
    names = set(map(fold, part.names))
    transaction.commit(
        Change(
            scope=scope,
            entities=(rest, parted, *(_without_aliases(each, names) for each in others)),
            rewritten=tuple(between(fact, ends[fact.id]) for fact in moving),
            successions=transaction.successions([fact.id for fact in moving]),
            decisions=(decision,),
            vectors=embedded([rest, parted], embed),
        )
    )
    return decision


def _entity(transaction: Transaction, entity_id: str) -> Entity:
    """Return an entity as it is now. Raises NotFoundError for one that was erased since it was looked up."""
    found = transaction.entities([entity_id])
    if not found:
        raise NotFoundError(f"no entity {quoted(entity_id)}", hint="it was erased meanwhile")
    return found[0]


def _part(whole: Entity, alias: str, absorbed: Sequence[Entity], at: datetime) -> tuple[Entity, list[Entity]]:
    """Return the entity that the alias means, merged before or new, and other merged ones that have that name too."""
    if fold(alias) not in map(fold, whole.names):
        raise NotFoundError(f"{whole.name} has no name {quoted(alias)}", hint=f"its names: {', '.join(whole.names)}")
    having = [each for each in absorbed if fold(alias) in map(fold, each.names)]
    having.sort(key=lambda each: fold(each.name) != fold(alias))
    if having:
        return having[0], having[1:]
    new = content_id("e", "unmerged", whole.id, fold(alias), at.isoformat())
    name = next(each for each in whole.names if fold(each) == fold(alias))
    return replace(whole, id=new, name=name, aliases=(), created_at=at, updated_at=at), []


def _last_merge(transaction: Transaction, part: Entity) -> Decision | None:
    """Return the latest decision that merged ``part`` into another, where the log has it with its image."""
    merges = [
        each
        for each in transaction.decisions(about=[part.id])
        if each.operation == "MERGE" and part.id in each.targets and each.before.get("moved") is not None
    ]
    return merges[-1] if merges else None


def _rest(whole: Entity, part: Entity, alias: str, merged: Mapping[str, Any], at: datetime) -> Entity:
    """Return the entity without the names of the part, except those that it had itself before the merge."""
    former = next((each for each in merged.get("entities", ()) if each["id"] == whole.id), None)
    own = [former["name"], *former["aliases"]] if former else [whole.name]
    stays = set(map(fold, own)) - {fold(alias)}
    goes = set(map(fold, part.names))
    kept = [name for name in whole.names if fold(name) in stays or fold(name) not in goes]
    if not kept:
        raise InputError(f"{whole.name} has no other name than {quoted(alias)}", hint="nothing would be left of it")
    return replace(whole, name=kept[0], aliases=tuple(kept[1:]), updated_at=at)


def _without_aliases(entity: Entity, names: Collection[str]) -> Entity:
    return replace(entity, aliases=tuple(name for name in entity.aliases if fold(name) not in names))


def may_move(fact: Fact, merge: Decision) -> bool:
    """Whether splitting the entities that a decision merged may move the fact.

    A fact recorded before the merge that the merge did not move stays, whatever name its triple has.
    """
    moved = {fact_id for fact_id, *_ in merge.before.get("moved", ())}
    return fact.id in moved or fact.recorded_at >= merge.at


def parted_ends(
    transaction: Transaction,
    rest: Entity,
    part: Entity,
    facts: Sequence[Fact],
    moved: Sequence[Sequence[str]] = (),
) -> dict[str, tuple[str, str]]:
    """Return the ends (subject and object id, by fact id) of those ``facts`` of ``rest`` that become facts of ``part``.

    These are the facts that were its own by ``moved`` (former ends, as in an image), those whose triple has at that
    end one of its names that the other does not have, and the corrections of all these. ``facts`` are in the order of
    recording.
    """
    former = {fact_id: (subject, obj) for fact_id, subject, obj in moved}
    made = _making(transaction, facts)
    names = set(map(fold, part.names)) - set(map(fold, rest.names))
    ends: dict[str, tuple[str, str]] = {}
    for fact in facts:  # a correction comes after what it corrects
        making = made.get(fact.id)
        triple = making.triple if making else {}
        corrected = making.targets if making and making.rule == CORRECTED else ()
        before = former.get(fact.id) or next((ends[each] for each in corrected if each in ends), ("", ""))
        moves = [
            end == rest.id and (was == part.id or fold(triple.get(role, "")) in names)
            for end, was, role in zip((fact.subject_id, fact.object_id), before, ("subject", "object"), strict=True)
        ]
        if any(moves):
            ends[fact.id] = (part.id if moves[0] else fact.subject_id, part.id if moves[1] else fact.object_id)
    return ends


def between(fact: Fact, ends: tuple[str, str]) -> Fact:
    """Return the fact with other entities as its ends."""
    return replace(fact, subject_id=ends[0], object_id=ends[1])


def _making(transaction: Transaction, facts: Sequence[Fact]) -> dict[str, Decision]:
    """Return the decision that made each fact from a triple, by fact id, where the log has it."""
    made: dict[str, Decision] = {}
    for decision in transaction.decisions(about=[fact.id for fact in facts]):
        if decision.fact_id and decision.triple:
            made.setdefault(decision.fact_id, decision)
    return made


def absorbed(transaction: Transaction, entity_id: str) -> list[Entity]:
    """Return the entities that were merged into this one, and into those, nearest first."""
    found: dict[str, Entity] = {}
    waiting = [entity_id]
    while waiting:
        new = [each for each in transaction.entities([], merged_into=waiting) if each.id not in found]
        found |= {each.id: each for each in new}
        waiting = [each.id for each in new]
    return list(found.values())
