"""Values in a memory: told as triples, searched, drawn, corrected, undone and erased, in both stores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from mem0g.errors import NotFoundError
from mem0g.memory import Memory
from mem0g.model import Fact, Triple
from mem0g.transfer.jsonl import export_lines
from mem0g.views import dot, html, mermaid
from tests.making import triple
from tests.pipeline.telling import EMBEDDER, Place, in_a_file

U: dict[str, Any] = {"user_id": "ann"}


def value(subject: str, relation: str, obj: str, **given: Any) -> Triple:
    """A triple whose object is a value."""
    return triple(subject, relation, obj, subject_type="person", object_type="literal", **given)


@pytest.fixture
def memory(place: Place) -> Iterator[Memory]:
    """A memory of Ann, who has blue eyes and no hobby and lives in Oslo, and of Ben, who has blue eyes too."""
    with Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials) as opened:
        told = [
            value("Ann", "has_eye_color", "blue"),
            value("Ann", "has_hobby", "no hobby so far"),
            value("Ben", "has_eye_color", "blue"),
            triple("Ann", "lives_in", "Oslo", subject_type="person", object_type="city"),
        ]
        report = opened.add_triples(told, **U)
        assert (report.facts, report.entities) == (4, 3)
        yield opened


def of_ann(memory: Memory, relation: str) -> Fact:
    """The one current fact of Ann's of a relation."""
    (found,) = memory.facts(entity="Ann", relation=relation, **U)
    return found


@in_a_file
def test_values_are_no_entities(memory: Memory) -> None:
    """They are in no list and no count, have no name, and cannot be merged; their facts are found."""
    assert sorted(each.name for each, _ in memory.entities(**U)) == ["Ann", "Ben", "Oslo"]
    assert memory.stats(**U).entities == 3
    hobby = of_ann(memory, "has_hobby")
    assert hobby.object_is_literal
    assert memory.search("no hobby so far", **U)[0].fact == hobby
    assert "no hobby so far" in memory.context("Does Ann have a hobby?", **U).text
    with pytest.raises(NotFoundError):
        memory.subgraph("blue", **U)
    with pytest.raises(NotFoundError, match="'no hobby so far' is the value of a fact") as caught:
        memory.merge("Ann", hobby.object_id, **U)
    assert caught.value.hint


def test_values_in_drawings(memory: Memory) -> None:
    """A drawing has a person's values, drawn plainly, and nobody else who has one of them."""
    graph = memory.subgraph("Ann", hops=3, **U)
    names = {node["name"]: node["type"] for _, node in graph.nodes(data=True)}
    assert names == {"Ann": "person", "Oslo": "city", "blue": "literal", "no hobby so far": "literal"}
    assert dot(graph).count("shape=plaintext") == 2
    assert "classDef literal" in mermaid(graph)
    assert "no hobby so far" in html(graph)
    plain = {node: data for node, data in graph.nodes(data=True) if data["type"] != "literal"}
    assert "literal" not in mermaid(graph.subgraph(plain)) + dot(graph.subgraph(plain))


@in_a_file
def test_the_same_value_again_and_another(memory: Memory) -> None:
    """The same value confirms, in any case; another of a relation with one at a time ends it."""
    again = value("Ann", "has_hobby", "No hobby so far", text="Ann has hobby no hobby so far.")
    assert memory.add_triples([again], **U).confirmed == 1
    memory.define_relation("has_eye_color", one_object=True, **U)
    report = memory.add_triples([value("Ann", "has_eye_color", "grey")], **U)
    assert (report.facts, report.retired) == (1, 1)
    assert of_ann(memory, "has_eye_color").object == "grey"
    (bens,) = memory.facts(entity="Ben", **U)
    assert (bens.object, bens.current) == ("blue", True)
    assert memory.store.verify() == ()


@in_a_file
def test_undoing_and_correcting(memory: Memory) -> None:
    """An undone value is retired and can be told again; a corrected one stays a value."""
    hobby = of_ann(memory, "has_hobby")
    (decision,) = memory.decisions(about=hobby.id, **U)
    memory.undo(decision.id, **U)
    assert memory.facts(entity="Ann", relation="has_hobby", **U) == ()
    assert memory.add_triples([value("Ann", "has_hobby", "no hobby so far")], **U).facts == 1
    memory.correct(of_ann(memory, "has_hobby").id, object="painting, a little", **U)
    corrected = of_ann(memory, "has_hobby")
    assert (corrected.object, corrected.object_is_literal) == ("painting, a little", True)
    assert memory.store.verify() == ()


@in_a_file
def test_merging_and_parting_the_subject(memory: Memory) -> None:
    """A merged entity brings its values along, and takes them with it when it is parted again."""
    memory.merge("Ann", "Ben", **U)
    assert {each.object for each in memory.facts(entity="Ann", **U)} == {"blue", "no hobby so far", "Oslo"}
    memory.unmerge("Ann", "Ben", **U)
    assert {each.object for each in memory.facts(entity="Ben", **U)} == {"blue"}
    assert memory.store.verify() == ()


def test_erasing_leaves_no_word(memory: Memory) -> None:
    """A value goes with its last fact and is counted as a fact, not as an entity; one in use stays."""
    hobby = of_ann(memory, "has_hobby")
    receipt = memory.erase(hobby.id, **U)
    assert (receipt.facts, receipt.entities) == (1, 0)
    memory.erase(of_ann(memory, "has_eye_color").id, **U)
    assert "hobby" not in "".join(export_lines(memory.store))
    assert memory.store.entities(hobby.scope, [hobby.object_id]) == ()
    (bens,) = memory.facts(entity="Ben", **U)
    assert memory.store.entities(hobby.scope, [bens.object_id]) != ()
    assert memory.store.verify() == ()


@in_a_file
def test_why_and_json(memory: Memory) -> None:
    """A fact with a value is explained, and is JSON, as any other."""
    hobby = of_ann(memory, "has_hobby")
    assert memory.why(hobby.id, **U).fact == hobby
    (line,) = [json.loads(each) for each in export_lines(memory.store) if hobby.id in each and '"facts"' in each]
    assert line["record"]["object_type"] == "literal"
