"""Reads of a name that has entities in several of the scopes covered, on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g.errors import NotFoundError
from mem0g.extract import NoExtractor
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import retirement, write
from mem0g.times import Moment
from tests.making import ANN, BOB, EMBEDDER, change, day, entity, fact

RUN, AGENT = Scope(user_id="ann", run_id="r1"), Scope(user_id="ann", agent_id="helper")
HOMES = {ANN: "Oslo", RUN: "Lisbon", AGENT: "Rome", BOB: "Bonn"}


class ReadsOfAName:
    """The tests; a store's class gives the fixture ``store``."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    @pytest.fixture
    def memory(self, store: Store) -> Memory:
        """Ann likes another city in each scope; only in her own scope was she updated lately."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        for scope, home in HOMES.items():
            updated = day("2025-01-01" if scope == ANN else "2024-01-01")
            ann, city = entity("Ann", scope, updated_at=updated), entity(home, scope)
            write(store, change(scope, entities=[ann, city], facts=[fact(ann, "LIKES", city)]))
        return Memory(store, EMBEDDER, NoExtractor())

    def test_facts_are_those_of_every_scope_covered(self, memory: Memory) -> None:
        """Each scope's Ann gives her facts to a read that covers it, and no other."""
        found = memory.facts(entity="ann", user_id="ann")
        assert {each.object for each in found} == {"Oslo", "Lisbon", "Rome"}
        assert [each.object for each in memory.facts(entity="Ann", user_id="ann", run_id="r1")] == ["Lisbon"]
        assert [each.object for each in memory.facts(entity="Ann", user_id="bob")] == ["Bonn"]

    def test_a_subgraph_starts_from_each(self, memory: Memory) -> None:
        """The neighbourhood holds every Ann with her facts; the root is the one that ``entity`` gives."""
        graph = memory.subgraph("Ann", user_id="ann")
        assert {graph.nodes[each]["name"] for each in graph} == {"Ann", "Oslo", "Lisbon", "Rome"}
        assert graph.number_of_edges() == 3
        assert graph.graph["root"] == memory.entity("Ann", user_id="ann").id == entity("Ann", ANN).id

    def test_an_id_means_one(self, memory: Memory) -> None:
        """By its id an entity is alone, whatever it is called."""
        assert [each.object for each in memory.facts(entity=entity("Ann", RUN).id, user_id="ann")] == ["Lisbon"]
        assert memory.subgraph(entity("Ann", RUN).id, user_id="ann").number_of_edges() == 1
        with pytest.raises(NotFoundError):
            memory.facts(entity=entity("Ann", BOB).id, user_id="ann")

    def test_an_alias_counts_where_none_has_the_name(self, memory: Memory) -> None:
        """In a scope with an Ann, another one who is also called so is not meant; in a scope without one she is."""
        other = Scope(user_id="ann", run_id="r2")
        for scope in (ANN, other):
            miller, tea = entity("Anna Miller", scope, aliases=("Ann",)), entity("tea", scope)
            write(memory.store, change(scope, entities=[miller, tea], facts=[fact(miller, "DRINKS", tea)]))
        drinking = memory.facts(entity="Ann", relation="drinks", user_id="ann")
        assert [each.scope for each in drinking] == [other]

    def test_the_history_of_a_name_is_of_every_scope(self, memory: Memory) -> None:
        """By its name an entity's history and the log about it are those of every scope covered."""
        facts, _ = memory.history("Ann", user_id="ann")
        assert {each.object for each in facts} == {"Oslo", "Lisbon", "Rome"}
        for scope in (ANN, RUN):
            memory.retire(next(each.id for each in facts if each.scope == scope), **scope.keys)
        assert len(memory.decisions(about="Ann", user_id="ann")) == 2
        assert len(memory.decisions(about="Ann", user_id="ann", run_id="r1")) == 1

    def test_the_history_of_a_fact_spans_the_scopes(self, memory: Memory) -> None:
        """Another scope's interval of the same edge is part of its history; a namesake of its own scope is not."""
        here = fact(entity("Ann"), "LIVES_IN", entity("Oslo"), "once", valid_from=Moment.parse("2020"))
        there = fact(entity("Ann", RUN), "LIVES_IN", entity("Oslo", RUN), "again", valid_from=Moment.parse("2024"))
        write(memory.store, change(facts=[here], retirements=(retirement(here.id, None, "2021"),)))
        write(memory.store, change(RUN, entities=[entity("Oslo", RUN)], facts=[there]))
        boat = entity("Ann (boat)", aliases=("Ann",))
        write(memory.store, change(entities=[boat], facts=[fact(boat, "LIVES_IN", entity("Oslo"), "moored")]))
        for asked in (here, there):
            facts, _ = memory.history(asked.id, user_id="ann")
            assert [each.text for each in facts] == ["once", "again"]
        assert [each.text for each in memory.history(there.id, user_id="ann", run_id="r1")[0]] == ["again"]

    def test_a_merged_entity_is_no_start(self, memory: Memory) -> None:
        """What an entity was merged into is met by its own names."""
        write(memory.store, change(entities=[entity("Annie")]))
        write(memory.store, Change(scope=ANN, merges=((entity("Ann").id, entity("Annie").id),)))
        assert {each.object for each in memory.facts(entity="Ann", user_id="ann")} == {"Lisbon", "Rome"}
        assert [each.object for each in memory.facts(entity="Annie", user_id="ann")] == ["Oslo"]


class TestSqlite(ReadsOfAName):
    """In a file."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        opened = SqliteStore(tmp_path / "memory.db")
        yield opened
        opened.close()


class TestNeo4j(ReadsOfAName):
    """On a server."""

    @pytest.fixture
    def store(self, empty: Neo4jStore) -> Store:
        return empty
