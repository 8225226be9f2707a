"""What changes, told without a model: the rules' facts and the rules' decisions, in both stores."""

from __future__ import annotations

import pytest

from mem0g.memory import Memory
from tests.pipeline.telling import Place
from tests.store.fixtures import kept_minilm

TOLD = [
    ("2024-02-10T12:00:00Z", "We're planning a trip to Japan in May."),
    ("2024-02-10T12:00:00Z", "I have a dentist appointment on 22 March."),
    ("2024-02-10T12:00:00Z", "I own a motorbike. I eat meat."),
    ("2024-02-20T12:00:00Z", "I cancelled the trip to Japan."),
    ("2024-02-20T12:00:00Z", "I sold my motorbike and I don't eat meat any more."),
    ("2024-02-20T12:00:00Z", "I cancelled my dentist appointment."),
]


@pytest.mark.usefixtures("minilm")
def test_plans_are_cancelled_and_states_end(place: Place) -> None:
    """A plan with a date is retired before its day, what is sold or given up no longer holds."""
    said = [{"role": "user", "content": text, "timestamp": time} for time, text in TOLD]
    with Memory.open(place.address, extractor="rules", embedder=kept_minilm(), credentials=place.credentials) as memory:
        for _ in memory.ingest(said, user_id="olivia"):
            pass
        facts = memory.facts(user_id="olivia", include_retired=True)
    ended = {(fact.relation, fact.object) for fact in facts if not fact.current}
    holding = {(fact.relation, fact.object) for fact in facts if fact.current}
    assert ended == {
        ("PLANS_TO_VISIT", "Japan"),
        ("PLANS_TO_ATTEND", "dentist appointment"),
        ("OWNS", "motorbike"),
        ("EATS", "meat"),
    }
    plan = next(fact for fact in facts if fact.relation == "PLANS_TO_VISIT")
    assert (plan.valid_from, str(plan.planned_for), str(plan.valid_to)[:10]) == (None, "2024-05", "2024-02-20")
    assert {("SOLD", "motorbike"), ("ATE", "meat"), ("CANCELLED_TRIP_TO", "Japan")} <= holding


@pytest.mark.usefixtures("minilm")
def test_a_city_and_its_country_are_both_true(place: Place) -> None:
    """Whichever is told first; another city or another country takes the place of its kind."""
    homes = []
    with Memory.open(place.address, extractor="rules", embedder=kept_minilm(), credentials=place.credentials) as memory:
        for town in ("Oslo", "Norway", "Bergen", "Denmark"):
            memory.add(f"I live in {town}.", user_id="olivia")
            homes.append([fact.object for fact in memory.facts(user_id="olivia", relation="lives_in")])
    assert homes == [["Oslo"], ["Oslo", "Norway"], ["Norway", "Bergen"], ["Bergen", "Denmark"]]
