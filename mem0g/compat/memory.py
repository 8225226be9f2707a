"""mem0's ``Memory`` and ``AsyncMemory``, in the shapes of 1.0.11 and of 2.x, over a memory of mem0g.

A memory of mem0's is a fact here, or a message where a search finds one that no fact covers. ``relations`` are back:
each fact is an edge. What mem0g has no place for raises InputError, and is never ignored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from uuid import uuid4

from mem0g import memory as engine
from mem0g.compat.shapes import (
    conditions_of,
    events_of,
    find_record,
    find_versions,
    history_of,
    memory_of,
    refuse,
    relation_of,
    scope_of,
)
from mem0g.errors import InputError
from mem0g.extract import NoExtractor
from mem0g.lookup import scope_keys
from mem0g.model import Fact, Scope
from mem0g.settings import Credentials, Settings

P = ParamSpec("P")
T = TypeVar("T")

Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]


class Memory:
    """mem0's memory: the same methods, arguments and results.

    ``config`` is mem0's, of which ``llm`` (provider openai), ``embedder`` (openai, huggingface) and ``graph_store``
    (neo4j) are read. ``memory`` is a memory of mem0g that is open already, and is not closed with this one.

    Methods that need a scope raise ValueError without user_id, agent_id and run_id, as mem0's do; what else cannot be
    done raises a Mem0gError.
    """

    def __init__(self, config: Mapping[str, Any] | None = None, *, memory: engine.Memory | None = None) -> None:
        self._owned = memory is None
        self.memory = memory or _opened(config or {})

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Return the memory of a configuration of mem0's. Raises InputError for a part that is not supported."""
        return cls(config_dict)

    def close(self) -> None:
        """Release the store, unless the memory was given."""
        if self._owned:
            self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self,
        /,
        messages: Messages,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Remember messages; without ``infer`` they are stored as they are. ``metadata`` is any JSON object.

        Returns {"results": [{id, memory, event}], "relations": {"deleted_entities": [], "added_entities": []}}.
        """
        refuse({"memory_type": memory_type, "prompt": prompt, **more})
        scope = _scope(user_id, agent_id, run_id)
        keys = scope_keys(scope)
        given = [messages] if isinstance(messages, Mapping) else messages
        if not infer:
            stored = self._stored(given, scope, metadata)
            return {"results": stored, "relations": {"deleted_entities": [], "added_entities": []}}
        report = self.memory.add(given, metadata=metadata, **keys)
        facts = {fact.id: fact for fact in self._facts([change.fact_id for change in report.changes], scope)}
        relations: dict[str, list[dict[str, str]]] = {"deleted_entities": [], "added_entities": []}
        for change in report.changes:
            side = {"retired": "deleted_entities", "confirmed": ""}.get(change.kind, "added_entities")
            if side and change.fact_id in facts:
                relations[side].append(relation_of(facts[change.fact_id], end="target"))
        return {"results": events_of(report), "relations": relations}

    def search(
        self,
        /,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = None,
        rerank: bool = True,
        **more: Any,
    ) -> dict[str, Any]:
        """Search facts and messages. ``limit`` (1.x) and ``top_k`` (2.x) are the number of results, by default 20.

        Returns {"results": [{id, memory, score, …}], "relations": [{source, relationship, destination}]}. Scores have
        no fixed range (see mem0g.Hit), so a ``threshold`` is refused; ``rerank`` has no effect, results are ranked.
        ``filters``: ids, created_at, role and fields of the metadata, with mem0's operators but contains, OR and NOT.
        """
        del rerank
        refuse({"threshold": threshold, **more})
        scope = _scope(user_id, agent_id, run_id, filters)
        wanted = conditions_of(filters)
        hits = self.memory.search(query, limit=_first(top_k, limit, 20), filters=wanted, **scope_keys(scope))
        found = [(record, hit.score) for hit in hits if (record := hit.fact or hit.message)]
        return {
            "results": [{**memory_of(record, scope), "score": score} for record, score in found],
            "relations": [relation_of(hit.fact, end="destination") for hit in hits if hit.fact],
        }

    def get_all(
        self,
        /,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """List facts in the order in which they were recorded, by default 100."""
        refuse(more)
        keys = scope_keys(_scope(user_id, agent_id, run_id, filters))
        facts = self.memory.facts(limit=_first(top_k, limit, 100), filters=conditions_of(filters), **keys)
        return {
            "results": [memory_of(fact) for fact in facts],
            "relations": [relation_of(fact, end="target") for fact in facts],
        }

    def get(self, memory_id: str) -> dict[str, Any]:
        """Return a memory by its id, as it was updated since. Raises NotFoundError for an unknown one."""
        scope, record = find_record(self.memory.store, None, memory_id)
        return memory_of(record, scope)

    def update(
        self,
        /,
        memory_id: str,
        data: str | None = None,
        *,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Replace the text of a fact, ``data`` in 1.x and ``text`` in 2.x, or its metadata; the old one is history.

        What replaces it is a fact with an id of its own, which searches and lists show; the old id stands for it too.
        """
        refuse(more)
        scope, record = find_record(self.memory.store, None, memory_id)
        if not isinstance(record, Fact):
            raise InputError(f"{memory_id} is a message, which cannot be changed", hint="update a fact")
        corrected(self.memory, scope, record, data or text, metadata)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Delete a memory for good, with what it was updated to since."""
        scope, versions = find_versions(self.memory.store, None, memory_id)
        for each in reversed(versions):
            self.memory.erase(each.id, **scope_keys(scope))
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Delete everything of a scope for good, messages included."""
        self.memory.forget(**scope_keys(_scope(user_id, agent_id, run_id)))
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Return the decisions about a fact and what it was updated to since, the first first."""
        scope, versions = find_versions(self.memory.store, None, memory_id)
        return history_of(self.memory.store, scope, versions)

    def reset(self) -> None:
        """Delete everything in the store for good."""
        for scope in self.memory.stats(all_scopes=True).scopes:
            self.memory.forget(**scope_keys(scope))

    def _stored(
        self, messages: str | Sequence[Mapping[str, Any]], scope: Scope, metadata: Mapping[str, Any] | None
    ) -> list[dict[str, str]]:
        """Store messages without extracting facts; each gets an id, by which it is found again."""
        memory = engine.Memory(self.memory.store, self.memory.embedder, NoExtractor(), self.memory.settings)
        given = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        named = [{**message, "id": message.get("id") or uuid4().hex} for message in given]
        memory.add(named, metadata=metadata, **scope_keys(scope))
        ids = memory.store.message_ids(scope, [str(message["id"]) for message in named])
        stored = memory.messages(ids=[each for found in ids.values() for each in found], **scope_keys(scope))
        return [{"id": each.id, "memory": each.text, "event": "ADD"} for each in stored]

    def _facts(self, ids: Sequence[str], scope: Scope) -> tuple[Fact, ...]:
        return self.memory.store.facts(scope, list(ids))


def corrected(
    memory: engine.Memory, scope: Scope, fact: Fact, text: str | None, metadata: Mapping[str, Any] | None
) -> Fact:
    """Return what replaces a fact whose text or metadata are others; the fact itself, where they are its own already.

    So an update that is sent again, as its answer was lost, changes nothing.
    """
    own = memory.store.facts(scope, [fact.id])[0].metadata  # without that of its messages
    if (text or metadata is not None) and text in (None, fact.text) and metadata in (None, own):
        return fact
    report = memory.correct(fact.id, text, metadata=metadata, **scope_keys(scope))
    new = next((each.fact_id for each in report.changes if each.kind in ("added", "updated")), fact.id)
    return memory.fact(new, **scope_keys(scope))


def _scope(
    user_id: str | None, agent_id: str | None, run_id: str | None, filters: Mapping[str, Any] | None = None
) -> Scope:
    found = scope_of({"user_id": user_id, "agent_id": agent_id, "run_id": run_id}, filters)
    if found is None:
        raise ValueError("At least one of 'user_id', 'agent_id', or 'run_id' must be provided.")
    return found


def _first(top_k: int | None, limit: int | None, default: int) -> int:
    """Return the number of results that is asked for, of which 0 is one."""
    return next(each for each in (top_k, limit, default) if each is not None)


def _opened(config: Mapping[str, Any]) -> engine.Memory:
    """Open the memory that a configuration of mem0's describes."""
    refuse({name: value for name, value in config.items() if name not in ("llm", "embedder", "graph_store", "version")})
    settings = Settings.from_environment()
    llm = _part(config, "llm", ("openai",), ("model", "api_key", "openai_base_url"))
    given = {"model": llm.get("model"), "api_key": llm.get("api_key"), "base_url": llm.get("openai_base_url")}
    settings = replace(settings, llm=replace(settings.llm, **{name: value for name, value in given.items() if value}))
    embedder = _part(config, "embedder", ("openai", "huggingface"), ("model",))
    kind = "openai" if (config.get("embedder") or {}).get("provider") == "openai" else "sentence-transformers"
    graph = _part(config, "graph_store", ("neo4j",), ("url", "username", "password", "database"))
    return engine.Memory.open(
        graph.get("url"),
        embedder=f"{kind}:{embedder['model']}" if embedder else None,
        settings=settings,
        credentials=Credentials(**{name: value for name, value in graph.items() if name != "url"}),
    )


def _part(config: Mapping[str, Any], name: str, providers: Sequence[str], fields: Sequence[str]) -> dict[str, Any]:
    """Return the configuration of a part. Raises InputError for a provider or a field that is not supported."""
    part = config.get(name) or {}
    if part and part.get("provider") not in providers:
        raise InputError(f"{name} has the provider {part.get('provider')!r}", hint=f"use {' or '.join(providers)}")
    given = dict(part.get("config") or {})
    refuse({f"{name}.{field}": value for field, value in given.items() if field not in fields})
    return given


def _threaded(method: Callable[Concatenate[Memory, P], T]) -> Callable[Concatenate[AsyncMemory, P], Awaitable[T]]:
    """Return a method of Memory as a coroutine method that awaits a thread."""

    @wraps(method)
    async def run(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, self.sync, *args, **kwargs)

    return run


class AsyncMemory:
    """mem0's asynchronous memory: the methods of Memory, awaited; ``async with`` closes it at the end."""

    def __init__(self, config: Mapping[str, Any] | None = None, *, memory: engine.Memory | None = None) -> None:
        self.sync = Memory(config, memory=memory)

    @classmethod
    async def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Return the memory of a configuration of mem0's. Raises InputError for a part that is not supported."""
        return await asyncio.to_thread(cls, config_dict)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    close = _threaded(Memory.close)
    add = _threaded(Memory.add)
    search = _threaded(Memory.search)
    get_all = _threaded(Memory.get_all)
    get = _threaded(Memory.get)
    update = _threaded(Memory.update)
    delete = _threaded(Memory.delete)
    delete_all = _threaded(Memory.delete_all)
    history = _threaded(Memory.history)
    reset = _threaded(Memory.reset)
