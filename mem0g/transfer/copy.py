"""Copy a memory from one store to another, of the same or another kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from mem0g.errors import InputError
from mem0g.model import Entity, Fact, Scope
from mem0g.store.change import Change
from mem0g.store.protocol import Store

AT_ONCE = 1000
"""Ids that are looked up at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """Counts of the records that were added, and of those that were there already (``known``).

    ``differing`` are the entities and facts among the latter that are not the same there, such as facts that were
    retired in one of the two since the last copy. They stay as they are.
    """

    messages: int = 0
    entities: int = 0
    facts: int = 0
    decisions: int = 0
    known: int = 0
    differing: int = 0

    def plus(self, change: Change, known: Collection[str], differing: int = 0) -> Copied:
        """Return the counts with those of a change added; ``known`` are the ids that were there already."""
        ids = record_ids(change)
        new = {kind: sum(each not in known for each in some) for kind, some in ids.items()}
        return Copied(
            messages=self.messages + new["messages"],
            entities=self.entities + new["entities"],
            facts=self.facts + new["facts"],
            decisions=self.decisions + new["decisions"],
            known=self.known + sum(map(len, ids.values())) - sum(new.values()),
            differing=self.differing + differing,
        )

    @property
    def records(self) -> int:
        """The number of all records, those that were there already included."""
        return self.messages + self.entities + self.facts + self.decisions + self.known


def _always(copied: Copied) -> bool:
    del copied
    return True


def copy(
    source: Store, target: Store, scope: Scope | None = None, *, go_on: Callable[[Copied], bool] = _always
) -> Copied:
    """Copy what ``scope`` covers, or everything, from ``source`` to ``target``; existing records are kept.

    ``go_on`` is called after each part with the counts so far. When it returns False the copy stops; what was copied
    is consistent, and copying again continues. Relation types and the embedder are copied too. The copy is of one
    moment, see ``Store.snapshot``.

    Raises EmbedderMismatchError when another embedder filled ``target``; then nothing was written. Raises InputError
    for a record that ``target`` has in another scope.
    """
    copied = Copied()

    def followed(changes: Iterator[Change]) -> Iterator[Change]:
        nonlocal copied
        for change in changes:
            known = known_ids(target, [change])
            differing = differing_from(target, [change], known)
            yield change
            copied = copied.plus(change, known, differing)
            if not go_on(copied):
                return

    with source.snapshot(scope) as snapshot:
        receive(target, followed(snapshot.changes), snapshot.embedder, snapshot.dimensions)
    return copied


def record_ids(change: Change) -> dict[str, list[str]]:
    """Return the ids of the records of the graph that a change adds, by kind: messages, entities, facts, decisions."""
    return {
        "messages": [each.id for each in change.messages],
        "entities": [each.id for each in change.entities],
        "facts": [each.id for each in change.facts],
        "decisions": [each.id for each in change.decisions],
    }


def known_ids(store: Store, changes: Iterable[Change]) -> frozenset[str]:
    """Return the ids of those messages, entities, facts and decisions that are in the store already.

    Raises InputError for one that is there in another scope: an id stands for one record, of one scope.
    """
    known: set[str] = set()
    places = ((each, change.scope) for change in changes for some in record_ids(change).values() for each in some)
    while part := dict(islice(places, AT_ONCE)):
        homes = store.homes(None, list(part))
        for each, home in homes.items():
            if home != part[each]:
                raise InputError(
                    f"{each} of the scope {part[each]} is in {store.address} already, in {home}",
                    hint="use a store of its own for what is to be in another scope",
                )
        known |= homes.keys()
    return frozenset(known)


def differing_from(store: Store, changes: Iterable[Change], known: Collection[str]) -> int:
    """Return how many of the entities and facts of changes that are ``known`` to the store are not the same there."""
    given: dict[Scope, dict[str, Entity | Fact]] = {}
    for change in changes:
        records: tuple[Entity | Fact, ...] = (*change.entities, *change.facts)
        given.setdefault(change.scope, {}).update((each.id, each) for each in records if each.id in known)
    count = 0
    for scope, named in given.items():
        ids = iter(named)
        while part := list(islice(ids, AT_ONCE)):
            there: tuple[Entity | Fact, ...] = (*store.entities(scope, part), *store.facts(scope, part))
            count += sum(each != named[each.id] for each in there)
    return count


def receive(store: Store, changes: Iterable[Change], embedder: str | None, dimensions: int | None) -> None:
    """Add the records of another store, filled by ``embedder``; existing records are kept.

    Raises EmbedderMismatchError when another embedder filled ``store``; then nothing was written.
    """
    if embedder is None or dimensions is None:
        store.load(iter(changes))
        return
    store.claim_embedder(embedder, dimensions)
    store.load(iter(changes), embedder=(embedder, dimensions))
