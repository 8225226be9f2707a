"""How long queries take, and how much of it is the embedder's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from mem0g.embed import open_embedder
from mem0g.embed.protocol import Embedder
from mem0g.settings import Settings
from mem0g.store.protocol import Store

if TYPE_CHECKING:
    from mem0g.model import Matrix

P = ParamSpec("P")
T = TypeVar("T")


class TimedEmbedder:
    """An embedder that adds up its ``milliseconds``."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.milliseconds = 0.0
        self._embedder = embedder

    @classmethod
    def usual(cls) -> TimedEmbedder:
        """The embedder that the environment's settings name, MiniLM without any."""
        settings = Settings.from_environment()
        return cls(open_embedder(settings.embedder, weights=settings.weights))

    def embed(self, texts: Sequence[str]) -> Matrix:
        """As the embedder does."""
        start = perf_counter()
        vectors = self._embedder.embed(texts)
        self.milliseconds += 1000 * (perf_counter() - start)
        return vectors


class QueryTimes:
    """The ``milliseconds`` of each query in order, and in ``embedding`` those that the embedder took of it."""

    def __init__(self, embedder: TimedEmbedder) -> None:
        self.milliseconds: list[float] = []
        self.embedding: list[float] = []
        self._embedder = embedder

    def time(self, query: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``query`` answers; how long it took is noted unless it raises."""
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
    """The value that ``percent`` of ``values`` are at most (linear between neighbours), to 0.1."""
    import numpy as np

    return round(float(np.percentile(values, percent)), 1)


Task = Callable[[int], object]
"""Does something for the question of a number."""


class TimedStore:
    """A store that adds up the ``milliseconds`` of what a search asks of it."""

    def __init__(self, store: Store) -> None:
        self.milliseconds = 0.0
        self._store = store

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name not in ("match_names", "find"):
            return method

        def timed(*args: Any, **kwargs: Any) -> Any:
            start = perf_counter()
            answer = method(*args, **kwargs)
            self.milliseconds += 1000 * (perf_counter() - start)
            return answer

        return timed


def in_turn(tasks: Mapping[str, Task], rounds: int) -> dict[str, list[float]]:
    """The milliseconds of each task in each round, all of a round one after the other, so that a busy minute of the
    machine hits all alike; the first round is done twice and counted once.
    """
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for number in (0, *range(rounds)):
        for name, task in tasks.items():
            start = perf_counter()
            task(number)
            taken[name].append(1000 * (perf_counter() - start))
    return {name: times[1:] for name, times in taken.items()}
