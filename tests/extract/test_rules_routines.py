"""What somebody does every week, and other plain statements that rules have to read."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends, over, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My yoga class is on Tuesdays", ("Olivia", "attends", "yoga class")),
        ("physio is Mondays at 4:15 in Ennis", ("Olivia", "attends", "physio")),
        ("spanish is tuesdays now", ("Olivia", "attends", "Spanish")),
        ("pottery is moving to Wednesdays", ("Olivia", "attends", "pottery")),
        ("I have choir on Thursdays", ("Olivia", "attends", "choir")),
        ("I've got therapy every Friday", ("Olivia", "attends", "therapy")),
        ("Leo has football practice on Thursdays at 6", ("Leo", "attends", "football practice")),
        ("My son has swimming every Tuesday", ("Olivia's son", "attends", "swimming")),
        ("I swim on Tuesdays and Thursdays", ("Olivia", "does", "swimming")),
        ("I run three times a week", ("Olivia", "does", "running")),
        ("I run every morning", ("Olivia", "does", "running")),
        ("I work from home Wednesdays and Fridays", ("Olivia", "works", "from home")),
    ],
)
def test_what_is_done_every_week(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in ends(text)


@pytest.mark.parametrize(
    "text",
    [
        "lunch is on Fridays",
        "the bins are on Tuesdays",
        "I run the marketing team",
        "I swim on Monday",
        "Bin day is Mondays",
    ],
)
def test_what_is_no_routine(text: str) -> None:
    assert not {each for each in ends(text) if each[1] in ("attends", "does")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I take Lexapro 10mg", ("Olivia", "takes", "Lexapro 10mg")),
        ("I'm on Lexapro 10 mg", ("Olivia", "takes", "Lexapro 10 mg")),
        ("I'm on 88 mcg of Synthroid", ("Olivia", "takes", "Synthroid 88 mcg")),
        ("I take my coffee black", ("Olivia", "takes", "coffee black")),
        ("I get migraines", ("Olivia", "has_condition", "migraines")),
        ("I'm 5'6", ("Olivia", "has_height", "5'6")),
        ("I bank with Arbor Union", ("Olivia", "banks_with", "Arbor Union")),
        ("I have an iPhone 15", ("Olivia", "owns", "iPhone 15")),
        ("I got the job!!", ("Olivia", "got", "job")),
        ("I GOT THE JOB", ("Olivia", "got", "job")),
        ("I PASSED MY DRIVING TEST", ("Olivia", "passed", "Olivia's driving test")),
        ("MY WIFI PASSWORD IS HUNTER2", ("Olivia", "has_wifi_password", "HUNTER2")),
        ("I applied for the team lead job", ("Olivia", "applied_for", "team lead job")),
        ("Leo's gone vegetarian", ("Leo", "follows_diet", "vegetarian")),
        ("Blessing is a nurse", ("Blessing", "works_as", "nurse")),
        ("Leo's a millwright", ("Leo", "works_as", "millwright")),
        ("We have a poodle mix named Tug", ("Olivia", "has_pet", "Tug")),
        ("Our dog is a border collie named Tug", ("Olivia", "has_pet", "Tug")),
        ("Tug is our dog", ("Olivia", "has_pet", "Tug")),
        ("My shoe size is 9, so which of these boots would fit", ("Olivia", "has_shoe_size", "9")),
        ("Leo takes warfarin so what's the deal with cranberries", ("Leo", "takes", "warfarin")),
        ("I sold the sofa already", ("Olivia", "sold", "sofa")),
        ("Leo doesn't like squid, imagine", ("Leo", "dislikes", "squid")),
        ("We moved house in March", ("Olivia", "moved", "March 2024")),
        ("We're going skiing in December", ("Olivia", "plans_to_go", "skiing")),
        ("It's my birthday on Saturday", ("Olivia", "has_birthday", "11 May")),
        ("My last day is 30 June", ("Olivia", "has_upcoming", "Olivia's last day")),
        ("Leo's last day is on 30 June", ("Leo", "has_upcoming", "Leo's last day")),
        ("My MOT is booked for Friday", ("Olivia", "has_upcoming", "Olivia's MOT")),
        ("Leo's passport expires in October", ("Leo's passport", "expires_on", "October 2024")),
        ("passport appt 27 May, 9:30", ("Olivia", "plans_to_attend", "passport appointment")),
        ("Uncle Frank's funeral is the 27th", ("Olivia", "has_upcoming", "Frank's funeral")),
        ("Leo's flight lands in Dublin on the 20th", ("Leo", "has_upcoming", "Leo's flight")),
        ("Leo is thirty seven", ("Leo", "has_age", "thirty seven")),
        ("Leo is doing his driving test on the 29th", ("Leo", "plans_to_attend", "Leo's driving test")),
        ("Dr Voss put me on amitriptyline, 10mg at night", ("Olivia", "was_prescribed", "amitriptyline 10mg")),
        ("Mrs Folan is 88 on Friday, will we get her something?", ("Mrs Folan", "turns", "88")),
        ("Walt next door is 78 and lives alone", ("Walt", "has_age", "78")),
        ("Priya from work is vegan", ("Priya", "follows_diet", "vegan")),
        ("Greg's turning 55 on December 3", ("Greg", "turns", "55")),
        ("My college roommate Linda lives in Leeds", ("Olivia", "had_roommate", "Linda")),
        ("am learning Italian on an app", ("Olivia", "is_learning", "Italian")),
        ("have started piano lessons", ("Olivia", "started", "piano lessons")),
        ("moving on the 21st", ("Olivia", "plans_to_move", "21 May 2024")),
        ("new place is in Leeds, top floor", ("Olivia's new place", "is_in", "Leeds")),
        ("I've got my asthma review on the 30th", ("Olivia", "plans_to_attend", "Olivia's asthma review")),
        ("interview's the 24th", ("Olivia", "plans_to_attend", "interview")),
        ("Leo's started school", ("Leo", "started", "school")),
        ("Leo's passed his driving test", ("Leo", "passed", "Leo's driving test")),
        ("I've handed my notice in at Acme", ("Olivia", "resigned_from", "Acme")),
        ("Our mortgage is with Arbor Union", ("Olivia", "has_mortgage", "Arbor Union")),
        ("My mum is visiting in December", ("Olivia's mum", "plans_to_come", "December 2024")),
        ("My dad died in 2019, in November", ("Olivia's dad", "died_on", "November 2019")),
        ("Where to? Next May I'm flying to Rome", ("Olivia", "plans_to_visit", "Rome")),
    ],
)
def test_plain_statements(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in ends(text)


def test_next_may_in_may_is_that_of_the_next_year() -> None:
    planned = next(each.planned_for for each in said("I'm flying to Rome next May") if each.planned_for)
    assert planned.start.year == 2025


@pytest.mark.parametrize(
    "text",
    [
        "Call me Liv again and I'm leaving",
        "Ben told me he's leaving. Moving to Cork to be near his parents",
        "Handed it over, last day 31st May",
        "Each pill is 10 mg",
        "am I late",
        "have you got the key",
        "For a word problem: Sarah lives in Dayton and drives a 1,400 kg car",
        "My mother, Rick and Sandy with their three",
        "Bath has a new café",
        "When I ask for a raise they always say no",
    ],
)
def test_what_tells_nothing_of_the_speaker(text: str) -> None:
    assert ends(text) | over(text) == set()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I'm on leave Friday 26th and back on Tuesday", "2024-04-26"),
        ("I'm flying to Rome on Friday 10th", "2024-05-10"),
        ("I'm flying to Rome on Monday 20 May", "2024-05-20"),
        ("I went to Rome on Friday 26 April", "2024-04-26"),
    ],
)
def test_a_day_is_the_one_on_the_weekday_that_is_named(text: str, day: str) -> None:
    """Said on Wednesday, 8 May 2024."""
    (planned,) = (each for each in said(text) if each.planned_for or each.valid_from)
    when = planned.planned_for or planned.valid_from
    assert when is not None
    assert when.start.date().isoformat() == day


def test_moved_from_one_weekday_to_one_before_it() -> None:
    (meeting,) = said("The team meeting is moved from Friday to Thursday")
    assert meeting.planned_for is not None
    assert meeting.planned_for.start.date().isoformat() == "2024-05-09"


def test_a_wedding_that_somebody_called_off_is_no_ones_own() -> None:
    assert {each.subject for each in said("Aoife called off the wedding!!")} == {"Aoife"}
