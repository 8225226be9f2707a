"""Vectors as parameters: as a list for any server, as a vector for one that knows the type."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mem0g.store.neo4j.rows import vector_of
from mem0g.store.neo4j.server.queries import as_list, as_sent, as_vector, query

BEGINNINGS = ("nearest", "lts/nearest", "nearest_selected")
VECTOR = np.array([0.5, -0.25, 0.1], dtype=np.float32)


def test_a_list() -> None:
    """Older servers get numbers."""
    assert as_list(VECTOR) == VECTOR.tolist()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_vector(kind: type[np.floating]) -> None:
    """Newer ones get a vector in single precision, whatever an embedder returns."""
    sent = as_vector(VECTOR.astype(kind))
    assert (sent.dtype, sent.to_native()) == ("f32", VECTOR.tolist())


def test_vectors_of_rows() -> None:
    """A vector is read back from either form."""
    for form in (as_list, as_vector):
        read = vector_of(form(VECTOR))
        assert read.dtype == np.float32
        assert read.tolist() == VECTOR.tolist()


def test_both_ways_gather_the_same() -> None:
    """The query for newer servers differs only in that it returns vectors as such."""
    newer = query("gather").removeprefix("CYPHER 25\n")
    assert re.sub(r"vector\((\w\.embedding), size\(\1\), FLOAT32\)", r"\1", newer) == query("lts/gather") != newer


def test_all_ways_walk_the_same() -> None:
    """The walks are the same in each query that begins a search."""
    walks = {
        name: query(name).partition("CALL (near, known) {")[2].partition("OPTIONAL MATCH (store")[0]
        for name in BEGINNINGS
    }
    assert len(set(walks.values())) == 1
    assert "AS traversal" in walks["nearest"]


KEYS = {"user_id": "ann", "agent_id": "helper", "run_id": "r1"}


@pytest.mark.parametrize("missing", [(), ("run_id",), ("agent_id", "run_id"), ("user_id",), ("user_id", "agent_id")])
@pytest.mark.parametrize("name", ["nearest", "match_entities", "related_facts"])
def test_an_index_is_asked_for_the_keys_that_are_given(name: str, missing: tuple[str, ...]) -> None:
    """What is null is no condition of a search in a vector index; all other conditions stay."""
    sent = as_sent(name, KEYS | dict.fromkeys(missing))
    filters = re.findall(r"VECTOR INDEX (\w+) FOR .*?WHERE (.*?) LIMIT \$", sent, re.DOTALL)
    assert filters
    for index, conditions in filters:
        asked = [re.sub(r"^\w\.", "", each).split(" = ") for each in conditions.split(" AND ")]
        keys = [[key, f"$given.{key}"] for key in KEYS if key not in missing]
        assert asked == keys + ([["current", "true"]] if index == "mem0g_fact_embedding" else [])


def test_other_conditions_stay() -> None:
    """A key that is null is left out of searches in vector indexes only."""
    shown, hidden = as_sent("related_facts", KEYS), as_sent("related_facts", KEYS | {"run_id": None})
    assert shown.replace(" AND f.run_id = $given.run_id", "") == hidden != shown
    assert as_sent("list_facts", dict.fromkeys(KEYS)) == as_sent("list_facts", KEYS)


def test_nothing() -> None:
    """What has no vector gets null."""
    assert (as_list(None), as_vector(None)) == (None, None)
