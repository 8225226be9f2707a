"""Names, types and relations of any kind come back exactly as given, and are drawn as docs/graph.md says."""

from __future__ import annotations

from typing import Any

import pytest

from mem0g.extract import NoExtractor
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.settings import Settings
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.rows import OWN_LABELS, OWN_TYPES
from mem0g.testing import HashingEmbedder
from mem0g.testing.store_samples import write
from mem0g.text.names import normal_label, normal_relation
from tests.making import ANN, change, message, triple

WIDE = HashingEmbedder(384)
"""Wide enough that no two of the words here meet: relations with one vector are taken for synonyms."""

HOSTILE = (
    'O\'Brien "the boss" `x`',
    "`) DETACH DELETE n //",
    "$(labels) $name {id: 1}",
    "'); MATCH (n) DETACH DELETE n; //",
    "MATCH (n) RETURN n",
    "names:* OR +keys:x^2 (a b) [a TO b] ~ \\ / && || !",
    '"; \\" \\\\" \\',
    "🦊🏳️‍🌈👩‍👩‍👧",
    "مريم بنت عبد الله",
    "‏שלום‎",
    "居住于 東京都 ＮＡＳＡ",
    "हिन्दी ไทย",
    "two\nlines\tand a tab",
    "  spaces   around  ",
    "x" * 1000,
    "漢" * 1000,
    "a b " * 250,
    "123 go",
    "_",
    "null",
    "ǅ ﬁ ß İ",
    "\u202eabc\u200b\ufeff",
)
TOO_LONG = pytest.mark.xfail(strict=True, reason="the property is longer than a range index takes: 8 kB")

DRAWN = "MATCH (e:Entity {id: $id}) RETURN labels(e) AS labels"
EDGE = "MATCH (:Entity)-[r {fact_id: $id}]->(:Entity) RETURN type(r) AS type"


def wide(store: Neo4jStore) -> Memory:
    """A memory over a store."""
    return Memory(store, WIDE, NoExtractor(), Settings())


def drawn(store: Neo4jStore, text: str, **given: Any) -> list[Any]:
    """The values that a query past the store answers."""
    with store._connection._session("READ") as session:
        return [value for row in session.run(text, given) for value in row.values()]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_and_types(empty: Neo4jStore, name: str) -> None:
    """A name and a type come back as given, but for spaces; they are found by the name, and do nothing."""
    shown = " ".join(name.split())
    memory = wide(empty)
    memory.add_triples([triple("Ann", "knows", name, object_type=name)], user_id="ann")
    (fact,) = memory.facts(user_id="ann")
    assert (fact.object, fact.object_type, fact.text) == (shown, name.strip(), f"Ann knows {name}.")
    named = memory.entity(name, user_id="ann")
    assert (named.id, named.name, named.type) == (fact.object_id, shown, name.strip())
    label = normal_label(name)
    assert drawn(empty, DRAWN, id=named.id) == [["Entity", *([label] if label else [])]]
    assert memory.search(name, user_id="ann")
    assert [hit.text for hit in memory.search(f"Who is {name}?", user_id="ann", limit=1)] == [fact.text]
    memory.add_triples([triple(name, "knows", "Ann", subject_type=name)], user_id="ann")
    assert len(memory.entities(user_id="ann")) == 2
    assert memory.forget(user_id="ann").entities == 2


@pytest.mark.parametrize("relation", [each for each in HOSTILE if normal_relation(each)])
def test_relations(empty: Neo4jStore, relation: str) -> None:
    """A relation is drawn by its normal name, kept as given, and found by either."""
    memory = wide(empty)
    memory.add_triples([triple("Ann", relation, "Bob", "Ann and Bob.")], user_id="ann")
    (fact,) = memory.facts(user_id="ann", relation=relation)
    assert (fact.relation_given, fact.relation) == (relation, normal_relation(relation))
    assert drawn(empty, EDGE, id=fact.id) == [normal_relation(relation)]
    assert memory.facts(user_id="ann", relation=fact.relation) == (fact,)


def test_relations_that_mem0g_draws_itself(empty: Neo4jStore) -> None:
    """A relation of such a name is drawn with a ``_`` behind it, and is known by its own name all the same."""
    memory = wide(empty)
    for own in sorted(OWN_TYPES):
        memory.add_triples([triple("Ann", own.lower(), "Bob", f"Ann and Bob, {own}.")], user_id=own)
        (fact,) = memory.facts(user_id=own)
        assert (fact.relation_given, fact.relation) == (own.lower(), own)
        assert drawn(empty, EDGE, id=fact.id) == [f"{own}_"]
        assert [hit.text for hit in memory.search("Ann and Bob", user_id=own, limit=1)] == [f"Ann and Bob, {own}."]
        assert sorted(each.name for each, _ in memory.entities(user_id=own)) == ["Ann", "Bob"], own


def test_types_that_mem0g_draws_itself(empty: Neo4jStore) -> None:
    """A type of such a name is drawn with a ``_`` behind it: nothing takes the entity for a fact or a message."""
    memory = wide(empty)
    for own in sorted(OWN_LABELS - {"Literal"}):  # "literal" as a type means a value, no entity
        memory.add_triples([triple("Ann", "likes", "it", subject_type=own, object_type="")], user_id=own)
        ann = memory.entity("Ann", user_id=own)
        assert ann.type == own
        assert drawn(empty, DRAWN, id=ann.id) == [["Entity", f"{own}_"]]
        stats = empty.stats(Scope(user_id=own))
        counts = (stats.facts, stats.entities, stats.messages, stats.sessions, stats.retired)
        assert counts == (1, 2, 0, 0, 0), own


@pytest.mark.parametrize(
    "keys",
    [
        {"user_id": "o'x\"`$(y)", "agent_id": "a&b=c%20", "run_id": "../:*?"},
        {"user_id": "مريم", "run_id": "東京"},
        {"user_id": "a" * 255, "agent_id": "b" * 255, "run_id": "c" * 255},
        {"user_id": "漢" * 255, "agent_id": "漢" * 255, "run_id": "漢" * 255},
        {"user_id": "🦊" * 255, "agent_id": "🦊" * 255, "run_id": "🦊" * 255},
    ],
)
def test_scopes(empty: Neo4jStore, keys: dict[str, Any]) -> None:
    """Whatever is in the keys of a scope, it holds what is written to it, and no other sees it."""
    memory = wide(empty)
    memory.add("I live in Oslo.", **keys)
    memory.add("I live in Rome.", user_id="other")
    assert empty.stats(Scope(**keys)).scopes == (Scope(**keys),)
    assert {hit.text for hit in memory.search("Who lives where?", **keys)}.isdisjoint({"I live in Rome."})
    assert len(memory.messages(**keys)) == 1
    assert memory.forget(**keys).messages == 1
    assert empty.stats().messages == 1


@pytest.mark.parametrize("long", ["source", "session", pytest.param("source_id", marks=TOO_LONG), "speaker", "text"])
def test_long_texts(empty: Neo4jStore, long: str) -> None:
    """No part of a message is too long for an index."""
    given: dict[str, Any] = {long: "word " * 2000 + "漢" * 10_000}
    said = message(given.pop("text", "hello"), **given)
    write(empty, change(messages=[said]))
    assert empty.messages(ANN, [said.id]) == (said,)
    if said.source_id:
        assert empty.message_ids(ANN, [said.source_id]) == {said.source_id: (said.id,)}
