// Lock scopes until this transaction ends: no other transaction can write to them. Parameters: scopes.
// Result: a row each: scope, of those that exist; embedder of the store.
UNWIND $scopes AS wanted
WITH wanted ORDER BY wanted
MATCH (s:Mem0gScope {scope: wanted})
SET s.written_at = CASE WHEN s.written_at >= datetime() THEN s.written_at + duration({milliseconds: 1}) ELSE datetime() END
WITH s
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN s.scope AS scope, store.embedder AS embedder
