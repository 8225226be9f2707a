"""Strategies of memory: what a model is shown of a conversation before it answers, behind one protocol.

``open_strategy("layered", memory, user_id="ann")`` or a class itself; docs/strategies.md compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mem0g.errors import InputError

if TYPE_CHECKING:
    from mem0g.memory import Memory
    from mem0g.strategies.dense_memories import DenseMemories
    from mem0g.strategies.full_history import FullHistory
    from mem0g.strategies.knowledge_graph import KnowledgeGraph
    from mem0g.strategies.layered import LayeredMemory, Layers
    from mem0g.strategies.paging import PagedMemory
    from mem0g.strategies.protocol import Said, Strategy
    from mem0g.strategies.relevance_filter import Importance, RelevanceFilter
    from mem0g.strategies.running_summary import RunningSummary
    from mem0g.strategies.sliding_window import SlidingWindow
    from mem0g.strategies.vector_retrieval import VectorRetrieval

_HOMES = {
    "DenseMemories": "dense_memories",
    "FullHistory": "full_history",
    "Importance": "relevance_filter",
    "KnowledgeGraph": "knowledge_graph",
    "LayeredMemory": "layered",
    "Layers": "layered",
    "PagedMemory": "paging",
    "RelevanceFilter": "relevance_filter",
    "RunningSummary": "running_summary",
    "Said": "protocol",
    "SlidingWindow": "sliding_window",
    "Strategy": "protocol",
    "VectorRetrieval": "vector_retrieval",
}
"""Where each name lives; it is loaded when first used."""

STRATEGIES = {
    "full-history": "FullHistory",
    "sliding-window": "SlidingWindow",
    "relevance-filter": "RelevanceFilter",
    "summary": "RunningSummary",
    "vector-retrieval": "VectorRetrieval",
    "knowledge-graph": "KnowledgeGraph",
    "layered": "LayeredMemory",
    "paging": "PagedMemory",
    "dense-memories": "DenseMemories",
}
"""The class of each strategy by its name."""

__all__ = [
    "STRATEGIES",
    "DenseMemories",
    "FullHistory",
    "Importance",
    "KnowledgeGraph",
    "LayeredMemory",
    "Layers",
    "PagedMemory",
    "RelevanceFilter",
    "RunningSummary",
    "Said",
    "SlidingWindow",
    "Strategy",
    "VectorRetrieval",
    "open_strategy",
]


def open_strategy(
    name: str, memory: Memory, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
) -> Strategy:
    """Return the strategy of a name in STRATEGIES, with its usual settings, over one scope of a memory.

    Raises InputError for an unknown name, ScopeError when no scope is given.
    """
    if name not in STRATEGIES:
        raise InputError(f"unknown strategy {name!r}", hint=f"there are {', '.join(STRATEGIES)}")
    made: Strategy = __getattr__(STRATEGIES[name])(memory, user_id=user_id, agent_id=agent_id, run_id=run_id)
    return made


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
