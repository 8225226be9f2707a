"""Requests to commit several windows together: which triples are of which window."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mem0g.ingest.commit_request import CommitRequest, joined
from mem0g.model import Scope
from tests.extract.windows import messages
from tests.making import AT, triple

MESSAGES = messages("one", "two", "three", "four")
IDS = [message.id for message in MESSAGES]


def request(window: str, places: Sequence[int], *cited: Sequence[int]) -> CommitRequest:
    """A request of a window with these messages and, for each triple, those that it cites."""
    triples = [
        triple("Ann", "says", f"{window}{count}", evidence=tuple(IDS[place] for place in each))
        for count, each in enumerate(cited)
    ]
    new = tuple(MESSAGES[place] for place in places)
    times = {message.id: message.time for message in MESSAGES}
    told = frozenset(message.id for message in new)
    return CommitRequest(
        scope=Scope("ann"), at=AT, messages=new, triples=tuple(triples), times=times, told=told, window=window
    )


def test_one_window() -> None:
    """All triples are of it, also those of no window."""
    assert request("a", [0, 1], [0], [1]).parts() == {"a": range(2)}
    assert request("", [], []).parts() == {"": range(1)}
    assert request("a", [0]).parts() == {}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([[0], [1]], [[2], [3]], {"a": range(2), "b": range(2, 4)}),
        ([[0]], [[1, 2], [0, 1, 3]], {"a": range(1), "b": range(1, 3)}),
        ([], [[2]], {"b": range(1)}),
        ([[0]], [], {"a": range(1)}),
        ([[0]], [[2], [0], []], {"a": range(1), "b": range(1, 4)}),
    ],
    ids=["both", "context is cited", "first is empty", "second is empty", "only context is cited"],
)
def test_two_windows(first: list[list[int]], second: list[list[int]], expected: dict[str, range]) -> None:
    """A triple is of the window of the last message that it cites, never of one before that of the triple before it."""
    assert joined([request("a", [0, 1], *first), request("b", [2, 3], *second)]).parts() == expected


@pytest.mark.parametrize(("cited", "first"), [([2, 3], 2), ([0, 3], 3), ([0, 1, 2, 3], 2), ([1, 0], 0), ([], None)])
def test_what_told_a_triple_is_its_window(cited: list[int], first: int | None) -> None:
    """Messages before the window only show what its messages mean, unless no other is cited."""
    asked = request("b", [2, 3], cited)
    together = joined([request("a", [0, 1]), asked])
    expected = None if first is None else MESSAGES[first].time
    assert asked.said_at(asked.triples[0]) == together.said_at(asked.triples[0]) == expected
