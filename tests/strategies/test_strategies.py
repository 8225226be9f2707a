"""What all strategies have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g import Memory, Store
from mem0g.errors import InputError, QueryError, ScopeError
from mem0g.strategies import (
    STRATEGIES,
    DenseMemories,
    FullHistory,
    KnowledgeGraph,
    LayeredMemory,
    PagedMemory,
    RelevanceFilter,
    RunningSummary,
    SlidingWindow,
    Strategy,
    VectorRetrieval,
    open_strategy,
)
from mem0g.testing import HashingEmbedder
from mem0g.text.token_count import estimate_tokens
from tests.servers.server import Server
from tests.store.fixtures import open_neo4j
from tests.strategies.conftest import TALK

ALONE = [name for name in STRATEGIES if name != "dense-memories"]
"""Those that need no model to remember."""

FITTING = [name for name in STRATEGIES if name != "full-history"]
ENOUGH = 400
"""Tokens that hold the whole conversation."""


@pytest.mark.parametrize("name", ALONE)
def test_what_is_added_is_stored_and_shown(memory: Memory, name: str) -> None:
    """Messages one by one, in every form of ``Memory.add``; another object of the same scope shows the same."""
    strategy = open_strategy(name, memory, user_id="ann")
    assert strategy.name == name
    assert strategy.context("Where does Ida work?", ENOUGH).text == ""
    for each in TALK[:3]:
        assert strategy.add(each).messages == 1
    strategy.add("I have a dog called Rex.")
    strategy.add({"role": "assistant", "content": "A fine name."})
    strategy.add([{"role": "user", "content": "I moved to Lisbon."}, {"role": "assistant", "content": "Since when?"}])
    assert memory.stats(user_id="ann").messages == 7
    shown = strategy.context("Where does Ida work, and who moved to Lisbon?", ENOUGH)
    assert shown.hits
    assert "Lisbon" in shown.text
    assert estimate_tokens(shown.text) <= shown.tokens <= ENOUGH
    again = open_strategy(name, memory, user_id="ann").context("Where does Ida work, and who moved to Lisbon?", ENOUGH)
    assert again.text == shown.text


@pytest.mark.parametrize("name", FITTING)
@pytest.mark.parametrize("tokens", [1, 12, 40, 90])
def test_the_budget_is_kept(told: Memory, name: str, tokens: int) -> None:
    """However small it is, headings included; hits are only what is shown."""
    shown = open_strategy(name, told, user_id="ann").context("What does Ann like about sailing?", tokens)
    assert estimate_tokens(shown.text) <= shown.tokens <= tokens
    assert bool(shown.hits) <= bool(shown.text)


@pytest.mark.parametrize("name", STRATEGIES)
def test_bad_calls(told: Memory, name: str) -> None:
    """No query, no budget and no scope are errors; nothing of another scope is shown."""
    strategy = open_strategy(name, told, user_id="ann")
    for query, tokens in ((" ", 100), ("Where?", 0)):
        with pytest.raises(QueryError):
            strategy.context(query, tokens)
    with pytest.raises(ScopeError):
        open_strategy(name, told)
    assert open_strategy(name, told, user_id="bob").context("Where does Ann live?", ENOUGH).text == ""


def test_an_unknown_strategy(memory: Memory) -> None:
    """The error names those that there are."""
    with pytest.raises(InputError, match="unknown strategy 'magic'") as raised:
        open_strategy("magic", memory, user_id="ann")
    assert "sliding-window" in str(raised.value.hint)


def test_a_conversation_goes_on_in_both_stores(cleared_server: Server, tmp_path: Path) -> None:
    """On Neo4j every strategy shows what it shows on SQLite."""
    stores: dict[str, Path | Store] = {"sqlite": tmp_path / "memory.db", "neo4j": open_neo4j(cleared_server)}
    shown: dict[str, list[str]] = {}
    for kind, store in stores.items():
        with Memory.open(store, embedder=HashingEmbedder(384), extractor="rules") as memory:
            memory.forget(user_id="ann")
            strategies = [open_strategy(name, memory, user_id="ann") for name in ALONE]
            for each in TALK:
                strategies[0].add(each)
            shown[kind] = [each.context("Where does Ida run a bakery?", ENOUGH).text for each in strategies]
            memory.forget(user_id="ann")
    assert shown["neo4j"] == shown["sqlite"]
    assert all(shown["sqlite"])


def test_each_class_is_a_strategy(memory: Memory) -> None:
    """All have the protocol's methods, and are listed under their names."""
    made: list[Strategy] = [
        FullHistory(memory, user_id="ann"),
        SlidingWindow(memory, user_id="ann"),
        RelevanceFilter(memory, user_id="ann"),
        RunningSummary(memory, user_id="ann"),
        VectorRetrieval(memory, user_id="ann"),
        KnowledgeGraph(memory, user_id="ann"),
        LayeredMemory(memory, user_id="ann"),
        PagedMemory(memory, user_id="ann"),
        DenseMemories(memory, user_id="ann"),
    ]
    assert {each.name: type(each).__name__ for each in made} == STRATEGIES
