"""A store with a small transaction limit: a window is committed in parts, and completely."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from mem0g.errors import ChangeTooLargeError
from mem0g.extract.rules import RulesExtractor
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.store.change import Change
from mem0g.store.sqlite import SqliteStore
from mem0g.store.sqlite.transaction import SqliteTransaction
from tests.pipeline.telling import ANN, EMBEDDER

T = TypeVar("T")


class Cramped(SqliteTransaction):
    """A transaction with room for one message or one fact."""

    def commit(self, change: Change) -> None:
        """See Transaction."""
        if len(change.messages) + len(change.facts) > 1:
            raise ChangeTooLargeError("too large")
        super().commit(change)


class CrampedStore(SqliteStore):
    """A SQLite store with such transactions."""

    def write(self, scope: Scope, work: Callable[[SqliteTransaction], T]) -> T:
        """See Store."""

        def cramped(transaction: SqliteTransaction) -> T:
            parts = (transaction._reader, transaction._matcher, transaction._writer, transaction._kept)
            return work(Cramped(*parts, scope))

        return super().write(scope, cramped)


def test_a_message_with_several_facts(tmp_path: Path) -> None:
    """When a message and its facts exceed a transaction, the facts are committed after it, and none is lost."""
    with closing(CrampedStore(tmp_path / "memory.db")) as store:
        memory = Memory(store, EMBEDDER, RulesExtractor())
        said = ["I live in Oslo. I have a dog called Rex. I like tea.", "I work at Acme."]
        report = memory.add([{"role": "user", "content": text} for text in said], **ANN)
        assert (report.messages, report.facts) == (2, 4)
        assert {fact.object for fact in memory.facts(**ANN)} == {"Oslo", "Rex", "tea", "Acme"}
        assert memory.verify() == ()
