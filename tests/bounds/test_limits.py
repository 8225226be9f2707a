"""Limits of lists may be any number: huge ones mean all, negative ones are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mem0g import Memory, Triple
from mem0g.errors import QueryError
from tests.making import EMBEDDER


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory of one fact and one message."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="none") as opened:
        opened.add("Hello.", user_id="ann")
        opened.add_triples(
            [Triple(subject="Ann", relation="lives_in", object="Oslo", text="Ann lives in Oslo.")], user_id="ann"
        )
        yield opened


@pytest.mark.parametrize("listed", [Memory.facts, Memory.entities, Memory.messages, Memory.decisions])
def test_limits_of_lists(memory: Memory, listed: Callable[..., tuple[object, ...]]) -> None:
    """A limit beyond the database's integers returns all, an offset beyond them nothing."""
    everything = listed(memory, user_id="ann")
    assert len(everything) > 0
    assert listed(memory, user_id="ann", limit=10**30) == everything
    assert listed(memory, user_id="ann", offset=10**30) == ()
    for wrong in ({"limit": -1}, {"offset": -1}):
        with pytest.raises(QueryError, match="-1"):
            listed(memory, user_id="ann", **wrong)


def test_limits_of_searches(memory: Memory) -> None:
    """A search, a context or a neighbourhood accepts a limit that is too large as well."""
    assert len(memory.search("Where does Ann live?", user_id="ann", limit=10**30)) == 2
    assert "Oslo" in memory.context("Where does Ann live?", user_id="ann", tokens=10**30, fill=True).text
    assert memory.subgraph("Ann", user_id="ann", limit=10**30, hops=10**30).number_of_edges() == 1
    with pytest.raises(QueryError, match="hops is -1"):
        memory.subgraph("Ann", user_id="ann", hops=-1)


def test_many_names_of_one_node(memory: Memory) -> None:
    """An entity is found by each of its many names after it got more, and after one of them was merged away."""
    names = [f"Annie{number}" for number in range(30)]
    for name in names:
        alias = Triple(subject="Ann", relation="also_known_as", object=name, text=f"Ann is also known as {name}.")
        memory.add_triples([alias], user_id="ann")
    (ann,) = (entity for entity, _ in memory.entities(user_id="ann") if entity.name == "Ann")
    assert {memory.entity(name, user_id="ann").id for name in names} == {ann.id}
