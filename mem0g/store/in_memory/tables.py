"""Facts and messages that were read, as columns by slot: a search takes what it ranks by from them, all at once.

What a search compares are numbers: texts and ids are objects all over the memory, and to touch those of some hundred
candidates takes longer than to compare their numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain, count, islice
from sys import getsizeof
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from mem0g.model import Fact, Message, Scope
from mem0g.store.candidates import UNKNOWN
from mem0g.store.found_columns import Cited, Names, Notes, NotesAt, Picked
from mem0g.store.in_memory.column import Column, numbers_of
from mem0g.store.in_memory.rows import FactRow, MessageRow, fact_of, message_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from mem0g.store.in_memory.column import Numbers

R = TypeVar("R", FactRow, MessageRow)
M = TypeVar("M", Fact, Message)

LONGEST_ID = 24
"""Bytes of an id by which rows are put in order; where one is longer, ids are compared as texts."""

FACT_BYTES, MESSAGE_BYTES, RECORD_BYTES = 1400, 800, 400
"""Memory that a fact and a message take beside text and metadata, and the record that is made of one."""


class Numbering:
    """The numbers of names or of other words, by which columns of them are kept."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: defaultdict[str, int] = defaultdict(count().__next__)

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated: about 170 bytes for each name."""
        return 170 * len(self.numbers)

    def of(self, names: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of each name."""
        codes = np.fromiter(map(self.numbers.__getitem__, names), np.int32, len(names))
        if len(self.numbers) > len(self.names):
            self.names += islice(self.numbers, len(self.names), None)
        return codes


class Slots:
    """Where each row number stands among those that were added."""

    def __init__(self) -> None:
        self._at: NDArray[np.int32] = np.empty(0, dtype=np.int32)

    def of(self, numbers: Numbers) -> Numbers:
        """Return the slot of each row, -1 if there is none."""
        if not len(numbers) or numbers.max() >= len(self._at):
            known = np.full(len(numbers), -1)
            low = numbers < len(self._at)
            known[low] = self._at[numbers[low]]
            return known
        return self._at[numbers].astype(np.int64)

    def add(self, numbers: Numbers, first: int) -> None:
        """Add rows, of which the first is in the slot ``first``."""
        size = int(numbers.max(initial=-1)) + 1
        if size > len(self._at):
            room = np.full(size * 5 // 4 + 16, -1, dtype=np.int32)
            room[: len(self._at)] = self._at
            self._at = room
        self._at[numbers] = np.arange(first, first + len(numbers))

    def drop(self, number: int) -> None:
        """Drop a row."""
        if number < len(self._at):
            self._at[number] = -1


class Lists:
    """Numbers that some rows have, a list of any length each, in the order in which they were added."""

    def __init__(self, kind: DTypeLike = np.int64) -> None:
        self._ends, self._flat = Column(np.int64), Column(kind)

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated."""
        return self._ends.nbytes + self._flat.nbytes

    def append(self, lists: Sequence[Collection[int]]) -> None:
        """Add lists."""
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        self._ends.append(len(self._flat) + np.cumsum(sizes))
        self._flat.append(np.fromiter(chain.from_iterable(lists), np.int64, int(sizes.sum())))

    def at(self, slots: Numbers) -> Cited:
        """Return the lists in these slots."""
        ends = self._ends.values[slots]
        starts = np.where(slots > 0, self._ends.values[slots - 1], 0)
        sizes = ends - starts
        first = np.cumsum(sizes) - sizes
        return Cited(sizes, self._flat.values[np.arange(sizes.sum()) + np.repeat(starts - first, sizes)])


class Table(Generic[R, M]):
    """Rows that were read, in the order of reading: the place of a row is its slot.

    ``kind``: what a row is, and ``row_bytes`` the memory that it takes beside its text and metadata; ``make``
    returns the fact or message of one, which is made when it is first asked for.
    ``named``: the columns of names, with the numbering of each; ``others``: columns of texts and other objects;
    ``whole``: those of numbers, where None is UNKNOWN. Rows are kept as plain tuples: unlike others, these do not
    concern the garbage collector, which else goes through all that are kept.
    """

    def __init__(
        self,
        kind: type[R],
        row_bytes: int,
        make: Callable[[R], M],
        named: dict[str, Numbering],
        others: Sequence[str],
        whole: Sequence[str],
    ) -> None:
        self._kind: type[R] = kind
        self._row_bytes, self._text_bytes = row_bytes, 0
        self._make: Callable[[R], M] = make
        self._rows: list[tuple[Any, ...]] = []
        self._made: dict[int, M] = {}
        self.numbers = Column(np.int64)
        self._slots = Slots()
        self._numberings, self._notes = named, Notes()
        self._named = {name: Column(np.int32) for name in named}
        self._whole = {name: Column(np.int64) for name in whole}
        self._others: dict[str, list[Any]] = {name: [] for name in others}
        self._keys = Column(f"S{LONGEST_ID}")
        self._sortable = True

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def size_in_bytes(self) -> int:
        """Memory that the rows, with texts and metadata, and the records made of them take, about."""
        return self._row_bytes * len(self._rows) + self._text_bytes + RECORD_BYTES * len(self._made)

    def slots(self, numbers: Collection[int] | Numbers) -> Numbers:
        """Return the slot of each of these rows, -1 if it is not held."""
        return self._slots.of(numbers_of(numbers))

    def add(self, rows: Sequence[R]) -> None:
        """Add rows."""
        if not rows:
            return
        columns = dict(zip(self._kind._fields, zip(*rows, strict=True), strict=True))
        numbers = np.array(columns["n"], dtype=np.int64)
        self._slots.add(numbers, len(self._rows))
        self._rows += map(tuple, rows)
        self._text_bytes += sum(map(getsizeof, chain(columns["text"], columns["metadata"])))
        self.numbers.append(numbers)
        for name, column in self._whole.items():
            column.append([UNKNOWN if each is None else each for each in columns[name]])
        for name, column in self._named.items():
            column.append(self._numberings[name].of(columns[name]))
        for name, others in self._others.items():
            others += columns[name]
        keys = [each.encode(errors="surrogatepass") for each in columns["id"]]
        self._sortable &= max(map(len, keys), default=0) <= LONGEST_ID
        self._keys.append(np.array(keys, dtype=f"S{LONGEST_ID}"))

    def drop(self, number: int) -> None:
        """Drop a row: it is read anew."""
        self._slots.drop(number)

    def row(self, slot: int) -> R:
        """Return the row in a slot."""
        return self._kind(*self._rows[slot])

    def made(self, slot: int) -> M:
        """Return the fact or message of the row in a slot."""
        if slot not in self._made:
            self._made[slot] = self._make(self.row(slot))
        return self._made[slot]

    def by_id(self, slots: Numbers) -> Numbers:
        """Return the places among these slots in the order of the ids there."""
        if self._sortable:
            return np.argsort(self._keys.values[slots], kind="stable")
        ids = self.others("id", slots)
        return np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.int64)

    def names(self, name: str, slots: Numbers) -> Names:
        """Return a column of names at these slots."""
        numbering = self._numberings[name]
        return Names(self._named[name].values[slots], numbering.names, numbering.numbers)

    def whole(self, name: str, slots: Numbers) -> Numbers:
        """Return a column of numbers at these slots."""
        values: Numbers = self._whole[name].values[slots]
        return values

    def others(self, name: str, slots: Numbers) -> Picked[Any]:
        """Return a column of other values at these slots."""
        return Picked(self._others[name], slots)

    def notes(self, slots: Numbers) -> NotesAt:
        """Return what is noted of the rows in these slots."""
        return self._notes.at(slots)


def fact_table(scopes: Mapping[int, Scope]) -> Table[FactRow, Fact]:
    """Return a table of facts; ``scopes`` are those of the rows, when their facts are made."""
    ends, types = Numbering(), Numbering()
    named = {"subject_id": ends, "object_id": ends, "subject_type": types, "object_type": types}
    named |= {"relation": Numbering(), "subject": Numbering()}

    def make(row: FactRow) -> Fact:
        return fact_of(row, scopes[row.scope])

    return Table(FactRow, FACT_BYTES, make, named, ("id", "text", "evidence"), ("said_at",))


def message_table() -> Table[MessageRow, Message]:
    """Return a table of messages."""

    named = {"speaker": Numbering(), "role": Numbering()}
    return Table(MessageRow, MESSAGE_BYTES, message_of, named, ("id", "text"), ("time", "position"))


class Found(NamedTuple, Generic[R, M]):
    """Rows of a table, by their slots."""

    table: Table[R, M]
    slots: Numbers


class Tables:
    """Facts, the messages that they cite, and messages, as far as they were read.

    ``scopes`` are those of the facts, when these are made.
    """

    def __init__(self, scopes: Mapping[int, Scope]) -> None:
        self.facts, self.messages = fact_table(scopes), message_table()
        self.incomplete = False  # whether a fact cites a message that is not stored
        self._cited = Lists()

    def found_facts(self, numbers: Numbers, read: Callable[[list[int]], Sequence[FactRow]]) -> Found[FactRow, Fact]:
        """Return those of these facts that there are, in their order; ``read`` returns the rows of some."""
        slots = self.facts.slots(numbers)
        if missing := numbers[slots < 0].tolist():
            rows = read(missing)
            self.facts.add(rows)
            self._cited.append([row.cited for row in rows])
            self.incomplete |= any(len(row.cited) < len(row.evidence) for row in rows)
            slots = self.facts.slots(numbers)
        return Found(self.facts, slots[slots >= 0])

    def found_messages(
        self, numbers: Numbers, read: Callable[[list[int]], Sequence[MessageRow]]
    ) -> Found[MessageRow, Message]:
        """Return these messages, in their order."""
        slots = self.messages.slots(numbers)
        if missing := numbers[slots < 0].tolist():
            self.messages.add(read(missing))
            slots = self.messages.slots(numbers)
        return Found(self.messages, slots[slots >= 0])

    def cited(self, facts: Found[FactRow, Fact]) -> Cited:
        """Return the rows of the messages that facts cite, which were found in these tables."""
        return self._cited.at(facts.slots)
