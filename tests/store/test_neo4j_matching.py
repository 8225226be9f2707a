"""Look-ups of a transaction in memory find what the server finds, whoever wrote to the scope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings

from mem0g.model import LITERAL, Scope
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j import transaction as transactions
from mem0g.store.protocol import Transaction
from mem0g.store.queries import MAX_NEIGHBOURS, EntityCandidate, EntityQuery, FactQuery, RelatedFact
from mem0g.testing.store_samples import retirement, write
from mem0g.text.names import fold, name_tokens
from mem0g.times import Moment
from tests.making import ANN, EMBEDDER, change, entity, fact, message, vector
from tests.servers.server import Server
from tests.store.fixtures import open_neo4j
from tests.store.test_stores_agree import NAMES, SCOPES, changes

T = TypeVar("T", EntityCandidate, RelatedFact)
RELATIONS = ("LIVES_IN", "LIKES")


@pytest.fixture
def other(empty: Neo4jStore, neo4j_server: Server) -> Iterator[Neo4jStore]:
    """The same database, as another process has it open."""
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    store = open_neo4j(neo4j_server)
    yield store
    store.close()


def around_of(found: EntityCandidate) -> tuple[object, object, object]:
    """What known facts connect a candidate to, how and since when."""
    return found.neighbours, found.dates, found.roles


def looked_up(transaction: Transaction, scope: Scope, names: Sequence[str] = NAMES) -> object:
    """What the look-ups of a transaction find, with rounded similarities."""
    entities = [
        EntityQuery(
            names=(fold(name),),
            tokens=tuple(name_tokens(f"{name} Smith")),
            vector=None if place == 0 else vector(name),
            around=place != 1,
        )
        for place, name in enumerate(names)
    ]
    facts = [
        FactQuery(
            subject_id=entity(name, scope).id,
            relations=RELATIONS,
            object_id=entity(other, scope).id,
            vector=vector(f"{name} {other}"),
            of_either_end=RELATIONS[: place % 3],
        )
        for place, (name, other) in enumerate(pairwise(names))
    ]
    matched, related = transaction.match_entities(entities, 50), transaction.related_facts(facts, 50)
    return (  # by id, as similarities that are equal but for rounding have no order
        [
            [
                (
                    one.entity,
                    round(one.similarity, 4) + 0.0,
                    *(around_of(one) if query.around else ()),
                )
                for one in by_id(each)
            ]
            for query, each in zip(entities, matched, strict=True)
        ],
        [[(one.fact, round(one.similarity, 4) + 0.0) for one in by_id(each)] for each in related],
    )


def by_id(found: Sequence[T]) -> list[T]:
    """Candidates by the id of what they are."""
    return sorted(found, key=lambda one: one.entity.id if isinstance(one, EntityCandidate) else one.fact.id)


def in_memory(store: Neo4jStore, scope: Scope, names: Sequence[str] = NAMES) -> object:
    """What a transaction of a store that holds the scope finds, without a look-up by the server."""
    store._connection.read(lambda run: store._holder.hold(run, scope))
    assert store._holder.version(scope)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transactions.Neo4jTransaction, "_variant", None)  # the name of a look-up by the server
        return store.write(scope, lambda transaction: looked_up(transaction, scope, names))


def by_server(store: Neo4jStore, scope: Scope, names: Sequence[str] = NAMES) -> object:
    """What a transaction of a store that holds nothing finds."""
    store._holder.discard()
    return store.write(scope, lambda transaction: looked_up(transaction, scope, names))


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])  # emptied within
@given(made=changes())
def test_any_changes(empty: Neo4jStore, other: Neo4jStore, made: list[Change]) -> None:
    """After each change by another process, both find the same."""
    leaf = (SCOPES[1], SCOPES[2])  # a scope that covers others is not held for writers
    for scope in SCOPES:
        other.forget(scope)
    for each in made:
        write(other, each)
        if each.scope in leaf:
            assert in_memory(empty, each.scope) == by_server(other, each.scope)


ANNA, OSLO, TEA = entity("Ann Smith"), entity("Oslo"), entity("green tea")
SIZE, SAID = entity("forty", type=LITERAL), message("I live in Oslo.")
HOME = fact(ANNA, "LIVES_IN", OSLO, evidence=(SAID.id,), valid_from=Moment.parse("2020"))
FACTS = [HOME, fact(ANNA, "LIKES", TEA), fact(ANNA, "IN", SIZE), fact(OSLO, "LIKES", OSLO)]
WHOLE = change(ANN, [SAID], [ANNA, OSLO, TEA, SIZE], FACTS)


def test_values_and_loops(empty: Neo4jStore, other: Neo4jStore) -> None:
    """A value is no neighbour, and nothing is its own."""
    write(other, WHOLE)
    names = ("Ann Smith", "Oslo", "Oslo", "green tea", "Ann Smith", "forty")
    assert in_memory(empty, ANN, names) == by_server(other, ANN, names)


def test_many_neighbours(empty: Neo4jStore, other: Neo4jStore) -> None:
    """Of an entity with too many neighbours and dates none are returned, of one with just as many as allowed all."""
    cities = [entity(f"City {number}") for number in range(MAX_NEIGHBOURS + 1)]
    visits = [fact(ANNA, f"SAW_{n}", city, valid_from=Moment.parse("2020")) for n, city in enumerate(cities)]
    few = [fact(TEA, f"SAW_{n}", city, valid_from=Moment.parse("2020")) for n, city in enumerate(cities[1:])]
    write(other, change(ANN, [], [ANNA, TEA, *cities], [*visits, *few]))
    names = ("Ann Smith", "Oslo", "green tea")
    found = in_memory(empty, ANN, names)
    assert found == by_server(other, ANN, names)
    assert {len(each[2]) for place in (0, 2) for each in found[0][place]} >= {0, MAX_NEIGHBOURS}  # type: ignore[index]


def test_own_writes_are_seen(empty: Neo4jStore, other: Neo4jStore) -> None:
    """Once a transaction has committed a change, its look-ups see that as well."""
    write(other, change(ANN, [SAID], [ANNA, OSLO], [HOME]))
    before = in_memory(empty, ANN)

    def work(transaction: Transaction) -> object:
        found = looked_up(transaction, ANN)
        transaction.commit(
            change(ANN, [], [TEA], [fact(ANNA, "LIKES", TEA)], retirements=(retirement(HOME.id, None, "2024"),))
        )
        assert looked_up(transaction, ANN) != found
        return found

    assert empty.write(ANN, work) == before
    assert in_memory(empty, ANN) == by_server(other, ANN) != before


def test_what_is_rolled_back_is_not_held(empty: Neo4jStore, other: Neo4jStore) -> None:
    """A transaction that fails leaves no trace in memory."""
    write(other, WHOLE)
    before = in_memory(empty, ANN)

    def work(transaction: Transaction) -> None:
        looked_up(transaction, ANN)
        transaction.commit(change(ANN, retirements=(retirement(HOME.id, None, "2024"),)))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        empty.write(ANN, work)
    assert in_memory(empty, ANN) == before


def test_a_large_scope_is_held_late(empty: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scope is held for its writers when the server has answered as many windows as reading it costs."""
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    write(empty, WHOLE)  # seven nodes that are looked up
    monkeypatch.setattr("mem0g.store.neo4j.holding.NODES_A_WINDOW", 4)
    held = []
    for _ in range(4):
        empty.write(ANN, lambda transaction: looked_up(transaction, ANN))
        held.append(bool(empty._holder.version(ANN)))
    assert held == [False, False, True, True]


def test_a_scope_that_is_too_large_is_not_held(empty: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server answers all windows of a scope with too many facts, and is asked for its size once."""
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    write(empty, WHOLE)
    monkeypatch.setattr("mem0g.store.neo4j.holding.MOST_FACTS", 2)
    monkeypatch.setattr("mem0g.store.neo4j.holding.LARGE_FACTS", 2)
    for _ in range(3):
        empty.write(ANN, lambda transaction: looked_up(transaction, ANN))
    assert not empty._holder.version(ANN)
    assert not empty._holder.is_due(ANN)


def test_a_large_scope_is_read_beside_its_windows(empty: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scope that is too large to be read by a window is held once its windows pay for that."""
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    write(empty, WHOLE)
    monkeypatch.setattr("mem0g.store.neo4j.holding.MOST_FACTS", 2)
    before = by_server(empty, ANN)
    for _ in range(3):
        empty.write(ANN, lambda transaction: looked_up(transaction, ANN))
        if empty._holder._reader:
            empty._holder._reader.join()
    assert empty._holder.version(ANN)
    assert in_memory(empty, ANN) == before
