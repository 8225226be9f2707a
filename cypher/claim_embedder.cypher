// Record the embedder of the store, if it has none yet.
// Parameters: embedder, dimensions. Result: one row: embedder, dimensions, those of the store after this query.
MERGE (m:Mem0g {id: 'store'})
SET m.embedder = coalesce(m.embedder, $embedder), m.dimensions = coalesce(m.dimensions, $dimensions)
RETURN m.embedder AS embedder, m.dimensions AS dimensions
