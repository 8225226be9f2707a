"""A memory from one store into another, of whatever kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mem0g.model import Scope
from mem0g.relations.registry import RelationType
from mem0g.store.change import Change
from mem0g.store.protocol import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """How many records went along, those that were there already included."""

    messages: int = 0
    entities: int = 0
    facts: int = 0
    decisions: int = 0

    def plus(self, change: Change) -> Copied:
        """With one change more."""
        return Copied(
            messages=self.messages + len(change.messages),
            entities=self.entities + len(change.entities),
            facts=self.facts + len(change.facts),
            decisions=self.decisions + len(change.decisions),
        )

    @property
    def records(self) -> int:
        """All of them."""
        return self.messages + self.entities + self.facts + self.decisions


def _always(copied: Copied) -> bool:
    del copied
    return True


def copy(
    source: Store, target: Store, scope: Scope | None = None, *, go_on: Callable[[Copied], bool] = _always
) -> Copied:
    """Add to ``target`` what ``scope`` covers in ``source``, or all of it; what is there already stays as it is.

    ``go_on`` is told after each part how much there is so far; where it answers False the copy ends there, whole as
    far as it came, and the same copy again goes on. Relation types and the embedder go along.

    Raises EmbedderMismatchError when another embedder filled ``target``; then nothing was written.
    """
    copied = Copied()

    def followed() -> Iterator[Change]:
        nonlocal copied
        for change in source.dump(scope):
            yield change
            copied = copied.plus(change)
            if not go_on(copied):
                return

    info = source.info()
    receive(target, followed(), info.embedder, info.dimensions, source.relation_types())
    return copied


def receive(
    store: Store,
    changes: Iterable[Change],
    embedder: str | None,
    dimensions: int | None,
    relations: Sequence[RelationType],
) -> None:
    """Add what another store holds, filled by ``embedder``; of what is there already, relations too, nothing changes.

    Raises EmbedderMismatchError when another embedder filled ``store``; then nothing was written.
    """
    if embedder is not None and dimensions is not None:
        store.claim_embedder(embedder, dimensions)
    known = {relation.name for relation in store.relation_types()}
    store.save_relation_types([relation for relation in relations if relation.name not in known])
    store.load(iter(changes))
