"""Scores of results against the gold."""

from __future__ import annotations

import pytest

from benchmarks.locomo import Question
from benchmarks.recall.scoring import Returned, rows, score, tokens


def question(*gold: str, category: int = 1) -> Question:
    """A question answered by these turns."""
    return Question("?", category, frozenset(gold))


@pytest.mark.parametrize(
    ("gold", "covered", "recall"),
    [
        (["D1:1"], ["D1:1"], 1),
        (["D1:1"], [], 0),
        (["D1:1", "D1:2"], ["D1:2", "D9:9"], 0.5),
        (["D1:1", "D1:2", "D1:3", "D1:4"], ["D1:2", "D1:3", "D1:4"], 0.75),
        (["D1:1"], ["D1:10"], 0),
    ],
)
def test_recall_is_the_share_of_gold(gold: list[str], covered: list[str], recall: float) -> None:
    """Recall is the share of gold turns that are covered; other turns returned do not lower it."""
    assert score(question(*gold), Returned("", frozenset(covered))).recall == recall


def test_tokens_are_words_times_1_3() -> None:
    """Tokens are counted on the text as rendered, all white space alike."""
    assert tokens("- Ada lives in\n  Oslo  (2023)") == pytest.approx(6 * 1.3)
    assert tokens("") == 0


def test_rows_hold_means_in_percent() -> None:
    """A row has the means over its questions: recall, the share with a turn covered, the share with all."""
    returned = [("a", ["D1:1"]), ("a b", ["D1:1"]), ("a b c", [])]
    asked = [question("D1:1"), question("D1:1", "D1:2"), question("D1:1")]
    scores = [score(q, Returned(text, frozenset(turns))) for q, (text, turns) in zip(asked, returned, strict=True)]
    (everything, multi_hop) = rows("m", {"budget": 250}, scores)
    means = {"recall": 50.0, "hit": 66.67, "full": 33.33, "words": 0.0, "tokens": 2.6, "n": 3}
    assert everything == {"method": "m", "slice": "all", "budget": 250, **means}
    assert multi_hop == everything | {"slice": "1"}


def test_slices_are_the_categories() -> None:
    """Each category with questions has a row of its own questions; one without has none."""
    scores = [
        score(question("D1:1", category=category), Returned("x", frozenset(["D1:1"] if category == 4 else [])))
        for category in (2, 4, 4)
    ]
    sliced = {row["slice"]: (row["recall"], row["n"]) for row in rows("m", {"k": 10}, scores)}
    assert sliced == {"all": (66.67, 3), "2": (0.0, 1), "4": (100.0, 2)}


@pytest.mark.parametrize(
    ("answer", "text", "share"),
    [
        ("clay mugs", "Nora made a clay mug.", 100.0),
        ("a mug and a bowl", "Nora made a mug.", 50.0),
        ("7 May 2023", "moved (2023-05-07)", 100.0),
        ("May 7, 2023", "moved on 7 May 2023", 100.0),
        ("7 May 2023", "moved (2023-06-07)", 66.67),
        ("Oslo", "", 0.0),
    ],
)
def test_words_of_the_answer(answer: str, text: str, share: float) -> None:
    """The share of the answer's words that the text has, dates in any form alike."""
    asked = Question("?", 4, frozenset(["D1:1"]), answer)
    row = rows("m", {}, [score(asked, Returned(text, frozenset()))])[0]
    assert row["words"] == share


def test_an_answer_without_words_counts_nowhere() -> None:
    """It is left out of the mean."""
    scores = [
        score(Question("?", 4, frozenset(["D1:1"]), answer), Returned("Oslo", frozenset())) for answer in ("", "Oslo")
    ]
    assert rows("m", {}, scores)[0]["words"] == 100.0


def test_questions_about_two_people_are_a_slice() -> None:
    """Those that name both speakers are counted on their own, too."""
    asked = Question("Do Nora and Sam sail?", 1, frozenset(["D1:1"]), names_two=True)
    scores = [score(each, Returned("", frozenset())) for each in (asked, question("D1:1"))]
    assert {row["slice"]: row["n"] for row in rows("m", {}, scores)} == {"all": 2, "1": 2, "two people": 1}
