"""What the decisions of a model amount to, what they may not do, and which replies are none."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from mem0g.conflict.apply_decisions import MAX_WORDS, apply_decisions
from mem0g.conflict.decision_case import Judgement, Judgements
from mem0g.conflict.llm_judge import check
from mem0g.conflict.protocol import ResolvedTriple, Verdict
from mem0g.errors import UnusableReplyError
from mem0g.model import Fact
from tests.conflict.test_decision_case import BERGEN, OSLO, TEA, case
from tests.conflict.test_rule_decider import new, retires, settled
from tests.making import AT, day

ROME = new("Ann", "lives_in", "Rome", valid_from="2024-03", evidence=("m_2",))


def says(number: int, operation: str, *facts: int, **given: Any) -> Judgement:
    """A decision."""
    rest = {"sentence": None, "since": None, "reason": "so", **given}
    return Judgement.model_validate({"number": number, "operation": operation, "facts": list(facts), **rest})


def verdicts(triples: Sequence[ResolvedTriple], known: Sequence[Fact], *decisions: Judgement) -> list[Verdict]:
    """What becomes of the triples when a model says so; it is a reply that is accepted."""
    made, reply = case(triples, known), Judgements(decisions=list(decisions))
    check(reply, made)
    return apply_decisions(made, reply, "tiny", AT)


def test_add() -> None:
    """Both go on being true."""
    (verdict,) = verdicts([ROME], [OSLO])
    assert verdict.fact is not None
    assert (verdict.fact.text, retires(verdict)) == ("Ann lives in Rome.", [])
    decision = verdict.decision
    assert (decision.operation, decision.decided_by, decision.reason) == ("ADD", "tiny", "nothing known says it")


def test_an_add_that_is_listed_all_the_same() -> None:
    """A model that knows the operations of mem0 says so; the other decisions of the reply count."""
    added = {"number": 3, "operation": "ADD", "facts": [], "sentence": None, "since": None, "reason": "new"}
    moved = says(2, "DELETE", 1).model_dump()
    reply = Judgements.model_validate({"decisions": [added, moved]})
    assert [each.operation for each in reply.decisions] == ["DELETE"]
    for decisions in ("ADD", [added | {"operation": "KEEP"}], {"operation": "ADD"}):
        with pytest.raises(ValidationError):
            Judgements.model_validate({"decisions": decisions})


def test_noop() -> None:
    """The known fact gets the evidence, and the date if it had none."""
    (verdict,) = verdicts([ROME], [OSLO], says(2, "NOOP", 1))
    assert verdict.fact is None
    assert verdict.support is not None
    assert (verdict.support.fact_id, verdict.support.evidence) == (OSLO.id, ("m_2",))
    assert str(verdict.support.valid_from) == "2024-03"
    dated = settled(new("Ann", "lives_in", "Oslo", valid_from="2020"))
    (verdict,) = verdicts([ROME], [dated], says(2, "NOOP", 1))
    assert verdict.support is not None
    assert verdict.support.valid_from is None


def test_noop_of_a_state() -> None:
    """A state said again is observed last on the later day, and a plan gets the day that it had not."""
    state = settled(new("Ann", "lives_in", "Oslo", observed="2024-03-05"))
    for again, expected in (("2024-04-01", "2024-04-01"), ("2024-01-01", "None")):
        told = new("Ann", "lives_in", "Rome", observed=again, planned_for="2025", evidence=("m_2",))
        (verdict,) = verdicts([told], [state], says(2, "NOOP", 1))
        assert verdict.support is not None
        assert str(verdict.support.observed) == expected
        assert str(verdict.support.planned_for) == "2025"


def test_update_of_a_state() -> None:
    """The fact that says what both say has the newer days, and no short clause of either."""
    old = settled(new("Ann", "lives_in", "Rome", observed="2024-03-05", planned_for="2025", brief="lives in Rome"))
    told = new("Ann", "lives_in", "Rome", "In Rome Ann stays.", observed="2024-04-01", brief="stays", evidence=("m_2",))
    (verdict,) = verdicts([told], [old], says(2, "UPDATE", 1, sentence="Ann still lives in Rome."))
    assert verdict.fact is not None
    assert (str(verdict.fact.observed), str(verdict.fact.planned_for)) == ("2024-04-01", "2025")
    assert verdict.fact.brief is None


def test_delete() -> None:
    """What holds no longer is retired since the triple's date, or the one that was told, and linked to the new fact."""
    pisa = settled(new("Ann", "lives_in", "Pisa"))
    for since, ended in ((None, "2024-03"), ("2024-02-10", "2024-02-10")):
        (verdict,) = verdicts([ROME], [OSLO, pisa], says(3, "DELETE", 1, 2, since=since))
        assert verdict.fact is not None
        assert retires(verdict) == [each.id for each in case([ROME], [OSLO, pisa]).known.values()]
        assert {str(each.valid_to) for each in verdict.retirements} == {ended}
        link = verdict.retirements[0].succession
        assert (link.successor_id, link.reason, link.decided_by) == (verdict.fact.id, "so", "tiny")
        assert verdict.decision.targets == (OSLO.id, pisa.id) or verdict.decision.targets == (pisa.id, OSLO.id)


def test_an_end_that_was_told_stays() -> None:
    """A fact that says itself when it ended keeps that."""
    until = settled(new("Ann", "lives_in", "Oslo", valid_to="2023-12"))
    (verdict,) = verdicts([ROME], [until], says(2, "DELETE", 1))
    assert str(verdict.retirements[0].valid_to) == "2023-12"


def test_update() -> None:
    """One fact says what both say, on the evidence of both, since the first was said; the old one never ended."""
    late = dataclasses.replace(ROME, said_at=day("2024-06-01"))
    old = settled(new("Ann", "lives_in", "Rome", "Ann is in Rome.", valid_to="2025", said_at="2024-05-01"))
    (verdict,) = verdicts([late], [old], says(2, "UPDATE", 1, sentence=" Ann has lived in Rome since March. "))
    fact = verdict.fact
    assert fact is not None
    assert (fact.text, fact.evidence) == ("Ann has lived in Rome since March.", ("m_1", "m_2"))
    assert (str(fact.valid_from), str(fact.valid_to), fact.said_at) == ("2024-03", "2025", day("2024-05-01"))
    (end,) = verdict.retirements
    assert (end.succession.fact_id, end.succession.successor_id, end.valid_to) == (old.id, fact.id, None)


def test_a_retraction() -> None:
    """It ends the fact and makes none: at its own end if that was told; with nothing to end it is noted alone."""
    over = new("Ann", "likes", "tea", "Ann likes tea no more.", retracts=True, evidence=("m_2",), valid_to="2024-02")
    (verdict,) = verdicts([over], [TEA], says(2, "DELETE", 1))
    assert verdict.fact is None
    assert (retires(verdict), str(verdict.retirements[0].valid_to)) == ([TEA.id], "2024-02")
    assert verdict.retirements[0].succession.successor_id is None
    (verdict,) = verdicts([over], [TEA])
    assert (verdict.fact, verdict.retirements, verdict.decision.operation) == (None, (), "NOOP")


@pytest.mark.parametrize("operation", ["DELETE", "NOOP", "UPDATE"])
def test_what_shares_nothing_is_refused(operation: str) -> None:
    """A fact shown for another triple, with no entity in common, is left alone; the triple is added."""
    triples = [new("Ben", "lives_in", "Pisa"), new("Ann", "lives_in", "Nice", evidence=("m_2",))]
    bergen = case(triples, [OSLO, BERGEN]).numbers[BERGEN.id]
    told = says(4, operation, bergen, sentence="Ann and Ben live apart.")
    _, verdict = verdicts(triples, [OSLO, BERGEN], told)
    assert verdict.fact is not None
    assert (verdict.fact.text, retires(verdict), verdict.support) == ("Ann lives in Nice.", [], None)
    assert (verdict.decision.operation, verdict.decision.rule, verdict.decision.decided_by) == (
        "ADD",
        "refused",
        "rule",
    )


def test_the_past_does_not_end_the_present() -> None:
    """A triple about a time before the fact began is added beside it."""
    home = settled(new("Ann", "lives_in", "Oslo", valid_from="2020", said_at="2023-01-01"))
    boston = new("Ann", "lives_in", "Boston", valid_from="2015")
    (verdict,) = verdicts([boston], [home], says(2, "DELETE", 1))
    assert (retires(verdict), verdict.decision.rule) == ([], "refused")


def test_a_plan_ends_before_its_day() -> None:
    """What is given up in February was planned in January for April, and ends in February."""
    plan = settled(new("Ann", "plans_to_visit", "Rome", valid_from="2024-04", said_at="2024-01-10"))
    gave_up = new("Ann", "cancelled_trip_to", "Rome", valid_from="2024-02-10", said_at="2024-02-10")
    (verdict,) = verdicts([gave_up], [plan], says(2, "DELETE", 1))
    assert (retires(verdict), str(verdict.retirements[0].valid_to)) == ([plan.id], "2024-02-10")


def test_retired_once() -> None:
    """A fact that a triple of the window has ended is not ended again by the next, which is added."""
    triples = [new("Ann", "moved_to", "Rome", "Ann moved to Rome."), new("Ann", "lives_in", "Rome")]
    first, second = verdicts(triples, [OSLO], *[says(number, "DELETE", 1) for number in case(triples, [OSLO]).asked])
    assert (retires(first), retires(second)) == ([OSLO.id], [])
    assert second.fact is not None


def test_claims_of_one_window() -> None:
    """The number of a triple means what became of it: its own fact, or the known one that says it."""
    triples = [
        new("Ann", "lives_in", "Rome"),
        new("Ann", "left", "Rome", "Ann left Rome.", evidence=("m_2",)),
        new("Ann", "misses", "Rome", "Rome is missed by Ann.", evidence=("m_3",)),
    ]
    first, second, third = verdicts(triples, [OSLO], says(3, "DELETE", 2), says(4, "NOOP", 3))
    assert first.fact is not None
    assert second.fact is not None
    assert third.support is not None
    assert retires(second) == [first.fact.id]
    assert (third.support.fact_id, third.support.evidence) == (second.fact.id, ("m_3",))
    _, second, _ = verdicts(triples, [OSLO], says(2, "NOOP", 1), says(3, "DELETE", 2))
    assert retires(second) == [OSLO.id]


def test_one_fact_under_two_numbers() -> None:
    """A fact and the triple that said it again, both named, are one fact and end once."""
    triples = [
        new("Ann", "lives_in", "Oslo", "Oslo is where Ann lives."),
        new("Ann", "lives_in", "Rome", evidence=("m_2",)),
    ]
    _, second = verdicts(triples, [OSLO], says(2, "NOOP", 1), says(3, "DELETE", 1, 2))
    assert (retires(second), second.decision.targets) == ([OSLO.id], (OSLO.id,))


def test_what_is_not_asked_about_is_new() -> None:
    """A triple with nothing beside it is added by rule, whatever is decided about the others."""
    _, other = verdicts([ROME, new("Zoe", "owns", "boats")], [OSLO], says(2, "NOOP", 1))
    assert other.fact is not None
    assert (other.decision.operation, other.decision.decided_by) == ("ADD", "rule")


@pytest.mark.parametrize(
    ("decisions", "problem"),
    [
        ([says(2, "NOOP", 1), says(2, "NOOP", 1)], "new fact 2 can have one of NOOP and UPDATE only"),
        ([says(2, "NOOP", 1), says(2, "UPDATE", 1, sentence="So.")], "new fact 2 can have one of NOOP"),
        ([says(1, "DELETE", 1), says(2, "DELETE", 1)], "there is no new fact 1"),
        ([says(2, "DELETE", 1), says(5, "DELETE", 1)], "there is no new fact 5"),
        ([says(2, "DELETE", 7)], "decision 2: no fact 7 was shown"),
        ([says(2, "DELETE", 2)], "decision 2: no fact 2 was shown"),
        ([says(2, "DELETE", 0, -1)], "no fact 0 was shown to it; decision 2: no fact -1"),
        ([says(2, "DELETE")], "DELETE names at least one fact"),
        ([says(2, "NOOP")], "NOOP names one fact"),
        ([says(2, "NOOP", 1, 3)], "NOOP names one fact"),
        ([says(2, "UPDATE", 1)], "UPDATE needs the sentence"),
        ([says(2, "UPDATE", 1, sentence=" ")], "UPDATE needs the sentence"),
        ([says(2, "UPDATE", 1, sentence="\0")], "NUL byte"),
        ([says(2, "DELETE", 1, since="yesterday")], "cannot read the time 'yesterday'"),
    ],
)
def test_bad_replies(decisions: list[Judgement], problem: str) -> None:
    """Each new fact has one decision, about what was shown, with what it needs; else it is told what is wrong."""
    with pytest.raises(UnusableReplyError, match=problem):
        check(Judgements(decisions=decisions), case([ROME], [OSLO]))


def test_a_reply_may_list_nothing() -> None:
    """A fact that is not listed is added; the log says that the model found nothing like it."""
    (verdict,) = verdicts([ROME], [OSLO])
    assert verdict.fact is not None
    assert (retires(verdict), verdict.decision.operation, verdict.decision.decided_by) == ([], "ADD", "tiny")


def test_several_decisions_about_one_fact() -> None:
    """A triple that says the same as one fact, or more, ends others; they are replaced by the fact that says it."""
    pisa = settled(new("Ann", "lives_in", "Pisa"))
    rome = settled(new("Ann", "lives_in", "Rome", "Ann is in Rome."))
    made = case([ROME], [OSLO, pisa, rome])
    one, two, same = (made.numbers[each.id] for each in (OSLO, pisa, rome))
    ends = says(4, "DELETE", one, reason="moved"), says(4, "DELETE", two, since="2024-02-10", reason=None)
    (verdict,) = verdicts([ROME], [OSLO, pisa, rome], says(4, "NOOP", same), *ends)
    assert (verdict.fact, verdict.decision.operation, verdict.decision.fact_id) == (None, "DELETE", rome.id)
    assert verdict.support is not None
    assert verdict.support.fact_id == rome.id
    assert [str(each.valid_to) for each in verdict.retirements] == ["2024-03", "2024-02-10"]
    assert {each.succession.successor_id for each in verdict.retirements} == {rome.id}
    (verdict,) = verdicts([ROME], [OSLO, pisa, rome], says(4, "UPDATE", same, sentence="Ann is in Rome now."), *ends)
    assert verdict.fact is not None
    assert (verdict.fact.text, verdict.decision.operation) == ("Ann is in Rome now.", "UPDATE")
    assert retires(verdict) == [rome.id, OSLO.id, pisa.id] == list(verdict.decision.targets)
    assert [each.succession.reason for each in verdict.retirements] == ["so", "moved", "not true any more"]


def test_what_says_the_same_is_not_ended_too() -> None:
    """One fact under both decisions is kept."""
    (verdict,) = verdicts([ROME], [OSLO], says(2, "NOOP", 1), says(2, "DELETE", 1))
    assert (retires(verdict), verdict.decision.operation) == ([], "NOOP")


def test_the_date_of_an_update() -> None:
    """It may be more exact than that of either."""
    old = settled(new("Ann", "lives_in", "Rome", "Ann is in Rome."))
    (verdict,) = verdicts([ROME], [old], says(2, "UPDATE", 1, sentence="Ann is in Rome.", since="2024-03-07"))
    assert verdict.fact is not None
    assert str(verdict.fact.valid_from) == "2024-03-07"


def test_a_sentence_does_not_grow() -> None:
    """An update to far more words than asked for is refused: both facts stay, and the known one has been confirmed."""
    for words, updated in ((41, True), (MAX_WORDS, True), (MAX_WORDS + 1, False)):
        (verdict,) = verdicts([ROME], [OSLO], says(2, "UPDATE", 1, sentence=" ".join(["word"] * words)))
        assert verdict.fact is not None
        assert retires(verdict) == [OSLO.id] * updated
        assert verdict.decision.rule == ("model" if updated else "refused")
        confirmed = verdict.support and (verdict.support.fact_id, verdict.support.evidence)
        assert confirmed == (None if updated else (OSLO.id, ROME.triple.evidence))


@pytest.mark.parametrize(
    ("known", "told", "since", "kept"),
    [
        (None, "2024-04-01", None, "2024-04-01"),
        (None, "2024-06-02", None, "None"),
        (None, "2024-06-02", "2024-06-02", "2024-06-02"),
        ("2020", "2024-06-02", None, "2020"),
        ("2024-04", "2024-04-01", None, "2024-04-01"),
        ("2020", None, None, "2020"),
    ],
)
def test_an_update_keeps_the_known_date(known: str | None, told: str | None, since: str | None, kept: str) -> None:
    """Without a date from the model a state has not begun on the day on which it is told again; nor if confirmed."""
    old = settled(new("Ann", "loves", "running", "Ann loves running.", valid_from=known))
    again = new("Ann", "loves", "running", "Ann loves to run.", "2024-06-02", valid_from=told, evidence=("m_2",))
    (verdict,) = verdicts([again], [old], says(2, "UPDATE", 1, sentence="Ann loves running much.", since=since))
    assert verdict.fact is not None
    assert str(verdict.fact.valid_from) == kept
    (verdict,) = verdicts([again], [old], says(2, "NOOP", 1))
    assert verdict.support is not None
    if known is None and since is None:
        assert str(verdict.support.valid_from) == kept


def test_two_facts_of_one_that_is_updated() -> None:
    """A second that confirms or ends the known one means what became of it; a second update stays beside the first."""
    first, second = (new("Ann", "lives_in", "Oslo", f"Ann lives {n}.", evidence=(f"m_{n}",)) for n in (2, 3))
    update = says(2, "UPDATE", 1, sentence="Ann lives in Oslo since May.")
    merged, confirmed = verdicts([first, second], [OSLO], update, says(3, "NOOP", 1))
    assert merged.fact is not None
    assert (confirmed.support and confirmed.support.fact_id, confirmed.fact) == (merged.fact.id, None)
    merged, ended = verdicts([first, ROME], [OSLO], update, says(3, "DELETE", 1))
    assert merged.fact is not None
    assert retires(ended) == [merged.fact.id]
    _, other = verdicts([first, second], [OSLO], update, says(3, "UPDATE", 1, sentence="Ann lives."))
    assert (retires(other), other.decision.rule) == ([], "refused")


def test_another_name_is_not_asked_about() -> None:
    """It is added once, also within a window, and confirmed from then on; nobody is asked."""
    known = settled(new("Ann", "also_known_as", "Annie"))
    triples = [
        new("Ann", "also_known_as", "Annie", "They call Ann Annie.", evidence=("m_2",)),
        new("Ann", "also_known_as", "Nan", "They call Ann Nan.", evidence=("m_2",)),
        new("Ann", "also_known_as", "Nan", "Ann is called Nan.", evidence=("m_3",)),
        ROME,
    ]
    made = case(triples, [known, OSLO])
    assert list(made.asked.values()) == [3]
    first, second, third, _ = verdicts(triples, [known, OSLO])
    assert (first.support and first.support.fact_id, second.support, first.decision.decided_by) == (
        known.id,
        None,
        "rule",
    )
    assert second.fact is not None
    assert (third.support and third.support.fact_id, third.fact) == (second.fact.id, None)


def test_the_same_words_are_not_asked_about() -> None:
    """A triple in the words of a known fact is its evidence."""
    again = new("Ann", "likes", "tea", evidence=("m_2",))
    verdict, _ = verdicts([again, ROME], [TEA, OSLO])
    assert verdict.support is not None
    assert (verdict.support.fact_id, verdict.support.evidence) == (TEA.id, ("m_2",))


def test_one_fact_named_twice_is_one() -> None:
    """The same number twice is no second fact."""
    (verdict,) = verdicts([ROME], [OSLO], says(2, "NOOP", 1, 1))
    assert verdict.support is not None


def test_few_problems_are_told() -> None:
    """Of many problems the first ones are told."""
    reply = Judgements(decisions=[says(number, "DELETE", 1) for number in range(10, 40)])
    with pytest.raises(UnusableReplyError) as caught:
        check(reply, case([ROME], [OSLO]))
    assert len(str(caught.value).split("; ")) == 5


NAMES = st.sampled_from(["Ann", "Ben", "Oslo", "Rome", "tea"])
TRIPLES = st.builds(
    new,
    NAMES,
    st.sampled_from(["lives_in", "likes", "plans_to_visit", "visited"]),
    NAMES,
    evidence=st.sampled_from([("m_1",), ("m_2",), ("m_1", "m_3")]),
    valid_from=st.sampled_from([None, "2015", "2024-04"]),
    retracts=st.booleans(),
)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(
    known=st.lists(TRIPLES, max_size=5, unique_by=lambda one: one.triple.text),
    triples=st.lists(TRIPLES, min_size=1, max_size=4),
    data=st.data(),
)
def test_whatever_is_decided(known: list[ResolvedTriple], triples: list[ResolvedTriple], data: st.DataObject) -> None:
    """Any accepted reply gives each triple a verdict, retires each fact once at most, and none that has nothing to do
    with the triple; what is not a retraction becomes a fact or the evidence of one.
    """
    made = case(triples, [settled(one) for one in known if not one.triple.retracts])
    assume(made.is_open)
    reply = Judgements(decisions=[data.draw(_judgement(number, list(made.known))) for number in made.asked])
    try:
        check(reply, made)
    except UnusableReplyError:
        assume(False)
    found = apply_decisions(made, reply, "tiny", AT)
    facts = {fact.id: fact for fact in made.known.values()} | {one.fact.id: one.fact for one in found if one.fact}
    ended = [each for verdict in found for each in retires(verdict)]
    assert len(found) == len(triples)
    assert len(ended) == len(set(ended))
    for place, (one, verdict) in enumerate(zip(triples, found, strict=True)):
        assert one.triple.retracts or verdict.fact or verdict.support
        for each in retires(verdict):
            fact = facts[each]
            assert one.shares_an_end(fact.subject_id, fact.object_id) or fact in made.shown[place]
        assert set(verdict.decision.targets) == set(retires(verdict))


def _judgement(number: int, known: list[int]) -> st.SearchStrategy[Judgement]:
    numbers = st.lists(st.sampled_from([*known, *range(len(known) + 1, number)]), max_size=2)
    sentence = st.sampled_from([None, "Both are said."])
    return st.builds(
        lambda operation, facts, words: says(number, operation, *facts, sentence=words),
        st.sampled_from(["UPDATE", "DELETE", "NOOP"]),
        numbers,
        sentence,
    )


def test_an_end_before_a_state_was_observed() -> None:
    """A model does not end a state on a day before it was last observed."""
    state = settled(new("Ann", "lives_in", "Oslo", observed="2024-05-01"))
    told = new("Ann", "lives_in", "Rome", valid_from="2024-03", evidence=("m_2",))
    (verdict,) = verdicts([told], [state], says(2, "DELETE", 1))
    assert (retires(verdict), verdict.decision.rule) == ([], "refused")


@pytest.mark.parametrize(
    ("known", "told", "updated"),
    [
        (("Ann", "lives_in", "Lisbon"), ("Ann", "has_flat_in", "Graça"), False),
        (("Ann", "lives_in", "Lisbon"), ("Ann", "lives_in", "Graça"), True),
        (("Ann", "has_friend", "Bo"), ("Ann", "has_friend", "Cy"), False),
        (("Ann", "has_pet", "dog"), ("Ann", "has_pet", "Rex"), True),
        (("Ann", "has_pet", "cat"), ("cat", "has_color", "grey"), False),
        (("Ann", "has_friend", "Bo"), ("Bo", "knows", "Ann"), True),
    ],
)
def test_an_edge_that_still_holds_is_not_lost(
    known: tuple[str, str, str], told: tuple[str, str, str], updated: bool
) -> None:
    """An update to another thing leaves the known fact and confirms it; the new one stands beside it, and says why."""
    old = settled(new(*known, "Ann tells of it."))
    given = new(*told, "Ann tells of it again.", evidence=("m_2",))
    (verdict,) = verdicts([given], [old], says(2, "UPDATE", 1, sentence="Both."))
    assert retires(verdict) == [old.id] * updated
    assert verdict.fact is not None
    if not updated:
        assert (verdict.fact.text, verdict.support and verdict.support.fact_id) == (given.triple.text, old.id)
        assert verdict.decision.rule == "refused"
        assert f"would lose {old.subject} {old.relation} {old.object}" in verdict.decision.reason


@pytest.mark.parametrize(
    ("known", "told", "edge"),
    [
        (("Ann", "likes", "Pottery"), ("Ann", "thinks_of", "Pottery"), ("Ann", "LIKES", "Pottery")),
        (("Ann", "has_friend", "Bo"), ("Bo", "went_to_school_with", "Ann"), ("Bo", "WENT_TO_SCHOOL_WITH", "Ann")),
        (("Ann", "has_friend", "Bo"), ("Bo", "gets_on_with", "Ann"), ("Ann", "HAS_FRIEND", "Bo")),
        (("Ann", "likes", "Pottery"), ("Ann", "stopped_with", "Pottery"), ("Ann", "STOPPED_WITH", "Pottery")),
        (("Ann", "likes", "Pottery"), ("Ann", "does_not_enjoy", "Pottery"), ("Ann", "DOES_NOT_ENJOY", "Pottery")),
        (("Ann", "likes", "Pottery"), ("Ann", "loves", "Pottery"), ("Ann", "LOVES", "Pottery")),
        (("Ann", "thinks_of", "Pottery"), ("Ann", "likes", "Pottery"), ("Ann", "LIKES", "Pottery")),
    ],
)
def test_an_update_keeps_the_base_relation(
    known: tuple[str, str, str], told: tuple[str, str, str], edge: tuple[str, str, str]
) -> None:
    """Between the same two, a relation of the base vocabulary stays, unless the new one says that it is otherwise."""
    (verdict,) = verdicts([new(*told)], [settled(new(*known))], says(2, "UPDATE", 1, sentence="Both."))
    fact = verdict.fact
    assert fact is not None
    assert (fact.subject, fact.relation, fact.object, fact.text) == (*edge, "Both.")
    assert fact.subject_id != fact.object_id
