"""Pairs of names and B³ against figures worked out by hand."""

from __future__ import annotations

import pytest

from benchmarks.merge.measures import b_cubed, f1, figures, pairs
from benchmarks.merge.scenes import End, Scene, window_of

ENDS = [End("Nora", "person", "nora"), End("her", "person", "nora"), End("NORA ", "person", "nora")]
SAM = End("Sam", "person", "sam")


def scene(*ends: End) -> Scene:
    """A scene of these ends, an even number."""
    return Scene("s", (window_of([("They talk.", ends)]),))


def test_pairs_are_of_different_names() -> None:
    """Spellings of one name make no pair; a pair counts once however many mentions it has."""
    joined = pairs([(ENDS[0], "1"), (ENDS[1], "1"), (ENDS[2], "1"), (SAM, "1")])
    assert joined.found == {("her", "nora"), ("her", "sam"), ("nora", "sam")}
    assert joined.gold == {("her", "nora")}
    assert joined.pairs == 3


def test_b_cubed_of_each_mention() -> None:
    """Precision is the share of a mention's node with its label, recall the share of its label in its node."""
    shared = b_cubed([(ENDS[0], "1"), (ENDS[1], "2"), (ENDS[2], "1"), (SAM, "1")])
    assert [each.precision for each in shared] == pytest.approx([2 / 3, 1, 2 / 3, 1 / 3])
    assert [each.recall for each in shared] == pytest.approx([2 / 3, 1 / 3, 2 / 3, 1])


def test_figures_of_scenes_together() -> None:
    """Pairs and mentions of all scenes count alike; those without a label are not judged."""
    scenes = [scene(ENDS[0], ENDS[1], SAM, End("Sam", "person")), scene(ENDS[0], SAM)]
    found = figures(scenes, [["1", "1", "1", "9"], ["1", "2"]])
    assert found == {
        "precision": 33.3,
        "recall": 100.0,
        "f1": 50.0,
        "wrong_pairs": 2,
        "false_merges": 66.67,  # of three pairs that are two things
        "b3_precision": 73.3,  # (2/3 + 2/3 + 1/3 + 1 + 1) / 5
        "b3_recall": 100.0,
        "b3_f1": 84.6,
        "n": 5,
    }


def test_nothing_joined() -> None:
    """A method that joins nothing is never wrong, and finds nothing."""
    found = figures([scene(ENDS[0], ENDS[1])], [["1", "2"]])
    assert (found["precision"], found["recall"], found["f1"], found["false_merges"]) == (100.0, 0.0, 0.0, None)
    assert f1(0, 0) == 0
