"""Passages of long messages in searches and contexts."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g.extract import NoExtractor
from mem0g.memory import Memory
from mem0g.model import Hit
from mem0g.retrieve.context.packing import MOST_PASSAGES, pack
from mem0g.store.sqlite import SqliteStore
from mem0g.text.stemming import tokens
from mem0g.text.token_count import TOKENS_PER_WORD, count_words
from tests.making import EMBEDDER, message

FILL = "This only makes the section as long as such sections are, and says nothing else of use to anyone. " * 5
ADVICE = "\n\n".join(
    f"## {title}\n\n{words} {FILL.strip()}"
    for title, words in (
        ("Caching", "Cache the report of the dashboard for a minute."),
        ("Indexes", "Index the columns that the dashboard filters by."),
        ("Pages", "Show the dashboard in pages of fifty rows."),
        ("Queues", "Compute slow parts of the dashboard in a queue."),
        ("Tests", "Test the dashboard under load."),
    )
)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A memory of a user with a short wish, an assistant's long answer, and a later remark of the user."""
    made = Memory(SqliteStore(tmp_path / "memory.db"), EMBEDDER, NoExtractor())
    made.add(
        [
            {"role": "user", "content": "How do I make my dashboard faster?"},
            {"role": "assistant", "content": ADVICE},
            {"role": "user", "content": "The dashboard responds in 250 ms now, with the cache in place."},
        ],
        user_id="uma",
    )
    return made


def test_a_search_returns_passages(memory: Memory) -> None:
    """A hit has the message as before and the part that was found, whose text is the hit's text."""
    hits = memory.search("Which columns should be indexed?", user_id="uma", limit=20)
    (found,) = [hit for hit in hits if hit.passage and hit.passage.heading == "Indexes"]
    assert found.message is not None
    assert found.message.text == ADVICE
    assert found.text.startswith("## Indexes\n\nIndex the columns")
    assert found.evidence == (found.message.id,)
    assert found.reasons
    assert all(hit.passage is None for hit in hits if hit.message and hit.message.role == "user")


def test_what_the_user_states_stands_above_advice(memory: Memory) -> None:
    """Of two messages that fit a question, the user's own statement comes first."""
    first = memory.search("How fast does my dashboard respond?", user_id="uma")[0]
    assert first.message is not None
    assert first.message.text.startswith("The dashboard responds in 250 ms")


@pytest.mark.parametrize("budget", [60, 120, 500, 2000])
def test_passages_of_one_message_share_a_line(budget: int) -> None:
    """At most a few of one message are quoted, in its order, within the budget."""
    said = message(ADVICE, speaker="Sam", role="assistant")
    parts = said.passages()
    hits = [Hit(score=5 - n / 10, reasons=(), message=said, passage=part) for n, part in enumerate(reversed(parts))]
    context = pack(hits, tuple(tokens("dashboard")), budget)
    assert count_words(context.text) * TOKENS_PER_WORD <= budget
    assert 1 <= len(context.hits) <= MOST_PASSAGES
    assert context.text.count("Sam, ") == 1
    places = [context.text.index(part.heading) for part in parts if part in [hit.passage for hit in context.hits]]
    assert places == sorted(places)


def test_short_messages_have_no_passages(memory: Memory) -> None:
    """Only the long message was cut."""
    held = memory.messages(user_id="uma")
    assert [len(each.passages()) for each in held] == [0, 5, 0]
