"""What every call of a language model cost, kept in the store; and the replies that were paid for and not used yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from threading import Lock

from mem0g.errors import StoreError
from mem0g.llm.protocol import Call
from mem0g.model import Scope, content_id
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.protocol import Store

CALL, REPLY = "call", "reply"
"""The kinds of notes: a call stays, a reply is struck out when what it says is committed."""


class StoreLedger:
    """See mem0g.llm.protocol.Ledger: notes in the scope of the request."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._keys: defaultdict[str, list[tuple[Scope, str]]] = defaultdict(list)
        self._unwritten: list[tuple[Scope, list[Note]]] = []

    def note(self, call: Call, reply: str | None) -> None:
        """See Ledger: durable when it returns. Where the store cannot be written, it stays in memory for the next time.

        Raises StoreError then.
        """
        if call.scope is None:
            raise ValueError(f"the call for {call.purpose!r} names no scope")
        if reply is not None or call.cached:
            with self._lock:
                self._keys[call.window].append((call.scope, call.key))
        notes = [_call_note(call, call.scope)]
        if reply is not None:
            notes.append(Note(scope=call.scope, kind=REPLY, key=call.key, body={"reply": reply}))
        try:
            self._write((call.scope, notes))
        except StoreError as error:
            what = f"{error}; the reply of {call.model} to {call.purpose!r} could not be stored"
            hint = f"{error.hint or 'try again'}; while this process lives, the reply is not paid for again"
            raise type(error)(what, hint=hint) from error

    def reply(self, key: str) -> str | None:
        """See Ledger."""
        with self._lock:
            late = [note for _, notes in self._unwritten for note in notes if (note.kind, note.key) == (REPLY, key)]
        for note in late or self._store.notes(REPLY, keys=[key]):
            if note.body:
                return str(note.body["reply"])
        return None

    def forget(self, scope: Scope) -> None:
        """Know no more of the scopes covered."""
        with self._lock:
            self._unwritten = [each for each in self._unwritten if not scope.covers(each[0])]

    def _write(self, entry: tuple[Scope, list[Note]]) -> None:
        """Write the notes of a scope, after those that could not be written when they came; what cannot be is kept."""
        with self._lock:  # not held while writing: a transaction may be waiting for it
            entries, self._unwritten = [*self._unwritten, entry], []
        try:
            while entries:
                scope, notes = entries[0]
                change = Change(scope=scope, notes=tuple(notes))
                self._store.write(scope, lambda transaction, change=change: transaction.commit(change))  # type: ignore[misc]
                del entries[0]
        finally:
            with self._lock:
                self._unwritten += entries

    def spent(self, window: str) -> tuple[Note, ...]:
        """The replies used for a window, struck out: to be committed with what they say."""
        with self._lock:
            keys = dict.fromkeys(self._keys.get(window, ()))
        return tuple(Note(scope=scope, kind=REPLY, key=key, body=None) for scope, key in keys)

    def done(self, window: str) -> None:
        """Nothing more is to come for a window."""
        with self._lock:
            self._keys.pop(window, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the calls for one purpose came to; ``cached`` of them were answered without a server."""

    purpose: str
    model: str
    calls: int
    cached: int
    bad: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float

    def price(self, per_million: tuple[float, float]) -> float:
        """What they cost, at prices for a million tokens in and out."""
        given, written = per_million
        return (self.prompt_tokens * given + self.completion_tokens * written) / 1e6


def called_keys(store: Store, scope: Scope) -> frozenset[str]:
    """The keys of all requests that a model was sent for the scopes covered."""
    return frozenset(str(note.body["key"]) for note in store.notes(CALL, scope) if note.body)


def costs(store: Store, scope: Scope | None = None) -> tuple[Cost, ...]:
    """The sums over the calls of the scopes covered, or of the whole store, by purpose and model."""
    bodies = [note.body for note in store.notes(CALL, scope) if note.body]
    groups: defaultdict[tuple[str, str], list[dict[str, object]]] = defaultdict(list)
    for body in bodies:
        groups[body["purpose"], body["model"]].append(dict(body))
    return tuple(_cost(purpose, model, calls) for (purpose, model), calls in sorted(groups.items()))


def _cost(purpose: str, model: str, calls: Sequence[dict[str, object]]) -> Cost:
    def total(name: str) -> float:
        return sum(float(str(call[name])) for call in calls)

    return Cost(
        purpose=purpose,
        model=model,
        calls=len(calls),
        cached=_count(call["cached"] for call in calls),
        bad=_count(call["problem"] for call in calls),
        prompt_tokens=int(total("prompt_tokens")),
        completion_tokens=int(total("completion_tokens")),
        seconds=total("seconds"),
    )


def _count(flags: Iterable[object]) -> int:
    return sum(bool(flag) for flag in flags)


def _call_note(call: Call, scope: Scope) -> Note:
    body = {name: value for name, value in asdict(call).items() if name != "scope"}
    body["at"] = call.at.isoformat()
    key = content_id("c", str(scope), call.window, call.key, call.attempt, call.at.isoformat())
    return Note(scope=scope, kind=CALL, key=key, body=body)
