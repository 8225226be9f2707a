"""Methods that join relation names of equal meaning: mem0g's registry, and baselines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from benchmarks.timing import QueryTimes
from mem0g.embed.protocol import Embedder
from mem0g.relations.registry import Registry
from mem0g.relations.vocabulary import Vocabulary
from mem0g.text.names import normal_relation

CanonicalNames = Mapping[str, str]
"""The canonical name of each name."""

Method = Callable[[Sequence[str]], CanonicalNames]
"""Joins names, given in the order of their first use."""


def methods(embedder: Embedder, times: QueryTimes) -> dict[str, Method]:
    """Return all methods by name; ``times`` records how long mem0g takes for each name."""
    return {
        "mem0g": lambda names: by_registry(names, Registry(), embedder, times),
        "mem0g without seeds": lambda names: by_registry(names, Registry([]), embedder, times),
        "exact": exact,
        "cosine 0.9": lambda names: by_cosine(names, 0.9, embedder),
        "cosine 0.8": lambda names: by_cosine(names, 0.8, embedder),
    }


def exact(names: Sequence[str]) -> CanonicalNames:
    """Join names that are equal when normalised."""
    return {name: normal_relation(name) for name in names}


def by_cosine(names: Sequence[str], threshold: float, embedder: Embedder) -> CanonicalNames:
    """Join each name with the nearest known one of at least cosine ``threshold``, else add it to the known ones."""
    normal = exact(names)
    distinct = list(dict.fromkeys(normal.values()))
    vectors = embedder.embed([name.replace("_", " ").lower() for name in distinct])
    known: list[int] = []
    canonical: dict[str, str] = {}
    for place, name in enumerate(distinct):
        cosines = vectors[known] @ vectors[place]
        if known and cosines.max() >= threshold:
            canonical[name] = distinct[known[int(np.argmax(cosines))]]
        else:
            known.append(place)
            canonical[name] = name
    return {name: canonical[normal[name]] for name in names}


def by_registry(names: Sequence[str], registry: Registry, embedder: Embedder, times: QueryTimes) -> CanonicalNames:
    """Return the canonical names after a vocabulary over ``registry`` has learnt all names, one after the other."""
    vocabulary = Vocabulary(registry, embedder)
    for name in names:
        times.time(vocabulary.learn, [name])
    return {name: registry.canonical(name) for name in names}
