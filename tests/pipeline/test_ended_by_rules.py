"""What the rules end, and what they leave, of what people say in turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g.memory import Memory
from tests.making import EMBEDDER


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory that extracts and decides by rules."""
    with Memory.open(tmp_path / "m.db", extractor="rules", embedder=EMBEDDER) as memory:
        yield memory


def ended(memory: Memory, *texts: str) -> dict[tuple[str, str, str], str]:
    """Subject, relation and object of what is retired, with its end, after Ann has said these a month apart."""
    for month, text in enumerate(texts, start=6):
        told = {"role": "user", "name": "Ann", "content": text, "timestamp": f"2024-{month:02}-01T12:00:00Z"}
        memory.add([told], user_id="ann")
    facts = memory.facts(user_id="ann", include_retired=True)
    return {(each.subject, each.relation, each.object): str(each.valid_to) for each in facts if each.retired_at}


@pytest.mark.parametrize(
    ("before", "died", "over"),
    [
        ("My dad lives in Cork.", "My dad died yesterday.", {("Ann's dad", "LIVES_IN", "Cork"): "2024-06-30"}),
        ("I have a cat named Pickle.", "Pickle died yesterday.", {("Ann", "HAS_PET", "Pickle"): "2024-06-30"}),
        ("Hello.", "My husband Max passed away in 2019.", {("Ann", "MARRIED_TO", "Max"): "2019"}),
        ("My father is Tom.", "Tom passed away in 2023.", {}),
    ],
)
def test_a_death_ends_states(memory: Memory, before: str, died: str, over: dict[tuple[str, str, str], str]) -> None:
    """Home, marriage and pet end on the day of a death; kinship stays."""
    assert ended(memory, before, died) == over


def test_a_move_of_the_past(memory: Memory) -> None:
    """A home that was told of later than a dated move is the later one; "since" tells of today."""
    assert ended(memory, "I live in Berlin.", "I moved to Rome in 2010.") == {
        ("Ann", "LIVES_IN", "Rome"): "2024-06-01T12:00:00Z"
    }


def test_a_home_since(memory: Memory) -> None:
    """Where somebody has lived since a time is where they live, whatever was said before."""
    told = ended(memory, "I live in Berlin.", "I've lived in Rome since 2010.")
    assert set(told) == {("Ann", "LIVES_IN", "Berlin")}


@pytest.mark.parametrize(
    ("before", "told", "over"),
    [
        ("I drive a 2009 Honda Civic.", "sold the civic yesterday", ("Ann", "DRIVES", "2009 Honda Civic")),
        ("My car is a red Mazda.", "I sold the Mazda.", ("Ann", "HAS_CAR", "red Mazda")),
        ("My car is a red Mazda.", "I sold my car.", ("Ann", "HAS_CAR", "red Mazda")),
        ("I drive a Mazda.", "someone stole my Mazda", ("Ann", "DRIVES", "Mazda")),
        ("I ride a Triumph Bonneville.", "traded in the Triumph for a Vespa", ("Ann", "RIDES", "Triumph Bonneville")),
        ("I'm in the school choir and a band.", "I left the choir.", ("Ann", "MEMBER_OF", "school choir")),
        ("I have a blue Honda bike.", "I sold my bike.", None),
    ],
)
def test_a_thing_by_a_part_of_its_name(
    memory: Memory, before: str, told: str, over: tuple[str, str, str] | None
) -> None:
    """What somebody has no longer is known by its make, or as the one thing of its kind that is told of as such."""
    assert set(ended(memory, before, told)) == ({over} if over else set())


def test_another_thing_was_sold(memory: Memory) -> None:
    """What was sold before somebody said that they own such a thing was another one."""
    assert ended(memory, "I have a car.", "I sold my old car last year.") == {}
    assert set(ended(memory, "I have a car.", "I sold my car yesterday.")) == {("Ann", "OWNS", "car")}


def test_a_recent_move_leads_to_the_latest_home(memory: Memory) -> None:
    """A home that was told of before such a move, but after its date, has ended: its user has moved."""
    assert set(ended(memory, "I live in Berlin.", "I moved to Rome in April.")) == {("Ann", "LIVES_IN", "Berlin")}


@pytest.mark.parametrize(
    ("before", "after", "over"),
    [
        ("I drive a Skoda Fabia.", "I sold the Skoda.", {("Ann", "DRIVES", "Skoda Fabia")}),
        ("I drive a Ford Fiesta.", "I sold my Fiesta last week.", {("Ann", "DRIVES", "Ford Fiesta")}),
        ("I have a Skoda Fabia.", "I got rid of the Skoda.", {("Ann", "OWNS", "Skoda Fabia")}),
        ("I drive a Skoda Fabia.", "I sold the sofa.", set()),
        ("I'm dating Tom.", "Tom dumped me.", {("Ann", "DATING", "Tom")}),
        ("I'm dating Tom.", "We broke up.", {("Ann", "DATING", "Tom")}),
        ("My boyfriend Tom works at Aldi.", "I dumped him.", {("Ann", "DATING", "Tom")}),
        ("My boyfriend Tom works at Aldi.", "My boyfriend dumped me.", {("Ann", "DATING", "Tom")}),
        ("I'm engaged to Tom.", "We called off the engagement.", {("Ann", "ENGAGED_TO", "Tom")}),
        ("I'm married to Tom.", "We split up the bill.", set()),
        ("I live with Grace.", "Grace moved out.", {("Ann", "LIVES_WITH", "Grace")}),
        ("My flatmate Grace works at Aldi.", "My flatmate Grace moved out.", {("Ann", "LIVES_WITH", "Grace")}),
        ("I live in Rome.", "I left Rome in June.", {("Ann", "LIVES_IN", "Rome")}),
        ("I live in Rome.", "I left Rome this morning.", set()),
        ("I go to the gym on Mondays.", "I quit the gym.", {("Ann", "GOES_TO", "gym")}),
        ("I play the ukulele.", "I gave up the ukulele.", {("Ann", "PLAYS", "ukulele")}),
        ("I take metformin 500 mg.", "The doctor took me off metformin.", {("Ann", "TAKES", "metformin 500 mg")}),
        ("I take metformin 500 mg.", "I came off ramipril.", set()),
        ("I'm off dairy.", "I'm eating dairy again.", {("Ann", "AVOIDS", "dairy")}),
        ("I'm vegetarian.", "I'm vegan now.", {("Ann", "FOLLOWS_DIET", "vegetarian")}),
        ("I'm vegetarian.", "I'm gluten-free now.", set()),
    ],
)
def test_an_end_in_everyday_words(memory: Memory, before: str, after: str, over: set[tuple[str, str, str]]) -> None:
    """What somebody sold, left, gave up or quit is over, also under a shorter name, or without one; nothing else is."""
    assert set(ended(memory, before, after)) == over


def test_two_things_of_one_make(memory: Memory) -> None:
    """A short name that fits two things ends neither."""
    assert ended(memory, "I drive a Skoda Fabia.", "I also drive a Skoda Octavia.", "I sold the Skoda.") == {}


@pytest.mark.parametrize(
    ("before", "after", "over"),
    [
        ("I take losartan, 50 mg, in the morning", "My losartan dose was raised to 100 mg", {"losartan 50 mg"}),
        ("I'm on sertraline 50mg", "The doctor increased my sertraline from 50 to 75 mg", {"sertraline 50mg"}),
        ("I take metformin 500 mg twice a day", "I now take metformin 1000 mg", {"metformin 500 mg"}),
        ("I take metformin 500 mg", "I take metformin 500mg", set()),
        ("I take metformin 500 mg", "I take ramipril 5 mg", set()),
        ("I take metformin 500 mg and ramipril 5 mg", "upped ramipril to 10 mg", {"ramipril 5 mg"}),
        ("I take metformin 500 mg", "I take metformin", set()),
    ],
)
def test_another_dose(memory: Memory, before: str, after: str, over: set[str]) -> None:
    """A medicine in another dose takes the place of the same one; without a dose it is any."""
    assert ended(memory, before, after).keys() == {("Ann", "TAKES", each) for each in over}


@pytest.mark.parametrize("told", ["I lost my job yesterday.", "I retired last week."])
def test_a_job_without_a_name_is_every_job(memory: Memory, told: str) -> None:
    """Who loses their job works nowhere, and as nothing."""
    over = ended(memory, "I work as a nurse at Brightwell.", told)
    assert {relation for _, relation, _ in over} == {"WORKS_AS", "WORKS_AT"}
