"""What facts are worth to a summary: who is who and what goes on, before what somebody felt or thought."""

from __future__ import annotations

import pytest

from mem0g.ingest.worth import LIFE, OPINION, OTHER, rank
from mem0g.model import LITERAL, Scope
from tests.making import entity, fact

SCOPE = Scope("ann")


@pytest.mark.parametrize(
    ("relation", "value", "kind", "expected"),
    [
        ("has_child", "Mia", "person", LIFE),
        ("works_as", "nurse", "job", LIFE),
        ("moved_to", "Graz", "city", LIFE),
        ("adopted", "Toby", "pet", LIFE),
        ("plans_to_visit", "Graz", "city", LIFE),
        ("is_looking_for", "a flat", LITERAL, LIFE),
        ("visited", "museum", "place", OTHER),
        ("found", "a good spot", "place", OTHER),
        ("finds", "the song", "song", OPINION),
        ("found", "haunting", LITERAL, OPINION),
        ("feels", "proud", LITERAL, OPINION),
        ("thinks_of", "Mia", "person", OPINION),
        ("advised", "Mia", "person", OPINION),
    ],
)
def test_ranks(relation: str, value: str, kind: str, expected: int) -> None:
    """People, homes, jobs, pets, plans and searches come first, moods, opinions and advice last."""
    evan, end = entity("Evan", SCOPE, type="person"), entity(value, SCOPE, type=kind)
    text = f"Evan {relation.replace('_', ' ')} {value}."
    assert rank(fact(evan, relation.upper(), end, text, relation_given=relation)) == expected
