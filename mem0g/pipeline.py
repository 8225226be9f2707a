"""The stages that a memory works with: by rules, by a language model, or the caller's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mem0g.errors import InputError
from mem0g.extract import NoExtractor
from mem0g.extract.protocol import Extractor
from mem0g.settings import LLMSettings, Settings

if TYPE_CHECKING:
    from mem0g.conflict.protocol import ConflictPolicy
    from mem0g.ingest.ledger import StoreLedger
    from mem0g.ingest.summaries import Summaries
    from mem0g.llm.cache import ReplyCache
    from mem0g.llm.exchange import Exchange
    from mem0g.llm.protocol import LanguageModel
    from mem0g.resolve.resolver import Resolver
    from mem0g.store.protocol import Store

EXTRACTORS = ("llm", "llm-two-stage", "llm-dense", "rules", "none")
"""The extractors by name; "llm-dense" is the base Mem0, with sentences instead of a graph."""

SUMMARY_EVERY = 20
"""Messages after which the summary of a conversation is refreshed."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages from messages to facts.

    ``resolver``: None for one with the thresholds of the settings. ``conflict_policy``: None for the rules. The others
    are there when a language model extracts: ``ledger`` records its calls, ``summaries`` keeps the summary of each
    conversation, ``cache`` is the reply cache that was opened with it.
    """

    extractor: Extractor
    resolver: Resolver | None = None
    conflict_policy: ConflictPolicy | None = None
    ledger: StoreLedger | None = None
    summaries: Summaries | None = None
    cache: ReplyCache | None = None


def chosen_extractor(extractor: str | Extractor | None, settings: LLMSettings) -> str | Extractor:
    """Return the extractor asked for, by default "llm" where a model is configured, else "rules".

    Raises InputError for an unknown name.
    """
    if extractor is None:
        return "llm" if settings.configured else "rules"
    if isinstance(extractor, str) and extractor not in EXTRACTORS:
        names = f"{', '.join(EXTRACTORS[:-1])} or {EXTRACTORS[-1]}"
        raise InputError(f"unknown extractor {extractor!r}", hint=f"use {names}")
    return extractor


def open_pipeline(
    extractor: str | Extractor,
    store: Store,
    settings: Settings,
    model: LanguageModel | None = None,
    *,
    resolver: Resolver | None = None,
    conflict_policy: ConflictPolicy | None = None,
) -> Pipeline:
    """Return the pipeline with an extractor of ``chosen_extractor``; ``model`` replaces the model of the settings.

    ``resolver`` and ``conflict_policy`` replace those that come with the extractor.
    """
    usual = _usual(extractor, store, settings, model)
    return replace(usual, resolver=resolver, conflict_policy=conflict_policy or usual.conflict_policy)


def _usual(extractor: str | Extractor, store: Store, settings: Settings, model: LanguageModel | None) -> Pipeline:
    if not isinstance(extractor, str):
        return Pipeline(extractor)
    if extractor == "none":
        return Pipeline(NoExtractor())
    if extractor == "rules":
        from mem0g.extract.rules import RulesExtractor

        return Pipeline(RulesExtractor())
    return _llm_pipeline(extractor, store, settings, open_exchange(settings.llm, model))


def open_cache(settings: LLMSettings) -> ReplyCache | None:
    """Return the reply cache of the settings, None where they name none."""
    from mem0g.llm.cache import ReplyCache

    return ReplyCache(settings.cache) if settings.cache else None


def open_exchange(settings: LLMSettings, model: LanguageModel | None = None) -> Exchange:
    """Return the exchange with ``model`` or with that of the settings, with their reply cache; nothing is sent yet."""
    from mem0g.llm.exchange import Exchange
    from mem0g.llm.openai import OpenAIProvider

    if model is None:
        model = OpenAIProvider(
            settings.model, base_url=settings.base_url, api_key=settings.api_key, timeout=settings.timeout
        )
    return Exchange(model, retries=settings.retries, cache=open_cache(settings))


def _llm_pipeline(extractor: str, store: Store, settings: Settings, model: Exchange) -> Pipeline:
    from mem0g.conflict.llm_judge import LLMJudge
    from mem0g.extract.llm import ExtractionOptions, LLMExtractor
    from mem0g.ingest.ledger import StoreLedger
    from mem0g.ingest.summaries import Summaries
    from mem0g.llm.prompts import Prompts

    ledger, prompts = StoreLedger(store), Prompts(settings.llm.prompts)
    options = ExtractionOptions.of(settings.llm)
    pipeline = Pipeline(
        extractor=LLMExtractor(model, ledger, prompts, options, two_stages=extractor == "llm-two-stage"),
        conflict_policy=LLMJudge(model, ledger, prompts, settings.candidates, settings.trust_model),
        ledger=ledger,
        summaries=Summaries(store, model, ledger, prompts, SUMMARY_EVERY, sessions=settings.llm.session_summaries),
        cache=model.cache,
    )
    if extractor != "llm-dense":
        return pipeline
    from mem0g.conflict.dense_judge import DenseJudge
    from mem0g.extract.llm.dense import DenseExtractor

    return replace(
        pipeline,
        extractor=DenseExtractor(model, ledger, prompts, options),
        conflict_policy=DenseJudge(model, ledger, prompts, trust=settings.trust_model),
    )
