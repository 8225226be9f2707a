"""Extract windows ahead of their commits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import takewhile
from threading import Lock

from mem0g.extract.protocol import Window
from mem0g.model import Triple


@dataclass(frozen=True, slots=True)
class Extracted:
    """A window and its triples, or the error that its extraction raised."""

    window: Window
    triples: Sequence[Triple] = ()
    error: Exception | None = None


class Prefetcher:
    """Iterates over groups of windows with their triples, in order; extracts windows while a group is committed.

    A group has up to ``together`` consecutive windows of one conversation. One whose extraction raised an error ends
    its group. So the groups depend on the windows alone, not on time.

    With a ``concurrency`` of 2, one window is extracted while those before it are decided about and committed; with
    more, so many less one are extracted at a time, in threads of their own. A window is taken from ``windows`` at most
    ``concurrency`` before its turn. ``extract`` is given it with the triples of the windows before it that are
    extracted and not known to be committed. Closing the iterator waits for the extractions that have begun.
    """

    def __init__(
        self,
        windows: Iterable[Window],
        extract: Callable[[Window, Sequence[Triple]], Sequence[Triple]],
        concurrency: int = 1,
        together: int = 1,
    ) -> None:
        self._coming = iter(windows)
        self._extract = extract
        self._concurrency = concurrency
        self._together = together
        self._begun: deque[tuple[Window, Future[Extracted]]] = deque()
        self._group: list[Extracted] = []
        self._yielded: tuple[Extracted, ...] = ()
        self._turn = Lock()

    def __iter__(self) -> Iterator[tuple[Extracted, ...]]:
        for found in self._in_order():
            if self._group[0].window.messages[0].source != found.window.messages[0].source:
                yield self._taken(len(self._group) - 1)
            if found.error or len(self._group) == self._together:
                yield self._taken(len(self._group))
        if self._group:
            yield self._taken(len(self._group))

    def _taken(self, count: int) -> tuple[Extracted, ...]:
        """Take the first windows of the group; their triples stay those of windows ahead until the next group."""
        with self._turn:
            self._yielded, self._group = tuple(self._group[:count]), self._group[count:]
        return self._yielded

    def _in_order(self) -> Iterator[Extracted]:
        """Yield the windows as they are added to the group."""
        if self._concurrency < 2:
            for window in self._coming:
                self._group.append(self._extracted(window))
                yield self._group[-1]
            return
        with ThreadPoolExecutor(self._concurrency - 1, "mem0g-extract") as pool:
            try:
                for window in self._coming:
                    self._begun.append((window, pool.submit(self._extracted, window)))
                    if len(self._begun) >= self._concurrency:
                        yield self._next()
                while self._begun:
                    yield self._next()
            finally:
                for _, future in self._begun:
                    future.cancel()

    def _next(self) -> Extracted:
        """Wait for the first of the windows begun, and add it to the group."""
        found = self._begun[0][1].result()
        with self._turn:
            self._group.append(found)
            self._begun.popleft()
        return found

    def remaining(self) -> Iterator[Window]:
        """Return the windows that were not yielded, in order: those begun, then those to come."""
        yield from (each.window for each in self._group)
        yield from (window for window, _ in self._begun)
        yield from self._coming

    def _ahead(self, window: Window) -> tuple[Triple, ...]:
        """Return the triples of windows before ``window`` that are extracted and may not be committed yet."""
        with self._turn:
            waiting, begun = (*self._yielded, *self._group), list(self._begun)
        before = takewhile(lambda each: each[0] is not window, begun)
        done = (future.result() for _, future in before if future.done() and not future.cancelled())
        return tuple(triple for each in (*waiting, *done) for triple in each.triples)

    def _extracted(self, window: Window) -> Extracted:
        try:
            return Extracted(window, self._extract(window, self._ahead(window)))
        except Exception as error:  # noqa: BLE001 - an extractor may raise anything; it is raised in the window's turn
            return Extracted(window, error=error)
