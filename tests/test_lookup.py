"""Names that may be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g import Memory
from mem0g.errors import NotFoundError
from mem0g.lookup import did_you_mean, near_entities, near_names, near_scopes
from mem0g.model import Scope
from mem0g.testing import HashingEmbedder


@pytest.mark.parametrize(
    ("wanted", "names", "near"),
    [
        ("Tom", ["tomato", "Anna", "Tom 🚲"], ["Tom 🚲", "tomato"]),
        ("tom", ["TOM 🚲"], ["TOM 🚲"]),
        ("aleks", ["alex", "bea"], ["alex"]),
        ("Zoe", ["Zoë", "Zoë"], ["Zoë"]),
        ("a.c", ["abc", "a.c ltd"], ["a.c ltd", "abc"]),
        ("Ann", ["Ann A", "Ann B", "Ann C", "Ann D"], 3),
        ("", ["Ann"], []),
        (" ", ["Ann"], []),
        ("Quetzalcoatl", ["Ann", ""], []),
        ("Ann", [], []),
        ("x" * 10_000, ["Ann"], []),
    ],
)
def test_near_names(wanted: str, names: list[str], near: list[str] | int) -> None:
    """Those that contain it as a word come first, then as a part, then those spelt alike; three at most."""
    found = near_names(wanted, names)
    assert (len(found) if isinstance(near, int) else found) == near


def test_what_is_near_in_a_memory(tmp_path: Path) -> None:
    """An entity is looked for in its scope alone; an empty scope's keys among those of the same kind."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add_fact(subject="Tom 🚲", relation="lives in", object="Oslo", user_id="alex")
        memory.add_fact(subject="Tomas", relation="lives in", object="Oslo", user_id="bea", agent_id="alek")
        assert near_entities(memory.store, Scope("alex"), "Tom") == ["Tom 🚲"]
        with pytest.raises(NotFoundError) as caught:
            memory.entity("Tom", user_id="alex")
        assert caught.value.hint == "did you mean 'Tom 🚲'? `mem0g entities` lists them"
        assert near_scopes(memory.store, Scope("aleks")) == ["user 'alex'"]
        assert near_scopes(memory.store, Scope(None, "aleks")) == ["agent 'alek'"]
        assert near_scopes(memory.store, Scope("zz")) == []
    assert did_you_mean([]) == ""
    assert did_you_mean(["a", "b"]) == "did you mean 'a' or 'b'? "


def test_the_user_is_found_by_me(tmp_path: Path) -> None:
    """Where nothing else has that name, and the scope has a user."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="rules") as memory:
        memory.add_fact("I live in Oslo.", user_id="ann")
        assert {memory.entity(name, user_id="ann").name for name in ("me", "I", "the user")} == {"ann"}
        assert [each.object for each in memory.facts(entity="me", user_id="ann")] == ["Oslo"]
        with pytest.raises(NotFoundError, match="no entity 'me' in user_id=bob"):
            memory.entity("me", user_id="bob")
        memory.add_fact("Oslo is big.", agent_id="bot")
        with pytest.raises(NotFoundError, match="no entity 'me' in agent_id=bot"):
            memory.entity("me", agent_id="bot")
