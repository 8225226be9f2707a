"""Current facts that a new one may have made untrue."""

from __future__ import annotations

import pytest

from mem0g import Memory, Triple
from mem0g.errors import InputError, NotFoundError, TripleError


def add(memory: Memory, relation: str, thing: str, text: str, **scope: str) -> str:
    """Add a fact about Atlas and return its id."""
    triple = Triple(subject="Atlas", relation=relation, object=thing, text=text)
    (change,) = memory.add_triples([triple], **(scope or {"user_id": "ann"})).changes
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
