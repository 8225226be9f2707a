"""Later messages that say how it is now: raised above the earlier ones where a question asks for the present."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mem0g import Memory
from mem0g.model import Message, Role, Scope, Utterance
from mem0g.retrieve.question.present import asks_for_present
from mem0g.retrieve.ranking.answer_types import answer_type, has
from mem0g.retrieve.ranking.updates import may_update
from mem0g.testing import HashingEmbedder

START = datetime(2025, 3, 1, 9, tzinfo=UTC)


def message(position: int, speaker: str = "Ann", session: str = "one", role: Role = "user") -> Message:
    """Return a message said at a minute of a conversation."""
    at = START + timedelta(minutes=position)
    said = Utterance(
        source="s", session=session, position=position, speaker=speaker, role=role, text="It is 40 euros", time=at
    )
    return Message.of(said, Scope("u"))


@pytest.mark.parametrize(
    "question",
    [
        "How much does the parking space cost?",
        "When is the choir rehearsal?",
        "Is Bo still at the bakery?",
        "How many laps does Ann run on Sundays?",
        "What is my current address?",
        "Wie viel kostet der Stellplatz?",
        "By when does the roof need new tiles?",
    ],
)
def test_a_number_a_time_or_a_yes_in_the_present_may_have_changed(question: str) -> None:
    """Numbers, times and what is true or not change; "now" says that it is asked for."""
    assert asks_for_present(question)


@pytest.mark.parametrize(
    "question",
    [
        "When did Ann buy the boat?",
        "How much did the first boat cost?",
        "Why is Bo away?",
        "Which hobbies does Ann have?",
        "Would Ann like to sail?",
        "How does Bo repair the nets?",
        "Wo hat Bo früher gewohnt?",
        "",
    ],
)
def test_events_reasons_and_lists_are_not_about_the_present_state(question: str) -> None:
    """Several statements may answer these, or what was said first."""
    assert not asks_for_present(question)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When is the rehearsal?", "time"),
        ("Until what day is the pool open?", "time"),
        ("Wann ist die Probe?", "time"),
        ("How much is the ticket?", "number"),
        ("¿Cuántos barcos tiene?", "number"),
        ("Who sings when Ann is away?", None),
        ("", None),
    ],
)
def test_a_question_asks_for_a_time_or_a_number(question: str, kind: str | None) -> None:
    """By how it begins, in five languages."""
    assert answer_type(question) == kind


def test_texts_with_numbers_and_times() -> None:
    """Digits and words; not words that are mostly something else."""
    assert has("number", "seats are 14 each")
    assert has("number", "we sold twelve boats")
    assert not has("number", "one of us has a boat")
    assert has("time", "rehearsals are on Tuesdays")
    assert has("time", "at 7pm, as always")
    assert has("time", "since the 23rd")
    assert not has("time", "you may sing with 12 people")
    assert not has("time", "")


def test_a_message_updates_an_earlier_one_of_its_speaker_said_a_while_before() -> None:
    """Not what another says, an assistant, or who goes on about it."""
    assert may_update(message(20), message(1))
    assert may_update(message(3, session="two"), message(1))
    assert not may_update(message(3), message(1))  # goes on about it
    assert not may_update(message(1), message(20))
    assert not may_update(message(20, speaker="Bo"), message(1))
    assert not may_update(message(20, role="assistant"), message(1, role="assistant"))


def test_the_later_day_comes_first_without_a_word_that_says_so(tmp_path: Path) -> None:
    """Both messages fit a question about the present; one about the past keeps their order."""
    fillers = [
        "My uncle repairs clocks",
        "A seal bit the postman",
        "The bakery sells rye bread",
        "We painted the shed blue",
        "They planted seven pear trees",
        "I finished a long novel",
    ]
    said = ["The choir rehearsal is on Monday", *fillers, "Thursday is rehearsal evening for the choir"]
    turns = [
        Utterance(
            source="chat",
            session=f"s{day}",
            position=0,
            speaker="Uma",
            role="user",
            text=text,
            time=START + timedelta(days=day),
        )
        for day, text in enumerate(said)
    ]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add(turns, user_id="uma")
        assert memory.search("When is the choir rehearsal?", user_id="uma")[0].text == said[-1]
        assert memory.search("When was the choir rehearsal?", user_id="uma")[0].text == said[0]
