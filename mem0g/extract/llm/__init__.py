"""Messages to triples by a language model, as in the Mem0 paper (arXiv 2504.19413, section 2.2).

An entity extractor, then a relation generator; in two calls, or in one that does both.
"""

from mem0g.extract.llm.extractor import LLMExtractor
from mem0g.extract.llm.rendering import ExtractionOptions

__all__ = ["ExtractionOptions", "LLMExtractor"]
