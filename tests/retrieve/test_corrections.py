"""What corrects the message before it comes first; a question does not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mem0g import Memory, Utterance
from mem0g.retrieve.question.kinds import asks_about_user, may_be_denied
from mem0g.testing import HashingEmbedder

AT = datetime(2024, 3, 2, tzinfo=UTC)


def first_hit(folder: Path, said: Sequence[tuple[str, str]], question: str) -> str:
    """Return the first hit for a question about messages by speaker and text, said in one session."""
    made = [
        Utterance(
            source="c",
            session="1",
            position=place,
            speaker=who,
            role="user",
            text=text,
            time=AT + timedelta(minutes=place),
        )
        for place, (who, text) in enumerate(said)
    ]
    with Memory.open(folder / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add(made, user_id="u")
        return memory.search(question, user_id="u")[0].text


OTHERS = (("Bo", "the hens are fine"), ("Ann", "it rains a lot here"))


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ((("Ann", "the ferry leaves at 16:40"), ("Ann", "scratch that, 18:10")), "When does the ferry leave?"),
        ((("Ann", "the ferry leaves at 16:40"), ("Bo", "no, 18:10")), "When does the ferry leave?"),
        ((("Bo", "Ann is still a vegan"), ("Ann", "I gave that up")), "Is Ann still a vegan?"),
    ],
)
def test_the_correction_comes_first(tmp_path: Path, said: Sequence[tuple[str, str]], question: str) -> None:
    """It has hardly a word of what it corrects."""
    assert first_hit(tmp_path, (*OTHERS, *said), question) == said[-1][1]


@pytest.mark.parametrize(
    "said",
    [
        (("Ann", "the ferry leaves at 16:40"), ("Ann", "never mind the weather")),
        (("Ann", "the ferry leaves at 16:40"), ("Bo", "fine"), ("Bo", "good"), ("Bo", "no, I arrive at 18:10")),
    ],
)
def test_what_corrects_nothing(tmp_path: Path, said: Sequence[tuple[str, str]]) -> None:
    """A correction has what is asked for, and what somebody else corrects is not farther than the message before."""
    assert first_hit(tmp_path, (*OTHERS, *said), "When does the ferry leave?") == said[0][1]


def test_a_statement_stands_above_a_question_that_tells(tmp_path: Path) -> None:
    """A question tells where the party is, but the answer to it is a statement."""
    said = (("Ann", "the boat party is in Lima, right?"), ("Bo", "the boat party moved to Oslo"))
    assert first_hit(tmp_path, (*OTHERS, *said), "Where is the boat party?") == said[1][1]


def test_questions_about_the_user() -> None:
    """In the first person, or by this word."""
    assert asks_about_user("Where do I live?")
    assert asks_about_user("What does the user's sister do?")
    assert asks_about_user("Wo wohnt der Nutzer?")
    assert not asks_about_user("How many users are there?")
    assert not asks_about_user("")


def test_questions_that_a_negation_may_answer() -> None:
    """Those for a yes or no, and those for an end."""
    for asked in ("Is Ann at sea?", "Why did Ann quit?", "What happened to the boat?", "Warum hat sie gekündigt?"):
        assert may_be_denied(asked)
    for asked in ("", "Where does Ann live?", "What is an island?"):
        assert not may_be_denied(asked)
