"""Messages to triples by rules: no key, no model, modest but right."""

from mem0g.extract.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
