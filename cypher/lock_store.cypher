// Lock the store's node until this transaction ends: no other transaction can create a scope or change the embedder. Result: one row: embedder, dimensions of the vectors that the store holds.
MATCH (m:Mem0g {id: 'store'}) SET m.written_at = datetime()
WITH m
RETURN m.embedder AS embedder, m.dimensions AS dimensions
