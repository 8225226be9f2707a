"""A small tenant among many gets exactly its nearest, with every kind of vector index; a large scope nearly all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.embedders import WordEmbedder
from benchmarks.scale.crowd import Crowd, Member, changes, crowd
from benchmarks.synthetic import world
from mem0g.store.candidates import SearchCandidates
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore, searching, transaction
from mem0g.store.queries import EntityQuery, FactQuery, SearchQuery
from tests.store.vector_indexes import FILTERED, UNFILTERED, without_filters

if TYPE_CHECKING:
    from mem0g.model import Vector

pytestmark = pytest.mark.slow

EMBEDDER = WordEmbedder(64)
FACTS, SCOPES, TENANT, LARGE = 5000, 40, 50, 1600
NEAREST = 10
QUESTIONS = 20


@pytest.fixture(scope="module")
def everybody() -> Crowd:
    """A tenant with 50 facts among 5,000 of others, who say the like of the same people and things."""
    made = crowd(FACTS - LARGE, SCOPES, TENANT, QUESTIONS, seed=7)
    return replace(made, large=Member("large", world(LARGE, QUESTIONS, seed=8)))


@pytest.fixture(scope="module")
def filled(opened: Neo4jStore, everybody: Crowd) -> Iterator[Neo4jStore]:
    """Everybody's facts, which cite nothing, and messages; dropped at the end."""
    opened.drop()
    opened.prepare()
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    for member in (*everybody.others, *everybody.asked):
        opened.load(uncited(member))
    yield opened
    opened.drop()


@pytest.fixture(scope="module", params=[FILTERED, UNFILTERED])
def store(request: pytest.FixtureRequest, filled: Neo4jStore) -> Neo4jStore:
    """The store with vector indexes of either kind."""
    if request.param == UNFILTERED:
        without_filters(filled, EMBEDDER.dimensions)
    if filled.info().details["vector filters"] != request.param:
        pytest.skip("this server's vector indexes have no filters")
    return filled


def uncited(member: Member) -> Iterator[Change]:
    """What a member has, its facts without evidence, so that none is found by way of a message."""
    for change in changes(member, EMBEDDER):
        yield replace(change, facts=tuple(replace(fact, evidence=()) for fact in change.facts), decisions=())


def vectors_of(member: Member) -> dict[str, Vector]:
    """All vectors of a member, by id."""
    return {each: vector for change in uncited(member) for each, vector in change.vectors.items()}


def nearest(member: Member, kind: str, asked: Vector, limit: int = NEAREST) -> set[str]:
    """The ids of the things of a kind ("f": facts) nearest to ``asked``, by comparing all."""
    vectors = {each: vector for each, vector in vectors_of(member).items() if each.startswith(kind)}
    cosines = np.stack(list(vectors.values())) @ asked
    ids = list(vectors)
    return {ids[place] for place in np.argsort(-cosines, kind="stable")[:limit]}


def questions(member: Member) -> list[Vector]:
    """Vectors of what a member is asked."""
    return list(EMBEDDER.embed(member.world.questions))


def found(store: Neo4jStore, member: Member, asked: Vector) -> SearchCandidates:
    """What is nearest to a vector and nothing else: no words, no walk, a vector only."""
    probe = SearchQuery(
        vectors=(asked,), terms=(), nearest_anchors=0, hops=0, facts=NEAREST, messages=NEAREST, radius=0
    )
    return store.find(member.scope, probe)


def share(of: Sequence[tuple[Collection[str], Collection[str]]]) -> float:
    """How much of what was wanted was found, over all pairs of wanted and found."""
    return sum(len(set(wanted) & set(got)) for wanted, got in of) / sum(len(wanted) for wanted, _ in of)


def test_a_tenant_finds_its_nearest(store: Neo4jStore, everybody: Crowd) -> None:
    """A search in a small scope finds exactly the facts and the messages that are nearest."""
    member = everybody.tenant
    for asked in questions(member):
        got = found(store, member, asked)
        assert {each.fact.id for each in got.facts} == nearest(member, "f", asked)
        assert {each.message.id for each in got.messages} == nearest(member, "m", asked)


def test_a_large_scope_finds_nearly_all(store: Neo4jStore, everybody: Crowd) -> None:
    """A search in a scope that is too large to compare all finds 95 % of the nearest, and no one else's."""
    member = everybody.large
    assert member.facts > searching.EXACT
    pairs = []
    for asked in questions(member):
        got = found(store, member, asked)
        assert {each.fact.scope for each in got.facts} == {member.scope}
        assert len(got.facts) == NEAREST
        pairs.append((nearest(member, "f", asked), {each.fact.id for each in got.facts}))
    assert share(pairs) >= 0.95


def related(store: Neo4jStore, member: Member, asked: Sequence[Vector]) -> list[set[str]]:
    """The ids of the facts that a window finds by similarity alone."""
    queries = [FactQuery(subject_id="e_0", relations=("NONE",), object_id="e_1", vector=each) for each in asked]
    answers = store.write(member.scope, lambda transaction: transaction.related_facts(queries, NEAREST))
    return [{each.fact.id for each in answer} for answer in answers]


def matched(store: Neo4jStore, member: Member, asked: Sequence[Vector]) -> list[set[str]]:
    """The ids of the entities that a window finds by similarity alone."""
    queries = [EntityQuery(names=("nobody",), vector=each) for each in asked]
    answers = store.write(member.scope, lambda transaction: transaction.match_entities(queries, NEAREST))
    return [{each.entity.id for each in answer} for answer in answers]


def test_a_window_of_a_tenant_finds_its_nearest(store: Neo4jStore, everybody: Crowd) -> None:
    """Writing for a small scope, exactly the most similar facts and the nearest names are found."""
    member, asked = everybody.tenant, questions(everybody.tenant)
    assert related(store, member, asked) == [nearest(member, "f", each) for each in asked]
    assert matched(store, member, asked) == [nearest(member, "e", each) for each in asked]


def test_a_window_of_a_large_scope_finds_nearly_all(store: Neo4jStore, everybody: Crowd) -> None:
    """Writing for a large scope, 95 % of the most similar facts and of the nearest names are found."""
    member, asked = everybody.large, questions(everybody.large)
    assert member.facts > transaction.EXACT
    for kind, answers in (("f", related(store, member, asked)), ("e", matched(store, member, asked))):
        wanted = [nearest(member, kind, each) for each in asked]
        assert all(len(answer) == NEAREST for answer in answers)
        assert share(list(zip(wanted, answers, strict=True))) >= 0.95
