"""Claims in the style of chats: no apostrophes, no subjects, no owners, notes rather than sentences."""

from __future__ import annotations

import pytest

from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from tests.extract.talk import ends, message, said

ME = "Olivia"


def texts(*messages: str) -> list[str]:
    """The sentences of what Olivia says to Ben."""
    return [triple.text for triple in said(*messages)]


def in_a_group(text: str) -> list[str]:
    """The sentences of what Olivia says to Ben and Kim."""
    window = Window(messages=(message(text),), speakers=("Olivia", "Ben", "Kim"))
    return [triple.text for triple in RulesExtractor().extract(window)]


def alone(text: str) -> list[str]:
    """The sentences of what Olivia says to an assistant."""
    return [triple.text for triple in RulesExtractor().extract(Window(messages=(message(text),), speakers=("Olivia",)))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ida is 70 on the 25th of June, thats a Saturday", ["Ida is 70 on 25 June 2024."]),
        ("Now I am on losartan, 50, also in the morning.", ["Olivia is on losartan, 50, also in the morning."]),
        (
            "I'm Ruth, 41, live in Guelph since 2016",
            ["Olivia is 41.", "Olivia lives in Guelph since 2016."],
        ),
        ("My brother Jasur got her a goat.", ["Jasur is Olivia's brother."]),
        (
            "I booked the hall for our gig, saturday 30 november",
            ["Olivia booked the hall for Olivia's gig, on 30 November 2024."],
        ),
        ("got an email from the bank", ["Olivia got an email from the bank."]),
        ("I hate the Datadog invoice more than I hate Mondays", ["Olivia hates the Datadog invoice."]),
        ("I'm Bron from 9, retired nurse", []),
        ("I've sold a hundred and ten of them", []),
        ("got an appointment with Dr Lee on tuesday", ["Olivia got an appointment with Dr Lee on 14 May 2024."]),
    ],
)
def test_what_was_read_wrongly_before(text: str, expected: list[str]) -> None:
    """An age, a date, an owner or a recipient is claimed only where the words say so."""
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("im allergic to penicillin, doctor told me to tell everyone", (ME, "allergic_to", "penicillin")),
        ("evening all. moved to Leith last weekend, flat is a mess", (ME, "lives_in", "Leith")),
        ("bad news. got the job at Historic Scotland!!", (ME, "works_at", "Historic Scotland")),
        ("ok signed up for french, mondays and thursdays", (ME, "signed_up_for", "french")),
        ("my roommates are Agnese and Pauls", (ME, "has_roommate", "Agnese")),
        ("my boss will be a guy called Normunds", (ME, "has_boss", "Normunds")),
        ("brother Cathal rang at 4 am", (ME, "has_brother", "Cathal")),
        ("can my colleague Tadhg come too?", (ME, "has_colleague", "Tadhg")),
        ("adopted a dog. don't judge me. greyhound, her name is Mabel", (ME, "has_pet", "Mabel")),
        ("mum is vegan now", ("Olivia's mum", "follows_diet", "vegan")),
        ("planning a trip with my mum, she is coming in june", ("Olivia's mum", "plans_to_come", "June 2024")),
        ("my dad had a stroke. he's in the hospital in Sligo", ("Olivia's dad", "is_in", "hospital in Sligo")),
        ("Imani (8) has a unicorn", ("Imani", "has_age", "8")),
        ("reminder that I'm coeliac", (ME, "is", "coeliac")),
        ("im off dairy", (ME, "avoids", "dairy")),
        ("cant do thursdays anymore", (ME, "cannot_do", "thursdays")),
        ("handed in my notice at the brewery", (ME, "resigned_from", "brewery")),
        ("i started as a junior analyst", (ME, "works_as", "junior analyst")),
        ("i work saturdays at a bakery", (ME, "works_part_time_at", "bakery")),
        ("we live at 48 Constitution Street", (ME, "lives_at", "48 Constitution Street")),
        ("she put me on ramipril 5 mg in the morning", (ME, "was_prescribed", "ramipril 5 mg")),
        ("the alarm code is 5518", (ME, "has_alarm_code", "5518")),
        ("my door code is 2209 if you need to get in", (ME, "has_door_code", "2209")),
        ("new one is 07700 900461", (ME, "has_phone_number", "07700 900461")),
        ("my new number is 555-0199 if you ever want to call", (ME, "has_phone_number", "555-0199")),
        ("new number is 555-0199 in case you need me", (ME, "has_phone_number", "555-0199")),
        ("we pay 2,300 a month now", (ME, "pays", "2,300 a month")),
        ("rent is 2150 for the two bed", (ME, "has_rent", "2150")),
        ("we paid 340 euro for the suspension arm", (ME, "paid", "340 euro for the suspension arm")),
        ("we use postgres 16 on port 5433", (ME, "is_using", "postgres 16")),
        ("upgraded to Node 22", (ME, "is_using", "Node 22")),
        ("my sons birthday is on the 9th of june", ("Olivia's son", "has_birthday", "9 June")),
    ],
)
def test_statements_of_chats(text: str, expected: tuple[str, str, str]) -> None:
    """What people say of themselves and theirs in chats is claimed as if it were a whole sentence."""
    assert expected in ends(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("party is moved to sunday the 26th, same place", "The party is moved to 26 May 2024."),
        ("interview got moved to end of july", "The interview got moved to the end of July 2024."),
        ("resit is on the 2nd of december", "The resit is on 2 December 2024."),
        ("Release 5.2 moves to the seventeenth of June", "Release 5.2 moves to 17 June 2024."),
        ("New release date is the fourth of October", "The new release date is 4 October 2024."),
        ("Standup stays at 9:15", "The standup is at 9:15."),
        ("dentist on friday at 9", "Olivia has a dentist appointment on 10 May 2024 at 9."),
        ("I'm off from the first to the twelfth of July", "Olivia is off from 1 to 12 July 2024."),
        ("I'm back on the 27th", "Olivia is back on 27 May 2024."),
        ("I am moving to Rome end of july", "Olivia is moving to Rome at the end of July 2024."),
        ("we ship version 2.3 on 20 june", "Olivia ships version 2.3 on 20 June 2024."),
        ("booked the road test for june 18", "Olivia booked the road test on 18 June 2024."),
    ],
)
def test_dates_ahead_without_an_owner(text: str, expected: str) -> None:
    """What takes place at a time ahead is claimed with its absolute date."""
    assert texts(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "We're going with the clubhouse in Oranmore, not the hotel",
            "Olivia decided on the clubhouse in Oranmore, not the hotel.",
        ),
        ("we're going with Postgres 16", "Olivia decided on Postgres 16."),
        ("Tuesday it is", "Olivia decided on Tuesday."),
        ("fine, orange it is", "Olivia decided on orange."),
        ("we agreed on 450 a month", "Olivia agreed on 450 a month."),
        ("decided: LoRa as the main link", "Olivia decided: LoRa as the main link."),
        ("we'll use Redis for the queue", "Olivia decided on Redis."),
    ],
)
def test_decisions(text: str, expected: str) -> None:
    """What somebody decides on is claimed, with what it was chosen over."""
    assert texts(text) == [expected]


def test_a_person_alone_with_an_assistant_decides_by_a_proposal() -> None:
    """To another person, "let's" is a proposal."""
    assert alone("nah lets go with the vision model") == ["Olivia decided on the vision model."]
    assert texts("lets go with the vision model") == []
    assert alone("Let's go with **Tuesday, April 9**") == []
    assert alone("decided: pizza on Friday") == ["Olivia decided: pizza on 10 May 2024."]


def test_tasks_are_claimed_in_a_group() -> None:
    """Who takes on what is claimed in a group; between two people it is small talk."""
    assert in_a_group("I'll take the alerting ticket.") == ["Olivia will take the alerting ticket."]
    assert in_a_group("I take the watchdog bug then") == ["Olivia will take the watchdog bug."]
    assert texts("I'll do the dishes") == in_a_group("I'll take the bus") == in_a_group("I'll do it") == []


@pytest.mark.parametrize(
    "text",
    [
        "We're going with the flow",
        "I'm going with Anna",
        "I'm going with the kids to the zoo",
        "Yes it is",
        "whatever it is",
        "of course it is",
        "What a day it is",
        "agreed: no",
        "I've decided on the following schema: users and accounts",
        "I've decided on three components: auth and posts",
        "Y'know it is because of you",
        "we'll use the car",
        "Chapter (7) is good",
        "she put me on hold",
        "is dad on statins?",
        "if mum is ill we go to Rome",
        "im on it. im on the train",
        "rent is too high",
        "party is over",
        "school is on monday",
        "The new hallway. Painted blue.",
        "Saw him today. got a puppy",
        "we moved to Grafana",
        "I'm moving to Grafana next month",
        "mum called. got a puppy",
    ],
)
def test_what_says_nothing_lasting(text: str) -> None:
    """Words that only look like such a statement claim nothing."""
    assert texts(text) == []
