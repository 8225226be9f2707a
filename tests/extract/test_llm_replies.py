"""A model's reply as triples, and what of it cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from mem0g.errors import InputError, UnusableReplyError
from mem0g.extract.llm.rendering import ExtractionOptions
from mem0g.extract.llm.replies import NamedEntity, StatedFact, check_entities, check_facts, triples_of
from mem0g.extract.protocol import Window
from mem0g.model import LITERAL, Triple
from tests.extract.windows import messages, named, stated, window

PLACES = [named("Ann"), named("Oslo", "city")]
TALK = window(["I live in Oslo.", "Since May."], ["Where do you live?"])


def triples(
    *facts: StatedFact, entities: list[NamedEntity] = PLACES, options: ExtractionOptions | None = None
) -> list[Triple]:
    """The triples of a reply that is accepted."""
    given = options or ExtractionOptions()
    check_entities(entities, TALK, given)
    check_facts(facts, entities, TALK, given)
    return triples_of(entities, facts, TALK)


def test_a_fact() -> None:
    """Names, types, sentence and dates come over; the numbers of messages become their ids, in order, each once."""
    fact = stated(messages=[3, 1, 2, 2], valid_from="2023-05", valid_to="2024", sentence=" Ann lives in Oslo. ")
    (triple,) = triples(fact)
    assert (triple.subject, triple.relation, triple.object) == ("Ann", "lives_in", "Oslo")
    assert (triple.subject_type, triple.object_type, triple.text) == ("person", "city", "Ann lives in Oslo.")
    assert (str(triple.valid_from), str(triple.valid_to), triple.retracts) == ("2023-05", "2024", False)
    assert triple.evidence == tuple(each.id for each in (*TALK.context, *TALK.messages))


def test_names_are_compared_folded() -> None:
    """A fact may spell an entity's name, or another name of it, in another case."""
    found = triples(stated(subject=" ann", object="OSLO", messages=[2]))
    assert [(each.subject, each.subject_type, each.object_type) for each in found] == [("ann", "person", "city")]
    town = [named("Ann"), named("Oslo", "city", "Tigerstaden")]
    assert triples(stated(object="tigerstaden", messages=[2]), entities=town)[-1].object_type == "city"


def test_a_value() -> None:
    """A literal object is not listed, and has the type of a literal."""
    (triple,) = triples(stated(relation="has_age", object=" seven years old", literal=True, messages=[2]))
    assert (triple.object, triple.object_type, triple.object_is_literal) == ("seven years old", LITERAL, True)


def test_a_state_and_a_plan() -> None:
    """The short clause, the day of a state and the time of a plan come over; an empty clause is none."""
    state, plan = triples(
        stated(messages=[2], observed="2024-06-01", brief=" lives in Oslo with Ben "),
        stated(messages=[3], relation="plans_to_visit", planned_for="2024-08", brief=" "),
    )
    assert (str(state.observed), state.planned_for, state.brief) == ("2024-06-01", None, "lives in Oslo with Ben")
    assert (plan.observed, str(plan.planned_for), plan.brief) == (None, "2024-08", None)


@pytest.mark.parametrize("planned", ["2024", "2024-06", "2024-06-01", "2030-01-01"])
def test_plans_that_may_be(planned: str) -> None:
    """A plan may be for the day, the month or the year of the message, and for any later one."""
    assert triples(stated(messages=[2], planned_for=planned))


def test_times_are_not_compared_without_any() -> None:
    """Where it is not known when messages were sent, any day may be one of a state or a plan."""
    said = Window(messages=messages("I live in Oslo.", time=None))
    check_facts([stated(observed="2030", messages=[1])], PLACES, said, ExtractionOptions())
    check_facts([stated(planned_for="1999", messages=[1])], PLACES, said, ExtractionOptions())


def test_replies_of_former_versions() -> None:
    """They have `valid_until` for `valid_to`, and neither clause, day of a state or plan, nor literals."""
    former = {
        "subject": "Ann",
        "relation": "lives_in",
        "object": "Oslo",
        "sentence": "Ann lives in Oslo.",
        "valid_from": "2023",
        "valid_until": "2024",
        "messages": [2],
        "retracts": False,
    }
    (triple,) = triples(StatedFact.model_validate(former))
    assert (str(triple.valid_from), str(triple.valid_to)) == ("2023", "2024")
    assert (triple.brief, triple.observed, triple.planned_for, triple.object_type) == (None, None, None, "city")


def test_a_retraction() -> None:
    """It stays one."""
    assert triples(stated(retracts=True, messages=[2]))[0].retracts


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"subject": "Ben"}, "the subject 'Ben' is not among the entities"),
        ({"object": "Oslo Fjord"}, "the object 'Oslo Fjord' is not among the entities"),
        ({"object": "Oslo", "literal": True}, "the object 'Oslo' is among the entities, and literal"),
        ({"observed": "2024-06-02"}, "observed 2024-06-02 is after the messages, of 2024-06-01"),
        ({"observed": "then"}, "cannot read the time 'then'"),
        ({"planned_for": "2022"}, "planned_for 2022 is before the messages, of 2024-06-01: nobody plans the past"),
        (
            {"planned_for": "2025", "valid_from": "2025"},
            "valid_from 2025 and planned_for 2025: a plan has not happened",
        ),
        ({"planned_for": "soon"}, "cannot read the time 'soon'"),
        ({"brief": "x\0"}, "NUL byte"),
        ({"brief": "x" * 6000}, "the brief has 6000 characters"),
        ({"messages": [4]}, "there is no message 4"),
        ({"messages": [-1, 2]}, "there is no message -1"),
        ({"messages": []}, r"it names no new message \(2 to 3\)"),
        ({"messages": [1]}, r"it names no new message \(2 to 3\)"),
        ({"relation": "..."}, "has no letter and no digit"),
        ({"relation": "x" * 2000}, "has 2000 characters"),
        ({"sentence": ""}, "text is empty"),
        ({"sentence": "\0"}, "NUL byte"),
        ({"valid_from": "8 May 2023"}, "cannot read the time '8 May 2023'"),
        ({"valid_to": "2023-13"}, "cannot read the time '2023-13'"),
        ({"valid_from": "2023-05-08", "valid_to": "2023-05-07"}, "valid_to 2023-05-07 is before"),
    ],
)
def test_facts_that_cannot_be(changed: dict[str, Any], problem: str) -> None:
    """What is wrong is told with the fact that it is wrong with."""
    with pytest.raises(UnusableReplyError, match=problem) as caught:
        triples(stated(messages=[2]), stated(**{"messages": [2], **changed}))
    assert "fact 2 (" in str(caught.value)


@pytest.mark.parametrize(("start", "end"), [("2023-05", "2023"), ("2023-05-07", "2023-05-07"), ("2023", "2023-05")])
def test_ends_that_may_be(start: str, end: str) -> None:
    """An end that may lie after the beginning, as exact as both are known, is none before it."""
    assert triples(stated(messages=[2], valid_from=start, valid_to=end))


def test_few_problems_are_told() -> None:
    """Five are told, and how many more there are."""
    with pytest.raises(UnusableReplyError, match="; and 15 more") as caught:
        triples(*(stated(subject=f"P{n}", messages=[2]) for n in range(20)))
    assert str(caught.value).count("is not among the entities") == 5


def test_other_names() -> None:
    """A name that the new messages use for an entity is a triple of its own, before the facts, on those messages."""
    talk = window(["Everyone calls me Livvy.", "So, livvy it is."], ["Hi Livvy!"])
    entities = [named("Olivia", "person", "Livvy", "Liv", "olivia")]
    check_entities(entities, talk, ExtractionOptions())
    (triple,) = triples_of(entities, [], talk)
    assert (triple.subject, triple.relation, triple.object) == ("Olivia", "also_known_as", "Livvy")
    assert (triple.subject_type, triple.text) == ("person", "Olivia is also called Livvy.")
    assert triple.evidence == tuple(each.id for each in talk.messages)


@pytest.mark.parametrize("alias", ["my sister", "the doctor", "Liv", "", " "])
def test_what_is_no_other_name(alias: str) -> None:
    """Descriptions, and names that nobody said in the new messages, are left alone."""
    talk = window(["My sister is the doctor."])
    assert triples_of([named("Olivia", "person", alias)], [], talk) == []


def test_scripts_without_capitals_have_names() -> None:
    """In Japanese an other name needs no capital."""
    talk = window(["みんなは彼をケンと呼ぶ。"])
    assert [each.object for each in triples_of([named("健一", "person", "ケン")], [], talk)] == ["ケン"]


def test_entities_that_cannot_be() -> None:
    """One without a name is a bad reply, as is one whose other name would make a triple that cannot be stored."""
    with pytest.raises(UnusableReplyError, match="entity 2 has no name"):
        check_entities([named("Ann"), named(" ")], TALK, ExtractionOptions())
    with pytest.raises(InputError, match="NUL byte"):
        check_entities([named("Ann\0", "person", "Oslo")], TALK, ExtractionOptions())


def test_closed_lists() -> None:
    """With closed lists another type or relation is a bad reply; names are compared as they are stored."""
    closed = ExtractionOptions(entity_types=("Person", "city"), relation_types=("lives in",), closed=True)
    assert triples(stated(messages=[2]), options=closed)
    with pytest.raises(UnusableReplyError, match="'Rex' has the type 'dog'"):
        check_entities([named("Rex", "dog")], TALK, closed)
    with pytest.raises(UnusableReplyError, match="the relation 'likes' is not one of those to use"):
        triples(stated(relation="likes", messages=[2]), options=closed)
    only_types = ExtractionOptions(entity_types=("person", "city"), closed=True)
    assert triples(stated(relation="likes", messages=[2]), options=only_types)
    assert triples(stated(relation="likes", messages=[2]), options=ExtractionOptions(relation_types=("lives in",)))
