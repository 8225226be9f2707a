"""mem0's classes over mem0g: ``from mem0g.compat import Memory`` in place of ``from mem0 import Memory``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mem0g.compat.memory import AsyncMemory, Memory

__all__ = ["AsyncMemory", "Memory"]


def __getattr__(name: str) -> object:
    """Load a class when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mem0g.compat import memory

    return getattr(memory, name)
