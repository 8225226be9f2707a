"""What a model is asked about a window: which facts are shown to which triples, and under which numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from mem0g.conflict.decision_case import DecisionCase, case_of
from mem0g.conflict.llm_judge import LLMJudge
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Fact
from mem0g.store.queries import RelatedFact
from tests.conflict.test_rule_decider import new, settled, window
from tests.llm.asking import MemoryLedger, model
from tests.llm.server import serving
from tests.making import AT, vector

OSLO = settled(new("Ann", "lives_in", "Oslo"))
TEA = settled(new("Ann", "likes", "tea"))
BERGEN = settled(new("Ben", "lives_in", "Bergen"))


def case(triples: Sequence[ResolvedTriple], known: Sequence[Fact]) -> DecisionCase:
    """The case of triples that each might touch what is known, as near as their sentences are."""
    related = [[RelatedFact(each, float(vector(each.text) @ one.vector)) for each in known] for one in triples]
    return case_of(window(triples, related), 10)


def test_structure_and_likeness() -> None:
    """Shown are facts that the relation excludes or a like sentence may say again; no others."""
    like = settled(new("Zoe", "knows", "Max", "Rome is where Ann now lives."))
    made = case([new("Ann", "lives_in", "Rome", "Ann lives in Rome now.")], [TEA, BERGEN, OSLO, like])
    assert made.shown == ((OSLO, like),)
    assert made.is_open


def test_what_is_retired_is_not_shown() -> None:
    """A fact that holds no longer is not touched again."""
    gone = dataclasses.replace(OSLO, retired_at=AT)
    assert not case([new("Ann", "lives_in", "Rome")], [gone]).is_open


def test_numbers() -> None:
    """Known facts are numbered from 1, each once, then the triples that are asked about, in their order."""
    triples = [
        new("Ann", "lives_in", "Rome"),
        new("Zoe", "owns", "boats"),
        new("Ann", "lives_in", "Pisa"),
    ]
    made = case(triples, [OSLO, TEA])
    assert made.known == {1: OSLO}
    assert made.asked == {2: 0, 3: 2}
    assert (made.touches(0), made.touches(2)) == ([1], [1])
    assert made.numbers == {OSLO.id: 1}


def test_claims_of_one_window_touch() -> None:
    """A triple may touch one before it that has its two ends, or one of them and nearly its sentence."""
    triples = [
        new("Ann", "likes", "fado", "Ann likes fado music."),
        new("Ann", "likes", "jazz", "Ann likes jazz music, a lot of it."),
        new("Ann", "loves", "fado", "To her fado is everything."),
        new("Ann", "sings", "fados", "Ann likes fado music."),
        new("Ben", "likes", "fados", "Ann likes fado music."),
    ]
    made = case(triples, [])
    assert made.earlier == ((), (), (0,), (0,), (3,))
    assert not made.is_open, "they alone are decided by rule"


def test_what_was_told_on_a_day_before_is_like_what_is_known() -> None:
    """A triple may touch what another one of the window said on a day before, so that the model is asked."""
    told = new("Ann", "lives_in", "Oslo", "Ann lives in Oslo.", said_at="2024-04-01")
    made = case([told, new("Ann", "lives_in", "Rome", "Rome it is.")], [])
    assert (made.shown, made.earlier, made.asked) == (((), ()), ((), (0,)), {1: 0, 2: 1})
    assert made.is_open
    same_day = case([new("Ann", "lives_in", "Oslo"), new("Ann", "lives_in", "Rome", "Rome it is.")], [])
    assert same_day.earlier == ((), ())
    assert not same_day.is_open


def test_a_passing_state_is_shown_beside_one_triple() -> None:
    """The latest are shown once, also where their words are of something else; not to another name."""
    feels = settled(new("Ann", "feels", "low", "Ann feels low.", said_at="2024-04-30"))
    crowd = [settled(new("Ann", "likes", f"thing{n}", f"Ann danced and sang in Graz {n}.")) for n in range(20)]
    triples = [new("Ann", "also_known_as", "Annie"), new("Ann", "danced_in", "Graz"), new("Ann", "sang_in", "Graz")]
    made = case(triples, [feels, *crowd])
    assert sum(feels in facts for facts in made.shown) == 1
    assert made.shown[0] == ()


def test_no_triple_is_shown_more_than_the_limit() -> None:
    """Neither what says that something ended, nor the latest passing state, goes beyond it."""
    low = settled(new("Ann", "feels", "low", "Ann feels low.", said_at="2024-04-30"))
    jobs = [settled(new("Ann", "works_as", f"cook{n}", f"Ann works as a cook {n}.")) for n in range(8)]
    lost = new("Ann", "lost_job_at", "Acme", "Ann lost her job.")
    made = case_of(window([lost], [[RelatedFact(each, 0.5) for each in (*jobs, low)]]), 3)
    assert len(made.shown[0]) == 3
    assert low not in made.shown[0]


def test_what_a_later_claim_may_touch_is_asked_about_too() -> None:
    """A triple that touches nothing is asked about where another of its window may touch it."""
    triples = [new("Zoe", "owns", "boats"), new("Zoe", "sold", "boats"), new("Ann", "lives_in", "Rome")]
    made = case(triples, [OSLO])
    assert made.asked == {2: 0, 3: 1, 4: 2}
    assert (made.touches(0), made.touches(1), made.touches(2)) == ([], [2], [1])


def test_the_short_form_is_shown() -> None:
    """A fact is shown with its subject and its short form, if it has one, and with the day on which it was said."""
    told = new("Ann", "lives_in", "Rome", "As of May 2024, Ann lives in Rome with Ben.", brief="lives in Rome with Ben")
    with serving([]) as server:
        asked = LLMJudge(model(server), MemoryLedger()).request(case([told], [OSLO]), "w_1")
    assert '[2] "Ann lives in Rome with Ben" (2024-05-01) ~ 1' in asked.user


def test_the_key_tells_questions_apart() -> None:
    """The same question has the same key; other evidence, another fact or another triple make another one."""
    rome = new("Ann", "lives_in", "Rome")
    key = case([rome], [OSLO]).key
    assert case([rome], [OSLO, BERGEN]).key == key
    more = dataclasses.replace(OSLO, evidence=("m_1", "m_2"))
    others = [case([rome], [more]), case([rome], [OSLO, settled(new("Ann", "lives_in", "Pisa"))])]
    others += [case([new("Ann", "lives_in", "Rome", "Ann now lives in Rome.")], [OSLO])]
    assert len({key, *(each.key for each in others)}) == 4


def test_what_is_asked() -> None:
    """Both sides with their times, quoted on a line each; a retraction is marked; what is not open is left out."""
    triples = [
        new("Ann", "lives_in", "Rome", 'Ann lives in "Rome".', valid_from="2024-03", valid_to="2024-06"),
        new("Ann", "likes", "tea", "Ann likes tea no more.", said_at=None, retracts=True),
        new("Zoe", "owns", "boats", "Zoe owns boats."),
    ]
    old = settled(new("Ann", "lives_in", "Oslo", valid_from="2020", said_at="2023-01-02"))
    with serving([]) as server:
        judge = LLMJudge(model(server), MemoryLedger())
        asked = judge.request(case(triples, [old, TEA]), "w_1")
    lines = [line for line in asked.user.splitlines() if line.startswith("[")]
    assert lines == [
        '[1] "Ann lives in Oslo." (from 2020)',
        '[2] "Ann likes tea." (2024-05-01)',
        '[3] "Ann lives in \\"Rome\\"." (from 2024-03, until 2024-06) ~ 1',
        '[4] "Ann likes tea no more." (undated; so no longer) ~ 1,2',
    ]
    assert (asked.window, asked.purpose, asked.function) == ("w_1", "decide", "decide")
