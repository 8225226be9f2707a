"""What is told late: an older message that is read after a newer one ends where the newer one ended it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from mem0g import Memory
from mem0g.testing import HashingEmbedder
from tests.conflict.test_rule_decider import judged, new, retires, settled

TOLD = {
    "visit": ("I'm planning to visit Japan in May 2024.", "I visited Japan in May."),
    "move": ("I'm moving to Lisbon in April.", "I moved to Lisbon in April."),
    "appointment": ("My dentist appointment is on 30 March.", "My dentist appointment was moved to 30 June."),
    "job": ("I work at Fjordlys.", "I quit my job at Fjordlys."),
    "divorce": ("I'm married to Jo.", "Jo and I got divorced."),
    "marriage": ("I'm engaged to Jo.", "I married Jo."),
    "gym": ("I go to the gym every Monday.", "I stopped going to the gym."),
    "diet": ("I'm vegetarian.", "I'm not vegetarian anymore."),
    "course": ("I'm learning Spanish.", "I stopped learning Spanish."),
    "taste": ("I prefer tea.", "I no longer prefer tea."),
    "manager": ("My manager is Tom.", "My manager is Eva now."),
    "car": ("I drive a Volvo.", "I replaced the Volvo with a Tesla."),
    "number": ("My number is 555 0101.", "My new number is 555 0202."),
    "dog": ("We have a dog called Toby.", "Toby died last week."),
    "order": ("Please always answer in French.", "Please always answer in German."),
    "chapters": ("I finished 12 chapters.", "I finished 15 chapters."),
}


def told(path: Path, *said: tuple[str, str]) -> list[str]:
    """The facts of what Ann said on some days, in the order given, each with its times."""
    with Memory.open(path, extractor="rules", embedder=HashingEmbedder()) as memory:
        for day, words in said:
            memory.add([{"role": "user", "name": "Ann", "content": words, "timestamp": day}], user_id="ann")
        facts = memory.facts(user_id="ann", include_retired=True)
    return sorted(f"{each.text} {each.valid_from} {each.valid_to} {each.current}" for each in facts)


@pytest.mark.parametrize(("before", "after"), TOLD.values(), ids=TOLD.keys())
def test_the_order_of_files_does_not_matter(before: str, after: str, tmp_path: Path) -> None:
    """Whichever of two messages is read first, the same facts are current, and ended when they ended."""
    said = (("2024-03-10", before), ("2024-06-12", after))
    in_order, late = (told(tmp_path / f"{n}.db", *each) for n, each in enumerate(permutations(said)))
    assert late == in_order
    assert any(each.endswith("False") for each in late)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I like tea.", "I no longer drink coffee."),
        ("I play chess.", "I stopped playing tennis."),
        ("I work at Fjordlys.", "I quit smoking."),
        ("I'm planning to visit Japan in 2026.", "I visited Korea in May."),
        ("My sister Ida is married to Jo.", "Tom and I got divorced."),
        ("We have a dog called Toby.", "Max died last week."),
        ("My dentist is Dr Wong.", "My manager is Eva now."),
    ],
)
def test_what_is_about_something_else_ends_nothing(before: str, after: str, tmp_path: Path) -> None:
    """A later message about another thing or another person leaves what is told late as it was."""
    late = told(tmp_path / "a.db", ("2024-06-12", after), ("2024-03-10", before))
    alone = told(tmp_path / "b.db", ("2024-03-10", before))
    assert set(alone) <= set(late)
    assert all(each.endswith("True") for each in alone)


def test_what_was_true_then_is_confirmed(tmp_path: Path) -> None:
    """A message from the time in which a retired fact was true adds its evidence, and no second fact."""
    said = (("2022-02-10", "I work at Acme."), ("2024-06-12", "I quit my job at Acme."))
    again = ("2022-05-01", "I work at Acme.")
    assert told(tmp_path / "a.db", *said, again) == told(tmp_path / "b.db", *said)


def test_an_end_is_that_of_what_came_first() -> None:
    """Of two later facts that would have ended it, the first one did; the log says that it was told late."""
    married = settled(new("Ann", "married_to", "Jo", said_at="2023-02-01"))
    apart = settled(new("Ann", "divorced_from", "Jo", said_at="2024-02-01"))
    verdict = judged(new("Ann", "engaged_to", "Jo", said_at="2022-01-01"), [apart, married])
    assert verdict.fact is not None
    assert retires(verdict) == [verdict.fact.id]
    assert verdict.retirements[0].succession.successor_id == married.id
    assert str(verdict.retirements[0].valid_to).startswith("2023-02-01")
    assert (verdict.decision.operation, verdict.decision.rule) == ("ADD", "about an earlier time")


def test_a_status_told_late() -> None:
    """Who had a partner later was single before; that somebody got divorced stays, as it happened."""
    married = settled(new("Ann", "married_to", "Jo", said_at="2024-02-01"))
    single = judged(new("Ann", "marital_status", "single", said_at="2023-01-01"), [married])
    assert single.fact is not None
    assert retires(single) == [single.fact.id]
    assert retires(judged(new("Ann", "got_divorced", "2020", said_at="2023-01-01"), [married])) == []
