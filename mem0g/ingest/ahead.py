"""Windows extracted several at a time, ahead of the commit, which stays in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from mem0g.extract.protocol import Window
from mem0g.model import Triple


@dataclass(frozen=True, slots=True)
class Extracted:
    """A window and its triples; or why there are none."""

    window: Window
    triples: Sequence[Triple] = ()
    error: Exception | None = None


class Ahead:
    """Iterates over windows with their triples, in order; up to ``at_once`` are extracted at a time.

    A window is taken from ``windows`` when it is about to be extracted. Who stops early waits for those in hand.
    """

    def __init__(
        self, windows: Iterable[Window], extract: Callable[[Window], Sequence[Triple]], at_once: int = 1
    ) -> None:
        self._coming = iter(windows)
        self._extract = extract
        self._at_once = at_once
        self._in_hand: deque[tuple[Window, Future[Extracted]]] = deque()

    def __iter__(self) -> Iterator[Extracted]:
        if self._at_once < 2:
            yield from map(self._one, self._coming)
            return
        with ThreadPoolExecutor(self._at_once, "mem0g-extract") as pool:
            try:
                for window in self._coming:
                    self._in_hand.append((window, pool.submit(self._one, window)))
                    if len(self._in_hand) >= self._at_once:
                        yield self._in_hand.popleft()[1].result()
                while self._in_hand:
                    yield self._in_hand.popleft()[1].result()
            finally:
                for _, future in self._in_hand:
                    future.cancel()

    def left(self) -> Iterator[Window]:
        """The windows that were not given, in order: those in hand, then those to come."""
        yield from (window for window, _ in self._in_hand)
        yield from self._coming

    def _one(self, window: Window) -> Extracted:
        try:
            return Extracted(window, self._extract(window))
        except Exception as error:  # noqa: BLE001 - whatever an extractor raises: the messages are kept, then it is raised
            return Extracted(window, error=error)
