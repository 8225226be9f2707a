"""Times of queries, and the parts of the embedder and the store in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from benchmarks.embedders import TimedEmbedder
from mem0g.store.protocol import Store

if TYPE_CHECKING:
    pass

P = ParamSpec("P")
T = TypeVar("T")


class Seconds(NamedTuple):
    """A time, or how long something took: by the clock, and of the processor by this process."""

    clock: float
    processor: float

    @classmethod
    def now(cls) -> Seconds:
        """Return the time."""
        return cls(perf_counter(), process_time())

    def __add__(self, other: Seconds) -> Seconds:  # type: ignore[override]
        return Seconds(self.clock + other.clock, self.processor + other.processor)

    def __sub__(self, other: Seconds) -> Seconds:
        return Seconds(self.clock - other.clock, self.processor - other.processor)


class QueryTimes:
    """The ``milliseconds`` of each query in order, and the part of the embedder in ``embedding``."""

    def __init__(self, embedder: TimedEmbedder) -> None:
        self.milliseconds: list[float] = []
        self.embedding: list[float] = []
        self._embedder = embedder

    def time(self, query: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``query``, record its time unless it raises, and return its result."""
        start, embedded = perf_counter(), self._embedder.milliseconds
        answer = query(*args, **kwargs)
        self.milliseconds.append(1000 * (perf_counter() - start))
        self.embedding.append(self._embedder.milliseconds - embedded)
        return answer

    def __str__(self) -> str:
        p50, p95 = (percentile(self.milliseconds, percent) for percent in (50, 95))
        share = 100 * sum(self.embedding) / sum(self.milliseconds)
        return f"{p50} ms a query (p95 {p95}), {share:.0f}% of it the embedder's; {len(self.milliseconds)} queries"


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the percentile, interpolated linearly, rounded to 0.1."""
    import numpy as np

    return round(float(np.percentile(values, percent)), 1)


Task = Callable[[int], object]
"""Runs a query for the question of a number."""


class TimedStore:
    """A store that adds up what its calls take in ``taken``."""

    def __init__(self, store: Store) -> None:
        self.taken = Seconds(0, 0)
        self._store = store

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name not in ("match_names", "find"):
            return method

        def timed(*args: Any, **kwargs: Any) -> Any:
            start = Seconds.now()
            answer = method(*args, **kwargs)
            self.taken += Seconds.now() - start
            return answer

        return timed


def in_turn(tasks: Mapping[str, Task], rounds: int) -> dict[str, list[Seconds]]:
    """Return what each task takes in each round; the first round runs twice and counts once.

    The tasks of a round run one after the other, so that a busy minute of the machine affects all alike.
    """
    taken: dict[str, list[Seconds]] = {name: [] for name in tasks}
    for number in (0, *range(rounds)):
        for name, task in tasks.items():
            start = Seconds.now()
            task(number)
            taken[name].append(Seconds.now() - start)
    return {name: times[1:] for name, times in taken.items()}
