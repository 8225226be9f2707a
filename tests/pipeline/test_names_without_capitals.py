"""Without a model: people who were told of before are known in messages without capitals, in both stores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mem0g.memory import Memory
from tests.pipeline.telling import EMBEDDER, Place


@pytest.fixture
def memory(place: Place) -> Iterator[Memory]:
    """A memory of what another process stored: Ann told of her sister and of Rose, Bob of nobody."""
    said = (("ann", "My sister Kasia lives in Leeds."), ("ann", "Rose lives in Rome."), ("bob", "Hello."))
    with opened(place) as before:
        for user, text in said:
            before.add([{"role": "user", "name": user, "content": text, "timestamp": "2024-03-01"}], user_id=user)
    with opened(place) as memory:
        yield memory


def opened(place: Place) -> Memory:
    """The memory at a place, which reads by rules."""
    return Memory.open(place.address, embedder=EMBEDDER, extractor="rules", credentials=place.credentials)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("kasia passed her driving test!!!", [("Kasia", "PASSED")]),
        ("kasia has moved to york now", [("Kasia", "LIVES_IN")]),
        ("rose tinted glasses are great", []),
        ("the kasia rule is dumb", []),
        ("nobody lives in leeds", []),
    ],
)
def test_a_word_that_may_be_a_name_is_looked_up(memory: Memory, said: str, found: list[tuple[str, str]]) -> None:
    """It is a name where somebody of the scope bears it, and where a name may stand."""
    for user in ("ann", "bob"):
        memory.add([{"role": "user", "name": user, "content": said, "timestamp": "2024-06-01"}], user_id=user)
    new = [fact for fact in memory.facts(user_id="ann") if fact.said_at and fact.said_at.month == 6]
    assert [(each.subject, each.relation) for each in new] == found
    assert memory.facts(user_id="bob") == ()
