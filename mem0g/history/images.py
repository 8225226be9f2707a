"""Before-images: what a decision touched as it was before it, kept in ``Decision.before`` so that it can be undone.

JSON with up to four keys. ``facts``: the facts it changed, each with what can change of a fact (``valid_from``,
``valid_to``, ``retired_at``, ``evidence``; ``observed``, ``planned_for`` and ``metadata`` where it has them; the
``successions`` by which it was retired); no second copy of a fact's words, which would have to be found when it is
erased. ``entities``: the entities it changed, each with ``name``, ``aliases`` and ``merged_into``. ``created_facts``:
ids of the facts it added. ``moved``: the ends (fact, subject, object) that facts had before two entities were merged
or parted. A decision with a part of its image erased has ``erased`` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mem0g.conflict.protocol import Verdict, ended_earlier, retired
from mem0g.model import Decision, Entity, Fact, Operation, Succession, content_id
from mem0g.resolve.nodes import Resolution
from mem0g.store.change import Support
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector

FactsOf = Callable[[Sequence[str]], Iterable[Fact]]
"""Returns the facts that have any of these entities as an end."""

Embedding = Callable[[Sequence[str]], "Matrix"]
"""Returns the vectors of texts, in order."""

USER = "user"
"""``Decision.decided_by`` of changes by hand."""


@dataclass(frozen=True)
class SuccessionImage:
    """A succession in the image of the fact that it retired."""

    successor_id: str | None
    reason: str
    decided_by: str
    at: datetime


@dataclass(frozen=True)
class FactImage:
    """A changed fact in an image."""

    id: str
    valid_from: Moment | None
    valid_to: Moment | None
    retired_at: datetime | None
    evidence: tuple[str, ...]
    successions: tuple[SuccessionImage, ...] = ()
    observed: Moment | None = None
    planned_for: Moment | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class EntityImage:
    """A changed entity in an image."""

    id: str
    name: str
    aliases: tuple[str, ...]
    merged_into: str | None


@dataclass(frozen=True)
class Image:
    """The shape of ``Decision.before``, to check one that is imported."""

    facts: tuple[FactImage, ...] = ()
    entities: tuple[EntityImage, ...] = ()
    created_facts: tuple[str, ...] = ()
    moved: tuple[tuple[str, str, str], ...] = ()
    erased: bool = False


def fact_image(fact: Fact, successions: Iterable[Succession] = ()) -> dict[str, Any]:
    """Return what can change of a fact, as JSON; ``successions`` may hold those by which it is retired."""
    image: dict[str, Any] = {
        "id": fact.id,
        "valid_from": _text(fact.valid_from),
        "valid_to": _text(fact.valid_to),
        "retired_at": _text(fact.retired_at),
        "evidence": list(fact.evidence),
    }
    told = {"observed": _text(fact.observed), "planned_for": _text(fact.planned_for), "metadata": dict(fact.metadata)}
    retired_by = [_succession_image(each) for each in successions if each.fact_id == fact.id]
    image |= {name: value for name, value in told.items() if value}
    return image | ({"successions": retired_by} if retired_by else {})


def entity_image(entity: Entity) -> dict[str, Any]:
    """Return what can change of an entity and be undone, as JSON."""
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "merged_into": entity.merged_into,
    }


def fact_as(fact: Fact, image: Mapping[str, Any]) -> Fact:
    """Return the fact as its image has it, with the ends that it has now."""
    return replace(
        fact,
        valid_from=_moment(image["valid_from"]),
        valid_to=_moment(image["valid_to"]),
        retired_at=_time(image["retired_at"]),
        evidence=tuple(image["evidence"]),
        observed=_moment(image.get("observed")),
        planned_for=_moment(image.get("planned_for")),
        metadata=image.get("metadata", {}),
    )


def successions_of(image: Mapping[str, Any]) -> list[Succession]:
    """Return the successions by which the fact of an image was retired."""
    return [
        Succession(
            fact_id=image["id"],
            successor_id=each["successor_id"],
            reason=each["reason"],
            decided_by=each["decided_by"],
            at=datetime.fromisoformat(each["at"]),
        )
        for each in image.get("successions", ())
    ]


def entity_as(entity: Entity, image: Mapping[str, Any], at: datetime) -> Entity:
    """Return the entity with the names, the type and the merge of its image."""
    names = {"name": image["name"], "aliases": tuple(image["aliases"]), "merged_into": image["merged_into"]}
    return replace(entity, **names, type=image.get("type", entity.type), updated_at=at)


def ends_image(facts: Iterable[Fact]) -> list[list[str]]:
    """Return the ends of facts that are about to be moved."""
    return [[fact.id, fact.subject_id, fact.object_id] for fact in facts]


def image(
    *,
    facts: Sequence[Mapping[str, Any]] = (),
    entities: Sequence[Mapping[str, Any]] = (),
    created_facts: Sequence[str] = (),
    moved: Sequence[Sequence[str]] = (),
) -> dict[str, Any]:
    """Return the image of a decision, without what is empty."""
    parts = {"facts": facts, "entities": entities, "created_facts": created_facts, "moved": moved}
    return {name: list(part) for name, part in parts.items() if part}


def decision_by_hand(
    decision_id: str,
    operation: Operation,
    reason: str,
    at: datetime,
    *,
    targets: tuple[str, ...],
    before: Mapping[str, Any],
) -> Decision:
    """Return the log entry of a change by hand; ``before`` is its image."""
    return Decision(
        id=decision_id,
        operation=operation,
        rule="by hand",
        reason=reason,
        at=at,
        decided_by=USER,
        targets=targets,
        before=before,
    )


def embedded(entities: Sequence[Entity], embed: Embedding) -> dict[str, Vector]:
    """Return the vectors of the entities' names, by id."""
    if not entities:
        return {}
    return dict(zip((each.id for each in entities), embed([each.name for each in entities]), strict=True))


def with_images(
    resolution: Resolution,
    verdicts: Sequence[Verdict],
    facts: Mapping[str, Fact],
    entities: Mapping[str, Entity],
    facts_of: FactsOf,
    successions: Iterable[Succession] = (),
) -> tuple[Decision, ...]:
    """Return the decisions of a window, each with its image: first those about entities, then those of the verdicts.

    ``facts`` and ``entities`` are the known ones that the window may have changed, by id. ``facts_of`` is called only
    when two known entities were merged. ``successions`` are those of the retired facts that the window supports.
    """
    joined = _joined(resolution, entities, facts_of)
    state, links = dict(facts), list(successions)
    judged = [_judged(verdict, state, links) for verdict in verdicts]
    for entity in _unlogged(resolution, entities, joined):
        place = _first_about(entity, judged, state)
        images = (*judged[place].before.get("entities", ()), entity_image(entity))
        judged[place] = replace(judged[place], before={**judged[place].before, "entities": list(images)})
    return (*joined, *judged)


def _joined(resolution: Resolution, entities: Mapping[str, Entity], facts_of: FactsOf) -> list[Decision]:
    """Return the MERGE decisions; the image of an entity is kept with the first of them that names it."""
    # an entity that the window made had its name alone, before aliases were added
    before = {**{each.id: replace(each, aliases=()) for each in resolution.created}, **entities}
    changed = {each.id for each in (*resolution.updated, *resolution.created) if _differs(before[each.id], each)}
    merged = dict(resolution.merged)
    changed |= merged.keys()
    moved = {loser: ends_image(facts_of([loser])) for loser in merged}
    logged: list[Decision] = []
    for decision in resolution.decisions:
        named = [each for each in decision.targets if each in changed]
        images = [entity_image(before[each]) for each in named if each in before]
        ends = [end for each in named if each in merged for end in moved[each]]
        before_it = image(entities=images, moved=ends)
        logged.append(replace(decision, id=_once(decision) if before_it else decision.id, before=before_it))
        changed.difference_update(named)
    return logged


def _once(decision: Decision) -> str:
    """Return an id for this merge alone: after it was undone, the same merge is another decision."""
    return content_id("d", decision.id, *(decision.evidence or [decision.at.isoformat()]))


def _unlogged(resolution: Resolution, entities: Mapping[str, Entity], joined: Sequence[Decision]) -> list[Entity]:
    """Return the known entities, as they were, whose names changed without a decision about that."""
    covered = {each["id"] for decision in joined for each in decision.before.get("entities", ())}
    updated = [each for each in resolution.updated if each.id in entities and each.id not in covered]
    return [entities[each.id] for each in updated if _differs(entities[each.id], each)]


def _first_about(entity: Entity, decisions: Sequence[Decision], facts: Mapping[str, Fact]) -> int:
    """Return the place of the first decision whose fact has the entity as an end; else of the first."""
    for place, decision in enumerate(decisions):
        fact = facts.get(decision.fact_id or "")
        if fact and entity.id in (fact.subject_id, fact.object_id):
            return place
    return 0


def _differs(one: Entity, other: Entity) -> bool:
    return (one.name, one.aliases) != (other.name, other.aliases)


def _judged(verdict: Verdict, state: dict[str, Fact], links: list[Succession]) -> Decision:
    """Return the decision with the image of the facts it touched, taken from ``state``; then apply it to ``state``.

    ``links`` are the successions of facts that are retired, as far as they may be touched.
    """
    created = [verdict.fact.id] if verdict.fact else []
    touched = [each.fact_id for each in verdict.supports]
    touched += [each.succession.fact_id for each in verdict.retirements]
    moved = [each.before for each in verdict.moved]
    touched += [each.fact_id for each in moved]
    links += [each for each in moved if each not in links]
    known = [each for each in dict.fromkeys(touched) if each not in created and each in state]
    images = [fact_image(state[each], links) for each in known]
    _apply(verdict, state)
    links[:] = [each for each in links if each not in moved]
    links += [each.succession for each in verdict.retirements] + [each.end.succession for each in verdict.moved]
    return replace(verdict.decision, before=image(facts=images, created_facts=created))


def after(verdicts: Iterable[Verdict], facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Return the known ``facts`` and those that the verdicts add, by id, as they are after the verdicts."""
    state = dict(facts)
    for verdict in verdicts:
        _apply(verdict, state)
    return state


def _apply(verdict: Verdict, state: dict[str, Fact]) -> None:
    """Change the facts of ``state`` as the verdict does."""
    if verdict.fact:
        state[verdict.fact.id] = verdict.fact
    for more in verdict.supports:
        if more.fact_id in state:
            state[more.fact_id] = supported(state[more.fact_id], more)
    for end in verdict.retirements:
        if end.succession.fact_id in state:
            state[end.succession.fact_id] = retired(state[end.succession.fact_id], end)
    for each in verdict.moved:
        if each.before.fact_id in state:
            state[each.before.fact_id] = ended_earlier(state[each.before.fact_id], each.end)


def supported(fact: Fact, support: Support) -> Fact:
    """Return the fact with more evidence, with dates where it had none, and last observed when it was."""
    ended = support.valid_to if fact.current else None
    return replace(
        fact,
        evidence=tuple(dict.fromkeys((*fact.evidence, *support.evidence))),
        valid_from=fact.valid_from or support.valid_from,
        valid_to=fact.valid_to or ended,
        observed=max((each for each in (fact.observed, support.observed) if each), key=str, default=None),
        planned_for=fact.planned_for or support.planned_for,
        metadata=support.metadata or fact.metadata,
    )


def _succession_image(succession: Succession) -> dict[str, Any]:
    return {
        "successor_id": succession.successor_id,
        "reason": succession.reason,
        "decided_by": succession.decided_by,
        "at": succession.at.isoformat(),
    }


def _text(value: Moment | datetime | None) -> str | None:
    return None if value is None else value.isoformat() if isinstance(value, datetime) else str(value)


def _moment(text: str | None) -> Moment | None:
    return None if text is None else Moment.parse(text)


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
