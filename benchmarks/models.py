"""The language model of a benchmark: its options on the command line, and the cost of its calls."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pydantic import BaseModel

from benchmarks.report import note
from mem0g.llm.exchange import Exchange
from mem0g.llm.protocol import Call, Ledger, Request, lean
from mem0g.model import Scope
from mem0g.text.token_count import estimate_tokens

R = TypeVar("R", bound=BaseModel)
Given = TypeVar("Given")
Made = TypeVar("Made")

PROGRESS_STEP = 20
"""Number of questions between two lines of progress."""


@dataclass(slots=True)
class Calls:
    """A ledger in memory: the calls in the order in which they ended."""

    calls: list[Call] = field(default_factory=list)
    _replies: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, call: Call, reply: str | None) -> None:
        """See mem0g.llm.protocol.Ledger."""
        with self._lock:
            self.calls.append(call)
            if reply is not None:
                self._replies[call.key] = reply

    def reply(self, key: str, scope: Scope | None) -> str | None:
        """See mem0g.llm.protocol.Ledger; keys are of one run, in any scope."""
        del scope
        with self._lock:
            return self._replies.get(key)

    @property
    def seconds(self) -> float | None:
        """Return the servers' time in seconds, None when none was asked."""
        asked = [call.seconds for call in self.calls if not call.cached]
        return sum(asked) if asked else None


def ask_twice(
    ask: Callable[[Given], Made],
    given: Sequence[Given],
    concurrency: int,
    done: str,
    has_failed: Callable[[Made], bool],
) -> list[Made]:
    """Return what ``ask`` makes of each item, ``concurrency`` at a time; what failed is asked once more at the end.

    ``done`` names what was done in the lines of progress: "answered".
    """
    made = _ask(ask, given, concurrency, done)
    failed = [place for place, each in enumerate(made) if has_failed(each)]
    if failed:
        note(f"{len(failed)} failed and are retried")
    for place, again in zip(failed, _ask(ask, [given[each] for each in failed], concurrency, done), strict=True):
        made[place] = again
    return made


def _ask(ask: Callable[[Given], Made], given: Sequence[Given], concurrency: int, done: str) -> list[Made]:
    made: list[Made] = []
    with ThreadPoolExecutor(concurrency, "benchmark-ask") as pool:
        try:
            for each in pool.map(ask, given):
                made.append(each)
                if len(made) % PROGRESS_STEP == 0 or len(made) == len(given):
                    note(f"{len(made)} of {len(given)} {done}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return made


class Metered(Exchange):
    """An exchange that estimates the tokens of cached replies: words × 1.3 of the request and the reply."""

    def ask(self, request: Request[R], ledger: Ledger) -> R:
        """See Exchange."""
        made = Calls()
        try:
            reply = super().ask(request, made)
        except BaseException:
            _forward(made, ledger, lambda call: call)
            raise
        _forward(made, ledger, lambda call: _estimate(call, request, reply) if call.cached else call)
        return reply


def _forward(made: Calls, ledger: Ledger, seen: Callable[[Call], Call]) -> None:
    for call in made.calls:
        ledger.note(seen(call), None)


def _estimate(call: Call, request: Request[R], reply: R) -> Call:
    schema = json.dumps(lean(request.reply.model_json_schema()))
    asked = f"{request.system}\n{request.prompt.user}\n{request.description}\n{schema}"
    written = json.dumps(reply.model_dump(mode="json"), ensure_ascii=False)
    return replace(call, prompt_tokens=estimate_tokens(asked), completion_tokens=estimate_tokens(written))
