"""The running summary, by a model on a scripted server and by rule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g import Memory
from mem0g.errors import InputError
from mem0g.llm.openai import OpenAIProvider
from mem0g.strategies import RunningSummary
from mem0g.testing import HashingEmbedder
from tests.llm.server import Server, call, refused, serving

MANY = [
    {"role": "user", "content": f"On day {number} I walked {number} miles and met a heron at the canal."}
    for number in range(1, 31)
]


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reach servers on this machine directly."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(256), extractor="none") as opened:
        yield opened


def summarised(memory: Memory, server: Server) -> RunningSummary:
    """Return the strategy with a model on this server, after thirty messages."""
    model = OpenAIProvider("tiny", base_url=server.base_url, api_key=None)
    strategy = RunningSummary(memory, user_id="ann", model=model)
    for message in MANY:
        strategy.add(message)
    return strategy


def test_a_model_sums_up_what_came_before(memory: Memory) -> None:
    """One call for twenty messages; the summary is durable and shown above the last messages, within the budget."""
    with serving([call({"summary": "Ann walks along the canal. She meets herons."}, "keep_summary")]) as server:
        shown = summarised(memory, server).context("What now?", 80)
        again = RunningSummary(
            memory, user_id="ann", model=OpenAIProvider("tiny", base_url=server.base_url, api_key=None)
        )
        assert again.context("What now?", 80).text == shown.text
        assert len(server.requests) == 1
    assert shown.text.startswith("Summary of what came before:\nAnn walks along the canal. She meets herons.\n\n")
    assert "Last messages:" in shown.text
    assert "day 30" in shown.text
    assert "day 20 " not in shown.text
    assert shown.tokens <= 80
    assert [(each.purpose, each.calls) for each in memory.costs(user_id="ann")] == [("summary", 1)]


def test_a_model_that_fails_delays_nothing(memory: Memory) -> None:
    """The last messages are shown instead, the problem is kept, and the next message tries again."""
    with serving([refused(400, "no such model")]) as server:
        strategy = summarised(memory, server)
        assert "Summary" not in strategy.context("What now?", 80).text
        assert memory.stats(user_id="ann").messages == 30
    good = call({"summary": "Ann walks."}, "keep_summary")
    with serving([good]) as server:
        model = OpenAIProvider("tiny", base_url=server.base_url, api_key=None)
        RunningSummary(memory, user_id="ann", model=model).add("Good night.")
        assert len(server.requests) == 1


def test_without_a_model_the_telling_words_stand_in(memory: Memory) -> None:
    """What is rare is in the summary, in order; what is shown below as it was said is not."""
    strategy = RunningSummary(memory, user_id="ann", recent=0.3)
    assert not strategy.uses_model
    strategy.add("My doctor found an allergy to penicillin.")
    for message in MANY:
        strategy.add(message)
    shown = strategy.context("What now?", 100)
    told, recent = shown.text.split("\n\nLast messages:\n")
    assert "penicillin" in told
    assert "day 30" in recent
    assert "day 30" not in told
    assert shown.tokens <= 100
    everything = strategy.context("What now?", 5000).text
    assert "Summary" not in everything
    assert everything.count("\n") == 30


@pytest.mark.parametrize("given", [{"recent": 1.5}, {"recent": -0.1}, {"every": 0}])
def test_impossible_settings(memory: Memory, given: dict[str, float]) -> None:
    """A share over 1 or under 0, and a summary of no messages."""
    with pytest.raises(InputError):
        RunningSummary(memory, user_id="ann", **given)  # type: ignore[arg-type]
