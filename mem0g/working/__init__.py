"""Working memory: the part of a conversation that a model is shown, and the blocks of memory that go with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mem0g.working.async_working_memory import AsyncWorkingMemory
    from mem0g.working.blocks import Block, BlockQuery, FactsBlock, GraphBlock, StaticBlock, VectorBlock
    from mem0g.working.working_memory import WorkingMemory

_HOMES = {
    "AsyncWorkingMemory": "async_working_memory",
    **dict.fromkeys(("Block", "BlockQuery", "FactsBlock", "GraphBlock", "StaticBlock", "VectorBlock"), "blocks"),
    "WorkingMemory": "working_memory",
}

__all__ = [
    "AsyncWorkingMemory",
    "Block",
    "BlockQuery",
    "FactsBlock",
    "GraphBlock",
    "StaticBlock",
    "VectorBlock",
    "WorkingMemory",
]


def __getattr__(name: str) -> object:
    """Load a class when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
