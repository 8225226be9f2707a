"""Entities of scopes held in memory by the tokens of their names, and facts by their ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mem0g.model import Entity, Scope
from mem0g.store.in_memory.rows import FactRow, known_time
from mem0g.text.names import name_tokens


class EntityRow(NamedTuple):
    """The columns of an entity or a literal; ``names`` are folded, of one that can be found by them."""

    scope: int
    id: str
    name: str
    type: str
    merged_into: str | None
    aliases: Sequence[str]
    created_at: int
    updated_at: int
    names: Sequence[str] | None

    def entity(self, scopes: Sequence[Scope]) -> Entity:
        """Return the entity; ``scopes`` are those by number."""
        return Entity(
            id=self.id,
            scope=scopes[self.scope],
            name=self.name,
            type=self.type,
            aliases=tuple(self.aliases),
            created_at=known_time(self.created_at),
            updated_at=known_time(self.updated_at),
            merged_into=self.merged_into,
        )


class MatchIndex:
    """The entities of a scope by the tokens of their names, and its facts by their ends.

    Entities and facts are row numbers; those of facts are in order.
    """

    def __init__(self, entities: Iterable[EntityRow], facts: Iterable[FactRow]) -> None:
        self._sharing: defaultdict[str, set[int]] = defaultdict(set)
        self._of: defaultdict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(entities):
            self.set_entity(number, None, row)
        self.add_facts(facts)

    def set_entity(self, number: int, before: EntityRow | None, after: EntityRow) -> None:
        """Add an entity, or replace one."""
        for token in _tokens(before) if before else ():
            self._sharing[token].discard(number)
        for token in _tokens(after):
            self._sharing[token].add(number)

    def add_facts(self, rows: Iterable[FactRow]) -> None:
        """Add facts of higher row numbers than those that are here."""
        for row in rows:
            for end in dict.fromkeys((row.subject_id, row.object_id)):
                self._of[end].append(row.n)

    def sharing(self, tokens: Iterable[str]) -> set[int]:
        """Return the entities with a name that has one of these tokens."""
        return {number for token in tokens for number in self._sharing.get(token, ())}

    def facts(self, entity: str) -> Sequence[int]:
        """Return the facts of an entity."""
        return self._of.get(entity, ())


def _tokens(row: EntityRow) -> set[str]:
    """Return the tokens of the names of an entity, if it can be found by them."""
    if row.names is None:
        return set()
    return {token for name in (row.name, *row.aliases) for token in name_tokens(name)}
