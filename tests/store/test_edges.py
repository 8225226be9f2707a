"""Edges of facts and places of messages in memory: the latest facts of entities, the messages around others."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from mem0g.store.in_memory import postings
from mem0g.store.in_memory.edges import Edges
from mem0g.store.in_memory.places import SPAN, Places
from mem0g.store.in_memory.postings import Postings
from mem0g.store.in_memory.tables import Numbering


@pytest.fixture
def edges() -> Edges:
    """Five facts, in two parts; the last two were recorded at one time, the first one last."""
    made = Edges()
    made.append((2, 5, 7), ("ann", "bo", "ann"), ("oslo", "ann", "tea"), (90, 20, 30))
    made.append((8, 9), ("ann", "cy"), ("bo", "oslo"), (40, 40))
    return made


def test_the_facts_touching_an_entity(edges: Edges) -> None:
    """The last recorded is first, then the last stored; hidden facts and unknown entities are left out."""
    every = edges.without(())
    assert edges.touching(["ann"], every, 10) == [2, 8, 7, 5]
    assert edges.touching(["ann", "oslo", "nobody"], every, 3) == [2, 9, 8]
    assert edges.touching(["ann"], edges.without([2, 5, 100]), 10) == [8, 7]
    assert edges.touching(["nobody"], every, 10) == []
    assert edges.touching(["ann"], every, 0) == []


def test_the_outgoing_facts_of_entities_with_few(edges: Edges) -> None:
    """What is hidden does not count, nor does a fact of which the entity is the object."""
    every = edges.without(())
    assert edges.outgoing(["ann", "bo"], every, 3, 10) == [2, 8, 7, 5]
    assert edges.outgoing(["ann", "bo"], every, 2, 10) == [5]
    assert edges.outgoing(["ann", "bo"], edges.without([7]), 2, 2) == [2, 8]


def test_the_latest_of_some_facts(edges: Edges) -> None:
    """Each is given once, and only those of these scopes."""
    assert edges.latest([5, 9, 9, 8, 6], edges.without([]), 10) == [9, 8, 5]
    assert edges.latest({7, 9}, edges.without([9]), 10) == [7]


def test_the_facts_of_an_end_and_between_two(edges: Edges) -> None:
    """Places are in the order of storing; an entity without facts has none."""
    edges.append((12, 15), ("ann", "ann"), ("oslo", "oslo"), (1, 2))
    of_ann = edges.of_subject("ann")
    assert edges.n[of_ann].tolist() == [2, 7, 8, 12, 15]
    assert edges.n[edges.to(of_ann, "oslo")].tolist() == [2, 12, 15]
    assert edges.n[edges.of_object("oslo")].tolist() == [2, 9, 12, 15]
    assert not [*edges.of_subject("oslo"), *edges.of_object("nobody"), *edges.to(of_ann, "nothing")]


def test_no_edges() -> None:
    """Nothing is found among no facts."""
    nothing = Edges()
    assert nothing.touching(["ann"], nothing.without([1]), 5) == nothing.latest([1], nothing.without(()), 5) == []
    assert nothing.outgoing(["ann"], nothing.without(()), 5, 5) == []


def placed(*messages: tuple[str, str, int]) -> Places:
    """Return places of messages of source, session and position; their ids are m0, m1 and so on, in rows 10, 11..."""
    made = Places()
    for first in range(0, len(messages), 3):  # in parts
        some = messages[first : first + 3]
        numbers = range(10 + first, 10 + first + len(some))
        sources, sessions, positions = zip(*some, strict=True)
        ids = [f"m{number - 10}" for number in numbers]
        made.append(numbers, [1] * len(some), sources, sessions, positions, ids, [number == 11 for number in numbers])
    return made


def around(places: Places, *ids: str, radius: int = 1, without: tuple[int, ...] = ()) -> list[str]:
    """Return the ids of the messages around others."""
    numbers = np.array([int(each[1:]) + 10 for each in ids], dtype=np.int64)
    return list(places.turns(places.around(numbers, radius, without), ids).ids)


def test_messages_around_others() -> None:
    """They are of the same session and up to a radius away; positions may be missing, shared, or in any order."""
    places = placed(
        ("a", "2", 4), ("a", "1", 1), ("a", "1", 2), ("a", "2", 3), ("a", "1", 4), ("a", "1", 2), ("a", "2", 9)
    )
    assert around(places, "m1") == ["m1", "m2", "m5"]
    assert around(places, "m4", "m99") == ["m4"]
    assert around(places, "m4", radius=2) == ["m2", "m5", "m4"]
    assert around(places, "m3", "m0", "m2") == ["m1", "m2", "m5", "m3", "m0"]
    assert around(places, "m6", "m2", without=(11, 16)) == ["m2", "m5"]
    assert around(places) == []
    assert around(Places(), "m1") == []


def test_turns() -> None:
    """Sessions are numbered in order of source and name, whichever came first, and those with metadata are noted."""
    places = placed(("b", "1", 1), ("a", "2", 1), ("a", "10", 2), ("a", "2", 0))
    turns = places.turns(places.around(np.array([10, 11, 12]), 1), tuple("wxyz"))
    assert (turns.ids, turns.sessions, turns.positions) == (("m2", "m3", "m1", "m0"), (1, 2, 2, 3), (2, 0, 1, 1))
    assert (turns.terms, turns.noted) == (("w", "x", "y", "z"), ("m1",))


def test_positions_of_any_size() -> None:
    """Positions may be times in nanoseconds, or negative."""
    far = 10**18
    places = placed(
        ("a", "1", far), ("a", "1", far + 1), ("a", "1", far + 3), ("a", "2", -far), ("a", "1", -1), ("a", "1", SPAN)
    )
    assert around(places, "m0") == ["m0", "m1"]
    assert around(places, "m3") == ["m3"]
    assert around(places, "m2", "m4") == ["m4", "m2"]


def test_tables_that_share_a_numbering() -> None:
    """Each finds its own rows, those in the index and those after it; the words are held once."""
    numbering, random = Numbering(), Random(3)
    words = [f"w{number}" for number in range(400)]
    alone, one, two = Postings(), Postings(numbering), Postings(numbering)
    for first in range(0, 3000, 1000):
        texts = [" ".join(random.choices(words[: 200 + first // 10], k=30)) for _ in range(1000)]
        rows = range(first, first + 1000)
        two.append(rows, [1] * 1000, [text.replace("w", "v") for text in texts])
        for each in (alone, one):
            each.append(rows, [1] * 1000, texts)
        for term in ("w3", "w399", "w7 w8", "v3", "none"):
            assert one.having(term) == alone.having(term)
            assert one.best([term, "w5"], 20) == alone.best([term, "w5"], 20)
        assert two.having("v3") == one.having("w3")
        assert two.having("w3") == []
    assert len(numbering.names) == 800
    assert one.joined([5, 2999]) == alone.joined([5, 2999])
    assert one.size_in_bytes < 3_000_000


def test_the_stems_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are as they were given, of rows in any order; a row that is not held has none."""
    stems = Postings()
    stems.append([3, 4], [1, 1], ["ann live oslo", ""])
    stems.append([9], [1], ["oslo ann"])
    assert stems.texts([9, 3, 5, 4, 9]) == ["oslo ann", "ann live oslo", "", "", "oslo ann"]
    assert stems.texts([]) == Postings().texts([]) == []
    assert Postings().texts([1]) == [""]
    stems.append([10], [1], ["tea"])
    monkeypatch.setattr(postings, "MOST_CHARACTERS", 1)
    assert stems.texts([3, 10]) == ["ann live oslo", "tea"]
    assert stems._texts.keys() == {3, 10}
    assert stems.texts([3, 10, 9]) == stems.texts(np.array([3, 10, 9])) == ["ann live oslo", "tea", "oslo ann"]
