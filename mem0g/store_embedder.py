"""The embedder of an open memory, checked against the one that filled the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from mem0g.embed import FollowingEmbedder
from mem0g.embed.protocol import Embedder
from mem0g.errors import EmbedderMismatchError
from mem0g.store.protocol import Store, Transaction

if TYPE_CHECKING:
    from mem0g.model import Vector

T = TypeVar("T")


class StoreEmbedder:
    """An embedder and the store whose vectors it makes."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self.embedder = embedder
        self._claimed = False

    def claim(self) -> None:
        """Record this embedder in the store, once.

        Raises EmbedderMismatchError if another one filled it.
        """
        if not self._claimed:
            self._store.claim_embedder(self.embedder.name, self.embedder.dimensions)
            self._claimed = True

    def run(self, attempt: Callable[[], T]) -> T:
        """Claim the store and return the result of ``attempt``.

        If another process has reindexed the store meanwhile, a FollowingEmbedder switches to the store's embedder and
        ``attempt`` is called once more. Raises EmbedderMismatchError for any other embedder.
        """
        self.claim()
        try:
            return attempt()
        except EmbedderMismatchError:
            info = self._store.info()
            if not isinstance(self.embedder, FollowingEmbedder) or info.embedder is None or info.dimensions is None:
                raise
            self.embedder.follow(info.embedder, info.dimensions)
        return attempt()

    def check(self, transaction: Transaction) -> None:
        """Raise EmbedderMismatchError if, when the transaction begins, the store's vectors are another embedder's."""
        begun = transaction.begin()
        own, stored = (self.embedder.name, self.embedder.dimensions), (begun.embedder, begun.dimensions)
        if begun.embedder is not None and stored != own:
            raise EmbedderMismatchError.between(self._store.address, stored, own)

    def reindex(self) -> int:
        """Embed every text of the store again; return how many there are."""
        known: dict[str, Vector] = {}

        def embed(texts: Sequence[str]) -> Sequence[Vector]:
            new = list(dict.fromkeys(text for text in texts if text not in known))
            known.update(zip(new, self.embedder.embed(new), strict=True))
            return [known[text] for text in texts]

        texts: list[list[str]] = []
        with self._store.snapshot() as snapshot:
            for change in snapshot.changes:
                texts.append([message.spoken for message in change.messages])
                texts.append([entity.name for entity in change.entities if entity.merged_into is None])
                texts.append([fact.text for fact in change.facts])
        for each in texts:  # after the snapshot, so that the store is locked only while newer texts are embedded
            embed(each)
        count = self._store.replace_embedder(self.embedder.name, self.embedder.dimensions, embed)
        self._claimed = True
        return count
