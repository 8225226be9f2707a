"""Programs written for mem0, with one import changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory as Engine
from mem0g.compat import AsyncMemory, Memory
from mem0g.errors import InputError, NotFoundError
from tests.store.fixtures import open_neo4j

SISTER = "My sister Carla lives in Rome."


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """mem0's memory over a file, and then over a Neo4j."""
    if request.param == "sqlite":
        engine = Engine.open(tmp_path / "memory.db", extractor="rules")
    else:
        request.getfixturevalue("empty")
        engine = Engine.open(open_neo4j(request.getfixturevalue("cleared_server")), extractor="rules")
    with engine:
        yield Memory(memory=engine)


def test_the_quickstart_of_mem0s_readme_runs(memory: Memory) -> None:
    """Search, answer, add: in the arguments of 1.x and of 2.x; the model that answers is left out."""

    def chat_with_memories(message: str, name: str, **asking: Any) -> str:
        relevant_memories = memory.search(query=message, **asking)
        memories_str = "\n".join(f"- {entry['memory']}" for entry in relevant_memories["results"])
        messages = [
            {"role": "system", "content": f"You are a helpful AI.\nUser Memories:\n{memories_str}"},
            {"role": "user", "content": message},
        ]
        messages.append({"role": "assistant", "content": "Good to know."})
        memory.add(messages, user_id=name)
        return memories_str

    chat_with_memories(SISTER, "alice", user_id="alice", limit=3)
    assert "Rome" in chat_with_memories("Where is my sister?", "alice", filters={"user_id": "alice"}, top_k=3)


def test_results_have_mem0s_shapes_and_relations(memory: Memory) -> None:
    """The relations that mem0's open source had until 2026."""
    added = memory.add([{"role": "user", "content": SISTER}], user_id="ann")
    assert {each["event"] for each in added["results"]} == {"ADD"}
    assert {"source": "Carla", "relationship": "lives_in", "target": "Rome"} in added["relations"]["added_entities"]
    found = memory.search("Where does Carla live?", user_id="ann")
    assert set(found["results"][0]) >= {"id", "memory", "hash", "metadata", "score", "created_at", "updated_at"}
    assert {"source": "Carla", "relationship": "lives_in", "destination": "Rome"} in found["relations"]
    listed = memory.get_all(user_id="ann", limit=10)
    assert [each["user_id"] for each in listed["results"]] == ["ann"] * len(added["results"])
    assert all("target" in each for each in listed["relations"])


def test_a_memory_is_read_changed_and_deleted_by_its_id(memory: Memory) -> None:
    """No scope is given then; the history has the old text and the new one."""
    rome = next(each for each in memory.add(SISTER, user_id="ann")["results"] if "Rome" in each["memory"])
    memory.update(rome["id"], data="Carla lives in Milan.")
    assert [each["event"] for each in memory.history(rome["id"])] == ["ADD", "UPDATE"]
    milan = next(each for each in memory.get_all(user_id="ann")["results"] if "Milan" in each["memory"])
    assert memory.get(milan["id"]) == milan
    memory.update(milan["id"], text="Carla lives in Turin.")
    turin = next(each for each in memory.get_all(user_id="ann")["results"] if "Turin" in each["memory"])
    memory.delete(turin["id"])
    with pytest.raises(NotFoundError, match="no memory"):
        memory.get(turin["id"])


def test_deletion_needs_a_scope_and_reset_does_not(memory: Memory) -> None:
    """As in mem0, a forgotten argument deletes nothing."""
    memory.add(SISTER, user_id="ann", infer=False)
    memory.add(SISTER, user_id="bob", infer=False)
    for call in (memory.delete_all, memory.get_all, lambda: memory.add("x"), lambda: memory.search("x")):
        with pytest.raises(ValueError, match="At least one of 'user_id', 'agent_id', or 'run_id'"):
            call()
    memory.delete_all(user_id="ann")
    assert [scope.user_id for scope in memory.memory.stats(all_scopes=True).scopes] == ["bob"]
    memory.reset()
    assert not memory.memory.stats(all_scopes=True).messages


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda m: m.add("x", user_id="ann", metadata={"a": 1}), "'metadata' is not supported"),
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
def test_what_has_no_place_here_raises(memory: Memory, call: Any, problem: str) -> None:
    """And writes nothing."""
    with pytest.raises((InputError, NotFoundError), match=problem):
        call(memory)
    assert not memory.memory.stats(all_scopes=True).messages


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
def test_asyncio(memory: Memory) -> None:
    """The same methods, awaited."""

    async def use() -> dict[str, Any]:
        asynchronous = AsyncMemory(memory=memory.memory)
        await asynchronous.add(SISTER, user_id="ann")
        return await asynchronous.search("Where does Carla live?", user_id="ann")

    assert "Rome" in asyncio.run(use())["results"][0]["memory"]
