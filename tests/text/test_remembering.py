"""Results of functions of texts are remembered up to a size."""

from __future__ import annotations

import pytest

from mem0g.text import remembering
from mem0g.text.remembering import remembered, size_of


def test_a_result_is_computed_once() -> None:
    """For each text, and each combination of arguments."""
    seen: list[tuple[str, int]] = []

    @remembered
    def twice(text: str, number: int) -> str:
        """Repeat a text."""
        seen.append((text, number))
        return text * number

    assert [twice("a", 2), twice("a", 3), twice("a", 2)] == ["aa", "aaa", "aa"]
    assert seen == [("a", 2), ("a", 3)]
    assert twice.__doc__ == "Repeat a text."


def test_all_functions_share_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the texts are; what was used since stays, and what is too large for all is not remembered."""
    monkeypatch.setattr(remembering, "MOST_BYTES", 100_000)
    monkeypatch.setattr(remembering._Kept, "every", [])
    monkeypatch.setattr(remembering._Kept, "size", 0)
    seen: list[str] = []

    @remembered
    def first(text: str) -> str:
        seen.append(text)
        return text.upper()

    @remembered
    def second(text: str) -> str:
        return text.lower()

    for number in range(200):
        assert first("used") == "USED"
        assert second(f"{number} {'long ' * 500}").startswith(str(number))
        held = [entry for kept in remembering._Kept.every for entry in (*kept.items(), *kept._old.items())]
        assert sum(map(size_of, held)) <= 100_000
    assert seen == ["used"]
    first("unused")
    for number in range(200):
        second(f"{number} {'long ' * 500}")
    first("unused")
    assert seen == ["used", "unused", "unused"]
    for _ in range(2):
        first("x" * 100_000)
    assert len(seen) == 5


def test_the_size_of_a_result() -> None:
    """With what is in tuples; words in sets are shared."""
    text = "x" * 1000
    assert 2000 < size_of((text, (text,), frozenset((text,)))) < 3000
