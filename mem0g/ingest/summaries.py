"""The summary S of each conversation (arXiv 2504.19413, section 2.1), refreshed by a model in the background.

A summary that is late or fails holds nothing back: windows are read with the one there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import RLock
from typing import Any

from mem0g.errors import InputError, ModelError
from mem0g.extract.llm.summary import summary_request
from mem0g.ingest.ledger import StoreLedger
from mem0g.llm.prompts import Prompts
from mem0g.llm.request import LanguageModel
from mem0g.model import Message, Scope, content_id
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.protocol import Store

KIND = "summary"
"""The kind of note: one a conversation, with the text and the ids of the messages that it does not cover yet."""

MOST_WAITING = 60
"""Messages that wait for a summary that fails: the oldest are left out of it."""


class Summaries:
    """The summaries of a store's conversations."""

    def __init__(self, store: Store, model: LanguageModel, ledger: StoreLedger, prompts: Prompts, every: int) -> None:
        """``every``: messages that a summary takes in: always so many, so that a run that is replayed asks the same."""
        self._store, self._model, self._ledger, self._prompts, self._every = store, model, ledger, prompts, every
        self._lock = RLock()
        self._known: dict[tuple[Scope, str], dict[str, Any]] = {}
        self._refreshing: set[tuple[Scope, str]] = set()
        self._pool = ThreadPoolExecutor(1, "mem0g-summary")

    def text(self, scope: Scope, source: str) -> str:
        """The summary there is of a conversation, "" before the first."""
        with self._lock:
            text: str = self._body(scope, source)["text"]
            return text

    def heard(self, scope: Scope, messages: Sequence[Message]) -> None:
        """Take note of messages that were committed; where there are enough, refresh the summary in the background."""
        with self._lock:
            for source in dict.fromkeys(message.source for message in messages):
                body = self._body(scope, source)
                body["waiting"] += [message.id for message in messages if message.source == source]
                self._write(scope, _note(scope, source, body))
                if len(body["waiting"]) >= self._every and (scope, source) not in self._refreshing:
                    self._refreshing.add((scope, source))
                    self._pool.submit(self._refresh, scope, source)

    def forget(self, scope: Scope) -> None:
        """Know no more of the scopes covered."""
        with self._lock:
            self._known = {place: body for place, body in self._known.items() if not scope.covers(place[0])}

    def close(self) -> None:
        """Wait for those that are due."""
        self._pool.shutdown()

    def _refresh(self, scope: Scope, source: str) -> None:
        """Take in what waits, until too few messages do."""
        going = True
        while going:
            with self._lock:
                body = self._body(scope, source)
                ids, before = body["waiting"][: self._every], body["text"]
            going = len(ids) == self._every and self._took_in(scope, source, body, ids, before)
            with self._lock:
                going = going and len(body["waiting"]) >= self._every
                if not going:
                    self._refreshing.discard((scope, source))

    def _took_in(self, scope: Scope, source: str, body: dict[str, Any], ids: Sequence[str], before: str) -> bool:
        messages = self._store.messages(scope, ids)
        if not messages:
            return False
        try:
            request = summary_request(self._prompts, scope, messages, before, window=_key(source))
            text = self._model.ask(request, self._ledger).summary.strip()
        except (ModelError, InputError) as error:
            self._end(scope, source, body, {"problem": str(error)})
            return False
        self._end(scope, source, body, {"text": text, "problem": ""}, covered=ids)
        return True

    def _end(
        self, scope: Scope, source: str, body: dict[str, Any], told: dict[str, str], covered: Sequence[str] = ()
    ) -> None:
        """Keep what came of it, unless the scope was forgotten meanwhile; the reply is kept no longer."""
        key, done = _key(source), set(covered)
        with self._lock:
            notes = self._ledger.spent(key)
            if self._known.get((scope, source)) is body:
                body |= told
                body["waiting"] = [each for each in body["waiting"] if each not in done]
                if body["problem"]:
                    body["waiting"] = body["waiting"][-MOST_WAITING:]
                notes = (_note(scope, source, body), *notes)
            self._write(scope, *notes)
            self._ledger.done(key)

    def _body(self, scope: Scope, source: str) -> dict[str, Any]:
        if (scope, source) not in self._known:
            found = self._store.notes(KIND, scope, [_key(source)])
            ours = [note.body for note in found if note.scope == scope and note.body]
            self._known[scope, source] = dict(ours[0]) if ours else {"text": "", "waiting": [], "problem": ""}
        return self._known[scope, source]

    def _write(self, scope: Scope, *notes: Note) -> None:
        self._store.write(scope, lambda transaction: transaction.commit(Change(scope=scope, notes=notes)))


def _note(scope: Scope, source: str, body: dict[str, Any]) -> Note:
    return Note(scope=scope, kind=KIND, key=_key(source), body=body | {"source": source})


def _key(source: str) -> str:
    """The key of a conversation's note: the name of a source may be of any length."""
    return content_id("s", source)
