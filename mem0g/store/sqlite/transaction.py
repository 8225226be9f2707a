"""The SQLite store's transaction: reads and writes within exactly one scope."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mem0g.model import Decision, Entity, Fact, Scope, Succession
from mem0g.store.change import Change
from mem0g.store.queries import EntityCandidate, EntityQuery, FactQuery, RelatedFact, StoreState
from mem0g.store.records import R
from mem0g.store.sqlite import history
from mem0g.store.sqlite.kept import KeptRows
from mem0g.store.sqlite.matching import Matcher
from mem0g.store.sqlite.reading import Reader
from mem0g.store.sqlite.writing import Writer


class SqliteTransaction:
    """See mem0g.store.protocol.Transaction."""

    def __init__(self, reader: Reader, matcher: Matcher, writer: Writer, kept: KeptRows, scope: Scope) -> None:
        self._scope, self.erased = scope, False
        self._reader, self._matcher, self._writer, self._kept = reader, matcher, writer, kept

    @property
    def _scopes(self) -> dict[int, Scope]:
        """The scope by its row number; empty until something is written to it."""
        return {self._row: self._scope} if self._row else {}

    @property
    def _row(self) -> int:
        """The row number of the scope; 0, which no row has, until something is written to it."""
        return self._reader.exact_scope(self._scope) or 0

    def begin(
        self, ids: Sequence[str] = (), *, learns: bool = False, sessions: Collection[tuple[str, str]] = ()
    ) -> StoreState:
        """See Transaction. ``learns`` has no effect, since the whole file is locked already."""
        del learns, sessions
        meta = self._reader.meta()
        return StoreState(
            known=self._reader.known(ids),
            embedder=meta.get("embedder"),
            dimensions=int(meta["dimensions"]) if "dimensions" in meta else None,
            vocabulary=self._reader.vocabulary(self._scope.tenant).version,
        )

    def next_position(self, source: str, session: str) -> int:
        """See Transaction."""
        return max((self._reader.next_position(row, source, session) for row in self._scopes), default=0)

    def match_entities(self, queries: Sequence[EntityQuery], nearest: int) -> list[tuple[EntityCandidate, ...]]:
        """See Transaction."""
        return self._matcher.match_entities(self._scopes, queries, nearest)

    def related_facts(self, queries: Sequence[FactQuery], nearest: int) -> list[tuple[RelatedFact, ...]]:
        """See Transaction."""
        return self._matcher.related_facts(self._scopes, queries, nearest)

    def entities(self, ids: Sequence[str], *, merged_into: Sequence[str] = ()) -> tuple[Entity, ...]:
        """See Transaction."""
        return tuple(self._reader.entities_of(self._scopes, ids, merged_into))

    def facts(self, ids: Sequence[str] = (), *, of: Sequence[str] = (), citing: Sequence[str] = ()) -> tuple[Fact, ...]:
        """See Transaction."""
        return self._reader.touching_facts(self._scopes, ids, of, citing)

    def successions(self, fact_ids: Sequence[str], *, by: Sequence[str] = ()) -> tuple[Succession, ...]:
        """See Transaction."""
        here = {fact.id for fact in self._reader.facts(self._scopes, [*fact_ids, *by])}
        retired, successors = here & set(fact_ids), here & set(by)
        found = history.successions(self._reader, sorted(here))
        return tuple(each for each in found if each.fact_id in retired or each.successor_id in successors)

    def decisions(
        self, ids: Sequence[str] = (), *, about: Sequence[str] = (), citing: Sequence[str] = ()
    ) -> tuple[Decision, ...]:
        """See Transaction."""
        return history.touching_decisions(self._reader, self._row, ids, about, citing)

    def records(self, kind: type[R], ids: Sequence[str] | None = None) -> tuple[R, ...]:
        """See Transaction."""
        return history.records(self._reader, kind, self._scopes, ids)

    def commit(self, change: Change) -> None:
        """See Transaction."""
        self._kept.renew()
        self._writer.write(change)
        self._kept.wrote(change)
        self.erased = self.erased or bool(change.erased)
