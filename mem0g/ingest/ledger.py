"""What every call of a language model cost, kept in the store; and the replies that were paid for and not used yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from threading import Lock

from mem0g.llm.request import Call
from mem0g.model import Scope, content_id
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.protocol import Store

CALL, REPLY = "call", "reply"
"""The kinds of notes: a call stays, a reply is struck out when what it says is committed."""


class StoreLedger:
    """See mem0g.llm.request.Ledger: notes in the scope of the request."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._keys: defaultdict[str, list[tuple[Scope, str]]] = defaultdict(list)

    def note(self, call: Call, reply: str | None) -> None:
        """See Ledger: durable when it returns."""
        if call.scope is None:
            raise ValueError(f"the call for {call.purpose!r} names no scope")
        if reply is not None or call.cached:
            with self._lock:
                self._keys[call.window].append((call.scope, call.key))
        notes = [_call_note(call, call.scope)]
        if reply is not None:
            notes.append(Note(scope=call.scope, kind=REPLY, key=call.key, body={"reply": reply}))
        change = Change(scope=call.scope, notes=tuple(notes))
        self._store.write(call.scope, lambda transaction: transaction.commit(change))

    def reply(self, key: str) -> str | None:
        """See Ledger."""
        found = self._store.notes(REPLY, keys=[key])
        return found[0].body["reply"] if found and found[0].body else None

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
