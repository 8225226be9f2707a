"""Extract windows ahead of their commits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from mem0g.extract.protocol import Window
from mem0g.model import Triple


@dataclass(frozen=True, slots=True)
class Extracted:
    """A window and its triples, or the error that its extraction raised."""

    window: Window
    triples: Sequence[Triple] = ()
    error: Exception | None = None


class Prefetcher:
    """Iterates over windows with their triples, in order; up to ``concurrency`` windows are extracted at a time.

    A window is taken from ``windows`` when it is about to be extracted. ``extract`` is given it with the triples of the
    windows before it that are extracted and not yielded yet, and runs in a thread of its own unless ``concurrency`` is
    1. Closing the iterator waits for the extractions that have begun.
    """

    def __init__(
        self,
        windows: Iterable[Window],
        extract: Callable[[Window, Sequence[Triple]], Sequence[Triple]],
        concurrency: int = 1,
    ) -> None:
        self._coming = iter(windows)
        self._extract = extract
        self._concurrency = concurrency
        self._begun: deque[tuple[Window, Future[Extracted]]] = deque()

    def __iter__(self) -> Iterator[Extracted]:
        if self._concurrency < 2:
            yield from map(self._extracted, self._coming)
            return
        with ThreadPoolExecutor(self._concurrency, "mem0g-extract") as pool:
            try:
                for window in self._coming:
                    self._begun.append((window, pool.submit(self._extracted, window, self._ahead())))
                    if len(self._begun) >= self._concurrency:
                        yield self._begun.popleft()[1].result()
                while self._begun:
                    yield self._begun.popleft()[1].result()
            finally:
                for _, future in self._begun:
                    future.cancel()

    def remaining(self) -> Iterator[Window]:
        """Return the windows that were not yielded, in order: those begun, then those to come."""
        yield from (window for window, _ in self._begun)
        yield from self._coming

    def _ahead(self) -> tuple[Triple, ...]:
        """Return the triples of the windows that are extracted and not yielded yet."""
        return tuple(each for _, future in self._begun if future.done() for each in future.result().triples)

    def _extracted(self, window: Window, ahead: Sequence[Triple] = ()) -> Extracted:
        try:
            return Extracted(window, self._extract(window, ahead))
        except Exception as error:  # noqa: BLE001 - an extractor may raise anything; it is raised in the window's turn
            return Extracted(window, error=error)
