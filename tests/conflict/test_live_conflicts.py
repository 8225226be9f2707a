"""Current facts that exclude each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mem0g.conflict.live_conflicts import contradicting_facts
from mem0g.model import LITERAL, Fact, Message
from mem0g.relations.registry import Registry
from mem0g.times import Moment
from tests.making import BOB, day, entity, fact, message

ALEX = entity("Alex", type="person")
DAY, LATER = day("2024-03-05"), day("2024-04-01")


def stated(relation: str, thing: str, cited: str, at: Any = DAY, kind: str = "", **given: Any) -> Fact:
    """A current fact about Alex, said in the message ``cited`` at a time."""
    said = {"said_at": at, "evidence": (cited,), "valid_from": None} | given
    return fact(ALEX, relation, entity(thing, type=kind), f"Alex {relation.lower()} {thing}.", **said)


def found(*facts: Fact, messages: tuple[Message, ...] = ()) -> list[tuple[str, str]]:
    """The texts of the pairs."""
    pairs = contradicting_facts(facts, Registry(), lambda ids: [each for each in messages if each.id in ids])
    return [(pair.earlier_text, pair.later_text) for pair in pairs]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (stated("USES", "Flask-Login 0.6.2", "m1"), stated("HAS_NEVER_USED", "Flask-Login", "m2", LATER)),
        (stated("INTEGRATED", "Flask-Login 0.6.2", "m1"), stated("HAS_NEVER_USED", "Flask-Login", "m2")),
        (stated("VISITED", "Paris", "m1", None), stated("HAS_NEVER_VISITED", "Paris", "m2")),
        (stated("LIVES_IN", "Oslo", "m1", kind="city"), stated("LIVES_IN", "Rome", "m2", kind="city")),
        (stated("LIVES_IN", "Oslo", "m1", None), stated("LIVES_IN", "Rome", "m2", LATER)),
        (stated("HAS_COMMITS", "150", "m1", kind=LITERAL), stated("HAS_COMMITS", "165", "m2", kind=LITERAL)),
        (stated("HAS", "two dogs", "m1"), stated("HAS", "three dogs", "m2")),
    ],
)
def test_facts_that_exclude_each_other(one: Fact, other: Fact) -> None:
    """A denial of what was done before, or at nobody knows when; two values of one time."""
    expected = [(one.text, other.text)]
    assert found(one, other) == found(one, other, stated("LIKES", "tea", "m3")) == expected
    assert len(found(other, one)) == 1
    assert found(one, replace(other, retired_at=LATER)) == []
    assert found(one, replace(other, evidence=one.evidence)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (stated("HAS_NEVER_USED", "Flask-Login", "m1"), stated("USES", "Flask-Login 0.6.2", "m2", LATER)),
        (stated("HAS_NEVER_USED", "Flask-Login", "m1"), stated("USES", "Flask-Admin", "m2")),
        (stated("HAS_NEVER_USED", "Flask-Login", "m1"), stated("PLANS_TO_USE", "Flask-Login", "m2")),
        (stated("HAS_NEVER_USED", "Flask-Login", "m1"), stated("LIKES", "Flask-Login", "m2")),
        (stated("HAS_NEVER_USED", "Flask-Login", "m1"), stated("HAS_NEVER_USED", "Flask-Login 0.6.2", "m2")),
        (stated("WILL_NEVER_FORGET", "Paris", "m1"), stated("FORGOT", "Paris", "m2")),
        (stated("LIVES_IN", "Oslo", "m1", kind="city"), stated("LIVES_IN", "Rome", "m2", LATER, kind="city")),
        (stated("LIVES_IN", "Oslo", "m1", kind="city"), stated("LIVES_IN", "Norway", "m2", kind="country")),
        (stated("LIKES", "tea", "m1"), stated("LIKES", "coffee", "m2")),
        (stated("HAS_COMMITS", "150", "m1", kind=LITERAL), stated("HAS_COMMITS", "12 branches", "m2", kind=LITERAL)),
        (
            stated("LIVES_IN", "Oslo", "m1", kind="city", valid_from=Moment.parse("2019")),
            stated("LIVES_IN", "Rome", "m2", kind="city", valid_from=Moment.parse("2021")),
        ),
    ],
)
def test_facts_beside_each_other(one: Fact, other: Fact) -> None:
    """What was done since, other things, plans, developments, places within places and lists exclude nothing."""
    assert found(one, other) == found() == found(one) == []


def test_the_order_within_a_session() -> None:
    """Of one time, the places of the messages tell which was said first, as far as they are known."""
    first, second = message("I use it.", 0), message("I have never used it.", 1)
    uses, never = stated("USES", "it", first.id), stated("HAS_NEVER_USED", "it", second.id)
    assert found(uses, never, messages=(first, second)) == [(uses.text, never.text)]
    since = replace(never, evidence=(first.id,)), replace(uses, evidence=(second.id,))
    assert found(*since, messages=(first, second)) == []
    assert len(found(*since)) == 1


def test_facts_of_several_scopes() -> None:
    """One name is one thing in all scopes, unless a scope has two of that name."""
    one = stated("LIVES_IN", "Oslo", "m1", kind="city")
    theirs = replace(stated("LIVES_IN", "Rome", "m2", kind="city"), scope=BOB, subject_id="e_other")
    assert found(one, theirs) == [(one.text, theirs.text)]
    namesake = replace(stated("LIKES", "tea", "m3"), id="f_3", scope=BOB, subject_id="e_third")
    assert found(one, theirs, namesake) == []


def test_a_long_list_is_no_contradiction() -> None:
    """Nor does it take long."""
    assert found(*(stated("LIVES_IN", f"town {n}", f"m{n}", kind="city") for n in range(60))) == []
