// When scopes were last written, for readers that cannot lock them. Parameters: scopes.
// Result: a row each: scope, of those that exist; written_at; embedder of the store.
UNWIND $scopes AS wanted
MATCH (s:Mem0gScope {scope: wanted})
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN s.scope AS scope, s.written_at AS written_at, store.embedder AS embedder
