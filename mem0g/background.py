"""Windows that wait, worked off by a thread of this process while the program goes on."""

from __future__ import annotations

from collections import deque
from threading import Condition, Thread

from mem0g.batch import Report
from mem0g.errors import Mem0gError
from mem0g.ingesting import Ingesting
from mem0g.model import Scope
from mem0g.pending import pending_windows


class Background:
    """One thread, started with the first scope that it is given; scopes one after the other, windows in order."""

    def __init__(self, ingesting: Ingesting) -> None:
        self._ingesting = ingesting
        self._turn = Condition()
        self._scopes: deque[Scope | None] = deque()
        self._busy = self._closing = False
        self._thread: Thread | None = None
        self._error: Mem0gError | None = None
        self._report = Report()

    def work_off(self, scope: Scope | None) -> None:
        """Begin with what waits in ``scope``, or in the whole store, and return at once."""
        with self._turn:
            if scope not in self._scopes:
                self._scopes.append(scope)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="mem0g-background", daemon=True)
                self._thread.start()
            self._turn.notify_all()

    def flush(self) -> Report:
        """Wait until nothing is left to begin; answers what came of it since the last time.

        Raises the first error since then; the windows that it kept from being done wait in the store.
        """
        with self._turn:
            self._turn.wait_for(lambda: not self._scopes and not self._busy)
            report, error = self._report, self._error
            self._report, self._error = Report(), None
        if error:
            raise error
        return report

    def close(self) -> None:
        """Wait for what was begun, and end the thread; an error stays noted with its window in the store."""
        with self._turn:
            self._closing = True
            self._turn.notify_all()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: bool(self._scopes) or self._closing)
                if not self._scopes:
                    return
                scope = self._scopes.popleft()
                self._busy = True
            try:
                self._work_off(scope)
            finally:
                with self._turn:
                    self._busy = False
                    self._turn.notify_all()

    def _work_off(self, scope: Scope | None) -> None:
        try:
            found = pending_windows(self._ingesting.store, scope)
            waiting = [each for each in found if each.state != "quarantined"]
            for report in self._ingesting.work_off(waiting):
                with self._turn:
                    self._report += report
        except Mem0gError as error:
            with self._turn:
                self._error = self._error or error
