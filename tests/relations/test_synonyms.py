from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from mem0g.relations.synonyms import find_synonyms

if TYPE_CHECKING:
    from mem0g.model import Vector

NORTH = np.array([1.0, 0.0], dtype=np.float32)
NEARLY_NORTH = np.array([0.96, 0.28], dtype=np.float32)


def folded(new: str, known: str, vector: Vector = NORTH, **more: object) -> bool:
    return find_synonyms({new: vector}, {known: NORTH}, **more) == {new: known}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("IS_INSPIRED_BY", "INSPIRED_BY"),
        ("WROTE", "HAS_WRITTEN"),
        ("ORGANIZING", "IS_ORGANIZING"),
        ("SHARES", "SHARE"),
        ("IS_STILL_SEARCHING_FOR", "LOOKING_FOR"),
        ("IS_THINKING_ABOUT", "CONSIDERS"),
        ("WANTS_TO_VISIT", "DREAMS_OF_VISITING"),
        ("HAS_NOT_VISITED", "HAS_NEVER_VISITED"),
    ],
)
def test_inflections_fold_without_likeness(new: str, known: str) -> None:
    """The same words in another inflection, or a verb that says the same, are one relation, whatever the vectors."""
    assert folded(new, known, -NORTH)


def test_likeness_folds_from_the_threshold() -> None:
    """Other words fold when their cosine reaches the threshold, 0.92 unless told."""
    assert folded("CAUGHT_UP_WITH", "MET_UP_WITH", NEARLY_NORTH)
    assert not folded("CAUGHT_UP_WITH", "MET_UP_WITH", NEARLY_NORTH, threshold=0.97)


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("VISITED", "PLANS_TO_VISIT"),
        ("WANTS_TO_VISIT", "PLANS_TO_VISIT"),
        ("AGREED_TO_VISIT", "PLANS_TO_VISIT"),
        ("IS_EXCITED_TO_VISIT", "WANTS_TO_VISIT"),
        ("LIVED_IN", "LIVES_IN"),
        ("USED_TO_LOVE", "LOVED"),
        ("WAS_SUPPORTED_BY", "IS_SUPPORTED_BY"),
        ("DOES_NOT", "DOES"),
        ("IS_NOT", "DOES_NOT"),
        ("HAS_NO_INTEREST_IN", "HAS_INTEREST_IN"),
        ("DOES_NOT_OWN", "OWNS"),
        ("HAS_NEVER_TRIED", "HAS_TRIED"),
        ("MOVED_FROM", "MOVED_TO"),
        ("INSPIRED", "INSPIRED_BY"),
        ("WAS_INJURED_AND_HEALED", "INJURED_BY"),
        ("HAS_YOUNGER_BROTHER", "HAS_OLDER_BROTHER"),
        ("HAS_PARENT", "HAS_CHILD"),
        ("FAVORITE_BOOKS", "FAVORITE_BOOK"),
        ("RANKED_2", "RANKED_3"),
    ],
)
def test_what_never_folds(new: str, known: str) -> None:
    """Plan and deed, tense, denial, direction, kin and numbers keep names apart even with equal vectors."""
    assert not folded(new, known)


def test_other_types_never_fold() -> None:
    """Where the types of the ends are known and differ, names stay apart."""
    types = {"CATCHES_UP_WITH": ("person", "person"), "KEEPS_UP_WITH": ("person", "hobby")}
    assert not folded("CATCHES_UP_WITH", "KEEPS_UP_WITH", types=types)
    assert folded("CATCHES_UP_WITH", "KEEPS_UP_WITH", types={"CATCHES_UP_WITH": ("person", "person")})


def test_the_likest_wins_and_nothing_folds_into_itself() -> None:
    """A new name goes to the most alike known one; a tie to the first in alphabet; never to itself."""
    known = {"RUNS": NORTH, "JOGS": NORTH, "SPRINTS": NEARLY_NORTH}
    assert find_synonyms({"TROTS": NORTH, "RUNS": NORTH}, known) == {"TROTS": "JOGS", "RUNS": "JOGS"}
    assert find_synonyms({"TROTS": NORTH}, {}) == {}
