"""Which sentences about one edge say the same: the later one confirms the fact, or is a fact of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g import Memory


@pytest.mark.parametrize(
    ("known", "said", "kinds"),
    [
        ("I play tennis on Mondays.", "I play tennis on Fridays.", ["added"]),
        ("I play tennis on Mondays.", "I play tennis on Mondays and Fridays.", ["added"]),
        ("I play tennis on Mondays and Fridays.", "I play tennis on Mondays.", ["confirmed"]),
        ("I play tennis on Mondays.", "I play tennis every Monday.", ["confirmed"]),
        ("I play tennis.", "I play tennis on Fridays.", ["added"]),
        ("I play tennis in the morning.", "I play tennis in the evening.", ["added"]),
        ("I play tennis every summer.", "I play tennis every winter.", ["added"]),
        ("I teach maths on Mondays.", "I teach maths on Tuesdays.", ["added"]),
        ("I have a cat called Mina.", "I have a dog called Mina.", ["added"]),
        ("I have a dog called Rex.", "I adopted a puppy called Rex.", ["confirmed"]),
        ("I have a cat called Mina.", "My cat is called Mina.", ["confirmed"]),
        ("I love Ida.", "I really love Ida.", ["confirmed"]),
    ],
)
def test_another_time_or_pet_is_no_repetition(
    known: str, said: str, kinds: list[str], tmp_path: Path, minilm: None
) -> None:
    """What recurs on another day, and a pet of another kind, is told beside the known fact; a paraphrase confirms."""
    with Memory.open(tmp_path / "memory.db", extractor="rules") as memory:
        for day, words in (("2024-05-15", known), ("2024-05-25", said)):
            message = {"role": "user", "name": "Ann", "content": words, "timestamp": day}
            report = memory.add([message], user_id="ann")
    assert [change.kind for change in report.changes] == kinds
