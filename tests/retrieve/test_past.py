"""Whether a question is about the past."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g import Memory, Triple
from mem0g.retrieve.dates import named_dates
from mem0g.retrieve.past import is_about_the_past
from mem0g.testing import HashingEmbedder
from mem0g.times import Moment

PAST = [
    "Where did Nora live before?",
    "Where did Nora live in 2021?",
    "Since when has she lived in Bergen?",
    "How long did Nora live in Leeds?",
    "Where did Nora use to live, and where does she no longer live?",
    "What was her previous city?",
    "Why did she change jobs?",
]
NOW = ["Where does Nora live?", "Where is she living now?", "What did Nora buy?", "Who is Nora's sister?", "May I ask?"]


@pytest.mark.parametrize("text", PAST)
def test_about_the_past(text: str) -> None:
    """Its words ask for what was, or it names a date."""
    assert is_about_the_past(text, named_dates(text))


@pytest.mark.parametrize("text", NOW)
def test_about_now(text: str) -> None:
    """What is so, and what happened, which stays true, is not the past."""
    assert not is_about_the_past(text, named_dates(text))


@pytest.fixture
def moved(tmp_path: Path) -> Memory:
    """Nora lived in Leeds, then moved to Bergen."""
    memory = Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(256), extractor="none")
    triples = [
        Triple(
            subject="Nora",
            subject_type="person",
            relation="LIVES_IN",
            object=city,
            object_type="city",
            text=f"Nora lives in {city}.",
            valid_from=Moment.parse(since),
        )
        for city, since in (("Leeds", "2020-03"), ("Bergen", "2023-05"))
    ]
    memory.add_triples(triples, user_id="nora")
    return memory


@pytest.mark.parametrize("text", [each for each in PAST if "Nora" in each])
def test_questions_about_the_past_see_retired_facts(moved: Memory, text: str) -> None:
    """What was true is found and marked with its interval."""
    with moved as memory:
        assert {"Nora lives in Leeds.", "Nora lives in Bergen."} == {
            hit.text for hit in memory.search(text, user_id="nora")
        }
        assert "lives in Leeds. (2020-03 to 2023-05, no longer)" in memory.context(text, user_id="nora").text


@pytest.mark.parametrize("text", ["Where does Nora live?", "Where is Nora living now?"])
def test_questions_about_now_never_do(moved: Memory, text: str) -> None:
    """What is no longer true is not in the answer, unless it is asked for."""
    with moved as memory:
        assert [hit.text for hit in memory.search(text, user_id="nora")] == ["Nora lives in Bergen."]
        assert "Leeds" not in memory.context(text, user_id="nora").text
        assert len(memory.search(text, user_id="nora", include_retired=True)) == 2


def test_an_instant_that_is_given_decides(moved: Memory) -> None:
    """Asked as of a day, only what was true then is seen, whatever the words are."""
    with moved as memory:
        found = memory.search("Where did Nora live before?", user_id="nora", as_of="2021-01-01")
        assert [hit.text for hit in found] == ["Nora lives in Leeds."]


def test_what_was_said_of_the_past_is_found_like_its_facts(tmp_path: Path) -> None:
    """A message that tells only what is no longer true is a hit for a question about the past, not about now."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(256), extractor="rules") as memory:
        said = {"2020-03-01": "I live in Leeds.", "2023-05-01": "I moved to Bergen, so I live in Bergen now."}
        for date, text in said.items():
            memory.add([{"role": "user", "content": text, "timestamp": date}], user_id="nora")
        assert [fact.object for fact in memory.facts(user_id="nora") if fact.relation == "LIVES_IN"] == ["Bergen"]
        now = memory.context("Where does Nora live?", user_id="nora").text
        assert "Bergen" in now
        assert "Leeds" not in now
        past = memory.search("Where did Nora live before?", user_id="nora")
        assert {"nora lives in Leeds.", "I live in Leeds."} <= {hit.text for hit in past}
