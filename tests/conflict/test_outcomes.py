"""What the rule resolver makes of plans and wishes, of numbers, and of what only looks like a rival."""

from __future__ import annotations

import dataclasses

import pytest

from mem0g.model import Fact
from tests.conflict.test_rule_decider import judged, new, retires, settled
from tests.making import entity


@pytest.mark.parametrize(
    ("plan", "done", "over"),
    [
        (("plans_to_perform_at", "nearby festival"), ("performed_at", "festival"), True),
        (("plans_to_perform_at", "nearby festival in May 2024"), ("performed_at", "the festival"), True),
        (("dreams_of_visiting", "castles in Wales"), ("visited", "castle in Wales"), True),
        (("wants_to_read", "book"), ("has_read", "a book about bees"), False),
        (("plans_to_attend", "dance class"), ("attended", "fair"), False),
        (("plans_to_paint", "autumn scene"), ("painted", "winter scene"), False),
        (("plans_to_visit", "Wales"), ("likes", "Wales coast"), False),
        (("plans_to_watch", "the second film"), ("watched", "the first film"), False),
        (("plans_to_read", "Dune"), ("has_not_read", "Dune novel"), False),
        (("plans_to_see", "a play"), ("wants_to_see", "the play"), False),
    ],
)
def test_a_plan_may_be_told_in_other_words(plan: tuple[str, str], done: tuple[str, str], over: bool) -> None:
    """What was done with the verb of the plan and a thing of nearly the same name fulfils it."""
    known = settled(new("Ann", *plan, said_at="2024-01-01"))
    assert retires(judged(new("Ann", *done), [known])) == ([known.id] if over else [])
    assert retires(judged(new("Bob", *done), [known])) == []


@pytest.mark.parametrize(
    ("partner", "status", "over"),
    [
        ("married_to", ("marital_status", "single"), True),
        ("dating", ("marital_status", "single"), True),
        ("married_to", ("marital_status", "divorced"), True),
        ("married_to", ("got_divorced", "May 2024"), True),
        ("married_to", ("marital_status", "married"), False),
        ("dating", ("marital_status", "divorced"), False),
        ("divorced_from", ("marital_status", "single"), False),
        ("has_friend", ("marital_status", "single"), False),
    ],
)
def test_a_status_without_a_partner_ends_the_couple(partner: str, status: tuple[str, str], over: bool) -> None:
    """Who is single, divorced or widowed is not married, whoever to; one told of the time before leaves the couple."""
    known = settled(new("Ann", partner, "Tom", said_at="2024-01-01"))
    assert retires(judged(new("Ann", *status), [known])) == ([known.id] if over else [])
    assert retires(judged(new("Bob", *status), [known])) == []
    assert known.id not in retires(judged(new("Ann", *status, said_at="2023-01-01"), [known]))


def test_what_was_done_before_is_no_fulfilment() -> None:
    """She was there in 2015; that she plans to go there again stands."""
    for place in ("Japan", "northern Japan"):
        plan = settled(new("Ann", "plans_to_visit", place, said_at="2024-01-01"))
        assert retires(judged(new("Ann", "visited", "Japan", valid_from="2015"), [plan])) == []


def test_a_plan_whose_day_has_not_come() -> None:
    """That she has been there, told before the day of the plan, is about another time."""
    plan = settled(new("Ann", "plans_to_visit", "Japan", valid_from="2024-06-10", said_at="2024-04-01"))
    assert retires(judged(new("Ann", "visited", "Japan", said_at="2024-05-01"), [plan])) == []
    assert retires(judged(new("Ann", "visited", "Japan", said_at="2024-07-01"), [plan])) == [plan.id]


@pytest.mark.parametrize(
    ("planned", "done", "over"),
    [("June 2024", "14 June 2024", True), ("2024-06", "2024-06-14", True), ("10 km", "5 km", False)],
)
def test_a_plan_for_a_date(planned: str, done: str, over: bool) -> None:
    """Who retires in June has done so on the 14th; other values that differ are other things."""
    plan = settled(new("Ann", "plans_to_retire", planned, object_type="literal", planned_for="2024-06"))
    made = new("Ann", "retired", done, object_type="literal", valid_from="2024-06-14", said_at="2024-06-20")
    assert retires(judged(made, [plan])) == ([plan.id] if over else [])


def test_a_plan_of_several_days_ends_when_it_is_given_up() -> None:
    """Its last day is no end of the plan: that is when it was cancelled."""
    plan = settled(new("Ann", "plans_to_visit", "Japan", planned_for="2024-06-08", valid_to="2024-06-18"))
    over = new("Ann", "plans_to_visit", "Japan", "Ann does not go.", retracts=True, said_at="2024-05-01")
    verdict = judged(over, [plan])
    assert (retires(verdict), str(verdict.retirements[0].valid_to)[:10]) == ([plan.id], "2024-05-01")


@pytest.mark.parametrize(
    ("plan", "said", "over"),
    [
        (("plans_to_visit", "Japan"), ("cancelled", "trip to Japan"), True),
        (("is_planning", "trip to Japan"), ("called_off", "trip to Japan"), True),
        (("organizing", "a party"), ("cancelled", "the party"), True),
        (("no_longer", "a party"), ("cancelled", "the party"), False),
        (("considering_getting", "a dog"), ("does_not_want", "a dog"), True),
        (("wants_to_visit", "Japan"), ("does_not_want_to_visit", "Japan"), True),
        (("plans_to_visit", "Japan"), ("cancelled", "trip to Peru"), False),
        (("likes", "Japan"), ("cancelled", "trip to Japan"), False),
        (("visited", "Japan"), ("does_not_want_to_visit", "Japan"), False),
        (("plans_to_visit", "Japan"), ("has_not_visited", "Japan"), False),
        (("wants_to_visit", "Japan"), ("does_not_want_to_move_to", "Japan"), False),
        (("plans_to_visit", "Japan"), ("has_not_cancelled", "trip to Japan"), False),
    ],
)
def test_a_plan_is_given_up(plan: tuple[str, str], said: tuple[str, str], over: bool) -> None:
    """Who calls it off, or does not want it any more, has the plan no longer; not having done it is no change."""
    known = settled(new("Ann", *plan))
    verdict = judged(new("Ann", *said), [known])
    assert retires(verdict) == ([known.id] if over else [])
    assert verdict.fact is not None
    assert retires(judged(new("Bob", *said), [known])) == []


def test_another_number_of_the_same() -> None:
    """Who has three turtles has two no longer; two wins, other things and a number that is a name stand."""
    two = settled(new("Ann", "owns", "two turtles"))
    assert retires(judged(new("Ann", "owns", "three turtles"), [two])) == [two.id]
    for made in (
        new("Ann", "owns", "two cats"),
        new("Ann", "owns", "turtles"),
        new("Bob", "owns", "six turtles"),
    ):
        assert retires(judged(made, [two])) == []
    first = settled(new("Ann", "owns", "turtles", "Ann owns two small turtles."))
    assert retires(judged(new("Ann", "owns", "Ann's 3 turtles", "Ann owns 3."), [two, first])) == [
        two.id,
        first.id,
    ]
    assert retires(judged(new("Ann", "owns", "two turtles", "Hers are two."), [two, first])) == []
    same = dataclasses.replace(new("Ann", "owns", "3 turtles", "Ann owns two turtles."), object=entity("two turtles"))
    assert retires(judged(same, [two])) == [two.id], "no repetition, though sentences are alike and nodes are one"
    wins = settled(new("Ann", "won", "two cups"))
    assert retires(judged(new("Ann", "won", "three cups"), [wins])) == []
    later = settled(new("Ann", "owns", "four turtles", valid_from="2025"))
    sooner = judged(new("Ann", "owns", "three turtles", valid_from="2023"), [later])
    assert sooner.fact is not None
    assert retires(sooner) == [sooner.fact.id], "it has another number since 2025"


@pytest.mark.parametrize(
    ("known", "said", "over"),
    [
        ("12 chapters", "Ann finished 15 chapters.", True),
        ("12 chapters", "Ann finished 15 more chapters.", False),
        ("12 chapters", "Ann finished 15 puzzles.", False),
        ("18 chapters", "Ann finished 15 chapters.", False),
        ("12 chapters", "Ann finished Dune.", False),
    ],
)
def test_more_is_finished(known: str, said: str, over: bool) -> None:
    """A larger number of the same is what is finished so far; what was finished on a day stands beside it."""
    before = settled(new("Ann", "finished", known))
    thing = said.removeprefix("Ann finished ").removesuffix(".")
    assert retires(judged(new("Ann", "finished", thing, said), [before])) == ([before.id] if over else [])
    dated = new("Ann", "finished", thing, said, valid_from="2024-05-01")
    assert retires(judged(dated, [before])) == []


def planned(thing: str, day_: str, relation: str = "plans_to_attend") -> Fact:
    """A plan of Ann's for a day of June."""
    made = new("Ann", relation, thing, planned_for=f"2024-06-{day_}", said_at="2024-05-01")
    return settled(made)


@pytest.mark.parametrize(
    ("plan", "said", "over"),
    [
        ("Ann's test", "Ann's test was moved to 9 June.", True),
        ("Ann's test", "Ann's test is now on 9 June.", True),
        ("Ann's test", "Ann's test got pushed back to 9 June.", True),
        ("Ann's driving test", "The test was postponed until 9 June.", True),
        ("driving test", "The test was put off until 9 June.", True),
        ("Ann's test", "Ann's test is on 9 June.", False),
        ("Bob's test", "Ann's test was moved to 9 June.", False),
        ("Ann's party", "Ann's test was moved to 9 June.", False),
    ],
)
def test_a_plan_has_another_day(plan: str, said: str, over: bool) -> None:
    """What is moved is planned for the old day no longer; what was said before moves nothing."""
    known = planned(plan, "05")
    moved = new("Ann", "plans_to_attend", "Ann's test", said, "2024-05-20", planned_for="2024-06-09")
    assert retires(judged(moved, [known])) == ([known.id] if over else [])
    sooner = new("Ann", "plans_to_attend", "Ann's test", said, "2024-04-20", planned_for="2024-06-09")
    assert retires(judged(sooner, [known])) == []
    over_ = new("Ann", "plans_to_attend", "Ann's test", said, "2024-06-20", planned_for="2024-06-29")
    assert known.id not in retires(judged(over_, [planned("Ann's driving test", "05")])), "its day has passed"


def test_one_of_two_plans_is_moved() -> None:
    """Where several may be meant, none is retired; with its full name the one that has it."""
    bob, eve = planned("Ann's meeting with Bob", "05"), planned("Ann's meeting with Eve", "06")
    text = "The meeting was moved to 9 June."
    moved = new("Ann", "plans_to_attend", "Ann's meeting", text, "2024-05-20", planned_for="2024-06-09")
    assert retires(judged(moved, [bob, eve])) == []
    assert retires(judged(moved, [eve])) == [eve.id]
    named = new("Ann", "plans_to_attend", "Ann's meeting with Bob", text, "2024-05-20", planned_for="2024-06-09")
    assert retires(judged(named, [bob, eve])) == [bob.id]


def test_a_deadline_has_one_day() -> None:
    """Another day of the same deadline replaces the first, whether or not it is said that it was moved."""
    known = planned("Ann's grant deadline", "05")
    made = new("Ann", "plans_to_attend", "Ann's grant deadline", said_at="2024-05-20", planned_for="2024-06-09")
    assert retires(judged(made, [known])) == [known.id]
    other = new("Ann", "plans_to_attend", "Ann's tax deadline", said_at="2024-05-20", planned_for="2024-06-09")
    assert retires(judged(other, [known])) == []


@pytest.mark.parametrize(
    ("thing", "told", "off", "over"),
    [
        ("Ann's dentist appointment", "Ann has an appointment on 5 June.", "Ann's appointment", True),
        ("jazz concert", "Ann has tickets for the jazz concert.", "concert", True),
        ("Ann's trip to Crete", "Ann's trip to Crete is on 5 June.", "Crete", True),
        ("job interview", "Ann has a job interview at Acme.", "Ann's interview at Acme", True),
        ("job interview", "Ann has a job interview at Acme.", "Ann's interview at Globex", False),
        ("Ann's dentist appointment", "Ann has an appointment on 5 June.", "Ann's concert", False),
        ("Bob's wedding", "Ann goes to Bob's wedding.", "Ann's wedding", False),
        ("conference", "Ann goes to a conference in Oslo.", "Oslo", False),
    ],
)
def test_a_plan_is_called_off(thing: str, told: str, off: str, over: bool) -> None:
    """The one plan that may be meant is given up."""
    known = settled(new("Ann", "plans_to_attend", thing, told, "2024-05-01", planned_for="2024-06-05"))
    said = new("Ann", "plans_to_attend", off, "It was cancelled.", "2024-05-20", retracts=True)
    assert retires(judged(said, [known])) == ([known.id] if over else [])


def test_the_trip_is_called_off() -> None:
    """It is the one to the place that a trip was planned to."""
    known = settled(new("Ann", "plans_to_visit", "Crete", "Ann is planning a trip to Crete."))
    moved = settled(new("Ann", "plans_to_visit", "Rome", "Ann moves to Rome."))
    said = new("Ann", "plans_to_attend", "trip", "The trip was cancelled.", "2024-05-20", retracts=True)
    assert retires(judged(said, [known, moved])) == [known.id]


def test_one_of_several_is_no_rival() -> None:
    """ "One of her homes" says that there are others."""
    home = settled(new("Ann", "lives_in", "Oslo", "Oslo is one of the two cities that Ann lives in."))
    assert retires(judged(new("Ann", "lives_in", "Rome", evidence=("m_2",)), [home])) == []


def test_favourites_told_in_one_breath_are_a_list() -> None:
    """Two favourites of one message are both true; another one told later is a change."""
    red = settled(new("Ann", "favorite_color", "red", evidence=("m_1",)))
    assert retires(judged(new("Ann", "favorite_color", "blue", evidence=("m_1", "m_2")), [red])) == []
    assert retires(judged(new("Ann", "favorite_color", "blue", evidence=("m_2",)), [red])) == [red.id]


def test_favourites_of_two_kinds() -> None:
    """A favourite sad film does not exclude a favourite funny one; another sad one does."""
    sad = settled(new("Ann", "favorite_film", "Ghost", "Ghost is Ann's favorite sad film."))
    funny = new("Ann", "favorite_film", "Airplane", "Airplane is Ann's favorite funny film.", evidence=("m_2",))
    assert retires(judged(funny, [sad])) == []
    other = new("Ann", "favorite_film", "Titanic", "Now Ann's favorite sad film is Titanic.", evidence=("m_2",))
    assert retires(judged(other, [sad])) == [sad.id]


def test_who_is_told_by_a_role_may_be_the_same_one() -> None:
    """Ann's husband may be Tom: neither marriage ends the other; a third name does."""
    husband = settled(new("Ann", "married_to", "Ann's husband"))
    assert retires(judged(new("Ann", "married_to", "Tom"), [husband])) == []
    tom = settled(new("Ann", "married_to", "Tom"))
    assert retires(judged(new("Ann", "married_to", "Ann's husband"), [tom])) == []
    assert retires(judged(new("Ann", "married_to", "Jim"), [tom])) == [tom.id]
    job = settled(new("Ann's husband", "works_at", "Acme"))
    assert retires(judged(new("Ann's husband", "works_at", "Globex"), [job])) == [job.id]
