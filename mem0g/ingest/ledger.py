"""The ledger of model calls, in the store: what each cost, and the replies that are paid for and not committed yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from threading import Lock
from typing import Any

from mem0g.errors import StoreError
from mem0g.llm.protocol import Call
from mem0g.model import Scope, content_id
from mem0g.store.change import Change
from mem0g.store.protocol import Store, commit
from mem0g.store.records import Done, ModelCall, ModelReply


class StoreLedger:
    """See mem0g.llm.protocol.Ledger: records in the scope of the request."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._keys: defaultdict[str, list[str]] = defaultdict(list)
        self._unwritten: list[Change] = []

    def note(self, call: Call, reply: str | None) -> None:
        """See Ledger. The record is durable on return.

        Raises StoreError if the store cannot be written; the record is then kept in memory and written later.
        """
        if call.scope is None:
            raise ValueError(f"the call for {call.purpose!r} names no scope")
        if reply is not None or call.cached:
            with self._lock:
                self._keys[call.window].append(call.key)
        replies = () if reply is None else (ModelReply(id=call.key, scope=call.scope, text=reply),)
        try:
            self._write(Change(scope=call.scope, calls=(_record(call, call.scope),), replies=replies))
        except StoreError as error:
            what = f"{error}; the reply of {call.model} to {call.purpose!r} could not be stored"
            hint = f"{error.hint or 'try again'}; while this process lives, the reply is not paid for again"
            raise type(error)(what, hint=hint) from error

    def reply(self, key: str, scope: Scope | None) -> str | None:
        """See Ledger."""
        with self._lock:
            unwritten = [each for change in self._unwritten for each in change.replies]
        late = [each for each in unwritten if each.id == key and (scope is None or scope.covers(each.scope))]
        kept = late or self._store.records(ModelReply, scope, [key])
        return kept[0].text if kept else None

    def forget(self, scope: Scope) -> None:
        """Drop what is kept in memory for the scopes covered."""
        with self._lock:
            self._unwritten = [each for each in self._unwritten if not scope.covers(each.scope)]

    def _write(self, change: Change) -> None:
        """Write a change, after those that could not be written before; keep what cannot be written now."""
        with self._lock:  # not held while writing: a transaction may be waiting for it
            changes, self._unwritten = [*self._unwritten, change], []
        try:
            while changes:
                commit(self._store, changes[0])
                del changes[0]
        finally:
            with self._lock:
                self._unwritten += changes

    def spent(self, window: str) -> tuple[Done, ...]:
        """Return the replies used for a window as done, to be committed together with its facts."""
        with self._lock:
            keys = dict.fromkeys(self._keys.get(window, ()))
        return tuple(Done("reply", key) for key in keys)

    def done(self, window: str) -> None:
        """Forget which replies a window used, after it is committed."""
        with self._lock:
            self._keys.pop(window, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The totals of the calls for one purpose; ``cached`` counts cache hits, ``bad`` those with a problem."""

    purpose: str
    model: str
    calls: int
    cached: int
    bad: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float

    def price(self, per_million: tuple[float, float]) -> float:
        """Return the cost, given the prices of a million prompt tokens and of a million completion tokens."""
        prompt, completion = per_million
        return (self.prompt_tokens * prompt + self.completion_tokens * completion) / 1e6


def called_keys(store: Store, scope: Scope) -> frozenset[str]:
    """Return the keys of all requests sent to a model for the scopes covered."""
    return frozenset(call.key for call in store.records(ModelCall, scope))


def costs(store: Store, scope: Scope | None = None) -> tuple[Cost, ...]:
    """Return the cost of the calls of the scopes covered, or of the whole store, by purpose and model."""
    groups: defaultdict[tuple[str, str], list[ModelCall]] = defaultdict(list)
    for call in store.records(ModelCall, scope):
        groups[call.purpose, call.model].append(call)
    return tuple(_cost(purpose, model, calls) for (purpose, model), calls in sorted(groups.items()))


def _cost(purpose: str, model: str, calls: Sequence[ModelCall]) -> Cost:
    return Cost(
        purpose=purpose,
        model=model,
        calls=len(calls),
        cached=sum(call.cached for call in calls),
        bad=sum(bool(call.problem) for call in calls),
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        completion_tokens=sum(call.completion_tokens for call in calls),
        seconds=sum(call.seconds for call in calls),
    )


def _record(call: Call, scope: Scope) -> ModelCall:
    key = content_id("c", str(scope), call.window, call.key, call.attempt, call.at.isoformat())
    given: dict[str, Any] = {each.name: getattr(call, each.name) for each in fields(call)}
    return ModelCall(id=key, **{**given, "scope": scope})
