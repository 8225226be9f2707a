"""Which stages a memory works with: by rules, by a language model, or the caller's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mem0g.errors import InputError
from mem0g.extract import NoExtractor
from mem0g.extract.protocol import Extractor
from mem0g.settings import LLMSettings

if TYPE_CHECKING:
    from mem0g.conflict.model import ModelJudge
    from mem0g.ingest.ledger import StoreLedger
    from mem0g.ingest.summaries import Summaries
    from mem0g.llm.cache import ReplyCache
    from mem0g.llm.request import LanguageModel
    from mem0g.store.protocol import Store

NAMES = ("llm", "llm-two-stage", "rules", "none")
"""The extractors by name."""

SUMMARY_EVERY = 20
"""Messages after which the summary of a conversation is refreshed."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages that there is a choice of; those that only a model has are None without one.

    ``cache`` is the one that the model looks up its replies in, if it was made here with one.
    """

    extractor: Extractor
    judge: ModelJudge | None = None
    ledger: StoreLedger | None = None
    summaries: Summaries | None = None
    cache: ReplyCache | None = None


def chosen(extractor: str | Extractor | None, settings: LLMSettings) -> str | Extractor:
    """The extractor named, by default the model's where one is configured, else the rules.

    Raises InputError for an unknown name.
    """
    if extractor is None:
        return "llm" if settings.configured else "rules"
    if isinstance(extractor, str) and extractor not in NAMES:
        raise InputError(f"unknown extractor {extractor!r}", hint=f"use {', '.join(NAMES[:-1])} or {NAMES[-1]}")
    return extractor


def open_stages(
    extractor: str | Extractor, store: Store, settings: LLMSettings, model: LanguageModel | None = None
) -> Stages:
    """The stages of that extractor, as ``chosen`` gives it; ``model`` is asked instead of the one of the settings."""
    if not isinstance(extractor, str):
        return Stages(extractor)
    if extractor == "none":
        return Stages(NoExtractor())
    if extractor == "rules":
        from mem0g.extract.rules import RulesExtractor

        return Stages(RulesExtractor())
    cache = open_cache(settings) if model is None else None
    opened = model or open_model(settings, cache)
    return replace(_of_model(store, settings, opened, two_stages=extractor == "llm-two-stage"), cache=cache)


def open_cache(settings: LLMSettings) -> ReplyCache | None:
    """The reply cache of the settings, if they name one."""
    from mem0g.llm.cache import ReplyCache

    return ReplyCache(settings.cache) if settings.cache else None


def open_model(settings: LLMSettings, cache: ReplyCache | None = None) -> LanguageModel:
    """The language model of the settings, with ``cache`` or theirs; a server is asked when it is first needed."""
    from mem0g.llm.openai_model import OpenAIModel

    return OpenAIModel(
        settings.model,
        base_url=settings.base_url,
        api_key=settings.api_key,
        timeout=settings.timeout,
        retries=settings.retries,
        cache=cache or open_cache(settings),
    )


def _of_model(store: Store, settings: LLMSettings, model: LanguageModel, *, two_stages: bool) -> Stages:
    from mem0g.conflict.model import ModelJudge
    from mem0g.extract.llm import LLMExtractor, Wishes
    from mem0g.ingest.ledger import StoreLedger
    from mem0g.ingest.summaries import Summaries
    from mem0g.llm.prompts import Prompts

    ledger, prompts = StoreLedger(store), Prompts(settings.prompts)
    return Stages(
        extractor=LLMExtractor(model, ledger, prompts, Wishes.of(settings), two_stages=two_stages),
        judge=ModelJudge(model, ledger, prompts),
        ledger=ledger,
        summaries=Summaries(store, model, ledger, prompts, SUMMARY_EVERY),
    )
