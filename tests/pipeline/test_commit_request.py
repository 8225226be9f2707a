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
    return CommitRequest(scope=Scope("ann"), at=AT, messages=new, triples=tuple(triples), window=window)


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
