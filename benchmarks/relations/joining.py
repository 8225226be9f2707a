"""Methods that join relation names of equal meaning: mem0g's registry, and baselines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.report import Row
from benchmarks.timing import QueryTimes
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.relations.registry import Registry
from mem0g.relations.vocabulary import Vocabulary
from mem0g.text.names import normal_relation

CanonicalNames = Mapping[str, str]
"""The canonical name of each name."""

Method = Callable[[Sequence[str]], CanonicalNames]
"""Joins names, given in the order of their first use."""

JUDGED = Path(__file__).parent / "pairs.jsonl"
"""The pairs that come with the benchmark."""

_HINT = 'each line is a JSON object like {"one": "IS_READING", "other": "READING", "same": true}'


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


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two relation names, and whether they are the same relation."""

    one: str
    other: str
    same: bool


def read_pairs(path: Path) -> list[JudgedPair]:
    """Return the pairs of a JSON Lines file. Raises InputError for a line that is not a pair, and for an empty file."""
    lines = enumerate(path.read_text("utf-8").splitlines(), start=1)
    pairs = [_pair(line, f"{path}, line {number}") for number, line in lines if line.strip()]
    if not pairs:
        raise InputError(f"{path} has no pairs", hint=_HINT)
    return pairs


def _pair(line: str, place: str) -> JudgedPair:
    try:
        given = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{place} is not JSON: {error}", hint=_HINT) from error
    if not isinstance(given, Mapping):
        raise InputError(f"{place} is not an object", hint=_HINT)
    one, other, same = (given.get(key) for key in ("one", "other", "same"))
    if not isinstance(one, str) or not isinstance(other, str) or not isinstance(same, bool):
        raise InputError(f"{place} is not a pair of names with a judgement", hint=_HINT)
    return JudgedPair(one, other, same)


def scored(method: str, join: Method, pairs: Sequence[JudgedPair], data: str) -> Row:
    """Return the figures of a method, which is given all names of the pairs in the order of the file.

    ``precision`` and ``recall`` of joined pairs are percentages (precision None if no pair is joined); ``wrong`` is the
    number of pairs that are joined but not the same.
    """
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.one, pair.other)))
    joined = join(names)
    together = [pair for pair in pairs if joined[pair.one] == joined[pair.other]]
    right, same = sum(pair.same for pair in together), sum(pair.same for pair in pairs)
    return {
        "method": method,
        "data": data,
        "joined": len(together),
        "wrong": len(together) - right,
        "precision": _percent(right, len(together)),
        "recall": _percent(right, same),
        "n": len(pairs),
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
