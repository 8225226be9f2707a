"""What was true before, or at a date that a question names, stands above what replaced it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g import Memory, Triple
from mem0g.testing import HashingEmbedder

JOBS = ("I work at the city archive.", "I work at Otley library now.")
HOMES = ("I live in Leeds.", "I live in Bradford now.")
MANAGERS = ("My manager is Helen.", "My manager is Idris now.")
DENTISTS = ("My dentist is Dr Ross.", "My new dentist is Dr Wong.")


@pytest.mark.parametrize(
    ("said", "question", "first"),
    [
        (MANAGERS, "Who was Jonas's manager before?", "Helen"),
        (MANAGERS, "Who was Jonas's previous manager?", "Helen"),
        (MANAGERS, "Who was Jonas's manager in March 2023?", "Helen"),
        (MANAGERS, "Who was Jonas's manager in October 2023?", "Idris"),
        (MANAGERS, "Who is Jonas's manager?", "Idris"),
        (DENTISTS, "Who was Jonas's dentist before?", "Ross"),
        (DENTISTS, "Who is Jonas's dentist now?", "Wong"),
        (HOMES, "Where did Jonas live in March 2023?", "Leeds"),
        (HOMES, "Where did Jonas live before?", "Leeds"),
        (HOMES, "Where does Jonas live?", "Bradford"),
        (JOBS, "Where did Jonas work in March 2023?", "archive"),
        (JOBS, "Where does Jonas work?", "Otley"),
    ],
)
def test_what_held_then_comes_first(
    said: tuple[str, str], question: str, first: str, tmp_path: Path, minilm: None
) -> None:
    """A fact without a date holds from the day on which it was said; a question about now gets what holds now."""
    with Memory.open(tmp_path / "memory.db", extractor="rules") as memory:
        for day, words in zip(("2023-01-07", "2023-09-18"), said, strict=True):
            memory.add([{"role": "user", "name": "Jonas", "content": words, "timestamp": day}], user_id="u")
        assert first in memory.search(question, user_id="u")[0].text


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where does Ann live?", "Oslo"),
        ("Where does Ann live now?", "Oslo"),
        ("Does Ann live in Rome?", "Oslo"),
        ("Where will Ann live?", "Rome"),
        ("Where is Ann going to work?", "Bolt"),
        ("Where does Ann work?", "Acme"),
        ("Who does Ann work for?", "Acme"),
    ],
)
def test_what_holds_stands_above_what_is_planned(question: str, first: str, tmp_path: Path, minilm: None) -> None:
    """Unless what lies ahead is asked for; also where the plan was told last, and is more like the question."""
    with Memory.open(tmp_path / "memory.db", extractor="rules") as memory:
        for relation, now, later in (("lives_in", "Oslo", "Rome"), ("works_at", "Acme", "Bolt")):
            memory.add_fact(subject="Ann", relation=relation, object=now, user_id="u")
            memory.add_fact(subject="Ann", relation=relation, object=later, valid_from="2199-03", user_id="u")
        assert first in memory.search(question, user_id="u")[0].text


def test_a_plan_alone_is_found(tmp_path: Path, minilm: None) -> None:
    """It is all that is known."""
    with Memory.open(tmp_path / "memory.db", extractor="rules") as memory:
        memory.add_fact(subject="Ann", relation="lives_in", object="Rome", valid_from="2199-03", user_id="u")
        assert "Rome" in memory.search("Where does Ann live?", user_id="u")[0].text


@pytest.mark.parametrize(
    ("question", "first"), [("Where does Ann sleep at night?", "Oslo"), ("Does Ann sleep in Rome at night?", "Rome")]
)
def test_what_is_over_does_not_tell_how_it_is(question: str, first: str, tmp_path: Path) -> None:
    """Though it has more words of the question; unless a yes or no is asked for, which it answers."""
    told = (
        ("Ann", "sleeps_in", "Oslo", "Ann sleeps in a flat by the sea in Oslo with Bo."),
        ("Ann", "slept_in", "Rome", "Ann no longer sleeps in Rome at night."),
        ("Bo", "likes", "tea", "Bo likes tea."),
        ("Ann", "likes", "tea", "Ann likes tea."),
    )
    triples = [Triple(subject=who, relation=does, object=what, text=text) for who, does, what, text in told]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add_triples(triples, user_id="u")
        assert first in memory.search(question, user_id="u")[0].text
