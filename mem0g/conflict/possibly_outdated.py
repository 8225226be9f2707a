"""Current facts that a new fact may have made untrue, for whoever can judge it: an assistant, or a person.

A policy by rules retires only what is certain. What else has the same subject and relation is named here: "is deployed
on Fly.io" once "is deployed on AWS" was added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mem0g.conflict.candidates import NEAREST
from mem0g.conflict.cardinality import IN_USE
from mem0g.conflict.passing_states import is_past_event
from mem0g.embed.protocol import Embedder, thresholds_of
from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.relations.relation_type import relations_of_several
from mem0g.store.protocol import Store
from mem0g.store.queries import SearchQuery

if TYPE_CHECKING:
    from mem0g.model import Vector

SEVERAL: Final = 3
"""So many facts of one relation are a list, to which a further one is added."""


def possibly_outdated(facts: Sequence[Fact], store: Store, embedder: Embedder) -> tuple[Fact, ...]:
    """Return the current facts of the scope and subject of one of ``facts`` that it may have made untrue, each once.

    They come in the order of ``facts``, for one the most similar first. They have its relation, or its verb and nearly
    its words. Nothing is named for a fact that has ended itself, for a plan, for relations that are known to have
    several objects at a time, such as LIKES, and where there are several already. Events of the past stay true, and
    facts of the same message do not contradict each other. Raises EmbedderMismatchError if another embedder filled the
    store.
    """
    states = (each for each in facts if each.current and each.planned_for is None and not is_past_event(each))
    judged = [each for each in states if not _is_of_several(each)]
    vectors = embedder.embed([each.text for each in judged]) if judged else ()
    found: dict[str, Fact] = {}
    for fact, vector in zip(judged, vectors, strict=True):
        found |= {each.id: each for each in _outdated_by(fact, vector, store, embedder)}
    return tuple(found.values())


def _is_of_several(fact: Fact) -> bool:
    """Whether its relation is known to have several objects at a time."""
    return fact.relation in relations_of_several() and fact.relation not in IN_USE


def _outdated_by(fact: Fact, vector: Vector, store: Store, embedder: Embedder) -> tuple[Fact, ...]:
    """Return what one fact, whose text has this vector, may have made untrue."""
    probe = SearchQuery(
        vectors=(vector,),
        terms=(),
        anchors=(fact.subject_id,),
        hops=1,
        facts=NEAREST,
        messages=1,
        embedder=embedder.name,
    )
    found = sorted(store.find(fact.scope, probe).facts, key=lambda each: (-each.similarities[0], each.fact.id))
    known = [(each.fact, each.similarities[0]) for each in found if _may_be_outdated(fact, each.fact)]
    same = [each for each, _ in known if each.relation == fact.relation]
    if fact.relation not in IN_USE and len(same) >= SEVERAL:
        known = [(each, similarity) for each, similarity in known if each not in same]
    likely = [] if fact.relation in IN_USE else same
    restated = thresholds_of(embedder).restated
    return tuple(each for each, similarity in known if each in likely or similarity >= restated)


def _may_be_outdated(new: Fact, known: Fact) -> bool:
    """Whether the known fact is a state of the same subject, told by another message with the same verb."""
    return (
        known.current
        and (known.scope, known.subject_id) == (new.scope, new.subject_id)
        and known.object_id != new.object_id
        and known.planned_for is None
        and parse_relation(known.relation).words[:1] == parse_relation(new.relation).words[:1]
        and not is_past_event(known)
        and set(known.evidence).isdisjoint(new.evidence)
    )
