"""Messages to triples by rules, without a key or a model: few facts, but reliable ones."""

from mem0g.extract.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
