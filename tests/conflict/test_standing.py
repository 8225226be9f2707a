"""Which preferences a new one replaces, and which one is taken back."""

from __future__ import annotations

import pytest

from tests.conflict.test_rule_decider import judged, new, retires, settled


@pytest.mark.parametrize(
    ("known", "said", "over"),
    [
        ("prefers pytest over unittest", "prefers unittest over pytest", True),
        ("prefers walking to driving", "prefers driving to walking", True),
        ("prefers rye bread", "prefers white bread over rye bread", True),
        ("prefers rye bread over white bread", "prefers rye bread over toast", False),
        ("prefers rye bread over white bread", "prefers toast over white bread", False),
        ("prefers work", "prefers walking to work", False),
        ("prefers tea", "prefers coffee", False),
    ],
)
def test_another_thing_is_preferred(known: str, said: str, over: bool) -> None:
    """Swapped sides and what is beaten now replace; other preferences stand beside each other."""
    before = settled(new("Ann", "prefers", known.partition(" ")[2], f"Ann {known}.", object_type="literal"))
    made = new("Ann", "prefers", said.partition(" ")[2], f"Ann {said}.", "2024-06-01", object_type="literal")
    assert retires(judged(made, [before])) == ([before.id] if over else [])
    sooner = new("Ann", "prefers", said.partition(" ")[2], f"Ann {said}.", "2024-04-01", object_type="literal")
    assert before.id not in retires(judged(sooner, [before])), "what was said before replaces nothing"


@pytest.mark.parametrize(
    ("known", "over"),
    [("green tea", True), ("green tea over coffee", True), ("coffee over green tea", False), ("tea", False)],
)
def test_a_preference_is_taken_back(known: str, over: bool) -> None:
    """The preference for a thing ends, not the one for what is preferred to it, nor a wider one."""
    before = settled(new("Ann", "prefers", known, f"Ann prefers {known}.", object_type="literal"))
    text = "Ann no longer prefers green tea."
    made = new("Ann", "prefers", "green tea", text, "2024-06-01", object_type="literal", retracts=True)
    assert retires(judged(made, [before])) == ([before.id] if over else [])


@pytest.mark.parametrize(("known", "over"), [("never use emojis", True), ("always use emojis", False)])
def test_what_is_allowed_is_not_forbidden(known: str, over: bool) -> None:
    """A permission takes back what was forbidden, not what was asked for."""
    before = settled(new("Ann", "instructs", known, f"Ann instructs: {known}.", object_type="literal"))
    text = "Ann instructs: no longer: do not use emojis."
    made = new("Ann", "instructs", "do not use emojis", text, "2024-06-01", object_type="literal", retracts=True)
    assert retires(judged(made, [before])) == ([before.id] if over else [])
