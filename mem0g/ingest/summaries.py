"""The summary S of each conversation (arXiv 2504.19413, section 2.1), refreshed by a model in the background.

It is of what came before the present session: of that the extractor sees the messages, and the known entities. A
summary that is late or fails delays nothing: a window that it is not up to date for is extracted without it. A whole
transcript is summed up once, at its end, for the conversation that goes on from there: windows that are read one after
the other at full speed would always come before the summary that they need.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Lock

from mem0g.errors import InputError, ModelError
from mem0g.extract.llm.extractor import summary_request
from mem0g.extract.protocol import Window
from mem0g.ingest.ledger import StoreLedger
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.model import Message, Scope, content_id
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.store.records import ConversationSummary

MAX_WAITING = 60
"""Messages that wait for a summary: older ones are left out of it."""


class Summaries:
    """The summaries of a store's conversations."""

    def __init__(self, store: Store, model: Exchange, ledger: StoreLedger, prompts: Prompts, every: int) -> None:
        """``every``: messages from which a summary is refreshed."""
        self._store, self._model, self._ledger, self._prompts, self._every = store, model, ledger, prompts, every
        self._lock = Lock()
        self._refreshing: set[tuple[Scope, str]] = set()
        self._pool = ThreadPoolExecutor(1, "mem0g-summary")

    def text(self, window: Window) -> str:
        """Return the summary of the conversation before the session of ``window``.

        "" where there is none yet, or where it lacks messages of a session before that the window does not show.
        """
        if window.scope is None:
            return ""
        session = window.messages[0].session
        summary = self._current(window.scope, window.messages[0].source)
        shown = {message.id for message in window.context}
        missing = [each for each in summary.waiting if each not in shown]
        before = [message.id for message in window.context if message.session != session][-1:]
        found = self._store.messages(window.scope, [*missing, *before]) if summary.text else ()
        late = any(message.session != session for message in found if message.id not in shown)
        committed = {message.id for message in found}
        return "" if late or not committed.issuperset(before) else summary.text

    def heard(self, scope: Scope, messages: Sequence[Message]) -> None:
        """Record messages that were committed: they wait for the summary."""
        for source in dict.fromkeys(message.source for message in messages):
            ids = [message.id for message in messages if message.source == source]
            self._store.write(scope, partial(_wait, scope=scope, source=source, ids=ids))

    def refresh(self, scope: Scope, source: str, *, whole: bool = False) -> None:
        """Refresh a summary in the background if enough messages wait: with ``whole`` all at once.

        Otherwise always as many as are enough, so that a repeated run makes the same requests.
        """
        if self._due(scope, source, whole) is not None and self._acquire(scope, source):
            self._pool.submit(self._refresh, scope, source, whole)

    def close(self) -> None:
        """Wait for the refreshes that have begun."""
        self._pool.shutdown()

    def _acquire(self, scope: Scope, source: str) -> bool:
        """Return whether no other thread refreshes this summary; the caller then has to."""
        with self._lock:
            free = (scope, source) not in self._refreshing
            self._refreshing.add((scope, source))
            return free

    def _refresh(self, scope: Scope, source: str, whole: bool) -> None:
        """Refresh the summary until too few messages wait or it fails."""
        failed, mine = False, True
        while mine:
            try:
                while not failed and (due := self._due(scope, source, whole)):
                    failed = not self._summarise(scope, source, *due)
            finally:
                with self._lock:
                    self._refreshing.discard((scope, source))
            # more may have come after the last count, when no other thread was started for them
            mine = not failed and self._due(scope, source, whole) is not None and self._acquire(scope, source)

    def _due(self, scope: Scope, source: str, whole: bool) -> tuple[list[str], str] | None:
        """Return the ids of the next messages and the summary before them; None while too few wait."""
        summary = self._current(scope, source)
        ids = list(summary.waiting if whole else summary.waiting[: self._every])
        return (ids, summary.text) if len(ids) >= self._every else None

    def _summarise(self, scope: Scope, source: str, ids: Sequence[str], before: str) -> bool:
        """Ask for the summary with these messages; return whether there is one."""
        messages = self._store.messages(scope, ids)
        if not messages:
            return False
        try:
            request = summary_request(self._prompts, scope, messages, before, window=_key(source))
            text = self._model.ask(request, self._ledger).summary.strip()
        except (ModelError, InputError) as error:
            self._store_result(scope, source, asked=ids, problem=str(error))
            return False
        self._store_result(scope, source, asked=ids, text=text)
        return True

    def _store_result(
        self, scope: Scope, source: str, *, asked: Sequence[str], text: str = "", problem: str = ""
    ) -> None:
        """Store the text or the problem, unless messages asked about were forgotten meanwhile; the reply is done."""
        key = _key(source)
        spent = self._ledger.spent(key)

        def work(transaction: Transaction) -> None:
            summary = _summary(transaction.records(ConversationSummary, [key]), scope, source)
            change = Change(scope=scope, done=spent)
            if set(asked) <= set(summary.waiting):
                if problem:
                    summary = replace(summary, problem=problem)
                else:
                    left = tuple(each for each in summary.waiting if each not in asked)
                    summary = replace(summary, text=text, problem="", waiting=left)
                change = replace(change, summaries=(summary,))
            transaction.commit(change)

        self._store.write(scope, work)
        self._ledger.done(key)

    def _current(self, scope: Scope, source: str) -> ConversationSummary:
        """Return the summary as it is now: another process may have written or forgotten it."""
        found = self._store.records(ConversationSummary, scope, [_key(source)])
        return _summary([each for each in found if each.scope == scope], scope, source)


def _wait(transaction: Transaction, scope: Scope, source: str, ids: Sequence[str]) -> None:
    """Add the messages that are still stored to those waiting for the summary; the latest MAX_WAITING go on waiting."""
    known = transaction.begin(ids).known
    summary = _summary(transaction.records(ConversationSummary, [_key(source)]), scope, source)
    waiting = (*summary.waiting, *(each for each in ids if each in known and each not in summary.waiting))
    if known:
        transaction.commit(Change(scope=scope, summaries=(replace(summary, waiting=waiting[-MAX_WAITING:]),)))


def _summary(kept: Sequence[ConversationSummary], scope: Scope, source: str) -> ConversationSummary:
    """Return the stored summary, or an empty one before the first."""
    return kept[0] if kept else ConversationSummary(id=_key(source), scope=scope, source=source)


def _key(source: str) -> str:
    """Return the id of a conversation's summary: a hash, since the name of a source may have any length."""
    return content_id("s", source)
