"""Facts that a question names by an entity and words of relations."""

from __future__ import annotations

import pytest

from mem0g.model import Fact
from mem0g.retrieve.ranking.signals import named_edges
from mem0g.text.stemming import tokens
from tests.making import entity, fact

ANN, CARLA, TOM, ROME, OSLO = (entity(name) for name in ("Ann", "Carla", "Tom", "Rome", "Oslo"))
SISTER, BROTHER = fact(ANN, "HAS_SISTER", CARLA), fact(ANN, "HAS_BROTHER", TOM)
FACTS = (SISTER, BROTHER, *(fact(who, "LIVES_IN", where) for who, where in ((CARLA, ROME), (TOM, OSLO), (ANN, OSLO))))
LIVES_CARLA, LIVES_TOM, LIVES_ANN = FACTS[2:]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Where does my sister live?", {SISTER.id, LIVES_CARLA.id, LIVES_ANN.id}),
        ("Who is my sister?", {SISTER.id}),
        ("Where do I live?", {LIVES_ANN.id}),
        ("What does my brother like?", {BROTHER.id}),
        ("What is new?", set()),
        ("", set()),
    ],
)
def test_one_step_or_two(question: str, named: set[str]) -> None:
    """An entity's own facts, and those of the one that it stands in a named relation to; not those of others."""
    assert _named(question, FACTS, {ANN.id}) == named


def test_without_anchors_or_facts() -> None:
    """Nothing is named without an entity, or without a fact."""
    assert _named("Where does my sister live?", FACTS, set()) == set()
    assert _named("Where does my sister live?", (), {ANN.id}) == set()


def _named(question: str, facts: tuple[Fact, ...], anchors: set[str]) -> set[str]:
    flags = named_edges(set(tokens(question)), anchors, facts)
    return {each.id for each, named in zip(facts, flags, strict=True) if named}
