"""A memory and a conversation for the tests of the strategies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mem0g import Memory, Utterance
from mem0g.testing import HashingEmbedder

BEGAN = datetime(2024, 3, 1, 9, tzinfo=UTC)

SPRING = (
    "Ann: My sister Ida runs a bakery in Bergen.",
    "Bot: A bakery, how nice!",
    "Ann: I live in Oslo.",
    "Bot: Oslo is lovely in spring.",
    "Ann: I like sailing.",
)
SUMMER = (
    "Ann: I bought a red kayak.",
    "Bot: Where will you paddle it?",
    "Ann: On the fjord, every Sunday.",
    "Bot: Take a life vest.",
)


def said(session: str, lines: tuple[str, ...], began: datetime) -> list[Utterance]:
    """Return the messages of a session, a minute apart."""
    return [
        Utterance(
            source="talk",
            session=session,
            position=place,
            speaker=line.split(": ")[0],
            role="user" if line.startswith("Ann") else "assistant",
            text=line.split(": ", 1)[1],
            time=began + timedelta(minutes=place),
        )
        for place, line in enumerate(lines)
    ]


TALK = [*said("1", SPRING, BEGAN), *said("2", SUMMER, BEGAN + timedelta(days=100))]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory that extracts by rules."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(256), extractor="rules") as opened:
        yield opened


@pytest.fixture
def told(memory: Memory) -> Memory:
    """The memory with the conversation in it, as Ann's."""
    memory.add(TALK, user_id="ann")
    return memory
