"""What has another date now, what is called off, and the dates of projects."""

from __future__ import annotations

import pytest

from mem0g.model import Triple
from tests.extract.talk import said


def plans(text: str) -> dict[str, str]:
    """The day of each thing that is planned by what Olivia says on 8 May 2024."""
    ahead = (
        each for each in said(text) if each.relation.startswith(("plans_to_", "has_upcoming")) and not each.retracts
    )
    return {each.object: str(each.planned_for) for each in ahead}


@pytest.mark.parametrize(
    ("text", "thing", "day"),
    [
        ("My driving test has been moved to 14 June.", "Olivia's driving test", "2024-06-14"),
        ("Our staff meeting got pushed back to 22 May.", "Olivia's staff meeting", "2024-05-22"),
        ("The deadline moved to 3 June.", "deadline", "2024-06-03"),
        ("Dad's operation has been pushed from 2 June to 14 June", "Olivia's dad's operation", "2024-06-14"),
        ("The grant deadline has slipped to 3 June.", "grant deadline", "2024-06-03"),
        ("The submission deadline was extended until 30 June.", "submission deadline", "2024-06-30"),
        ("The grant deadline is now 3 June.", "grant deadline", "2024-06-03"),
        ("The concert was moved to 14 June.", "concert", "2024-06-14"),
        ("My eye surgery was postponed until July 2024.", "Olivia's eye surgery", "2024-07"),
        ("The interview was brought forward to 13 May.", "Olivia's interview", "2024-05-13"),
        ("The interview is on 13 May instead.", "Olivia's interview", "2024-05-13"),
        ("The interview is now on 13 May.", "Olivia's interview", "2024-05-13"),
        ("The meeting with Bob will be on 13 May now.", "Olivia's meeting with Bob", "2024-05-13"),
        ("My haircut was put off until 1 June.", "Olivia's haircut", "2024-06-01"),
        ("The viewing was rescheduled for 17 May.", "Olivia's viewing", "2024-05-17"),
        ("My check-up was moved from 10 May to 24 May.", "Olivia's check-up", "2024-05-24"),
        ("They moved my interview to 16 May.", "Olivia's interview", "2024-05-16"),
        ("My boss pushed the demo back to 21 May.", "demo", "2024-05-21"),
        ("I've rescheduled my vet appointment to 21 May.", "Olivia's vet appointment", "2024-05-21"),
        ("The clinic had to postpone my scan until 5 June.", "Olivia's scan", "2024-06-05"),
        ("We postponed the wedding to 5 September.", "Olivia's wedding", "2024-09-05"),
        ("Our flight to Oslo was moved to 2 June.", "Oslo", "2024-06-02"),
        ("Had to move my dentist appointment to the 24th", "Olivia's dentist appointment", "2024-05-24"),
        ("our wedding's been pushed back to the 3rd of october", "Olivia's wedding", "2024-10-03"),
        ("interview got moved to Monday", "Olivia's interview", "2024-05-13"),
        ("My eye surgery was pushed to July.", "Olivia's eye surgery", "2024-07"),
        ("Our trip to Crete has been pushed to September 2024.", "Crete", "2024-09"),
    ],
)
def test_another_date(text: str, thing: str, day: str) -> None:
    """What was moved is a plan for its new date, whoever moved it and in whatever words."""
    assert plans(text) == {thing: day}


@pytest.mark.parametrize(
    "text",
    [
        "Was my driving test moved to 14 June?",
        "If my driving test is moved to 14 June, I'll need a lift.",
        "My driving test might be moved to 14 June.",
        "My driving test should be moved to 14 June.",
        "My driving test was not moved to 14 June.",
        "They said my driving test was moved to 14 June.",
        'The mail says "my driving test was moved to 14 June".',
        "I want to move my driving test to 14 June.",
        "I have to move my driving test to 14 June.",
        "Please move my driving test to 14 June.",
        "My driving test was nearly moved to 14 June.",
        "My driving test was moved on 7 May.",
        "My driving test was moved yesterday.",
        "My driving test was moved to 2 May 2023.",
        "The price was changed to 14 June.",
        "My sofa was moved to the attic.",
        "They moved my desk to 14 June Street.",
        "The meeting with her was moved to 14 June.",
    ],
)
def test_no_other_date(text: str) -> None:
    """Questions, suppositions, quotations, wishes, denials, the past, and what has no day of its own tell no date."""
    assert plans(text) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The release is on 9 June.", ("Olivia", "has_upcoming", "release", "2024-06-09")),
        ("Release 2.4 is on 9 June.", ("Olivia", "has_upcoming", "Release 2.4", "2024-06-09")),
        ("The wedding is on 9 June.", ("Olivia", "has_upcoming", "wedding", "2024-06-09")),
        ("Delivery is on Friday.", ("Olivia", "has_upcoming", "delivery", "2024-05-10")),
        ("My train leaves on Friday.", ("Olivia", "has_upcoming", "Olivia's train", "2024-05-10")),
        ("pen test starts on 9 June", ("Olivia", "has_upcoming", "pen test", "2024-06-09")),
        ("Mum's operation is on 9 June.", ("Olivia's mum", "has_upcoming", "Olivia's mum's operation", "2024-06-09")),
        (
            "My dad's surgery was moved to 9 June.",
            ("Olivia's dad", "has_upcoming", "Olivia's dad's surgery", "2024-06-09"),
        ),
        ("Ben's exam is on 9 June.", ("Ben", "has_upcoming", "Ben's exam", "2024-06-09")),
        ("The panto is on 9 June, not the 8th.", ("Olivia", "has_upcoming", "panto", "2024-06-09")),
        ("mum's hip op is on 9 June", ("Olivia's mum", "has_upcoming", "Olivia's mum's hip op", "2024-06-09")),
        ("parents evening got moved to 9 June", ("Olivia", "has_upcoming", "parents evening", "2024-06-09")),
        ("I moved the dentist to 9 June", ("Olivia", "has_upcoming", "Olivia's dentist", "2024-06-09")),
        ("I'm starting my new job on 9 June.", ("Olivia", "plans_to_start", "job", "2024-06-09")),
        ("We fly to Rome on 9 June.", ("Olivia", "plans_to_visit", "Rome", "2024-06-09")),
        ("We're moving house on 9 June.", ("Olivia", "plans_to_move", "9 June 2024", "2024-06-09")),
        ("Our party is on 9 June.", ("Olivia", "plans_to_attend", "Olivia's party", "2024-06-09")),
        ("The interview is on 9 June.", ("Olivia", "plans_to_attend", "Olivia's interview", "2024-06-09")),
        ("I've got my exam on 9 June.", ("Olivia", "plans_to_attend", "Olivia's exam", "2024-06-09")),
    ],
)
def test_who_attends(text: str, expected: tuple[str, str, str, str]) -> None:
    """What is one's own is attended; a release, a train or another one's exam merely lies ahead."""
    [found] = said(text)
    assert (found.subject, found.relation, found.object, str(found.planned_for)) == expected


def test_of_a_relative_with_a_name() -> None:
    """What is to come for a relative is that of the name that they have."""
    found = {(each.subject, each.relation, each.object) for each in said("My sister Clara's wedding is on 9 June.")}
    assert ("Clara", "has_upcoming", "Clara's wedding") in found


@pytest.mark.parametrize(
    "text",
    [
        "The gym is closed on Friday.",
        "The shop is on Saturday hours.",
        "The answer is Friday.",
        "My favourite day is Friday.",
        "Ben moved to Friday.",
        "The panto is not on Friday.",
        "Is the panto on Friday?",
        "I fly to Rome every month.",
        "I'm starting the car.",
    ],
)
def test_what_does_not_take_place(text: str) -> None:
    """What is otherwise on a day, a denial, a question and a habit tell of nothing that is to come."""
    assert plans(text) == {}


@pytest.mark.parametrize("text", ["New date is 8 December", "My date is on Friday", "The new date is 8 December."])
def test_the_date_of_nothing_is_no_claim(text: str) -> None:
    """A date of which it is not said what it is the date of is none."""
    assert [each for each in said(text) if each.relation.endswith("date")] == []


def called_off(text: str) -> tuple[list[str], list[str]]:
    """What is planned no longer, and what was cancelled, by what Olivia says."""
    triples = said(text)
    deeds = [
        each.object
        for each in triples
        if each.relation.startswith(("cancelled", "faced_cancellation")) and not each.retracts
    ]
    return [each.object for each in triples if each.retracts], deeds


@pytest.mark.parametrize(
    ("text", "thing", "deed"),
    [
        ("The vet appointment has been cancelled.", "Olivia's vet appointment", True),
        ("My driving test was called off.", "Olivia's driving test", True),
        ("My driving test on 14 June was canceled.", "Olivia's driving test", True),
        ("Our wedding is off.", "Olivia's wedding", True),
        ("My interview fell through.", "Olivia's interview", True),
        ("The interview is not happening any more.", "Olivia's interview", True),
        ("Our street party won't take place.", "Olivia's street party", True),
        ("They cancelled my yoga class.", "Olivia's yoga class", True),
        ("The clinic had to cancel my scan because of the strike.", "Olivia's scan", True),
        ("The wedding has been called off.", "wedding", True),
        ("The jazz concert was cancelled.", "jazz concert", False),
        ("Lisbon flight cancelled, of course", "Lisbon", True),
        ("interview got cancelled", "Olivia's interview", True),
        ("trip to Oslo is off", "Oslo", True),
        ("the trip to oslo was cancelled btw", "Oslo", True),
        ("The Oslo trip was cancelled.", "Oslo", True),
        ("They postponed my knee surgery, no new date yet.", "Olivia's knee surgery", False),
        ("Our street party has been postponed indefinitely.", "Olivia's street party", False),
        ("My sister's wedding was cancelled.", "Olivia's sister's wedding", False),
        ("The panto was cancelled.", "panto", False),
        ("Our flight to Oslo got cancelled.", "Oslo", True),
    ],
)
def test_called_off(text: str, thing: str, deed: bool) -> None:
    """What is cancelled is planned no longer; of what may be another one's or is only postponed no more is learnt."""
    assert called_off(text) == ([thing], [thing] if deed else [])


@pytest.mark.parametrize(
    "text",
    [
        "Has the vet appointment been cancelled?",
        "If the vet appointment is cancelled, tell me.",
        "The vet appointment may be cancelled.",
        "The vet appointment was almost cancelled.",
        "The vet appointment has not been cancelled.",
        "I heard that the vet appointment was cancelled.",
        "Should I cancel the vet appointment?",
        "I had to think about whether the wedding is off.",
        "The vet appointment is off the main road.",
        "The milk is off.",
        "They cancelled my gym contract.",
        "My subscription was cancelled.",
        "The meeting about the show that was cancelled is long.",
    ],
)
def test_not_called_off(text: str) -> None:
    """Questions, suppositions, hearsay, denials and contracts call nothing off."""
    assert called_off(text) == ([], [])


def test_when_it_was_called_off() -> None:
    """A day that is told ends the plan, if it is over; the day of the plan itself does not."""
    ended = {
        text: str(said(text)[0].valid_to)
        for text in (
            "My yoga class was cancelled yesterday.",
            "My exam was cancelled last year.",
            "My exam on 14 June was cancelled.",
        )
    }
    assert list(ended.values()) == ["2024-05-07", "2023", "None"]


def dates(text: str) -> list[Triple]:
    """The dates that are values."""
    return [each for each in said(text) if each.relation.endswith("_date")]


@pytest.mark.parametrize(
    ("text", "relation", "day"),
    [
        ("The launch date is June 3, 2024.", "has_launch_date", "3 June 2024"),
        ("Our release date is now 4 July.", "has_release_date", "4 July 2024"),
        ("My due date is 9 September 2024.", "has_due_date", "9 September 2024"),
        ("The launch date has slipped to July 1, 2024.", "has_launch_date", "1 July 2024"),
        ("The delivery date was moved to 20 May.", "has_delivery_date", "20 May 2024"),
        ("The release date is set for 4 July.", "has_release_date", "4 July 2024"),
    ],
)
def test_dates_of_projects(text: str, relation: str, day: str) -> None:
    """The date of a launch, a release or a delivery is a value."""
    (made,) = dates(text)
    assert (made.relation, made.object, made.object_is_literal) == (relation, day, True)


@pytest.mark.parametrize(
    "text",
    [
        "Is the launch date June 3, 2024?",
        "The launch date should be June 3, 2024.",
        "The launch date was moved on Monday.",
        "The blind date is on 4 July.",
        "The launch date of their rocket is 4 July.",
        "The launch date is soon.",
        "His release date is 4 July.",
    ],
)
def test_no_date_of_a_project(text: str) -> None:
    """Questions, wishes, other dates and other people's are none."""
    assert dates(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "We are using MariaDB 11 for the shop, and the launch date is 3 September 2024.",
            {("is_using", "MariaDB 11", "None"), ("has_launch_date", "3 September 2024", "None")},
        ),
        (
            "I'm using Svelte 5 and the deadline is 9 June.",
            {("is_using", "Svelte 5", "None"), ("has_upcoming", "deadline", "2024-06-09")},
        ),
        ("I'm using the hall on 9 June.", {("plans_to_use", "hall", "2024-06-09")}),
    ],
)
def test_a_date_belongs_to_its_clause(text: str, expected: set[tuple[str, str, str]]) -> None:
    """A date of the second clause makes no plan of the first."""
    assert {(each.relation, each.object, str(each.planned_for)) for each in said(text)} == expected


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("We upgraded to MariaDB 11.", ["MariaDB 11"]),
        ("I've migrated our shop to Svelte 5.", ["Svelte 5"]),
        ("I upgraded from Laravel 10 to Laravel 11 yesterday.", ["Laravel 11"]),
        ("We use Laravel 11, MariaDB 11 and Valkey 8.0.", ["Laravel 11", "MariaDB 11", "Valkey 8.0"]),
        ("I run Debian 12 at home.", ["Debian 12"]),
        ("We switched to Svelte 5.", ["Svelte 5"]),
        ("Did we upgrade to MariaDB 11?", []),
        ("We should upgrade to MariaDB 11.", []),
        ("If we upgraded to MariaDB 11, it would be faster.", []),
        ("We have not upgraded to MariaDB 11.", []),
        ("They said we upgraded to MariaDB 11.", []),
        ("I use Line 5 to get to work.", []),
        ("I use Duolingo 3 times a week.", []),
        ("I was upgraded to Business 2 days ago.", []),
        ("I run 10 km.", []),
    ],
)
def test_tools_with_their_versions(text: str, tools: list[str]) -> None:
    """Which version of a tool is in use."""
    assert [each.object for each in said(text) if each.relation == "is_using"] == tools


def test_the_words_of_a_new_date() -> None:
    """A period has no second preposition."""
    (moved,) = said("Our move got pushed to next week.")
    assert moved.text == "Olivia's move got pushed to the week of 13 May 2024."
