"""What a search of the SQLite store found, as columns of rows; facts and messages are made for what is read of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mem0g.model import Passage
from mem0g.store.candidates import (
    UNKNOWN,
    FactCandidate,
    FactColumns,
    LazyCandidates,
    MessageCandidate,
    MessageColumns,
)
from mem0g.store.in_memory.postings import Postings
from mem0g.store.in_memory.rows import FactRow, HeldFact, HeldMessage, MessageRow
from mem0g.store.in_memory.vectors import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.model import Matrix
    from mem0g.store.in_memory.column import Numbers


class FoundFacts(NamedTuple):
    """Facts by their row numbers, as columns and as candidates."""

    numbers: Numbers
    columns: FactColumns
    candidates: LazyCandidates[FactCandidate]


def found_facts(
    held: Sequence[HeldFact],
    vectors: Matrix,
    rows: Rows,
    stems: Postings,
    paths: Mapping[int, tuple[str, ...]],
) -> FoundFacts:
    """Return facts in their order; ``rows`` have their vectors, ``paths`` those from an anchor by row number."""
    given = _columns(FactRow._fields, [each.row for each in held])
    numbers = np.array(given["n"], dtype=np.int64)
    cosines, _ = rows.cosines(numbers, vectors)
    columns = FactColumns(
        ids=given["id"],
        similarities=cosines,
        said_at=microseconds(given["said_at"]),
        texts=given["text"],
        relations=given["relation"],
        subject_ids=given["subject_id"],
        subjects=given["subject"],
        subject_types=given["subject_type"],
        object_ids=given["object_id"],
        object_types=given["object_type"],
        evidence=given["evidence"],
    )

    def make(places: Sequence[int]) -> Iterator[FactCandidate]:
        texts = stems.joined(numbers[places].tolist())
        for place in places:
            number = int(numbers[place])
            similarities = tuple(cosines[place].tolist())
            yield FactCandidate(held[place].fact, similarities, texts.get(number, ""), paths.get(number, ()))

    return FoundFacts(numbers, columns, LazyCandidates(columns, make))


class Embedded(NamedTuple):
    """Rows of messages or passages, with what their vectors and stems are read from."""

    numbers: Numbers
    rows: Rows
    stems: Postings

    def texts(self, at: Iterable[int]) -> dict[int, str]:
        """Return the stems of the rows at these places, by row number."""
        return self.stems.joined(self.numbers[[*at]].tolist())


def found_messages(
    messages: tuple[Embedded, Sequence[HeldMessage]],
    passages: tuple[Embedded, Sequence[tuple[HeldMessage, Passage]]],
    vectors: Matrix,
    outdated: Mapping[str, str],
) -> LazyCandidates[MessageCandidate]:
    """Return messages and passages in order of message and beginning; ``outdated``: as in MessageCandidate, by id."""
    parts = (messages[0], passages[0])
    whole = len(messages[1])
    held: list[tuple[HeldMessage, Passage | None]] = [*((each, None) for each in messages[1]), *passages[1]]
    order = sorted(range(len(held)), key=lambda at: (held[at][0].row.id, part.start if (part := held[at][1]) else 0))
    both = [each.rows.cosines(each.numbers, vectors) for each in parts]
    cosines, have = (np.concatenate(each)[order] for each in zip(*both, strict=True))
    given = _columns(MessageRow._fields, [held[at][0].row for at in order])
    found = [held[at][1] for at in order]
    texts = zip(given["text"], found, strict=True)
    columns = MessageColumns(
        ids=given["id"],
        similarities=cosines,
        times=microseconds(given["time"]),
        texts=[part.text_of(text) if part else text for text, part in texts],
        speakers=given["speaker"],
        roles=given["role"],
        positions=given["position"],
        outdated=[outdated.get(each, "") for each in given["id"]] if outdated else [""] * len(order),
        passages=found,
    )

    def make(places: Sequence[int]) -> Iterator[MessageCandidate]:
        at = [order[place] for place in places]
        terms = [messages[0].texts(each for each in at if each < whole)]
        terms.append(passages[0].texts(each - whole for each in at if each >= whole))
        for place, number in zip(places, at, strict=True):
            part = number >= whole
            row = int(parts[part].numbers[number - whole * part])
            similarities = tuple(cosines[place].tolist()) if have[place] else None
            message, passage = held[number]
            gone = columns.outdated[place]
            yield MessageCandidate(message.message, similarities, terms[part].get(row, ""), gone, passage)

    return LazyCandidates(columns, make)


def microseconds(times: Sequence[int | None]) -> NDArray[np.int64]:
    """Return stored times, UNKNOWN for None."""
    return np.array([UNKNOWN if each is None else each for each in times], dtype=np.int64)


def _columns(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> dict[str, tuple[Any, ...]]:
    """Return the columns of rows by name."""
    return dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else dict.fromkeys(names, ())
