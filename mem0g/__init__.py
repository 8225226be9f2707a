"""Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mem0g.async_memory import AsyncMemory
    from mem0g.conflict.protocol import (
        ConflictPolicy,
        OpenQuestion,
        PolicyAnswer,
        ResolvedTriple,
        ResolvedWindow,
        Verdict,
    )
    from mem0g.conflict.rule_decider import RuleDecider
    from mem0g.embed.protocol import Embedder
    from mem0g.embed.thresholds import Thresholds
    from mem0g.errors import Mem0gError
    from mem0g.ingest.report import FactChange, FactRef, Report
    from mem0g.llm.protocol import Completion, LanguageModel, Prompt
    from mem0g.memory import Memory
    from mem0g.model import Context, Decision, Entity, Fact, Hit, Message, Scope, Triple, Utterance
    from mem0g.pipeline import Pipeline
    from mem0g.relations.registry import Registry
    from mem0g.relations.relation_type import RelationType
    from mem0g.resolve.blocking import NameQuery
    from mem0g.resolve.match_context import Match, MatchContext, MatchingRule
    from mem0g.resolve.mentions import Mention
    from mem0g.resolve.names import ParsedName
    from mem0g.resolve.nodes import Resolution, UncertainMatch
    from mem0g.resolve.resolver import Resolver
    from mem0g.resolve.rules import DEFAULT_RULES
    from mem0g.settings import Credentials
    from mem0g.store.change import Retirement, Support
    from mem0g.store.queries import RelatedFact
    from mem0g.times import Moment

__version__ = "0.1.0"

_HOMES = {
    "RuleDecider": "mem0g.conflict.rule_decider",
    "Pipeline": "mem0g.pipeline",
    "RelatedFact": "mem0g.store.queries",
    **dict.fromkeys(
        ("ConflictPolicy", "OpenQuestion", "PolicyAnswer", "ResolvedTriple", "ResolvedWindow", "Verdict"),
        "mem0g.conflict.protocol",
    ),
    **dict.fromkeys(("FactChange", "FactRef", "Report"), "mem0g.ingest.report"),
    **dict.fromkeys(("Registry", "RelationType"), "mem0g.relations.registry"),
    **dict.fromkeys(("Retirement", "Support"), "mem0g.store.change"),
    "AsyncMemory": "mem0g.async_memory",
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
    **dict.fromkeys(("Completion", "LanguageModel", "Prompt"), "mem0g.llm.protocol"),
    "UncertainMatch": "mem0g.resolve.nodes",
    **dict.fromkeys(
        ("Context", "Decision", "Entity", "Fact", "Hit", "Message", "Scope", "Triple", "Utterance"), "mem0g.model"
    ),
}
"""Where each public name lives; it is loaded when first used, so that ``import mem0g`` costs nothing."""

__all__ = [
    "DEFAULT_RULES",
    "AsyncMemory",
    "Completion",
    "ConflictPolicy",
    "Context",
    "Credentials",
    "Decision",
    "Embedder",
    "Entity",
    "Fact",
    "FactChange",
    "FactRef",
    "Hit",
    "LanguageModel",
    "Match",
    "MatchContext",
    "MatchingRule",
    "Mem0gError",
    "Memory",
    "Mention",
    "Message",
    "Moment",
    "NameQuery",
    "OpenQuestion",
    "ParsedName",
    "Pipeline",
    "PolicyAnswer",
    "Prompt",
    "Registry",
    "RelatedFact",
    "RelationType",
    "Report",
    "Resolution",
    "ResolvedTriple",
    "ResolvedWindow",
    "Resolver",
    "Retirement",
    "RuleDecider",
    "Scope",
    "Support",
    "Thresholds",
    "Triple",
    "UncertainMatch",
    "Utterance",
    "Verdict",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'mem0g' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
