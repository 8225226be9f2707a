"""Which retirements of a model are held for review: each window is judged by itself, though it shares a call."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest

from mem0g.conflict.apply_decisions import apply_decisions
from mem0g.conflict.decision_case import DecisionCase, Judgement, Judgements, case_of
from mem0g.conflict.llm_judge import check
from mem0g.conflict.protocol import ResolvedTriple, Verdict
from mem0g.model import Fact
from mem0g.store.queries import RelatedFact
from tests.conflict.test_apply_decisions import says
from tests.conflict.test_rule_decider import new, retires, settled, window
from tests.making import AT, vector

CITIES = ("Oslo", "Rome", "Lima", "Bern", "Kyiv", "Riga")
OTHERS = ("Pisa", "Graz", "Linz", "Bonn", "Cork", "York")


def plans(*cities: str, who: str = "Ann") -> list[Fact]:
    """Known plans."""
    return [settled(new(who, "plans_to_visit", city)) for city in cities]


def visits(*cities: str, who: str = "Ann", of: str = "m_2") -> list[ResolvedTriple]:
    """New facts; each is shown the plans of who visited the city."""
    return [new(who, "visited", city, evidence=(of,)) for city in cities]


def asked(known: Sequence[Fact], *windows: Sequence[ResolvedTriple]) -> DecisionCase:
    """The case of windows that share a call."""
    triples = [triple for each in windows for triple in each]
    ends = [sum(map(len, windows[:count])) for count in range(len(windows) + 1)]
    parts = tuple(map(range, ends, ends[1:]))
    related = [[RelatedFact(each, float(vector(each.text) @ one.vector)) for each in known] for one in triples]
    return case_of(dataclasses.replace(window(triples, related), parts=parts), 10)


def number(case: DecisionCase, triple: ResolvedTriple) -> int:
    """The number of a new fact."""
    return case.numbers_of_triples[_place(case, triple)]


def told_of(case: DecisionCase, triple: ResolvedTriple) -> list[int]:
    """The numbers of what a new fact may touch and that is about the same city."""
    before = {number: case.triples[place].object.name for number, place in case.asked.items()}
    objects = {**before, **{number: fact.object for number, fact in case.known.items()}}
    return [each for each in case.touches(_place(case, triple)) if objects[each] == triple.object.name]


def ends_own(case: DecisionCase, *triples: ResolvedTriple) -> list[Judgement]:
    """Each ends what is about its city."""
    return [says(number(case, one), "DELETE", *told_of(case, one)) for one in triples]


def _place(case: DecisionCase, triple: ResolvedTriple) -> int:
    return next(place for place, each in enumerate(case.triples) if each is triple)


def judged(case: DecisionCase, decisions: Sequence[Judgement], *, trust: bool = False) -> list[Verdict]:
    """The verdicts of an accepted reply."""
    reply = Judgements(decisions=list(decisions))
    check(reply, case)
    return apply_decisions(case, reply, "tiny", AT, trust=trust)


def counts(case: DecisionCase, verdicts: Sequence[Verdict]) -> list[tuple[int, int]]:
    """How many facts each window retires, and how many retirements of it are held."""
    return [
        (sum(len(verdicts[at].retirements) for at in places), sum(len(verdicts[at].held) for at in places))
        for places in case.windows
    ]


def test_alone() -> None:
    """A window that retires all six facts that it is shown is held; trusted, it is not. Half of them it may retire."""
    hostile = visits(*CITIES)
    case = asked(plans(*CITIES), hostile)
    assert len(case.known) == 6
    assert counts(case, judged(case, ends_own(case, *hostile))) == [(0, 6)]
    assert counts(case, judged(case, ends_own(case, *hostile), trust=True)) == [(6, 0)]
    assert counts(case, judged(case, ends_own(case, *hostile[:3]))) == [(3, 0)]


@pytest.mark.parametrize("first", [True, False])
def test_beside_a_harmless_window(first: bool) -> None:
    """The same beside a window that is shown six others and retires two of them, which are retired."""
    hostile, harmless = visits(*CITIES), visits(*OTHERS, who="Ben", of="m_3")
    case = asked([*plans(*CITIES), *plans(*OTHERS, who="Ben")], *_ordered(hostile, harmless, first))
    assert len(case.known) == 12
    found = judged(case, ends_own(case, *_ordered(hostile, harmless[:2], first, flat=True)))
    assert counts(case, found) == _ordered((0, 6), (2, 0), first)
    assert all(verdict.fact for verdict in found), "what is new is added all the same"


@pytest.mark.parametrize("first", [True, False])
def test_what_is_shown_to_the_other_window(first: bool) -> None:
    """More than three facts that were shown for another window alone are strays."""
    hostile, harmless = [new("Ben", "visited", "Oslo")], visits(*OTHERS, who="Ben", of="m_3")
    hostile[0] = dataclasses.replace(hostile[0], vector=vector("Something else."))
    case = asked([*plans("Oslo"), *plans(*OTHERS, who="Ben")], *_ordered(hostile, harmless, first))
    foreign = [one for one, fact in case.known.items() if fact.object in OTHERS]
    assert set(foreign).isdisjoint(case.touches(_place(case, hostile[0])))
    for count, held in ((3, 0), (4, 4)):
        told = [says(number(case, hostile[0]), "DELETE", *foreign[:count])]
        assert counts(case, judged(case, told)) == _ordered((count - held, held), (0, 0), first)


@pytest.mark.parametrize("first", [True, False])
def test_a_window_without_known_facts(first: bool) -> None:
    """One that is shown nothing makes the other neither better nor worse, and can end nothing of it."""
    alone = [new("Zoe", relation, "Saab", evidence=("m_3",)) for relation in ("owns", "drives")]
    other = visits(*CITIES)
    case = asked(plans(*CITIES), *_ordered(alone, other, first))
    assert not any(case.shown[place] for place in case.windows[0 if first else 1])
    assert counts(case, judged(case, ends_own(case, *other))) == _ordered((0, 0), (0, 6), first)
    assert counts(case, judged(case, ends_own(case, *other[:3]))) == _ordered((0, 0), (3, 0), first)
    told = [says(number(case, alone[1]), "DELETE", *case.known)]
    assert counts(case, judged(case, told)) == [(0, 0), (0, 0)]


def _ordered(one: Any, other: Any, first: bool, *, flat: bool = False) -> list[Any]:
    """Both in this order, or else in the other one."""
    both = [one, other] if first else [other, one]
    return [item for each in both for item in each] if flat else both


def test_without_triples() -> None:
    """A window that told nothing changes nothing."""
    hostile = visits(*CITIES)
    case = asked(plans(*CITIES), hostile, [])
    assert counts(case, judged(case, ends_own(case, *hostile))) == [(0, 6), (0, 0)]


def test_a_fact_shown_to_both() -> None:
    """What a held window would have ended is still current for the window after it, which may end it."""
    hostile = visits(*CITIES)
    again = [new("Ann", "is_back_from", CITIES[0], evidence=("m_3",))]
    case = asked(plans(*CITIES), hostile, again)
    (plan,) = [one for one, fact in case.known.items() if fact.object == CITIES[0]]
    assert plan in case.touches(6)
    found = judged(case, [*ends_own(case, *hostile), says(number(case, again[0]), "DELETE", plan)])
    assert counts(case, found) == [(0, 6), (1, 0)]
    assert retires(found[6]) == [case.known[plan].id]


def test_what_the_first_window_ended_does_not_count_for_the_second() -> None:
    """Eight facts are shown to both: the first window may end four of them, the second not the other four as well."""
    cities = (*CITIES, *OTHERS[:2])
    first = [new("Ben", "says", city, f"{city} was left out by Ben.", evidence=("m_2",)) for city in cities]
    second = visits(*cities, of="m_3")
    case = asked(plans(*cities), first, second)
    assert not any(case.earlier)
    assert counts(case, judged(case, ends_own(case, *first[:4], *second))) == [(4, 0), (0, 4)]


def test_what_the_first_window_told_counts_as_known_to_the_second() -> None:
    """A window that would end all that the one before it told is held, as if that had been committed before."""
    first = [new("Ann", "plans_to_visit", city, evidence=("m_2",)) for city in CITIES]
    hostile = visits(*CITIES, of="m_3")
    case = asked([], first, hostile)
    assert case.earlier[6:] == tuple((place,) for place in range(6))
    assert counts(case, judged(case, ends_own(case, *hostile))) == [(0, 0), (0, 6)]
    assert counts(case, judged(case, ends_own(case, *hostile[:3]))) == [(0, 0), (3, 0)]


def test_updates_that_are_held() -> None:
    """The old sentences stay, and so does what the window after it says of them."""
    hostile = visits(*CITIES)
    again = [new("Ann", "is_going_to", CITIES[0], evidence=("m_3",))]
    case = asked(plans(*CITIES), hostile, again)
    told = [says(number(case, one), "UPDATE", told_of(case, one)[0], sentence="Ann robbed a bank.") for one in hostile]
    (plan,) = told_of(case, hostile[0])
    found = judged(case, [*told, says(number(case, again[0]), "NOOP", plan)])
    assert counts(case, found) == [(0, 6), (0, 0)]
    assert found[6].support is not None
    assert found[6].support.fact_id == case.known[plan].id
