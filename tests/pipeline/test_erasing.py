"""Erasing a message also erases its text in wider scopes, the names it gave, and reasons held for review."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mem0g.errors import EmbedderMismatchError, UndoError
from mem0g.memory import Memory
from mem0g.model import Message
from mem0g.store.change import Change
from mem0g.store.records import ProposedRetirement, RetirementReview
from mem0g.testing import HashingEmbedder
from tests.making import triple
from tests.pipeline.telling import ANN, EMBEDDER, Place

RUN: dict[str, Any] = {"user_id": "ann", "run_id": "r"}


def memory_at(place: Place) -> Memory:
    """Open a memory for adding triples."""
    return Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials)


def say(memory: Memory, *texts: str, **scope: Any) -> list[Message]:
    """Add messages, and return them as stored."""
    memory.add([{"role": "user", "content": text} for text in texts], **scope)
    return list(memory.messages(**scope))


def held(memory: Memory) -> str:
    """Return all contents of the store."""
    with memory.store.snapshot() as snapshot:
        return json.dumps([str(change) for change in snapshot.changes])


def test_a_message_is_added_again(place: Place) -> None:
    """Messages that were extracted in the background, erased and added again under their ids get their facts again."""
    said = [
        {"role": "user", "content": "I live in Oslo.", "id": "one"},
        {"role": "user", "content": "I work at Acme.", "id": "two"},
    ]
    with Memory.open(place.address, embedder=EMBEDDER, extractor="rules", credentials=place.credentials) as memory:
        for _ in range(3):
            memory.add(said, **ANN, wait=False)
            memory.flush()
            assert {fact.relation for fact in memory.facts(**ANN)} == {"LIVES_IN", "WORKS_AT"}
            for message in memory.messages(**ANN):
                memory.erase(message.id, **ANN)
            assert memory.facts(**ANN) == ()
        assert memory.pending(**ANN) == ()
        assert memory.verify() == ()


def test_a_retraction_in_a_wider_scope(place: Place) -> None:
    """A log entry of a wider scope, without a fact, is erased with the message that it was made from."""
    with memory_at(place) as memory:
        memory.add_fact(subject="Ann", relation="lives in", object="Oslo", **ANN)
        (said,) = say(memory, "I left Oslo for Zanzibar.", **RUN)
        left = triple("Ann", "lives_in", "Oslo", "Ann left Oslo for Zanzibar.", retracts=True, evidence=(said.id,))
        memory.add_triples([left], **ANN)
        assert memory.erase(said.id, **RUN).decisions == 1
        assert "Zanzibar" not in held(memory)
        (oslo,) = memory.facts(include_retired=True, **ANN)
        assert not oslo.current
        assert memory.verify() == ()


def test_a_name_that_only_it_gave(place: Place) -> None:
    """An entity loses the names that only the erased message gave it; log entries with them cannot be undone."""
    with memory_at(place) as memory:
        first, second, third = say(memory, "one", "two", "three", **ANN)
        memory.add_triples([triple("Robert", "likes", "tea", evidence=(first.id,))], **ANN)
        memory.add_triples([triple("Robert", "also_known_as", "Zanzibob", evidence=(second.id,))], **ANN)
        memory.add_triples([triple("Robert", "also_known_as", "Bob", evidence=(third.id,))], **ANN)
        later = next(each for each in memory.decisions(**ANN) if "Zanzibob" in str(each.before))
        assert memory.entity("Robert", **ANN).aliases == ("Zanzibob", "Bob")
        memory.erase(second.id, **ANN)
        assert "anzibob" not in held(memory)
        assert memory.entity("Robert", **ANN).aliases == ("Bob",)
        assert memory.search("tea", **ANN)[0].text == "Robert likes tea."
        with pytest.raises(UndoError, match="erased"):
            memory.undo(later.id, **ANN)
        assert memory.verify() == ()


def test_what_is_held_for_review(place: Place) -> None:
    """An entry held for review names no erased fact, and keeps no reason of a model that may quote it."""
    with memory_at(place) as memory:
        for object_ in ("tea", "Xanthipp", "rain"):
            memory.add_fact(subject="Ann", relation="likes", object=object_, **ANN)
        facts = memory.facts(**ANN)
        ends = [
            ProposedRetirement(fact_id=each.id, successor_id=None, reason=f"no {each.object}", since=None)
            for each in facts
        ]
        ends[0] = replace(ends[0], successor_id=facts[1].id, reason="she likes Xanthipp now")
        scope, at = facts[0].scope, facts[0].recorded_at
        review = RetirementReview(id="r_1", scope=scope, window="w_1", at=at, model="tiny", retirements=tuple(ends))
        memory.store.write(scope, lambda work: work.commit(Change(scope=scope, reviews=(review,))))
        memory.erase(facts[1].id, **ANN)
        assert "Xanthipp" not in held(memory)
        (entry,) = memory.review(**ANN)
        assert [(each.fact, each.successor) for each in entry.retirements] == [(facts[0], None), (facts[2], None)]
        assert memory.accept("r_1", **ANN) == 2


@pytest.mark.slow
@pytest.mark.alters_schema
def test_a_change_by_hand_after_a_reindex(place: Place) -> None:
    """A manual change uses vectors of the store's embedder, or is refused."""
    with memory_at(place) as memory:
        for name in ("Robert", "Mallory"):
            memory.add_fact(subject=name, relation="likes", object="tea", **ANN)
        merged = memory.merge("Robert", "Mallory", **ANN)
        with memory_at(place) as other:
            other._embedding.embedder = HashingEmbedder(32)
            other.reindex()
        with pytest.raises(EmbedderMismatchError, match="hashing-32"):
            memory.undo(merged.id, **ANN)
        assert memory.verify() == ()


def test_what_was_known_before_it_was_told(place: Place) -> None:
    """A fact that was told late, and retired by what was known already, stays retired when that is erased."""
    with Memory.open(place.address, embedder=EMBEDDER, extractor="rules", credentials=place.credentials) as memory:
        for day, text in (("2024-03-01", "I live in Rome."), ("2023-03-01", "I live in Oslo.")):
            memory.add([{"role": "user", "name": "Ann", "content": text, "timestamp": day}], **ANN)
        (rome,) = memory.facts(**ANN)
        memory.erase(rome.id, **ANN)
        (oslo,) = memory.facts(include_retired=True, **ANN)
        (end,) = memory.why(oslo.id, **ANN).successions
        assert not oslo.current
        assert end.successor_id is None
        assert memory.verify() == ()


@pytest.mark.parametrize("winner", [0, 1])
def test_a_name_of_a_merged_entity(place: Place, winner: int) -> None:
    """A name that only the erased message gave is in no entity, log entry or reason, whichever took in the other."""
    names = ("Zoltan", "Miriam Zanzibar")
    with memory_at(place) as memory:
        messages = say(memory, "one", "two", **ANN)
        for name, message in zip(names, messages, strict=True):
            memory.add_triples([triple(name, "likes", f"tea of {message.text}", evidence=(message.id,))], **ANN)
        memory.merge(names[winner], names[1 - winner], **ANN)
        memory.erase(messages[1].id, **ANN)
        assert "anzibar" not in held(memory)
        assert memory.entity("Zoltan", **ANN).aliases == ()
        assert [fact.text for fact in memory.facts(**ANN)] == ["Zoltan likes tea of one."]
        assert memory.verify() == ()
