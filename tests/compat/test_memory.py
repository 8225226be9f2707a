"""Programs written for mem0, with one import changed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory as Engine
from mem0g import Scope
from mem0g.compat import AsyncMemory, Memory
from mem0g.compat.shapes import find_record
from mem0g.errors import InputError, NotFoundError, QueryError, StoreError
from mem0g.model import Fact
from mem0g.testing import HashingEmbedder

SISTER = "My sister Carla lives in Rome."


@pytest.fixture
def compatible(memory: Engine) -> Memory:
    """mem0's memory over a file, and then over a Neo4j."""
    return Memory(memory=memory)


def test_the_quickstart_of_mem0s_readme_runs(compatible: Memory) -> None:
    """Search, answer, add: in the arguments of 1.x and of 2.x; the model that answers is left out."""

    def chat_with_memories(message: str, name: str, **asking: Any) -> str:
        relevant_memories = compatible.search(query=message, **asking)
        memories_str = "\n".join(f"- {entry['memory']}" for entry in relevant_memories["results"])
        messages = [
            {"role": "system", "content": f"You are a helpful AI.\nUser Memories:\n{memories_str}"},
            {"role": "user", "content": message},
        ]
        messages.append({"role": "assistant", "content": "Good to know."})
        compatible.add(messages, user_id=name)
        return memories_str

    chat_with_memories(SISTER, "alice", user_id="alice", limit=3)
    assert "Rome" in chat_with_memories("Where is my sister?", "alice", filters={"user_id": "alice"}, top_k=3)


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_results_have_mem0s_shapes_and_relations(compatible: Memory) -> None:
    """The relations that mem0's open source had until 2026."""
    added = compatible.add([{"role": "user", "content": SISTER}], user_id="ann")
    assert {each["event"] for each in added["results"]} == {"ADD"}
    assert {"source": "Carla", "relationship": "lives_in", "target": "Rome"} in added["relations"]["added_entities"]
    found = compatible.search("Where does Carla live?", user_id="ann")
    assert set(found["results"][0]) >= {"id", "memory", "hash", "metadata", "score", "created_at", "updated_at"}
    assert {"source": "Carla", "relationship": "lives_in", "destination": "Rome"} in found["relations"]
    listed = compatible.get_all(user_id="ann", limit=10)
    assert [each["user_id"] for each in listed["results"]] == ["ann"] * len(added["results"])
    assert all("target" in each for each in listed["relations"])


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_memory_is_read_changed_and_deleted_by_its_id(compatible: Memory) -> None:
    """No scope is given then; the history has the old text and the new one."""
    rome = next(each for each in compatible.add(SISTER, user_id="ann")["results"] if "Rome" in each["memory"])
    compatible.update(rome["id"], data="Carla lives in Milan.")
    assert [each["event"] for each in compatible.history(rome["id"])] == ["ADD", "UPDATE"]
    milan = next(each for each in compatible.get_all(user_id="ann")["results"] if "Milan" in each["memory"])
    assert compatible.get(milan["id"]) == milan
    compatible.update(milan["id"], text="Carla lives in Turin.")
    turin = next(each for each in compatible.get_all(user_id="ann")["results"] if "Turin" in each["memory"])
    compatible.delete(turin["id"])
    with pytest.raises(NotFoundError, match="no memory"):
        compatible.get(turin["id"])


def test_an_id_stands_for_what_the_memory_was_updated_to(compatible: Memory) -> None:
    """As in mem0, where it stays the same: to read, to update again, in the history, and to delete."""
    first = compatible.add("I live in Oslo.", user_id="ann")["results"][0]["id"]
    texts = ("Ann lives in Rome.", "Ann lives in Milan.")
    for text in texts:
        compatible.update(first, text)
        assert text.split()[-1] in compatible.get(first)["memory"]
    (listed,) = compatible.get_all(user_id="ann")["results"]
    assert compatible.get(first) == listed
    events = compatible.history(first)
    assert [each["event"] for each in events] == ["ADD", "UPDATE", "UPDATE"]
    assert [(each["old_memory"] or "").split(" ")[-1] for each in events] == ["", "Oslo.", "Rome."]
    compatible.delete(first)
    assert compatible.get_all(user_id="ann")["results"] == []
    for each in (first, listed["id"]):
        with pytest.raises(NotFoundError, match="no memory"):
            compatible.get(each)
    assert compatible.memory.facts(user_id="ann", include_retired=True) == ()


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_memory_is_looked_up_in_its_own_scope(compatible: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many scopes there are, the facts and messages of one of them are read."""
    engine = compatible.memory
    for name in ("ann", "bob", "cleo"):
        engine.add("I like tea.", user_id=name)
    (fact,), (message,) = engine.facts(user_id="cleo"), engine.messages(user_id="cleo")
    asked: set[Scope] = set()
    read = engine.store.facts

    def noted(scope: Scope, ids: Sequence[str]) -> tuple[Fact, ...]:
        asked.add(scope)
        return read(scope, ids)

    monkeypatch.setattr(engine.store, "facts", noted)
    assert find_record(engine.store, None, fact.id) == (Scope(user_id="cleo"), fact)
    assert find_record(engine.store, Scope(user_id="cleo"), message.id) == (Scope(user_id="cleo"), message)
    assert asked == {Scope(user_id="cleo")}
    with pytest.raises(NotFoundError):
        find_record(engine.store, Scope(user_id="bob"), fact.id)


def test_a_memory_that_another_one_contradicts_keeps_its_own_id(compatible: Memory) -> None:
    """To delete what was true before leaves what is true now."""
    oslo = compatible.add("I live in Oslo.", user_id="ann")["results"][0]["id"]
    compatible.add("I moved to Rome.", user_id="ann")
    assert "Oslo" in compatible.get(oslo)["memory"]
    compatible.delete(oslo)
    assert any("Rome" in each["memory"] for each in compatible.get_all(user_id="ann")["results"])


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_deletion_needs_a_scope_and_reset_does_not(compatible: Memory) -> None:
    """As in mem0, a forgotten argument deletes nothing."""
    compatible.add(SISTER, user_id="ann", infer=False)
    compatible.add(SISTER, user_id="bob", infer=False)
    for call in (
        compatible.delete_all,
        compatible.get_all,
        lambda: compatible.add("x"),
        lambda: compatible.search("x"),
    ):
        with pytest.raises(ValueError, match="At least one of 'user_id', 'agent_id', or 'run_id'"):
            call()
    compatible.delete_all(user_id="ann")
    assert [scope.user_id for scope in compatible.memory.stats(all_scopes=True).scopes] == ["bob"]
    compatible.reset()
    assert not compatible.memory.stats(all_scopes=True).messages


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_metadata_comes_back_and_filters(compatible: Memory) -> None:
    """With results, lists and single memories; filters are of its fields, created_at and role, joined by AND."""
    compatible.add("My sister Carla lives in Rome.", user_id="ann", metadata={"category": "family", "n": 3})
    compatible.add("I like tea.", user_id="ann", metadata={"category": "food", "n": 5})
    compatible.add("I like jam.", user_id="ann", infer=False, metadata={"category": "food"})

    def found(**filters: Any) -> set[str]:
        results = compatible.search("x", filters={"user_id": "ann", **filters})["results"]
        assert {each["id"] for each in compatible.get_all(filters={"user_id": "ann", **filters})["results"]} <= {
            each["id"] for each in results
        }
        return {each["metadata"]["category"] for each in results}

    assert found() == {"family", "food"}
    assert found(category="family") == {"family"}
    assert found(metadata={"category": "food"}, role="user") == {"food"}
    assert found(n={"gt": 3, "lte": 5}) == {"food"}
    assert found(AND=[{"category": {"in": ["family", "x"]}}, {"created_at": {"gte": "2024"}}]) == {"family"}
    assert found(category={"nin": ["family", "food"]}) == set()
    (rome,) = compatible.get_all(user_id="ann", filters={"category": "family"})["results"][:1]
    assert compatible.get(rome["id"])["metadata"] == rome["metadata"] == {"category": "family", "n": 3}
    compatible.update(rome["id"], metadata={"n": 4})
    listed = compatible.get_all(user_id="ann", filters={"n": 4})["results"]
    assert [each["metadata"] for each in listed] == [{"category": "family", "n": 4}]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_no_results_are_asked_for(compatible: Memory) -> None:
    """A limit of 0 is no missing one: lists are empty, and searches refuse it, as they do a negative one."""
    compatible.add(SISTER, user_id="ann")
    none: tuple[dict[str, Any], ...] = ({"limit": 0}, {"top_k": 0}, {"top_k": 0, "limit": 5})
    for given in none:
        assert compatible.get_all(user_id="ann", **given)["results"] == []
        with pytest.raises(QueryError, match="limit is 0"):
            compatible.search("Where is Carla?", user_id="ann", **given)
    assert compatible.get_all(user_id="ann", limit=1)["results"]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda m: m.add("x", user_id="ann", metadata={"a": {1}}), "a value of type set"),
        (lambda m: m.search("x", user_id="ann", filters={"a": {"contains": "b"}}), "the operator 'contains'"),
        (lambda m: m.search("x", user_id="ann", filters={"a": "*"}), "the filter 'a' is not supported"),
        (lambda m: m.search("x", user_id="ann", filters={"NOT": [{"a": 1}]}), "the filter 'NOT' is not supported"),
        (lambda m: m.get_all(user_id="ann", filters={"a": {}}), "no operator"),
        (lambda m: m.get_all(user_id="ann", filters={"AND": [{"a": 1}, {"a": 2}]}), "has .eq twice"),
        (lambda m: m.get_all(user_id="ann", filters={"created_at": {"gte": "soon"}}), "soon"),
        (lambda m: m.add("x", user_id="ann", prompt="be brief"), "'prompt' is not supported"),
        (lambda m: m.add("x", user_id="ann", expiration_date="2030-01-01"), "'expiration_date' is not supported"),
        (lambda m: m.search("x", user_id="ann", threshold=0.5), "'threshold' is not supported"),
        (lambda m: m.search("x", filters={"OR": [{"user_id": "ann"}]}), "the filter 'OR' is not supported"),
        (lambda m: m.search("x", user_id="bob", filters={"user_id": "ann"}), "user_id is given twice"),
        (lambda m: m.get_all(filters={"user_id": {"in": ["ann"]}}), "the filter 'user_id' is not supported"),
        (lambda m: m.update("f_0", data="x"), "no memory 'f_0'"),
        (lambda m: m.delete("f_0"), "no memory 'f_0'"),
    ],
)
def test_what_has_no_place_here_raises(compatible: Memory, call: Any, problem: str) -> None:
    """And writes nothing."""
    with pytest.raises((InputError, NotFoundError), match=problem):
        call(compatible)
    assert not compatible.memory.stats(all_scopes=True).messages


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"vector_store": {"provider": "qdrant"}}, "'vector_store' is not supported"),
        ({"llm": {"provider": "litellm", "config": {}}}, "llm has the provider 'litellm'"),
        ({"llm": {"provider": "openai", "config": {"temperature": 0.1}}}, "'llm.temperature' is not supported"),
        ({"graph_store": {"provider": "memgraph"}}, "graph_store has the provider 'memgraph'"),
    ],
)
def test_a_configuration_is_followed_or_refused(config: dict[str, Any], problem: str) -> None:
    """A part that would change where data goes is never left out in silence."""
    with pytest.raises(InputError, match=problem):
        Memory.from_config(config)


def test_the_configuration_names_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a server of one's own."""
    monkeypatch.setenv("MEM0G_STORE", str(tmp_path / "memory.db"))
    llm = {"model": "small", "api_key": "none", "openai_base_url": "http://127.0.0.1:1/v1"}
    with Memory.from_config({"version": "v1.1", "llm": {"provider": "openai", "config": llm}}) as memory:
        settings = memory.memory.settings.llm
        assert (settings.model, settings.base_url) == ("small", "http://127.0.0.1:1/v1")
        assert memory.memory.extractor.name == "llm"


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_asyncio(compatible: Memory) -> None:
    """The same methods, awaited."""

    async def use() -> dict[str, Any]:
        asynchronous = AsyncMemory(memory=compatible.memory)
        await asynchronous.add(SISTER, user_id="ann")
        return await asynchronous.search("Where does Carla live?", user_id="ann")

    assert "Rome" in asyncio.run(use())["results"][0]["memory"]


def test_asyncio_closes_what_it_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of an ``async with`` block, as mem0's does."""
    monkeypatch.setenv("MEM0G_STORE", str(tmp_path / "memory.db"))

    async def use() -> AsyncMemory:
        async with AsyncMemory() as memory:
            await memory.add(SISTER, user_id="ann")
            assert (await memory.get_all(user_id="ann"))["results"]
        return memory

    memory = asyncio.run(use())
    with pytest.raises(StoreError, match="closed"):
        memory.sync.get_all(user_id="ann")


def test_messages_are_found_again_in_a_large_scope(tmp_path: Path) -> None:
    """However many there are: what was stored as it is comes back with its id."""
    with Engine.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="none") as engine:
        engine.add([{"role": "user", "content": f"message {n}"} for n in range(1001)], user_id="ann")
        (stored,) = Memory(memory=engine).add(SISTER, user_id="ann", infer=False)["results"]
        assert engine.messages(ids=[stored["id"]], user_id="ann")[0].text == SISTER
