"""Why a fact is in a memory, and how it came to be: its evidence, the decisions about it, its predecessors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mem0g.lookup import namesakes
from mem0g.model import Decision, Fact, Message, Scope, Succession
from mem0g.store.protocol import Store
from mem0g.store.queries import EVERYTHING, FactFilter

MAX_FACTS_OF_EDGE = 1000
"""Facts of one subject and relation among which other intervals of an edge are looked for."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a fact is in the memory, and why it is current or retired.

    ``evidence`` are the messages that state it, ``decisions`` the log entries about it and its two entities,
    ``successions`` what it replaced and what replaced it.
    """

    fact: Fact
    evidence: tuple[Message, ...]
    decisions: tuple[Decision, ...]
    successions: tuple[Succession, ...]


def explain(store: Store, scope: Scope, fact: Fact) -> Explanation:
    """Return the messages that state ``fact`` and the log of what was decided about it and its entities."""
    decisions = store.decisions(scope, [fact.id, fact.subject_id, fact.object_id])
    cited = [*fact.evidence, *(each for decision in decisions for each in decision.evidence)]
    evidence = store.messages(scope, list(dict.fromkeys(cited)))
    return Explanation(fact, evidence, decisions, store.successions(scope, [fact.id]))


def fact_history(store: Store, scope: Scope, fact: Fact) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
    """Return what ``fact`` replaced and what replaced it, and other intervals of its edge, in order of validity.

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
    facts = sorted(seen.values(), key=lambda each: (start(each), each.recorded_at, each.id))
    return tuple(facts), tuple(links.values())


def _same_edge(store: Store, scope: Scope, fact: Fact) -> list[Fact]:
    """Return the facts of the same edge; in other scopes covered, those between entities of the same names."""
    subjects = namesakes(store, scope, fact.subject_id, fact.subject, fact.scope)
    objects = namesakes(store, scope, fact.object_id, fact.object, fact.scope)
    wanted = FactFilter(entity_ids=tuple(sorted(subjects)), relations=(fact.relation,), view=EVERYTHING)
    found = store.list_facts(scope, wanted, MAX_FACTS_OF_EDGE)
    return [each for each in found if each.subject_id in subjects and each.object_id in objects]


def start(fact: Fact) -> datetime:
    """Return since when the fact is true, else when it was said or recorded."""
    return fact.valid_from.start if fact.valid_from else fact.said_at or fact.recorded_at
