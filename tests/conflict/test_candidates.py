"""Which of the known facts are shown to a resolver."""

from __future__ import annotations

import dataclasses

import pytest

from mem0g.conflict.candidates import (
    EVENTS,
    FIRST,
    LIMIT,
    SAME_ENDS,
    candidates,
    is_dated,
    is_past_event,
    says_exactly,
    says_something_ended,
)
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import MINILM
from mem0g.model import Fact
from mem0g.store.queries import RelatedFact
from tests.conflict.test_rule_decider import REGISTRY, new, settled
from tests.making import AT

MOST = 10
LOST = new("Ann", "was_let_go_by", "Acme", "In May 2024 Ann was let go.")


def shown(made: ResolvedTriple, *known: tuple[Fact, float], most: int = MOST) -> list[Fact]:
    """What of facts, each with its cosine, is shown beside a triple."""
    return candidates(made, [RelatedFact(fact, cosine) for fact, cosine in known], REGISTRY, most)


def state(number: int, text: str = "In 2023 Ann is busy.") -> Fact:
    """A state of Ann's, as of a year."""
    return settled(new("Ann", "is_busy_with", f"thing{number}", f"{text} {number}"))


def test_best_first() -> None:
    """At most so many, by falling likeness, and none that is hardly like the triple."""
    known = [(state(number), 0.9 - number / 20) for number in range(12)]
    facts = [fact for fact, _ in known]
    assert shown(LOST, *known) == facts[:10]
    assert shown(LOST, *known[8:]) == facts[8:10]
    assert shown(LOST, *known, most=LIMIT) == facts[:5]
    assert shown(LOST, *reversed(known), most=4) == facts[:4]


def test_a_few_are_shown_from_less_likeness_on() -> None:
    """The first may be less like the triple than those that come after enough others."""
    known = [(state(number), 0.44) for number in range(6)]
    assert len(shown(LOST, *known)) == FIRST


def test_what_is_retired_is_not_shown() -> None:
    """A fact that holds no longer is not touched again."""
    assert shown(LOST, (dataclasses.replace(state(1), retired_at=AT), 0.9)) == []


def test_what_happened_cannot_end() -> None:
    """An event is shown where the triple may say it again; a state, a plan and a want before."""
    event = settled(new("Ann", "visited", "Rome", "In 2023 Ann visited Rome."))
    plan = settled(new("Ann", "plans_to_visit", "Rome", "In 2023 Ann planned to visit Rome."))
    lack = settled(new("Ann", "has_not_visited", "Rome", "By 2023 Ann had not visited Rome."))
    passive = settled(new("Ann", "is_sidelined_from", "tennis", "In 2023 Ann is off the court."))
    for cosine, expected in ((0.6, [plan, lack, passive]), (MINILM.restated, [event, plan, lack, passive])):
        found = shown(LOST, *[(each, cosine) for each in (event, plan, lack, passive)])
        assert sorted(each.id for each in found) == sorted(each.id for each in expected)
    assert [is_past_event(each) for each in (event, plan, lack, passive)] == [True, False, False, False]


def test_others_are_left_alone() -> None:
    """Somebody else's state is shown only where the triple may say it again; what is named after the subject before."""
    ben = settled(new("Ben", "is_busy_with", "work", "In 2023 Ben is busy with work."))
    team = settled(new("Ann's team", "is", "kind", "In 2023 Ann's team is kind."))
    boss = settled(new("Eve", "manages", "Ann", "In 2023 Eve is Ann's boss."))
    assert shown(LOST, (ben, 0.6), (team, 0.6), (boss, 0.6)) == sorted((team, boss), key=lambda each: each.id)
    assert shown(LOST, (ben, MINILM.restated)) == [ben]


def test_traits_need_more_likeness() -> None:
    """What tells no time is a trait that seldom ends; a triple without one seldom ends anything."""
    trait = settled(new("Ann", "is_busy_with", "work", "Ann is a busy one."))
    values = new("Ann", "values", "Acme", "Ann values Acme.")
    more = [(state(number), 0.99) for number in range(FIRST)]
    assert trait not in shown(LOST, *more, (trait, 0.5))
    assert trait in shown(LOST, *more, (trait, 0.61))
    assert state(9) in shown(LOST, *more, (state(9), 0.5))
    assert state(9) not in shown(values, *more, (state(9), 0.5))


@pytest.mark.parametrize(
    ("dates", "dated"),
    [({}, False), ({"valid_from": "2024"}, True), ({"observed": "2024-05-01"}, True), ({"planned_for": "2025"}, True)],
)
def test_what_has_a_date(dates: dict[str, str], dated: bool) -> None:
    """A day on which it began, was seen or is planned for; or a year in its words."""
    assert is_dated(new("Ann", "is_busy_with", "work", "Ann is busy.", **dates).triple) == dated
    assert is_dated(new("Ann", "is_busy_with", "work", "In 2023 Ann was busy.").triple)


def test_the_same_topic_needs_less_likeness() -> None:
    """Words of relation and object that both have, the names of people aside, make up for sentences that differ."""
    more = [(state(number), 0.99) for number in range(FIRST)]
    finished = new("Ann", "published", "her first book", "In 2024 Ann published it.")
    book = settled(new("Ann", "is_writing", "a book", "In 2023 Ann is writing."))
    friend = settled(new("Ann", "is_fond_of", "Ann's friend", "In 2023 Ann is fond of him."))
    found = shown(finished, *more, (book, 0.4), (friend, 0.4))
    assert book in found
    assert friend not in found


@pytest.mark.parametrize(("relation", "obj"), [("has_no", "pets"), ("does_not_have", "pets"), ("has", "no pets")])
def test_what_was_not_so_is_about_what_is_so_now(relation: str, obj: str) -> None:
    """A denial needs less likeness, in whatever part of the triple it stands; so does what a new one denies."""
    more = [(state(number), 0.99) for number in range(FIRST)]
    puppy = new("Ann", "adopted", "puppy", "In 2024 Ann took home a puppy.")
    none = settled(new("Ann", relation, obj, "In 2023 there are none."))
    assert none in shown(puppy, *more, (none, 0.35))
    assert state(9) not in shown(puppy, *more, (state(9), 0.35))
    denied = new("Ann", relation, obj, "In 2024 there are none.")
    pets = settled(new("Ann", "is_with", "her cats", "In 2023 Ann is with her cats."))
    assert pets in shown(denied, *more, (pets, 0.35))


def test_few_events_and_only_of_an_agreeing_time() -> None:
    """An event takes a place that no state needs, if it is nearly in the same words and not of another time."""
    again = new("Ann", "visited", "Rome", "Ann visited Rome.", valid_from="2024-05")
    events = [settled(new("Ann", "visited", f"Rome {number}", f"Ann visited Rome {number}.")) for number in range(4)]
    before = settled(new("Ann", "visited", "Rome", "Ann visited Rome before.", valid_from="2023-05"))
    states = [state(number) for number in range(LIMIT)]
    known = [(each, 0.9) for each in events]
    assert len(shown(again, *known)) == EVENTS
    assert shown(again, (before, 0.95)) == []
    found = shown(again, *known, *((each, 0.7) for each in states), most=LIMIT)
    assert sorted(each.id for each in found) == sorted(each.id for each in states)


def test_what_is_over_touches_more() -> None:
    """A triple that says that something is over is shown facts that are less like it."""
    more = [(state(number), 0.9) for number in range(FIRST)]
    lost = new("Ann", "lost_job_at", "Acme", "In May 2024 Ann lost her job.")
    assert state(9) not in shown(LOST, *more, (state(9), 0.4))
    assert state(9) in shown(lost, *more, (state(9), 0.4))


@pytest.mark.parametrize(
    ("known", "told", "same"),
    [
        (("Ann", "likes", "tea"), ("Ann", "likes", "tea"), True),
        (("Ann", "likes", "tea", "Ann likes tea, hot."), ("Ann", "likes", "tea"), False),
        (("Ann", "likes", "tea"), ("Ann", "likes", "tea", "ann likes TEA."), True),
        (("Ann", "also_known_as", "Annie"), ("Ann", "also_known_as", "annie", "They call Ann Annie."), True),
        (("Ann", "also_known_as", "Annie"), ("Ann", "also_known_as", "Nie", "They call her Nie."), False),
        (("Ann", "also_known_as", "Annie"), ("Ann", "also_known_as", "Nan", "They call Ann Nan."), False),
    ],
)
def test_what_says_exactly_the_same(known: tuple[str, ...], told: tuple[str, ...], same: bool) -> None:
    """Equal sentences of one edge, or one other name, whatever the sentences are."""
    assert says_exactly(new(*told), settled(new(*known))) == same


def test_another_date_is_not_exactly_the_same() -> None:
    """A triple that tells another date, or that it is so no longer, is asked about."""
    fact = settled(new("Ann", "visited", "Rome", valid_from="2023"))
    assert says_exactly(new("Ann", "visited", "Rome"), fact)
    assert not says_exactly(new("Ann", "visited", "Rome", valid_from="2024"), fact)
    assert not says_exactly(new("Ann", "visited", "Rome", retracts=True), fact)


@pytest.mark.parametrize(
    ("relation", "text", "told"),
    [
        ("quit", "Ann quit chess.", True),
        ("broke_up_with", "Ann broke up with Tom.", True),
        ("has_stopped", "Ann has stopped smoking.", True),
        ("lives_in", "Ann no longer lives in Oslo.", True),
        ("drinks", "Ann drinks tea instead of coffee.", True),
        ("likes", "Ann likes tea.", False),
        ("visited", "Ann visited Rome.", False),
    ],
)
def test_which_claims_tell_an_end(relation: str, text: str, told: bool) -> None:
    """By the verb, or by the words of the sentence; a retraction always does."""
    assert says_something_ended(new("Ann", relation, "it", text)) == told
    assert says_something_ended(new("Ann", relation, "it", text, retracts=True))


def test_structure_is_shown_whatever_the_sentences() -> None:
    """What a relation excludes that has one at a time, also by what it implies, and what is taken back."""
    oslo = settled(new("Ann", "lives_in", "Oslo"))
    tom = settled(new("Tom", "married_to", "Ann"))
    paris = settled(new("Paris", "capital_of", "France"))
    tea = settled(new("Ann", "likes", "tea"))
    assert shown(new("Ann", "moved_to", "Rome"), (oslo, 0.0), (tea, 0.0)) == [oslo]
    assert shown(new("Ann", "married_to", "Jim"), (tom, 0.0), (oslo, 0.0)) == [tom]
    assert shown(new("Lyon", "capital_of", "France"), (paris, 0.0)) == [paris]
    assert shown(new("Ann", "likes", "coffee"), (tea, 0.0)) == []
    assert shown(new("Ann", "drinks", "tea"), (tea, 0.0)) == [tea]
    assert shown(new("tea", "calms", "Ann"), (tea, 0.0)) == [tea]


def test_of_the_same_two_ends_a_few_that_can_end() -> None:
    """Two people who talk with each other have many facts; an event is shown only to what takes it back."""
    states = [settled(new("Ann", f"likes{number}", "Ben", f"Ann likes Ben {number}.")) for number in range(8)]
    found = shown(new("Ann", "met", "Ben"), *[(each, number / 100) for number, each in enumerate(states)])
    assert found == states[::-1][:SAME_ENDS]
    met = settled(new("Ann", "met", "Ben", "Ann met Ben."))
    assert shown(new("Ann", "knows", "Ben"), (met, 0.0)) == []
    assert shown(new("Ann", "met", "Ben", "Ann never met Ben.", retracts=True), (met, 0.0)) == [met]


def test_another_name_is_never_shown() -> None:
    """Names are compared exactly."""
    name = settled(new("Ann", "also_known_as", "Annie"))
    assert shown(new("Ann", "is", "Annie"), (name, 0.9)) == []


def test_what_a_puppy_ends() -> None:
    """A lack and a wish are shown from their sentences alone, without a date; other traits of the person are not."""
    lack = settled(new("Ann", "has_no", "pets", "Ann has no pets."))
    wish = settled(new("Ann", "wants_to_adopt", "dog", "Ann wants to adopt a dog."))
    trait = settled(new("Ann", "loves", "hiking", "Ann loves hiking."))
    puppy = new("Ann", "took_home", "Toby", "Ann took home a puppy called Toby.", valid_from="2023-07-11")
    cosines = {lack: 0.38, wish: 0.54, trait: 0.54}  # of all-MiniLM-L6-v2
    assert shown(puppy, *cosines.items()) == [wish, lack]
