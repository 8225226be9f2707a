"""Finding one entity or fact, as of when, its history, and why it is there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from mem0g.errors import NotFoundError
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.names import fold
from mem0g.store.protocol import Store
from mem0g.store.queries import EVERYTHING, FactFilter, View
from mem0g.times import Moment

MOST_OF_EDGE = 1000
"""Facts of one subject and relation among which other intervals of an edge are looked for."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a fact is there, and why it is current or not: the turns that say it, and what was decided about it."""

    fact: Fact
    evidence: tuple[Message, ...]
    decisions: tuple[Decision, ...]
    successions: tuple[Succession, ...]


def view_of(as_of: datetime | str | None, known_at: datetime | str | None, include_retired: bool) -> View:
    """The view that a caller asks for; times may be text. Raises TimeError for text that is no time."""
    return View(as_of=_instant(as_of), known_at=_instant(known_at), include_retired=include_retired)


def _instant(value: datetime | str | None) -> datetime | None:
    """A time as given; of a day, a month or a year its last instant, so that what began on it counts."""
    if isinstance(value, str):
        moment = Moment.parse(value)
        return moment.start if moment.precision == "second" else moment.end - timedelta(microseconds=1)
    return value


def find_entity(store: Store, scope: Scope, wanted: str) -> Entity:
    """The entity of a name, an id or the start of one; of several of a name the one by that very name, latest updated.

    Raises NotFoundError when there is none.
    """
    named = store.match_names(scope, [fold(wanted)])
    if named:
        return max(named, key=lambda each: (fold(each.name) == fold(wanted), each.updated_at))
    ids = store.ids_with_prefix(scope, wanted, 2) if wanted.startswith("e_") else ()
    found = store.entities(scope, ids)
    if len(found) != 1:
        raise NotFoundError(f"no entity {wanted!r} in {scope}", hint="`mem0g entities` lists them")
    return find_entity(store, scope, found[0].merged_into) if found[0].merged_into else found[0]


def find_fact(store: Store, scope: Scope, wanted: str) -> Fact:
    """The fact of an id or the start of one. Raises NotFoundError when there is none, or several."""
    ids = store.ids_with_prefix(scope, wanted, 2) if wanted.startswith("f_") else ()
    found = store.facts(scope, ids)
    if len(found) != 1:
        problem = f"{wanted!r} starts several facts' ids" if found else f"no fact {wanted!r} in {scope}"
        raise NotFoundError(problem, hint="`mem0g facts` and `mem0g search` show ids")
    return found[0]


def history(store: Store, scope: Scope, fact: Fact) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
    """What ``fact`` replaced and what replaced it, and other intervals of its edge, in order of validity."""
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


def explain(store: Store, scope: Scope, fact: Fact) -> Explanation:
    """The turns that say ``fact`` and the log of what was decided about it and its ends."""
    decisions = store.decisions(scope, [fact.id, fact.subject_id, fact.object_id])
    cited = [*fact.evidence, *(each for decision in decisions for each in decision.evidence)]
    evidence = store.messages(scope, list(dict.fromkeys(cited)))
    return Explanation(fact, evidence, decisions, store.successions(scope, [fact.id]))


def _same_edge(store: Store, scope: Scope, fact: Fact) -> list[Fact]:
    wanted = FactFilter(entity_ids=(fact.subject_id,), relation=fact.relation, view=EVERYTHING)
    return [each for each in store.list_facts(scope, wanted, MOST_OF_EDGE) if each.edge == fact.edge]


def _begun(fact: Fact) -> datetime:
    return fact.valid_from.start if fact.valid_from else fact.said_at or fact.recorded_at
