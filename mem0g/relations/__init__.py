"""What is known of relations: canonical names, cardinality, which ends or fulfils which."""

from mem0g.relations.folding import fold_new
from mem0g.relations.registry import Registry, RelationType, seeds

__all__ = ["Registry", "RelationType", "fold_new", "seeds"]
