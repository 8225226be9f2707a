"""Relations: canonical names, synonyms, cardinality, and which relation ends or fulfils which."""
