// When scopes were written last, where they cannot be locked. Parameters: scopes.
// Result: a row each: scope, of those that are there; written_at; embedder, by whom the store's vectors are.
UNWIND $scopes AS wanted
MATCH (s:Mem0gScope {scope: wanted})
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN s.scope AS scope, s.written_at AS written_at, store.embedder AS embedder
