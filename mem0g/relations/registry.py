"""The relation registry: the canonical name of each relation, its cardinality, and what it implies or ends."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from mem0g.relations.parsing import IRREGULAR, parse_relation
from mem0g.relations.relation_type import RelationType, seeds
from mem0g.text.names import normal_relation

_FAVORITE = re.compile(r"(?:HAS_)?FAVOU?RITE_(?=.)")
_COPULA = re.compile(r"(?:IS|ARE|AM)_(?=.)")


class Registry:
    """The relation types that are known to one tenant. Mutable: ``add`` changes it."""

    def __init__(self, types: Iterable[RelationType] | None = None) -> None:
        """Start with ``types``, by default the seeds."""
        self._types: dict[str, RelationType] = {}
        self._canonical: dict[str, str] = {}
        for relation in seeds() if types is None else types:
            self.add(relation)

    def copy(self) -> Registry:
        """Return an independent copy."""
        made = Registry([])
        made._types, made._canonical = dict(self._types), dict(self._canonical)
        return made

    def canonical(self, name: str) -> str:
        """Return the canonical name of a relation name in any spelling; of an unknown one the name itself, normalised.

        Empty when ``name`` has no letter and no digit.
        """
        normal = _FAVORITE.sub("FAVORITE_", normal_relation(name), count=1)
        if normal in self._canonical:
            return self._canonical[normal]
        return self._canonical.get(_without_copula(normal), normal)

    def get(self, name: str) -> RelationType:
        """Return the type of a relation name in any spelling; for an unknown one a type of many objects.

        FAVORITE_COLOR has one object at a time, FAVORITE_BOOKS has many.
        """
        known = self.canonical(name)
        if known in self._types:
            return self._types[known]
        return RelationType(name=known, one_object=known.startswith("FAVORITE_") and not known.endswith("S"))

    def add(self, relation: RelationType) -> RelationType:
        """Add a type, or replace the one of the same name, and return it with all its synonyms.

        The synonyms of the type that it replaces stay, and those of a type that becomes a synonym are added. A name or
        synonym of another type is taken from it.
        """
        before = self._types.pop(relation.name, None)
        synonyms = dict.fromkeys((*relation.synonyms, *(before.synonyms if before else ())))
        for name in tuple(synonyms):
            folded = self._types.pop(name, None)
            synonyms |= dict.fromkeys(folded.synonyms if folded else ())
        synonyms.pop(relation.name, None)
        for name in (relation.name, *synonyms):
            self._release(name, relation.name)
        kept = replace(relation, synonyms=tuple(synonyms))
        self._types[kept.name] = kept
        self._canonical |= dict.fromkeys((kept.name, *kept.synonyms), kept.name)
        return kept

    def _release(self, name: str, new_owner: str) -> None:
        owner = self._types.get(self._canonical.get(name, new_owner))
        if owner is not None:
            left = tuple(synonym for synonym in owner.synonyms if synonym != name)
            self._types[owner.name] = replace(owner, synonyms=left)

    def fulfils(self, done: str, plan: str) -> bool:
        """Whether ``done`` between the same entities fulfils the ``plan``: VISITED fulfils PLANS_TO_VISIT.

        The base form of the verb and the words after it are compared, for all names of ``done`` and of what it implies.
        """
        intended, happened = parse_relation(plan), parse_relation(done)
        if not intended.ahead or happened.ahead or intended.denied or happened.denied:
            return False
        kind = self.get(done)
        implied = (self.get(name) for name in kind.implies)
        names = {done, *(name for each in (kind, *implied) for name in (each.name, *each.synonyms))}
        return any(parse_relation(name).words == intended.words for name in names)

    @property
    def types(self) -> tuple[RelationType, ...]:
        """All types, sorted by name."""
        return tuple(self._types[name] for name in sorted(self._types))


def _without_copula(name: str) -> str:
    """Return PROUD_OF for IS_PROUD_OF; but IS_PRAISED stays: as a passive it is the inverse of PRAISED."""
    rest = _COPULA.sub("", name, count=1)
    passive = "_" not in rest and (rest.endswith("ED") or rest.casefold() in IRREGULAR)
    return name if passive else rest
