"""Modules that every child needs: imported once, in the process that they are forked from."""

import neo4j
import openai
import openai.resources.chat.completions
import pydantic

import mem0g.conflict.llm_judge
import mem0g.extract.llm
import mem0g.extract.rules
import mem0g.ingest.ledger
import mem0g.ingest.summaries
import mem0g.llm.openai
import mem0g.store.neo4j
import mem0g.store.sqlite
import mem0g.transcripts

__all__ = ["mem0g", "neo4j", "openai", "pydantic"]
