"""The vocabulary of a tenant: a new relation name becomes a synonym of a known one, or a type of its own."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from mem0g.embed.protocol import Embedder, thresholds_of
from mem0g.model import Scope
from mem0g.relations.parsing import parse_relation
from mem0g.relations.registry import Registry
from mem0g.relations.relation_type import RelationType
from mem0g.relations.synonyms import find_synonyms
from mem0g.relations.tenant_types import TenantTypes

if TYPE_CHECKING:
    from mem0g.model import Vector

MAX_TENANTS = 1000
"""Registries of tenants that are cached; the least recently used one is dropped first."""

MAX_NAMES = 20_000
"""Relation names whose vectors are cached: 30 MB at 384 dimensions."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """A tenant's registry with the relation names of a batch.

    ``types`` are those to store: new ones, and those with a new synonym. They extend the stored types of version
    ``base`` to ``version``.
    """

    registry: Registry
    base: str
    version: str
    types: tuple[RelationType, ...] = ()


class Vocabulary:
    """Learns the relation names of triples. The vectors of known names are computed when first needed."""

    def __init__(self, registry: Registry, embedder: Embedder, vectors: dict[str, Vector] | None = None) -> None:
        """``vectors`` is a cache by name that several vocabularies can share; it is added to."""
        self._registry = registry
        self._embedder = embedder
        self._vectors: dict[str, Vector] = {} if vectors is None else vectors

    def learn(self, names: Sequence[str]) -> tuple[RelationType, ...]:
        """Add the names that are new to the registry; return the types that are new or have a new synonym.

        Names of one call are learnt in order, so that a later one may be a synonym of an earlier.
        """
        known = {relation.name for relation in self._registry.types}
        new = [name for name in unknown(names, self._registry) if name not in known]
        if not new:
            return ()
        self._embed([*known, *new])
        changed: dict[str, RelationType] = {}
        for name in new:
            relation = self._learnt(name, known)
            changed[relation.name] = self._registry.add(relation)
            known.add(relation.name)
        return tuple(changed.values())

    def _learnt(self, name: str, known: set[str]) -> RelationType:
        threshold = thresholds_of(self._embedder).same_relation
        possible = self._possible_synonyms(name, known, threshold)
        synonym = find_synonyms({name: self._vectors[name]}, possible, threshold=threshold).get(name)
        if synonym is not None:
            other = self._registry.get(synonym)
            return replace(other, synonyms=(*other.synonyms, name))
        return replace(self._registry.get(name), origin="learnt")

    def _possible_synonyms(self, name: str, known: set[str], threshold: float) -> dict[str, Vector]:
        """Return the vectors of known names that have the same words, or a cosine of at least ``threshold``."""
        others = sorted(known)
        if not others:
            return {}
        cosines = np.stack([self._vectors[other] for other in others]) @ self._vectors[name]
        words = parse_relation(name).words
        return {
            other: self._vectors[other]
            for other, cosine in zip(others, cosines, strict=True)
            if cosine >= threshold or parse_relation(other).words == words
        }

    def _embed(self, names: Sequence[str]) -> None:
        missing = [name for name in names if name not in self._vectors]
        texts = [name.replace("_", " ").lower() for name in missing]
        self._vectors.update(zip(missing, self._embedder.embed(texts), strict=True))


class Vocabularies:
    """The registries of a store's tenants, each read when first needed, and again when another process changed it.

    Thread-safe. A registry that was returned never changes: names are learnt in a copy, which replaces it once it is
    stored (``keep``).
    """

    def __init__(self, stored: Callable[[Scope], TenantTypes], embedder: Embedder) -> None:
        """``stored`` reads the types of a tenant from the store."""
        self._stored = stored
        self._lock = threading.Lock()
        self._known: OrderedDict[Scope, Learnt] = OrderedDict()
        self._vectors: dict[str, Vector] = {}
        self.embedder = embedder

    def registry(self, tenant: Scope) -> Registry:
        """Return the relation types of a tenant, as far as this process knows them."""
        return self._of(tenant).registry

    def learn(self, tenant: Scope, names: Iterable[str]) -> Learnt:
        """Return the tenant's registry with ``names`` learnt; nothing is stored, and ``registry`` does not change."""
        known = self._of(tenant)
        new = unknown(names, known.registry)
        if not new:
            return replace(known, base=known.version, types=())
        registry, vectors = known.registry.copy(), dict(self._vectors)
        types = Vocabulary(registry, self.embedder, vectors).learn(new)
        self._vectors = vectors if len(vectors) <= MAX_NAMES else {}
        return Learnt(registry, known.version, uuid4().hex[:16] if types else known.version, types)

    def keep(self, tenant: Scope, learnt: Learnt) -> None:
        """Use from now on what was learnt, after it was stored."""
        with self._lock:
            self._known[tenant] = learnt
            self._known.move_to_end(tenant)
            while len(self._known) > MAX_TENANTS:
                self._known.popitem(last=False)

    def refresh(self, tenant: Scope) -> Registry:
        """Read the tenant's types again and return its registry."""
        return self._read(tenant).registry

    def forget(self, tenant: Scope) -> None:
        """Drop the tenant's registry from the cache."""
        with self._lock:
            self._known.pop(tenant, None)

    def _of(self, tenant: Scope) -> Learnt:
        with self._lock:
            found = self._known.get(tenant)
            if found:
                self._known.move_to_end(tenant)
                return found
        return self._read(tenant)

    def _read(self, tenant: Scope) -> Learnt:
        """Read the tenant's types from the store into the cache; another thread may replace them at once."""
        stored = self._stored(tenant)
        registry = _seeded().copy()
        for relation in stored.types:
            registry.add(relation)
        known = Learnt(registry, stored.version, stored.version)
        self.keep(tenant, known)
        return known


def unknown(names: Iterable[str], registry: Registry) -> list[str]:
    """Return the distinct canonical names of ``names`` that the registry has no type for, in order."""
    known = {relation.name for relation in registry.types}
    canonical = dict.fromkeys(registry.canonical(name) for name in names)
    return [name for name in canonical if name not in known]


@cache
def _seeded() -> Registry:
    """Return a registry of the seeds; copy it, do not change it."""
    return Registry()
