"""The example transcript gives the facts that the documentation shows."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from mem0g.model import Message, Scope, Triple, Utterance

_FILE = Path(__file__).parents[2] / "examples" / "olivia-and-ben.txt"


def _messages() -> list[Message]:
    messages: list[Message] = []
    time = datetime(2024, 1, 1, tzinfo=UTC)
    for line in filter(None, map(str.strip, _FILE.read_text(encoding="utf-8").splitlines())):
        if line.startswith("# "):
            time = datetime.fromisoformat(line[2:]).replace(tzinfo=UTC)
            continue
        speaker, _, text = line.partition(": ")
        position = len(messages)
        utterance = Utterance(
            source="example", session=str(time), position=position, speaker=speaker, role="user", text=text, time=time
        )
        messages.append(Message.of(utterance, Scope(user_id="example")))
    return messages


@pytest.fixture(scope="module")
def triples() -> list[Triple]:
    """The triples of the example, extracted four messages at a time."""
    messages = _messages()
    found: list[Triple] = []
    for start in range(0, len(messages), 4):
        context = tuple(messages[max(0, start - 10) : start])
        window = Window(messages=tuple(messages[start : start + 4]), context=context, speakers=("Olivia", "Ben"))
        found += RulesExtractor().extract(window)
    return found


def test_about_eighty_messages_in_six_sessions() -> None:
    """It is as long as it is said to be."""
    messages = _messages()
    assert 75 <= len(messages) <= 95
    assert len({message.session for message in messages}) == 6


@pytest.mark.parametrize(
    ("subject", "relation", "object_", "retracts"),
    [
        ("Olivia", "lives_in", "Bergen", False),
        ("Olivia", "plans_to_live_in", "Lisbon", False),
        ("Olivia", "lives_in", "Lisbon", False),
        ("Olivia", "works_at", "Fjordlys", False),
        ("Olivia", "works_at", "Fjordlys", True),
        ("Olivia", "works_at", "Tinta Games", False),
        ("Olivia", "also_known_as", "Liv", False),
        ("Olivia", "has_sister", "Anna", False),
        ("Anna", "lives_in", "Tromsø", False),
        ("Anna", "works_as", "nurse", False),
        ("Olivia", "has_pet", "Pepper", False),
        ("Ben", "has_pet", "Pepper", False),
        ("Olivia", "plans_to_visit", "Japan", False),
        ("Olivia", "plans_to_visit", "Japan", True),
        ("Ben", "plans_to_run", "Bergen half marathon", False),
        ("Ben", "ran", "Bergen half marathon", False),
        ("Ben", "has_neighbor", "Mats", False),
        ("Ben", "has_neighbor", "Mats", True),
        ("Ben", "has_neighbor", "Mads", False),
        ("Ben", "dating", "Clara", False),
    ],
)
def test_the_story_is_told(triples: list[Triple], subject: str, relation: str, object_: str, *, retracts: bool) -> None:
    """The move, the new job, the alias, the pet, the two plans and the correction are all found."""
    assert (subject, relation, object_, retracts) in {(t.subject, t.relation, t.object, t.retracts) for t in triples}


def test_the_move_is_dated(triples: list[Triple]) -> None:
    """Olivia lives in Lisbon from the day she moved there."""
    (move,) = [t for t in triples if (t.relation, t.object) == ("lives_in", "Lisbon")]
    assert str(move.valid_from) == "2024-04-06"
