"""What begins on a later day is a plan for it, and what ends then is true until then, in both stores."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mem0g.errors import InputError
from mem0g.memory import Memory
from mem0g.model import Fact, Triple
from tests.pipeline.telling import EMBEDDER, Place

U: dict[str, Any] = {"user_id": "ann"}
ACME: dict[str, Any] = {"subject": "Ann", "relation": "works_at", "object": "Acme", "text": "Ann works at Acme."}


@pytest.fixture
def memory(place: Place) -> Iterator[Memory]:
    """An empty memory that reads by rules."""
    with Memory.open(place.address, embedder=EMBEDDER, extractor="rules", credentials=place.credentials) as opened:
        yield opened


def told(memory: Memory) -> list[tuple[str, bool, str, str, str]]:
    """Object, whether it is current, and the dates of each fact: from, to, planned for."""
    facts = memory.facts(include_retired=True, **U)
    return [(each.object, each.current, *_dates(each)) for each in facts]


def _dates(fact: Fact) -> tuple[str, str, str]:
    return (str(fact.valid_from or ""), str(fact.valid_to or ""), str(fact.planned_for or ""))


def given(**parts: Any) -> Triple:
    """A triple whose dates are given as text."""
    return Triple(**parts)


def test_a_home_from_a_later_day_leaves_that_of_today(memory: Memory) -> None:
    """Given by hand or as a triple; another plan replaces that one, and what has begun replaces what was before."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", valid_from="2020", **U)
    memory.add_fact(subject="Ann", relation="lives_in", object="Rome", valid_from="2199-03", **U)
    assert told(memory) == [("Oslo", True, "2020", "", ""), ("Rome", True, "", "", "2199-03")]
    memory.add_triples([given(subject="Ann", relation="lives_in", object="Lima", text="L.", valid_from="2200")], **U)
    assert [each[:2] for each in told(memory)] == [("Oslo", True), ("Rome", False), ("Lima", True)]
    memory.add_fact(subject="Ann", relation="lives_in", object="Porto", valid_from="2024", **U)
    assert told(memory)[0][:2] == ("Oslo", False)


@pytest.mark.parametrize(
    "over",
    [
        {"retracts": True, "valid_from": "2199-03"},
        {"retracts": True, "valid_to": "2199-03"},
        {"valid_to": "2199-03"},
        {"relation": "quit", "valid_from": "2199-03"},
    ],
)
def test_what_ends_on_a_later_day_is_current(memory: Memory, over: dict[str, Any]) -> None:
    """It gets its end, by whatever says so; to undo that takes the end away."""
    memory.add_triples([given(**ACME)], **U)
    report = memory.add_triples([given(**{**ACME, "text": "Ann works at Acme until March.", **over})], **U)
    assert (report.retired, report.confirmed) == (0, 1)
    acme = next(each for each in memory.facts(relation="works_at", **U))
    assert (acme.current, str(acme.valid_to)) == (True, "2199-03")
    assert "2199-03" in memory.context("Where does Ann work?", **U).text
    decision = memory.decisions(**U)[0]
    assert (decision.operation, "until" in decision.reason) == ("UPDATE", True)
    memory.undo(decision.id, **U)
    (acme,) = memory.facts(relation="works_at", **U)
    assert (acme.current, acme.valid_to) == (True, None)
    assert memory.verify() == ()


def test_what_ended_is_retired(memory: Memory) -> None:
    """A day that has passed is an end, and so is the day on which a plan was given up."""
    memory.add_triples([given(**ACME)], **U)
    memory.add_triples([given(**ACME, retracts=True, valid_from="2024-03")], **U)
    plan: dict[str, Any] = {
        "subject": "Ann",
        "relation": "plans_to_visit",
        "object": "Japan",
        "text": "Ann will visit Japan.",
    }
    memory.add_triples([given(**plan, planned_for="2199-05")], **U)
    memory.add_triples([given(**plan, retracts=True, valid_from="2199-05")], **U)
    assert [each[:3] for each in told(memory)] == [("Acme", False, ""), ("Japan", False, "")]


def test_a_known_end_stays(memory: Memory) -> None:
    """What replaces a state of today ends it today, whatever end was known; a further end changes nothing."""
    memory.add_triples([given(**ACME, valid_to="2199-03")], **U)
    memory.add_triples([given(**ACME, valid_to="2199-05")], **U)
    assert told(memory) == [("Acme", True, "", "2199-03", "")]
    memory.add_fact("I work at Bolt now.", **U)
    assert [each[:2] for each in told(memory)] == [("Acme", False), ("Bolt", True)]


def test_another_beginning_moves_the_end_before_it(memory: Memory) -> None:
    """A corrected day is also that on which what was replaced has ended; a day before its beginning is not."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", valid_from="2020", **U)
    memory.add_fact(subject="Ann", relation="lives_in", object="Rome", valid_from="2024-03", **U)
    for begun, ended in (("2024-05", "2024-05"), ("2019", "2024-05"), ("2023", "2024-05")):
        (rome,) = memory.facts(**U)
        before = told(memory)[0]
        memory.correct(rome.id, valid_from=begun, **U)
        assert told(memory)[0] == ("Oslo", False, "2020", ended, "")
        assert memory.verify() == ()
        if begun == "2024-05":
            memory.undo(memory.decisions(**U)[0].id, **U)
            assert told(memory)[0] == before
            memory.correct(rome.id, valid_from=begun, **U)


def test_where_it_is_tomorrow_already(memory: Memory) -> None:
    """The day that has begun in the east of the Earth does not lie ahead, for a beginning or an end."""
    memory.add_triples([given(**ACME)], **U)
    tomorrow = (datetime.now(UTC) + timedelta(hours=13, minutes=50)).date()
    memory.add_triples([given(**ACME, retracts=True, valid_from=tomorrow)], **U)
    memory.add_fact(subject="Ann", relation="works_at", object="Bolt", valid_from=tomorrow, **U)
    assert told(memory) == [("Acme", False, "", str(tomorrow), ""), ("Bolt", True, str(tomorrow), "", "")]


def test_a_correction_that_gives_the_day_of_the_plan(memory: Memory) -> None:
    """It says what the fact says, and is refused."""
    memory.add_fact(subject="Ann", relation="works_at", object="Bolt", valid_from="2199-03", **U)
    (bolt,) = memory.facts(**U)
    with pytest.raises(InputError, match="says what the fact says"):
        memory.correct(bolt.id, valid_from="2199-03", **U)
