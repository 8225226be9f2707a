"""Turn facts into a networkx graph for algorithms, drawings and exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mem0g.model import Entity, Fact, Message, Succession

if TYPE_CHECKING:
    import networkx as nx


def to_graph(
    entities: Iterable[Entity],
    facts: Iterable[Fact],
    evidence: Mapping[str, Message],
    successions: Iterable[Succession] = (),
    *,
    at: datetime,
    root: str = "",
    title: str = "",
) -> nx.MultiDiGraph[str]:
    """Return a graph of entities by id and facts as edges keyed by fact id; see mem0g.views for the attributes.

    A fact that gives an entity another name is no edge from it to itself: the name is an attribute of its node. ``at``
    is the time at which plans are live or past.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(root=root, title=title)
    drawn = list(facts)
    named = [fact for fact in drawn if fact.names_its_subject]
    for entity in entities:
        told = " ".join(fact.text for fact in named if fact.subject_id == entity.id and fact.current)
        known_as = [alias for alias in entity.aliases if alias in told]
        attributes = {"aliases": list(entity.aliases), "also_known_as": known_as}
        graph.add_node(entity.id, name=entity.name, type=entity.type, **attributes)
    reasons = {each.fact_id: each.reason for each in successions}
    for fact in drawn:
        if not fact.names_its_subject:
            spoken = [quoted(evidence[each]) for each in fact.evidence if each in evidence]
            more = {"past_plan": fact.is_past_plan(at), "evidence": spoken, "reason": reasons.get(fact.id, "")}
            graph.add_edge(fact.subject_id, fact.object_id, key=fact.id, **_attributes(fact), **more)
    return graph


def _attributes(fact: Fact) -> dict[str, Any]:
    """Return the attributes of a fact's edge that are its own; "" for what is not known."""
    return {
        "relation": fact.relation,
        "text": fact.text,
        "current": fact.current,
        "valid_from": str(fact.valid_from or ""),
        "valid_to": str(fact.valid_to or ""),
        "brief": fact.brief or "",
        "observed": str(fact.observed or ""),
        "planned_for": str(fact.planned_for or ""),
        "said_at": fact.said_at.isoformat() if fact.said_at else "",
        "recorded_at": fact.recorded_at.isoformat(),
        "retired_at": fact.retired_at.isoformat() if fact.retired_at else "",
        "confidence": fact.confidence,
    }


def quoted(message: Message) -> str:
    """Return the message as people read it: speaker, time, text."""
    when = f" ({message.time:%Y-%m-%d %H:%M})" if message.time else ""
    return f"{message.speaker}{when}: {message.text}"
