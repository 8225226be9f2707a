"""Which of the known facts are shown to a resolver."""

from __future__ import annotations

import dataclasses

import pytest

from mem0g.conflict.candidates import (
    LATEST,
    LIMIT,
    NEIGHBOURS,
    candidates,
    latest_passing,
    says_exactly,
    says_something_ended,
)
from mem0g.conflict.passing_states import is_passing, is_past_event
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import MINILM
from mem0g.model import LITERAL, Fact
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


def crowd(cosine: float, count: int = NEIGHBOURS) -> list[tuple[Fact, float]]:
    """Other states of Ann's, all as like a triple."""
    return [(settled(new("Ann", f"relation{n}", f"other{n}", f"Another{n} one{n}.")), cosine) for n in range(count)]


def test_best_first() -> None:
    """At most so many, by falling likeness, and none that does not stand out."""
    known = [(state(number), 0.9 - number / 20) for number in range(12)]
    facts = [fact for fact, _ in known]
    found = shown(LOST, *known)
    assert found == facts[: len(found)]
    assert 3 < len(found) < MOST
    assert shown(LOST, *known, most=3) == facts[:3]
    assert shown(LOST, *reversed(known), most=2) == facts[:2]


def test_where_little_is_known_nearly_all_is_shown() -> None:
    """What is near one of few facts is not near among many that are as near."""
    fact = (state(1), 0.6)
    assert shown(LOST, fact) == [state(1)]
    assert shown(LOST, fact, *crowd(0.2)) == [state(1)]
    assert shown(LOST, fact, *crowd(0.5)) == []


def test_rare_words_in_common_count() -> None:
    """A word that two sentences share says something where few facts have it."""
    told = new("Ann", "tunes", "it", "Ann tunes the old harpsichord.")
    fact = settled(new("Ann", "keeps", "that", "Ann keeps a harpsichord upstairs."))
    others = crowd(0.5)
    same = [
        (settled(new("Ann", f"relation{n}", f"other{n}", f"Another{n} harpsichord.")), 0.5) for n in range(NEIGHBOURS)
    ]
    assert shown(told, (fact, 0.6), *others) == [fact]
    assert fact not in shown(told, (fact, 0.6), *same)


def test_cosines_that_lie_close_are_spread() -> None:
    """With an embedder whose cosines differ half as much, half a lead is enough."""
    known = [RelatedFact(fact, cosine) for fact, cosine in ((state(1), 0.7), *crowd(0.5))]
    narrow = dataclasses.replace(MINILM, spread=0.5)
    assert candidates(LOST, known, REGISTRY, MOST) == []
    assert candidates(LOST, known, REGISTRY, MOST, narrow) == [state(1)]


def test_a_plan_that_came_true_needs_less() -> None:
    """A fact about the future is shown to a triple about the past sooner than to one about the present."""
    plan = settled(new("Ann", "plans_to_sing_in", "the choir", "Ann plans to sing."))
    sang = new("Ann", "performed_with", "the choir", "It was fun.")
    sings = new("Ann", "performs_with", "the choir", "It is fun.")
    assert shown(sang, (plan, 0.57), *crowd(0.42)) == [plan]
    assert shown(sings, (plan, 0.57), *crowd(0.42)) == []


def test_a_plan_that_is_due_needs_still_less() -> None:
    """A plan is shown to a triple about the past sooner once its time has begun."""
    sang = new("Ann", "performed_with", "the choir", "It was fun.")
    for day, expected in (("2024-05", True), ("2024-04-20", True), ("2024-06", False)):
        plan = new("Ann", "plans_to_sing_in", "the choir", "Ann plans to sing.", planned_for=day)
        assert (shown(sang, (settled(plan), 0.5), *crowd(0.42)) != []) == expected, day


def test_what_is_going_on_is_shown_whatever_its_words() -> None:
    """Something comes of a search in other words; it has to be among the most similar facts."""
    search = settled(new("Ann", "searches_for", "hall", "Ann is still looking for a hall."))
    opening = new("Ann", "opens_on", "May 2024", "The first night is in May.")
    assert shown(opening, (search, 0.6), *crowd(0.55)) == [search]
    assert shown(opening, (search, 0.5), *crowd(0.55)) == []


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
    assert {each.id for each in shown(LOST, (ben, 0.6), (team, 0.6), (boss, 0.6))} == {team.id, boss.id}
    assert shown(LOST, (ben, MINILM.restated)) == [ben]


def test_the_same_topic_needs_less_likeness() -> None:
    """Words of relation and object that both have, the names of people aside, make up for sentences that differ."""
    finished = new("Ann", "published", "her first book", "In 2024 Ann published it.")
    book = settled(new("Ann", "is_busy_with", "a book", "In 2023 Ann is busy."))
    friend = settled(new("Ann", "is_fond_of", "Ann's friend", "In 2023 Ann is fond of him."))
    found = shown(finished, (book, 0.57), (friend, 0.57), *crowd(0.3))
    assert found == [book]


def test_the_very_same_topic_needs_none() -> None:
    """Long sentences are little alike whatever they have in common; an event of the past cannot end all the same."""
    sang = new("Ann", "sang_at", "the harbour fair", "In 2024 Ann sang, and the photo shows a boat.")
    plan = settled(new("Ann's choir", "plans_to_sing_at", "harbour fair", "In 2023 the choir is busy."))
    other = settled(new("Ann's choir", "plans_to_sing_at", "book fair", "In 2023 the choir is busy."))
    once = settled(new("Ann", "sang_at", "harbour fair", "In 2023 Ann sang."))
    assert shown(sang, (plan, 0.3), (other, 0.3), (once, 0.3), *crowd(0.5)) == [plan]


@pytest.mark.parametrize(("relation", "obj"), [("has_no", "pets"), ("does_not_have", "pets"), ("has", "no pets")])
def test_what_was_not_so_is_about_what_is_so_now(relation: str, obj: str) -> None:
    """A denial needs less likeness, in whatever part of the triple it stands; so does what a new one denies."""
    puppy = new("Ann", "adopted", "puppy", "In 2024 Ann took home a puppy.")
    none = settled(new("Ann", relation, obj, "In 2023 there are none."))
    assert shown(puppy, (none, 0.45), (state(9), 0.45), *crowd(0.3)) == [none]
    denied = new("Ann", relation, obj, "In 2024 there are none.")
    pets = settled(new("Ann", "is_with", "her cats", "In 2023 Ann is with her cats."))
    assert shown(denied, (pets, 0.45), *crowd(0.3)) == [pets]


def test_events_of_an_agreeing_time() -> None:
    """An event is shown if it is nearly in the same words and not of another time."""
    again = new("Ann", "visited", "Rome", "Ann visited Rome.", valid_from="2024-05")
    event = settled(new("Ann", "visited", "Rome", "Ann visited Rome once."))
    before = settled(new("Ann", "visited", "Rome", "Ann visited Rome before.", valid_from="2023-05"))
    assert shown(again, (event, 0.95), (before, 0.95)) == [event]
    assert shown(again, (event, 0.6)) == []


def test_what_is_over_touches_more() -> None:
    """A triple that says that something is over is shown the nearest facts of its subject, as many as may be shown."""
    lost = new("Ann", "lost_job_at", "Acme", "In May 2024 Ann lost her job.")
    near, far = crowd(0.6, 12), [(state(number), 0.5) for number in range(12)]
    assert shown(LOST, *near, *far, most=LIMIT) == []
    found = shown(lost, *near, *far, most=LIMIT)
    assert len(found) == LIMIT
    assert {fact.id for fact in found} <= {fact.id for fact, _ in near}


def test_what_names_what_ended_comes_first() -> None:
    """Of a lost job what is said of the work, then what only its sentence names, however near other facts are."""
    lost = new("Ann", "lost_job_at", "Acme", "In May 2024 Ann lost her job.")
    team = settled(new("Ann's team", "described_as", "kind", "Ann has a kind team at her new job."))
    cook = settled(new("Ann", "works_as", "cook", "In 2023 Ann is a cook."))
    assert shown(lost, *crowd(0.6), (team, 0.3), (cook, 0.2), most=LIMIT)[:2] == [cook, team]


def test_what_is_open_about_the_same_thing() -> None:
    """An event of Ann's studio is shown a search and a plan of hers for it, not what she likes about it."""
    opens = new("Ann's dance studio", "opens_on", "20 June", "The opening night is on 20 June.")
    search = settled(new("Ann", "is_looking_for", "dance studio location", "In 2023 Ann looks for a spot."))
    plan = settled(new("Ann", "plans_to_rent", "big dance studio", "In 2023 Ann is up to it."))
    likes = settled(new("Ann", "likes", "dance studio", "In 2023 Ann is fond of it."))
    bens = settled(new("Ben", "is_looking_for", "dance studio location", "In 2023 Ben looks for a spot."))
    known = [(each, 0.3) for each in (search, plan, likes, bens)]
    assert {each.id for each in shown(opens, *crowd(0.5), *known)} == {search.id, plan.id}


def test_what_is_going_on_by_the_same_verb() -> None:
    """Another book that is read is shown the one before; another liking shows no liking."""
    dune = settled(new("Ann", "is_reading", "Dune", "In 2023 Ann is at it."))
    tea = settled(new("Ann", "likes", "tea", "In 2023 Ann is at it."))
    assert shown(new("Ann", "is_reading", "Emma", "Ann took up Emma."), *crowd(0.5), (dune, 0.3), (tea, 0.3)) == [dune]
    assert shown(new("Ann", "likes", "coffee", "Ann took up coffee."), *crowd(0.5), (dune, 0.3), (tea, 0.3)) == []


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


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Ann feels tired.", True),
        ("Ann, tired, still feels so.", True),
        ("Ann feels tired of the boat.", False),
        ("Ann no longer feels tired after the move.", False),
        ("Ann doesn't feel tired.", False),
    ],
)
def test_a_value_told_again(text: str, same: bool) -> None:
    """A value with no word more is said again; more words, or a denial, are for the model to read."""
    tired = settled(new("Ann", "feels", "tired", "Ann still feels tired after the move.", object_type=LITERAL))
    assert says_exactly(new("Ann", "feels", "tired", text, object_type=LITERAL), tired) == same


def test_a_plan_for_another_day_is_another() -> None:
    """What is planned for a day says more than what is planned for none, or for another."""
    plan = settled(new("Ann", "plans_to", "sail", "Ann plans to sail home.", object_type=LITERAL))
    later = new("Ann", "plans_to", "sail", "Ann plans to sail.", object_type=LITERAL, planned_for="2024-06")
    assert not says_exactly(later, plan)


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
    two = settled(new("Ann", "owns", "two cats", "There are two."))
    assert shown(new("Ann", "owns", "three cats", "There are three."), (two, 0.0)) == [two]


def test_what_is_taken_back_is_shown() -> None:
    """An event is shown to what takes it back, whatever the sentences."""
    met = settled(new("Ann", "met", "Ben", "Ann met Ben."))
    assert shown(new("Ann", "knows", "Ben"), (met, 0.0)) == []
    assert shown(new("Ann", "met", "Ben", "Ann never met Ben.", retracts=True), (met, 0.0)) == [met]


def test_another_name_is_never_shown() -> None:
    """Names are compared exactly."""
    name = settled(new("Ann", "also_known_as", "Annie"))
    assert shown(new("Ann", "is", "Annie"), (name, 0.9)) == []


def test_what_a_puppy_ends() -> None:
    """A lack and a wish are shown from their sentences alone."""
    lack = settled(new("Ann", "has_no", "pets", "Ann has no pets."))
    wish = settled(new("Ann", "wants_to_adopt", "dog", "Ann wants to adopt a dog."))
    puppy = new("Ann", "took_home", "Toby", "Ann took home a puppy called Toby.", valid_from="2023-07-11")
    cosines = {lack: 0.38, wish: 0.54}  # of all-MiniLM-L6-v2
    assert {each.id for each in shown(puppy, *cosines.items())} == {lack.id, wish.id}


@pytest.mark.parametrize(
    ("relation", "text", "passes"),
    [
        ("is_looking_for", "Ann looks for a hall.", True),
        ("has_been_training_for", "Ann has been training for a race.", True),
        ("feels", "Ann feels stuck.", True),
        ("struggles_with", "Ann struggles with her knee.", True),
        ("cannot_play", "Ann cannot play.", True),
        ("has_trouble_with", "Ann is having trouble with her boss.", True),
        ("is_sidelined_from", "Ann is off the court.", True),
        ("is_busy_with", "Ann is busy with exams.", True),
        ("questions", "Ann doubts her choice.", True),
        ("was_injured_in", "Ann was injured in May.", False),
        ("is_married_to", "Ann is married to Bo.", False),
        ("likes", "Ann likes tea.", False),
        ("has_pet", "Ann has a dog.", False),
        ("was_looking_for", "Ann was once looking for a hall.", False),
        ("felt", "Ann felt stuck once.", False),
        ("has_never_visited", "Ann never visited Rome.", False),
        ("also_known_as", "Ann feels like Annie.", False),
    ],
)
def test_states_that_pass(relation: str, text: str, passes: bool) -> None:
    """What is going on, a feeling, a trouble, a lack; not a liking, a belonging, an event or another name."""
    assert is_passing(settled(new("Ann", relation, "thing", text))) == passes


def test_the_latest_passing_states() -> None:
    """Those of the subjects, said last, each beside the triple that it is most similar to; what is shown is not."""
    opens = new("Ann's hall", "opens_on", "May 2024", "The first night is in May.")
    walks = new("Ann", "walks_with", "Bo", "Ann walks with Bo.")
    feelings = [
        settled(new("Ann", "feels", f"mood{day}", f"Ann feels {day}.", said_at=f"2024-04-0{day}"))
        for day in range(1, 7)
    ]
    bens = settled(new("Ben", "feels", "glad", "Ben feels glad.", said_at="2024-04-09"))
    tea = settled(new("Ann", "likes", "tea", "Ann likes tea.", said_at="2024-04-09"))
    gone = dataclasses.replace(
        settled(new("Ann", "feels", "sad", "Ann feels sad.", said_at="2024-04-09")), retired_at=AT
    )
    undated = settled(new("Ann", "feels", "odd", "Ann feels odd.", said_at=None))
    known = [bens, tea, gone, undated, *feelings]
    related = [[RelatedFact(each, 0.1) for each in known], [RelatedFact(each, 0.2) for each in known]]
    related[0] += [RelatedFact(feelings[4], 0.3)]
    found = latest_passing([opens, walks], related, {feelings[5].id})
    assert found == [(0, feelings[4]), *((1, each) for each in feelings[3:0:-1])][:LATEST]
    assert latest_passing([walks], [[RelatedFact(each, 0.2) for each in (undated, feelings[0])]], set()) == [
        (0, feelings[0]),
        (0, undated),
    ]
