"""Extraction of triples by a language model, as in the Mem0 paper (arXiv 2504.19413, section 2.2).

An entity extractor and a relation generator, in two calls or combined in one.
"""

from mem0g.extract.llm.extractor import LLMExtractor
from mem0g.extract.llm.rendering import ExtractionOptions

__all__ = ["ExtractionOptions", "LLMExtractor"]
