"""The turns of a search as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from mem0g.retrieve.ranking.keyword_scores import Stems
from mem0g.retrieve.ranking.proximity import NEAR_TURNS, Citations
from mem0g.store.candidates import Turns
from mem0g.store.found_columns import Cited
from tests.making import message, turns

if TYPE_CHECKING:
    from numpy.typing import NDArray


def told(*said: tuple[str, str, int], terms: tuple[str, ...] = ()) -> tuple[Citations, list[str]]:
    """Who may cite turns of (text, session, position), given in order, and their ids."""
    made = [message(text, position, session=session) for text, session, position in said]
    return citations(turns(*made), terms), [each.id for each in made]


def citations(told: Turns, terms: tuple[str, ...]) -> Citations:
    """Who may cite turns in which these terms are counted."""
    stems = Stems(told.terms)
    return Citations(told, numbers_of(told.ids), stems.counts(terms), stems.lengths)


def numbers_of(ids: Sequence[str]) -> NDArray[np.int64]:
    """The number by which the tests cite each message."""
    return np.array([crc32(each.encode()) for each in ids], dtype=np.int64)


def cited(evidence: Sequence[Sequence[str]]) -> Cited:
    """Evidence, given by ids."""
    counts = np.array([len(each) for each in evidence], dtype=np.int64)
    return Cited(counts, numbers_of([each for some in evidence for each in some]))


def test_who_cites_what() -> None:
    """Pairs of candidate and place, in order; an id of no turn is left out."""
    made, ids = told(("a", "1", 0), ("b", "1", 1))
    citing, places = made.cited(cited([[ids[1]], [], [ids[0], "elsewhere", ids[1]]]))
    assert citing.tolist() == [0, 2, 2]
    assert places.tolist() == [1, 0, 1]


def test_nothing_is_cited() -> None:
    """Without turns nobody cites, and nothing is around."""
    made = citations(turns(), ("tea",))
    citing, places = made.cited(cited([["elsewhere"]]))
    counts, lengths = made.around(citing, places, 1)
    assert counts.tolist() == [[0]]
    assert lengths.tolist() == [0]
    assert made.positions(places).tolist() == []


def test_counts_of_what_stands_around() -> None:
    """The turn cited, the one before and the one after count, each once; none of another sitting, none past a gap."""
    said = ("tea", "1", 0), ("tea tea rain", "1", 1), ("rain", "1", 2), ("tea", "1", 4), ("tea", "2", 5)
    made, ids = told(*said, terms=("tea", "rain"))
    citing, places = made.cited(cited([[ids[0]], [ids[0], ids[1]], [ids[2]], [ids[3]]]))
    counts, lengths = made.around(citing, places, 5)
    assert counts.tolist() == [[3, 1], [3, 2], [2, 2], [1, 0], [0, 0]]
    assert lengths.tolist() == [4, 5, 4, 1, 0]


def test_places_are_near_within_a_sitting_only() -> None:
    """Numbers of one sitting differ by their positions; the last of one and the first of the next are far apart."""
    made, ids = told(("a", "1", 3), ("b", "1", 7), ("c", "2", 7), ("d", "2", 8))
    where = made.positions(made.cited(cited([ids]))[1]).tolist()
    assert where[1] - where[0] == 4
    assert where[3] - where[2] == 1
    assert min(abs(one - other) for one in where[:2] for other in where[2:]) > NEAR_TURNS
