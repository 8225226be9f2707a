"""The SQLite store finds what a window may touch through indexes, whatever the size of the scope."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.memory import Memory
from mem0g.store.in_memory.vectors import Rows
from mem0g.store.queries import EntityCandidate, EntityQuery, FactQuery
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from tests.making import ANN, EMBEDDER, change, entity, fact, triple, vector

CHAT = Path(__file__).parents[2] / "examples" / "olivia-and-ben.txt"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store."""
    opened = SqliteStore(tmp_path / "mem0g.db")
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    yield opened
    opened.close()


def test_no_read_of_a_window_scans_a_table(tmp_path: Path) -> None:
    """Every statement of a window, reads and writes, searches its tables by an index."""
    with Memory.open(tmp_path / "mem0g.db", embedder=EMBEDDER) as memory:
        memory.add(CHAT.read_text(), user_id="ann")
        connection = memory.store._connection  # type: ignore[attr-defined]
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
        memory.add_triples([triple("Olivia", "lives in", "Porto"), triple("Ben", "met", "Anna")], user_id="ann")
        connection.set_trace_callback(None)
    with sqlite3.connect(tmp_path / "mem0g.db") as reading:
        plans = {
            statement: [row[3] for row in reading.execute(f"EXPLAIN QUERY PLAN {statement}")]
            for statement in statements
            if re.match(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE)", statement)
        }
    scanned = r"SCAN (?!json_each|near|cited|wanted|\(subquery|meta|tenant|scope\b|CONSTANT|VIRTUAL|LEFT-MOST)"
    assert len(plans) > 20
    assert {statement: plan for statement, plan in plans.items() if any(re.match(scanned, each) for each in plan)} == {}


@pytest.mark.parametrize("others", [3, 250])
def test_an_edge_is_found_among_many_facts_of_its_object(store: SqliteStore, others: int) -> None:
    """What two are known to have to do with each other is found, however many others there are: few, or far more."""
    tea, ann = entity("tea"), entity("Ann")
    people = [entity(f"person {number}") for number in range(others)]
    between = [fact(ann, "LIKES", tea), fact(ann, "BREWS", tea), fact(tea, "CALMS", ann)]
    facts = [*between, *(fact(each, "LIKES", tea) for each in people), fact(ann, "LIKES", people[0])]
    write(store, change(entities=[tea, ann, *people], facts=facts))
    query = FactQuery(subject_id=ann.id, relations=(), object_id=tea.id, vector=vector("x"))
    (found,) = store.write(ANN, lambda transaction: transaction.related_facts([query], 0))
    assert {each.fact.id for each in found} == {each.id for each in between}


def test_facts_that_concern_no_triple_are_not_read(store: SqliteStore) -> None:
    """Facts of the same subject and relation are left out where another object cannot matter, however similar."""
    ann, places = entity("Ann"), [entity(f"place {number}") for number in range(20)]
    visits = [fact(ann, "VISITED", each) for each in places]
    write(store, change(entities=[ann, *places], facts=visits))
    query = FactQuery(
        subject_id=ann.id,
        relations=("VISITED",),
        object_id=places[3].id,
        vector=vector(visits[7].text),
        concerns=lambda relation: relation == "PLANS_TO_VISIT",
    )
    (found,) = store.write(ANN, lambda transaction: transaction.related_facts([query], 5))
    assert [each.fact.id for each in found] == [visits[3].id]


def test_a_window_is_matched_as_each_of_its_names_alone(store: SqliteStore) -> None:
    """Many queries at once find what each of them finds alone."""
    names = ["Ann Berg", "Ann", "Berg house", "tea", "green tea", "Tea"]
    write(store, change(entities=[entity(name) for name in names]))
    queries = [
        EntityQuery(names=("ann",), tokens=("ann",), vector=vector("Ann")),
        EntityQuery(names=("tea", "nothing"), tokens=("berg", "green"), vector=vector("green tea")),
        EntityQuery(names=("nobody",), vector=None),
    ]

    def matched(asked: Sequence[EntityQuery]) -> list[tuple[EntityCandidate, ...]]:
        return store.write(ANN, lambda transaction: transaction.match_entities(asked, 2))

    together = matched(queries)
    for query, found in zip(queries, together, strict=True):
        (alone,) = matched([query])
        assert [each.entity for each in found] == [each.entity for each in alone]
        assert [each.similarity for each in found] == pytest.approx([each.similarity for each in alone], abs=1e-6)
    assert together[2] == ()


@given(
    scores=st.lists(st.integers(-3, 3), max_size=300) | st.just(list(range(300))),
    limit=st.integers(0, 40),
    without=st.sets(st.integers(0, 299)),
)
def test_the_nearest_are_the_first_of_all_in_order(scores: list[int], limit: int, without: set[int]) -> None:
    """The nearest rows are those of a full sort, ties by row number, whatever is excluded."""
    rows = Rows(1)
    if scores:
        rows.append(range(10, 10 + len(scores)), np.array(scores)[:, None])
    hidden = {10 + place for place in without}
    wanted = sorted((-score, 10 + place) for place, score in enumerate(scores) if 10 + place not in hidden)
    one = np.ones((1, 1), dtype=np.float32)
    assert rows.nearest(one, limit, hidden) == [number for _, number in wanted[:limit]]
    assert rows.nearest_of_each(one, limit, hidden) == [rows.nearest(one, limit, hidden)]
