"""Which statements replace which."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from mem0g import Memory, Triple
from mem0g.model import Message, Scope, Utterance
from mem0g.retrieve.ranking.said import Readings
from mem0g.retrieve.ranking.succession import Successions, was_said_after
from mem0g.testing import HashingEmbedder

OTHERS = [("My uncle repairs clocks in Malmö", "Uma", ""), ("The parrot bit the postman twice", "Uma", "")]


def replaces(earlier: str, later: str, question: str) -> bool:
    """Whether the later message replaces the earlier one, among others."""
    said = [(earlier, "Uma", ""), (later, "Uma", ""), *OTHERS]
    return 1 in set(Successions(Readings().read(said), question).replacing([0])[0])


def test_what_replaces_is_looked_for_among_some() -> None:
    """Only the places given are looked at: a search gives those of what is later and fits less."""
    said = [("Ida lives in Turku", "Uma", ""), ("Ida moved to Vaasa", "Uma", ""), *OTHERS]
    found = Successions(Readings().read(said), "Where does Ida live?")

    def among(*places: int) -> list[list[int]]:
        return [each.tolist() for each in found.replacing([0], np.array(places, dtype=np.int64))]

    assert among(1, 2) == [each.tolist() for each in found.replacing([0])] == [[1]]
    assert among(2, 3) == among() == [[]]
    assert found.replacing([]) == []


@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        ("Ida lives in Turku", "Ida moved to Vaasa", "Where does Ida live?"),
        ("The fair is on 4 May in the mill", "No, I meant 11 May for the fair", "When is the fair?"),
        ("The fair is on 4 May", "The fair is on 11 May", "When is the fair?"),
        ("I booked the pottery course in Turku", "The pottery course was cancelled", "Which course do I take?"),
        ("I play chess every week", "I don't play chess any more", "Do I play chess?"),
        ("I bought a kayak", "I sold my kayak, it leaked", "Do I have a kayak?"),
        ("I bought a car", "I have sold my car", "Do I have a car?"),
        ("Das Fest ist am 4. Mai", "Das Fest ist abgesagt", "Wann ist das Fest?"),
        ("Ik werk bij Akzo", "Ik werk nu bij Corus", "Waar werk ik?"),
    ],
)
def test_what_replaces(earlier: str, later: str, question: str) -> None:
    """A later message replaces one that it changes, ends, or repeats with another number."""
    assert replaces(earlier, later, question)


@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        ("I live in Turku with Ida", "I don't live in Vaasa any more", "Where do I live?"),
        ("Ida lives in Turku", "The parrot is called Rex now", "Where does Ida live?"),
        ("Ida lives in Turku", "Ida likes Turku", "Where does Ida live?"),
        ("The fair is on 4 May", "We need 11 tables", "When is the fair?"),
        ("The fair is on 4 May", "ok", "When is the fair?"),
        ("ok", "now", "?"),
        ("I work at Acme", "That's over now", "Where do I work?"),
        ("Uma works at Acme", "Uma has sold it", "Where does Uma work?"),
        (
            "My favourite food used to be soup, I eat stew",
            "I said my favourite colour was green, but I meant blue",
            "What is my favourite food?",
        ),
    ],
)
def test_what_does_not_replace(earlier: str, later: str, question: str) -> None:
    """Another subject, something else that ended, or no sign of a change replaces nothing."""
    assert not replaces(earlier, later, question)


def test_an_answer_is_about_its_question() -> None:
    """A message after a question has the question's topic."""
    said = [
        ("Bo does, on his shelf", "Bo", "Who keeps the key?"),
        ("I moved the key to the mill", "Bo", ""),
        *OTHERS,
    ]
    assert 1 in set(Successions(Readings().read(said), "Where is the key?").replacing([0])[0])


def message(place: int, session: str = "", time: datetime | None = None) -> Message:
    """A message at a place of a session."""
    said = Utterance(
        source="s", session=session, position=place, speaker="Uma", role="user", text=f"{place}", time=time
    )
    return Message.of(said, Scope("u"))


def test_later_by_time_or_place() -> None:
    """Times decide; without them, and of equal ones, the places in one session."""
    early, late = datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 2, tzinfo=UTC)
    assert was_said_after(message(0, time=late), message(1, time=early))
    assert not was_said_after(message(1, time=early), message(0, time=late))
    assert was_said_after(message(1, time=early), message(0, time=early))
    assert was_said_after(message(1), message(0))
    assert not was_said_after(message(1, "b"), message(0, "a"))


def test_the_newest_comes_first(tmp_path: Path) -> None:
    """A search puts the later message above the one it replaces; not where its facts say what it changed."""
    said = ["I bought a red kayak in Turku", "I sold my kayak", "My aunt likes tea", "The mill has a new roof"]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(64), extractor="none") as memory:
        memory.add([{"role": "user", "content": text, "id": text} for text in said], user_id="uma")
        assert [hit.text for hit in memory.search("red kayak in Turku", user_id="uma")][:2] == [said[1], said[0]]
        evidence = [each.id for each in memory.messages(user_id="uma") if each.text == said[1]]
        sold = Triple(
            subject="uma", relation="sold", object="kayak", text="uma sold my kayak", evidence=tuple(evidence)
        )
        memory.add_triples([sold], user_id="uma")
        texts = [hit.text for hit in memory.search("red kayak in Turku", user_id="uma") if hit.message]
        assert texts.index(said[0]) < texts.index(said[1])


def test_a_fact_replaces_a_message(tmp_path: Path) -> None:
    """A fact that ends what an older message says comes above it."""
    said = ["I bought a red kayak in Turku", "It leaked, so it went", "My aunt likes tea", "The mill has a new roof"]
    start = datetime(2025, 3, 1, tzinfo=UTC)
    turns = [
        {"role": "user", "content": text, "timestamp": (start + timedelta(days=day)).isoformat()}
        for day, text in enumerate(said)
    ]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(64), extractor="none") as memory:
        memory.add(turns, user_id="uma")
        evidence = [each.id for each in memory.messages(user_id="uma") if each.text == said[1]]
        sold = Triple(
            subject="uma", relation="sold", object="kayak", text="uma sold the kayak", evidence=tuple(evidence)
        )
        memory.add_triples([sold], user_id="uma")
        assert memory.search("red kayak in Turku", user_id="uma")[0].text == "uma sold the kayak"


def dated(*said: str) -> list[dict[str, str]]:
    """Turns of a user, a day apart."""
    start = datetime(2025, 3, 1, tzinfo=UTC)
    times = ((start + timedelta(days=day)).isoformat() for day in range(len(said)))
    return [{"role": "user", "content": text, "timestamp": time} for text, time in zip(said, times, strict=True)]


@pytest.mark.parametrize(
    "question", ["Where does Uma work?", "Which languages do I speak?", "What is my kayak called?"]
)
def test_what_ended_is_about_itself_alone(tmp_path: Path, question: str) -> None:
    """A fact of something that ended stands above nothing else of its speaker."""
    said = ["I work at Acme", "I speak Dutch and English", "My kayak is called Otto", "I have sold my car"]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(64), extractor="rules") as memory:
        memory.add(dated(*said), user_id="uma")
        assert "sold" not in memory.search(question, user_id="uma")[0].text


@pytest.mark.parametrize("topic", ["fair", "picnic", "concert", "workshop", "wedding"])
def test_the_newest_of_several_comes_first(tmp_path: Path, topic: str) -> None:
    """Of two messages that replace the same earlier one, the later one comes first."""
    said = [f"The {topic} is on 20 June", f"The {topic} was pushed to 30 June", f"Actually, the {topic} is on 4 July"]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(64), extractor="none") as memory:
        memory.add(dated(*said), user_id="uma")
        assert memory.search(f"When is the {topic}?", user_id="uma")[0].text == said[-1]


def test_a_wish_comes_later(tmp_path: Path) -> None:
    """A wish is below a statement that fits as well, unless the question asks for wishes."""
    said = ["I wish I lived in Vaasa", "I live in Turku", "My aunt likes tea", "The mill has a new roof"]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(64), extractor="none") as memory:
        memory.add([{"role": "user", "content": text} for text in said], user_id="uma")
        assert memory.search("Where do I live?", user_id="uma")[0].text == said[1]
