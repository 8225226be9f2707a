// Take the locks of scopes for this transaction: until it ends nobody else writes to them. Parameters: scopes.
// Result: a row each: scope, of those that are there; embedder, by whom the store's vectors are.
UNWIND $scopes AS wanted
WITH wanted ORDER BY wanted
MATCH (s:Mem0gScope {scope: wanted})
SET s.written_at = datetime()
WITH s
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN s.scope AS scope, store.embedder AS embedder
