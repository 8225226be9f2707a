"""What the speaker has taken something else for, and who takes the place of whom."""

from __future__ import annotations

import pytest

from mem0g import Memory
from tests.extract.talk import ends, said


@pytest.mark.parametrize(
    ("text", "new", "sentence"),
    [
        ("I switched from Neovim to Zed.", "Zed", "Olivia switched from Neovim to Zed."),
        ("We've switched over from Jira to Linear.", "Linear", "Olivia has switched over from Jira to Linear."),
        ("I replaced the Volvo with a Tesla.", "Tesla", "Olivia replaced the Volvo with a Tesla."),
        ("We replaced the old boiler by a heat pump", "heat pump", "Olivia replaced the old boiler by a heat pump."),
        ("I upgraded my phone from a Pixel 5 to a Pixel 8.", "Pixel 8",
         "Olivia upgraded Olivia's phone from a Pixel 5 to a Pixel 8."),
        ("I changed from McFit to Fitness First in June 2023.", "Fitness First",
         "Olivia changed from McFit to Fitness First in June 2023."),
    ],
)  # fmt: skip
def test_one_thing_for_another(text: str, new: str, sentence: str) -> None:
    """The sentence keeps what it was before."""
    (claim,) = (each for each in said(text) if each.relation == "switched_to")
    assert (claim.subject, claim.object, claim.text) == ("Olivia", new, sentence)


@pytest.mark.parametrize(
    "text",
    [
        "I switched from this to that.",
        "If I switched from Neovim to Zed, I'd miss it.",
        "Have you switched from Neovim to Zed?",
        "They switched from Neovim to Zed.",
        "I might have switched from Neovim to Zed.",
        "I changed from time to time.",
        "I switched the light on.",
    ],
)
def test_what_is_no_switch(text: str) -> None:
    """Pointers, questions, others, what only may be."""
    assert not any(each.relation == "switched_to" for each in said(text))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("My manager is Tom now.", "Olivia's manager is Tom now."),
        ("My manager is now Tom.", "Olivia's manager is Tom now."),
        ("My new boss is called Tom.", "Olivia's boss is Tom now."),
        ("My new landlord, Mr Brown, is kind.", ""),
        ("My dentist is Dr Patel.", "Dr Patel is Olivia's dentist."),
        ("My new neighbour is Kai.", "Kai is Olivia's neighbour."),
        ("My dog is Rex now.", "Olivia has a dog named Rex."),
    ],
)
def test_who_takes_the_place_of_whom(text: str, sentence: str) -> None:
    """Of a boss, a dentist, a landlord and a therapist one has one; of friends, neighbours and pets several."""
    assert [each.text for each in said(text) if each.relation != "is"] == ([sentence] if sentence else [])


def test_an_address() -> None:
    """A number and a name in capitals."""
    assert ends("My address is 5 Elm Street.") == {("Olivia", "has_address", "5 Elm Street")}
    assert ends("My address is 7 Oak Road now.") == {("Olivia", "has_address", "7 Oak Road")}
    assert ends("My address is 7 oaks down the road.") == set()


@pytest.mark.parametrize(
    ("before", "after", "current"),
    [
        ("I use Neovim.", "I switched from Neovim to Zed.", "Ann switched from Neovim to Zed."),
        ("I drive a Volvo.", "I replaced the Volvo with a Tesla.", "Ann replaced the Volvo with a Tesla."),
        ("My dentist is Dr Patel.", "My new dentist is Dr Wong.", "Ann's dentist is Dr Wong now."),
        ("My address is 5 Elm Street.", "My address is 7 Oak Road now.", "Ann's address is 7 Oak Road now."),
        ("My yoga class is on Tuesdays.", "My yoga class is on Fridays now.", "Ann's yoga class is on Fridays now."),
        ("Pottery is on Mondays.", "Pottery is moving to Fridays.", "Pottery is moving to Fridays."),
        ("I take Lexapro 10mg.", "Dr Voss upped my Lexapro to 20 mg.", "Ann takes Lexapro 20 mg now."),
        ("I drink coffee.", "I drink tea instead of coffee now.", "Ann drinks tea instead of coffee."),
    ],
)
def test_without_a_model_the_older_fact_is_retired(memory: Memory, before: str, after: str, current: str) -> None:
    """From the messages to what is current."""
    for number, text in enumerate((before, after)):
        told = {"role": "user", "name": "Ann", "content": text, "timestamp": f"2024-05-0{number + 1}T12:00:00Z"}
        memory.add([told], user_id="ann")
    assert [fact.text for fact in memory.facts(user_id="ann")] == [current]
    assert len(memory.facts(user_id="ann", include_retired=True)) == 2


def test_what_is_every_week_is_beside_other_things_of_other_days(memory: Memory) -> None:
    """Yoga on another day ends neither choir nor a second time of its own."""
    said = (
        "I have choir on Thursdays.",
        "I have yoga on Mondays.",
        "I have yoga on Fridays.",
        "Swimming is on Sundays now.",
    )
    for number, text in enumerate(said):
        told = {"role": "user", "name": "Ann", "content": text, "timestamp": f"2024-05-0{number + 1}T12:00:00Z"}
        memory.add([told], user_id="ann")
    assert {fact.object for fact in memory.facts(user_id="ann")} == {"choir", "yoga", "swimming"}
    memory.add(
        [{"role": "user", "name": "Ann", "content": "I quit choir.", "timestamp": "2024-06-01T12:00:00Z"}],
        user_id="ann",
    )
    assert "choir" not in {fact.object for fact in memory.facts(user_id="ann") if fact.relation == "ATTENDS"}
