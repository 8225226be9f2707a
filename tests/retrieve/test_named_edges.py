"""Facts that a question names by an entity and words of relations, or the class of what it stands in a relation to."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from mem0g.model import Fact
from mem0g.retrieve.ranking.signals import named_classes, named_edges
from mem0g.store.candidates import FactCandidate, FactColumns
from mem0g.text.stemming import tokens
from tests.making import entity, fact

ANN, CARLA, TOM, ROME, OSLO = (entity(name) for name in ("Ann", "Carla", "Tom", "Rome", "Oslo"))
SISTER, BROTHER = fact(ANN, "HAS_SISTER", CARLA), fact(ANN, "HAS_BROTHER", TOM)
FACTS = (SISTER, BROTHER, *(fact(who, "LIVES_IN", where) for who, where in ((CARLA, ROME), (TOM, OSLO), (ANN, OSLO))))
LIVES_CARLA, LIVES_TOM, LIVES_ANN = FACTS[2:]


def columns(facts: Iterable[Fact]) -> FactColumns:
    """The facts as columns."""
    return FactColumns.of([FactCandidate(each, (), "") for each in facts])


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


EMMA, CHESS, RAIN = entity("Emma", type="book"), entity("Chess", type="board game"), entity("rain", type="literal")
READ, PLAYS, FEARS = (
    fact(ANN, relation, of) for relation, of in (("FINISHED", EMMA), ("PLAYS", CHESS), ("FEARS", RAIN))
)
GIVEN = fact(EMMA, "GIVEN_TO", TOM)


@pytest.mark.parametrize(
    ("question", "anchors", "named"),
    [
        ("Which books has Ann read?", {ANN.id}, {READ.id}),
        ("What games does Ann play?", {ANN.id}, {PLAYS.id}),
        ("What did Tom get, a book?", {TOM.id}, {GIVEN.id}),
        ("When did Ann finish the book Emma?", {ANN.id, EMMA.id}, set()),
        ("Which books has Bob read?", {"bob"}, set()),
        ("What literal thing does Ann fear?", {ANN.id}, set()),
        ("What does Ann like?", {ANN.id}, set()),
    ],
)
def test_of_a_class(question: str, anchors: set[str], named: set[str]) -> None:
    """The other end has a class that the question names, and is not named itself; values have none."""
    facts = (READ, PLAYS, FEARS, GIVEN)
    flags = named_classes(set(tokens(question)), anchors, columns(facts))
    assert {each.id for each, flag in zip(facts, flags, strict=True) if flag} == named


def _named(question: str, facts: tuple[Fact, ...], anchors: set[str]) -> set[str]:
    flags = named_edges(set(tokens(question)), anchors, columns(facts))
    return {each.id for each, named in zip(facts, flags, strict=True) if named}
