"""Current facts that a new one may have made untrue."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mem0g import Memory, Scope, Triple
from mem0g.errors import InputError, NotFoundError, TripleError
from mem0g.lookup import scope_keys
from mem0g.testing import HashingEmbedder

if TYPE_CHECKING:
    from mem0g.model import Matrix


def add(memory: Memory, relation: str, thing: str, text: str, **scope: str) -> str:
    """Add a fact about Atlas and return its id."""
    triple = Triple(subject="Atlas", relation=relation, object=thing, text=text)
    (change,) = memory.add_triples([triple], **scope_keys(Scope(**(scope or {"user_id": "ann"})))).changes
    return change.fact_id


def outdated(memory: Memory, fact: str) -> list[str]:
    """The texts of what a fact may have made untrue."""
    return [each.text for each in memory.possibly_outdated(fact, user_id="ann")]


def test_another_fact_of_the_relation(memory: Memory) -> None:
    """Of the same subject, relation and scope, as long as it is current."""
    fly = add(memory, "deployed_on", "Fly.io", "Atlas is deployed on Fly.io.")
    add(memory, "deployed_on", "Heroku", "Atlas is deployed on Heroku.", user_id="bob")
    add(memory, "written_in", "Go", "Atlas is written in Go.")
    aws = add(memory, "deployed_on", "AWS", "Atlas is deployed on AWS.")
    assert outdated(memory, aws) == ["Atlas is deployed on Fly.io."]
    assert outdated(memory, fly[:8]) == ["Atlas is deployed on AWS."]
    memory.retire(fly, user_id="ann")
    assert outdated(memory, aws) == []


def test_other_names_of_the_relation(memory: Memory) -> None:
    """An assistant names relations as it likes: one of the same verb counts if the sentences are nearly alike."""
    add(memory, "uses_for_storage", "Postgres", "Atlas uses Postgres as its database.")
    add(memory, "uses_as_logo", "a whale", "Atlas uses a whale as its logo.")
    new = add(memory, "uses_database", "MySQL", "Atlas uses MySQL as its database.")
    assert outdated(memory, new) == ["Atlas uses Postgres as its database."]


@pytest.mark.parametrize(
    ("relation", "texts"),
    [
        ("likes", ["Atlas likes tea.", "Atlas likes jazz."]),
        ("has_friend", ["Bo is a friend of Atlas.", "Cy is a friend of Atlas."]),
        ("toured", ["Atlas toured Rome.", "Atlas toured Oslo."]),
        ("has_colour", ["Atlas has red.", "Atlas has blue.", "Atlas has green.", "Atlas has a plan for Monday."]),
    ],
)
def test_what_stands_beside_the_others(memory: Memory, relation: str, texts: list[str]) -> None:
    """Relations of which there are several at a time, events, and what is a list by now."""
    ids = [add(memory, relation, text.split()[-1].strip("."), text) for text in texts]
    assert outdated(memory, ids[-1]) == []


class Counting(HashingEmbedder):
    """Notes how many texts it embeds at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See Embedder."""
        self.asked.append(len(texts))
        return super().embed(texts)


def test_several_facts_at_once(tmp_path: Path) -> None:
    """They are embedded together, and what more than one of them may have made untrue is returned once."""
    embedder = Counting()
    with Memory.open(tmp_path / "memory.db", embedder=embedder, extractor="none") as memory:
        fly = add(memory, "deployed_on", "Fly.io", "Atlas is deployed on Fly.io.")
        go = add(memory, "written_in", "Go", "Atlas is written in Go.")
        rust = add(memory, "written_in", "Rust", "Atlas is written in Rust.")
        aws = add(memory, "deployed_on", "AWS", "Atlas is deployed on AWS.")
        embedder.asked.clear()
        found = memory.possibly_outdated([rust, aws, go, rust[:10]], user_id="ann")
        assert [each.id for each in found] == [go, fly, rust]
        assert embedder.asked == [4]
        assert memory.possibly_outdated([], user_id="ann") == ()


def test_facts_of_one_message(memory: Memory) -> None:
    """Two ports that one message names do not contradict each other."""
    (cited,) = memory.add("Atlas listens on 8443 and on 9443.", user_id="ann").message_ids
    triples = [
        Triple(subject="Atlas", relation="has_port", object=port, text=f"Atlas has port {port}.", evidence=(cited,))
        for port in ("8443", "9443")
    ]
    report = memory.add_triples(triples, user_id="ann")
    assert [outdated(memory, change.fact_id) for change in report.changes] == [[], []]


def test_bad_input(memory: Memory) -> None:
    """An unknown fact, no scope, and a triple that is a dict."""
    with pytest.raises(NotFoundError):
        memory.possibly_outdated("f_0000", user_id="ann")
    with pytest.raises(InputError):
        memory.possibly_outdated("f_0000")
    with pytest.raises(TripleError, match="is no Triple"):
        memory.add_triples([{"subject": "Atlas"}], user_id="ann")  # type: ignore[list-item]
