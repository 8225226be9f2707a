"""Finding one entity or fact, as of when, its history, and why it is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from mem0g.errors import NotFoundError, ScopeError
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.store.protocol import Store
from mem0g.store.queries import EVERYTHING, FactFilter, View
from mem0g.text.names import fold
from mem0g.times import last_instant

MOST_OF_ENTITY = 1_000_000
"""Facts of an entity's history: all of them."""

MOST_OF_EDGE = 1000
"""Facts of one subject and relation among which other intervals of an edge are looked for."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a fact is there, and why it is current or not: the turns that say it, and what was decided about it."""

    fact: Fact
    evidence: tuple[Message, ...]
    decisions: tuple[Decision, ...]
    successions: tuple[Succession, ...]


def scope_or_all(user_id: str | None, agent_id: str | None, run_id: str | None, *, all_scopes: bool) -> Scope | None:
    """Return the scope of the keys, or None, which stands for the whole store, when ``all_scopes`` asks for it.

    Raises ScopeError when both are given or neither is: a forgotten key must not open the whole store.
    """
    if user_id is None and agent_id is None and run_id is None:
        if all_scopes:
            return None
        hint = "name a user, an agent or a run (--user, --agent, --run), or ask for the whole store (--all)"
        raise ScopeError("no scope given", hint=hint)
    scope = Scope(user_id, agent_id, run_id)
    if all_scopes:
        raise ScopeError(f"both the scope {scope} and the whole store were asked for", hint="leave out one of them")
    return scope


def view_of(as_of: datetime | date | str | None, known_at: datetime | date | str | None, include_retired: bool) -> View:
    """Return the view that a caller asks for; see mem0g.times.last_instant for the times.

    Raises TimeError for a datetime without a time zone and for text that is no time.
    """
    return View(
        as_of=None if as_of is None else last_instant(as_of),
        known_at=None if known_at is None else last_instant(known_at),
        include_retired=include_retired,
    )


def find_entity(store: Store, scope: Scope, wanted: str) -> Entity:
    """The entity of a name, an id or the start of one; of several of a name the one by that very name, latest updated.

    Raises NotFoundError when there is none.
    """
    return find_entities(store, scope, wanted)[0]


def find_entities(store: Store, scope: Scope, wanted: str) -> tuple[Entity, ...]:
    """The entities of a name in every scope covered, the one that ``find_entity`` returns first; or the one of an id.

    In a scope that has entities by that very name, entities that only have it as an alias are left out. Raises
    NotFoundError when there is none.
    """
    return _of_name(store, scope, wanted) or (_entity_of_id(store, scope, wanted),)


def _of_name(store: Store, scope: Scope, name: str) -> tuple[Entity, ...]:
    """By the very name first, then by an alias, each latest updated first; see ``find_entities``."""
    folded = fold(name)
    named = store.match_names(scope, [folded])
    exact = {each.scope for each in named if fold(each.name) == folded}
    meant = [each for each in named if fold(each.name) == folded or each.scope not in exact]
    return tuple(sorted(meant, key=lambda each: (fold(each.name) == folded, each.updated_at), reverse=True))


def _entity_of_id(store: Store, scope: Scope, wanted: str) -> Entity:
    ids = ids_starting(store, scope, wanted, "e_")
    found = store.entities(scope, ids)
    if len(found) != 1:
        raise NotFoundError(f"no entity {wanted!r} in {scope}", hint="`mem0g entities` lists them")
    return _entity_of_id(store, scope, found[0].merged_into) if found[0].merged_into else found[0]


def ids_starting(store: Store, scope: Scope, wanted: str, *kinds: str) -> tuple[str, ...]:
    """Up to two ids of these kinds ("f_" is that of facts) that start with ``wanted``; none for text that is no id.

    The kind alone says nothing: where it would mean one thing, because there is but one, it means none.
    """
    known = wanted.startswith(kinds) and wanted.isascii() and wanted.isprintable()
    found = store.ids_with_prefix(scope, wanted, 2) if known else ()
    return () if wanted in kinds and len(found) == 1 else found


def find_fact(store: Store, scope: Scope, wanted: str) -> Fact:
    """The fact of an id or the start of one. Raises NotFoundError when there is none, or several."""
    ids = ids_starting(store, scope, wanted, "f_")
    found = store.facts(scope, ids)
    if len(found) != 1:
        problem = f"{wanted!r} starts several facts' ids" if found else f"no fact {wanted!r} in {scope}"
        raise NotFoundError(problem, hint="`mem0g facts` and `mem0g search` show ids")
    return found[0]


def find_decision(store: Store, scope: Scope, wanted: str) -> tuple[Scope, str]:
    """The exact scope and the id of the decision of an id or the start of one.

    Raises NotFoundError when there is none, or several.
    """
    ids = ids_starting(store, scope, wanted, "d_")
    if len(ids) != 1:
        problem = f"{wanted!r} starts several decisions' ids" if ids else f"no decision {wanted!r} in {scope}"
        raise NotFoundError(problem, hint="`mem0g log` lists them")
    return store.homes(scope, ids)[ids[0]], ids[0]


def history(store: Store, scope: Scope, fact: Fact) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
    """What ``fact`` replaced and what replaced it, and other intervals of its edge, in order of validity.

    Other intervals are looked for in every scope covered, between entities of the same names.
    """
    seen: dict[str, Fact] = {}
    links: dict[tuple[str, str | None], Succession] = {}
    wanted = [fact.id, *(each.id for each in _same_edge(store, scope, fact))]
    while wanted:
        seen |= {each.id: each for each in store.facts(scope, wanted)}
        found = store.successions(scope, wanted)
        links |= {(each.fact_id, each.successor_id): each for each in found}
        ends = {each for link in found for each in (link.fact_id, link.successor_id) if each}
        wanted = sorted(ends - seen.keys())
    facts = sorted(seen.values(), key=lambda each: (_begun(each), each.recorded_at, each.id))
    return tuple(facts), tuple(links.values())


def history_of_entities(
    store: Store, scope: Scope, entities: Sequence[Entity]
) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
    """All facts of ``entities``, retired ones too, in order of validity, and what replaced which."""
    wanted = FactFilter(entity_ids=tuple(each.id for each in entities), view=EVERYTHING)
    facts = sorted(store.list_facts(scope, wanted, MOST_OF_ENTITY), key=lambda each: (_begun(each), each.recorded_at))
    return tuple(facts), store.successions(scope, [fact.id for fact in facts])


def explain(store: Store, scope: Scope, fact: Fact) -> Explanation:
    """The turns that say ``fact`` and the log of what was decided about it and its ends."""
    decisions = store.decisions(scope, [fact.id, fact.subject_id, fact.object_id])
    cited = [*fact.evidence, *(each for decision in decisions for each in decision.evidence)]
    evidence = store.messages(scope, list(dict.fromkeys(cited)))
    return Explanation(fact, evidence, decisions, store.successions(scope, [fact.id]))


def _same_edge(store: Store, scope: Scope, fact: Fact) -> list[Fact]:
    """The facts of the same edge; in other scopes that are covered, between entities of the same names."""
    subjects = _namesakes(store, scope, fact, fact.subject_id, fact.subject)
    objects = _namesakes(store, scope, fact, fact.object_id, fact.object)
    wanted = FactFilter(entity_ids=tuple(sorted(subjects)), relations=(fact.relation,), view=EVERYTHING)
    found = store.list_facts(scope, wanted, MOST_OF_EDGE)
    return [each for each in found if each.subject_id in subjects and each.object_id in objects]


def _namesakes(store: Store, scope: Scope, fact: Fact, end: str, name: str) -> set[str]:
    """The id ``end`` and those of the entities of its name in the other scopes covered."""
    return {end, *(each.id for each in _of_name(store, scope, name) if each.scope != fact.scope)}


def _begun(fact: Fact) -> datetime:
    return fact.valid_from.start if fact.valid_from else fact.said_at or fact.recorded_at
