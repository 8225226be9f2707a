"""Ways to join relation names that say the same: mem0g's registry, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from benchmarks.timing import QueryTimes
from mem0g.embed.protocol import Embedder
from mem0g.relations.registry import Registry
from mem0g.relations.vocabulary import Vocabulary
from mem0g.text.names import normal_relation

Joined = Mapping[str, str]
"""The name that stands for each name."""

Joining = Callable[[Sequence[str]], Joined]
"""Joins names, given in the order in which a database meets them."""


def methods(embedder: Embedder, times: QueryTimes) -> dict[str, Joining]:
    """All ways that are compared, by name; ``times`` notes how long mem0g takes for each name."""
    return {
        "mem0g": lambda names: by_registry(names, Registry(), embedder, times),
        "mem0g without seeds": lambda names: by_registry(names, Registry([]), embedder, times),
        "exact": exact,
        "cosine 0.9": lambda names: by_cosine(names, 0.9, embedder),
        "cosine 0.8": lambda names: by_cosine(names, 0.8, embedder),
    }


def exact(names: Sequence[str]) -> Joined:
    """Names that are equal when normalised are one."""
    return {name: normal_relation(name) for name in names}


def by_cosine(names: Sequence[str], threshold: float, embedder: Embedder) -> Joined:
    """A name joins the nearest one known, from a cosine of ``threshold``, else it is known from then on."""
    normal = exact(names)
    distinct = list(dict.fromkeys(normal.values()))
    vectors = embedder.embed([name.replace("_", " ").lower() for name in distinct])
    known: list[int] = []
    stands_for: dict[str, str] = {}
    for place, name in enumerate(distinct):
        cosines = vectors[known] @ vectors[place]
        if known and cosines.max() >= threshold:
            stands_for[name] = distinct[known[int(np.argmax(cosines))]]
        else:
            known.append(place)
            stands_for[name] = name
    return {name: stands_for[normal[name]] for name in names}


def by_registry(names: Sequence[str], registry: Registry, embedder: Embedder, times: QueryTimes) -> Joined:
    """The canonical names once a database that knows ``registry`` has met all names, one after the other."""
    vocabulary = Vocabulary(registry, embedder)
    for name in names:
        times.time(vocabulary.learn, [name])
    return {name: registry.canonical(name) for name in names}
