"""Passages of baselines: rendering, and packing into a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.recall.passages import Line, Passage, fact_passage, first, pack, window_passages
from benchmarks.recall.scoring import tokens
from mem0g.model import Utterance
from tests.making import triple


def passage(words: int, *turns: str) -> Passage:
    """A passage of one line of ``words`` words that covers ``turns``."""
    text = " ".join(["word"] * words)
    return Passage(text, (Line(text, frozenset(turns)),))


def turn(source_id: str, session: str = "1") -> Utterance:
    """A turn of three words, its speaker's name one of them."""
    position = int(source_id.split(":")[1]) - 1
    text = f"says {source_id}"
    return Utterance(
        source="s", session=session, position=position, speaker="Ann", role="user", text=text, source_id=source_id
    )


def test_a_dated_fact() -> None:
    """A fact's line begins with its date, at the precision known, and covers the turns it cites."""
    dated = triple("Ada", "moved_to", "Oslo", "Ada moved to Oslo.", valid_from="2023-05")
    made = fact_passage(dated, ["D1:1", "D1:2"])
    assert made.text == "Ada moved to Oslo."
    assert made.lines == (Line("(2023-05) Ada moved to Oslo.", frozenset(["D1:1", "D1:2"])),)


def test_an_undated_fact() -> None:
    """A fact without a date begins with a dash, which costs as much as a date."""
    assert fact_passage(triple("Ada", "likes", "tea", "Ada likes tea."), []).lines[0].text == "- Ada likes tea."


def test_windows_stay_within_their_session() -> None:
    """A window is a turn and its neighbours; the first turn of a session has none before it."""
    turns = [turn("D1:1"), turn("D1:2"), turn("D1:3"), turn("D2:1", "2"), turn("D2:2", "2")]
    covered = [[min(line.turns) for line in window.lines] for window in window_passages(turns)]
    expected = ["D1:1 D1:2", "D1:1 D1:2 D1:3", "D1:2 D1:3", "D2:1 D2:2", "D2:1 D2:2"]
    assert covered == [turns.split() for turns in expected]
    assert window_passages(turns)[0].text == "Ann: says D1:1 Ann: says D1:2"


def test_packing_passes_over_what_does_not_fit() -> None:
    """A passage too long for the remaining room is skipped, and the next one that fits is taken."""
    packed = pack([passage(6, "D1:1"), passage(6, "D1:2"), passage(4, "D1:3")], budget=13)
    assert packed.turns == {"D1:1", "D1:3"}
    assert tokens(packed.text) == 13


def test_a_line_is_paid_for_once() -> None:
    """Overlapping windows cost only their new turns."""
    windows = window_passages([turn("D1:1"), turn("D1:2"), turn("D1:3")])
    packed = pack(windows, budget=9 * 1.3)
    assert packed.turns == {"D1:1", "D1:2", "D1:3"}
    assert packed.text.splitlines() == ["Ann: says D1:1", "Ann: says D1:2", "Ann: says D1:3"]


def test_equal_lines_of_different_turns_are_two() -> None:
    """The same words said twice are two lines, and both turns are covered."""
    packed = pack([passage(3, "D1:1"), passage(3, "D2:7")], budget=100)
    assert packed.turns == {"D1:1", "D2:7"}
    assert len(packed.text.splitlines()) == 2


def test_first_passages() -> None:
    """The first k passages are returned whole; there may be fewer."""
    ranked = [passage(1, "D1:1"), passage(1, "D1:2"), passage(1, "D1:3")]
    assert first(ranked, 2).turns == {"D1:1", "D1:2"}
    assert first(ranked, 9).turns == {"D1:1", "D1:2", "D1:3"}
    assert first([], 9) == pack([], 9)


@given(st.lists(st.integers(1, 40)), st.integers(0, 200))
def test_packing_keeps_within_the_budget(lengths: list[int], budget: int) -> None:
    """Whatever is ranked, the text is within the budget, and covers only the turns in it."""
    packed = pack([passage(length, f"D1:{place}") for place, length in enumerate(lengths)], budget)
    assert tokens(packed.text) <= budget
    assert len(packed.turns) == len(packed.text.splitlines())
