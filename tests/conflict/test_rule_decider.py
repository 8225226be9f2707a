"""What the rule resolver does to the facts there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.conflict.cardinality import relation_types
from mem0g.conflict.protocol import ResolvedTriple, ResolvedWindow, Verdict, retired
from mem0g.conflict.rule_decider import RuleDecider, decide_triple
from mem0g.model import Fact
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact
from mem0g.times import Moment
from tests.making import ANN, AT, day, entity, triple, vector

REGISTRY = Registry()


def new(
    subject: str, relation: str, obj: str, text: str = "", said_at: str | None = "2024-05-01", **given: Any
) -> ResolvedTriple:
    """A triple said on a day."""
    types = {"subject_type": given.pop("subject_type", ""), "object_type": given.pop("object_type", "")}
    made = triple(subject, relation, obj, text, evidence=given.pop("evidence", ("m_1",)), **types, **given)
    return ResolvedTriple(
        scope=ANN,
        triple=made,
        subject=entity(subject, type=types["subject_type"]),
        relation=REGISTRY.canonical(relation),
        object=entity(obj, type=types["object_type"]),
        said_at=day(said_at) if said_at else None,
        vector=vector(made.text),
    )


def window(triples: Sequence[ResolvedTriple], related: Sequence[Sequence[RelatedFact]]) -> ResolvedWindow:
    """A window of these triples, each beside the facts that it may touch."""
    return ResolvedWindow(triples=tuple(triples), related=tuple(map(tuple, related)), registry=REGISTRY, at=AT)


def settled(made: ResolvedTriple, at: datetime = AT) -> Fact:
    """The fact that a triple makes where nothing was known."""
    verdict = decide_triple(made, (), REGISTRY, at)
    assert verdict.fact is not None
    return verdict.fact


def judged(made: ResolvedTriple, known: Sequence[Fact]) -> Verdict:
    """The verdict beside facts known; the same beside those that concern the rules alone."""
    related = [RelatedFact(each, float(vector(each.text) @ made.vector)) for each in known]
    verdict = decide_triple(made, related, REGISTRY, AT)
    assert decide_triple(made, concerning(made, related), REGISTRY, AT) == verdict
    return verdict


def concerning(made: ResolvedTriple, related: Sequence[RelatedFact]) -> list[RelatedFact]:
    """Those of the facts that a store must not leave out for a triple: see FactQuery.concerns."""
    concerns, ends = RuleDecider().concerns(made, REGISTRY), {made.subject.id, made.object.id}
    either = {
        each.name for each in relation_types(made, REGISTRY) if each.one_subject or (each.symmetric and each.one_object)
    }
    return [
        each
        for each in related
        if {each.fact.subject_id, each.fact.object_id} == ends
        or (each.fact.relation in either and not ends.isdisjoint((each.fact.subject_id, each.fact.object_id)))
        or (each.fact.subject_id == made.subject.id and concerns(each.fact.relation))
    ]


def test_only_what_may_change_concerns_the_rules() -> None:
    """Of facts about the subject, homes concern a move, and plans of visits a visit; other visits neither."""
    concerns = RuleDecider().concerns
    relations = ("LIVES_IN", "VISITED", "PLANS_TO_VISIT", "LIKES", "HAS_PET", "INSTRUCTS", "WORKS_AT")

    def concerned(*made: str) -> set[str]:
        return set(filter(concerns(new(*made), REGISTRY), relations))

    assert concerned("Ann", "moved_to", "Lisbon") == {"LIVES_IN"}
    assert concerned("Ann", "visited", "Lisbon") == {"PLANS_TO_VISIT"}
    assert concerned("Ann", "likes", "tea") == set()
    assert concerned("Ann", "has_pet", "two cats") == {"HAS_PET"}
    assert concerned("Ann", "instructs", "never use emojis") == {"INSTRUCTS"}
    assert concerned("Ann", "plans_to_visit", "Lisbon", "The visit is moved to May.") == set(relations)


def retires(verdict: Verdict) -> list[str]:
    """Ids of the facts retired."""
    return [each.succession.fact_id for each in verdict.retirements]


def test_a_move_retires_the_old_home() -> None:
    """One city lived in at a time: the old fact ends when the new one begins, and is linked to it."""
    oslo = settled(new("Ann", "lives_in", "Oslo", valid_from="2020"))
    verdict = judged(new("Ann", "lives_in", "Lisbon", valid_from="2024-03", evidence=("m_2",)), [oslo])
    assert verdict.decision.operation == "UPDATE"
    (retirement,) = verdict.retirements
    assert (retirement.succession.fact_id, str(retirement.valid_to)) == (oslo.id, "2024-03")
    assert verdict.fact is not None
    assert retirement.succession.successor_id == verdict.fact.id


def test_a_relation_that_implies_another_retires_its_rivals() -> None:
    """ "Moved to Lisbon" says where she lives; the city she moved to stays, others she moved to in the past too."""
    oslo, lisbon = settled(new("Ann", "lives_in", "Oslo")), settled(new("Ann", "lives_in", "Lisbon"))
    verdict = judged(new("Ann", "moved_to", "Lisbon", valid_from="2024-04"), [oslo, lisbon])
    assert retires(verdict) == [oslo.id]


def test_an_undated_change_ends_the_old_fact_when_it_was_said() -> None:
    """Without a date the day of the message is the end."""
    old = settled(new("Ann", "works_at", "Acme", said_at="2023-01-01"))
    verdict = judged(new("Ann", "works_at", "Globex", said_at="2024-02-02"), [old])
    assert str(verdict.retirements[0].valid_to).startswith("2024-02-02")


def test_many_valued_relations_retire_nothing() -> None:
    """Another hobby, pet or child is also true."""
    for relation in ("likes", "has_pet", "has_child", "visited"):
        known = settled(new("Ann", relation, "one"))
        verdict = judged(new("Ann", relation, "two"), [known])
        assert (verdict.decision.operation, verdict.retirements) == ("ADD", ())


def test_unknown_relations_retire_nothing() -> None:
    """A relation nobody knows the cardinality of may have many objects."""
    known = settled(new("Ann", "hums", "a tune"))
    assert retires(judged(new("Ann", "hums", "another"), [known])) == []


def test_somebody_elses_fact_stands() -> None:
    """Bob's move says nothing about Ann's home."""
    known = settled(new("Ann", "lives_in", "Oslo"))
    assert retires(judged(new("Bob", "lives_in", "Lisbon"), [known])) == []


def test_a_city_does_not_exclude_a_country() -> None:
    """Objects of different types are both true."""
    known = settled(new("Ann", "lives_in", "Portugal", object_type="country"))
    assert retires(judged(new("Ann", "lives_in", "Lisbon", object_type="city"), [known])) == []


@pytest.mark.parametrize(
    ("text", "given", "ends"),
    [
        ("Ann lives in France.", {}, False),
        ("Ann moved to France.", {}, True),
        ("Ann moved to France in June 2024.", {"valid_from": "2024-06"}, True),
        ("Ann moved to France in 2020.", {"valid_from": "2020"}, False),
        ("Ann moved to France.", {"evidence": ("m_0",)}, False),
    ],
)
def test_a_move_to_a_country_ends_the_stay_in_a_city(text: str, given: dict[str, Any], ends: bool) -> None:
    """A move since the city was told leads away from it; an earlier one, or one in the same breath, led there."""
    city = settled(new("Ann", "lives_in", "Paris", object_type="city", evidence=("m_0",)))
    moved = new("Ann", "lives_in", "France", text, "2024-07-01", object_type="country", **given)
    assert retires(judged(moved, [city])) == ([city.id] if ends else [])


@pytest.mark.parametrize(
    ("text", "city", "given", "ends"),
    [
        ("Ann lives in Paris.", "Paris", {}, False),
        ("Ann moved to Paris.", "Paris", {}, True),
        ("Ann moved to Paris in 2020.", "Paris", {"valid_from": "2020"}, False),
        ("Ann moved to Oslo in Norway.", "Oslo", {}, False),
        ("Ann moved to Oslo, Kingdom of Norway.", "Oslo", {}, False),
        ("Ann moved to Paris.", "Paris", {"evidence": ("m_0",)}, False),
        ("Ann moved to a flat.", "a flat", {"object_type": "flat"}, False),
    ],
)
@pytest.mark.parametrize("kind", ["country", "place"])
def test_a_move_to_a_city_ends_the_stay_in_a_country(
    text: str, city: str, given: dict[str, Any], ends: bool, kind: str
) -> None:
    """Unless the sentence names that country; a country may be stored as a place."""
    country = settled(new("Ann", "lives_in", "Norway", object_type=kind, evidence=("m_0",)))
    moved = new("Ann", "lives_in", city, text, "2024-07-01", **({"object_type": "city"} | given))
    assert retires(judged(moved, [country])) == ([country.id] if ends else [])


@pytest.mark.parametrize(
    ("one", "other", "excluded"),
    [
        (("Norway", "place"), ("France", "country"), True),
        (("Norway", "country"), ("France", "place"), True),
        (("Norway", "place"), ("Oslo", "place"), False),
        (("Georgia", "place"), ("Texas", "place"), True),
        (("Georgia", "place"), ("France", "country"), True),
        (("Singapore", "place"), ("Oslo", "city"), False),
    ],
)
def test_countries_exclude_each_other(one: tuple[str, str], other: tuple[str, str], excluded: bool) -> None:
    """Whatever type they were stored with; what may be a state of the U.S. is a place."""
    known = settled(new("Ann", "lives_in", one[0], object_type=one[1]))
    said = new("Ann", "lives_in", other[0], object_type=other[1], evidence=("m_2",))
    assert retires(judged(said, [known])) == ([known.id] if excluded else [])


def test_a_fact_said_twice_is_one_with_two_evidences() -> None:
    """The same triple from another message only adds its evidence."""
    known = settled(new("Ann", "likes", "green tea", evidence=("m_1",)))
    verdict = judged(new("Ann", "likes", "green tea", evidence=("m_2",)), [known])
    assert (verdict.decision.operation, verdict.fact, verdict.retirements) == ("NOOP", None, ())
    assert verdict.support is not None
    assert (verdict.support.fact_id, verdict.support.evidence) == (known.id, ("m_2",))


def test_saying_it_again_may_tell_the_date() -> None:
    """A date that only the new triple tells is filled in."""
    known = settled(new("Ann", "lives_in", "Oslo"))
    verdict = judged(new("Ann", "lives_in", "Oslo", valid_from="2020-02"), [known])
    assert verdict.decision.operation == "UPDATE"
    assert verdict.support is not None
    assert str(verdict.support.valid_from) == "2020-02"


def test_the_same_on_another_day_is_another_fact() -> None:
    """Two visits with different dates are two facts, both true."""
    known = settled(new("Ann", "visited", "Rome", valid_from="2021-05"))
    verdict = judged(new("Ann", "visited", "Rome", valid_from="2023-06"), [known])
    assert (verdict.decision.operation, verdict.retirements) == ("ADD", ())


def test_another_detail_is_another_fact() -> None:
    """One edge with a quite different sentence is kept beside the first."""
    known = settled(new("Ann", "likes", "tea", "Ann likes tea because it calms her before exams."))
    verdict = judged(new("Ann", "likes", "tea", "Ann grew up in a family of merchants and likes tea."), [known])
    assert verdict.decision.operation == "ADD"


def test_a_retraction_retires_the_same_edge_alone() -> None:
    """ "Not any more" ends that fact; others of its relation stand."""
    known = [settled(new("Ann", "plays", sport)) for sport in ("tennis", "chess")]
    verdict = judged(new("Ann", "plays", "tennis", "Ann no longer plays tennis.", retracts=True), known)
    assert verdict.decision.operation == "DELETE"
    assert retires(verdict) == [known[0].id]
    assert "no longer plays tennis" in verdict.retirements[0].succession.reason


def test_a_retraction_of_nothing_does_nothing() -> None:
    """What was never said cannot be taken back; the log says so."""
    verdict = judged(new("Ann", "plays", "tennis", retracts=True), [])
    assert (verdict.decision.operation, verdict.fact, verdict.retirements) == ("NOOP", None, ())


def test_a_retraction_of_the_past_leaves_what_began_later() -> None:
    """ "I stopped in 2019" does not end what began in 2022."""
    known = settled(new("Ann", "plays", "tennis", valid_from="2022"))
    assert retires(judged(new("Ann", "plays", "tennis", retracts=True, valid_to="2019"), [known])) == []


def test_a_break_up_ends_the_relationship_either_way_round() -> None:
    """A symmetric relation is one fact, whoever is named first."""
    known = settled(new("Ann", "dating", "Tom"))
    assert retires(judged(new("Tom", "dating", "Ann", retracts=True), [known])) == [known.id]


def test_a_divorce_ends_the_marriage() -> None:
    """A relation that ends another retires it between the same two ends, and is itself kept."""
    known = settled(new("Ann", "married_to", "Tom", valid_from="2010"))
    verdict = judged(new("Tom", "divorced_from", "Ann", valid_from="2023"), [known])
    assert retires(verdict) == [known.id]
    assert verdict.fact is not None
    other = settled(new("Ann", "married_to", "Jim", valid_from="2010"))
    assert retires(judged(new("Tom", "divorced_from", "Ann"), [other])) == []


def test_a_plan_that_came_true_is_retired_by_what_was_done() -> None:
    """The fulfilment succeeds the plan with the same ends; another plan, and one for a later day, stand."""
    japan = settled(new("Ann", "plans_to_visit", "Japan", valid_from="2024-04"))
    peru = settled(new("Ann", "plans_to_visit", "Peru"))
    verdict = judged(new("Ann", "visited", "Japan", valid_from="2024-04-10"), [japan, peru])
    assert retires(verdict) == [japan.id]
    again = settled(new("Ann", "plans_to_visit", "Japan", valid_from="2025-04"))
    assert retires(judged(new("Ann", "visited", "Japan", valid_from="2024-04-10"), [again])) == []


def test_a_plan_that_fell_through_is_retracted() -> None:
    """Taking the plan back retires it without a successor."""
    plan = settled(new("Ann", "plans_to_visit", "Japan"))
    verdict = judged(new("Ann", "plans_to_visit", "Japan", retracts=True), [plan])
    assert verdict.retirements[0].succession.successor_id is None


def test_a_later_message_about_an_earlier_time_leaves_the_present() -> None:
    """The past home is kept with its interval, retired from the start; the present home stands."""
    present = settled(new("Ann", "lives_in", "Lisbon", valid_from="2024-03"))
    verdict = judged(new("Ann", "lives_in", "Boston", valid_from="2015", said_at="2024-06-01"), [present])
    assert verdict.fact is not None
    assert retires(verdict) == [verdict.fact.id]
    (retirement,) = verdict.retirements
    assert (str(retirement.valid_to), retirement.succession.successor_id) == ("2024-03", present.id)


def test_an_older_message_that_arrives_later_leaves_the_present() -> None:
    """Messages ingested out of order are judged by when they were said."""
    present = settled(new("Ann", "lives_in", "Lisbon", said_at="2024-03-01"))
    verdict = judged(new("Ann", "lives_in", "Oslo", said_at="2020-01-01"), [present])
    assert present.id not in retires(verdict)


def test_a_state_that_was_over_when_told_retires_nothing() -> None:
    """ "She lived there until 2012" is no news about now."""
    present = settled(new("Ann", "lives_in", "Lisbon", said_at="2024-03-01"))
    past = new("Ann", "lives_in", "Rome", valid_from="2010", valid_to="2012", said_at="2024-06-01")
    verdict = judged(past, [present])
    assert present.id not in retires(verdict)


def test_undated_conflicts_go_by_arrival() -> None:
    """With no time at all the later triple wins."""
    first = settled(new("Ann", "lives_in", "Oslo", said_at=None))
    assert retires(judged(new("Ann", "lives_in", "Rome", said_at=None), [first])) == [first.id]


def test_a_fact_asserted_again_after_its_retirement_is_a_new_one() -> None:
    """The second interval has an id of its own and leaves the first as it is."""
    first = settled(new("Ann", "lives_in", "Oslo", "Ann lives in Oslo.", evidence=()))
    moved = judged(new("Ann", "lives_in", "Rome", evidence=()), [first])
    gone = retired(first, moved.retirements[0])
    assert moved.fact is not None
    back = judged(new("Ann", "lives_in", "Oslo", "Ann lives in Oslo.", evidence=()), [gone, moved.fact])
    assert back.fact is not None
    assert back.fact.id != first.id
    assert retires(back) == [moved.fact.id]


def test_one_claim_of_a_window_finds_the_one_before() -> None:
    """A window that says Oslo, then Rome, then Rome again has one current home with two evidences."""
    said = [
        new("Ann", "lives_in", "Oslo", evidence=("m_1",)),
        new("Ann", "lives_in", "Rome", evidence=("m_2",)),
        new("Ann", "lives_in", "Rome", evidence=("m_3",)),
    ]
    first, second, third = RuleDecider().decide(window(said, [(), (), ()]))
    assert first.fact is not None
    assert second.fact is not None
    assert retires(second) == [first.fact.id]
    assert third.support is not None
    assert third.support.fact_id == second.fact.id


def test_decisions_say_what_and_why() -> None:
    """The log entry holds the triple as given, its evidence, the rule and the reason."""
    made = new("Ann", "lives_in", "Oslo", "Ann lives in Oslo.", evidence=("m_7",))
    decision = decide_triple(made, (), REGISTRY, AT).decision
    assert decision.triple == {"subject": "Ann", "relation": "lives_in", "object": "Oslo", "text": "Ann lives in Oslo."}
    assert (decision.evidence, decision.at, decision.decided_by, decision.rule) == (("m_7",), AT, "rule", "new")
    assert decision.reason


@pytest.mark.parametrize("relation", ["lives_in", "likes", "dating", "visited"])
@given(
    years=st.lists(st.integers(1990, 2030), min_size=1, max_size=6),
    objects=st.lists(st.sampled_from("abc"), min_size=6, max_size=6),
)
def test_order_of_time_not_of_telling(relation: str, years: list[int], objects: list[str]) -> None:
    """However dated triples arrive, a single-valued relation never has two current objects, others lose nothing."""
    said = [
        new("Ann", relation, obj, f"Ann {relation} {obj} {year}", valid_from=str(year), evidence=(f"m_{place}",))
        for place, (year, obj) in enumerate(zip(years, objects, strict=False))
    ]
    facts: dict[str, Fact] = {}
    for made in said:
        verdict = judged(made, list(facts.values()))
        if verdict.fact:
            facts[verdict.fact.id] = verdict.fact
        for retirement in verdict.retirements:
            facts[retirement.succession.fact_id] = retired(facts[retirement.succession.fact_id], retirement)
    current = [each for each in facts.values() if each.current]
    assert current
    if REGISTRY.get(relation).one_object:
        assert len({each.object_id for each in current}) == 1
        assert max(years) == max(each.valid_from.start.year for each in current if each.valid_from)
    else:
        assert len(current) == len(facts)


def test_a_plan_is_given_up_before_its_day() -> None:
    """A trip in May that is cancelled in March is retired, although its day has not come."""
    trip = settled(new("Ann", "plans_to_visit", "Japan", said_at="2024-03-01", valid_from="2024-05"))
    over = new("Ann", "plans_to_visit", "Japan", said_at="2024-03-20", retracts=True, evidence=("m_2",))
    assert retires(judged(over, [trip])) == [trip.id]


def test_what_is_cancelled_after_its_day_was_another() -> None:
    """Cancelling an appointment in June leaves the one in March, which has been kept."""
    kept = settled(new("Ann", "plans_to_attend", "appointment", said_at="2024-03-01", valid_from="2024-03-10"))
    verdict = judged(new("Ann", "cancelled", "appointment", said_at="2024-06-01", evidence=("m_2",)), [kept])
    assert retires(verdict) == []


def test_a_booking_is_cancelled_like_a_plan() -> None:
    """What was booked is planned."""
    booked = settled(new("Ann", "booked", "cottage", said_at="2024-03-01", valid_from="2024-07-20"))
    verdict = judged(new("Ann", "cancelled", "cottage", said_at="2024-04-01", evidence=("m_2",)), [booked])
    assert retires(verdict) == [booked.id]


def test_a_plan_that_is_put_off_has_its_new_day_alone() -> None:
    """An appointment that has been moved retires the one of the old day; a second one does not."""
    old = settled(new("Ann", "plans_to_attend", "appointment", valid_from="2024-06-22"))
    moved = new("Ann", "plans_to_attend", "appointment", "It has been moved to 29 June.", valid_from="2024-06-29")
    second = new("Ann", "plans_to_attend", "appointment", "Ann has an appointment.", valid_from="2024-06-29")
    assert retires(judged(moved, [old])) == [old.id]
    assert retires(judged(second, [old])) == []


@pytest.mark.parametrize(("one", "other"), [("eats", "no_longer_eats"), ("no_longer_works_at", "works_at")])
def test_the_opposite_retires(one: str, other: str) -> None:
    """What is said to hold ends that it does not, and the other way round."""
    known = settled(new("Ann", one, "Acme", said_at="2024-03-01"))
    verdict = judged(new("Ann", other, "Acme", said_at="2024-05-01", evidence=("m_2",)), [known])
    assert retires(verdict) == [known.id]


def test_a_dated_plan_comes_true_on_a_date() -> None:
    """ "Retired on 14 June" fulfils "retires in June", whose objects are two dates."""
    plan = settled(new("Dad", "plans_to_retire", "June 2024", object_type="date", valid_from="2024-06"))
    done = new("Dad", "retired", "14 June 2024", said_at="2024-06-20", object_type="date", evidence=("m_2",))
    assert retires(judged(done, [plan])) == [plan.id]


def test_a_state_said_again_on_a_later_day() -> None:
    """A state said again is observed last on that day; on the same day or an earlier one it has only more evidence."""
    state = settled(new("Ann", "lives_in", "Oslo", observed="2024-03-05"))
    later = judged(new("Ann", "lives_in", "Oslo", observed="2024-04-01", evidence=("m_2",)), [state])
    assert later.support is not None
    assert str(later.support.observed) == "2024-04-01"
    assert (later.decision.operation, later.decision.reason) == ("UPDATE", "known already, now observed on 2024-04-01")
    for day_ in ("2024-03-05", "2024-01-01"):
        same = judged(new("Ann", "lives_in", "Oslo", observed=day_, evidence=("m_2",)), [state])
        assert same.support is not None
        assert same.support.observed is None
        assert same.decision.operation == "NOOP"


def test_values_confirm_and_end_each_other() -> None:
    """The same value is known already, another one of a single-valued relation ends it; a typed object ends it too."""
    given: dict[str, Any] = {"object_type": "literal"}
    nowhere = settled(new("Ann", "lives_in", "nowhere in particular", **given))
    same = judged(new("Ann", "lives_in", "nowhere in particular", evidence=("m_2",), **given), [nowhere])
    assert same.support is not None
    for kind in ("literal", "city", ""):
        other = judged(new("Ann", "lives_in", "Oslo", said_at="2024-06-01", object_type=kind), [nowhere])
        assert retires(other) == [nowhere.id]


def test_an_equal_value_is_nothing_in_common() -> None:
    """A relation with one subject at a time does not take a value from another subject."""
    blue = settled(new("Ann", "wife_of", "42", object_type="literal"))
    other = new("Bea", "wife_of", "42", said_at="2024-06-01", object_type="literal")
    assert retires(judged(other, [blue])) == []
    assert not other.shares_an_end(blue.subject_id, blue.object_id)
    assert new("Ann", "likes", "tea").shares_an_end(blue.subject_id, blue.object_id)


def test_equal_states_meet() -> None:
    """A state observed twice is one fact, however it is worded; what was not observed stays apart."""
    given: dict[str, Any] = {"object_type": "literal", "evidence": ("m_2",)}
    hectic = settled(new("Sam", "has_life", "hectic", "Sam's life is hectic.", observed="2024-03-05", **given))
    again = new("Sam", "has_life", "Hectic", "Work keeps Sam on the run.", observed="2024-04-01", **given)
    again = replace(again, object=replace(again.object, id=hectic.object_id))
    met = judged(again, [hectic])
    assert met.support is not None
    assert (met.support.fact_id, str(met.support.observed)) == (hectic.id, "2024-04-01")
    once = replace(again, triple=replace(again.triple, observed=None))
    assert judged(once, [hectic]).fact is not None


def test_a_state_ends_on_the_day_another_was_observed() -> None:
    """A state that excludes another ends it on the day it was observed, unless that was observed again since."""
    home = settled(new("Ann", "lives_in", "Oslo", said_at="2024-01-01", observed="2024-01-01"))
    moved = new("Ann", "lives_in", "Rome", said_at="2024-05-01", observed="2024-04-30", evidence=("m_2",))
    (end,) = judged(moved, [home]).retirements
    assert (end.succession.fact_id, str(end.valid_to)) == (home.id, "2024-04-30")
    later = replace(home, observed=Moment.parse("2024-06-01"))
    verdict = judged(moved, [later])
    assert verdict.decision.rule == "about an earlier time"
    assert home.id not in retires(verdict)


def test_plans_for_two_days_are_two() -> None:
    """The same plan for another day is another plan; done on an earlier day than planned, the plan stays."""
    plan = settled(new("Ann", "plans_to_visit", "Japan", planned_for="2024-05", said_at="2024-01-01"))
    other = new("Ann", "plans_to_visit", "Japan", planned_for="2025-05", evidence=("m_2",))
    assert judged(other, [plan]).fact is not None
    same = new("Ann", "plans_to_visit", "Japan", planned_for="2024-05-10", evidence=("m_2",))
    assert judged(same, [plan]).support is not None
    for day_, ends in (("2024-02-03", []), ("2024-05-12", [plan.id])):
        visited = new("Ann", "visited", "Japan", valid_from=day_, said_at="2024-06-01", evidence=("m_2",))
        assert retires(judged(visited, [plan])) == ends
