"""The relation names of a database as they grow: a new one becomes a synonym of a known one, or is known from then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mem0g.embed.protocol import Embedder
from mem0g.relations.folding import STRICT, fold_new
from mem0g.relations.reading import read
from mem0g.relations.registry import Registry, RelationType

if TYPE_CHECKING:
    from mem0g.model import Vector


class Vocabulary:
    """Learns the relation names of triples; the vectors of known names are computed when first needed."""

    def __init__(self, registry: Registry, embedder: Embedder) -> None:
        self._registry = registry
        self._embedder = embedder
        self._vectors: dict[str, Vector] = {}

    def learn(self, names: Sequence[str]) -> tuple[RelationType, ...]:
        """Add the names that are new to the registry; answers the types that are new or have a new synonym.

        Names of one call are learnt in order, so that a later one may be a synonym of an earlier.
        """
        canonical = dict.fromkeys(self._registry.canonical(name) for name in names)
        known = {relation.name for relation in self._registry.types}
        new = [name for name in canonical if name not in known]
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
        folded = fold_new({name: self._vectors[name]}, self._likely(name, known))
        if name in folded:
            other = self._registry.get(folded[name])
            return replace(other, synonyms=(*other.synonyms, name))
        return replace(self._registry.get(name), origin="learnt")

    def _likely(self, name: str, known: set[str]) -> dict[str, Vector]:
        """The known names worth a closer look: the same words, or near enough by vector."""
        others = sorted(known)
        if not others:
            return {}
        cosines = np.stack([self._vectors[other] for other in others]) @ self._vectors[name]
        words = read(name).words
        return {
            other: self._vectors[other]
            for other, cosine in zip(others, cosines, strict=True)
            if cosine >= STRICT or read(other).words == words
        }

    def _embed(self, names: Sequence[str]) -> None:
        missing = [name for name in names if name not in self._vectors]
        said = [name.replace("_", " ").lower() for name in missing]
        self._vectors |= dict(zip(missing, self._embedder.embed(said), strict=True))
