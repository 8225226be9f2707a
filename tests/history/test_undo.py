"""Any sequence of changes, undone in reverse, gives the memory back as it was at each step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mem0g.errors import InputError, NotFoundError
from mem0g.extract import NoExtractor
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.settings import Settings
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore
from tests.making import EMBEDDER, triple

U: dict[str, Any] = {"user_id": "ann"}
ANN = Scope(user_id="ann")
PEOPLE = ("Zora", "Quinn", "Edda", "Ivo")
THINGS = ("Oslo", "Rome", "Lima")
MESSAGES = ("D1:1", "D1:2")

Step = tuple[Any, ...]

steps = st.one_of(
    st.tuples(
        st.just("add"),
        st.sampled_from(PEOPLE),
        st.sampled_from(("lives_in", "likes", "visited")),
        st.sampled_from(THINGS),
        st.sampled_from((None, "2020", "2023-05")),
    ),
    st.tuples(
        st.just("hear"),
        st.sampled_from(PEOPLE),
        st.sampled_from(("lives_in", "likes")),
        st.sampled_from(THINGS),
        st.sampled_from(MESSAGES),
    ),
    st.tuples(st.just("alias"), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)),
    st.tuples(st.just("correct"), st.integers(0, 5), st.sampled_from(PEOPLE), st.sampled_from(THINGS)),
    st.tuples(st.just("retire"), st.integers(0, 5)),
    st.tuples(st.just("merge"), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)),
    st.tuples(st.just("unmerge"), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)),
    st.tuples(st.just("undo"), st.integers(0, 5)),
)


def take(memory: Memory, step: Step) -> None:
    """Take a step; what it names may not be there any more, and then nothing happens."""
    kind, *given = step
    try:
        if kind == "add":
            who, relation, what, since = given
            memory.add_fact(subject=who, relation=relation, object=what, valid_from=since, **U)
        elif kind == "hear":
            who, relation, what, said = given
            memory.add_triples([triple(who, relation, what, evidence=(said,))], **U)
        elif kind == "alias":
            memory.add_fact(subject=given[0], relation="also_known_as", object=given[1], **U)
        elif kind in ("correct", "retire"):
            current = memory.facts(**U)
            fact = current[given[0] % len(current)].id if current else "f_none"
            if kind == "correct":
                memory.correct(fact, subject=given[1], object=given[2], **U)
            else:
                memory.retire(fact, **U)
        elif kind == "undo":
            log = memory.decisions(**U)
            memory.undo(log[given[0] % len(log)].id if log else "d_none", cascade=True, **U)
        else:
            getattr(memory, kind)(*given, **U)
    except (NotFoundError, InputError):
        pass


def seen(memory: Memory) -> dict[str, Any]:
    """The current memory: its facts, and the names of the entities that they are about."""
    facts = memory.facts(**U)
    ends = {end for fact in facts for end in (fact.subject_id, fact.object_id)}
    entities = memory.store.entities(ANN, sorted(ends))
    told = sorted((f.text, f.subject_id, f.object_id, f.evidence, str(f.valid_from), str(f.valid_to)) for f in facts)
    return {
        "facts": told,
        "names": {each.id: (each.name, each.aliases, each.merged_into) for each in entities},
        "found": {
            name: [each.id for each in memory.store.match_names(ANN, [name]) if each.id in ends] for name in PEOPLE
        },
        "walked": sorted(fact.id for fact in memory.store.walk(ANN, sorted(ends), 1, 1000)),
    }


def undone_in_reverse(store: Store, taken: list[Step]) -> None:
    """Take the steps, then undo what each did, the last first; the memory is seen to be as it was after each."""
    memory = Memory(store, EMBEDDER, NoExtractor(), Settings())
    said = [{"role": "user", "name": "Zora", "content": f"Words {each}.", "id": each} for each in MESSAGES]
    memory.add(said, **U)
    states, made = [seen(memory)], []
    for step in taken:
        before = {each.id for each in memory.decisions(**U)}
        take(memory, step)
        made.append([each.id for each in memory.decisions(**U) if each.id not in before])
        states.append(seen(memory))
    for new, state in zip(reversed(made), reversed(states[:-1]), strict=True):
        for decision in new:  # the latest first
            if memory.store.log(ANN, 1000) and changed(memory, decision):
                memory.undo(decision, **U)
        assert seen(memory) == state


def changed(memory: Memory, decision: str) -> bool:
    """Whether a decision changed anything."""
    return any(each.id == decision and each.before for each in memory.decisions(**U))


@pytest.mark.slow
@settings(max_examples=60)
@given(taken=st.lists(steps, min_size=1, max_size=10))
def test_in_a_file(tmp_path_factory: pytest.TempPathFactory, taken: list[Step]) -> None:
    """In SQLite."""
    store = SqliteStore(tmp_path_factory.mktemp("undo") / "memory.db")
    undone_in_reverse(store, taken)
    store.close()


@pytest.mark.slow
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])  # emptied within
@given(taken=st.lists(steps, min_size=3, max_size=8))
def test_on_a_server(empty: Neo4jStore, taken: list[Step]) -> None:
    """In Neo4j."""
    empty.forget(ANN)
    undone_in_reverse(empty, taken)


EXAMPLES: list[list[Step]] = [
    [
        ("alias", "Edda", "Zora"),
        ("add", "Zora", "lives_in", "Oslo", None),
        ("alias", "Zora", "Zora"),
        ("undo", 3),
        ("add", "Zora", "lives_in", "Oslo", None),
        ("alias", "Edda", "Zora"),
    ],
    [("alias", "Zora", "Edda"), ("alias", "Quinn", "Edda"), ("alias", "Zora", "Quinn")],
    [
        ("add", "Quinn", "lives_in", "Oslo", None),
        ("alias", "Zora", "Quinn"),
        ("unmerge", "Zora", "Quinn"),
        ("alias", "Zora", "Quinn"),
    ],
    [
        ("hear", "Zora", "lives_in", "Oslo", "D1:1"),
        ("hear", "Zora", "lives_in", "Oslo", "D1:2"),
        ("add", "Zora", "lives_in", "Oslo", "2020"),
        ("merge", "Quinn", "Zora"),
        ("add", "Quinn", "likes", "Rome", None),
        ("merge", "Quinn", "Zora"),
        ("add", "Zora", "lives_in", "Rome", None),
        ("unmerge", "Quinn", "Zora"),
        ("undo", 3),
        ("undo", 0),
        ("correct", 0, "Ivo", "Lima"),
        ("retire", 1),
    ],
]
"""Sequences that once went wrong, or that use every kind of step."""


@pytest.mark.parametrize("taken", EXAMPLES)
def test_known_sequences_in_a_file(tmp_path: Path, taken: list[Step]) -> None:
    """In SQLite, the same ones every time."""
    store = SqliteStore(tmp_path / "memory.db")
    undone_in_reverse(store, taken)
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("taken", EXAMPLES)
def test_known_sequences_on_a_server(empty: Neo4jStore, taken: list[Step]) -> None:
    """In Neo4j, the same ones every time."""
    undone_in_reverse(empty, taken)
