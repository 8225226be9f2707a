"""The summary S of each conversation (arXiv 2504.19413, section 2.1), refreshed by a model in the background.

A summary that is late or fails holds nothing back: windows are read with the one there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any

from mem0g.errors import InputError, ModelError
from mem0g.extract.llm.summary import summary_request
from mem0g.ingest.ledger import StoreLedger
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.model import Message, Scope, content_id
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.protocol import Store, Transaction

KIND = "summary"
"""The kind of note: one a conversation, with the text and the ids of the messages that it does not cover yet."""

MOST_WAITING = 60
"""Messages that wait for a summary that fails: the oldest are left out of it."""


class Summaries:
    """The summaries of a store's conversations."""

    def __init__(self, store: Store, model: Exchange, ledger: StoreLedger, prompts: Prompts, every: int) -> None:
        """``every``: messages that a summary takes in: always so many, so that a run that is replayed asks the same."""
        self._store, self._model, self._ledger, self._prompts, self._every = store, model, ledger, prompts, every
        self._lock = Lock()
        self._refreshing: set[tuple[Scope, str]] = set()
        self._pool = ThreadPoolExecutor(1, "mem0g-summary")

    def text(self, scope: Scope, source: str) -> str:
        """The summary there is of a conversation, "" before the first."""
        text: str = self._body(scope, source)["text"]
        return text

    def heard(self, scope: Scope, messages: Sequence[Message]) -> None:
        """Take note of messages that were committed; where there are enough, refresh the summary in the background."""
        for source in dict.fromkeys(message.source for message in messages):
            ids = [message.id for message in messages if message.source == source]
            waiting = self._store.write(scope, partial(_wait, scope=scope, source=source, ids=ids))
            if waiting >= self._every and self._claims(scope, source):
                self._pool.submit(self._refresh, scope, source)

    def close(self) -> None:
        """Wait for those that are due."""
        self._pool.shutdown()

    def _claims(self, scope: Scope, source: str) -> bool:
        """Whether nobody refreshes this summary, so that the caller does from now on."""
        with self._lock:
            free = (scope, source) not in self._refreshing
            self._refreshing.add((scope, source))
            return free

    def _refresh(self, scope: Scope, source: str) -> None:
        """Take in what waits, until too few messages do or it fails."""
        failed, mine = False, True
        while mine:
            try:
                while not failed and (due := self._due(scope, source)):
                    failed = not self._took_in(scope, source, *due)
            finally:
                with self._lock:
                    self._refreshing.discard((scope, source))
            # more may have come after they were counted, and nobody else was asked to take them in
            mine = not failed and self._due(scope, source) is not None and self._claims(scope, source)

    def _due(self, scope: Scope, source: str) -> tuple[list[str], str] | None:
        """The ids of the next messages to take in and the summary before them; None while too few wait."""
        body = self._body(scope, source)
        ids = body["waiting"][: self._every]
        return (ids, body["text"]) if len(ids) == self._every else None

    def _took_in(self, scope: Scope, source: str, ids: Sequence[str], before: str) -> bool:
        messages = self._store.messages(scope, ids)
        if not messages:
            return False
        try:
            request = summary_request(self._prompts, scope, messages, before, window=_key(source))
            text = self._model.ask(request, self._ledger).summary.strip()
        except (ModelError, InputError) as error:
            self._end(scope, source, {"problem": str(error)}, asked=ids)
            return False
        self._end(scope, source, {"text": text, "problem": ""}, asked=ids, covered=ids)
        return True

    def _end(
        self, scope: Scope, source: str, found: dict[str, str], *, asked: Sequence[str], covered: Sequence[str] = ()
    ) -> None:
        """Keep what came of it, unless the messages asked about were forgotten meanwhile; drop the reply."""
        key, done = _key(source), set(covered)
        spent = self._ledger.spent(key)

        def work(transaction: Transaction) -> None:
            body = _body_of(transaction.note(KIND, key))
            notes = spent
            if set(asked) <= set(body["waiting"]):
                waiting = [each for each in body["waiting"] if each not in done]
                left = waiting[-MOST_WAITING:] if found["problem"] else waiting
                notes = (_note(scope, source, body | found | {"waiting": left}), *spent)
            transaction.commit(Change(scope=scope, notes=notes))

        self._store.write(scope, work)
        self._ledger.done(key)

    def _body(self, scope: Scope, source: str) -> dict[str, Any]:
        """The summary's note as it is now: another process may have written or forgotten it."""
        found = self._store.notes(KIND, scope, [_key(source)])
        return _body_of(next((note for note in found if note.scope == scope), None))


def _wait(transaction: Transaction, scope: Scope, source: str, ids: Sequence[str]) -> int:
    """Let messages wait for the summary, those that are still there; return how many do."""
    known = transaction.begin(ids).known
    body = _body_of(transaction.note(KIND, _key(source)))
    body["waiting"] += [each for each in ids if each in known and each not in body["waiting"]]
    if known:
        transaction.commit(Change(scope=scope, notes=(_note(scope, source, body),)))
    return len(body["waiting"])


def _body_of(note: Note | None) -> dict[str, Any]:
    """What a summary's note says, or says before there is one."""
    return {"text": "", "waiting": [], "problem": "", **(note.body if note and note.body else {})}


def _note(scope: Scope, source: str, body: dict[str, Any]) -> Note:
    return Note(scope=scope, kind=KIND, key=_key(source), body=body | {"source": source})


def _key(source: str) -> str:
    """The key of a conversation's note: the name of a source may be of any length."""
    return content_id("s", source)
