"""Slips of an extraction reply that are mended, and those that are left to the checks."""

from __future__ import annotations

from typing import Any

import pytest

from mem0g.extract.llm.mending import mended
from mem0g.extract.llm.replies import NamedEntity, StatedFact
from mem0g.extract.protocol import KnownEntity, Window
from tests.extract.windows import messages

WINDOW = Window(
    messages=messages("Ann: I paint."),
    speakers=("Ann", "Ben"),
    known=(KnownEntity(name="Toby", type="pet", aliases=("Tobes",)),),
)
LISTED = [
    NamedEntity(name="Ann", type="person", aliases=["Annie"]),
    NamedEntity(name="pottery class", type="event", aliases=[]),
]


def fact(**given: Any) -> StatedFact:
    """A fact of a reply."""
    said = {"subject": "Ann", "relation": "likes", "object": "pottery class", "literal": False, "sentence": "So it is."}
    times = {"brief": None, "valid_from": None, "valid_to": None, "observed": None, "planned_for": None}
    return StatedFact.model_validate({**said, **times, "messages": [1], "retracts": False, **given})


def mend(**given: Any) -> tuple[list[str], tuple[str, str, bool]]:
    """The names that are listed beside those of the reply, and the ends of the fact."""
    entities, (made,) = mended(LISTED, [fact(**given)], WINDOW)
    return [each.name for each in entities[2:]], (made.subject, made.object, made.literal)


@pytest.mark.parametrize(
    ("given", "added", "ends"),
    [
        ({}, [], ("Ann", "pottery class", False)),
        ({"literal": True}, [], ("Ann", "pottery class", False)),
        ({"object": "Pottery Class", "literal": True}, [], ("Ann", "Pottery Class", False)),
        ({"object": "annie", "literal": True}, [], ("Ann", "annie", False)),
        ({"object": "the pottery class"}, [], ("Ann", "pottery class", False)),
        ({"subject": "a pottery class", "object": "Ann"}, [], ("pottery class", "Ann", False)),
        ({"object": "Toby"}, ["Toby"], ("Ann", "Toby", False)),
        ({"object": "tobes"}, ["Toby"], ("Ann", "tobes", False)),
        ({"subject": "Ben"}, ["Ben"], ("Ben", "pottery class", False)),
        ({"object": "twelve", "literal": True}, [], ("Ann", "twelve", True)),
        ({"object": "Toby", "literal": True}, [], ("Ann", "Toby", True)),
    ],
)
def test_what_can_mean_one_thing_only(given: dict[str, Any], added: list[str], ends: tuple[str, str, bool]) -> None:
    """A listed entity is no value, an article is no part of a name, and what is known or speaks needs no listing."""
    assert mend(**given) == (added, ends)


@pytest.mark.parametrize(
    "given", [{"object": "Atlantis"}, {"subject": "six years"}, {"object": ""}, {"object": "class"}]
)
def test_what_is_unknown_is_left_to_the_checks(given: dict[str, Any]) -> None:
    """Whether a name that is nowhere listed is an entity or a value, only the model can tell."""
    made = fact(**given)
    assert mend(**given) == ([], (made.subject, made.object, False))


def test_a_known_entity_is_listed_once_with_its_type() -> None:
    """Two facts about it, and its name is as it is known."""
    entities, _ = mended(LISTED, [fact(object="Toby"), fact(subject="Toby"), fact(object="Tobes")], WINDOW)
    assert [(each.name, each.type) for each in entities[2:]] == [("Toby", "pet")]
