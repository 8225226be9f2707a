"""Later messages that say how it is now: raised above the earlier ones where a question asks for the present."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from mem0g import Memory
from mem0g.model import Message, Role, Scope, Utterance
from mem0g.retrieve.question.present import asks_for_present
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.candidate_set import CandidateSet
from mem0g.retrieve.ranking.updates import asks_for_latest, may_update, raise_updates
from mem0g.store.candidates import MessageCandidate, SearchCandidates
from mem0g.testing import HashingEmbedder
from tests.making import message as sample
from tests.making import turns, vector

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
    ("question", "latest"),
    [
        ("Where does Ann moor the boat?", True),
        ("Who feeds the hens?", True),
        ("What is the gate code?", True),
        ("Is Bo still at the bakery?", True),
        ("Where did Ann moor the boat?", False),
        ("Why is Bo away?", False),
        ("Which hobbies does Ann have?", False),
        ("What does Ann say about boats?", False),
    ],
)
def test_which_questions_the_latest_statement_answers(question: str, latest: bool) -> None:
    """Those in the present tense that ask for one thing of a kind that is known, or for what holds now."""
    assert asks_for_latest(question) is latest


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
    spoken = [
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
        memory.add(spoken, user_id="uma")
        assert memory.search("When is the choir rehearsal?", user_id="uma")[0].text == said[-1]
        assert memory.search("When was the choir rehearsal?", user_id="uma")[0].text == said[0]


def test_the_latest_of_the_messages_that_fit_comes_first(tmp_path: Path) -> None:
    """Whoever says it; asked for the past, the one most like the question does."""
    said = ["Ann moors the boat in Bergen", "The hens are fine", "A storm came up", "Ann moors her boat in Oslo"]
    spoken = [
        Utterance(
            source="c", session=str(n), position=0, speaker=f"S{n}", role="user", text=text, time=START.replace(day=n)
        )
        for n, text in enumerate(said, start=1)
    ]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add(spoken, user_id="uma")
        assert memory.search("Where does Ann moor the boat?", user_id="uma")[0].text == said[-1]
        assert memory.search("Where did Ann moor the boat?", user_id="uma")[0].text == said[0]


def test_among_few_the_latest_has_to_fit(tmp_path: Path) -> None:
    """What was said last about something else does not come first."""
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        for text in ("Ann lives in Oslo.", "Ben likes tea in Bergen."):
            memory.add(text, user_id="uma")
        assert memory.search("Where does Ann live?", user_id="uma")[0].text == "Ann lives in Oslo."


def test_messages_without_a_time_keep_their_scores(tmp_path: Path) -> None:
    """Nobody knows which of them is the latest."""
    said = ["Ann moors the boat in Bergen", "Her boat lies in Oslo"]
    spoken = [
        Utterance(source="c", session=str(n), position=0, speaker="Uma", role="user", text=text, time=None)
        for n, text in enumerate(said)
    ]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add(spoken, user_id="uma")
        assert memory.search("Where does Ann moor the boat?", user_id="uma")[0].text == said[0]


@pytest.mark.parametrize(
    ("last", "role", "rises"),
    [
        ("change it to june then, on the 12th", "user", True),
        ("change it to june then, on the 12th", "assistant", False),  # says what a user said
        ("they bought boots on the 12th", "user", False),  # changes nothing
        ("change it to blue then", "user", False),  # is no day
    ],
)
def test_a_change_without_a_word_of_what_it_changes(last: str, role: Role, rises: bool) -> None:
    """ "Change it to june" continues what is asked about, and rises above the day that was said first."""
    said = [
        ("the ferry to Skye is booked for the 3rd of may", "one", 0.9),
        *((f"a seal bit the postman on pier {place}", "one", 0.0) for place in "abcdefgh"),
        ("they say the ferry is full", "two", 0.7),
        (last, "two", 0.3),
    ]
    made = [
        sample(text, place, session=session, role=role if text == last else "user", time=START + timedelta(days=place))
        for place, (text, session, _) in enumerate(said)
    ]
    found = (MessageCandidate(each, (cosine,) * 2, "") for each, (*_, cosine) in zip(made, said, strict=True))
    asked = Question("When is the ferry to Skye?", (), (), (), (vector("ferry"), vector("ferry")))
    candidates = CandidateSet(asked, SearchCandidates((), messages=tuple(found), turns=turns(*made)).in_columns())
    total = np.array([5.0, *[0.0] * 8, 2.0, 4.0])
    raise_updates(candidates, total)
    assert said[int(total.argmax())][0] == (last if rises else said[0][0])


def test_another_relation_than_the_one_asked_for_gains_nothing(tmp_path: Path) -> None:
    """Where Bo has moved to since is no later answer to where he works."""
    told = ("My brother Bo works for Lindt.", "I work at Acme.", "I like tea.", "I live in Oslo.", "Bo moved to Bern.")
    with Memory.open(tmp_path / "m.db") as memory:
        for month, text in enumerate(told, start=1):
            memory.add([{"role": "user", "content": text, "timestamp": f"2024-0{month}-01"}], user_id="uma")
        found = memory.search("Where does Bo work?", user_id="uma")
    assert "Lindt" in found[0].text
