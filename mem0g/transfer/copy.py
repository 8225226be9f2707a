"""A memory from one store into another, of whatever kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mem0g.model import Scope
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
    far as it came, and the same copy again goes on. Relation types and the embedder go along. What is copied is of one
    moment, as ``Store.snapshot`` says.

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
    """Add what another store holds, filled by ``embedder``; what is there already stays as it is.

    Raises EmbedderMismatchError when another embedder filled ``store``; then nothing was written.
    """
    if embedder is None or dimensions is None:
        store.load(iter(changes))
        return
    store.claim_embedder(embedder, dimensions)
    store.load(iter(changes), embedder=(embedder, dimensions))
