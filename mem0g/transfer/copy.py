"""Copy a memory from one store to another, of the same or another kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mem0g.model import Scope
from mem0g.store.change import Change
from mem0g.store.protocol import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """Counts of the records copied, including those that were there already."""

    messages: int = 0
    entities: int = 0
    facts: int = 0
    decisions: int = 0

    def plus(self, change: Change) -> Copied:
        """Return the counts with those of a change added."""
        return Copied(
            messages=self.messages + len(change.messages),
            entities=self.entities + len(change.entities),
            facts=self.facts + len(change.facts),
            decisions=self.decisions + len(change.decisions),
        )

    @property
    def records(self) -> int:
        """The number of all records."""
        return self.messages + self.entities + self.facts + self.decisions


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

    Raises EmbedderMismatchError when another embedder filled ``target``; then nothing was written.
    """
    copied = Copied()

    def followed(changes: Iterator[Change]) -> Iterator[Change]:
        nonlocal copied
        for change in changes:
            yield change
            copied = copied.plus(change)
            if not go_on(copied):
                return

    with source.snapshot(scope) as snapshot:
        receive(target, followed(snapshot.changes), snapshot.embedder, snapshot.dimensions)
    return copied


def receive(store: Store, changes: Iterable[Change], embedder: str | None, dimensions: int | None) -> None:
    """Add the records of another store, filled by ``embedder``; existing records are kept.

    Raises EmbedderMismatchError when another embedder filled ``store``; then nothing was written.
    """
    if embedder is None or dimensions is None:
        store.load(iter(changes))
        return
    store.claim_embedder(embedder, dimensions)
    store.load(iter(changes), embedder=(embedder, dimensions))
