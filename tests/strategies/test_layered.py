"""Layered memory: what is in which layer, and when a fact is promoted."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mem0g import Memory
from mem0g.errors import InputError
from mem0g.strategies import LayeredMemory, Layers
from tests.strategies.conftest import BEGAN, TALK, said


def sections(text: str) -> dict[str, str]:
    """Return what stands under each heading of a layer."""
    parts = text.split("\n\n")
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in parts}


def test_three_layers(told: Memory) -> None:
    """The last turns as said, more of the session, and of earlier sessions what answers."""
    strategy = LayeredMemory(told, user_id="ann", layers=Layers(turns=2))
    shown = sections(strategy.context("What is the red kayak of Ida's sister for?", 400).text)
    assert list(shown) == ["From before:", "Earlier in this session:", "Just now:"]
    assert [line.split("| ")[1] for line in shown["Just now:"].splitlines()] == [
        "Ann: On the fjord, every Sunday.",
        "Bot: Take a life vest.",
    ]
    assert "red kayak" in shown["Earlier in this session:"]
    assert "Ida" in shown["From before:"]
    assert "life vest" not in shown["From before:"]


def test_facts_of_the_session_are_promoted(told: Memory) -> None:
    """One that is said once waits for the end of the session; one said twice, or of one's home, is promoted at once."""
    strategy = LayeredMemory(told, user_id="ann")

    def promoted() -> set[str]:
        return {fact.text for fact in strategy.promoted(told.facts(user_id="ann"))}

    assert any("Oslo" in text for text in promoted())
    assert not any("kayak" in text for text in promoted())
    late = BEGAN + timedelta(days=100, hours=1)
    for each in said("2", ("Ann: I live in Lisbon.", "Ann: I bought a red kayak."), late):
        strategy.add(
            [
                type(each)(
                    **{name: getattr(each, name) for name in each.__dataclass_fields__}
                    | {"position": 9 + each.position}
                )
            ]
        )
    assert any("Lisbon" in text for text in promoted())
    strategy.add(said("3", ("Ann: Good morning.",), late + timedelta(days=1)))
    assert any("kayak" in text for text in promoted())


def test_silence_ends_a_session(memory: Memory) -> None:
    """Without names of sessions a pause parts them; a shorter one with another setting."""
    strategy = LayeredMemory(memory, user_id="ann", layers=Layers(turns=1))
    strategy.add(
        [
            *said("", ("Ann: I saw a comet.",), BEGAN),
            *said("", ("Ann: x", "Ann: Hello again."), BEGAN + timedelta(hours=9))[1:],
        ]
    )
    assert "Earlier" not in strategy.context("a comet?", 200).text
    patient = LayeredMemory(memory, user_id="ann", layers=Layers(turns=1, pause=timedelta(days=1)))
    assert "comet" in sections(patient.context("a comet?", 200).text)["Earlier in this session:"]


@pytest.mark.parametrize("given", [{"working": 0.9, "session": 0.2}, {"session": -0.1}, {"turns": 0}])
def test_impossible_layers(given: dict[str, float]) -> None:
    """Shares of more than the whole, or less than nothing, and no turns are refused."""
    with pytest.raises(InputError):
        Layers(**given)  # type: ignore[arg-type]


def test_an_empty_memory(memory: Memory) -> None:
    """Nothing is known, and nothing is shown."""
    assert not LayeredMemory(memory, user_id="ann").context("Where?").known
    assert LayeredMemory(memory, user_id="ann").add(TALK).messages == len(TALK)
