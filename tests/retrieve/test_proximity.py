"""How the company of a candidate speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mem0g.retrieve.ranking.proximity import HUB, NEAR_TURNS, best_nearby, best_related
from mem0g.store.found_columns import Names

SCORES = st.lists(st.floats(-10, 10), min_size=1, max_size=12)


def near(base: Sequence[float], cited: Sequence[Sequence[int]]) -> list[float]:
    """What ``best_nearby`` gives for candidates that stand on turns at these places."""
    pairs = [(who, where) for who, places in enumerate(cited) for where in places]
    who, where = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    found: list[float] = best_nearby(np.array(base, dtype=float), who, where).tolist()
    return found


def kin(base: Sequence[float], ends: Sequence[tuple[str, str]]) -> list[float]:
    """What ``best_related`` gives for facts between these ends."""
    subjects, objects = (each.codes for each in Names.of(*zip(*ends, strict=True)))
    found: list[float] = best_related(np.array(base, dtype=float), subjects, objects).tolist()
    return found


def test_the_best_of_nearby_facts() -> None:
    """Up to four turns away counts, the fact itself and negative scores do not."""
    cited = [[10], [10 + NEAR_TURNS], [11 + NEAR_TURNS], [1010], [], [1011, 3]]
    assert near([3.0, 2.0, -1.0, 5.0, 9.0, -2.0], cited) == [2.0, 3.0, 2.0, 0.0, 0.0, 5.0]


def test_two_turns_of_one_fact_are_not_its_neighbours() -> None:
    """A fact that cites two turns side by side does not lift itself."""
    assert near([3.0], [[1, 2]]) == [0.0]


@given(SCORES, st.data())
def test_nearby_facts_one_by_one(base: list[float], data: st.DataObject) -> None:
    """It is what comparing each with each gives."""
    cited = [data.draw(st.lists(st.integers(0, 30), max_size=3, unique=True)) for _ in base]
    expected = [
        max(
            (
                max(base[other], 0.0)
                for other, theirs in enumerate(cited)
                if other != one and any(abs(a - b) <= NEAR_TURNS for a in mine for b in theirs)
            ),
            default=0.0,
        )
        for one, mine in enumerate(cited)
    ]
    assert near(base, cited) == expected


def test_the_best_of_kin() -> None:
    """A fact that shares an entity counts, as subject or object, if it scores above 0."""
    ends = [("Ann", "tea"), ("Bob", "tea"), ("Bob", "chess"), ("Cho", "rocks")]
    assert kin([2.0, -1.0, 1.0, 7.0], ends) == [0.0, 2.0, 0.0, 0.0]


def test_hubs_make_no_kin() -> None:
    """Someone of whom more than a tenth of the candidates speak links none of them; two facts are always linked."""
    of_ann = [("Ann", f"thing {n}") for n in range(3)]
    others = [(f"person {n}", f"place {n}") for n in range(26)]
    assert kin([1.0] * 29, [*of_ann, *others]) == [0.0] * 29
    assert kin([1.0] * 30, [*of_ann, *others, ("Dev", "rain")]) == [1.0] * 3 + [0.0] * 27
    assert kin([1.0] * 2, of_ann[:2]) == [1.0, 1.0]


@given(SCORES, st.data())
def test_kin_one_by_one(base: list[float], data: st.DataObject) -> None:
    """It is what comparing each with each gives."""
    names = st.sampled_from("abcdef")
    ends = [data.draw(st.tuples(names, names)) for _ in base]
    linking = {name for name in "abcdef" if 1 < sum(name in both for both in ends) <= max(2, HUB * len(ends))}
    expected = [
        max(
            (
                max(base[other], 0.0)
                for other, theirs in enumerate(ends)
                if other != one and linking & {*mine} & {*theirs}
            ),
            default=0.0,
        )
        for one, mine in enumerate(ends)
    ]
    assert kin(base, ends) == expected
