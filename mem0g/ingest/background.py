"""Extract waiting windows in a thread of this process while the program goes on."""

from __future__ import annotations

import logging
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock

from mem0g.errors import Mem0gError, StoreError
from mem0g.forks import OwnProcess
from mem0g.ingest.pipeline import IngestPipeline
from mem0g.ingest.report import Report
from mem0g.model import Scope

_log = logging.getLogger(__name__)


class Background:
    """One thread, started with the first scope to retry: scopes one after the other, their windows in order.

    What goes wrong is logged, as a program may never call ``flush``.
    """

    def __init__(self, ingest: IngestPipeline) -> None:
        self._ingest, self._process = ingest, OwnProcess()
        self._pool = ThreadPoolExecutor(1, "mem0g-background")
        self._lock = Lock()
        self._scopes: deque[Scope | None] = deque()
        self._begun: deque[tuple[Scope | None, Future[Report]]] = deque()
        self._report = Report()
        self._error: BaseException | None = None
        self._closed = False

    def retry(self, scope: Scope | None) -> None:
        """Start extracting the pending windows of ``scope``, or of the whole store, and return at once.

        Raises StoreError when the memory was closed, and in a fork.
        """
        self._process.check("the memory")
        with self._lock:
            if self._closed:
                raise StoreError("the memory was closed", hint="open it again, or use it inside of its `with` block")
            self._gather()
            if scope not in self._scopes:
                self._begun.append((scope, self._pool.submit(self._next)))
                self._scopes.append(scope)

    def wait(self, scope: Scope | None = None) -> None:
        """Wait for the extractions that were started; in a fork, where none goes on, raise StoreError.

        With a scope, only for those that may write what a change of it reads or writes: what waits for a slow model in
        one tenant's memory is no reason that another one has to wait.
        """
        self._process.check("the memory")
        with self._lock:
            begun = [each for started, each in self._begun if _concerns(started, scope)]
        wait(begun)

    @property
    def busy(self) -> bool:
        """Whether an extraction that was started has not come to its end; in a fork, raise StoreError."""
        self._process.check("the memory")
        with self._lock:
            return not all(each.done() for _, each in self._begun)

    def flush(self) -> Report:
        """Wait for the extractions that were started; return the report of everything since the last flush.

        Raises the first error since then; windows that could not be extracted wait in the store.
        """
        self.wait()
        with self._lock:
            self._gather()
            report, error = self._report, self._error
            self._report, self._error = Report(), None
        if error:
            raise error
        return report

    def close(self) -> None:
        """Wait for the extractions that were started and end the thread; errors stay recorded with their windows.

        In a fork there is no thread, and nothing to wait for.
        """
        if self._process.is_forked:
            return
        with self._lock:
            self._closed = True
        self._pool.shutdown()

    def _gather(self) -> None:
        """Add up the reports of completed scopes, and keep the first error."""
        while self._begun and self._begun[0][1].done():
            _, done = self._begun.popleft()
            error = done.exception()
            if error is None:
                self._report += done.result()
            else:
                self._error = self._error or error

    def _next(self) -> Report:
        with self._lock:
            scope = self._scopes.popleft()
        place = f"the memory of {scope}" if scope else "the store"
        try:
            report = sum(self._ingest.retry(self._ingest.waiting(scope)), start=Report())
        except Exception as error:
            _log.error("extraction in %s stopped: %s", place, _logged(error))
            raise
        if report.quarantined:
            _log.error("%d windows in %s had no usable reply; `mem0g retry` asks again", report.quarantined, place)
        return report


def _concerns(started: Scope | None, scope: Scope | None) -> bool:
    """Whether an extraction of ``started`` may write to ``scope``, to what it covers or is covered by; None is all."""
    if started is None or scope is None:
        return True
    return started.tenant == scope.tenant or started.covers(scope) or scope.covers(started)


def _logged(error: Exception) -> str:
    """Return an error on one line; of one that is not mem0g's own only the class, as its text may quote messages."""
    if isinstance(error, Mem0gError):
        return " ".join(error.with_hint.split())
    return f"{type(error).__name__} (`mem0g stats` shows more)"
