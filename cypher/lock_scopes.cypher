// Lock scopes until this transaction ends: no other transaction can write to them. What changes is not recorded (see
// versions.cypher). Parameters: scopes.
// Result: a row each: scope, of those that exist; embedder of the store.
UNWIND $scopes AS wanted
WITH wanted ORDER BY wanted
MATCH (s:Mem0gScope {scope: wanted})
// The clock has milliseconds: two writes of one differ in their nanoseconds. To count up, the old value would have to be read,
// for which the server takes two locks, and two writers a deadlock.
SET s.written_at = datetime() + duration({nanoseconds: toInteger(rand() * 1000000)}), s.changes = []
WITH s
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN s.scope AS scope, store.embedder AS embedder
