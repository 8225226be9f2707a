"""Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mem0g.aio import AsyncMemory
    from mem0g.embed.protocol import Embedder
    from mem0g.embed.thresholds import Thresholds
    from mem0g.errors import Mem0gError
    from mem0g.memory import Memory
    from mem0g.model import Context, Decision, Entity, Fact, Hit, Message, Scope, Triple, Utterance
    from mem0g.resolve.blocking import NameQuery
    from mem0g.resolve.match_context import Match, MatchContext, MatchingRule
    from mem0g.resolve.mentions import Mention
    from mem0g.resolve.names import ParsedName
    from mem0g.resolve.nodes import Resolution, UncertainMatch
    from mem0g.resolve.resolver import Resolver
    from mem0g.resolve.rules import DEFAULT_RULES
    from mem0g.settings import Credentials
    from mem0g.times import Moment

__version__ = "0.1.0"

_HOMES = {
    "AsyncMemory": "mem0g.aio",
    "Credentials": "mem0g.settings",
    "DEFAULT_RULES": "mem0g.resolve.rules",
    "Embedder": "mem0g.embed.protocol",
    "Match": "mem0g.resolve.match_context",
    "MatchContext": "mem0g.resolve.match_context",
    "MatchingRule": "mem0g.resolve.match_context",
    "Mem0gError": "mem0g.errors",
    "Memory": "mem0g.memory",
    "Mention": "mem0g.resolve.mentions",
    "Moment": "mem0g.times",
    "NameQuery": "mem0g.resolve.blocking",
    "ParsedName": "mem0g.resolve.names",
    "Resolution": "mem0g.resolve.nodes",
    "Resolver": "mem0g.resolve.resolver",
    "Thresholds": "mem0g.embed.thresholds",
    "UncertainMatch": "mem0g.resolve.nodes",
    **dict.fromkeys(
        ("Context", "Decision", "Entity", "Fact", "Hit", "Message", "Scope", "Triple", "Utterance"), "mem0g.model"
    ),
}
"""Where each public name lives; it is loaded when first used, so that ``import mem0g`` costs nothing."""

__all__ = [
    "DEFAULT_RULES",
    "AsyncMemory",
    "Context",
    "Credentials",
    "Decision",
    "Embedder",
    "Entity",
    "Fact",
    "Hit",
    "Match",
    "MatchContext",
    "MatchingRule",
    "Mem0gError",
    "Memory",
    "Mention",
    "Message",
    "Moment",
    "NameQuery",
    "ParsedName",
    "Resolution",
    "Resolver",
    "Scope",
    "Thresholds",
    "Triple",
    "UncertainMatch",
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
