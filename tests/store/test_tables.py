"""What is kept of rows as columns, and the columns of what was found."""

from __future__ import annotations

import numpy as np
import pytest

from mem0g.model import Message
from mem0g.store.candidates import UNKNOWN
from mem0g.store.found_columns import Names, Notes, Picked, Whole
from mem0g.store.in_memory.rows import MessageRow
from mem0g.store.in_memory.tables import LONGEST_ID, Lists, Slots, Table, message_table


def row(number: int, given: str, speaker: str = "Ann", time: int | None = None) -> MessageRow:
    """Return a message as it is read."""
    text = f"text {number}"
    return MessageRow(number, given, "chat", "1", number, speaker, "user", text, time, None, None, None, None)


def filled(*rows: MessageRow) -> Table[MessageRow, Message]:
    """Return a table of messages, added one by one."""
    table = message_table()
    for each in rows:
        table.add([each])
    return table


def test_the_size_of_rows() -> None:
    """Rows of long texts count more than many of short ones, and letters by the bytes they take; so do metadata
    and records."""
    short = filled(*(row(number, f"m{number}") for number in range(20)))
    before = short.size_in_bytes
    assert filled(row(1, "a")._replace(text="long " * 20_000)).size_in_bytes > before > 16_000
    assert filled(row(1, "a")._replace(text="長" * 20_000)).size_in_bytes > 40_000
    assert filled(row(1, "a")._replace(metadata="x" * 20_000)).size_in_bytes > 20_000
    assert short.made(0)
    assert short.size_in_bytes > before


def test_columns_of_rows() -> None:
    """What is asked for by slots has their order; names have numbers, a time that is not known is UNKNOWN."""
    table = filled(row(7, "b", time=5), row(3, "c", "Bo"), row(900, "a", time=6))
    slots = table.slots([900, 7, 4, 3])
    assert slots.tolist() == [2, 0, -1, 1]
    some = slots[slots >= 0]
    assert table.others("text", some) == ["text 900", "text 7", "text 3"]
    assert table.whole("time", some).tolist() == [6, 5, UNKNOWN]
    speakers = table.names("speaker", some)
    assert list(speakers) == ["Ann", "Ann", "Bo"]
    assert speakers.are(["Bo", "Cy"]).tolist() == [False, False, True]
    assert table.by_id(some).tolist() == [0, 1, 2]
    assert table.row(1).speaker == "Bo"
    assert table.made(2) is table.made(2)
    assert (table.made(2).id, table.made(2).text) == ("a", "text 900")
    table.drop(7)
    assert table.slots([7, 900, 10_000]).tolist() == [-1, 2, -1]
    table.add([row(7, "b", "Bo")])
    assert list(table.names("speaker", table.slots([7]))) == ["Bo"]


@pytest.mark.parametrize("start", ["", "x" * LONGEST_ID, "é" * LONGEST_ID])
def test_order_of_ids(start: str) -> None:
    """Ids of any length and script are in the order of texts."""
    ids = [start + each for each in ("b", "a", "", "ä", "aa", "𝄞", "\uffee")]
    table = filled(*(row(number, each) for number, each in enumerate(ids, start=1)))
    order = table.by_id(table.slots(range(1, len(ids) + 1)))
    assert [ids[at] for at in order.tolist()] == sorted(ids)


def test_lists_of_numbers() -> None:
    """Each slot has its own list, which may be empty."""
    lists = Lists()
    lists.append([[5, 6], []])
    lists.append([[7]])
    found = lists.at(np.array([2, 0, 1, 2]))
    assert found.counts.tolist() == [1, 2, 0, 1]
    assert found.numbers.tolist() == [7, 5, 6, 7]
    assert lists.at(np.array([], dtype=np.int64)).numbers.tolist() == []


def test_slots_of_rows() -> None:
    """Row numbers may be far apart; one that was never added has no slot, whatever its size."""
    slots = Slots()
    assert slots.of(np.array([0, 5])).tolist() == [-1, -1]
    slots.add(np.array([5, 2]), 0)
    slots.add(np.array([100_000]), 2)
    assert slots.of(np.array([2, 5, 7, 100_000, 1 << 40])).tolist() == [1, 0, -1, 2, -1]
    slots.drop(1 << 40)
    assert slots.of(np.array([], dtype=np.int64)).tolist() == []


def test_notes_last_for_one_version() -> None:
    """What is noted is found out once for each row; for another version it is found out anew."""
    asked: list[list[int]] = []

    def find(places: list[int]) -> list[int]:
        asked.append(places)
        return [10 + place for place in places]

    notes, first, second = Notes(), object(), object()
    assert notes.at(np.array([4, 9])).get("a", find, first).tolist() == [10, 11]
    assert notes.at(np.array([9, 4, 2])).get("a", find, first).tolist() == [11, 10, 12]
    assert asked == [[0, 1], [2]]
    assert notes.at(np.array([9, 4])).get("b", find).tolist() == [10, 11]
    assert notes.at(np.array([9, 4])).get("a", find, second).tolist() == [10, 11]
    assert asked[2:] == [[0, 1], [0, 1]]
    assert notes.at(np.array([], dtype=np.int64)).get("a", find, second).tolist() == []


def test_columns_are_sequences() -> None:
    """They are equal to sequences of the same values, and give one value or a part."""
    picked, whole = Picked(["a", "b", "c"], np.array([2, 0, 2])), Whole(np.array([3, 1, 2]))
    assert list(picked) == ["c", "a", "c"]
    assert whole == [3, 1, 2]
    assert (picked[1], picked[-2:], whole[1], whole[:2]) == ("a", ["a", "c"], 1, [3, 1])
    assert picked != ["c", "a"]
    assert (hash(picked), repr(whole)) == (hash(("c", "a", "c")), "(3, 1, 2)")
    assert np.asarray(whole, dtype=np.float64).tolist() == [3.0, 1.0, 2.0]
    one, other = Names.of(["x", "y"], ["y", "z"])
    assert (one.codes.tolist(), other.codes.tolist()) == ([0, 1], [1, 2])
    assert (one[1], other[:1], sorted(other.distinct().values())) == ("y", ["y"], ["y", "z"])
