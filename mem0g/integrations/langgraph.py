"""A LangGraph store whose search is the memory's: items exact in a store of their own, their text in the graph.

Needs the extra ``langgraph``: pip install "mem0g[langgraph]".
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Self

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    get_text_at_path,
    tokenize_path,
)

from mem0g.errors import InputError, NotFoundError
from mem0g.ingest.input_messages import SOURCE, check_text
from mem0g.integrations.conversation import Turn, keep, scope_of
from mem0g.integrations.langgraph_items import ItemFile, Namespace, check
from mem0g.lookup import scope_keys
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.store.address import local_path

HITS = 100
"""Hits of the memory that a search maps to items; further items follow without a score."""

VERSIONS = 100
"""Texts of one item that a put replaces: there is one, unless several processes put it at once."""


LOCKS = 64
"""Locks of puts: an item has one of them, so that most other items can be put at the same time."""


class MemoryStore(BaseStore):
    """A BaseStore over a memory: ``store=MemoryStore(memory, Scope(user_id="ann"))``.

    ``scope``: where the text of items goes in the graph, for all namespaces or chosen by namespace. One scope for each
    tenant: what one item says can end what another of the same scope said.
    ``items``: where items are kept exactly: a path, or any other BaseStore, such as LangGraph's PostgresStore. By
    default the file beside the memory's that ends in ``.items.db``; a memory on a server has no default.
    ``fields``: the paths whose text goes into the graph, by default all text; the ``index`` of a put takes precedence.
    ``wait``: whether a put waits until facts are extracted.

    An item that is put again replaces its text and the facts that only it states; a deleted one takes them with it.
    The item is written first: where the graph then fails, the error is raised, the item is there, and putting it again
    adds its text. With a query, items that the memory finds come first, best first, with its scores (see
    mem0g.model.Hit); the others follow in the order of the item store, with none. ttl is not supported.
    """

    def __init__(
        self,
        memory: Memory,
        scope: Scope | Callable[[Namespace], Scope],
        *,
        items: str | Path | BaseStore | None = None,
        fields: Sequence[str] | None = None,
        wait: bool = False,
    ) -> None:
        self.memory, self.scope, self.wait = memory, scope, wait
        self.fields = list(fields) if fields is not None else None
        self.items = items if isinstance(items, BaseStore) else ItemFile(items or _beside(memory))
        self._locks = tuple(Lock() for _ in range(LOCKS))

    def close(self) -> None:
        """Close the file of the items; the memory stays open."""
        if isinstance(self.items, ItemFile):
            self.items.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: reads see the state before the batch, and the last put of a key wins."""
        given = list(ops)
        for op in given:
            check(op)
        puts = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
        texts = {place: self._checked_text(op) for place, op in puts.items()}
        reads = [_unranked(op) for op in given if not isinstance(op, PutOp)]
        before = [GetOp(*place, refresh_ttl=False) for place in puts]
        with self._putting(puts):
            results = self.items.batch([*reads, *before, *puts.values()])
            found = iter(results[: len(reads)])
            ranked = [None if isinstance(op, PutOp) else self._ranked(op, next(found)) for op in given]
            known = results[len(reads) : len(reads) + len(before)]
            for op, old in zip(puts.values(), known, strict=True):
                self._index(op, texts[op.namespace, op.key], old if isinstance(old, Item) else None)
        return ranked

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations as ``batch`` does, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    @contextmanager
    def _putting(self, places: Iterable[tuple[Namespace, str]]) -> Iterator[None]:
        """Let one thread at a time put these items: else the graph could keep another text than the item has."""
        with ExitStack() as stack:
            for number in sorted({hash(place) % LOCKS for place in places}):  # in order: no deadlock
                stack.enter_context(self._locks[number])
            yield

    def _checked_text(self, op: PutOp) -> str:
        text = "\n".join(self._texts(op)) if op.value is not None and op.index is not False else ""
        check_text(text, f"the item {op.key!r}", self.memory.settings.longest_message)
        return text

    def _texts(self, op: PutOp) -> Iterator[str]:
        paths = op.index if isinstance(op.index, list) else self.fields
        if paths is None:
            yield from texts_of(op.value)
        for path in paths or ():
            yield from get_text_at_path(op.value, tokenize_path(path))

    def _index(self, op: PutOp, text: str, old: Item | None) -> None:
        """Make the graph say what the item says now."""
        scope, session = scope_of(self.scope, op.namespace), session_of(op.namespace, op.key)
        said = self.memory.store.recent_messages(scope, SOURCE, session, limit=VERSIONS)
        if said and old is not None and old.value == op.value and op.index is None:
            return
        for message in said:
            with suppress(NotFoundError):  # another process erased it first
                self.memory.erase(message.id, **scope_keys(scope))
        keep(self.memory, scope, [Turn("user", text, session)], wait=self.wait)

    def _ranked(self, op: Op, found: Result) -> Result:
        """Return what a search found in the order of relevance, cut to its page; other results as they are."""
        if not isinstance(op, SearchOp) or not isinstance(found, list) or not (op.query or "").strip():
            return found
        items = {session_of(each.namespace, each.key): each for each in found if isinstance(each, SearchItem)}
        scores: dict[str, float] = {}
        for scope in dict.fromkeys(scope_of(self.scope, each.namespace) for each in items.values()):
            for session, score in self._scores(scope, str(op.query)):
                if session in items:
                    scores[session] = max(score, scores.get(session, score))
        best = sorted(scores, key=lambda each: -scores[each])
        order = [*best, *(each for each in items if each not in scores)]
        return [_scored(items[each], scores.get(each)) for each in order[op.offset : op.offset + op.limit]]

    def _scores(self, scope: Scope, query: str) -> Iterator[tuple[str, float]]:
        hits = self.memory.search(query, limit=HITS, **scope_keys(scope))
        cited = list(dict.fromkeys(message for hit in hits for message in hit.evidence))
        messages = self.memory.messages(ids=cited, **scope_keys(scope)) if cited else ()
        sessions = {message.id: message.session for message in messages}
        for hit in hits:
            yield from ((sessions[each], hit.score) for each in hit.evidence if each in sessions)


def texts_of(value: object, name: str = "") -> Iterator[str]:
    """Yield the text of a JSON value: sentences as they are, single words and numbers with the name of their field."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from texts_of(each, str(key))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_of(each, name)
    elif isinstance(value, str | int | float) and str(value).strip():
        text = str(value).strip()
        yield f"{name}: {text}" if name and len(text.split()) == 1 else text


def session_of(namespace: Namespace, key: str) -> str:
    """Return the session of the message that holds an item's text; no other item has it."""
    return json.dumps([*namespace, key])


def _unranked(op: Any) -> Any:
    """Return a search with a query as one for all its candidates."""
    ranks = isinstance(op, SearchOp) and (op.query or "").strip()
    return op._replace(query=None, limit=sys.maxsize, offset=0) if ranks else op


def _scored(item: SearchItem, score: float | None) -> SearchItem:
    return SearchItem(item.namespace, item.key, item.value, item.created_at, item.updated_at, score)


def _beside(memory: Memory) -> Path:
    path = local_path(memory.store.address) if memory.store.address else None
    if path is None:
        raise InputError(
            f"the memory at {memory.store.address} is no file: there is no place for items beside it",
            hint="give items=, a path or a BaseStore such as PostgresStore",
        )
    return path.with_suffix(".items.db")
