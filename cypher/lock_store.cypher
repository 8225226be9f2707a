// Take the lock of the store's own node for this transaction: until it ends nobody else writes first to a new scope, or
// changes the embedder. Result: one row: embedder, dimensions of the vectors that the store holds.
MATCH (m:Mem0g {id: 'store'}) SET m.written_at = datetime()
WITH m
RETURN m.embedder AS embedder, m.dimensions AS dimensions
