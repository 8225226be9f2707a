"""What a model is asked about a window: which facts are shown to which claims, and under which numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from mem0g.conflict.decision_case import DecisionCase, case_of
from mem0g.conflict.llm_judge import LLMJudge
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Fact
from mem0g.store.queries import RelatedFact
from tests.conflict.test_rule_decider import claim, settled, window
from tests.llm.asking import MemoryLedger, model
from tests.llm.server import serving
from tests.making import AT, vector

OSLO = settled(claim("Ann", "lives_in", "Oslo"))
TEA = settled(claim("Ann", "likes", "tea"))
BERGEN = settled(claim("Ben", "lives_in", "Bergen"))


def case(claims: Sequence[ResolvedTriple], known: Sequence[Fact]) -> DecisionCase:
    """The case of claims that each might touch what is known, as near as their sentences are."""
    related = [[RelatedFact(each, float(vector(each.text) @ one.vector)) for each in known] for one in claims]
    return case_of(window(claims, related), 10)


def test_structure_and_likeness() -> None:
    """Shown are facts that the relation excludes or a like sentence may say again; no others."""
    like = settled(claim("Zoe", "knows", "Max", "Rome is where Ann now lives."))
    made = case([claim("Ann", "lives_in", "Rome", "Ann lives in Rome now.")], [TEA, BERGEN, OSLO, like])
    assert made.shown == ((OSLO, like),)
    assert made.is_open


def test_what_is_retired_is_not_shown() -> None:
    """A fact that holds no longer is not touched again."""
    gone = dataclasses.replace(OSLO, retired_at=AT)
    assert not case([claim("Ann", "lives_in", "Rome")], [gone]).is_open


def test_numbers() -> None:
    """Known facts are numbered from 1, each once, then the claims that are asked about, in their order."""
    claims = [claim("Ann", "lives_in", "Rome"), claim("Zoe", "owns", "boats"), claim("Ann", "lives_in", "Pisa")]
    made = case(claims, [OSLO, TEA])
    assert made.known == {1: OSLO}
    assert made.asked == {2: 0, 3: 2}
    assert (made.touches(0), made.touches(2)) == ([1], [1])
    assert made.numbers == {OSLO.id: 1}


def test_claims_of_one_window_touch() -> None:
    """A claim may touch one before it that has its two ends, or one of them and nearly its sentence."""
    claims = [
        claim("Ann", "likes", "fado", "Ann likes fado music."),
        claim("Ann", "likes", "jazz", "Ann likes jazz music, a lot of it."),
        claim("Ann", "loves", "fado", "To her fado is everything."),
        claim("Ann", "sings", "fados", "Ann likes fado music."),
        claim("Ben", "likes", "fados", "Ann likes fado music."),
    ]
    made = case(claims, [])
    assert made.earlier == ((), (), (0,), (0,), (3,))
    assert not made.is_open, "they alone are decided by rule"


def test_what_a_later_claim_may_touch_is_asked_about_too() -> None:
    """A claim that touches nothing is asked about where another of its window may touch it."""
    claims = [claim("Zoe", "owns", "boats"), claim("Zoe", "sold", "boats"), claim("Ann", "lives_in", "Rome")]
    made = case(claims, [OSLO])
    assert made.asked == {2: 0, 3: 1, 4: 2}
    assert (made.touches(0), made.touches(1), made.touches(2)) == ([], [2], [1])


def test_the_key_tells_questions_apart() -> None:
    """The same question has the same key; other evidence, another fact or another claim make another one."""
    rome = claim("Ann", "lives_in", "Rome")
    key = case([rome], [OSLO]).key
    assert case([rome], [OSLO, BERGEN]).key == key
    more = dataclasses.replace(OSLO, evidence=("m_1", "m_2"))
    others = [case([rome], [more]), case([rome], [OSLO, settled(claim("Ann", "lives_in", "Pisa"))])]
    others += [case([claim("Ann", "lives_in", "Rome", "Ann now lives in Rome.")], [OSLO])]
    assert len({key, *(each.key for each in others)}) == 4


def test_what_is_asked() -> None:
    """Both sides with their times, quoted on a line each; a retraction is marked; what is not open is left out."""
    claims = [
        claim("Ann", "lives_in", "Rome", 'Ann lives in "Rome".', valid_from="2024-03", valid_to="2024-06"),
        claim("Ann", "likes", "tea", "Ann likes tea no more.", said_at=None, retracts=True),
        claim("Zoe", "owns", "boats", "Zoe owns boats."),
    ]
    old = settled(claim("Ann", "lives_in", "Oslo", valid_from="2020", said_at="2023-01-02"))
    with serving([]) as server:
        judge = LLMJudge(model(server), MemoryLedger())
        asked = judge.request(case(claims, [old, TEA]), "w_1")
    lines = [line for line in asked.user.splitlines() if line.startswith("[")]
    assert lines == [
        '[1] "Ann lives in Oslo." (from 2020, said on 2023-01-02)',
        '[2] "Ann likes tea." (said on 2024-05-01)',
        '[3] "Ann lives in \\"Rome\\"." (from 2024-03, until 2024-06, said on 2024-05-01) - may touch: 1',
        '[4] "Ann likes tea no more." (undated; says that it is so no longer) - may touch: 2, 1',
    ]
    assert (asked.window, asked.purpose, asked.function) == ("w_1", "decide", "decide")
