"""``as_of`` and ``known_at`` on both stores, against a naive model of the two times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mem0g.model import Entity, Fact, Scope, Succession
from mem0g.store.change import Change, Retirement, Support
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store
from mem0g.store.queries import FactFilter, SearchQuery, View
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from mem0g.times import Moment
from tests.making import EMBEDDER, change, day, entity, fact, vector

ANN = Scope(user_id="ann")
SCOPES = (ANN, Scope(user_id="ann", run_id="r"), Scope(user_id="ann", agent_id="helper"), Scope(user_id="bob"))
ASKED = (*SCOPES, Scope(run_id="r"), Scope(agent_id="helper"))
NAMES = ("Ann", "Bea", "Oslo", "Rome")
MOMENTS = tuple(map(Moment.parse, ("2019", "2020-02", "2021-01-01T00:00:00.000001Z", "2031")))
INSTANTS = [near for each in MOMENTS for near in (each.start - timedelta(microseconds=1), each.start)]
RECORDED = tuple(day(f"2024-06-{number:02}") for number in range(1, 10))

moments = st.none() | st.sampled_from(MOMENTS)
views = st.builds(
    View,
    as_of=st.none() | st.sampled_from(INSTANTS),
    known_at=st.none() | st.sampled_from([*RECORDED, RECORDED[0] - timedelta(days=1)]),
    include_retired=st.sampled_from((False, False, False, True)),
)


@dataclass
class World:
    """What happened, as a list of changes to commit, and what a reader of that list knows of each fact."""

    changes: list[Change] = field(default_factory=list)
    facts: dict[str, Fact] = field(default_factory=dict)

    def seen(self, scope: Scope, view: View) -> set[str]:
        """The ids of the facts that ``view`` sees in the scopes covered."""
        return {each.id for each in self.facts.values() if scope.covers(each.scope) and visible(each, view)}

    def around(self, scope: Scope, start: Entity, hops: int, view: View) -> set[str]:
        """The ids of the visible facts up to ``hops`` edges from ``start``."""
        seen = [self.facts[each] for each in self.seen(scope, view)]
        reached, found = {start.id}, set[str]()
        for _ in range(hops):
            touching = [each for each in seen if {each.subject_id, each.object_id} & reached]
            found |= {each.id for each in touching}
            reached |= {end for each in touching for end in (each.subject_id, each.object_id)}
        return found


def visible(told: Fact, view: View) -> bool:
    """The two times in words: recorded by then, begun by then, and believed then or, if not, not over by then."""
    begun = told.valid_from.start if told.valid_from else told.said_at
    if view.known_at and told.recorded_at > view.known_at:
        return False
    if view.as_of and begun and begun > view.as_of:
        return False
    believed = told.retired_at is None or (view.known_at is not None and told.retired_at > view.known_at)
    held = view.as_of is not None and told.valid_to is not None and told.valid_to.start > view.as_of
    return view.include_retired or believed or held


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Facts of several scopes come, some are dated by later evidence, some retired with or without an end."""
    world = World()
    for number, recorded in enumerate(RECORDED[: draw(st.integers(2, len(RECORDED)))]):
        deed = draw(st.sampled_from(("add", "add", "add", "support", "retire", "retire")))
        if deed == "add" or not world.facts:
            add(world, draw, number, recorded)
            continue
        told = draw(st.sampled_from(sorted(world.facts.values(), key=lambda each: each.id)))
        (support if deed == "support" else retire)(world, told, draw(moments), recorded)
    return world


def add(world: World, draw: st.DrawFn, number: int, recorded: datetime) -> None:
    """A new fact; some come retired, as from an import."""
    scope = draw(st.sampled_from(SCOPES))
    one, other = (entity(draw(st.sampled_from(NAMES)), scope) for _ in range(2))
    retired = draw(st.sampled_from((None, None, None, *RECORDED[number:])))
    made = fact(
        one,
        draw(st.sampled_from(("LIVES_IN", "LIKES"))),
        other,
        f"{one.name} and {other.name}, {number}",
        valid_from=draw(moments),
        valid_to=draw(moments),
        said_at=draw(st.none() | st.sampled_from(INSTANTS)),
        recorded_at=recorded,
        retired_at=retired,
    )
    world.facts[made.id] = made
    world.changes.append(change(scope, entities=list({each.id: each for each in (one, other)}.values()), facts=[made]))


def support(world: World, told: Fact, dated: Moment | None, recorded: datetime) -> None:
    """More evidence dates a fact that had no date."""
    world.facts[told.id] = replace(told, valid_from=told.valid_from or dated)
    world.changes.append(Change(scope=told.scope, support=(Support(told.id, (), dated),)))


def retire(world: World, told: Fact, ended: Moment | None, recorded: datetime) -> None:
    """A fact is retired; one that is retired already stays as it is."""
    if told.current:
        world.facts[told.id] = replace(told, retired_at=recorded, valid_to=ended)
    link = Succession(fact_id=told.id, successor_id=None, reason="over", decided_by="rule", at=recorded)
    world.changes.append(Change(scope=told.scope, retirements=(Retirement(link, ended),)))


def check(store: Store, world: World, asked: Iterable[tuple[Scope, View]]) -> None:
    """Lists, walks and searches of ``store`` see exactly what the model sees."""
    for made in world.changes:
        write(store, made)
    for scope, view in asked:
        expected = world.seen(scope, view)
        listed = store.list_facts(scope, FactFilter(view=view), 100)
        assert {each.id for each in listed} == expected
        assert all(each == world.facts[each.id] for each in listed)
        probe = SearchQuery(vectors=(vector("Ann and Rome"),), terms=("ann", "and", "rome"), view=view)
        assert {each.fact.id for each in store.find(scope, probe).facts} == expected
        for owner in (each for each in SCOPES if scope.covers(each)):
            for hops in (1, 2):
                walked = store.walk(scope, [entity("Ann", owner).id], hops, 100, view)
                assert {each.id for each in walked} == world.around(scope, entity("Ann", owner), hops, view)


def emptied(store: Store) -> Store:
    """The store without what the example before wrote."""
    for scope in store.scopes():
        store.forget(scope)
    return store


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Store]:
    """A store in a file."""
    opened = SqliteStore(tmp_path / "memory.db")
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    yield opened
    opened.close()


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # emptied within
@given(world=worlds(), asked=st.lists(views, min_size=4, max_size=8))
def test_a_file_sees_what_the_model_sees(file: Store, world: World, asked: list[View]) -> None:
    """Any views of any history, in every scope."""
    check(emptied(file), world, product(ASKED, asked))


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(world=worlds(), asked=st.lists(st.tuples(st.sampled_from(ASKED), views), min_size=4, max_size=6))
def test_a_server_sees_what_the_model_sees(empty: Neo4jStore, world: World, asked: list[tuple[Scope, View]]) -> None:
    """Any views of any history, each in one scope, in Neo4j."""
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    check(emptied(empty), world, asked)
