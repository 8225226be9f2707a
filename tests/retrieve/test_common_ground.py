"""What two people have in common: facts of one that say the same as facts of the other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mem0g.model import Fact
from mem0g.retrieve.ranking.candidate_set import CandidateSet
from mem0g.retrieve.ranking.common_ground import common_ground
from mem0g.store.candidates import SearchCandidates
from tests.making import entity, fact, turns
from tests.retrieve.test_ranking import found_fact, question

ANN, BOB = entity("Ann", type="person"), entity("Bob", type="person")
BANK, SHOP, TEA, RUN = (entity(name) for name in ("bank", "shop", "tea", "run"))
LOST = [
    fact(ANN, "LOST_JOB_AT", BANK, text="Ann lost her job at the bank."),
    fact(BOB, "LOST_JOB_AT", SHOP, text="Bob lost his job at the shop."),
]
OTHER = [
    fact(ANN, "LIKES", TEA, text="Ann likes green tea in the morning."),
    fact(BOB, "GOES_FOR", RUN, text="Bob goes for long runs by the river."),
    fact(BOB, "ADMIRES", ANN, text="Bob admires how Ann lost her fear at the bank."),
]


def measured(text: str, facts: list[Fact]) -> dict[str, float]:
    """What the signal gives each fact, by its text; Ann and Bob are named by the question."""
    found = SearchCandidates(tuple(map(found_fact, facts)), (), turns())
    scores = common_ground(CandidateSet(replace(question(text), anchors=(ANN, BOB)), found))
    return dict(zip((each.text for each in facts), scores.tolist(), strict=True))


@pytest.mark.parametrize(
    "text", ["What do Ann and Bob have in common?", "How are Ann and Bob alike?", "Was haben Ann und Bob gemeinsam?"]
)
def test_what_both_have_done_stands_out(text: str) -> None:
    """The two jobs lost are raised; tea, runs, and what one thinks of the other are not."""
    scores = measured(text, LOST + OTHER)
    assert all(scores[each.text] > 0.5 for each in LOST)
    assert [scores[each.text] for each in OTHER] == [0, 0, 0]


@pytest.mark.parametrize("text", ["Which job did Ann and Bob lose?", "What does Ann have?", ""])
def test_other_questions_are_left_alone(text: str) -> None:
    """A question that says what it asks for is answered by its own words."""
    assert set(measured(text, LOST + OTHER).values()) == {0}


def test_one_person_has_nothing_in_common() -> None:
    """Facts of a single person, or none, are not compared."""
    assert set(measured("What do they have in common?", [LOST[0], OTHER[0]]).values()) == {0}
    assert measured("What do they have in common?", []) == {}
