"""What is read_contents of a memory on a real Neo4j."""

from __future__ import annotations

import pytest

from mem0g.browser.contents import MAX_SCOPES, read_contents
from mem0g.errors import NotFoundError
from mem0g.model import Scope
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore
from tests.browser.worlds import HARMER, HOSTILE_SCOPE, hostile, town
from tests.making import entity, fact, message


def test_a_town(store: Neo4jStore) -> None:
    """Counts, labels and types, the person of whom most is known, a change worth telling, and values for each query."""
    store.load(iter([town(Scope(user_id="town"))]))
    found = read_contents(store, user_id="town")
    assert found.owner == "user town"
    assert (found.counts.messages, found.counts.entities, found.counts.facts, found.counts.retired) == (2, 7, 7, 2)
    assert (found.counts.first, found.counts.last) == ("2023-01-10", "2024-03-05")
    assert found.labels == ("City", "Dog", "Drink", "Person")
    assert [(each.type, each.edges, each.retired) for each in found.types] == [
        ("FRIEND_OF", 2, 0),
        ("HAS_PET", 2, 0),
        ("LIKES", 1, 1),
        ("LIVES_IN", 2, 1),
    ]
    assert found.change is not None
    assert (found.change.before, found.change.after) == ("Ann lives in Porto.", "Ann moved to Lisbon.")
    assert (found.change.ended, found.change.decided_by) == ("2024-03-05", "some-model")
    assert found.values == {
        "scopes": ("user_id=town",),
        "person": "Ann",
        "people": ("Person",),
        "relation": "LIVES_IN",
        "day": "2024-03-04",
        "words": "Ann moved to Lisbon.",
    }


def test_a_memory_of_little(store: Neo4jStore) -> None:
    """Without people, changes or times there is still something to show; what there is not has no value."""
    scope = Scope(agent_id="little", run_id="r1")
    rock, hill = entity("rock", scope, type="mineral"), entity("hill", scope, type="place")
    lies = fact(rock, "LIES_ON", hill, said_at=None)
    store.load(iter([Change(scope=scope, entities=(rock, hill), facts=(lies,))]))
    found = read_contents(store, agent_id="little")
    assert found.owner == "agent little, run r1"
    assert found.change is None
    assert found.values == {
        "scopes": (found.scopes[0],),
        "person": "hill",
        "relation": "LIES_ON",
        "words": "rock lies on hill.",
    }


def test_messages_alone(store: Neo4jStore) -> None:
    """A memory that has no fact yet has a scope and a day, and nothing else to ask about."""
    scope = Scope(user_id="listener")
    store.load(iter([Change(scope=scope, messages=(message("hi", scope=scope),))]))
    assert read_contents(store, user_id="listener").values == {"scopes": ("user_id=listener",), "day": "2024-06-01"}


def test_harmful_names_are_read_as_they_are(store: Neo4jStore) -> None:
    """Names are values."""
    store.load(iter([hostile(HOSTILE_SCOPE)]))
    found = read_contents(store, user_id=HOSTILE_SCOPE.user_id)
    assert found.values["person"] == HARMER
    assert found.owner == f"user {HOSTILE_SCOPE.user_id}"


def test_a_memory_that_is_not_there(store: Neo4jStore) -> None:
    """Nobody's memory is an error that names whose."""
    with pytest.raises(NotFoundError, match="user nobody, run r9"):
        read_contents(store, user_id="nobody", run_id="r9")


def test_of_many_scopes_those_with_most_facts(store: Neo4jStore) -> None:
    """A database of many memories is not shown whole: the fullest are, and it says so."""
    for number in range(MAX_SCOPES + 2):
        scope = Scope(user_id=f"many-{number}", agent_id="many")
        ann, oslo = entity("Ann", scope, type="person"), entity("Oslo", scope, type="city")
        facts = [fact(ann, f"KNOWS_{each}", oslo) for each in range(1 + (number == 20))]
        store.load(iter([Change(scope=scope, entities=(ann, oslo), facts=tuple(facts))]))
    found = read_contents(store, agent_id="many")
    assert len(found.scopes) == MAX_SCOPES
    assert "many-20" in found.scopes[0]
    assert found.owner == f"the {MAX_SCOPES} scopes of {MAX_SCOPES + 2} that have most facts"
    assert read_contents(store, user_id="many-3", agent_id="many").owner == "user many-3, agent many"
