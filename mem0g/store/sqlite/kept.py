"""Facts and messages of rows that were read before, kept until another connection commits or they are changed.

Searches of a scope find the same rows again and again, and making records of them takes longer than finding them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mem0g.model import Fact, Message, Scope
from mem0g.store.change import Change
from mem0g.store.found_columns import Cited
from mem0g.store.in_memory.column import numbers_of
from mem0g.store.in_memory.rows import FactRow, MessageRow
from mem0g.store.in_memory.tables import Found, Lists, Slots, Tables
from mem0g.store.sqlite.columns import state_of
from mem0g.store.sqlite.reading import Reader

if TYPE_CHECKING:
    from mem0g.store.in_memory.column import Numbers

MOST_BYTES = 1 << 27
"""What the rows kept take, 128 MB: enough for 80,000 facts, or 40,000 messages of 400 words."""


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
        if self._tables.incomplete and change.messages:
            self.clear()
            return
        for number in self._reader.fact_numbers(ended) if ended else ():
            self._tables.facts.drop(number)
        evidence = chain((each.evidence for each in change.facts), (each.evidence for each in change.support))
        for number in self._reader.message_numbers(list(dict.fromkeys(chain.from_iterable(evidence)))):
            self._citing.drop(number)

    def clear(self) -> None:
        """Discard everything."""
        self._scopes: dict[int, Scope] = {}
        self._tables = Tables(self._scopes)
        self._citing, self._cited_by = Slots(), Lists()  # by rows of messages, the rows of the facts that cite them
        self._ends: dict[str, tuple[str, str]] = {}  # names and types of the ends of facts that are kept

    def _make_room(self, slots: Numbers) -> None:
        """Discard everything before rows are read, those without a slot, if what is kept is too large."""
        tables = (self._tables.facts, self._tables.messages, self._cited_by)
        if np.any(slots < 0) and sum(each.size_in_bytes for each in tables) > MOST_BYTES:
            self.clear()

    def facts(self, scopes: dict[int, Scope], numbers: Iterable[int]) -> dict[int, Fact]:
        """Return facts by row number, in the order of ``numbers``."""
        table, slots = self.found_facts(scopes, list(numbers))
        both = zip(table.numbers.values[slots].tolist(), slots.tolist(), strict=True)
        return {number: table.made(slot) for number, slot in both}

    def found_facts(self, scopes: dict[int, Scope], numbers: Collection[int]) -> Found[FactRow, Fact]:
        """Return those of these facts that there are, in their order."""
        wanted = numbers_of(numbers)
        self._make_room(self._tables.facts.slots(wanted))
        self._scopes |= scopes
        return self._tables.found_facts(wanted, lambda missing: self._reader.fact_rows(missing, self._ends))

    def found_messages(self, numbers: Collection[int]) -> Found[MessageRow, Message]:
        """Return these messages, in their order."""
        wanted = numbers_of(numbers)
        self._make_room(self._tables.messages.slots(wanted))
        return self._tables.found_messages(wanted, self._reader.message_rows)

    def cited(self, facts: Found[FactRow, Fact]) -> Cited:
        """Return the rows of the messages that facts cite, just found."""
        return self._tables.cited(facts)

    def citing(self, messages: Numbers) -> Cited:
        """Return the rows of the facts that cite each of these messages, given by their rows."""
        slots = self._citing.of(messages)
        if missing := messages[slots < 0].tolist():
            self._make_room(slots)
            missing = messages[self._citing.of(messages) < 0].tolist()
            facts = self._reader.citing(missing)
            self._citing.add(np.array(missing, dtype=np.int64), len(self._cited_by))
            self._cited_by.append([facts.get(each, ()) for each in missing])
            slots = self._citing.of(messages)
        return self._cited_by.at(slots)
