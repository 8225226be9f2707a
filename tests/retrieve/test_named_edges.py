"""Facts that a question names by an entity and words of relations, by both ends, or by the class of an end."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from mem0g import Memory, Triple
from mem0g.model import Fact
from mem0g.retrieve.ranking.named_edges import edges_between, introductions, named_classes, named_edges
from mem0g.store.candidates import FactCandidate, FactColumns
from mem0g.testing import HashingEmbedder
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


@pytest.mark.parametrize(
    ("question", "anchors", "introduced"),
    [
        ("Where does my sister live?", {ANN.id}, {SISTER.id}),
        ("What is Ann's brother allergic to?", {ANN.id}, {BROTHER.id}),
        ("Who is my sister?", {ANN.id}, set()),
        ("What is Ann's sister called again?", {ANN.id}, set()),
        ("Is Carla still Ann's sister?", {ANN.id, CARLA.id}, set()),
        ("Who has a sister in Rome?", {ROME.id}, set()),
        ("Where does Ann live?", {ANN.id}, set()),
        ("", set(), set()),
    ],
)
def test_who_is_only_meant(question: str, anchors: set[str], introduced: set[str]) -> None:
    """ "My sister" means Carla by the fact that says so, unless it is asked for, or she is named."""
    names = {each.name for each in (ANN, CARLA, ROME) if each.id in anchors}
    said = introductions(question, tokens(question), names, anchors, columns(FACTS))
    assert {each.id for each, only in zip(FACTS, said, strict=True) if only} == introduced


def test_what_is_asked_of_a_relative_comes_before_who_that_is(tmp_path: Path) -> None:
    """Also where only a message tells it."""
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="rules") as memory:
        for text in (
            "My husband is called Jude.",
            "my husband gets a rash from kiwis, he's allergic",
            *(f"We painted shed number {number} blue." for number in range(9)),
        ):
            memory.add([{"role": "user", "name": "Ann", "content": text}], user_id="u")
        assert "rash" in memory.search("What is my husband allergic to?", user_id="u")[0].text
        assert memory.search("Who is my husband?", user_id="u")[0].text == "Jude is Ann's husband."


def test_without_anchors_or_facts() -> None:
    """Nothing is named without an entity, or without a fact."""
    assert _named("Where does my sister live?", FACTS, set()) == set()
    assert _named("Where does my sister live?", (), {ANN.id}) == set()


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("When did Ann buy it?", "BOUGHT"),
        ("What has Ann bought?", "BUYS"),
        ("Has Ann seen Rome?", "SAW"),
        ("Who taught Ann?", "IS_TAUGHT_BY"),
        ("What does Ann teach?", "TAUGHT"),
    ],
)
def test_forms_of_irregular_verbs(question: str, relation: str) -> None:
    """A relation is named by any form of its verb, and not by a form of another one."""
    told, other = fact(ANN, relation, ROME), fact(ANN, "BROUGHT", OSLO)
    assert _named(question, (told, other), {ANN.id}) == {told.id}


def test_both_ends() -> None:
    """The only fact between two that are named has a point, several share it; one from a node to itself has none."""
    bought, of_another = fact(ANN, "BOUGHT", ROME), fact(TOM, "BOUGHT", ROME)
    visited, left, alias = fact(ANN, "VISITED", OSLO), fact(OSLO, "LEFT_BY", ANN), fact(ANN, "ALSO_KNOWN_AS", ANN)
    facts = columns([bought, of_another, visited, left, alias])
    assert edges_between({ANN.id, ROME.id, OSLO.id}, facts).tolist() == [1, 0, 0.5, 0.5, 0]
    assert edges_between({ANN.id}, facts).tolist() == [0, 0, 0, 0, 0]
    assert edges_between(set(), columns(())).tolist() == []


def test_the_edge_that_is_asked_for_comes_first(tmp_path: Path) -> None:
    """Of many facts whose sentences are alike, the one between the two entities that the question names."""
    people = [f"{first} {last}" for first in ("Ann", "Tom", "Ida") for last in ("Berg", "Costa", "Grant")]
    things = [f"{kind} {thing}" for kind in ("red", "broken", "old") for thing in ("guitar", "lamp", "tent")]
    pairs = [(person, thing) for person in people for thing in things]
    triples = [
        Triple(
            subject=person,
            relation="bought",
            object=thing,
            text=f"{person} bought the {thing} on {1 + at % 28} May 2021.",
        )
        for at, (person, thing) in enumerate(pairs)
    ]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(256), extractor="none") as memory:
        memory.add_triples(triples, user_id="ann")
        found = [
            memory.search(f"When did {person} buy the {thing}?", limit=1, user_id="ann")[0].fact
            for person, thing in pairs
        ]
    assert [(each.subject, each.object) for each in found if each] == pairs


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
