// Note which embedder fills the store, if none does yet.
// Parameters: embedder, dimensions. Result: one row: embedder, dimensions, those that hold from now on.
MERGE (m:Mem0g {id: 'store'})
SET m.embedder = coalesce(m.embedder, $embedder), m.dimensions = coalesce(m.dimensions, $dimensions)
RETURN m.embedder AS embedder, m.dimensions AS dimensions
