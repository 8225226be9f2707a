"""The parts of a memory that change it, over one chain of stages. A search needs none of them."""

from __future__ import annotations

from dataclasses import dataclass

from mem0g.conflict.rule_decider import RuleDecider
from mem0g.editor import MemoryEditor
from mem0g.ingest.background import Background
from mem0g.ingest.pipeline import IngestPipeline
from mem0g.ingest.window_committer import WindowCommitter
from mem0g.pipeline import Pipeline
from mem0g.relations.vocabulary import Vocabularies
from mem0g.resolve.resolver import Resolver
from mem0g.settings import Settings
from mem0g.store.protocol import Store
from mem0g.store_embedder import StoreEmbedder
from mem0g.writer import MemoryWriter


@dataclass(frozen=True, slots=True)
class Changing:
    """What adds and forgets, and what changes by hand; they share the windows that are extracted in the background."""

    writer: MemoryWriter
    editor: MemoryEditor


def open_changing(
    store: Store, embedding: StoreEmbedder, vocabularies: Vocabularies, pipeline: Pipeline, settings: Settings
) -> Changing:
    """Return the parts over one chain of stages; those that the pipeline leaves out are the usual ones."""
    resolver = pipeline.resolver or Resolver(
        threshold=settings.threshold, llm_match_threshold=settings.llm_match_threshold
    )
    policy = pipeline.conflict_policy or RuleDecider()
    committer = WindowCommitter(store, embedding.embedder, resolver, vocabularies, settings, policy)
    ingest = IngestPipeline(store, pipeline.extractor, committer, settings, pipeline.ledger, pipeline.summaries)
    background = Background(ingest)
    return Changing(
        writer=MemoryWriter(store, embedding, vocabularies, ingest, background),
        editor=MemoryEditor(store, embedding, vocabularies, ingest, background),
    )
