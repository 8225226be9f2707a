"""The part of the store contract about passages: the parts of a long message, which are found in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mem0g.model import Message, Passage, Scope
from mem0g.store.candidates import MessageCandidate
from mem0g.store.change import Change
from mem0g.store.protocol import Store, commit
from mem0g.store.queries import CURRENT, EVERYTHING, SearchQuery, View
from mem0g.testing.samples import ANN, BOB, EMBEDDER, change, day, dumped, entity, fact, message, vector
from mem0g.text.stemming import tokens

if TYPE_CHECKING:
    from mem0g.model import Vector

FILL = "This sentence only makes the section as long as sections usually are. " * 6
PLAN = f"""Here is a plan for your garden, with a part for each season.

## Spring

Sow the lettuce early, {FILL}

## Summer 🌻

Water the tomatoes at dawn, {FILL}

## Autumn

Prune the quince before the frost, {FILL}
"""
SPEAKER: dict[str, Any] = {"speaker": "Sam", "role": "assistant"}
ASKED, LONG = message("How do I plan my garden?"), message(PLAN, 1, **SPEAKER)
SPRING, SUMMER, AUTUMN = LONG.passages()[-3:]
REST = LONG.passages()[:-3]


def vectors(*messages: Message) -> Change:
    """Return a change of messages with their vectors: a long one's are of its passages."""
    texts = {key: text for each in messages for key, text in each.embedded_texts().items()}
    return replace(change(messages=messages), vectors={key: vector(text) for key, text in texts.items()})


def found(
    store: Store, words: str, scope: Scope = ANN, *, by: str = "both", view: View = CURRENT
) -> list[MessageCandidate]:
    """Return the messages and passages nearest to ``words`` or with one of them, one of each kind and channel."""
    terms = () if by == "vector" else tuple(tokens(words))
    near = vector("nothing" if by == "text" else words)
    return list(store.find(scope, SearchQuery(vectors=(near,), terms=terms, messages=1, view=view)).messages)


def passages_found(store: Store, words: str, scope: Scope = ANN, *, by: str = "both") -> list[Passage | None]:
    """Return the passage of each candidate found, None for a message as a whole."""
    return [each.passage for each in found(store, words, scope, by=by)]


class PassageContract:
    """Tests of passages."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    @pytest.fixture
    def planned(self, store: Store) -> Store:
        """A store in which Ann asked how to plan her garden, and Sam answered at length."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        commit(store, vectors(ASKED, LONG))
        return store

    def test_a_long_message_is_found_by_its_passages(self, planned: Store) -> None:
        """Full text and vectors find a passage, with the whole message, its place and its own cosines and stems."""
        for by in ("text", "both"):
            assert SUMMER in passages_found(planned, "water tomatoes at dawn", by=by)
        (near,) = [each for each in found(planned, SUMMER.titled(LONG.text), by="vector") if each.passage == SUMMER]
        assert near.message == LONG
        assert near.text.startswith("## Summer 🌻\n\nWater the tomatoes at dawn")
        assert near.similarities is not None
        assert near.similarities[0] > 0.9
        assert {"tomato", "sam"} <= set(near.terms.split())
        assert "quinc" not in near.terms.split()

    def test_a_passage_is_found_in_place_of_its_message(self, planned: Store) -> None:
        """No search returns both; a short message is found as before and has no passage."""
        every = planned.find(ANN, SearchQuery(vectors=(vector("garden"),), terms=tuple(tokens("garden plan season"))))
        assert [each.passage for each in every.messages if each.message == LONG] == [*REST, SPRING, SUMMER, AUTUMN]
        assert [each.passage for each in every.messages if each.message == ASKED] == [None]
        assert every.turns.ids == (ASKED.id, LONG.id)
        assert "quinc" in every.turns.terms[1].split()

    def test_identifiers_are_found_by_their_words(self, store: Store) -> None:
        """Names in camel case are found as they are and by their words."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        said = message(f"{PLAN}\nCall waterGardenBeds() at noon.", 1, **SPEAKER)
        commit(store, vectors(said))
        for words in ("waterGardenBeds", "garden beds"):
            (last, *_) = [each for each in found(store, words, by="text") if each.passage == said.passages()[-1]]
            assert "waterGardenBeds" in last.text
        assert store.verify() == ()

    def test_a_term_of_several_stems(self, store: Store) -> None:
        """It finds the text in which they follow each other, such as a version, and no other that has them."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        other, pinned = message("0 of 6 boxes, 2 lamps"), message("Pin Flask-Login to 0.6.2.", 1)
        commit(store, vectors(other, pinned))
        for term, expected in (("0 6 2", [other, pinned]), ("6 2 0", [other]), ("flask login 0 6 2", [other, pinned])):
            probe = SearchQuery(vectors=(vector(other.text),), terms=(term,), messages=1)
            said = [each.message for each in store.find(ANN, probe).messages]
            assert sorted(said, key=lambda each: each.position) == expected

    def test_a_whole_vector_keeps_a_message_whole(self, store: Store) -> None:
        """A message that comes with one vector, as from an older store, is found as a whole until a reindex."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        commit(store, change(messages=[LONG]))
        assert passages_found(store, "prune the quince") == [None]
        assert store.verify() == ()
        texts: list[str] = []

        def embed(given: Sequence[str]) -> Sequence[Vector]:
            texts.extend(given)
            return list(EMBEDDER.embed(given))

        count = store.replace_embedder(EMBEDDER.name, EMBEDDER.dimensions, embed)
        assert count == len(LONG.passages())
        assert set(texts) == set(LONG.embedded_texts().values())
        assert AUTUMN in passages_found(store, "prune the quince")
        assert None not in passages_found(store, "prune the quince")
        assert store.verify() == ()

    def test_vectors_may_come_later(self, store: Store) -> None:
        """Passages stored while embedding failed are found by full text, and by their vectors when they have them."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        commit(store, Change(scope=ANN, messages=(LONG,)))
        (alone,) = found(store, "quince")
        assert (alone.passage, alone.similarities) == (AUTUMN, None)
        commit(store, Change(scope=ANN, vectors=vectors(LONG).vectors))
        (near,) = found(store, AUTUMN.titled(LONG.text), by="vector")
        assert near.passage == AUTUMN
        assert near.similarities is not None

    def test_other_scopes_find_nothing(self, planned: Store) -> None:
        """Neither the words nor the vectors of a passage reach another user, agent or run."""
        for other in (BOB, Scope(agent_id="ann"), Scope(user_id="ann", run_id="r1")):
            for by in ("text", "vector"):
                assert passages_found(planned, "water the tomatoes at dawn", other, by=by) == []
        said = message("Another long answer, about the sea. " * 40, scope=BOB)
        commit(planned, replace(vectors(said), scope=BOB))
        assert {each.message.id for each in found(planned, "water the tomatoes", BOB)} == {said.id}
        assert said.id not in {each.message.id for each in found(planned, "another answer about the sea")}

    def test_a_covering_scope_finds_them(self, store: Store) -> None:
        """What was said to an agent in a run is found for its user."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        run = Scope(user_id="ann", agent_id="sam", run_id="r1")
        said = message(PLAN, 1, run, **SPEAKER)
        commit(store, replace(vectors(said), scope=run))
        for by in ("text", "both"):
            assert said.passages()[-1] in passages_found(store, "prune the quince", by=by)
        assert store.homes(ANN, [said.id]) == {said.id: run}

    def test_the_known_past(self, store: Store) -> None:
        """A view of what was known earlier has no passage of a message that was recorded later."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        later = replace(LONG, recorded_at=day("2024-08-01"))
        commit(store, vectors(later))
        before = replace(EVERYTHING, known_at=day("2024-07-01"))
        assert found(store, "prune the quince", view=before) == []
        assert found(store, "prune the quince", view=replace(before, known_at=day("2024-09-01")))

    def test_facts_that_cite_the_message(self, planned: Store) -> None:
        """A passage that is found brings the facts from its message."""
        ann, garden = entity("Ann"), entity("garden")
        plans = fact(ann, "PLANS", garden, evidence=(LONG.id,))
        commit(planned, change(entities=[ann, garden], facts=[plans]))
        seen = planned.find(ANN, SearchQuery(vectors=(vector("x"),), terms=("quinc",), facts=1, nearest_anchors=0))
        assert plans in [each.fact for each in seen.facts]
        assert not any(each.outdated for each in seen.messages)

    def test_erasing(self, planned: Store) -> None:
        """Passages go with their message; it can be written again."""
        commit(planned, Change(scope=ANN, erased=(LONG.id,)))
        assert found(planned, "prune the quince") == found(planned, "garden")
        assert [each.message for each in found(planned, "prune the quince")] == [ASKED]
        assert planned.verify() == ()
        commit(planned, vectors(LONG))
        assert AUTUMN in passages_found(planned, "prune the quince")
        assert planned.verify() == ()

    def test_forgetting(self, planned: Store) -> None:
        """Passages go with their scope, and others stay; a receipt counts messages, not passages."""
        said = message(PLAN, scope=BOB)
        commit(planned, replace(vectors(said), scope=BOB))
        assert planned.forget(ANN).messages == 2
        assert found(planned, "prune the quince") == []
        assert said.passages()[-1] in passages_found(planned, "prune the quince", BOB)
        assert planned.verify() == ()

    def test_a_copy_has_the_passages(self, planned: Store, another: Callable[[], Store]) -> None:
        """Loading a dump gives an equal store, with the vectors but for rounding; loading it again changes nothing."""
        copy = another()
        copy.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        for _ in range(2):
            copy.load(iter(dumped(planned)))
        kept, given = dumped(copy), dumped(planned)
        assert str([replace(each, vectors={}) for each in kept]) == str([replace(each, vectors={}) for each in given])
        for one, other in zip(kept, given, strict=True):
            assert one.vectors.keys() == other.vectors.keys()
            assert all(np.allclose(one.vectors[key], other.vectors[key], atol=1e-3) for key in one.vectors)
        assert {key for part in dumped(copy) for key in part.vectors} == set(vectors(ASKED, LONG).vectors)
        for by in ("text", "vector", "both"):
            assert passages_found(copy, "prune the quince", by=by) == passages_found(planned, "prune the quince", by=by)
        assert copy.verify() == ()

    def test_writing_again_changes_nothing(self, planned: Store) -> None:
        """A message that is stored already keeps its passages and their vectors."""
        before = str(dumped(planned))
        commit(planned, vectors(ASKED, LONG))
        commit(planned, Change(scope=ANN, messages=(LONG,)))
        assert str(dumped(planned)) == before
        assert planned.verify() == ()

    def test_reindexing_again_changes_nothing(self, planned: Store) -> None:
        """Cutting a message that is in passages already gives the same ones."""
        before = planned.find(ANN, SearchQuery(vectors=(vector("x"),), terms=tuple(tokens("season sow water prune"))))
        planned.replace_embedder(EMBEDDER.name, EMBEDDER.dimensions, lambda these: list(EMBEDDER.embed(these)))
        again = planned.find(ANN, SearchQuery(vectors=(vector("x"),), terms=tuple(tokens("season sow water prune"))))
        assert again.messages == before.messages
        assert planned.verify() == ()
