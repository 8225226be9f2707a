"""Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mem0g.answer.answering import Answer
    from mem0g.async_memory import AsyncMemory, MemoryOpening
    from mem0g.conflict.protocol import (
        ConflictPolicy,
        OpenQuestion,
        PolicyAnswer,
        ResolvedTriple,
        ResolvedWindow,
        SelectivePolicy,
        Verdict,
    )
    from mem0g.conflict.rule_decider import RuleDecider
    from mem0g.embed.protocol import Embedder, Thresholds
    from mem0g.errors import Mem0gError
    from mem0g.extract.protocol import Extractor, Window
    from mem0g.extract.rules import RulesExtractor
    from mem0g.history.diff import Diff, Ended, Replaced
    from mem0g.history.explaining import Explanation
    from mem0g.ingest.ledger import Cost
    from mem0g.ingest.report import FactChange, FactRef, Report
    from mem0g.ingest.review import Held, HeldRetirement
    from mem0g.llm.protocol import Completion, LanguageModel, Prompt, Request
    from mem0g.memory import Memory
    from mem0g.model import (
        Context,
        Contradiction,
        Decision,
        Entity,
        Fact,
        Hit,
        Hits,
        Message,
        Passage,
        Reason,
        Receipt,
        Scope,
        Succession,
        Triple,
        Utterance,
    )
    from mem0g.pipeline import Pipeline
    from mem0g.procedural.runs import Run, Step
    from mem0g.relations.registry import Registry
    from mem0g.relations.relation_type import RelationType
    from mem0g.relations.tenant_types import TenantTypes
    from mem0g.resolve.blocking import NameQuery
    from mem0g.resolve.match_context import Match, MatchContext, MatchingRule
    from mem0g.resolve.mentions import Mention
    from mem0g.resolve.names import ParsedName
    from mem0g.resolve.nodes import Resolution, UncertainMatch
    from mem0g.resolve.resolver import Resolver
    from mem0g.resolve.rules import DEFAULT_RULES
    from mem0g.retrieve.question.query import Question
    from mem0g.retrieve.ranking.candidate_set import CandidateSet
    from mem0g.retrieve.ranking.signals import DEFAULT_SIGNALS, Signal
    from mem0g.settings import Credentials, LLMSettings, Settings
    from mem0g.store.candidates import FactCandidate, MessageCandidate, SearchCandidates, Turns
    from mem0g.store.change import Change, Retirement, Snapshot, Support
    from mem0g.store.protocol import Problem, Store, Transaction
    from mem0g.store.queries import (
        EntityCandidate,
        EntityQuery,
        FactFilter,
        FactQuery,
        PathTraversal,
        Period,
        RelatedFact,
        SearchQuery,
        Selection,
        Stats,
        StoreInfo,
        StoreState,
        View,
    )
    from mem0g.store.records import (
        ConversationSummary,
        Done,
        ModelCall,
        ModelReply,
        PendingWindow,
        ProposedRetirement,
        RetirementReview,
    )
    from mem0g.times import Moment
    from mem0g.transcripts import (
        ReadOptions,
        Skipped,
        Transcript,
        TranscriptFile,
        TranscriptFormat,
        read_files,
        read_text,
    )
    from mem0g.transfer.copy import Copied
    from mem0g.working.async_working_memory import AsyncWorkingMemory
    from mem0g.working.blocks import Block, BlockQuery, FactsBlock, GraphBlock, StaticBlock, VectorBlock
    from mem0g.working.working_memory import WorkingMemory

__version__ = "0.1.0"

_HOMES = {
    "Answer": "mem0g.answer.answering",
    "AsyncMemory": "mem0g.async_memory",
    "CandidateSet": "mem0g.retrieve.ranking.candidate_set",
    "Completion": "mem0g.llm.protocol",
    "ConflictPolicy": "mem0g.conflict.protocol",
    "Context": "mem0g.model",
    "Contradiction": "mem0g.model",
    "Copied": "mem0g.transfer.copy",
    "Cost": "mem0g.ingest.ledger",
    "Credentials": "mem0g.settings",
    "DEFAULT_RULES": "mem0g.resolve.rules",
    "DEFAULT_SIGNALS": "mem0g.retrieve.ranking.signals",
    "Decision": "mem0g.model",
    "Diff": "mem0g.history.diff",
    "Embedder": "mem0g.embed.protocol",
    **dict.fromkeys(("Extractor", "Window"), "mem0g.extract.protocol"),
    "RulesExtractor": "mem0g.extract.rules",
    "Ended": "mem0g.history.diff",
    "Entity": "mem0g.model",
    "Explanation": "mem0g.history.explaining",
    "Extractor": "mem0g.extract.protocol",
    "Fact": "mem0g.model",
    "FactChange": "mem0g.ingest.report",
    "FactRef": "mem0g.ingest.report",
    "Held": "mem0g.ingest.review",
    "HeldRetirement": "mem0g.ingest.review",
    "Hit": "mem0g.model",
    "Hits": "mem0g.model",
    "LLMSettings": "mem0g.settings",
    "LanguageModel": "mem0g.llm.protocol",
    "Match": "mem0g.resolve.match_context",
    "MatchContext": "mem0g.resolve.match_context",
    "MatchingRule": "mem0g.resolve.match_context",
    "Mem0gError": "mem0g.errors",
    "Memory": "mem0g.memory",
    "MemoryOpening": "mem0g.async_memory",
    "Mention": "mem0g.resolve.mentions",
    "Message": "mem0g.model",
    "Moment": "mem0g.times",
    "NameQuery": "mem0g.resolve.blocking",
    "OpenQuestion": "mem0g.conflict.protocol",
    "ParsedName": "mem0g.resolve.names",
    "Passage": "mem0g.model",
    "PendingWindow": "mem0g.store.records",
    "Pipeline": "mem0g.pipeline",
    "PolicyAnswer": "mem0g.conflict.protocol",
    "Problem": "mem0g.store.protocol",
    "Prompt": "mem0g.llm.protocol",
    "Question": "mem0g.retrieve.question.query",
    "Reason": "mem0g.model",
    "Receipt": "mem0g.model",
    "Registry": "mem0g.relations.registry",
    "RelatedFact": "mem0g.store.queries",
    "RelationType": "mem0g.relations.registry",
    "Replaced": "mem0g.history.diff",
    "Report": "mem0g.ingest.report",
    "Request": "mem0g.llm.protocol",
    "Resolution": "mem0g.resolve.nodes",
    "ResolvedTriple": "mem0g.conflict.protocol",
    "ResolvedWindow": "mem0g.conflict.protocol",
    "Resolver": "mem0g.resolve.resolver",
    "Retirement": "mem0g.store.change",
    "RuleDecider": "mem0g.conflict.rule_decider",
    "Scope": "mem0g.model",
    "Settings": "mem0g.settings",
    "Signal": "mem0g.retrieve.ranking.signals",
    "Stats": "mem0g.store.queries",
    "Store": "mem0g.store.protocol",
    "StoreInfo": "mem0g.store.queries",
    "Succession": "mem0g.model",
    "Support": "mem0g.store.change",
    "Change": "mem0g.store.change",
    "Snapshot": "mem0g.store.change",
    "Transaction": "mem0g.store.protocol",
    "EntityCandidate": "mem0g.store.queries",
    "EntityQuery": "mem0g.store.queries",
    "FactCandidate": "mem0g.store.candidates",
    "FactFilter": "mem0g.store.queries",
    "FactQuery": "mem0g.store.queries",
    "MessageCandidate": "mem0g.store.candidates",
    "PathTraversal": "mem0g.store.queries",
    "SearchCandidates": "mem0g.store.candidates",
    "Period": "mem0g.store.queries",
    "SearchQuery": "mem0g.store.queries",
    "Selection": "mem0g.store.queries",
    "SelectivePolicy": "mem0g.conflict.protocol",
    "StoreState": "mem0g.store.queries",
    "Turns": "mem0g.store.candidates",
    "View": "mem0g.store.queries",
    "ConversationSummary": "mem0g.store.records",
    "Done": "mem0g.store.records",
    "ModelCall": "mem0g.store.records",
    "ModelReply": "mem0g.store.records",
    "ProposedRetirement": "mem0g.store.records",
    "RetirementReview": "mem0g.store.records",
    "TenantTypes": "mem0g.relations.tenant_types",
    "Thresholds": "mem0g.embed.protocol",
    "Triple": "mem0g.model",
    "UncertainMatch": "mem0g.resolve.nodes",
    "Utterance": "mem0g.model",
    "Verdict": "mem0g.conflict.protocol",
    "ReadOptions": "mem0g.transcripts",
    "Skipped": "mem0g.transcripts",
    "Transcript": "mem0g.transcripts",
    "TranscriptFile": "mem0g.transcripts",
    "TranscriptFormat": "mem0g.transcripts",
    "read_files": "mem0g.transcripts",
    "read_text": "mem0g.transcripts",
    "AsyncWorkingMemory": "mem0g.working.async_working_memory",
    **dict.fromkeys(
        ("Block", "BlockQuery", "FactsBlock", "GraphBlock", "StaticBlock", "VectorBlock"), "mem0g.working.blocks"
    ),
    "WorkingMemory": "mem0g.working.working_memory",
    **dict.fromkeys(("Run", "Step"), "mem0g.procedural.runs"),
}
"""Where each public name lives; it is loaded when first used, so that ``import mem0g`` costs nothing."""

__all__ = [
    "DEFAULT_RULES",
    "DEFAULT_SIGNALS",
    "Answer",
    "AsyncMemory",
    "AsyncWorkingMemory",
    "Block",
    "BlockQuery",
    "CandidateSet",
    "Change",
    "Completion",
    "ConflictPolicy",
    "Context",
    "Contradiction",
    "ConversationSummary",
    "Copied",
    "Cost",
    "Credentials",
    "Decision",
    "Diff",
    "Done",
    "Embedder",
    "Ended",
    "Entity",
    "EntityCandidate",
    "EntityQuery",
    "Explanation",
    "Extractor",
    "Fact",
    "FactCandidate",
    "FactChange",
    "FactFilter",
    "FactQuery",
    "FactRef",
    "FactsBlock",
    "GraphBlock",
    "Held",
    "HeldRetirement",
    "Hit",
    "Hits",
    "LLMSettings",
    "LanguageModel",
    "Match",
    "MatchContext",
    "MatchingRule",
    "Mem0gError",
    "Memory",
    "MemoryOpening",
    "Mention",
    "Message",
    "MessageCandidate",
    "ModelCall",
    "ModelReply",
    "Moment",
    "NameQuery",
    "OpenQuestion",
    "ParsedName",
    "Passage",
    "PathTraversal",
    "PendingWindow",
    "Period",
    "Pipeline",
    "PolicyAnswer",
    "Problem",
    "Prompt",
    "ProposedRetirement",
    "Question",
    "ReadOptions",
    "Reason",
    "Receipt",
    "Registry",
    "RelatedFact",
    "RelationType",
    "Replaced",
    "Report",
    "Request",
    "Resolution",
    "ResolvedTriple",
    "ResolvedWindow",
    "Resolver",
    "Retirement",
    "RetirementReview",
    "RuleDecider",
    "RulesExtractor",
    "Run",
    "Scope",
    "SearchCandidates",
    "SearchQuery",
    "Selection",
    "SelectivePolicy",
    "Settings",
    "Signal",
    "Skipped",
    "Snapshot",
    "StaticBlock",
    "Stats",
    "Step",
    "Store",
    "StoreInfo",
    "StoreState",
    "Succession",
    "Support",
    "TenantTypes",
    "Thresholds",
    "Transaction",
    "Transcript",
    "TranscriptFile",
    "TranscriptFormat",
    "Triple",
    "Turns",
    "UncertainMatch",
    "Utterance",
    "VectorBlock",
    "Verdict",
    "View",
    "Window",
    "WorkingMemory",
    "__version__",
    "read_files",
    "read_text",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'mem0g' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
