"""What was said later comes before what was said earlier where a question asks for the latest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from mem0g import Memory
from mem0g.model import Utterance
from mem0g.retrieve.question.present import asks_for_present
from mem0g.retrieve.ranking.candidate_set import CandidateSet
from mem0g.retrieve.ranking.recency import asks_for_latest, raise_latest
from mem0g.testing import HashingEmbedder

START = datetime(2025, 3, 1, 9, tzinfo=UTC)


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


def found(question: str, times: Sequence[int], topical: Sequence[float]) -> CandidateSet:
    """Messages said at ``times``, which are more or less about what is asked."""
    count = len(times)
    given = SimpleNamespace(
        question=SimpleNamespace(text=question, overview=False, as_of=None),
        first=0,
        fact_columns=SimpleNamespace(said_at=np.empty(0, dtype=np.int64)),
        message_columns=SimpleNamespace(times=np.array(times), positions=list(range(count))),
        eligible=np.ones(count, dtype=bool),
        belated=np.zeros(count, dtype=bool),
        topical=np.array(topical),
    )
    return cast("CandidateSet", given)


@pytest.mark.parametrize(
    ("question", "times", "topical", "best"),
    [
        ("Where does Ann moor the boat?", [1, 2, 3], [1, 1, 1], 1),
        ("Where does Ann moor the boat?", [2, 1, 3], [1, 1, 1], 0),
        ("Where does Ann moor the boat?", [1, 2, 3], [1, 0.4, 1], 0),
        ("Where did Ann moor the boat?", [1, 2, 3], [1, 1, 1], 0),
    ],
    ids=["the latest", "the best is the latest", "about something else", "asked for the past"],
)
def test_of_those_that_fit_about_as_well_the_latest_comes_first(
    question: str, times: Sequence[int], topical: Sequence[float], best: int
) -> None:
    """The third one fits less by more than that."""
    total = np.array([2.0, 1.6, 1.4])
    raise_latest(found(question, times, topical), total)
    assert int(total.argmax()) == best
    assert total.tolist() == [2.0, 2.01 if best else 1.6, 1.4]


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


def test_another_relation_than_the_one_asked_for_gains_nothing(tmp_path: Path) -> None:
    """Where Bo has moved to since is no later answer to where he works."""
    told = ("My brother Bo works for Lindt.", "I work at Acme.", "I like tea.", "I live in Oslo.", "Bo moved to Bern.")
    with Memory.open(tmp_path / "m.db") as memory:
        for month, text in enumerate(told, start=1):
            memory.add([{"role": "user", "content": text, "timestamp": f"2024-0{month}-01"}], user_id="uma")
        found = memory.search("Where does Bo work?", user_id="uma")
    assert "Lindt" in found[0].text
