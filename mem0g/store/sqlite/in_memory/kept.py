"""Facts and messages of rows that were read before, kept until another connection commits or they are changed.

Searches of a scope find the same rows again and again, and making records of them takes longer than finding them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sized
from itertools import chain
from typing import TYPE_CHECKING, Generic, NamedTuple

import numpy as np

from mem0g.model import Fact, Message, Scope
from mem0g.store.change import Change
from mem0g.store.found_columns import Cited
from mem0g.store.sqlite.in_memory.column import numbers_of
from mem0g.store.sqlite.in_memory.columns import state_of
from mem0g.store.sqlite.in_memory.tables import Lists, M, R, Slots, Table, fact_table, message_table
from mem0g.store.sqlite.reading import Reader
from mem0g.store.sqlite.rows import FactRow, MessageRow

if TYPE_CHECKING:
    from mem0g.store.sqlite.in_memory.column import Numbers

MOST = 50_000
"""Rows kept of each kind: facts take about 2 kB each."""


class Found(NamedTuple, Generic[R, M]):
    """Rows of a table, by their slots."""

    table: Table[R, M]
    slots: Numbers


class KeptRows:
    """Reads of a Reader by row number, of which the results are kept; the caller must hold the store's lock.

    Call ``renew`` first in a transaction: whatever another connection has committed, or this one has written without
    telling by ``wrote``, discards everything; ``clear`` does too. What was returned stays as it is.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._state: tuple[int, int] = (0, 0)
        self.clear()

    def renew(self) -> None:
        """Discard everything if the file has changed."""
        state = state_of(self._reader.connection)
        if state != self._state:
            self.clear()
            self._state = state

    def wrote(self, change: Change) -> None:
        """Discard what a change that this connection has just written, all since ``renew``, replaces."""
        self._state = state_of(self._reader.connection)
        renamed = (
            self._ends.get(each.id, (each.name, each.type)) != (each.name, each.type) for each in change.entities
        )
        if change.merges or change.rewritten or change.erased or any(renamed):
            self.clear()
            return
        ended = [each.succession.fact_id for each in change.retirements] + [each.fact_id for each in change.support]
        if self._incomplete and change.messages:
            self.clear()
            return
        for number in self._reader.fact_numbers(ended) if ended else ():
            self._facts.drop(number)
        evidence = chain((each.evidence for each in change.facts), (each.evidence for each in change.support))
        for number in self._reader.message_numbers(list(dict.fromkeys(chain.from_iterable(evidence)))):
            self._citing.drop(number)

    def clear(self) -> None:
        """Discard everything."""
        self._scopes: dict[int, Scope] = {}
        self._facts, self._messages = fact_table(self._scopes), message_table()
        self._cited = Lists()  # by slots of facts, the rows of the messages that they cite
        self._citing, self._cited_by = Slots(), Lists()  # by rows of messages, the rows of the facts that cite them
        self._ends: dict[str, tuple[str, str]] = {}  # names and types of the ends of facts that are kept
        self._incomplete = False  # whether a fact cites a message that is not stored

    def facts(self, scopes: dict[int, Scope], numbers: Iterable[int]) -> dict[int, Fact]:
        """Return facts by row number, in the order of ``numbers``."""
        table, slots = self.found_facts(scopes, list(numbers))
        both = zip(table.numbers.values[slots].tolist(), slots.tolist(), strict=True)
        return {number: table.made(slot) for number, slot in both}

    def found_facts(self, scopes: dict[int, Scope], numbers: Collection[int]) -> Found[FactRow, Fact]:
        """Return those of these facts that there are, in their order."""
        wanted = numbers_of(numbers)
        slots = self._facts.slots(wanted)
        if missing := wanted[slots < 0].tolist():
            if self._is_full(self._facts, missing):
                missing = wanted.tolist()
            self._scopes |= scopes
            rows = self._reader.fact_rows(missing, self._ends)
            self._facts.add(rows)
            self._cited.append([row.cited for row in rows])
            self._incomplete |= any(len(row.cited) < len(row.evidence) for row in rows)
            slots = self._facts.slots(wanted)
        return Found(self._facts, slots[slots >= 0])

    def cited(self, facts: Found[FactRow, Fact]) -> Cited:
        """Return the rows of the messages that facts cite, just found."""
        return self._cited.at(facts.slots)

    def found_messages(self, numbers: Collection[int]) -> Found[MessageRow, Message]:
        """Return these messages, in their order."""
        wanted = numbers_of(numbers)
        slots = self._messages.slots(wanted)
        if missing := wanted[slots < 0].tolist():
            if self._is_full(self._messages, missing):
                missing = wanted.tolist()
            self._messages.add(self._reader.message_rows(missing))
            slots = self._messages.slots(wanted)
        return Found(self._messages, slots[slots >= 0])

    def citing(self, messages: Numbers) -> Cited:
        """Return the rows of the facts that cite each of these messages, given by their rows."""
        slots = self._citing.of(messages)
        if missing := messages[slots < 0].tolist():
            if self._is_full(self._cited_by, missing):
                missing = messages.tolist()
            facts = self._reader.citing(missing)
            self._citing.add(np.array(missing, dtype=np.int64), len(self._cited_by))
            self._cited_by.append([facts.get(each, ()) for each in missing])
            slots = self._citing.of(messages)
        return self._cited_by.at(slots)

    def _is_full(self, held: Sized, more: Sized) -> bool:
        """Whether there is no room for more of these rows; then everything is discarded."""
        full = len(held) + len(more) > MOST
        if full:
            self.clear()
        return full
