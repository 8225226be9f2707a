"""Without a model: what was moved, counted on or cancelled is current alone, in both stores; history has the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mem0g.memory import Memory
from tests.pipeline.telling import EMBEDDER, Place

UMA: dict[str, Any] = {"user_id": "uma"}


@pytest.fixture
def memory(place: Place) -> Iterator[Memory]:
    """An empty memory that reads by rules."""
    with Memory.open(place.address, embedder=EMBEDDER, extractor="rules", credentials=place.credentials) as opened:
        yield opened


def tell(memory: Memory, *said: str) -> tuple[list[str], list[str]]:
    """Add what Uma says, a day apart; return the sentences of current facts and of those retired."""
    for number, text in enumerate(said, start=1):
        memory.add([{"role": "user", "content": text, "timestamp": f"2024-03-{number:02}T10:00:00Z"}], **UMA)
    facts = memory.facts(include_retired=True, **UMA)
    return [each.text for each in facts if each.current], [each.text for each in facts if not each.current]


@pytest.mark.parametrize(
    ("said", "current"),
    [
        (("My deadline is 5 May.", "The deadline moved to 20 May."), ["The deadline moved to 20 May 2024."]),
        (
            ("My meeting with Bob is on 5 June.", "The meeting got pushed to 7 June.", "The meeting is off."),
            ["The meeting is off."],
        ),
        (("I finished 12 chapters.", "I finished 15 chapters."), ["uma finished 15 chapters."]),
        (
            ("The launch date is June 3, 2024.", "The launch date is now July 1, 2024."),
            ["The launch date is now 1 July 2024."],
        ),
        (
            ("My dentist appointment is on 5 June.", "The dentist appointment has been cancelled."),
            ["The dentist appointment has been cancelled."],
        ),
    ],
)
def test_only_the_last_is_current(memory: Memory, said: tuple[str, ...], current: list[str]) -> None:
    """The earlier facts are retired, not only ranked lower, and their history tells what became of them."""
    found, retired = tell(memory, *said)
    assert found == current
    assert len(retired) == len(said) - 1
    first = next(each for each in memory.facts(include_retired=True, **UMA) if each.text == retired[0])
    _, successions = memory.history(first.id, **UMA)
    assert first.id in {each.fact_id for each in successions}


@pytest.mark.parametrize(
    ("plan", "off"),
    [
        ("I'm going on a trip to Oslo in May.", "The trip to Oslo was cancelled."),
        ("I'm flying to Oslo on 9 May.", "The Oslo trip was cancelled."),
        ("I have a meeting with Bob on 9 April.", "The meeting was cancelled."),
        ("Our wedding is on 9 May.", "The wedding was called off."),
    ],
)
def test_cancelled_in_any_order(memory: Memory, plan: str, off: str) -> None:
    """A plan that was cancelled is retired, also where the cancellation is read before the plan."""
    for day, text in ((21, off), (18, plan)):
        memory.add([{"role": "user", "content": text, "timestamp": f"2024-03-{day}T10:00:00Z"}], **UMA)
    assert [each.text for each in memory.facts(**UMA)] == [off]
    memory.add([{"role": "user", "content": plan, "timestamp": "2024-03-25T10:00:00Z"}], **UMA)
    assert len(memory.facts(**UMA)) == 2  # planned again


@pytest.mark.parametrize(
    ("said", "current", "retired"),
    [
        (("I live in Oslo.", "I live in Rome from May 2024."), ["lives in Oslo.", "lives in Rome from May 2024."], []),
        (
            ("I live in Oslo.", "From May 2024 I live in Rome.", "I live in Paris."),
            ["lives in Rome from May 2024.", "lives in Paris."],
            ["lives in Oslo."],
        ),
        (
            ("I live in Oslo.", "From May 2024 I live in Rome.", "I live in Rome."),
            ["lives in Rome."],
            ["lives in Oslo.", "lives in Rome from May 2024."],
        ),
        (
            ("I live in Oslo.", "I live in Rome from May 2024.", "I live in Lima from June 2024."),
            ["lives in Oslo.", "lives in Lima from June 2024."],
            ["lives in Rome from May 2024."],
        ),
        (
            ("I take 50 mg of sertraline.", "From Monday I take 100 mg of sertraline."),
            ["takes 50 mg of sertraline.", "takes 100 mg of sertraline from 4 March 2024."],
            [],
        ),
        (
            ("I take 50 mg of sertraline.", "From Monday I take 100 mg of sertraline.", "I take 100 mg of sertraline."),
            ["takes 100 mg of sertraline."],
            ["takes 50 mg of sertraline.", "takes 100 mg of sertraline from 4 March 2024."],
        ),
    ],
)
def test_a_state_that_lies_ahead_ends_none_of_today(
    memory: Memory, said: tuple[str, ...], current: list[str], retired: list[str]
) -> None:
    """Where somebody will live, or what they will take, is a plan beside what is, until they say that it is so."""
    assert tell(memory, *said) == ([f"uma {each}" for each in current], [f"uma {each}" for each in retired])


def test_a_home_that_lay_ahead_is_over_with_the_next(memory: Memory) -> None:
    """Once its day has passed, a home that was planned is given up for another one, as that of before is."""
    tell(memory, "I live in Oslo.", "I live in Rome from May 2024.")
    memory.add([{"role": "user", "content": "I live in Lima.", "timestamp": "2024-08-01T10:00:00Z"}], **UMA)
    assert [each.text for each in memory.facts(**UMA)] == ["uma lives in Lima."]
