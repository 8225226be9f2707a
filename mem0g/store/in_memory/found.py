"""What a search in memory found, as columns of rows; facts and messages are made for what is read of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mem0g.model import Fact, Message, Passage
from mem0g.store.candidates import (
    FactCandidate,
    FactColumns,
    LazyCandidates,
    MessageCandidate,
    MessageColumns,
)
from mem0g.store.found_columns import Cited, Whole
from mem0g.store.in_memory.postings import Postings
from mem0g.store.in_memory.rows import FactRow, MessageRow
from mem0g.store.in_memory.tables import Found, Table
from mem0g.store.in_memory.vectors import Rows

if TYPE_CHECKING:
    from mem0g.model import Matrix
    from mem0g.store.in_memory.column import Numbers


class FoundFacts(NamedTuple):
    """Facts by their row numbers, as columns and as candidates, and the rows of the messages that they cite."""

    numbers: Numbers
    columns: FactColumns
    cited: Numbers
    candidates: LazyCandidates[FactCandidate]


def found_facts(
    facts: tuple[Found[FactRow, Fact], Cited],
    vectors: Matrix,
    rows: Rows,
    stems: Postings,
    paths: Mapping[int, tuple[str, ...]],
) -> FoundFacts:
    """Return facts, with the messages that they cite, in their order.

    ``rows`` have their vectors, ``paths`` those from an anchor by row number.
    """
    (table, slots), cited = facts
    numbers = table.numbers.values[slots]
    cosines, _ = rows.cosines(numbers, vectors)
    columns = FactColumns(
        ids=table.others("id", slots),
        similarities=cosines,
        said_at=table.whole("said_at", slots),
        texts=table.others("text", slots),
        relations=table.names("relation", slots),
        subject_ids=table.names("subject_id", slots),
        subjects=table.names("subject", slots),
        subject_types=table.names("subject_type", slots),
        object_ids=table.names("object_id", slots),
        object_types=table.names("object_type", slots),
        evidence=table.others("evidence", slots),
        cited=cited,
        notes=table.notes(slots),
    )

    def make(places: Sequence[int]) -> Iterator[FactCandidate]:
        texts = stems.joined(numbers[places].tolist())
        for place in places:
            number = int(numbers[place])
            similarities = tuple(cosines[place].tolist())
            fact = table.made(int(slots[place]))
            yield FactCandidate(fact, similarities, texts.get(number, ""), paths.get(number, ()))

    return FoundFacts(numbers, columns, cited.numbers, LazyCandidates(columns, make))


class Embedded(NamedTuple):
    """Rows of messages or passages, with what their vectors and stems are read from."""

    numbers: Numbers
    rows: Rows
    stems: Postings

    def texts(self, at: Iterable[int]) -> dict[int, str]:
        """Return the stems of the rows at these places, by row number."""
        return self.stems.joined(self.numbers[[*at]].tolist())


def found_messages(
    messages: tuple[Embedded, Found[MessageRow, Message]],
    passages: tuple[Embedded, Found[MessageRow, Message], Sequence[Passage]],
    vectors: Matrix,
    outdated: Mapping[int, str],
) -> LazyCandidates[MessageCandidate]:
    """Return messages and passages, each with its message, in order of message and beginning.

    ``outdated``: as in MessageCandidate, by row number of the message.
    """
    parts, table = (messages[0], passages[0]), messages[1].table
    whole, parted = len(messages[1].slots), passages[2]
    slots = np.concatenate([messages[1].slots, passages[1].slots])
    order = _order(table, slots, [0] * whole + [each.start for each in parted]) if parted else table.by_id(slots)
    both = [each.rows.cosines(each.numbers, vectors) for each in parts]
    cosines, have = (np.concatenate(each)[order] for each in zip(*both, strict=True))
    slots = slots[order]
    found: Sequence[Passage | None] = [parted[at - whole] if at >= whole else None for at in order.tolist()]
    texts: Sequence[str] = table.others("text", slots)
    if parted:
        texts = [part.text_of(text) if part else text for text, part in zip(texts, found, strict=True)]
    numbers = table.numbers.values[slots]
    columns = MessageColumns(
        ids=table.others("id", slots),
        similarities=cosines,
        times=table.whole("time", slots),
        texts=texts,
        speakers=table.names("speaker", slots),
        roles=table.names("role", slots),
        positions=Whole(table.whole("position", slots)),
        outdated=[outdated.get(each, "") for each in numbers.tolist()] if outdated else [""] * len(order),
        passages=found,
        numbers=numbers,
        notes=None if parted else table.notes(slots),
    )

    def make(places: Sequence[int]) -> Iterator[MessageCandidate]:
        at = order[places].tolist()
        terms = [messages[0].texts(each for each in at if each < whole)]
        terms.append(passages[0].texts(each - whole for each in at if each >= whole))
        for place, number in zip(places, at, strict=True):
            part = number >= whole
            row = int(parts[part].numbers[number - whole * part])
            similarities = tuple(cosines[place].tolist()) if have[place] else None
            message, gone = table.made(int(slots[place])), columns.outdated[place]
            yield MessageCandidate(message, similarities, terms[part].get(row, ""), gone, found[place])

    return LazyCandidates(columns, make)


def _order(table: Table[MessageRow, Message], slots: Numbers, starts: Sequence[int]) -> Numbers:
    """Return the places of messages and passages, given by the slots of their messages, in order of id and start."""
    order = table.by_id(slots)
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(np.diff(slots[order], prepend=-1) != 0)
    return np.lexsort((np.array(starts), ranks))
