"""Timing of queries."""

from __future__ import annotations

import pytest

from benchmarks.embedders import TimedEmbedder
from benchmarks.timing import QueryTimes, percentile
from mem0g.testing import HashingEmbedder


def test_the_embedder_is_passed_through() -> None:
    """A timed embedder has the vectors, name and dimensions of the one it times."""
    plain = HashingEmbedder()
    timed = TimedEmbedder(plain)
    assert (timed.name, timed.dimensions) == (plain.name, plain.dimensions)
    assert timed.embed(["tea"]).tolist() == plain.embed(["tea"]).tolist()
    assert timed.milliseconds > 0


def test_a_query_and_its_embedding() -> None:
    """Each query's time is recorded with the part of the embedder, which is not carried over to others."""
    embedder = TimedEmbedder(HashingEmbedder())
    embedder.embed(["before"])
    times = QueryTimes(embedder)
    assert times.time(lambda text: embedder.embed([text]).shape, "tea") == (1, 64)
    assert times.time(sum, [1, 2]) == 3
    embedder.embed(["after"])
    assert len(times.milliseconds) == 2
    assert 0 < times.embedding[0] <= times.milliseconds[0]
    assert times.embedding[1] == 0
    assert "2 queries" in str(times)


def test_a_query_that_fails_is_not_counted() -> None:
    """An error is raised, and no time is recorded for it."""
    times = QueryTimes(TimedEmbedder(HashingEmbedder()))
    with pytest.raises(ZeroDivisionError):
        times.time(lambda: 1 // 0)
    assert times.milliseconds == []


def test_percentiles() -> None:
    """The median lies between the two in the middle."""
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.5
    assert percentile([7.0], 95) == 7.0
