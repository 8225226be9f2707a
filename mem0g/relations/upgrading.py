"""Relation types that a store kept for all tenants together, given to the tenants that use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mem0g.relations.registry import RelationType, seeds, still_used
from mem0g.text.names import normal_relation


@dataclass(frozen=True, slots=True)
class Share:
    """What one tenant gets: its own types, and new names for relations that only another tenant had given."""

    types: tuple[RelationType, ...]
    renamed: Mapping[str, str]


def share_of(stored: Iterable[RelationType], used: Iterable[tuple[str, str]]) -> Share:
    """Return a tenant's share of the types that all tenants had in common.

    ``used`` are the canonical relation of each of the tenant's facts and the name it was given, oldest first. A
    relation whose canonical name nobody of this tenant ever gave, no seed has and no user defined came from another
    tenant: here it gets the first name that this tenant gave it.
    """
    types = {relation.name: relation for relation in stored}
    given: dict[str, dict[str, None]] = {}
    for relation, name in used:
        given.setdefault(relation, {})[normal_relation(name)] = None
    common = {relation.name for relation in seeds()}
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
