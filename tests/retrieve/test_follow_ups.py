"""What a talk came to stands above what led up to it, where both answer about as well."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from mem0g import Memory, Utterance
from mem0g.model import Role
from mem0g.testing import HashingEmbedder

OTHERS = (("Bo", "the hens are fine"), ("Ann", "it rains a lot here"), ("Cleo", "my knee hurts"))


def first_hit(folder: Path, said: Sequence[tuple[str, str]], question: str, role: Role = "user") -> str:
    """Return the first hit for a question about messages by speaker and text, the last one by somebody in ``role``."""
    made = [
        Utterance(
            source="c",
            session="1",
            position=place,
            speaker=who,
            role=role if place == len(said) - 1 else "user",
            text=text,
        )
        for place, (who, text) in enumerate(said)
    ]
    with Memory.open(folder / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add(made, user_id="u")
        return memory.search(question, user_id="u")[0].text


PROPOSED, SETTLED = "we hold the party in the hotel garden", "party in the clubhouse garden it is, paid"
QUESTION = "Why did we hold the party in that garden?"


def test_what_was_settled_comes_first(tmp_path: Path) -> None:
    """It fits a little less."""
    said = (*OTHERS, ("Ann", PROPOSED), ("Cleo", "mine too"), ("Bo", SETTLED))
    assert first_hit(tmp_path, said, QUESTION) == SETTLED


def test_what_is_said_much_later_is_another_talk(tmp_path: Path) -> None:
    """More than six messages later it need not be about the same party."""
    between = [("Cleo", f"number {place} is at the door") for place in range(7)]
    assert first_hit(tmp_path, (*OTHERS, ("Ann", PROPOSED), *between, ("Bo", SETTLED)), QUESTION) == PROPOSED


@pytest.mark.parametrize(("who", "role", "asker"), [("Tutor", "assistant", "we"), ("Bo", "user", "Ann")])
def test_what_is_less_about_whom_is_asked_about_stays(tmp_path: Path, who: str, role: Role, asker: str) -> None:
    """Neither an assistant's advice nor what somebody else says of himself is what Ann's talk came to."""
    said = (*OTHERS, ("Ann", PROPOSED), (who, SETTLED))
    assert first_hit(tmp_path, said, QUESTION.replace("we", asker), role) == PROPOSED
