"""Which of the known facts are shown to a resolver."""

from __future__ import annotations

import dataclasses

import pytest

from mem0g.conflict.candidates import (
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

LOST = new("Ann", "was_let_go_by", "Acme", "In May 2024 Ann was let go.")


def shown(made: ResolvedTriple, *known: tuple[Fact, float]) -> list[Fact]:
    """What of facts, each with its cosine, may be touched by a triple."""
    return [each.fact for each in candidates(made, [RelatedFact(fact, cosine) for fact, cosine in known], REGISTRY)]


def state(number: int, text: str = "In 2023 Ann is ill.") -> Fact:
    """A state of Ann's, as of a year."""
    return settled(new("Ann", "has", f"thing{number}", f"{text} {number}"))


def test_best_first() -> None:
    """By falling likeness, and none that is hardly like the triple."""
    known = [(state(number), 0.99 - number / 50) for number in range(12)]
    facts = [fact for fact, _ in known]
    assert shown(LOST, *known) == facts[:8]
    assert shown(LOST, *reversed(known)) == facts[:8]


def test_what_is_retired_is_not_shown() -> None:
    """A fact that holds no longer is not touched again."""
    assert shown(LOST, (dataclasses.replace(state(1), retired_at=AT), 0.9)) == []


def test_what_happened_cannot_end() -> None:
    """An event is shown where the triple may tell it again; a state, a plan and a lack before."""
    event = settled(new("Ann", "visited", "Rome", "In 2023 Ann visited Rome."))
    plan = settled(new("Ann", "plans_to_visit", "Rome", "In 2023 Ann planned to visit Rome."))
    lack = settled(new("Ann", "has_not_visited", "Rome", "By 2023 Ann had not visited Rome."))
    passive = settled(new("Ann", "is_sidelined_from", "tennis", "In 2023 Ann is off the court."))
    assert shown(LOST, *[(each, 0.79) for each in (event, plan, lack, passive)]) == [lack, plan]
    found = shown(LOST, *[(each, 0.86) for each in (event, plan, lack, passive)])
    assert sorted(each.id for each in found) == sorted(each.id for each in (event, plan, lack, passive))
    assert [is_past_event(each) for each in (event, plan, lack, passive)] == [True, False, False, False]


@pytest.mark.parametrize(
    "relation",
    ["plans_to_see", "wants_to_see", "considering", "is_looking_for", "searches_for", "is_still_writing", "has_no"],
)
def test_what_is_open_needs_less_likeness(relation: str) -> None:
    """A plan, a wish, a search, work in progress and a lack seldom last."""
    opened = settled(new("Ann", relation, "thing", "In 2023 it is so."))
    assert shown(LOST, (opened, 0.66), (state(1), 0.66)) == [opened]


def test_others_are_left_alone() -> None:
    """Somebody else's state is shown only where the triple may say it again; what is named after the subject before."""
    ben = settled(new("Ben", "plans_to_see", "Rome", "In 2023 Ben plans it."))
    team = settled(new("Ann's team", "plans_to_see", "Rome", "In 2023 it is planned."))
    boss = settled(new("Eve", "plans_to_see", "Ann", "In 2023 Eve plans it."))
    low, high = MINILM.restated - 0.001, MINILM.restated
    assert shown(LOST, (ben, low), (team, low), (boss, low)) == []
    assert shown(LOST, (ben, high), (team, high), (boss, high)) == sorted((ben, team, boss), key=lambda each: each.id)
    ended = new("Ann", "quit", "Acme", "In May 2024 Ann quit.")
    assert shown(ended, (ben, low), (team, low), (boss, low)) == sorted((team, boss), key=lambda each: each.id)


def test_traits_need_more_likeness() -> None:
    """What tells no time is a trait that seldom ends; a triple without one seldom ends anything."""
    trait = settled(new("Ann", "has", "patience", "Ann is a patient one."))
    quit_, some_day = new("Ann", "quit", "Acme", "In May 2024 Ann quit."), new("Ann", "quit", "Acme", "Ann quit.")
    assert shown(quit_, (trait, 0.55), (state(9), 0.55)) == [state(9)]
    assert shown(some_day, (trait, 0.55), (state(9), 0.55)) == []
    assert shown(quit_, (dataclasses.replace(trait, said_at=None), 0.55)) != [], "no message has a time"
    assert shown(LOST, (trait, 0.86)) == [trait], "nearly the same words"


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
    finished = new("Ann", "published", "her first book", "In 2024 Ann published it.")
    book = settled(new("Ann", "is_proud_of", "a book", "In 2023 Ann is proud."))
    friend = settled(new("Ann", "is_proud_of", "Ann's friend", "In 2023 Ann is proud of him."))
    assert shown(finished, (book, 0.75), (friend, 0.75)) == [book]


def test_the_same_relation_needs_less_likeness() -> None:
    """How somebody feels may be over when they feel otherwise."""
    feels = new("Ann", "feels", "confident", "In 2024 Ann is confident.")
    low = settled(new("Ann", "feels", "low", "In 2023 Ann is low."))
    tired = settled(new("Ann", "is", "tired", "In 2023 Ann is tired."))
    assert shown(feels, (low, 0.6), (tired, 0.6)) == [low]


@pytest.mark.parametrize(("relation", "obj"), [("has_no", "pets"), ("does_not_have", "pets"), ("has", "no pets")])
def test_what_was_not_so_is_about_what_is_so_now(relation: str, obj: str) -> None:
    """A denial needs less likeness, in whatever part of the triple it stands; so does what a new one denies."""
    puppy = new("Ann", "adopted", "puppy", "In 2024 Ann took home a puppy.")
    none = settled(new("Ann", relation, obj, "In 2023 there are none."))
    assert shown(puppy, (none, 0.5), (state(9), 0.5)) == [none]
    denied = new("Ann", relation, obj, "In 2024 there are none.")
    pets = settled(new("Ann", "is_with", "her cats", "In 2023 Ann is with her cats."))
    assert shown(denied, (pets, 0.7)) == [pets]


def test_events_only_of_an_agreeing_time() -> None:
    """An event may be told again if it is nearly in the same words and not of another time."""
    again = new("Ann", "visited", "Rome", "Ann visited Rome.", valid_from="2024-05")
    undated = settled(new("Ann", "visited", "Rome", "Ann visited Rome once."))
    before = settled(new("Ann", "visited", "Rome", "Ann visited Rome before.", valid_from="2023-05"))
    assert shown(again, (undated, MINILM.restated), (before, 0.95)) == [undated]
    assert shown(again, (undated, MINILM.restated - 0.01)) == []


def test_what_is_over_touches_more() -> None:
    """A triple that says that something is over is shown facts that are less like it."""
    lost = new("Ann", "lost_job_at", "Acme", "In May 2024 Ann lost her job.")
    assert shown(LOST, (state(9), 0.7)) == []
    assert shown(lost, (state(9), 0.7)) == [state(9)]


def test_what_may_say_the_same() -> None:
    """A sentence nearly like another about the same thing, which a model has to read whole."""
    tea = RelatedFact(settled(new("Ann", "likes", "green tea", "Since 2020 Ann likes green tea.")), 0.9)
    away = RelatedFact(state(9), 0.9)
    (first, second) = candidates(new("Ann", "enjoys", "green tea", "In 2024 she enjoys it."), [tea, away], REGISTRY)
    assert (first.fact, first.alike, second.alike) == (tea.fact, True, False)


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
    met = settled(new("Ann", "met", "Ben", "Ann met Ben."))
    assert shown(new("Ann", "moved_to", "Rome"), (oslo, 0.0), (tea, 0.0)) == [oslo]
    assert shown(new("Ann", "married_to", "Jim"), (tom, 0.0), (oslo, 0.0)) == [tom]
    assert shown(new("Lyon", "capital_of", "France"), (paris, 0.0)) == [paris]
    assert shown(new("Ann", "likes", "coffee"), (tea, 0.0)) == []
    assert shown(new("Ann", "likes", "tea", retracts=True), (tea, 0.0)) == [tea]
    assert shown(new("Ann", "knows", "Ben"), (met, 0.0)) == []
    assert shown(new("Ann", "met", "Ben", "Ann never met Ben.", retracts=True), (met, 0.0)) == [met]


def test_another_name_is_never_shown() -> None:
    """Names are compared exactly."""
    name = settled(new("Ann", "also_known_as", "Annie"))
    assert shown(new("Ann", "is", "Annie"), (name, 0.9)) == []


def test_what_a_puppy_ends() -> None:
    """A wish and a lack are shown, with a day on which they held; a liking of the person is not."""
    lack = settled(new("Ann", "has_no", "dog", "Ann has no dog.", observed="2023-05-01"))
    wish = settled(new("Ann", "wants_to_adopt", "dog", "Ann wants to adopt a dog.", observed="2023-05-01"))
    liking = settled(new("Ann", "loves", "hiking", "Ann loves hiking.", observed="2023-05-01"))
    puppy = new("Ann", "adopted", "dog", "Ann took home a puppy called Toby.", valid_from="2023-07-11")
    cosines = {lack: 0.38, wish: 0.54, liking: 0.54}  # of all-MiniLM-L6-v2
    assert shown(puppy, *cosines.items()) == [wish, lack]
