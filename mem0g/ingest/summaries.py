"""The summary S of each conversation (arXiv 2504.19413, section 2.1), refreshed by a model in the background.

It covers what came before the present session, of which the extractor sees the messages. A summary that is late or
fails delays nothing: a window that it is not up to date for is extracted without it. A whole transcript is summed up
once, at its end, in case the conversation goes on: its windows are read faster than a summary of each could be made.

Each session can have a summary of its own as well, asked for when it closes: when another one begins, or the
transcript ends. Extraction does not need it; questions for a summary or a development are answered from it. Its record
is that of the conversation, with the id of the session: the messages it was made from are those of the session.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock

from mem0g.errors import InputError, ModelError
from mem0g.extract.llm.extractor import summary_request
from mem0g.extract.protocol import Window
from mem0g.ingest.earlier_facts import earlier_facts
from mem0g.ingest.ledger import StoreLedger
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.model import Message, Scope, content_id
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.store.records import ConversationSummary

MAX_WAITING = 60
"""Messages that wait for a summary: that of the conversation has some facts of older ones in their place. A session
with as many is summed up before it closes."""

FEWEST_OF_SESSION = 4
"""Messages of a session from which on it has a summary: a shorter one can be read as quickly."""


class Summaries:
    """The summaries of a store's conversations."""

    def __init__(
        self,
        store: Store,
        model: Exchange,
        ledger: StoreLedger,
        prompts: Prompts,
        every: int,
        *,
        sessions: bool = False,
    ) -> None:
        """``every``: messages from which a summary is refreshed. ``sessions``: each session gets one as well."""
        self._store, self._model, self._ledger, self._prompts, self._every = store, model, ledger, prompts, every
        self._sessions = sessions
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
        """Record messages that were committed without this: they wait for the summary."""

        def work(transaction: Transaction) -> None:
            if waiting := self.waiting_of_stored(scope, messages, transaction):
                transaction.commit(Change(scope=scope, summaries=waiting))

        self._store.write(scope, work)

    def waiting(
        self, scope: Scope, messages: Sequence[Message], transaction: Transaction
    ) -> tuple[ConversationSummary, ...]:
        """Return the summaries for which messages that are committed wait, to be committed with them.

        The latest MAX_WAITING of a conversation go on waiting; for the summaries of sessions, if there are any, all.
        """
        heard: dict[str, ConversationSummary] = {}
        ids: defaultdict[str, list[str]] = defaultdict(list)
        for each in messages:
            keys = [_key(each.source), *([session_key(each.source, each.session)] if self._sessions else [])]
            for key in keys:
                heard[key] = ConversationSummary(id=key, scope=scope, source=each.source)
                ids[key].append(each.id)
        if heard:
            heard |= {each.id: each for each in transaction.records(ConversationSummary, list(heard))}
        return tuple(_with_waiting(each, ids[each.id]) for each in heard.values())

    def waiting_of_stored(
        self, scope: Scope, messages: Sequence[Message], transaction: Transaction
    ) -> tuple[ConversationSummary, ...]:
        """Return the same for messages that were stored before; not for those that were erased since."""
        known = transaction.begin([each.id for each in messages]).known
        return self.waiting(scope, [each for each in messages if each.id in known], transaction)

    def refresh(self, scope: Scope, source: str, session: str, *, whole: bool = False) -> None:
        """Refresh a summary in the background if enough messages wait: with ``whole`` all at once.

        Otherwise always as many as are enough, so that a repeated run makes the same requests. ``session`` is the one
        that may go on; with ``whole`` all are closed.
        """
        still = None if whole else session
        if self._due(scope, source, still) is not None and self._acquire(scope, source):
            self._pool.submit(self._refresh, scope, source, still)

    def close(self) -> None:
        """Wait for the refreshes that have begun."""
        self._pool.shutdown()

    def _acquire(self, scope: Scope, source: str) -> bool:
        """Return whether no other thread refreshes this summary; the caller then has to."""
        with self._lock:
            free = (scope, source) not in self._refreshing
            self._refreshing.add((scope, source))
            return free

    def _refresh(self, scope: Scope, source: str, still: str | None) -> None:
        """Refresh the summaries until too few messages wait or one fails; ``still``: the open session, if any."""
        failed, mine = False, True
        while mine:
            try:
                while not failed and (due := self._due(scope, source, still)):
                    failed = not self._summarise(scope, *due)
            finally:
                with self._lock:
                    self._refreshing.discard((scope, source))
            # more may have come after the last count, when no other thread was started for them
            mine = not failed and self._due(scope, source, still) is not None and self._acquire(scope, source)

    def _due(self, scope: Scope, source: str, still: str | None) -> tuple[ConversationSummary, list[str]] | None:
        """Return the summary to refresh and the ids of its next messages; None while too few wait."""
        summary = self._current(scope, source)
        ids = list(summary.waiting if still is None else summary.waiting[: self._every])
        if len(ids) >= self._every:
            return summary, ids
        return next(self._closed(scope, source, still), None) if self._sessions else None

    def _closed(self, scope: Scope, source: str, still: str | None) -> Iterator[tuple[ConversationSummary, list[str]]]:
        """Yield the summaries of sessions of which enough waits, with the ids of the next messages."""
        is_open = None if still is None else session_key(source, still)
        for each in self._store.records(ConversationSummary, scope):
            if (each.scope, each.source) == (scope, source) and each.id != _key(source):
                enough = MAX_WAITING if each.id == is_open else 1 if each.text else FEWEST_OF_SESSION
                if len(each.waiting) >= enough:
                    yield each, list(each.waiting[:MAX_WAITING])

    def _summarise(self, scope: Scope, summary: ConversationSummary, ids: Sequence[str]) -> bool:
        """Ask for the summary with these messages; return whether there is one."""
        messages = self._store.messages(scope, ids)
        if not messages:
            return False
        try:
            left_out = summary.id == _key(summary.source) and len(summary.waiting) >= MAX_WAITING
            earlier = earlier_facts(self._store, scope, messages) if left_out else ()
            request = summary_request(self._prompts, scope, messages, summary.text, earlier=earlier, window=summary.id)
            text = self._model.ask(request, self._ledger).summary.strip()
        except (ModelError, InputError) as error:
            self._store_result(scope, summary.id, asked=ids, problem=str(error))
            return False
        self._store_result(scope, summary.id, asked=ids, text=text)
        return True

    def _store_result(self, scope: Scope, key: str, *, asked: Sequence[str], text: str = "", problem: str = "") -> None:
        """Store the text or the problem, unless messages asked about were forgotten meanwhile; the reply is done."""
        spent = self._ledger.spent(key)

        def work(transaction: Transaction) -> None:
            change = Change(scope=scope, done=spent)
            for summary in transaction.records(ConversationSummary, [key]):
                if set(asked) <= set(summary.waiting):
                    left = tuple(each for each in summary.waiting if each not in asked)
                    made = replace(summary, text=text, problem="", waiting=left)
                    change = replace(change, summaries=(replace(summary, problem=problem) if problem else made,))
            transaction.commit(change)

        self._store.write(scope, work)
        self._ledger.done(key)

    def _current(self, scope: Scope, source: str) -> ConversationSummary:
        """Return the summary as it is now: another process may have written or forgotten it."""
        found = self._store.records(ConversationSummary, scope, [_key(source)])
        empty = ConversationSummary(id=_key(source), scope=scope, source=source)
        return next((each for each in found if each.scope == scope), empty)


def _with_waiting(summary: ConversationSummary, ids: Sequence[str]) -> ConversationSummary:
    """Return the summary with more messages that wait for it."""
    waiting = (*summary.waiting, *(each for each in ids if each not in summary.waiting))
    is_of_conversation = summary.id == _key(summary.source)
    return replace(summary, waiting=waiting[-MAX_WAITING:] if is_of_conversation else waiting)


def _key(source: str) -> str:
    """Return the id of a conversation's summary: a hash, since the name of a source may have any length."""
    return content_id("s", source)


def session_key(source: str, session: str) -> str:
    """Return the id of the summary of a session."""
    return content_id("s", source, session)
