"""How long queries take, and how much of it is the embedder's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from mem0g.embed import open_embedder
from mem0g.embed.protocol import Embedder
from mem0g.settings import Settings

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
