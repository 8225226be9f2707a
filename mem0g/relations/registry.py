"""The relation registry: one canonical name per relation, its cardinality, and what it does to others."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Literal

from mem0g.errors import InputError
from mem0g.relations.reading import IRREGULAR, read
from mem0g.text.names import normal_relation

_FAVORITE = re.compile(r"(?:HAS_)?FAVOU?RITE_(?=.)")
_COPULA = re.compile(r"(?:IS|ARE|AM)_(?=.)")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationType:
    """What is known of one relation; all names in it are normalised (LIVES_IN).

    ``one_object``: a subject has at most one object at a time; ``one_subject``: an object at most one subject.
    ``symmetric``: true backwards too; ``inverse``: its name backwards. ``ends``: canonical names of relations that no
    longer hold between the same two ends once this one does; ``implies``: those that hold from then on. ``origin``
    says who decided it.

    Raises InputError for a name that is not normalised.
    """

    name: str
    synonyms: tuple[str, ...] = ()
    one_object: bool = False
    one_subject: bool = False
    symmetric: bool = False
    inverse: str | None = None
    ends: tuple[str, ...] = ()
    implies: tuple[str, ...] = ()
    origin: Literal["seed", "learnt", "model", "user"] = "seed"

    def __post_init__(self) -> None:
        for name in (self.name, *self.synonyms, *self.ends, *self.implies, *([self.inverse] if self.inverse else [])):
            if not name or name != normal_relation(name):
                raise InputError(
                    f"{name!r} is not a normalised relation name", hint=f"write {normal_relation(name) or 'LIVES_IN'}"
                )


@dataclass(frozen=True, slots=True)
class TenantTypes:
    """The relation types that a tenant adds to the seeds, or redefines, as a store holds them.

    ``version`` is another text after every change; "" where the tenant has none yet.
    """

    version: str = ""
    types: tuple[RelationType, ...] = ()


@cache
def seeds() -> tuple[RelationType, ...]:
    """The relation types that come with mem0g: common relations of people's lives and of an encyclopaedia."""
    table = tomllib.loads(resources.files(__package__).joinpath("seeds.toml").read_text(encoding="utf-8"))
    return tuple(_seed(name, given) for name, given in table.items())


def _seed(name: str, given: Mapping[str, Any]) -> RelationType:
    frozen: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return RelationType(name=name, **frozen)


def _without_copula(name: str) -> str:
    """IS_PROUD_OF as PROUD_OF; but in IS_NAMED whoever named is at the other end than in NAMED: it stays."""
    rest = _COPULA.sub("", name, count=1)
    passive = "_" not in rest and (rest.endswith("ED") or rest.casefold() in IRREGULAR)
    return name if passive else rest


class Registry:
    """The relations known to one database. Mutable: ``add`` changes it, everything else only asks."""

    def __init__(self, types: Iterable[RelationType] | None = None) -> None:
        """Start with ``types``, by default the seeds."""
        self._types: dict[str, RelationType] = {}
        self._canonical: dict[str, str] = {}
        for relation in seeds() if types is None else types:
            self.add(relation)

    def copy(self) -> Registry:
        """A registry of the same types, which can be changed without changing this one."""
        made = Registry([])
        made._types, made._canonical = dict(self._types), dict(self._canonical)
        return made

    def canonical(self, name: str) -> str:
        """The canonical name of a relation name in any spelling: of itself, normalised, if it is not known.

        Empty when ``name`` has no letter and no digit.
        """
        normal = _FAVORITE.sub("FAVORITE_", normal_relation(name), count=1)
        if normal in self._canonical:
            return self._canonical[normal]
        return self._canonical.get(_without_copula(normal), normal)

    def get(self, name: str) -> RelationType:
        """The type of a relation name in any spelling; of an unknown one a type of many objects.

        A favourite of its kind (FAVORITE_COLOR) is one at a time, favourites (FAVORITE_BOOKS) are many.
        """
        known = self.canonical(name)
        if known in self._types:
            return self._types[known]
        return RelationType(name=known, one_object=known.startswith("FAVORITE_") and not known.endswith("S"))

    def add(self, relation: RelationType) -> RelationType:
        """Add a type, or replace that of the same name, and return it as kept.

        It keeps the synonyms it had. A name or synonym that belonged to another type belongs to this one from now on,
        and so do the synonyms of a type that becomes a synonym.
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
        """Whether ``done`` said of the same ends makes the plan come true: VISITED, PLANS_TO_VISIT.

        Compared by the base forms of the verb and the words after it, for all names of ``done`` and what it implies.
        """
        intended, happened = read(plan), read(done)
        if not intended.ahead or happened.ahead or intended.denied or happened.denied:
            return False
        kind = self.get(done)
        implied = (self.get(name) for name in kind.implies)
        names = {done, *(name for each in (kind, *implied) for name in (each.name, *each.synonyms))}
        return any(read(name).words == intended.words for name in names)

    @property
    def types(self) -> tuple[RelationType, ...]:
        """All types known, by name."""
        return tuple(self._types[name] for name in sorted(self._types))


def unlisted(types: Iterable[RelationType], there: Iterable[RelationType]) -> tuple[RelationType, ...]:
    """Return those of ``types`` whose names are not among the names that are there."""
    names = {relation.name for relation in there}
    return tuple(relation for relation in types if relation.name not in names)


def in_use(stored: Iterable[RelationType], names: Iterable[str]) -> tuple[RelationType, ...]:
    """Return the types that facts of these relation names use, without synonyms that they do not use."""
    used, seeded = set(names), {relation.name: relation for relation in seeds()}
    kept = []
    for relation in stored:
        own = set(seeded[relation.name].synonyms) if relation.name in seeded else set()
        if relation.name in used:
            left = tuple(each for each in relation.synonyms if each in used or each in own)
            kept.append(replace(relation, synonyms=left))
    return tuple(kept)


def still_used(stored: Iterable[RelationType], names: Iterable[str]) -> tuple[RelationType, ...]:
    """Return what is left of a tenant's types when its facts use only ``names`` (normalised, canonical and as given).

    Types and synonyms that were learnt from what was said go when nothing uses them; what a user defined stays.
    """
    used = set(names)
    seeded = {relation.name: relation for relation in seeds()}
    kept: list[RelationType] = []
    for relation in stored:
        if relation.origin == "user":
            kept.append(relation)
            continue
        seed = seeded.get(relation.name)
        own = set(seed.synonyms) if seed else set()
        left = replace(relation, synonyms=tuple(each for each in relation.synonyms if each in used or each in own))
        if left != seed and (seed is not None or relation.name in used):
            kept.append(left)
    return tuple(kept)
