"""The relation types of one tenant, as stores keep them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mem0g.relations.relation_type import RelationType, base_relations, seeds
from mem0g.text.names import normal_relation


@dataclass(frozen=True, slots=True)
class TenantTypes:
    """The relation types that a tenant adds to the seeds, or redefines.

    ``version`` changes with every change of the types; "" where the tenant has none yet.
    """

    version: str = ""
    types: tuple[RelationType, ...] = ()


def unlisted(types: Iterable[RelationType], there: Iterable[RelationType]) -> tuple[RelationType, ...]:
    """Return those of ``types`` whose names are not those of types in ``there``."""
    names = {relation.name for relation in there}
    return tuple(relation for relation in types if relation.name not in names)


def joined_names(types: Iterable[RelationType]) -> dict[str, str]:
    """Return the name of the type that each synonym belongs to."""
    return {synonym: relation.name for relation in types for synonym in relation.synonyms}


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
    """Return a tenant's types without those that its facts, which use ``names``, no longer need.

    ``names`` are normalised, both canonical and as given. Learnt types and synonyms without use are dropped; types that
    a user defined stay.
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


@dataclass(frozen=True, slots=True)
class Share:
    """What one tenant gets: its own types, and new names for relations whose name came from another tenant."""

    types: tuple[RelationType, ...]
    renamed: Mapping[str, str]


def share_of(stored: Iterable[RelationType], used: Iterable[tuple[str, str]]) -> Share:
    """Return a tenant's share of the types that all tenants had in common.

    ``used`` are pairs of the canonical relation and the given name of each of the tenant's facts, oldest first. A
    canonical name that the tenant never gave, and that is neither a seed's nor a user's, came from another tenant: it
    is replaced by the first name that this tenant gave.
    """
    types = {relation.name: relation for relation in stored}
    given: dict[str, dict[str, None]] = {}
    for relation, name in used:
        given.setdefault(relation, {})[normal_relation(name)] = None
    common = base_relations()
    renamed: dict[str, str] = {}
    mine: list[RelationType] = []
    for relation, names in given.items():
        known = types.get(relation)
        if relation in common or relation in names or known is None or known.origin == "user":
            mine += [known] if known else []
            continue
        own, *others = names
        renamed[relation] = own
        mine.append(replace(known, name=own, synonyms=tuple(others)))
    names_in_use = {name for relation, names in given.items() for name in (renamed.get(relation, relation), *names)}
    return Share(still_used(mine, names_in_use), renamed)
