// Set the embedder of the store. Parameters: embedder, dimensions (both null: none).
// Result: one row: embedder, dimensions.
MERGE (m:Mem0g {id: 'store'}) SET m.embedder = $embedder, m.dimensions = $dimensions
RETURN m.embedder AS embedder, m.dimensions AS dimensions
