"""Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mem0g.aio import AsyncMemory
    from mem0g.embed.protocol import Embedder
    from mem0g.embed.thresholds import Thresholds
    from mem0g.errors import Mem0gError
    from mem0g.llm.protocol import Completion, LanguageModel, Prompt
    from mem0g.memory import Memory
    from mem0g.model import Context, Decision, Entity, Fact, Hit, Message, Scope, Triple, Utterance
    from mem0g.settings import Credentials
    from mem0g.times import Moment

__version__ = "0.1.0"

_HOMES = {
    "AsyncMemory": "mem0g.aio",
    "Credentials": "mem0g.settings",
    "Embedder": "mem0g.embed.protocol",
    "Mem0gError": "mem0g.errors",
    "Memory": "mem0g.memory",
    "Moment": "mem0g.times",
    "Thresholds": "mem0g.embed.thresholds",
    **dict.fromkeys(("Completion", "LanguageModel", "Prompt"), "mem0g.llm.protocol"),
    **dict.fromkeys(
        ("Context", "Decision", "Entity", "Fact", "Hit", "Message", "Scope", "Triple", "Utterance"), "mem0g.model"
    ),
}
"""Where each public name lives; it is loaded when first used, so that ``import mem0g`` costs nothing."""

__all__ = [
    "AsyncMemory",
    "Completion",
    "Context",
    "Credentials",
    "Decision",
    "Embedder",
    "Entity",
    "Fact",
    "Hit",
    "LanguageModel",
    "Mem0gError",
    "Memory",
    "Message",
    "Moment",
    "Prompt",
    "Scope",
    "Thresholds",
    "Triple",
    "Utterance",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'mem0g' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
