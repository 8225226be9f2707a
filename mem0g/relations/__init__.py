"""What is known of relations: canonical names, cardinality, which ends or fulfils which."""

from mem0g.relations.registry import Registry, RelationType, seeds
from mem0g.relations.synonyms import fold_new

__all__ = ["Registry", "RelationType", "fold_new", "seeds"]
